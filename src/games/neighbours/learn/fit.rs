//! `fit`: the engine's own evaluation. Each generation plays with the weights of the one before and is fitted
//! to what came of its games and to what its searches saw.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use neighbours::patterns::{self, COUNT};
use neighbours::{Evaluator, Patterns, Position, Rules, tuning};
use search::alphabeta::AlphaBeta;
use search::learn::{Logistic, Samples, Taper};

use super::checkpoint::hand_set;
use crate::learn::bar;
use crate::learn::generation::{Lesson, Recipe};
use crate::place;

/// How generations play and learn.
#[derive(Args)]
pub struct Arguments {
    /// The weight file to write after every generation
    weights: PathBuf,
    /// What the first generation plays with: a weight file, an evaluation of the engine, or hand-set weights such
    /// as hand-set1
    #[arg(long, default_value = "set2")]
    start: String,
    /// Generations of games
    #[arg(long, default_value_t = 4)]
    generations: usize,
    /// Games per generation
    #[arg(long, default_value_t = 4000)]
    games: usize,
    /// Nodes searched per move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Most random plies at the start of a game
    #[arg(long, default_value_t = 10)]
    opening: u32,
    /// The share of the game's result in the target; the rest is the search's score
    #[arg(long, default_value_t = 0.5)]
    result: f64,
    /// Points at which the odds of winning are e to 1
    #[arg(long, default_value_t = 150.0)]
    scale: f64,
    /// The price of a weight's size, in samples
    #[arg(long, default_value_t = 3.0)]
    pull: f64,
    /// Games at once [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Arguments {
    fn recipe(&self) -> Recipe {
        let &Arguments { games, nodes, opening, result, scale, pull, seed, .. } = self;
        Recipe { games, nodes, opening, result, scale, pull, seed }
    }

    fn first(&self) -> Result<Evaluator> {
        let path = Path::new(&self.start);
        if let Some(weights) = hand_set(&self.start) {
            return Ok(Evaluator::new(weights));
        }
        if !path.exists() {
            return tuning::evaluator(&self.start)
                .with_context(|| format!("no such evaluation: '{}'", self.start));
        }
        let text = fs::read_to_string(path).with_context(|| self.start.clone())?;
        Evaluator::read(&text).with_context(|| self.start.clone())
    }

    fn header(&self, generation: usize) -> String {
        format!(
            "# Learned by `quintet learn neighbours fit --start {} --generations {} {}`, generation {generation}; \
             quintet {}\n",
            self.start,
            self.generations,
            self.recipe(),
            env!("CARGO_PKG_VERSION"),
        )
    }
}

/// Plays and fits generation after generation.
pub fn run(arguments: &Arguments) -> Result<()> {
    let recipe = arguments.recipe();
    recipe.check()?;
    place::check("WEIGHTS", &arguments.weights)?;
    let lesson = Lesson {
        rules: Rules::default(),
        empty,
        is_quiet: |position: &Position, m| !position.is_capture(m),
        add,
    };
    let mut evaluator = arguments.first()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build()?;
    let mut before = empty();
    for generation in 1..=arguments.generations {
        let bar = bar(arguments.games as u64);
        bar.set_message(format!("generation {generation}"));
        let player = || AlphaBeta::new(tuning::config(), evaluator.clone());
        let (fresh, kept_out) = pool.install(|| recipe.play(generation, &lesson, player, &bar));
        let mut samples = fresh.clone();
        samples.append(&before);
        let (weights, loss) = pool.install(|| fit(&recipe.logistic(), &samples, &kept_out));
        let patterns = Patterns::new(&weights).context("a weight does not fit into 16 bits")?;
        fs::write(&arguments.weights, arguments.header(generation) + &patterns.to_string())
            .with_context(|| arguments.weights.display().to_string())?;
        bar.abandon_with_message(format!(
            "generation {generation}: {} positions, loss {loss:.4}",
            samples.len()
        ));
        evaluator = Evaluator::patterns(patterns);
        before = fresh;
    }
    Ok(())
}

fn empty() -> Samples {
    Samples::new(COUNT, Taper::TwoEnds)
}

fn add(samples: &mut Samples, position: &Position, target: f32) {
    let mut entries = Vec::new();
    patterns::visit(position, |index, value| entries.push((index as u32, value as f32)));
    samples.push(entries, patterns::phase(position), target);
}

/// The weights, and the loss of the games kept out.
fn fit(logistic: &Logistic, samples: &Samples, kept_out: &Samples) -> (Vec<f64>, f64) {
    let weights = logistic.fit(samples, &vec![0.0; samples.weights()], |_, _| true);
    let loss = logistic.loss(kept_out, &weights);
    (weights, loss)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn arguments(words: &str) -> Arguments {
        Line::parse_from(words.split_whitespace()).arguments
    }

    #[test]
    fn generations_are_the_same_for_any_number_of_threads() {
        let folder = tempfile::tempdir().unwrap();
        let learned = |threads: usize| {
            let file = folder.path().join(format!("{threads}.txt"));
            let words = "fit W --generations 2 --games 40 --nodes 200 --threads";
            let mut arguments = arguments(&format!("{words} {threads}"));
            arguments.weights = file.clone();
            run(&arguments).unwrap();
            Patterns::read_file(&fs::read_to_string(file).unwrap()).unwrap()
        };
        assert!(learned(1) == learned(2));
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        assert!(arguments("fit W --result 1.5").recipe().check().is_err());
        assert!(arguments("fit W --games 0").recipe().check().is_err());
        assert!(arguments("fit W --scale 0").recipe().check().is_err());
        assert!(arguments("fit W").recipe().check().is_ok());
    }
}
