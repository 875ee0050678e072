//! `quintet learn morris`: the weights of the default evaluation, fitted to what came of our own games.
//!
//! Each generation plays with the weights of the one before and is fitted to the results of its games and to what
//! its searches saw.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::ProgressBar;
use morris::features::{COUNT, STAGES, features, stage};
use morris::{Evaluation, Move, Opinions, Position, Rules, Weights, tuning};
use rand::RngExt;
use rayon::prelude::*;
use search::alphabeta::AlphaBeta;
use search::learn::logistic::sigmoid;
use search::learn::selfplay::{opening, random_of_game};
use search::learn::{Logistic, Samples, Taper};
use search::{Control, Game, Info, Limits, Outcome, Root, Score, Search};

/// Of each player of the games learned from, in MiB.
const HASH: usize = 1;
/// Every so many games are kept out of the fit to see how well it predicts.
const KEPT_OUT: usize = 20;

/// How generations play and learn.
#[derive(Args)]
pub struct Arguments {
    /// The weight file to write after every generation
    weights: PathBuf,
    /// Generations of games
    #[arg(long, default_value_t = 3)]
    generations: usize,
    /// Games of each generation
    #[arg(long, default_value_t = 2000)]
    games: usize,
    /// Nodes searched a move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Random plies at the start of a game, at most
    #[arg(long, default_value_t = 10)]
    opening: u32,
    /// The share of the game's result in what is to be predicted; the rest is the value its search saw
    #[arg(long, default_value_t = 0.7)]
    result: f64,
    /// Points at which the odds of winning are e to 1
    #[arg(long, default_value_t = 150.0)]
    scale: f64,
    /// The price of a weight, in samples
    #[arg(long, default_value_t = 20.0)]
    pull: f64,
    /// Where random numbers come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Arguments {
    fn check(&self) -> Result<()> {
        ensure!(self.games > 0 && self.nodes > 0, "there is nothing to learn from without games and nodes");
        ensure!(
            (0.0..=1.0).contains(&self.result),
            "the share of the result is {}, not in 0..=1",
            self.result
        );
        ensure!(self.scale > 0.0 && self.scale.is_finite(), "the scale is {}, not above 0", self.scale);
        ensure!(self.pull >= 0.0 && self.pull.is_finite(), "the price is {}, not at least 0", self.pull);
        Ok(())
    }

    fn header(&self, generation: usize) -> String {
        format!(
            "# Learned by `quintet learn morris --generations {} --games {} --nodes {} --opening {} --result {} \
             --scale {} --pull {} --seed {}`, generation {generation}; quintet {}\n",
            self.generations,
            self.games,
            self.nodes,
            self.opening,
            self.result,
            self.scale,
            self.pull,
            self.seed,
            env!("CARGO_PKG_VERSION"),
        )
    }
}

/// Plays and fits generation after generation.
pub fn run(arguments: &Arguments) -> Result<()> {
    arguments.check()?;
    let mut weights = tuning::hand_set();
    for generation in 1..=arguments.generations {
        let bar = ProgressBar::new(arguments.games as u64);
        let (samples, kept_out) = play(arguments, generation, weights, &bar);
        bar.finish_and_clear();
        let logistic = Logistic { scale: arguments.scale, pull: arguments.pull, ..Logistic::default() };
        let found = logistic.fit(&samples, &numbers(&weights), |_, _| true);
        let loss = logistic.loss(&kept_out, &found);
        weights = rounded(&found);
        fs::write(&arguments.weights, arguments.header(generation) + &weights.to_string())
            .with_context(|| arguments.weights.display().to_string())?;
        bar.println(format!("generation {generation}: {} positions, loss {loss:.4}", samples.len()));
    }
    Ok(())
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

fn empty() -> Samples {
    Samples::new(STAGES.len() * COUNT, Taper::None)
}

/// The positions of a generation's games: those to fit and those to be predicted.
fn play(arguments: &Arguments, generation: usize, weights: Weights, bar: &ProgressBar) -> (Samples, Samples) {
    let first = (generation - 1) * arguments.games;
    let opinions = Opinions { evaluation: Evaluation::Default(weights), ..Opinions::default() };
    let player = || {
        let mut player = AlphaBeta::new(tuning::config(), opinions.clone());
        player.resize(HASH).expect("a small table fits");
        player
    };
    let games: Vec<Samples> = (first..first + arguments.games)
        .into_par_iter()
        .map_init(player, |player, game| {
            bar.inc(1);
            play_game(arguments, player, game)
        })
        .collect();
    let (mut fitted, mut kept_out) = (empty(), empty());
    for (i, game) in games.iter().enumerate() {
        if i % KEPT_OUT == 0 { kept_out.append(game) } else { fitted.append(game) }
    }
    (fitted, kept_out)
}

fn play_game(arguments: &Arguments, player: &mut AlphaBeta<Opinions>, game: usize) -> Samples {
    let mut random = random_of_game(arguments.seed, game);
    let plies = random.random_range(0..=arguments.opening);
    let mut root: Root<Position> = opening(&Rules::STANDARD, plies, &mut random);
    Search::<Position>::forget(player);
    let mut seen = Vec::new();
    let outcome = loop {
        if let Some(outcome) = root.outcome() {
            break outcome;
        }
        let (m, score) = think(player, &root, arguments.nodes);
        // The static value is asked where no mill closes at once and no end is in sight.
        if m.taken == 0 && !score.is_decisive() {
            seen.push((*root.position(), score));
        }
        root.play(m);
    };
    samples(arguments, &seen, &outcome)
}

fn think(player: &mut AlphaBeta<Opinions>, root: &Root<Position>, nodes: u64) -> (Move, Score) {
    let mut score = Score::DRAW;
    let mut note = |info: &Info<Move>| {
        if let Info::Line(line) = info {
            score = line.score;
        }
    };
    let best = player.think(root, &Limits::nodes(nodes), &Control::default(), &mut note);
    (best.best.expect("the game is not over"), score)
}

fn samples(arguments: &Arguments, seen: &[(Position, Score)], outcome: &Outcome) -> Samples {
    let mut samples = empty();
    for (position, score) in seen {
        let result = outcome.winner.map_or(0.5, |winner| if winner == position.turn() { 1.0 } else { 0.0 });
        let chance = sigmoid(f64::from(score.0) / arguments.scale);
        let target = arguments.result * result + (1.0 - arguments.result) * chance;
        let first = (stage(position) as usize * COUNT) as u32;
        let entries = features(position).into_iter().zip(first..).map(|(value, i)| (i, value as f32));
        samples.push(entries, 0.0, target as f32);
    }
    samples
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
    fn parameters_out_of_range_are_refused() {
        assert!(arguments("morris W --result 1.5").check().is_err());
        assert!(arguments("morris W --games 0").check().is_err());
        assert!(arguments("morris W").check().is_ok());
    }
}
