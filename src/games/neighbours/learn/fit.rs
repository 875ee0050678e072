//! `fit`: the engine's own evaluation. Each generation plays with the weights of the one before and is fitted
//! to what came of its games and to what its searches saw.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap::Args;
use neighbours::patterns::{self, COUNT};
use neighbours::{Evaluator, Patterns, Position, Rules, tuning};
use search::learn::{Samples, Taper};

use super::checkpoint::hand_set;
use crate::learn::generation::{Fitted, Lesson, Recipe};
use crate::misuse::Asked;

/// How generations play and learn.
#[derive(Args)]
pub struct Arguments {
    /// What the first generation plays with: a weight file, an evaluation of the engine, or hand-set weights such
    /// as hand-set1
    #[arg(long, default_value = "set2")]
    start: String,
    #[command(flatten)]
    recipe: Recipe,
}

impl Arguments {
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
}

/// Plays and fits generation after generation.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { start, recipe } = arguments;
    recipe.check()?;
    let lesson = Lesson {
        rules: Rules::default(),
        empty,
        is_quiet: |position: &Position, m| !position.is_capture(m),
        add,
    };
    let (command, first) = (format!("neighbours fit --start {start}"), arguments.first().asked()?);
    let mut before = empty();
    recipe.learn(&command, &lesson, &tuning::config(), first, |logistic, fresh| {
        let mut samples = fresh.clone();
        samples.append(&before);
        before = fresh;
        let weights = logistic.fit(&samples, &vec![0.0; samples.weights()]);
        let patterns = Patterns::new(&weights).context("a weight does not fit into 16 bits")?;
        let (positions, text) = (samples.len(), patterns.to_string());
        Ok(Fitted { weights, positions, text, evaluation: Evaluator::patterns(patterns) })
    })
}

fn empty() -> Samples {
    Samples::new(COUNT, Taper::TwoEnds)
}

fn add(samples: &mut Samples, position: &Position, target: f32) {
    let mut entries = Vec::new();
    patterns::visit(position, |index, value| entries.push((index as u32, value as f32)));
    samples.push(entries, patterns::phase(position), target);
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
            arguments.recipe.weights = file.clone();
            run(&arguments).unwrap();
            Patterns::read_file(&fs::read_to_string(file).unwrap()).unwrap()
        };
        assert!(learned(1) == learned(2));
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        assert!(arguments("fit W --result 1.5").recipe.check().is_err());
        assert!(arguments("fit W --games 0").recipe.check().is_err());
        assert!(arguments("fit W --scale 0").recipe.check().is_err());
        assert!(arguments("fit W").recipe.check().is_ok());
    }
}
