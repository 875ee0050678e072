//! The switches of alpha-beta: every technique is one, so experiments and play use the same code.

use crate::table::Scheme;

// The numbers of the techniques that serve all games alike; what a game may set is a field of its [`Config`].

/// The last iteration that takes any value.
pub(super) const ASPIRATION_AFTER: u32 = 3;
/// How much wider a window becomes that proved too small.
pub(super) const GROWTH: i32 = 3;
/// A window that had to grow beyond this is given up.
pub(super) const WIDEST: i32 = 800;
/// Values this close count as the same.
pub(super) const EASY_MARGIN: i32 = 15;
/// Iterations that must agree before a move counts as easy.
pub(super) const EASY_ITERATIONS: usize = 6;
/// Parts of the soft time bound after which no new iteration is begun: it takes longer than all before it together,
/// and is worth less when they agree, and least when the move is easy.
pub(super) const SHARES: [f64; 3] = [0.9, 0.6, 0.3];

// What a technique takes that is switched on in a game which has no number for it.
pub(super) const USUAL_ASPIRATION: i32 = 25;
pub(super) const USUAL_ETC: i32 = 2;
pub(super) const USUAL_QUIESCENCE: u32 = 16;
pub(super) const USUAL_NULL_MOVE: i32 = 3;
pub(super) const USUAL_FUTILITY: i32 = 60;

/// The least depth of a null move, and the depth after it.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
pub(super) fn null_move_depth(depth: i32, reduction: i32) -> i32 {
    depth - 1 - reduction - depth / 4
}
/// The greatest depth of futility.
pub(super) const FUTILITY_DEPTH: i32 = 4;
/// The least depth that is searched less where the table knows no move.
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 4;
/// Moves and the least depth from which on late ones are reduced.
pub(super) const LATE_MOVES: (usize, i32) = (3, 3);
/// By how much, before their circumstances count: 2 at move 4 of depth 3, 5 at move 30 of depth 12.
pub(super) fn reduction(depth: i32, count: u32) -> i32 {
    let logs = depth.ilog2() * count.ilog2();
    (logs as i32 + 1) / 3 + 1
}
/// With several threads, less deep searches end before another one could make use of the wait.
pub(super) const PUT_OFF_DEPTH: i32 = 3;
/// What a cutoff at this depth adds to the history.
pub(super) fn bonus(depth: i32) -> i32 {
    (depth * depth * 4).clamp(4, 1024)
}

/// Which algorithm finds the value of one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// Plain negamax without any pruning.
    Minimax,
    /// Alpha-beta with a window around the last value, or the full one.
    Window,
    /// A sequence of zero-window searches.
    Mtd(Mtd),
}

/// How the MTD family moves its zero window (Plaat et al., 1996).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mtd {
    /// MTD(f): from the last iteration's value towards the truth.
    F,
    /// SSS*: from above.
    Sss,
    /// DUAL*: from below.
    Dual,
    /// From above in steps of this many points.
    Step(i32),
    /// By halving the interval.
    Bi,
}

/// How the moves of a node are ordered before the heuristics below have their say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    /// As generated.
    Generated,
    /// By the static value of the positions they lead to.
    Static,
    /// By the table's value of the positions they lead to; unknown ones get random values.
    Children,
    /// By what they gain at once, then killers, counter moves and history as switched on.
    Heuristic,
}

/// When a repeated position counts as a draw inside the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Once inside the tree, or twice in the game before it.
    TreeOnce,
    /// Any earlier occurrence.
    Any,
}

