//! `train`: rounds of self-play, each by the weights that explain all rounds before it; `fit`: one such
//! explanation of games that were played before.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use draughts::Patterns;
use draughts::eval::features::{PATTERNS, TERMS, WEIGHTS};
use search::learn::{Logistic, Samples, Taper};

use super::games::{self, SCALE};
use crate::learn::games::read;
use crate::learn::series;
use crate::misuse::{Asked, ask};
use crate::place;
use crate::progress::{Progress, say};

/// How many samples speak for a weight staying where it begins.
const PULL: f64 = 3.0;
const PASSES: usize = 80;
/// Where fitting begins: a man 100, a king 300, and nothing else.
pub const MEN: [usize; 3] = [0, 1, 2];
pub const KINGS: [usize; 2] = [3, 4];

/// How a training is set up.
#[derive(Args)]
pub struct Arguments {
    /// Where to write the weights after every round
    out: PathBuf,
    /// Rounds; the first is played by material alone
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Games per round
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes searched per move
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

/// Trains and writes the weights.
pub fn run(arguments: &Arguments) -> Result<()> {
    place::check("OUT", &arguments.out)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build()?;
    pool.install(|| train(arguments))
}

fn train(arguments: &Arguments) -> Result<()> {
    let mut samples = Samples::new(WEIGHTS, Taper::TwoEnds);
    let mut weights: Option<Patterns> = None;
    for round in 0..arguments.rounds {
        let first = (arguments.seed.wrapping_mul(1000) + round) << 32;
        let progress = Progress::new(arguments.games, "games", 0);
        let seeds = first..first + arguments.games;
        let played = games::play(seeds, arguments.nodes, weights.as_ref(), || progress.inc(1));
        samples.append(&games::samples(&played, 0.0));
        progress.finish();
        let (learned, loss) = fit(&samples);
        let found = Patterns::new(&learned, &remark(arguments, round + 1));
        place::write(&arguments.out, found.write())?;
        weights = Some(found);
        say(&format!("round {}: {} positions, loss {loss:.5}\n", round + 1, samples.len()))?;
    }
    Ok(())
}

/// What is fitted, and how.
#[derive(Args)]
pub struct Fit {
    /// Where to write the weights
    out: PathBuf,
    /// Files of games, as `games` writes them
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Where targets lie between the game's result (0) and the player's own value (1)
    #[arg(long, default_value_t = 0.5)]
    share: f32,
}

/// Fits weights to games and writes them.
pub fn run_fit(arguments: &Fit) -> Result<()> {
    let share = arguments.share;
    ask!((0.0..=1.0).contains(&share), "a share of {share} is not between 0 and 1");
    place::check("OUT", &arguments.out)?;
    let (games, origins) = read(&arguments.games).asked()?;
    let samples = games::samples(&games, share);
    let (learned, loss) = fit(&samples);
    let (names, version) = (series::names(&arguments.games), env!("CARGO_PKG_VERSION"));
    let remark = format!(
        "quintet learn draughts fit {names} --share {share}; version {version}; {}",
        origins.trim_end().replace('\n', "; ")
    );
    place::write(&arguments.out, Patterns::new(&learned, &remark).write())?;
    say(&format!("{} games, {} positions, loss {loss:.5}\n", games.len(), samples.len()))
}

/// The weights in hundredths of a man, opening first, and their mean loss.
pub fn fit(samples: &Samples) -> (Vec<f32>, f64) {
    let logistic = Logistic { scale: SCALE, pull: PULL, passes: PASSES, ..Logistic::default() };
    let found = logistic.fit(samples, &start());
    let loss = logistic.loss(samples, &found);
    (found.into_iter().map(|weight| weight as f32).collect(), loss)
}

fn start() -> Vec<f64> {
    let mut one = vec![0.0; WEIGHTS];
    debug_assert_eq!(one.len(), PATTERNS + TERMS.len());
    MEN.iter().for_each(|&term| one[PATTERNS + term] = 100.0);
    KINGS.iter().for_each(|&term| one[PATTERNS + term] = 300.0);
    one.repeat(2)
}

/// What the file says about its origin.
fn remark(arguments: &Arguments, rounds: u64) -> String {
    format!(
        "quintet learn draughts train --rounds {rounds} --games {} --nodes {} --seed {}; version {}",
        arguments.games,
        arguments.nodes,
        arguments.seed,
        env!("CARGO_PKG_VERSION")
    )
}
