//! `quintet learn chess`: games of the engine against itself, and the weights that explain their results.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use ::chess::{learn, tuning};
use anyhow::{Context, Result, anyhow};
use clap::{Args, Subcommand};

/// What can be done about the weights of chess.
#[derive(Subcommand)]
pub enum Task {
    /// Play games and append their quiet positions to a file
    Generate(Generate),
    /// Fit weights to the positions of a file
    Fit(Fit),
}

/// Which games to play.
#[derive(Args)]
pub struct Generate {
    /// Where the positions go, one `FEN;result` a line
    file: PathBuf,
    /// Number of games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Seed of the first game; the others follow
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes of each move
    #[arg(long, default_value_t = 400)]
    nodes: u64,
    /// The I-th of N equal parts of the games
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: String,
}

/// What to fit.
#[derive(Args)]
pub struct Fit {
    /// The positions
    file: PathBuf,
    /// Where the weights go
    #[arg(long, default_value = "default.weights")]
    out: PathBuf,
    /// Passes over the positions, at most
    #[arg(long, default_value_t = 200)]
    passes: usize,
}

/// Does what the command line asks for.
pub fn run(task: Task) -> Result<()> {
    match task {
        Task::Generate(arguments) => generate(&arguments),
        Task::Fit(arguments) => fit(&arguments),
    }
}

fn generate(arguments: &Generate) -> Result<()> {
    let (shard, shards) = read_shard(&arguments.shard)?;
    let mut file = OpenOptions::new().create(true).append(true).open(&arguments.file);
    let file = file.as_mut().map_err(|error| anyhow!("{}: {error}", arguments.file.display()))?;
    let mut player = learn::player(tuning::weights());
    let bar = super::bar(arguments.games / shards);
    for game in (shard - 1..arguments.games).step_by(shards as usize) {
        let records = learn::play(arguments.seed + game, arguments.nodes, &mut player);
        let text: String = records.iter().map(|record| learn::write(record) + "\n").collect();
        file.write_all(text.as_bytes())?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

pub(super) fn read_shard(text: &str) -> Result<(u64, u64)> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts.filter(|&(i, n)| 1 <= i && i <= n).ok_or_else(|| anyhow!("'{text}' is not a part such as 1/4"))
}

fn fit(arguments: &Fit) -> Result<()> {
    let text = fs::read_to_string(&arguments.file)
        .with_context(|| format!("cannot read {}", arguments.file.display()))?;
    let mut records = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let record =
            learn::read(line).map_err(|why| anyhow!("{} line {}: {why}", arguments.file.display(), i + 1))?;
        records.push(record);
    }
    let bar = super::bar(arguments.passes as u64);
    let weights = learn::fit(&records, &tuning::prior(), arguments.passes, &mut |pass, loss| {
        bar.set_position(pass as u64);
        bar.set_message(format!("loss {loss:.5}"));
    });
    bar.finish();
    let command = format!("quintet learn chess fit {}", arguments.file.display());
    fs::write(&arguments.out, learn::file(&weights, &command, records.len()))
        .with_context(|| format!("cannot write {}", arguments.out.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_job_are_read_or_refused() {
        assert_eq!(read_shard("2/4").unwrap(), (2, 4));
        for text in ["0/4", "5/4", "x", "1"] {
            assert!(read_shard(text).unwrap_err().to_string().contains(text));
        }
    }
}
