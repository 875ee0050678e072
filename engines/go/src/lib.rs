//! What an engine knows of Go, on boards from 2x2 to 25x25.
//!
//! | question | file |
//! |---|---|
//! | what is a point, what are the rules to choose from? | `point.rs`, `rules.rs` |
//! | what do playouts play on? | `board.rs` |
//! | what is a position, when does a game end? | `position.rs`, `moves.rs` |
//! | how are positions, moves and games written? | `text.rs`, `sgf.rs`, `record.rs` |
//! | where do handicap stones go? | `handicap.rs` |

mod bench;
pub mod board;
pub mod engine;
pub mod estimate;
pub mod handicap;
pub mod life;
pub mod moves;
pub mod ownership;
pub mod patterns;
pub mod playout;
pub mod point;
pub mod policy;
pub mod position;
pub mod record;
pub mod rules;
pub mod scoring;
pub mod sgf;
pub mod tactics;
pub mod text;
pub mod tuning;

pub use board::Board;
pub use engine::Go;
pub use moves::Move;
pub use point::{Point, PointSet};
pub use position::{Colour, Position};
pub use record::Record;
pub use rules::{Ko, Rules, Scoring};
