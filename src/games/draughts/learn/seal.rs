//! `seal`: weights that were written before their files had a checksum.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use draughts::Patterns;

use crate::place;

/// What to seal.
#[derive(Args)]
pub struct Arguments {
    /// Where to write them
    out: PathBuf,
    /// The weights
    file: PathBuf,
}

/// Writes the same weights with a checksum.
pub fn run(arguments: &Arguments) -> Result<()> {
    place::check("OUT", &arguments.out)?;
    let name = || arguments.file.display().to_string();
    let sealed = Patterns::seal(&std::fs::read(&arguments.file).with_context(name)?).with_context(name)?;
    place::write(&arguments.out, sealed)
}
