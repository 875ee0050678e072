//! Every number of the search that matches decide: where a technique applies, by which margin, how much less deep.
//!
//! Depths are in plies, margins in hundredths of a pawn of the evaluation.

// The root: windows around the last value, and time.

/// The last iteration that takes any value.
pub(crate) const ASPIRATION_AFTER: u32 = 4;
/// A window that had to grow beyond this is given up.
pub(crate) const WIDEST: i32 = 700;
/// A move that fails high at the root is confirmed by so many plies less at most.
pub(crate) const MOST_EASED: i32 = 3;
/// Moves of the root and plies after them up to which none is reduced.
pub(crate) const ROOT_REDUCTION_AFTER: (usize, i32) = (2, 2);

/// Half the width of the first window around a value.
pub(crate) fn window(value: i32) -> i32 {
    14 + value.abs() / 100
}

/// The part of the soft time bound to spend: less the longer iterations have agreed on the move and the greater its
/// part in all nodes, more when its value falls.
pub(crate) fn share(agreed: usize, fall: i32, effort: f64) -> f64 {
    let settled = [1.45, 1.15, 0.95, 0.85, 0.78, 0.72][agreed.min(5)];
    let falling = 1.0 + f64::from(fall.clamp(-20, 60)) / 100.0;
    settled * falling * (1.75 - effort) * 0.8
}

// What is known before a node's moves.

/// Plies without progress from which on the table does not cut: a draw by the counter is near.
pub(crate) const TABLE_QUIET: u32 = 90;
/// The least depth that is searched less where the table knows no move.
pub(crate) const INTERNAL_REDUCTION_DEPTH: i32 = 4;
/// By how much deeper than searched a verdict of endgame tables counts in the hash table.
pub(crate) const TABLEBASE_DEPTH: i32 = 6;

/// A static value on the way to the fifty-move draw.
pub(crate) fn faded(value: i32, quiet: u32) -> i32 {
    value * (220 - quiet.min(100) as i32) / 220
}

// Cuts before the moves.

/// The greatest depth of razoring, and what only captures could make good.
pub(crate) const RAZOR_DEPTH: i32 = 4;
pub(crate) fn razor_margin(depth: i32) -> i32 {
    220 * depth + 60
}

/// The greatest depth of reverse futility, and what the opponent cannot win back.
pub(crate) const REVERSE_FUTILITY_DEPTH: i32 = 8;
pub(crate) fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    75 * (depth - i32::from(improving))
}

/// The least depth of a null move, and of one that is verified.
pub(crate) const NULL_MOVE_DEPTH: i32 = 3;
pub(crate) const VERIFIED_DEPTH: i32 = 14;
/// How far below the window the static value may lie.
pub(crate) fn null_move_margin(depth: i32) -> i32 {
    20 * depth - 120
}
/// The depth after a null move, when the best guess is so far above the window.
pub(crate) fn null_move_depth(depth: i32, above: i32) -> i32 {
    depth - 4 - depth / 4 - (above / 180).min(3)
}
/// Plies without null moves of a verification to this depth.
pub(crate) fn verified_plies(depth: i32) -> usize {
    3 * depth.max(1) as usize / 4
}

/// The least depth of probcut, and how much less deep its searches and what it finds are.
pub(crate) const PROBCUT_DEPTH: i32 = 5;
pub(crate) const PROBCUT_REDUCTION: i32 = 4;
pub(crate) const PROBCUT_WORTH: i32 = 3;
/// By how much a capture must beat the window.
pub(crate) fn probcut_margin(improving: bool) -> i32 {
    if improving { 140 } else { 180 }
}

// Moves that are left out.

/// The greatest depth at which late quiet moves are left out, and how many are searched before.
pub(crate) const LATE_MOVE_DEPTH: i32 = 8;
pub(crate) fn late_move_count(depth: i32, improving: bool) -> i32 {
    (3 + depth * depth) / if improving { 1 } else { 2 }
}

