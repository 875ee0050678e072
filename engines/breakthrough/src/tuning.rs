//! Every number and switch of the engine that is a matter of opinion.

use search::alphabeta::Config;
use search::learn::games::{Opening, Style};

/// The unit of all values: hundredths of a man.
pub(crate) const MAN: i32 = 100;
/// What a man is worth besides, by the moves it needs to the other side.
pub(crate) const PLACE: [i32; 8] = [0, 300, 160, 85, 45, 20, 5, 0];
/// A man with another one diagonally behind it.
pub(crate) const PROTECTED: i32 = 12;
/// A man with another one beside it.
pub(crate) const BESIDE: i32 = 6;
/// A man on the edge of the board, which attacks one square only.
pub(crate) const EDGE: i32 = -20;
/// A square of the second row that a man of the first row attacks.
pub(crate) const GUARDED: i32 = 20;
/// A man that nobody can catch, though it may be outrun, by the moves it needs.
pub(crate) const RUNNER: [i32; 8] = [0, 600, 500, 420, 350, 300, 250, 200];
/// The right to move.
pub(crate) const TEMPO: i32 = 10;

/// How games are played that can be learned from.
pub const GAMES: Style = Style {
    opening: Opening { plies: 6, choices: 5, balance: Some(300) },
    lots: 0,
    decided: Some(1000),
    even: None,
    longest: 400,
};

/// The switches that win matches.
pub fn config() -> Config {
    Config::default()
}
