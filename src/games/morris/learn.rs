//! `quintet learn morris`: the weights of the default evaluation, fitted to what came of our own games.
//!
//! Each generation plays with the weights of the one before and is fitted to the results of its games and to what
//! its searches saw.

use anyhow::Result;
use clap::{Args, Command, FromArgMatches};
use morris::features::{COUNT, STAGES, features, stage};
use morris::{Evaluation, Evaluator, Morris, Move, Position, Rules, Weights, tuning};
use search::Search;
use search::learn::games::Style;
use search::learn::{Samples, Taper};

use crate::learn::games::Author;
use crate::learn::generation::{Fitted, Lesson, Recipe};
use crate::learn::{Learn, Own, Shared};
use crate::place;

/// What `quintet learn` knows of the game.
pub(super) const LEARN: Learn = Learn {
    about: "The default evaluation of nine men's morris",
    own: Some(Own { arguments, run: |matches| run(&Recipe::from_arg_matches(matches)?) }),
    shared: Some(Shared::of::<Morris>()),
};

impl Author for Morris {
    const STYLE: Style = tuning::GAMES;

    fn alone() -> Morris {
        Morris::alone()
    }

    fn player(&mut self) -> &mut dyn Search<Position> {
        self
    }
}

fn arguments(command: Command) -> Command {
    let generations = "Generations of games; 0 writes the hand-set weights that the first one plays with";
    Recipe::augment_args(command)
        .mut_arg("generations", |arg| arg.default_value("3").help(generations))
        .mut_arg("games", |arg| arg.default_value("2000"))
        .mut_arg("result", |arg| arg.default_value("0.7"))
        .mut_arg("pull", |arg| arg.default_value("20"))
}

/// Plays and fits generation after generation.
fn run(recipe: &Recipe) -> Result<()> {
    recipe.check()?;
    let lesson = Lesson {
        rules: Rules::STANDARD,
        empty: || Samples::new(STAGES.len() * COUNT, Taper::None),
        is_quiet: |_, m: Move| m.taken == 0,
        add,
    };
    let mut weights = tuning::hand_set();
    if recipe.generations == 0 {
        return place::write(&recipe.weights, format!("# Set by hand\n{weights}"));
    }
    recipe.learn("morris", &lesson, &tuning::config(), evaluator(weights), |logistic, samples| {
        let found = logistic.fit(&samples, &numbers(&weights));
        weights = rounded(&found);
        let (positions, text) = (samples.len(), weights.to_string());
        Ok(Fitted { weights: found, positions, text, evaluation: evaluator(weights) })
    })
}

fn evaluator(weights: Weights) -> Evaluator {
    Evaluator { evaluation: Evaluation::Default(weights), ..Evaluator::default() }
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
    use std::fs;

    use super::*;

    fn recipe(words: &str) -> Recipe {
        let command = arguments(Command::new("morris"));
        Recipe::from_arg_matches(&command.get_matches_from(words.split_whitespace())).unwrap()
    }

    #[test]
    fn a_generation_is_repeatable_and_learns_that_men_count() {
        let folder = tempfile::tempdir().unwrap();
        let learned = |name: &str| {
            let mut recipe = recipe("morris W --generations 1 --games 30 --nodes 200");
            recipe.weights = folder.path().join(name);
            run(&recipe).unwrap();
            Weights::read(&fs::read_to_string(&recipe.weights).unwrap()).unwrap()
        };
        let weights = learned("first");
        assert_eq!(weights, learned("second"));
        assert!(weights.values.iter().all(|stage| stage[0] > 0), "{weights}");
    }

    #[test]
    fn no_generation_writes_the_weights_that_learning_starts_from() {
        let folder = tempfile::tempdir().unwrap();
        let mut recipe = recipe("morris W --generations 0");
        recipe.weights = folder.path().join("hand");
        run(&recipe).unwrap();
        let text = fs::read_to_string(&recipe.weights).unwrap();
        assert_eq!(Weights::read(&text).unwrap(), tuning::hand_set());
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        assert!(recipe("morris W --result 1.5").check().is_err());
        assert!(recipe("morris W --games 0").check().is_err());
        assert!(recipe("morris W").check().is_ok());
    }
}
