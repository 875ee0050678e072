//! `quintet learn draughts`: weights of patterns from self-play, and matches to try them out.
//!
//! | question | file |
//! |---|---|
//! | what is learned from games? | `games.rs` |
//! | which weights explain them? | `train.rs` |
//! | how did others learn? | `samuel.rs`, `glem.rs`, `perceptron.rs` |
//! | who is better? | `versus.rs` |
//! | what becomes of files of the version before? | `seal.rs` |

pub(super) mod games;
pub(super) mod glem;
pub(super) mod perceptron;
pub(super) mod samuel;
mod seal;
pub(super) mod train;
mod versus;

use ::draughts::{Draughts, Position, tuning};
use anyhow::Result;
use clap::{FromArgMatches, Subcommand};
use search::Search;
use search::learn::games::Style;

use crate::learn::games::Author;
use crate::learn::{Learn, Own, Shared};

/// What `quintet learn` knows of the game.
pub(super) const LEARN: Learn = Learn {
    about: "The patterns of draughts",
    own: Some(Own {
        arguments: Task::augment_subcommands,
        run: |matches| run(Task::from_arg_matches(matches)?),
    }),
    shared: Some(Shared::of::<Draughts>()),
};

impl Author for Draughts {
    const STYLE: Style = tuning::GAMES;

    fn alone() -> Draughts {
        Draughts::bare()
    }

    fn player(&mut self) -> &mut dyn Search<Position> {
        self
    }
}

/// What can be done about weights of draughts.
#[derive(Subcommand)]
pub enum Task {
    /// Learn the weights of patterns from games against itself
    Train(train::Arguments),
    /// Fit the weights of patterns to recorded games
    Fit(train::Fit),
    /// Learn the weights of terms by Samuel's scheme
    Samuel(samuel::Arguments),
    /// Find frequent configurations in games and fit their weights, as GLEM does
    Glem(glem::Arguments),
    /// Teach a small perceptron by temporal differences
    Perceptron(perceptron::Arguments),
    /// Play two evaluations against each other
    Match(versus::Arguments),
    /// Give weights of version 1 the checksum that they lack
    Seal(seal::Arguments),
}

/// Does what the command line asks for.
pub fn run(task: Task) -> Result<()> {
    match task {
        Task::Train(arguments) => train::run(&arguments),
        Task::Fit(arguments) => train::run_fit(&arguments),
        Task::Samuel(arguments) => samuel::run(&arguments),
        Task::Glem(arguments) => glem::run(&arguments),
        Task::Perceptron(arguments) => perceptron::run(&arguments),
        Task::Match(arguments) => versus::run(&arguments),
        Task::Seal(arguments) => seal::run(&arguments),
    }
}
