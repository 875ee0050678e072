//! The engines by the names of their games.

use std::process::ExitCode;

use protocol::program::{fail, run_uci};

/// A game we play: its name on the command line and the engine's entry point.
pub type Entry = (&'static str, fn(&[String]) -> ExitCode);

/// All games we play.
#[rustfmt::skip]
pub const GAMES: &[Entry] = &[
    ("chess", run_uci::<chess::Chess>),
    ("go", go::gtp::run),
    ("draughts", draughts::program::run),
    ("neighbours", run_uci::<neighbours::Neighbours>),
    ("morris", run_uci::<morris::Morris>),
];

/// Starts the engine of a game with the words of its command line.
pub fn start(game: &str, words: &[String]) -> ExitCode {
    match GAMES.iter().find(|(name, _)| *name == game) {
        Some((_, run)) => run(words),
        None => {
            let names: Vec<_> = GAMES.iter().map(|(name, _)| *name).collect();
            fail(&format!("no engine plays '{game}'; there is {}", names.join(", ")))
        }
    }
}
