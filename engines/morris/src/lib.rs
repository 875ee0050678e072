//! What an engine knows of nine men's morris, by the rules the world plays and by those of Wozniak's report.
//!
//! | question | file |
//! |---|---|
//! | where are the points, lines and mills? | `board.rs` |
//! | what is a position, when does a game end? | `position.rs`, `memory.rs` |
//! | which moves are there? | `moves.rs` |
//! | which endgames can be solved, and the whole game with them? | `endgame.rs`, `endgame/index.rs`, `solve.rs` |
//! | how are positions and moves written? | `text.rs`, `sanmill.rs` |
//! | what is a position worth? | `features.rs`, `weights.rs`, `eval.rs`, `database.rs` |
//! | every number and switch | `tuning.rs` |
//! | what does a user see? | `engine.rs`, `bench.rs` |

mod bench;
pub mod board;
pub mod database;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod features;
pub mod memory;
pub mod moves;
pub mod position;
mod sanmill;
pub mod solve;
mod text;
pub mod tuning;
pub mod weights;

pub use board::Point;
pub use engine::Morris;
pub use eval::{Evaluation, Evaluator};
pub use moves::Move;
pub use position::{NoReturn, Position, Rules};
pub use weights::Weights;
