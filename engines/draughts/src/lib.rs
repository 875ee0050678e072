//! What an engine knows of Brazilian draughts and its sisters on 64 squares.
//!
//! | question | file |
//! |---|---|
//! | how do squares and diagonals lie? | `board.rs` |
//! | what can the user choose about the game? | `rules.rs` |
//! | what is a position, when does a game end? | `position.rs` |
//! | which moves are there? | `moves.rs` |
//! | how are positions and moves written? | `text.rs`, `paths.rs`, `hub.rs` |
//! | what is a position worth? | `eval.rs`, `eval/` |
//! | which endings are known? | `endgame.rs`, `endgame/` |
//! | which openings are known? | `book.rs` |
//! | every number and switch | `tuning.rs` |
//! | what does a user see? | `engine.rs`, `program.rs`, `bench.rs` |

mod bench;
pub mod board;
pub mod book;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod hub;
pub mod moves;
mod paths;
pub mod position;
pub mod program;
pub mod rules;
pub mod text;
pub mod tuning;

pub use board::Square;
pub use engine::Draughts;
pub use eval::{Evaluation, Evaluator, Patterns};
pub use moves::Move;
pub use position::Position;
pub use rules::{DrawRules, Rules, Variant};
pub use text::Notation;
