//! What an engine knows of Breakthrough: men that only go forward, and the first across the board wins.
//!
//! | question | file |
//! |---|---|
//! | what is a position, when does a game end? | `position.rs` |
//! | which moves are there? | `moves.rs` |
//! | how are positions and moves written? | `text.rs` |
//! | what is a position worth? | `eval.rs` |
//! | which man can nobody catch? | `race.rs` |
//! | every number and switch | `tuning.rs` |
//! | what does a user see? | `engine.rs`, `bench.rs` |

mod bench;
pub mod engine;
pub mod eval;
pub mod moves;
pub mod position;
pub mod race;
mod text;
pub mod tuning;

pub use engine::Breakthrough;
pub use eval::{Evaluation, Evaluator};
pub use moves::Move;
pub use position::{Position, Rules};
pub use search::Square;
