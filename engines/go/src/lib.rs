//! What an engine knows of Go, on boards from 2x2 to 25x25.
//!
//! | question | file |
//! |---|---|
//! | what is a point, what are the rules to choose from? | `point.rs`, `rules.rs` |
//! | what is a position, which moves are there? | `position.rs`, `moves.rs` |
//! | how are positions, moves and games written? | `text.rs`, `sgf.rs`, `kifu.rs` |
//! | where do handicap stones go? | `handicap.rs` |
//! | what do playouts play on, and how? | `board.rs`, `playout.rs`, `recipes.rs`, `tactics.rs`, `patterns.rs` |
//! | what does the tree think of moves beforehand? | `policy.rs`, `features.rs`, `shapes.rs`, `strengths.rs`, `bias.rs` |
//! | which boards may not recur in it, which moves are left out? | `superko.rs`, `orders.rs` |
//! | how are strengths of moves learned, and networks? | `games.rs`, `learn.rs`; `selfplay.rs`, `training.rs` |
//! | who owns what, which stones are dead? | `ownership.rs`, `estimate.rs`, `life.rs`, `seki.rs`, `capture.rs`, `scoring.rs` |
//! | what does a network see of a position, and say? how is it asked? | `network.rs`; `policy/advisor.rs`, `guidance.rs` |
//! | what does the user see and choose? | `engine.rs`, `options.rs`, `methods.rs`, `bench.rs` |
//! | what does it do at a GTP table? | `gtp.rs`, `gtp/` |
//! | when does a game end? | `ending.rs` |
//! | which numbers are tuned? | `tuning.rs` |

mod bench;
pub mod bias;
pub mod board;
pub mod capture;
mod ending;
pub mod engine;
pub mod estimate;
pub mod features;
pub mod games;
pub mod gtp;
mod guidance;
pub mod handicap;
pub mod kifu;
pub mod learn;
pub mod life;
mod methods;
pub mod moves;
pub mod network;
mod options;
pub mod orders;
pub mod ownership;
pub mod patterns;
pub mod playout;
pub mod point;
pub mod policy;
pub mod position;
pub mod recipes;
pub mod rules;
pub mod scoring;
pub mod seki;
#[cfg(any(test, feature = "learn"))]
pub mod selfplay;
pub mod sgf;
pub mod shapes;
pub mod strengths;
pub mod superko;
pub mod tactics;
pub mod text;
#[cfg(any(test, feature = "learn"))]
pub mod training;
pub mod tuning;

pub use board::Board;
pub use engine::Go;
pub use kifu::Kifu;
pub use moves::Move;
pub use point::{Point, PointSet};
pub use position::{Colour, Position};
pub use rules::{Ko, Rules, Scoring};
