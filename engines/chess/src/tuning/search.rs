//! Every number of the search that matches decide: where a technique applies, by which margin, how much less deep.
//!
//! Depths are in plies, margins in hundredths of a pawn of the evaluation. What `quintet learn chess tune` may move is a
//! row of [`Numbers`], with its range; the shapes around those numbers are its methods.

::search::tunables! {
    /// The numbers of the search that are tuned.
    pub struct Numbers {
        window: 14 in 4..=60, "half the width of the first window around a value";
        fade: 220 in 120..=400, "plies without progress that would fade a value to nothing";
        razor_base: 60 in 0..=300, "razoring: what only captures could make good";
        razor_step: 220 in 80..=400, "razoring: the same for each ply";
        reverse_futility: 75 in 30..=160, "reverse futility: what the opponent cannot win back in a ply";
        null_base: 120 in 0..=300, "null move: how far below the window the static value may lie";
        null_step: 20 in 0..=50, "null move: the same, less for each ply";
        null_above: 180 in 80..=400, "null move: a value so far above the window saves a ply";
        probcut: 180 in 80..=350, "probcut: by how much a capture must beat the window";
        probcut_improving: 40 in 0..=120, "probcut: less of it for a side that improves";
        late_base: 3 in 0..=12, "late move pruning: quiet moves searched at any depth";
        futility_base: 110 in 20..=300, "futility: what a quiet move may gain";
        futility_step: 95 in 30..=200, "futility: the same for each ply left";
        continuation: 4500 in 1000..=9000, "how badly a move did after others, for each ply, to be left out";
        bad_capture: 90 in 20..=200, "what a capture may lose in a ply";
        bad_quiet: 22 in 5..=60, "what a quiet move may lose, by the square of the plies left";
        delta: 180 in 50..=400, "what a capture below the horizon may add beyond the piece it takes";
        singular: 2 in 1..=6, "by how much all other moves must be worse, for each ply";
        double: 18 in 0..=80, "worse by so much more, the move is searched two plies deeper";
        reduction_base: 75 in 0..=200, "hundredths of a ply by which every late move is searched less";
        reduction_slope: 225 in 120..=400, "hundredths: what the product of the logarithms is divided by";
        capture_ply: 6000 in 2000..=14000, "history of a capture that is worth a ply";
        quiet_ply: 9000 in 3000..=18000, "history of a quiet move that is worth a ply";
        second_base: 45 in 10..=120, "a reduced move that beats the best by so much is searched deeper";
        second_step: 2 in 0..=8, "the same for each ply";
        second_shallow: 8 in 0..=30, "one that beats it by less is searched less deep";
        bonus_base: 80 in 0..=300, "what a cutoff adds to a history, less than by its depth";
        bonus_step: 160 in 60..=350, "what a cutoff adds to a history for each ply";
        bonus_most: 1600 in 600..=3000, "the most that a cutoff adds";
        malus_base: 60 in 0..=300, "what a futile search takes off, less than by its depth";
        malus_step: 180 in 60..=350, "what a futile search takes off for each ply";
        malus_most: 1400 in 500..=3000, "the most that a futile search takes off";
        correction: 14 in 7..=40, "parts of a correction in a hundredth of a pawn";
    }
}

impl Numbers {
    /// Half the width of the first window around a value.
    pub(crate) fn window(&self, value: i32) -> i32 {
        self.window + value.abs() / 100
    }

    /// A static value on the way to the fifty-move draw.
    pub(crate) fn faded(&self, value: i32, quiet: u32) -> i32 {
        value * (self.fade - quiet.min(100) as i32) / self.fade
    }

    /// Razoring: how far below the window a value at this depth must lie.
    pub(crate) fn razor_margin(&self, depth: i32) -> i32 {
        self.razor_step * depth + self.razor_base
    }

    /// Reverse futility: how far above it.
    pub(crate) fn reverse_futility_margin(&self, depth: i32, improving: bool) -> i32 {
        self.reverse_futility * (depth - i32::from(improving))
    }

    /// How far below the window the static value may lie for a null move.
    pub(crate) fn null_move_margin(&self, depth: i32) -> i32 {
        self.null_step * depth - self.null_base
    }

    /// The depth after a null move, when the best guess is so far above the window.
    pub(crate) fn null_move_depth(&self, depth: i32, above: i32) -> i32 {
        depth - 4 - depth / 4 - (above / self.null_above).min(3)
    }

    /// By how much a capture must beat the window in probcut.
    pub(crate) fn probcut_margin(&self, improving: bool) -> i32 {
        self.probcut - if improving { self.probcut_improving } else { 0 }
    }

    /// How many quiet moves are searched before the others are left out.
    pub(crate) fn late_move_count(&self, depth: i32, improving: bool) -> i32 {
        (self.late_base + depth * depth) / if improving { 1 } else { 2 }
    }

