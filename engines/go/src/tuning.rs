//! Every number of the Go engine that experiments may change.

use std::time::Duration;

use search::mcts::{Amaf, Config, Expansion};

use crate::playout::Style;
use crate::recipes::Heuristics;

/// Held back from every time limit: after the last playout the answer is judged before it is given.
pub(crate) const OVERHEAD: Duration = Duration::from_millis(50);

/// How often a playout follows each piece of knowledge, in 256ths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Take or save stones in atari beside the last move.
    pub atari: u32,
    /// Take stones that the own last move put in atari.
    pub follow_up: u32,
    /// Read ladders around chains with two liberties beside the last move.
    pub ladder: u32,
    /// Play the vital point of a small eye space beside the last move.
    pub nakade: u32,
    /// Play a shape around the last two moves.
    pub pattern: u32,
    /// Refuse a suggested move that puts its own chain in atari.
    pub refuse_suggested: u32,
    /// Refuse a random move that does.
    pub refuse_random: u32,
}

/// The default playout.
pub const PLAYOUT: Playout = Playout {
    atari: 236,
    follow_up: 236,
    ladder: 60,
    nakade: 150,
    pattern: 236,
    refuse_suggested: 240,
    refuse_random: 200,
};

/// What the tree thinks of moves before they are tried, in playouts won or lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Priors {
    /// Playouts of unknown result.
    pub even: f32,
    /// For a move that puts its own chain in atari: lost.
    pub self_atari: f32,
    /// For taking one stone that matters: won.
    pub take_one: f32,
    /// For taking several: won.
    pub take_many: f32,
    /// For starting a ladder that works, or stepping out of one: won.
    pub ladder: f32,
    /// For a shape of three by three: won.
    pub pattern: f32,
    /// For being one, two, three steps of connection away from the last move, if that is near others: won.
    pub near: [f32; 3],
    /// Far from all stones: lost on the first two lines, won on the third and fourth.
    pub line: f32,
    /// For the first move in a corner of a large board: won.
    pub corner: f32,
    /// For the pass: lost.
    pub pass: f32,
    /// For the learned strength of a move, times the root of its share of all moves' strengths: won.
    pub learned: f32,
}

/// The default priors.
pub const PRIORS: Priors = Priors {
    even: 10.0,
    self_atari: 10.0,
    take_one: 15.0,
    take_many: 30.0,
    ladder: 20.0,
    pattern: 10.0,
    near: [24.0, 22.0, 8.0],
    line: 10.0,
    corner: 40.0,
    pass: 10.0,
    learned: 100.0,
};

/// The part of a result that its margin decides; the rest is won or lost.
pub const MARGIN_SHARE: f32 = 0.04;
/// AMAF's bias in playouts.
pub const RAVE: f32 = 3500.0;
/// The share of AMAF in a fixed mixture.
pub const ALPHA: f32 = 0.5;
/// Moves after a node from which AMAF learns where it learns from the first ones only.
pub const FIRST_MOVES: u32 = 20;
/// Playouts from which AMAF learns where it is cut off.
pub const CUTOFF: u64 = 1000;
/// Visits before a leaf of the tree gets children.
pub const EXPAND_AFTER: u32 = 8;
/// The width of the secure choice's lower bound.
pub const SECURE: f32 = 1.0;
/// What a handicap stone is worth, in points.
pub const STONE: f64 = 7.0;
/// What the tree may take by default, in MiB.
pub const TREE_MEMORY: usize = 512;
/// Below this chance to win, in percent, the engine resigns.
pub const RESIGN: i64 = 8;
/// Moves before which it never does, for every hundred points of the board.
pub const RESIGN_MOVE: i64 = 20;
/// Playouts of an answer that must be the same on every machine.
pub const REPEATABLE: u64 = 10_000;

/// The search of the default engine.
pub fn config() -> Config {
    Config {
        amaf: Amaf::MinError(RAVE),
        expansion: Expansion { after: EXPAND_AFTER, ahead: 0 },
        ..Config::default()
    }
}

/// The search of the source's program: UCT, one node a playout, the most visited move.
pub fn go_game_config() -> Config {
    Config { reuse: false, ..Config::plain() }
}

/// The playouts of the source's program.
pub fn go_game_style() -> Style {
    Style::Heuristics(Heuristics::ALL)
}
