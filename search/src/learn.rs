//! How weights are learned from games, whatever the game.
//!
//! | question | file |
//! |---|---|
//! | what is a position to a learner? | `samples.rs` |
//! | which weights predict results? | `logistic.rs`, `lbfgs.rs` |

pub mod lbfgs;
pub mod logistic;
pub mod samples;

pub use logistic::Logistic;
pub use samples::{Samples, Taper};
