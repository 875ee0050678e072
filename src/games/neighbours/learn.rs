//! `quintet learn neighbours`: training, looking at it, trying it out, and writing weight files.
//!
//! | question | file |
//! |---|---|
//! | how is a training set up, stopped and resumed? | `train.rs`, `checkpoint.rs` |
//! | how does an agent of the network play along? | `guest.rs` |
//! | how is a training led over the network? | `host.rs` leads, `client.rs` learns |
//! | how is the engine's own evaluation learned? | `fit.rs` |
//! | what came of it? | `show.rs`, `export.rs` |
//! | who is better? | `versus.rs`, `pairs.rs` |

pub mod checkpoint;
mod client;
mod export;
mod fit;
mod guest;
mod host;
mod pairs;
mod show;
pub(super) mod train;
mod versus;

use ::neighbours::{Neighbours, Position, tuning};
use anyhow::Result;
use clap::{FromArgMatches, Subcommand};
use search::Search;
use search::learn::games::Style;

use crate::learn::games::Author;
use crate::learn::{Learn, Own, Shared};

/// What `quintet learn` knows of the game.
pub(super) const LEARN: Learn = Learn {
    about: "The value functions of Neighbours",
    own: Some(Own {
        arguments: Task::augment_subcommands,
        run: |matches| run(Task::from_arg_matches(matches)?),
    }),
    shared: Some(Shared::of::<Neighbours>()),
};

impl Author for Neighbours {
    const STYLE: Style = tuning::GAMES;

    fn player(&mut self) -> &mut dyn Search<Position> {
        self
    }
}

/// What can be done about weights of Neighbours.
#[derive(Subcommand)]
pub enum Task {
    /// Learn the weights of a set of terms by self-play
    Train(train::Arguments),
    /// Lead the games of a training whose players come over the network
    Host(host::Arguments),
    /// Learn the engine's own evaluation from generations of self-play
    Fit(fit::Arguments),
    /// Show the weights of a training and plot how they came about
    Show(show::Arguments),
    /// Play two evaluations against each other
    Match(versus::Arguments),
    /// Write the weights of a training as a weight file
    Export(export::Arguments),
}

/// Does what the command line asks for.
pub fn run(task: Task) -> Result<()> {
    match task {
        Task::Train(arguments) => train::run(&arguments),
        Task::Host(arguments) => host::run(&arguments),
        Task::Fit(arguments) => fit::run(&arguments),
        Task::Show(arguments) => show::run(&arguments),
        Task::Match(arguments) => versus::run(&arguments),
        Task::Export(arguments) => export::run(&arguments),
    }
}
