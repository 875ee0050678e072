//! Every number of the Go engine that experiments may change.

use std::time::Duration;

use search::Strength;
use search::mcts::{Amaf, Bias, Config, Expansion, Select};
use search::strength::FULL_LEVEL;

use crate::playout::Style;
use crate::recipes::Heuristics;

/// Held back from every time limit: after the last playout the answer is judged before it is given.
pub(crate) const OVERHEAD: Duration = Duration::from_millis(50);
/// For a move when no time settings came.
pub(crate) const MOVE_TIME: Duration = Duration::from_secs(5);

/// Strengths of moves, as `quintet learn go fit` found them in games of this engine.
pub(crate) const STRENGTHS: &str = include_str!("../learned/strengths.txt");

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

/// Moves of a playout after which it is counted as it stands, in multiples of the board's points.
pub const LONGEST_PLAYOUT: u32 = 3;
/// Branches of a ladder that are looked into; a longer fight counts as an escape.
pub const LADDER_BRANCHES: usize = 8;
/// Moves of one branch.
pub const LADDER_MOVES: usize = 120;
/// Boards looked at before it is left open whether a chain can be taken.
pub const CAPTURE_BOARDS: u32 = 3000;
/// Moves in a row before it is.
pub const CAPTURE_MOVES: u32 = 24;
/// With more liberties than this a chain is out of reach.
pub const CAPTURE_LIBERTIES: usize = 3;

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

/// A stone within so many steps is near.
pub const NEAR: usize = 3;
/// Boards from this size on have corners worth taking before anything else.
pub const LARGE_BOARD: usize = 13;
/// Where no more moves than this are left, as in a seki, the pass is as good as any.
pub const FEW_MOVES: usize = 6;
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
/// Of games that teach a network: the part of a root move's probability that is noise.
pub const NOISE_SHARE: f32 = 0.25;
/// How concentrated the noise is, over all root moves.
pub const NOISE_TOTAL: f64 = 10.83;
/// What a handicap stone is worth, in points.
pub const STONE: f64 = 7.0;
/// What the tree may take by default, in MiB.
pub const TREE_MEMORY: usize = 512;
/// What playouts decide of a leaf's value beside a network, in percent.
pub const PLAYOUT_SHARE: u32 = 0;
/// The visit of a node at which a network is asked, if playouts have a share.
pub const NETWORK_AFTER: u32 = 1;
/// What a heavy playout takes for each point of the board, about.
pub const PACE: Duration = Duration::from_nanos(600);
/// What probabilities weigh in a search that a network guides, for values from 0 to 1.
pub const PUCT: f32 = 0.6;
/// How much worse than its parent a move is thought that it left for later.
pub const REDUCTION: f32 = 0.1;
/// Below this chance to win, in percent, the engine resigns.
pub const RESIGN: i64 = 8;
/// Moves before which it never does, for every hundred points of the board.
pub const RESIGN_MOVE: i64 = 20;
/// Playouts without which it never does.
pub const RESIGN_PLAYOUTS: u64 = 100;
/// During a search every n-th playout's owners are counted: enough for an estimate, and threads seldom meet.
pub const SAMPLE: u32 = 8;
/// Counted playouts up to this number say nothing about the owners of points.
pub const TELLING: u32 = 20;
/// From this share of the counted playouts' owners on, from 0 to 1, they agree on a point.
pub const AGREED: f64 = 0.85;
/// Owned by the other side this surely, from 0 to 1, a chain is dead.
pub const DEAD: f64 = 0.15;
/// Playouts of a search for dead stones that grow its tree, and as many again that are counted.
pub const JUDGING_PLAYOUTS: u64 = 500;
/// What the tree of such a search may take, in bytes.
pub const JUDGING_MEMORY: usize = 64 << 20;
/// More time is never held back for a judgement.
pub const LONGEST_JUDGING: Duration = Duration::from_secs(2);
/// Playouts of the weakest level; every other level doubles them.
const WEAKEST_PLAYOUTS: u64 = 8;
/// Levels below this one slip now and then.
pub const SLIPS_BELOW: u32 = 10;
/// How often, in 256ths, for each level below it.
pub const SLIP: u32 = 8;
/// Moves, the best first, of which one is then played at random.
pub const SLIP_MOVES: usize = 6;
/// Playouts of an answer that must be the same on every machine.
pub const REPEATABLE: u64 = 10_000;

/// How much a skill level flattens what a network finds likely: 1 leaves it as it is.
pub fn heat(level: u32) -> f32 {
    1.0 + FULL_LEVEL.saturating_sub(level) as f32 / 10.0
}

/// The strength of a skill level, as far as its playouts go.
pub fn strength(level: u32) -> Strength {
    let nodes = WEAKEST_PLAYOUTS << (level / 2);
    if level >= FULL_LEVEL { Strength::FULL } else { Strength { nodes, ..Strength::FULL } }
}

/// The search of the default engine.
pub fn config() -> Config {
    Config {
        amaf: Amaf::MinError(RAVE),
        expansion: Expansion { after: EXPAND_AFTER, ahead: 0 },
        ..Config::default()
    }
}

/// The search that a network guides, in place of what playouts alone are compared by.
pub fn guided(usual: &Config) -> Config {
    Config {
        select: Select::Puct,
        puct: PUCT,
        first_play: None,
        reduction: REDUCTION,
        // Leaves get the moves that the network finds when it is asked.
        expansion: Expansion { after: u32::MAX, ahead: 0 },
        amaf: Amaf::Off,
        bias: Bias::Off,
        widening: None,
        priors: 0.0,
        ..usual.clone()
    }
}

/// The search of Śliwa's program: UCT, one node a playout, the most visited move.
pub fn go_game_config() -> Config {
    Config { reuse: false, ..Config::plain() }
}

/// The playouts of Śliwa's program.
pub fn go_game_style() -> Style {
    Style::Heuristics(Heuristics::ALL)
}
