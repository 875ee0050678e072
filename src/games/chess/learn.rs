//! `quintet learn chess`: games of the engine against itself, and the numbers that explain their results.

use std::fs;
use std::path::{Path, PathBuf};

use ::chess::eval::terms::Weights;
use ::chess::learn::{Curve, Example, Fit, Games, examples};
use ::chess::{Position, Rules, tuning};
use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, FromArgMatches, Subcommand, ValueEnum};
use search::Game;

use crate::learn::Learn;
use crate::learn::series::{self, Series, names};
use crate::place;

/// What `quintet learn` knows of the game.
pub(super) const LEARN: Learn = Learn {
    about: "The evaluation of chess",
    arguments: Task::augment_subcommands,
    run: |matches| run(Task::from_arg_matches(matches)?),
};

/// What can be done about the numbers of chess.
#[derive(Subcommand)]
pub enum Task {
    /// Play games against itself and write them to a file
    Games(Generate),
    /// Fit weights to the quiet positions of games
    Fit(FitArguments),
    /// Learn what a score says about the result
    Chances(ChancesArguments),
}

/// Which games to play.
#[derive(Args)]
pub struct Generate {
    /// Nodes per move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// What the engine plays with: `shipped`, the guess that a fit starts from (`prior`), or a file of weights
    #[arg(long, default_value = "shipped")]
    weights: String,
    #[command(flatten)]
    series: Series,
}

/// Which numbers to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// The engine's own evaluation
    Default,
    /// The tables of Kushnir's payoff function
    Thesis,
}

/// What to fit.
#[derive(Args)]
pub struct FitArguments {
    /// Files of games, as `games` writes them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the weights
    #[arg(long)]
    out: PathBuf,
    /// The evaluation they are for
    #[arg(long, value_enum, default_value = "default")]
    evaluation: Kind,
    /// Most passes over the positions
    #[arg(long, default_value_t = 200)]
    passes: usize,
    /// The price of moving a weight, as the number of positions that would vote for its start
    #[arg(long, default_value_t = 30.0)]
    pull: f64,
    /// The share of the game's result in the target; the rest is the search's score
    #[arg(long, default_value_t = 0.5)]
    result: f64,
}

/// Where chances are learned from.
#[derive(Args)]
pub struct ChancesArguments {
    /// Files of games, as `games` writes them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the two numbers of the curve
    #[arg(long)]
    out: PathBuf,
}

/// Does what the command line asks for.
pub fn run(task: Task) -> Result<()> {
    match task {
        Task::Games(arguments) => generate(&arguments),
        Task::Fit(arguments) => fit(&arguments),
        Task::Chances(arguments) => chances(&arguments),
    }
}

fn generate(arguments: &Generate) -> Result<()> {
    let Generate { nodes, weights, series } = arguments;
    ensure!(*nodes > 0, "--nodes 0: a move needs at least one node");
    let found = read_weights(weights)?;
    let player = || Games::new(found.clone(), *nodes);
    series.play(&format!("learn chess games --nodes {nodes} --weights {weights}"), player, Games::play)
}

fn read_weights(name: &str) -> Result<Weights> {
    Ok(match name {
        "shipped" => tuning::weights(),
        "prior" => tuning::prior(),
        file => {
            let text = fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
            Weights::read(&text).map_err(|error| anyhow!("{file}: {error}"))?
        }
    })
}

/// The quiet positions of all games.
fn read_examples(files: &[PathBuf]) -> Result<Vec<Example>> {
    let (games, _) = series::read(files, |_| Some(Position::start(&Rules::default())))?;
    let found: Vec<Example> = games.iter().flat_map(examples).collect();
    ensure!(!found.is_empty(), "{}: no positions to learn from", names(files));
    Ok(found)
}

#[allow(clippy::print_stdout)]
fn fit(arguments: &FitArguments) -> Result<()> {
    ensure!((0.0..=1.0).contains(&arguments.result), "--result {} is not in 0..=1", arguments.result);
    ensure!(arguments.pull >= 0.0, "--pull {} is below 0", arguments.pull);
    place::check("--out", &arguments.out)?;
    let records = read_examples(&arguments.files)?;
    let fit = Fit { passes: arguments.passes, pull: arguments.pull, result: arguments.result };
    let (text, scale, [before, after]) = match arguments.evaluation {
        Kind::Default => {
            let found = fit.full(&records, &tuning::prior());
            (found.weights.write(), found.scale, found.losses)
        }
        Kind::Thesis => {
            let found = fit.thesis(&records, &tuning::prior_thesis());
            (found.weights.write(), found.scale, found.losses)
        }
    };
    let evaluation = if arguments.evaluation == Kind::Default { "" } else { " --evaluation thesis" };
    let command = format!(
        "fit {}{evaluation} --passes {} --pull {} --result {}",
        names(&arguments.files),
        arguments.passes,
        arguments.pull,
        arguments.result
    );
    let said = format!("scale {scale:.1}, loss on held-out positions {before:.5} before, {after:.5} after");
    println!("{} positions, {said}", records.len());
    write(&arguments.out, &command, &format!("{} positions, {said}", records.len()), &text)
}

#[allow(clippy::print_stdout)]
fn chances(arguments: &ChancesArguments) -> Result<()> {
    place::check("--out", &arguments.out)?;
    let records = read_examples(&arguments.files)?;
    let curve = Curve::of(&records);
    print!("{} positions\n{}", records.len(), curve.write());
    let command = format!("chances {}", names(&arguments.files));
    write(&arguments.out, &command, &format!("{} positions", records.len()), &curve.write())
}

/// A file of learned numbers: a header that says where they came from, and the numbers.
fn write(out: &Path, command: &str, said: &str, numbers: &str) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let text = format!("# quintet learn chess {command}\n# Quintet {version}; {said}\n{numbers}");
    place::write(out, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_played_at_once_are_the_games_played_one_by_one() {
        let directory = tempfile::tempdir().unwrap();
        let job = |name: &str, nodes: u64, threads: usize| Generate {
            nodes,
            weights: "prior".to_owned(),
            series: Series { file: directory.path().join(name), games: 4, seed: 1, threads, shard: (1, 1) },
        };
        let lines = |job: &Generate| -> Vec<String> {
            generate(job).unwrap();
            let mut lines: Vec<_> =
                fs::read_to_string(&job.series.file).unwrap().lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(lines(&job("one", 40, 1)), lines(&job("two", 40, 2)));
        assert!(generate(&job("one", 50, 1)).is_err(), "the first line would be wrong");
        assert!(!read_examples(&[directory.path().join("two")]).unwrap().is_empty());
    }
}
