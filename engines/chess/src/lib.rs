//! What an engine knows of chess and Chess960.
//!
//! | question | file |
//! |---|---|
//! | what is a position, when does a game end? | `position.rs`, `position/` |
//! | which moves are there? | `moves.rs`, with `attacks.rs` |
//! | what does an exchange of pieces win? | `see.rs` |
//! | what is a position worth? | `eval.rs`, `tuning.rs` |
//! | where do its numbers come from? | `learn.rs`, `openings.rs` |
//! | how are good moves found? | `search.rs`, `syzygy.rs` |
//! | what do its users see? | `engine.rs`, `bench.rs`, `book.rs` |
//! | what was Kushnir's program? | `queem.rs`, `eval/thesis.rs` |
//! | how are positions and moves written? | `text.rs`, `san.rs` |
//! | where does a game of Chess960 begin? | `shuffled.rs` |

pub mod attacks;
mod bench;
pub mod book;
pub mod engine;
pub mod eval;
pub mod learn;
pub mod moves;
pub mod openings;
pub mod position;
pub mod queem;
pub mod san;
pub mod search;
pub mod see;
pub mod shuffled;
pub mod syzygy;
pub mod text;
pub mod tuning;

pub use attacks::Square;
pub use engine::Chess;
pub use eval::{Evaluation, Evaluator};
pub use moves::{Kind, Move};
pub use position::{Position, Role, Rules};
