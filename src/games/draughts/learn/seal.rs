//! `seal`: weights that were written before their files had a checksum.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use draughts::Patterns;

use crate::misuse::Asked;
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
    let file = std::fs::read(&arguments.file).with_context(name).asked()?;
    let sealed = Patterns::seal(&file).with_context(name).asked()?;
    place::write(&arguments.out, sealed)
}
