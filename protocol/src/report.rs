//! What an engine says while it thinks and at the end, in the words of no protocol.

use std::time::Duration;

use search::{Bound, Score};

/// Moves of a line of play that are kept: nobody looks further, and whoever sends more wants our memory.
pub const LONGEST_LINE: usize = 500;
/// Options of an engine that are taken note of.
pub(crate) const MOST_OPTIONS: usize = 1000;

/// One line of play and what belongs to it; what was not said is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// 1 for the best line.
    pub rank: Option<usize>,
    /// The value from the side to move, and how sure it is.
    pub score: Option<(Score, Bound)>,
    /// Chances to win, draw and lose, per mille.
    pub wdl: Option<[u64; 3]>,
    /// Positions visited, or playouts made.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub speed: Option<u64>,
    /// The line of play; empty if there is none.
    pub pv: Vec<String>,
    /// The mover's probability to win, from engines that think in such numbers.
    pub value: Option<f64>,
    /// Nodes of the tree it keeps.
    pub tree: Option<u64>,
    /// The moves considered, the best first, each with its visits and its value: `D4 120 0.531`.
    pub candidates: Vec<String>,
    /// Whose every point of the board will be, from -1 for White to 1 for Black, from the bottom left on; empty if
    /// nothing was said about it.
    pub owners: Vec<f32>,
}

/// An engine's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Best {
    /// The move; none if it knows no move.
    pub text: Option<String>,
    /// Whether it gives the game up instead of moving.
    pub resigns: bool,
    /// The reply it expects, and would like to ponder on.
    pub ponder: Option<String>,
    /// From the question, or from the end of pondering if that came later, to the arrival of the answer, by our clock.
    pub time: Duration,
}
