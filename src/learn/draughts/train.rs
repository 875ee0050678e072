//! `train`: rounds of self-play, each by the weights that explain all rounds before it.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use draughts::Patterns;
use draughts::eval::features::{PATTERNS, TERMS, WEIGHTS};
use search::learn::{Logistic, Samples, Taper};

use super::games::{self, Series};
use crate::learn::bar;

/// Points of value, in hundredths of a man, at which the odds of winning are e to 1.
const SCALE: f64 = 100.0;
/// How many samples speak for a weight staying where it begins.
const PULL: f64 = 3.0;
const PASSES: usize = 80;
/// Where fitting begins: a man 100, a king 300, and nothing else.
const MEN: [usize; 3] = [0, 1, 2];
const KINGS: [usize; 2] = [3, 4];

/// How a training is set up.
#[derive(Args)]
pub struct Arguments {
    /// Where the weights are written after every round
    out: PathBuf,
    /// Rounds; the first is played by material alone
    #[arg(long, default_value_t = 4)]
    rounds: u64,
    /// Games a round
    #[arg(long, default_value_t = 5000)]
    games: u64,
    /// Nodes searched a move
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// Where all random numbers come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at the same time [default: one a core]
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

/// Trains and writes the weights.
pub fn run(arguments: &Arguments) -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build()?;
    pool.install(|| train(arguments))
}

fn train(arguments: &Arguments) -> Result<()> {
    let mut samples = Samples::new(WEIGHTS, Taper::TwoEnds);
    let mut weights: Option<Patterns> = None;
    for round in 0..arguments.rounds {
        let seed = arguments.seed.wrapping_mul(1000) + round;
        let series = Series { games: arguments.games, nodes: arguments.nodes, seed };
        let bar = bar(series.games);
        samples.append(&games::play(&series, weights.as_ref(), || bar.inc(1)));
        bar.finish_and_clear();
        let (learned, loss) = fit(&samples);
        let found = Patterns::new(&learned, &remark(arguments, round + 1));
        std::fs::write(&arguments.out, found.write())
            .with_context(|| format!("cannot write {}", arguments.out.display()))?;
        weights = Some(found);
        writeln!(io::stdout(), "round {}: {} positions, loss {loss:.5}", round + 1, samples.len())?;
    }
    Ok(())
}

/// The weights in hundredths of a man, opening first, and their mean loss.
fn fit(samples: &Samples) -> (Vec<f32>, f64) {
    let logistic = Logistic { scale: SCALE, pull: PULL, passes: PASSES, ..Logistic::default() };
    let found = logistic.fit(samples, &start(), |_, _| true);
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
