//! `match`: two evaluations against each other.

use anyhow::Result;
use clap::Args;
use draughts::{Draughts, Rules};
use search::Engine;
use search::learn::Results;

use crate::learn::versus::Versus;
use crate::misuse::Asked;

/// Who plays, and how.
#[derive(Args)]
#[command(mut_arg("games", |arg| arg.default_value("400")))]
pub struct Arguments {
    /// Options of the first player such as "Preset=default" or "Weights File=new.bin", separated by semicolons
    first: String,
    /// Those of its opponent: "Preset=Little Polish"
    second: String,
    #[command(flatten)]
    versus: Versus,
}

/// Plays the match and prints its result.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { first, second, versus } = arguments;
    // Both must be able to play before the match begins.
    player(first).asked()?;
    player(second).asked()?;
    let ready = |options: &str| player(options).expect("the options were accepted before");
    let players = || (ready(first), ready(second));
    versus.play([first, second], &Rules::default(), players, Results::new(), |_, _| {})
}

/// An engine with options set one after the other.
fn player(options: &str) -> Result<Draughts> {
    let mut player = Draughts::new();
    for option in options.split(';').filter(|option| !option.trim().is_empty()) {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        player.set(name.trim(), value.trim())?;
    }
    Ok(player)
}
