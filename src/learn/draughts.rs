//! `quintet learn draughts`: weights of patterns from self-play, and matches to try them out.
//!
//! | question | file |
//! |---|---|
//! | which games are learned from? | `games.rs` |
//! | which weights explain them? | `train.rs` |
//! | who is better? | `versus.rs` |

mod games;
mod train;
mod versus;

use anyhow::Result;
use clap::Subcommand;

/// What can be done about weights of draughts.
#[derive(Subcommand)]
pub enum Task {
    /// Learn the weights of patterns from games against itself
    Train(train::Arguments),
    /// Let two evaluations play against each other
    Match(versus::Arguments),
}

/// Does what the command line asks for.
pub fn run(task: Task) -> Result<()> {
    match task {
        Task::Train(arguments) => train::run(&arguments),
        Task::Match(arguments) => versus::run(&arguments),
    }
}
