//! `quintet learn chess`: games of the engine against itself, and the numbers that explain their results.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ::chess::eval::terms::Weights;
use ::chess::learn::{Curve, Fit, Games, Record, games};
use ::chess::tuning;
use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, FromArgMatches, Subcommand, ValueEnum};

use crate::learn::{Learn, bar, read_shard};
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
    /// Number of games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Seed of the first game; the others follow
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes per move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// What the engine plays with: `shipped`, the guess that a fit starts from (`prior`), or a file of weights
    #[arg(long, default_value = "shipped")]
    weights: String,
    /// Play only part I of N of the games, counted from 1
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = read_shard)]
    shard: (u64, u64),
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
    ensure!(arguments.nodes > 0, "--nodes 0: a move needs at least one node");
    let (shard, shards) = arguments.shard;
    let name = || arguments.file.display().to_string();
    let open = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&arguments.file);
    let mut file = open.with_context(name)?;
    let header = format!("{HEADER} --nodes {} --weights {}", arguments.nodes, arguments.weights);
    let played = keep_whole_games(&mut file, &header).with_context(name)?;
    let weights = read_weights(&arguments.weights)?;
    if played.is_empty() {
        writeln!(file, "{header}").with_context(name)?;
    }
    let mut player = Games::new(weights, arguments.nodes);
    let bar = bar(arguments.games.div_ceil(shards));
    for game in (shard - 1..arguments.games).step_by(shards as usize) {
        let seed = arguments.seed + game;
        if !played.contains(&seed) {
            // One write a game, so that a break leaves whole games and at most one part of a game behind.
            file.write_all(games::write(seed, &player.play(seed)).as_bytes()).with_context(name)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
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

/// Cuts off what a break left of an unfinished game; the seeds of the whole ones. A file of anything else, or of games
/// that were played otherwise than its header would say, is left alone.
fn keep_whole_games(file: &mut File, header: &str) -> Result<std::collections::HashSet<u64>> {
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let (seeds, length) = games::finished(&text);
    let is_ours = !seeds.is_empty() || text.starts_with(HEADER) || HEADER.starts_with(&text);
    ensure!(is_ours, "it holds something other than games");
    let first = text.lines().next().unwrap_or_default();
    let is_other = !seeds.is_empty() && first.starts_with(HEADER) && first != header;
    ensure!(!is_other, "it holds other games: '{first}' instead of '{header}'");
    file.set_len(length as u64)?;
    file.seek(SeekFrom::End(0))?;
    Ok(seeds)
}

fn read_records(files: &[PathBuf]) -> Result<Vec<Record>> {
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
            games,
            seed: 1,
            nodes: 40,
            weights: "prior".to_owned(),
            shard: (1, 1),
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
