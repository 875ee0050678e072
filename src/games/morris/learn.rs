//! `quintet learn morris`: the weights of the default evaluation, fitted to what came of our own games.
//!
//! Each generation plays with the weights of the one before and is fitted to the results of its games and to what
//! its searches saw.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, FromArgMatches};
use morris::features::{COUNT, STAGES, features, stage};
use morris::{Evaluation, Evaluator, Move, Position, Rules, Weights, tuning};
use search::alphabeta::AlphaBeta;
use search::learn::{Samples, Taper};

use crate::learn::generation::{Lesson, Recipe};
use crate::learn::{Learn, bar};
use crate::place;

/// What `quintet learn` knows of the game.
pub(super) const LEARN: Learn = Learn {
    about: "The default evaluation of nine men's morris",
    arguments: Arguments::augment_args,
    run: |matches| run(&Arguments::from_arg_matches(matches)?),
};

/// How generations play and learn.
#[derive(Args)]
pub struct Arguments {
    /// The weight file to write after every generation
    weights: PathBuf,
    /// Generations of games; 0 writes the hand-set weights that the first one plays with
    #[arg(long, default_value_t = 3)]
    generations: usize,
    /// Games per generation
    #[arg(long, default_value_t = 2000)]
    games: usize,
    /// Nodes searched per move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Most random plies at the start of a game
    #[arg(long, default_value_t = 10)]
    opening: u32,
    /// The share of the game's result in the target; the rest is the search's score
    #[arg(long, default_value_t = 0.7)]
    result: f64,
    /// Points at which the odds of winning are e to 1
    #[arg(long, default_value_t = 150.0)]
    scale: f64,
    /// The price of a weight's size, in samples
    #[arg(long, default_value_t = 20.0)]
    pull: f64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Arguments {
    fn recipe(&self) -> Recipe {
        let &Arguments { games, nodes, opening, result, scale, pull, seed, .. } = self;
        Recipe { games, nodes, opening, result, scale, pull, seed }
    }

    fn header(&self, generation: usize) -> String {
        format!(
            "# Learned by `quintet learn morris --generations {} {}`, generation {generation}; quintet {}\n",
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
        rules: Rules::STANDARD,
        empty: || Samples::new(STAGES.len() * COUNT, Taper::None),
        is_quiet: |_, m: Move| m.taken == 0,
        add,
    };
    let mut weights = tuning::hand_set();
    if arguments.generations == 0 {
        return write(&arguments.weights, &format!("# Set by hand\n{weights}"));
    }
    for generation in 1..=arguments.generations {
        let bar = bar(arguments.games as u64);
        bar.set_message(format!("generation {generation}"));
        let evaluator = Evaluator { evaluation: Evaluation::Default(weights), ..Evaluator::default() };
        let player = || AlphaBeta::new(tuning::config(), evaluator.clone());
        let (samples, kept_out) = recipe.play(generation, &lesson, player, &bar);
        let logistic = recipe.logistic();
        let found = logistic.fit(&samples, &numbers(&weights), |_, _| true);
        let loss = logistic.loss(&kept_out, &found);
        weights = rounded(&found);
        write(&arguments.weights, &format!("{}{weights}", arguments.header(generation)))?;
        bar.abandon_with_message(format!(
            "generation {generation}: {} positions, loss {loss:.4}",
            samples.len()
        ));
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| path.display().to_string())
}

fn numbers(weights: &Weights) -> Vec<f64> {
    weights.values.iter().flatten().map(|&weight| f64::from(weight)).collect()
}

/// Whole points, in the unit of the evaluation: a man in the moving stage is worth a hundred.
fn rounded(found: &[f64]) -> Weights {
    let mut weights = tuning::hand_set();
    for (i, weight) in found.iter().enumerate() {
        weights.values[i / COUNT][i % COUNT] = weight.round().clamp(-500.0, 500.0) as i32;
    }
    weights
}

fn add(samples: &mut Samples, position: &Position, target: f32) {
    let first = (stage(position) as usize * COUNT) as u32;
    let entries = features(position).into_iter().zip(first..).map(|(value, i)| (i, value as f32));
    samples.push(entries, 0.0, target);
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
    fn a_generation_is_repeatable_and_learns_that_men_count() {
        let folder = tempfile::tempdir().unwrap();
        let learned = |name: &str| {
            let mut arguments = arguments("morris W --generations 1 --games 30 --nodes 200");
            arguments.weights = folder.path().join(name);
            run(&arguments).unwrap();
            Weights::read(&fs::read_to_string(&arguments.weights).unwrap()).unwrap()
        };
        let weights = learned("first");
        assert_eq!(weights, learned("second"));
        assert!(weights.values.iter().all(|stage| stage[0] > 0), "{weights}");
    }

    #[test]
    fn no_generation_writes_the_weights_that_learning_starts_from() {
        let folder = tempfile::tempdir().unwrap();
        let mut arguments = arguments("morris W --generations 0");
        arguments.weights = folder.path().join("hand");
        run(&arguments).unwrap();
        let text = fs::read_to_string(&arguments.weights).unwrap();
        assert_eq!(Weights::read(&text).unwrap(), tuning::hand_set());
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        assert!(arguments("morris W --result 1.5").recipe().check().is_err());
        assert!(arguments("morris W --games 0").recipe().check().is_err());
        assert!(arguments("morris W").recipe().check().is_ok());
    }
}
