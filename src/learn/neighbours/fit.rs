//! `fit`: the engine's own evaluation. Each generation plays with the weights of the one before and is fitted
//! to what came of its games and to what its searches saw.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::ProgressBar;
use neighbours::patterns::{self, COUNT};
use neighbours::{Linear, Move, Patterns, Position, Rules, tuning};
use rand::RngExt;
use rayon::prelude::*;
use search::alphabeta::AlphaBeta;
use search::learn::logistic::sigmoid;
use search::learn::selfplay::{opening, random_of_game};
use search::learn::{Logistic, Samples, Taper};
use search::{Control, Game, Info, Limits, Outcome, Root, Score, Search};

use super::checkpoint::hand_set;
use crate::learn::bar;

/// Of each player of the games learned from, in MiB.
const HASH: usize = 1;
/// Every so many games are kept out of the fit to see how well it predicts.
const KEPT_OUT: usize = 20;

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
    /// Games of each generation
    #[arg(long, default_value_t = 4000)]
    games: usize,
    /// Nodes searched a move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Random plies at the start of a game, at most
    #[arg(long, default_value_t = 10)]
    opening: u32,
    /// The share of the game's result in what is to be predicted; the rest is the value its search saw
    #[arg(long, default_value_t = 0.5)]
    result: f64,
    /// Points at which the odds of winning are e to 1
    #[arg(long, default_value_t = 150.0)]
    scale: f64,
    /// The price of a weight, in samples
    #[arg(long, default_value_t = 3.0)]
    pull: f64,
    /// Games played at the same time [default: one a core]
    #[arg(long, default_value_t = 0)]
    threads: usize,
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

    fn first(&self) -> Result<Linear> {
        let path = Path::new(&self.start);
        if let Some(weights) = hand_set(&self.start) {
            return Ok(Linear::new(weights));
        }
        if !path.exists() {
            return tuning::evaluation(&self.start)
                .with_context(|| format!("no evaluation is '{}'", self.start));
        }
        let text = fs::read_to_string(path).with_context(|| self.start.clone())?;
        Linear::read(&text).with_context(|| self.start.clone())
    }

    fn header(&self, generation: usize) -> String {
        format!(
            "# Learned by `quintet learn neighbours fit --start {} --generations {} --games {} --nodes {} \
             --opening {} --result {} --scale {} --pull {} --seed {}`, generation {generation}; quintet {}\n",
            self.start,
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
    let mut evaluation = arguments.first()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build()?;
    let mut before = empty();
    for generation in 1..=arguments.generations {
        let bar = bar(arguments.games as u64);
        bar.set_message(format!("generation {generation}"));
        let (fresh, kept_out) = pool.install(|| play(arguments, generation, &evaluation, &bar));
        let mut samples = fresh.clone();
        samples.append(&before);
        let (weights, loss) = pool.install(|| fit(arguments, &samples, &kept_out));
        let patterns = Patterns::new(&weights).context("a weight does not fit 16 bits")?;
        fs::write(&arguments.weights, arguments.header(generation) + &patterns.to_string())
            .with_context(|| arguments.weights.display().to_string())?;
        bar.abandon_with_message(format!(
            "generation {generation}: {} positions, loss {loss:.4}",
            samples.len()
        ));
        evaluation = Linear::patterns(patterns);
        before = fresh;
    }
    Ok(())
}

fn empty() -> Samples {
    Samples::new(COUNT, Taper::TwoEnds)
}

/// The weights, and the loss of the games kept out.
fn fit(arguments: &Arguments, samples: &Samples, kept_out: &Samples) -> (Vec<f64>, f64) {
    let logistic = Logistic { scale: arguments.scale, pull: arguments.pull, ..Logistic::default() };
    let weights = logistic.fit(samples, &vec![0.0; samples.weights()], |_, _| true);
    let loss = logistic.loss(kept_out, &weights);
    (weights, loss)
}

/// The positions of a generation's games: those to fit and those to be predicted.
fn play(
    arguments: &Arguments,
    generation: usize,
    evaluation: &Linear,
    bar: &ProgressBar,
) -> (Samples, Samples) {
    let first = (generation - 1) * arguments.games;
    let player = || {
        let mut player = AlphaBeta::new(tuning::config(), evaluation.clone());
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

/// A position worth learning from, and what the search thought of it.
struct Seen {
    position: Position,
    score: Score,
}

fn play_game(arguments: &Arguments, player: &mut AlphaBeta<Linear>, game: usize) -> Samples {
    let mut random = random_of_game(arguments.seed, game);
    let plies = random.random_range(0..=arguments.opening);
    let mut root = opening(&Rules::default(), plies, &mut random);
    Search::<Position>::forget(player);
    let mut seen = Vec::new();
    let outcome = loop {
        if let Some(outcome) = root.outcome() {
            break outcome;
        }
        let (m, score) = think(player, &root, arguments.nodes);
        // The static value is asked where nothing is taken at once and no end is in sight.
        let position = *root.position();
        if !position.is_capture(m) && !score.is_decisive() {
            seen.push(Seen { position, score });
        }
        root.play(m);
    };
    samples(arguments, &seen, &outcome)
}

fn think(player: &mut AlphaBeta<Linear>, root: &Root<Position>, nodes: u64) -> (Move, Score) {
    let mut score = Score::DRAW;
    let mut note = |info: &Info<Move>| {
        if let Info::Line(line) = info {
            score = line.score;
        }
    };
    let best = player.think(root, &Limits::nodes(nodes), &Control::new(false), &mut note);
    (best.best.expect("the game is not over"), score)
}

fn samples(arguments: &Arguments, seen: &[Seen], outcome: &Outcome) -> Samples {
    let mut samples = empty();
    for Seen { position, score } in seen {
        let result = outcome.winner.map_or(0.5, |winner| if winner == position.turn() { 1.0 } else { 0.0 });
        let chance = sigmoid(f64::from(score.0) / arguments.scale);
        let target = arguments.result * result + (1.0 - arguments.result) * chance;
        let mut entries = Vec::new();
        patterns::visit(position, |index, value| entries.push((index as u32, value as f32)));
        samples.push(entries, patterns::phase(position), target as f32);
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
        assert!(arguments("fit W --result 1.5").check().is_err());
        assert!(arguments("fit W --games 0").check().is_err());
        assert!(arguments("fit W --scale 0").check().is_err());
        assert!(arguments("fit W").check().is_ok());
    }
}
