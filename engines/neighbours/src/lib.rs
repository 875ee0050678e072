//! What an engine knows of Neighbours: a piece moves exactly as many squares as it has neighbours.
//!
//! | question | file |
//! |---|---|
//! | what is a position, when does a game end? | `position.rs` |
//! | which moves are there? | `moves.rs` |
//! | how are positions and moves written? | `text.rs` |
//! | what is a position worth? | `eval.rs`, `patterns.rs`; of Skoulakis's thesis: `features.rs`, `weights.rs` |
//! | which positions are solved, who asks for them? | `endgame.rs`, `database.rs` |
//! | every number and switch | `tuning.rs` |
//! | what does a user see? | `engine.rs`, `bench.rs` |

mod bench;
pub mod database;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod features;
pub mod moves;
pub mod patterns;
pub mod position;
mod text;
pub mod tuning;
pub mod weights;

pub use engine::Neighbours;
pub use eval::Evaluator;
pub use moves::Move;
pub use patterns::Patterns;
pub use position::{Position, Rules};
pub use search::Square;
pub use weights::{Set, Weights};
