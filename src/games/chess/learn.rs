//! `quintet learn chess`: games of the engine against itself, and the numbers that explain their results.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use ::chess::eval::terms::Weights;
use ::chess::learn::{Curve, Example, Fit, Games, games};
use ::chess::tuning;
use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, FromArgMatches, Subcommand, ValueEnum};

use crate::learn::Learn;
use crate::learn::series::Series;
use crate::place;

/// How every file of games begins.
const HEADER: &str = "# quintet learn chess generate";

/// What `quintet learn` knows of the game.
pub(super) const LEARN: Learn = Learn {
    about: "The evaluation of chess",
    arguments: Task::augment_subcommands,
    run: |matches| run(Task::from_arg_matches(matches)?),
};

/// What can be done about the numbers of chess.
#[derive(Subcommand)]
pub enum Task {
    /// Play games and append their quiet positions to a file; games already in it are not played again
    Generate(Generate),
    /// Fit weights to positions from files
    Fit(FitArguments),
    /// Learn what a score says about the result
    Chances(ChancesArguments),
}

/// Which games to play.
#[derive(Args)]
pub struct Generate {
    /// Where to write the positions, one `FEN;result;score` per line
    file: PathBuf,
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
    /// The positions; several files count as one
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
    /// The positions; several files count as one
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the two numbers of the curve
    #[arg(long)]
    out: PathBuf,
}

/// Does what the command line asks for.
pub fn run(task: Task) -> Result<()> {
    match task {
        Task::Generate(arguments) => generate(&arguments),
        Task::Fit(arguments) => fit(&arguments),
        Task::Chances(arguments) => chances(&arguments),
    }
}

fn generate(arguments: &Generate) -> Result<()> {
    let Generate { file, nodes, weights, series } = arguments;
    ensure!(*nodes > 0, "--nodes 0: a move needs at least one node");
    let header = format!("{HEADER} --nodes {nodes} --weights {weights}");
    let whole = |text: &str| whole_games(text, &header).with_context(|| file.display().to_string());
    let mut player = Games::new(read_weights(weights)?, *nodes);
    series.add_to(file, &header, whole, |seed| games::write(seed, &player.play(seed)))
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

/// The seeds of the whole games of a file and how many bytes they take. A file of anything else, or of games that were
/// played otherwise than its header would say, is refused.
fn whole_games(text: &str, header: &str) -> Result<(HashSet<u64>, usize)> {
    let (seeds, length) = games::finished(text);
    let is_ours = !seeds.is_empty() || text.starts_with(HEADER) || HEADER.starts_with(text);
    ensure!(is_ours, "it holds something other than games");
    let first = text.lines().next().unwrap_or_default();
    let is_other = !seeds.is_empty() && first.starts_with(HEADER) && first != header;
    ensure!(!is_other, "it holds other games: '{first}' instead of '{header}'");
    Ok((seeds, length))
}

fn read_records(files: &[PathBuf]) -> Result<Vec<Example>> {
    let mut records = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        for (i, line) in text.lines().enumerate() {
            let record = games::read(line).map_err(|why| anyhow!("{} line {}: {why}", file.display(), i + 1));
            records.extend(record?);
        }
    }
    ensure!(!records.is_empty(), "{}: no positions to learn from", files[0].display());
    Ok(records)
}

#[allow(clippy::print_stdout)]
fn fit(arguments: &FitArguments) -> Result<()> {
    ensure!((0.0..=1.0).contains(&arguments.result), "--result {} is not in 0..=1", arguments.result);
    ensure!(arguments.pull >= 0.0, "--pull {} is below 0", arguments.pull);
    place::check("--out", &arguments.out)?;
    let records = read_records(&arguments.files)?;
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
    let records = read_records(&arguments.files)?;
    let curve = Curve::of(&records);
    print!("{} positions\n{}", records.len(), curve.write());
    let command = format!("chances {}", names(&arguments.files));
    write(&arguments.out, &command, &format!("{} positions", records.len()), &curve.write())
}

/// The files without their directories, which mean nothing elsewhere.
fn names(files: &[PathBuf]) -> String {
    let names = files.iter().filter_map(|file| file.file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// A file of learned numbers: a header that says where they came from, and the numbers.
fn write(out: &Path, command: &str, said: &str, numbers: &str) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let text = format!("# quintet learn chess {command}\n# Quintet {version}; {said}\n{numbers}");
    fs::write(out, text).with_context(|| format!("cannot write {}", out.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_off_file_is_continued_as_if_nothing_had_happened() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str| directory.path().join(name);
        let job = |name: &str, games: u64| Generate {
            file: file(name),
            nodes: 40,
            weights: "prior".to_owned(),
            series: Series { games, seed: 1, shard: (1, 1) },
        };
        generate(&job("whole", 3)).unwrap();
        generate(&job("broken", 2)).unwrap();
        let mut text = fs::read(file("broken")).unwrap();
        text.truncate(text.len() - 5);
        fs::write(file("broken"), text).unwrap();
        generate(&job("broken", 3)).unwrap();
        assert_eq!(fs::read(file("broken")).unwrap(), fs::read(file("whole")).unwrap());
        assert!(generate(&Generate { nodes: 50, ..job("broken", 4) }).is_err(), "the header would be wrong");
        assert_eq!(fs::read(file("broken")).unwrap(), fs::read(file("whole")).unwrap());
        fs::write(file("other"), "dear diary\n").unwrap();
        assert!(generate(&job("other", 1)).is_err());
        assert_eq!(fs::read(file("other")).unwrap(), b"dear diary\n");
    }
}
