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
//! | how does a network learn? | `network.rs`, `adam.rs`, `checkpoint.rs` |
//! | which numbers of a search win matches? | `spsa.rs` |
//! | which games are learned from? | `games.rs`, `played.rs`, `selfplay.rs`, `lookahead.rs`, `exploration.rs` |
//! | what happened, who is better? | `log.rs`, `duel.rs` |
//!
//! What engines need to read and use learned numbers is always there; what plays games to learn from needs the
//! feature `learn`, so that an engine built alone does without the crates behind it.

pub mod adam;
pub mod checkpoint;
pub mod configurations;
pub mod contests;
#[cfg(any(test, feature = "learn"))]
pub mod duel;
#[cfg(any(test, feature = "learn"))]
pub mod exploration;
pub mod games;
pub mod lbfgs;
#[cfg(any(test, feature = "learn"))]
pub mod least_squares;
#[cfg(any(test, feature = "learn"))]
pub mod log;
pub mod logistic;
#[cfg(any(test, feature = "learn"))]
pub mod lookahead;
pub mod network;
pub mod perceptron;
pub mod played;
pub mod rote;
pub mod samples;
pub mod samuel;
#[cfg(any(test, feature = "learn"))]
pub mod selfplay;
pub mod spsa;
#[cfg(any(test, feature = "learn"))]
pub mod student;
#[cfg(any(test, feature = "learn"))]
pub mod temporal;
pub mod terms;

pub use adam::Adam;
pub use checkpoint::Checkpoint;
pub use configurations::{Configuration, Configurations};
pub use contests::{Contests, Strengths};
pub use logistic::{Logistic, Loss};
pub use perceptron::{Perceptron, Schooling};
pub use played::Played;
pub use rote::Rote;
pub use samples::{Samples, Taper};
pub use samuel::Samuel;
pub use spsa::Spsa;
pub use terms::{Cross, Terms};
#[cfg(any(test, feature = "learn"))]
pub use {
    duel::{Duel, Results, Tally},
    exploration::Sigmoid,
    log::Log,
    lookahead::Lookahead,
    selfplay::{Opponent, Pupil, Reply, Scheme, Training},
    student::Student,
    temporal::{Course, CourseError, Learner, Method, Transition},
};