/// The greatest reduced depth of futility, and what a quiet move may gain.
pub(crate) const FUTILITY_DEPTH: i32 = 8;
pub(crate) fn futility_margin(left: i32) -> i32 {
    110 + 95 * left
}

/// The greatest depth at which what a move did after others rules it out, and how bad that must be for each ply.
pub(crate) const CONTINUATION_DEPTH: i32 = 4;
pub(crate) const CONTINUATION_LEAST: i32 = -4500;

/// The greatest depth at which captures may be left out, and what they may lose.
pub(crate) const BAD_CAPTURE_DEPTH: i32 = 6;
pub(crate) fn bad_capture_margin(depth: i32) -> i32 {
    -90 * depth
}
/// The same of quiet moves, by their reduced depth.
pub(crate) const BAD_QUIET_DEPTH: i32 = 8;
pub(crate) fn bad_quiet_margin(left: i32) -> i32 {
    -22 * left * left
}

/// What a capture below the horizon may add beyond the piece it takes.
pub(crate) const DELTA_MARGIN: i32 = 180;
/// Answers to a check below the horizon before quiet ones are left out.
pub(crate) const EVASIONS: usize = 3;

// Moves that are searched deeper or less deep.

/// The least depth at which a singular move is sought, and how much less deep the table's value of it may be.
pub(crate) const SINGULAR_DEPTH: i32 = 7;
pub(crate) const SINGULAR_ENTRY: i32 = 3;
/// By how much all other moves must be worse.
pub(crate) fn singular_margin(depth: i32) -> i32 {
    2 * depth
}
/// Worse by so much more, the move is searched two plies deeper, this often in a line.
pub(crate) const DOUBLE_MARGIN: i32 = 18;
pub(crate) const MOST_DOUBLES: u32 = 6;
/// Plies for a move that is not singular, where the table expects a cutoff and where the parent does.
pub(crate) const NOT_SINGULAR: (i32, i32) = (-2, -1);

/// Plies by which the `count`-th move of a node is searched less, before its circumstances count.
pub(crate) fn reduction(depth: f64, count: f64) -> i32 {
    (0.75 + libm::log(depth) * libm::log(count) / 2.25) as i32
}
/// History that is worth a ply: of captures and of quiet moves.
pub(crate) const CAPTURE_PLY: i32 = 6000;
pub(crate) const QUIET_PLY: i32 = 9000;
/// Plies by which a reduced move is looked at more or less closely when it beats the best one by `margin`.
pub(crate) fn second_look(margin: i32, depth: i32) -> i32 {
    i32::from(margin > 45 + 2 * depth) - i32::from(margin < 8)
}
/// With several threads, less deep searches end before another one could make use of the wait.
pub(crate) const PUT_OFF_DEPTH: i32 = 5;

// What is learned on the way.

/// What a cutoff at this depth adds to a history.
pub(crate) fn bonus(depth: i32) -> i32 {
    (160 * depth - 80).min(1600)
}
/// What a futile search at this depth adds.
pub(crate) fn malus(depth: i32) -> i32 {
    -(180 * depth - 60).min(1400)
}
/// Histories stay within plus and minus this.
pub(crate) const HISTORY_LIMIT: i32 = 16_384;
/// Corrections of the static value stay within plus and minus this, in this part of a hundredth of a pawn.
pub(crate) const CORRECTION_LIMIT: i32 = 1024;
pub(crate) const CORRECTION_GRAIN: i32 = 14;
/// What a search of this depth adds that found a value so much above the static one.
pub(crate) fn correction_bonus(surprise: i32, depth: i32) -> i32 {
    (surprise * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4)
}

// The order of captures, beside their history.

/// For each hundredth of a pawn taken, less for each rank of the piece that takes.
pub(crate) const PRIZE: i32 = 16;
pub(crate) const ATTACKER_RANK: i32 = 8;
/// What a new queen counts as a prize.
pub(crate) const PROMOTION: i32 = 1000;
