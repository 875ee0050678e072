//! `quintet learn`: weights from games that our own engines play.

mod chart;
mod neighbours;

use anyhow::Result;
use clap::Subcommand;

/// The games that can be learned.
#[derive(Subcommand)]
pub enum Game {
    /// The value functions of Neighbours
    #[command(subcommand)]
    Neighbours(neighbours::Task),
}

/// Does what the command line asks for.
pub fn run(game: Game) -> Result<()> {
    match game {
        Game::Neighbours(task) => neighbours::run(task),
    }
}
