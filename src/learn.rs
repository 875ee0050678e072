//! `quintet learn`: weights from games that our own engines play.

mod chart;
mod chess;
mod draughts;
mod generation;
mod go;
mod morris;
mod neighbours;

use anyhow::Result;
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};

/// The games that can be learned.
#[derive(Subcommand)]
pub enum Game {
    /// The default evaluation of nine men's morris
    Morris(morris::Arguments),
    /// The evaluation of chess
    #[command(subcommand)]
    Chess(chess::Task),
    /// The strengths of moves in Go
    #[command(subcommand)]
    Go(go::Task),
    /// The patterns of draughts
    #[command(subcommand)]
    Draughts(draughts::Task),
    /// The value functions of Neighbours
    #[command(subcommand)]
    Neighbours(neighbours::Task),
}

/// Does what the command line asks for.
pub fn run(game: Game) -> Result<()> {
    match game {
        Game::Morris(arguments) => morris::run(&arguments),
        Game::Chess(task) => chess::run(task),
        Game::Go(task) => go::run(task),
        Game::Draughts(task) => draughts::run(task),
        Game::Neighbours(task) => neighbours::run(task),
    }
}

/// Reads which part of a job is wanted, and of how many: `1/4` to `4/4`.
pub(crate) fn read_shard(text: &str) -> Result<(u64, u64), String> {
    let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    numbers
        .filter(|&(i, n)| 1 <= i && i <= n)
        .ok_or_else(|| format!("'{text}' is not I/N with I from 1 to N"))
}

/// A bar that shows how far a long job is; nothing is drawn where nobody watches.
fn bar(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {elapsed}<{eta} {msg}");
    ProgressBar::new(length).with_style(style.expect("the template is well formed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_job_are_read_or_refused() {
        assert_eq!(read_shard("2/4"), Ok((2, 4)));
        for text in ["0/4", "5/4", "x", "1"] {
            assert!(read_shard(text).unwrap_err().contains(text));
        }
    }
}