    /// What a quiet move may gain in so many plies.
    pub(crate) fn futility_margin(&self, left: i32) -> i32 {
        self.futility_base + self.futility_step * left
    }

    /// How badly a move may have done after others to be searched at this depth.
    pub(crate) fn continuation_least(&self, depth: i32) -> i32 {
        -self.continuation * depth
    }

    /// What a capture may lose at this depth.
    pub(crate) fn bad_capture_margin(&self, depth: i32) -> i32 {
        -self.bad_capture * depth
    }

    /// What a quiet move may lose with so many plies left.
    pub(crate) fn bad_quiet_margin(&self, left: i32) -> i32 {
        -self.bad_quiet * left * left
    }

    /// By how much all other moves must be worse than a singular one.
    pub(crate) fn singular_margin(&self, depth: i32) -> i32 {
        self.singular * depth
    }

    /// Plies by which the `count`-th move of a node is searched less, before its circumstances count.
    pub(crate) fn reduction(&self, depth: f64, count: f64) -> i32 {
        let [base, slope] = [self.reduction_base, self.reduction_slope].map(|n| f64::from(n) / 100.0);
        (base + libm::log(depth) * libm::log(count) / slope) as i32
    }

    /// Plies by which a reduced move is looked at more or less closely when it beats the best one by `margin`.
    pub(crate) fn second_look(&self, margin: i32, depth: i32) -> i32 {
        i32::from(margin > self.second_base + self.second_step * depth)
            - i32::from(margin < self.second_shallow)
    }

    /// What a cutoff at this depth adds to a history.
    pub(crate) fn bonus(&self, depth: i32) -> i32 {
        (self.bonus_step * depth - self.bonus_base).min(self.bonus_most)
    }

    /// What a futile search at this depth adds.
    pub(crate) fn malus(&self, depth: i32) -> i32 {
        -(self.malus_step * depth - self.malus_base).min(self.malus_most)
    }
}

// The root: windows around the last value, and time.

/// The last iteration that takes any value.
pub(crate) const ASPIRATION_AFTER: u32 = 4;
/// A window that had to grow beyond this is given up.
pub(crate) const WIDEST: i32 = 700;
/// A move that fails high at the root is confirmed by so many plies less at most.
pub(crate) const MOST_EASED: i32 = 3;
/// Moves of the root and plies after them up to which none is reduced.
pub(crate) const ROOT_REDUCTION_AFTER: (usize, i32) = (2, 2);

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

// Cuts before the moves.

/// The greatest depths of razoring and of reverse futility.
pub(crate) const RAZOR_DEPTH: i32 = 4;
pub(crate) const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// The least depth of a null move, and of one that is verified.
pub(crate) const NULL_MOVE_DEPTH: i32 = 3;
pub(crate) const VERIFIED_DEPTH: i32 = 14;
/// Plies without null moves of a verification to this depth.
pub(crate) fn verified_plies(depth: i32) -> usize {
    3 * depth.max(1) as usize / 4
}

/// The least depth of probcut, and how much less deep its searches and what it finds are.
pub(crate) const PROBCUT_DEPTH: i32 = 5;
pub(crate) const PROBCUT_REDUCTION: i32 = 4;
pub(crate) const PROBCUT_WORTH: i32 = 3;

// Moves that are left out.

/// The greatest depth at which late quiet moves are left out.
pub(crate) const LATE_MOVE_DEPTH: i32 = 8;
/// The greatest reduced depth of futility.
pub(crate) const FUTILITY_DEPTH: i32 = 8;
/// The greatest depth at which what a move did after others rules it out.
pub(crate) const CONTINUATION_DEPTH: i32 = 4;
/// The greatest depth at which captures may be left out, and the greatest reduced depth for quiet moves.
pub(crate) const BAD_CAPTURE_DEPTH: i32 = 6;
pub(crate) const BAD_QUIET_DEPTH: i32 = 8;
/// Answers to a check below the horizon before quiet ones are left out.
pub(crate) const EVASIONS: usize = 3;

// Moves that are searched deeper or less deep.

/// The least depth at which a singular move is sought, and how much less deep the table's value of it may be.
pub(crate) const SINGULAR_DEPTH: i32 = 7;
pub(crate) const SINGULAR_ENTRY: i32 = 3;
/// How often in a line a singular move is searched two plies deeper.
pub(crate) const MOST_DOUBLES: u32 = 6;
/// Plies for a move that is not singular, where the table expects a cutoff and where the parent does.
pub(crate) const NOT_SINGULAR: (i32, i32) = (-2, -1);
/// With several threads, less deep searches end before another one could make use of the wait.
pub(crate) const PUT_OFF_DEPTH: i32 = 5;

// What is learned on the way.

/// Histories stay within plus and minus this.
pub(crate) const HISTORY_LIMIT: i32 = 16_384;
/// Corrections of the static value stay within plus and minus this.
pub(crate) const CORRECTION_LIMIT: i32 = 1024;
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
