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

/// A bar that shows how far a long job is; nothing is drawn where nobody watches.
fn bar(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {elapsed}<{eta} {msg}");
    ProgressBar::new(length).with_style(style.expect("the template is well formed"))
}