/// Every switch of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// What finds the value of one iteration.
    pub driver: Driver,
    /// Stop an MTD search once the best move is certain, whatever its exact value.
    pub best_move_stop: bool,
    /// Return values outside the window (fail-soft) instead of its edges.
    pub fail_soft: bool,
    /// Branch and bound with one bound only: no deep cutoffs.
    pub one_bound: bool,
    /// Search all but the first move with a zero window first.
    pub pvs: bool,
    /// Depth 1, 2, 3, ... instead of the wanted depth at once.
    pub deepening: bool,
    /// Play early when several iterations agree on move and value.
    pub easy_move: bool,
    /// Half width of the window around the last value.
    pub aspiration: Option<i32>,
    /// Instead of that window, one of this half width that grows at the move where it is found too small, with a time
    /// rule of its own (Beling, 2006).
    pub sliding: Option<i32>,
    /// Let the table cut.
    pub table_cutoffs: bool,
    /// Let bounds of the table narrow the window where they do not cut (Skoulakis, 2010).
    pub table_narrowing: bool,
    /// Let exact values of the table cut in an open window of PVS, too, where they shorten the line shown.
    pub open_cutoffs: bool,
    /// Keep the values of the horizon in the table.
    pub table_leaves: bool,
    /// Try the table's move first.
    pub table_ordering: bool,
    /// Empty the table for every search.
    pub fresh_table: bool,
    /// What the table keeps.
    pub scheme: Scheme,
    /// Accept only entries of exactly the wanted depth, so that values equal those without a table.
    pub exact_depth: bool,
    /// From this depth on, look all children up before searching the first.
    pub etc: Option<i32>,
    /// Play noisy moves out below the horizon, at most this many plies.
    pub quiescence: Option<u32>,
    /// The base order of moves.
    pub ordering: Ordering,
    /// Prefer moves that were good elsewhere.
    pub history: bool,
    /// Prefer the last two quiet moves that cut at this ply.
    pub killers: bool,
    /// Prefer the move that last refuted the opponent's move.
    pub counter_moves: bool,
    /// Let the opponent move twice, this much less deep; if we still fail high, cut.
    pub null_move: Option<i32>,
    /// Search late quiet moves less deep first.
    pub late_move_reductions: bool,
    /// Search less deep where the table knows no move.
    pub internal_reduction: bool,
    /// Near the horizon, cut when the static value stands this many points a ply above the window.
    pub futility: Option<i32>,
    /// Do not count a ply with a single legal move.
    pub forced_extension: bool,
    /// Search one ply more at the horizon where something hangs.
    pub hanging_extension: bool,
    /// Plies by which a position that a database knows to be drawn is searched less; none to cut at once.
    pub draw_reduction: Option<i32>,
    /// When a repetition is a draw.
    pub repetition: Repetition,
    /// With several threads, put moves off that another one is searching.
    pub put_off: bool,
    /// For the random keys of `Ordering::Children` and for weak play.
    pub seed: u64,
}

impl Config {
    /// Plain fail-hard alpha-beta with every technique switched off.
    pub fn plain() -> Config {
        Config {
            driver: Driver::Window,
            best_move_stop: false,
            fail_soft: false,
            one_bound: false,
            pvs: false,
            deepening: false,
            easy_move: false,
            aspiration: None,
            sliding: None,
            table_cutoffs: false,
            table_narrowing: false,
            open_cutoffs: false,
            table_leaves: false,
            table_ordering: false,
            fresh_table: false,
            scheme: Scheme::Clustered,
            exact_depth: false,
            etc: None,
            quiescence: None,
            ordering: Ordering::Generated,
            history: false,
            killers: false,
            counter_moves: false,
            null_move: None,
            late_move_reductions: false,
            internal_reduction: false,
            futility: None,
            forced_extension: false,
            hanging_extension: false,
            draw_reduction: None,
            repetition: Repetition::TreeOnce,
            put_off: false,
            seed: 1,
        }
    }

    /// Whether anything asks for the table.
    pub(super) fn uses_table(&self) -> bool {
        self.table_cutoffs || self.table_ordering || self.etc.is_some() || self.ordering == Ordering::Children
    }

    /// Whether values outside the window are returned; the MTD family cannot do without them.
    pub(super) fn is_soft(&self) -> bool {
        self.fail_soft || matches!(self.driver, Driver::Mtd(_))
    }
}

impl Default for Config {
    /// What serves most games well; each engine starts from here.
    fn default() -> Config {
        Config {
            fail_soft: true,
            pvs: true,
            deepening: true,
            easy_move: true,
            aspiration: Some(USUAL_ASPIRATION),
            table_cutoffs: true,
            table_ordering: true,
            quiescence: Some(USUAL_QUIESCENCE),
            ordering: Ordering::Heuristic,
            history: true,
            killers: true,
            counter_moves: true,
            late_move_reductions: true,
            internal_reduction: true,
            put_off: true,
            ..Config::plain()
        }
    }
}
