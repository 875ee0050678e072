//! One node of the tree: draws and table, static value, pruning before the moves, the moves, what was learned.

use ::search::{Aborted, Bound, Eval, Game, Score, Table};

use super::cycles;
use super::worker::{MAX_PLY, NO_VALUE, Shared, Worker};
use crate::moves::Move;
use crate::position::Position;
use crate::tuning::search as tuning;
use ::search::table::Entry;

/// What a node knows before it tries its moves. All values are from the side to move.
#[derive(Clone)]
pub(super) struct Facts {
    pub alpha: i32,
    pub beta: i32,
    pub depth: i32,
    pub ply: usize,
    /// Whether the window and the parent's order make a cutoff likely.
    pub cut: bool,
    pub pv: bool,
    /// The table's key.
    pub key: u64,
    pub entry: Option<Entry>,
    pub table_move: Option<Move>,
    /// The move left out by a singular search.
    pub excluded: Option<Move>,
    /// The evaluation as computed, and corrected by history; `NO_VALUE` in check.
    pub raw: i32,
    pub corrected: i32,
    /// The best guess: the corrected value or, if it says more, the table's.
    pub guess: i32,
    /// Whether the side to move stands better than two plies ago.
    pub improving: bool,
}

impl<E: Eval<Position>> Worker<'_, E> {
    /// The value of a position within a window, from the side to move.
    pub(super) fn node<const PV: bool>(
        &mut self,
        p: &Position,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Result<i32, Aborted> {
        if depth <= 0 {
            return self.quiescence::<PV>(p, alpha, beta, 0, ply);
        }
        self.sentry.visit(ply)?;
        if PV {
            self.pv.clear(ply);
        }

        // Ends of the game.
        if self.is_drawn(p) {
            self.counters.terminal += 1;
            return Ok(Score::DRAW.0);
        }
        if ply >= MAX_PLY {
            self.counters.leaf += 1;
            return Ok(if p.in_check() { 0 } else { self.memory.eval.score(p).0 });
        }
        let config = self.shared.config;
        // Who can return to an earlier position can have at least a draw.
        if config.upcoming_repetition && alpha < 0 && cycles::can_repeat(p, &self.path, ply) {
            alpha = 0;
            if alpha >= beta {
                self.counters.terminal += 1;
                return Ok(alpha);
            }
        }
        // Mate distance: no line from here can beat a mate already found nearer the root.
        if config.mate_distance {
            alpha = alpha.max(Score::loss_in(ply as u32).0);
            beta = beta.min(Score::win_in(ply as u32 + 1).0);
            if alpha >= beta {
                self.counters.terminal += 1;
                return Ok(alpha);
            }
        }

        // What is known already.
        let key = p.key() ^ p.salt();
        let excluded = self.stack[ply].excluded;
        let entry = self.shared.table.probe(key);
        self.counters.look(entry.is_some());
        // No table cut near the fifty-move limit, where values depend on the way there.
        if let Some(entry) = entry
            && !PV
            && excluded.is_none()
            && config.table_cutoffs
            && entry.depth >= depth
            && p.quiet() < tuning::TABLE_QUIET
        {
            let score = from_table(entry.score, ply);
            if matches_bound(entry.bound, score, beta) {
                self.reward_table_move(p, entry, score, beta, depth, ply);
                self.counters.table_cut += 1;
                return Ok(score);
            }
        }
        if excluded.is_none()
            && let Some(score) = self.probe_tablebases(p, alpha, beta, depth, ply)
        {
            self.counters.database += 1;
            return Ok(score);
        }
        self.counters.inner += 1;

        let table_move = entry.and_then(|e| unpack(e.best));
        let mut facts = Facts {
            alpha,
            beta,
            depth,
            ply,
            cut,
            pv: PV,
            key,
            entry,
            table_move,
            excluded,
            raw: NO_VALUE,
            corrected: NO_VALUE,
            guess: NO_VALUE,
            improving: false,
        };
        self.evaluate(p, &mut facts);
        self.stack[ply + 1].killers = [None; 2];
        self.stack[ply + 1].excluded = None;
        self.stack[ply].doubles = if ply > 0 { self.stack[ply - 1].doubles } else { 0 };

        if !PV
            && !p.in_check()
            && excluded.is_none()
            && let Some(score) = self.prune_before_moves(p, &facts)?
        {
            return Ok(score);
        }
        // Internal iterative reduction: without a move to try first, a full search is wasteful.
        let unknown = facts.table_move.is_none() && facts.depth >= tuning::INTERNAL_REDUCTION_DEPTH;
        if config.internal_reduction && (PV || cut) && unknown {
            facts.depth -= 1;
        }
        // Check extension: an answer to a check is forced, and a check must not push a threat over the horizon.
        if config.check_extension && p.in_check() && ply < 2 * self.root_depth as usize {
            facts.depth += 1;
        }
        self.search_moves::<PV>(p, &mut facts)
    }

    /// Fills in the static values.
    fn evaluate(&mut self, p: &Position, facts: &mut Facts) {
        let ply = facts.ply;
        if p.in_check() {
            self.stack[ply].value = NO_VALUE;
            return;
        }
        let known = facts.entry.and_then(|entry| entry.eval);
        facts.raw = known.unwrap_or_else(|| self.memory.eval.score(p)).0;
        facts.corrected = self.corrected(p, facts.raw);
        facts.guess = facts.corrected;
        self.stack[ply].value = facts.corrected;
        if let Some(entry) = facts.entry {
            let score = from_table(entry.score, ply);
            if matches_bound(entry.bound, score, facts.guess + 1) && !Score(score).is_decisive() {
                facts.guess = score;
            }
        }
        let before = |back: usize| ply.checked_sub(back).map_or(NO_VALUE, |i| self.stack[i].value);
        // A side whose static value rises is likelier to fail high; margins and reductions depend on it.
        facts.improving = match (before(2), before(4)) {
            (NO_VALUE, NO_VALUE) => true,
            (NO_VALUE, older) => facts.corrected > older,
            (old, _) => facts.corrected > old,
        };
    }

    /// The static value with its correction, fading as the fifty-move counter grows.
    pub(super) fn corrected(&self, p: &Position, raw: i32) -> i32 {
        let Shared { config, numbers, .. } = self.shared;
        let correction = if config.correction_history { self.memory.histories.correction(p) } else { 0 };
        (numbers.faded(raw, p.quiet()) + correction / numbers.correction)
            .clamp(-Score::OPINION.0, Score::OPINION.0)
    }

    /// A quiet move of the table that cuts again is worth remembering.
    fn reward_table_move(
        &mut self,
        p: &Position,
        entry: Entry,
        score: i32,
        beta: i32,
        depth: i32,
        ply: usize,
    ) {
        if let Some(m) = unpack(entry.best)
            && score >= beta
            && p.is_legal(m)
            && !p.is_noisy(m)
        {
            let context = self.context(ply);
            self.memory.histories.note_quiet(p, m, &context, self.shared.numbers.bonus(depth));
        }
    }

    /// Cuts that need no move of this node: razoring, reverse futility, null move, probcut.
    fn prune_before_moves(&mut self, p: &Position, facts: &Facts) -> Result<Option<i32>, Aborted> {
        let Shared { config, numbers, .. } = self.shared;
        let Facts { alpha, beta, depth, ply, guess, .. } = *facts;

        // Razoring: so far below the window that only captures could help (Birmingham and Kent, 1977).
        if config.razoring && depth <= tuning::RAZOR_DEPTH && guess + numbers.razor_margin(depth) < alpha {
            let score = self.quiescence::<false>(p, alpha, alpha + 1, 0, ply)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }

        // Reverse futility: so far above it that the opponent's best reply will not matter.
        if config.reverse_futility
            && depth <= tuning::REVERSE_FUTILITY_DEPTH
            && guess - numbers.reverse_futility_margin(depth, facts.improving) >= beta
            && guess < Score::OPINION.0
            && beta > -Score::DECISIVE.0
        {
            return Ok(Some((guess + beta) / 2));
        }

        if config.null_move
            && let Some(score) = self.null_move(p, facts)?
        {
            return Ok(Some(score));
        }

        // ProbCut: a capture that beats the window by a margin at low depth will beat it at full depth (Buro, 1995).
        if config.probcut && depth >= tuning::PROBCUT_DEPTH && beta.abs() < Score::OPINION.0 {
            return self.probcut(p, facts);
        }
        Ok(None)
    }

    /// Null move: if passing still fails high, a real move will too (Beal, 1989). Not where passing may be best.
    fn null_move(&mut self, p: &Position, facts: &Facts) -> Result<Option<i32>, Aborted> {
        let Facts { beta, depth, ply, guess, .. } = *facts;
        let allowed = depth >= tuning::NULL_MOVE_DEPTH
            && guess >= beta
            && facts.corrected >= beta - self.shared.numbers.null_move_margin(depth)
            && beta > -Score::DECISIVE.0
            && ply >= self.null_from
            && p.has_pieces(p.turn())
            && (ply == 0 || self.stack[ply - 1].slot.is_some());
        if !allowed {
            return Ok(None);
        }
        let reduced = self.shared.numbers.null_move_depth(depth, guess - beta);
        let child = self.pass(p, ply);
        let score = self.node::<false>(&child, -beta, -beta + 1, reduced, ply + 1, !facts.cut);
        self.ascend();
        let score = -score?;
        if score < beta {
            return Ok(None);
        }
        let score = if Score(score).is_decisive() { beta } else { score };
        if depth < tuning::VERIFIED_DEPTH || self.null_from > 0 {
            return Ok(Some(score));
        }
        // Deep cuts are verified without null moves, against zugzwang.
        self.null_from = ply + tuning::verified_plies(reduced);
        let verified = self.node::<false>(p, beta - 1, beta, reduced, ply, false);
        self.null_from = 0;
        Ok((verified? >= beta).then_some(score))
    }

    fn probcut(&mut self, p: &Position, facts: &Facts) -> Result<Option<i32>, Aborted> {
        let Facts { beta, depth, ply, .. } = *facts;
        let target = beta + self.shared.numbers.probcut_margin(facts.improving);
        let worth = depth - tuning::PROBCUT_WORTH;
        let known_worse = facts.entry.is_some_and(|e| e.depth >= worth && from_table(e.score, ply) < target);
        if known_worse {
            return Ok(None);
        }
        let threshold = target - facts.corrected;
        let mut picker = super::picker::Picker::noisy(p, facts.table_move, threshold, self.take_buffers());
        while let Some(m) = picker.next(p, &self.memory.histories, self.shared.config) {
            let child = self.descend(p, m, ply);
            let mut score = self.quiescence::<false>(&child, -target, -target + 1, -1, ply + 1).map(|s| -s);
            if score.is_ok_and(|score| score >= target) {
                score = self
                    .node::<false>(
                        &child,
                        -target,
                        -target + 1,
                        depth - tuning::PROBCUT_REDUCTION,
                        ply + 1,
                        !facts.cut,
                    )
                    .map(|s| -s);
            }
            self.ascend();
            let score = score?;
            if score >= target {
                self.buffers.push(picker.release());
                to_table(self.shared.table, facts.key, Some(m), score, facts.raw, worth, Bound::Lower, ply);
                return Ok(Some(score));
            }
        }
        self.buffers.push(picker.release());
        Ok(None)
    }
}

/// The move of a packed number.
#[inline]
pub(super) fn unpack(number: u32) -> Option<Move> {
    (number != 0).then(|| Move::from_number(number as u16))
}

/// A table's score seen from the root.
#[inline]
pub(super) fn from_table(score: Score, ply: usize) -> i32 {
    score.to_root(ply as u32).0
}

/// Whether a bound decides a zero window that ends at `beta`.
#[inline]
pub(super) fn matches_bound(bound: Bound, score: i32, beta: i32) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score < beta,
    }
}

/// Remembers what was found.
#[allow(clippy::too_many_arguments)] // One call stands for the whole entry.
pub(super) fn to_table(
    table: &Table,
    key: u64,
    best: Option<Move>,
    score: i32,
    raw: i32,
    depth: i32,
    bound: Bound,
    ply: usize,
) {
    let entry = Entry {
        best: best.map_or(0, |m| u32::from(m.number())),
        score: Score(score).from_root(ply as u32),
        eval: (raw != NO_VALUE).then_some(Score(raw)),
        depth,
        bound,
    };
    table.store(key, entry);
}
