//! How weights are learned from games, whatever the game.
//!
//! | question | file |
//! |---|---|
//! | what is a position to a learner? | `terms.rs`, `samples.rs` |
//! | which weights predict results? | `logistic.rs`, `lbfgs.rs` |
//! | which features make a move the one chosen? | `contests.rs` |
//! | which weights agree with their own later values? | `temporal.rs`, `least_squares.rs`, `samuel.rs` |
//! | which features are there? | `configurations.rs` |
//! | what if the value is no weighted sum? | `perceptron.rs` |
//! | which games are learned from? | `selfplay.rs`, `lookahead.rs`, `exploration.rs` |
//! | what happened, who is better? | `log.rs`, `duel.rs` |

pub mod configurations;
pub mod contests;
pub mod duel;
pub mod exploration;
pub mod lbfgs;
pub mod least_squares;
pub mod log;
pub mod logistic;
pub mod lookahead;
pub mod perceptron;
pub mod samples;
pub mod samuel;
pub mod selfplay;
pub mod temporal;
pub mod terms;

pub use configurations::Configuration;
pub use contests::{Contests, Strengths};
pub use duel::{Duel, Results, Tally};
pub use exploration::Sigmoid;
pub use log::Log;
pub use logistic::Logistic;
pub use lookahead::Lookahead;
pub use perceptron::{Perceptron, Schooling};
pub use samples::{Samples, Taper};
pub use samuel::Samuel;
pub use selfplay::{Opponent, Pupil, Reply, Scheme, Training};
pub use temporal::{Course, CourseError, Learner, Method, Transition};
pub use terms::{Cross, Terms};
