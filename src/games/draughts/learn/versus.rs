//! `match`: two evaluations against each other, repeatable when limited by nodes or depth.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;
use draughts::{Draughts, Rules};
use search::learn::Duel;
use search::{Engine, Limits};

use crate::learn::bar;

/// Who plays, and how.
#[derive(Args)]
pub struct Arguments {
    /// Options of the first player such as "Preset=default" or "Weights File=new.bin", separated by semicolons
    first: String,
    /// Those of its opponent: "Preset=Little Polish"
    second: String,
    /// Games, two from each opening
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Plies searched per move
    #[arg(long, group = "limit", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes searched per move [default: 10000]
    #[arg(long, group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds per move
    #[arg(long, group = "limit")]
    seconds: Option<f64>,
    /// Random plies before the players take over
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(..=100))]
    opening: u32,
    /// Games at once [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Arguments {
    fn limits(&self) -> Result<Limits> {
        Ok(match (self.depth, self.seconds) {
            (Some(depth), _) => Limits::depth(depth),
            (_, Some(seconds)) => {
                ensure!(seconds > 0.0 && seconds < 1e6, "cannot play at {seconds} seconds per move");
                Limits::move_time(Duration::from_secs_f64(seconds))
            }
            _ => Limits::nodes(self.nodes.unwrap_or(10_000)),
        })
    }
}

/// Plays the match and prints its result.
pub fn run(arguments: &Arguments) -> Result<()> {
    ensure!(arguments.games > 0, "a match needs at least one game");
    // Both must be able to play before the match begins.
    player(&arguments.first)?;
    player(&arguments.second)?;
    let limits = arguments.limits()?;
    let pairs = arguments.games.div_ceil(2);
    let duel =
        Duel { pairs, opening: arguments.opening, limits: [limits.clone(), limits], seed: arguments.seed };
    let bar = bar(2 * pairs as u64);
    let players = || {
        let ready = |options: &str| player(options).expect("the options were accepted before");
        (ready(&arguments.first), ready(&arguments.second))
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build()?;
    let tally = pool.install(|| duel.play(&Rules::default(), players, || bar.inc(2)));
    bar.finish_and_clear();
    writeln!(io::stdout(), "{} against {}: {tally}", arguments.first, arguments.second)?;
    Ok(())
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
