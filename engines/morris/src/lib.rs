//! What an engine knows of nine men's morris, by the rules the world plays and by those of the source document.
//!
//! | question | file |
//! |---|---|
//! | where are the points, lines and mills? | `board.rs` |
//! | what is a position, when does a game end? | `position.rs`, `memory.rs` |
//! | which moves are there? | `moves.rs` |
//! | which endgames can be solved? | `endgame.rs`, `endgame/index.rs` |
//! | how are positions and moves written? | `text.rs`, `sanmill.rs` |

pub mod board;
pub mod endgame;
pub mod memory;
pub mod moves;
pub mod position;
pub mod sanmill;
pub mod text;

pub use board::Point;
pub use moves::Move;
pub use position::{NoReturn, Position, Rules};
