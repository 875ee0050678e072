//! What an engine knows of Brazilian draughts and its sisters on 64 squares.
//!
//! | question | file |
//! |---|---|
//! | how do squares and diagonals lie? | `board.rs` |
//! | what can the user choose about the game? | `rules.rs` |
//! | what is a position, when does a game end? | `position.rs` |
//! | which moves are there? | `moves.rs` |
//! | how are positions and moves written? | `text.rs`, `paths.rs` |

pub mod board;
pub mod moves;
mod paths;
pub mod position;
pub mod rules;
pub mod text;

pub use board::Square;
pub use moves::Move;
pub use position::Position;
pub use rules::{DrawRules, Rules, Variant};
pub use text::Notation;
