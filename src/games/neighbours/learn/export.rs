//! `export`: the weights of a training as a file that the engine reads.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::checkpoint::Checkpoint;
use crate::place;

/// From where to where.
#[derive(Args)]
pub struct Arguments {
    /// The training
    checkpoint: PathBuf,
    /// The weight file to write
    weights: PathBuf,
}

/// Writes the weight file with a header that says how it came about.
pub fn run(arguments: &Arguments) -> Result<()> {
    place::check("WEIGHTS", &arguments.weights)?;
    let checkpoint = Checkpoint::read(&arguments.checkpoint)?;
    let text = format!("# Learned by {}\n{}", checkpoint.origin(), checkpoint.weights()?);
    place::write(&arguments.weights, text)
}
