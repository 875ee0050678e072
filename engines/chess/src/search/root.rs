//! The root of the tree: deepening, windows around the last value, the lines to be shown, and when it is enough.

use std::time::Duration;

use ::search::{Aborted, Bound, Info, Line, Root, Score, settle};

use super::reductions::reduction;
use super::worker::{MAX_PLY, NO_VALUE, Worker};
use crate::moves::Move;
use crate::position::Position;

/// Half the width of the first window around the last value.
const WINDOW: i32 = 14;
/// A window that had to grow beyond this is given up.
const WIDEST: i32 = 700;
/// What people may want to see only of long searches: bounds, and the move being looked at.
const DETAILS_AFTER: Duration = Duration::from_secs(3);

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub m: Move,
    pub score: i32,
    pub pv: Vec<Move>,
    /// Nodes spent on it in this search.
    nodes: u64,
}

/// The state of a deepening search; the best moves stand first.
pub(super) struct Deepening<'r> {
    pub root: &'r Root<Position>,
    pub moves: Vec<RootMove>,
    /// How many lines are wanted.
    pub lines: usize,
    /// The last finished iteration.
    pub depth: u32,
    /// Iterations that agreed on the best move.
    stable: u32,
    /// Its best move, and the value of the iteration before it.
    last: Option<RootMove>,
    before: Option<i32>,
}

impl<'r> Deepening<'r> {
    pub(super) fn new(root: &'r Root<Position>, moves: &[Move], lines: usize) -> Self {
        let fresh = |&m: &Move| RootMove { m, score: -Score::INFINITE.0, pv: vec![m], nodes: 0 };
        Deepening {
            root,
            moves: moves.iter().map(fresh).collect(),
            lines: lines.clamp(1, moves.len()),
            depth: 0,
            stable: 0,
            last: None,
            before: None,
        }
    }

    /// Whether an unfinished iteration put another move first; one that did not leaves the line that was shown.
    pub(super) fn settle(&mut self) -> bool {
        settle(&mut self.moves[0], self.last.as_ref(), |a, b| a.m == b.m)
    }

    fn note_iteration(&mut self, depth: u32) {
        self.depth = depth;
        // A later line knows what the earlier ones left in the table and may turn out better.
        self.moves[..self.lines].sort_by_key(|found| std::cmp::Reverse(found.score));
        let best = &self.moves[0];
        let agrees = self.last.as_ref().is_some_and(|last| last.m == best.m);
        self.stable = if agrees { self.stable + 1 } else { 0 };
        self.before = self.last.as_ref().map(|last| last.score);
        self.last = Some(best.clone());
    }
}

impl Worker<'_> {
    /// Searches deeper and deeper until a limit is reached.
    pub(super) fn deepen(&mut self, state: &mut Deepening<'_>, report: &mut dyn FnMut(&Info<Move>)) {
        let limits = self.shared.watch.limits;
        let last = limits.depth.map_or(MAX_PLY as u32 / 2, |d| d.clamp(1, MAX_PLY as u32 / 2));
        // Helpers start apart, so that they fill the table ahead of the first worker.
        let first = 1 + (self.index % 2) as u32;
        for depth in first..=last.max(first) {
            self.root_depth = depth as i32;
            for line in 0..state.lines {
                self.sentry.seldepth = 0;
                if self.iterate(state, depth as i32, line, report).is_err() {
                    return;
                }
                self.sentry.commit();
            }
            state.note_iteration(depth);
            self.show(state, depth, report);
            if self.index == 0 && self.is_enough(state) {
                return;
            }
        }
    }

    /// One iteration for the `line`-th best move.
    fn iterate(
        &mut self,
        state: &mut Deepening<'_>,
        depth: i32,
        line: usize,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Result<(), Aborted> {
        let guess = state.moves[line].score;
        let widest = (-Score::INFINITE.0, Score::INFINITE.0);
        let narrow = self.shared.config.aspiration && depth > 4 && !Score(guess).is_decisive();
        let mut delta = WINDOW + guess.abs() / 100;
        let (mut alpha, mut beta) = if narrow { (guess - delta, guess + delta) } else { widest };
        let mut eased = 0;
        loop {
            let score = self.search_root(state, (depth - eased).max(1), line, (alpha, beta), report)?;
            let bound = if score <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = if delta > WIDEST { widest.0 } else { (score - delta).max(widest.0) };
                eased = 0;
                Bound::Upper
            } else if score >= beta {
                beta = if delta > WIDEST { widest.1 } else { (score + delta).min(widest.1) };
                // A failing-high move is confirmed soon enough a little less deep.
                eased = (eased + 1).min(3);
                Bound::Lower
            } else {
                return Ok(());
            };
            delta += delta / 2;
            if self.index == 0 && self.shared.watch.clock.elapsed() > DETAILS_AFTER {
                report(&Info::Line(self.line(state, line, depth as u32, bound)));
            }
        }
    }

    /// All root moves from the `line`-th on in one window; the best one moves to that place.
    fn search_root(
        &mut self,
        state: &mut Deepening<'_>,
        depth: i32,
        line: usize,
        (mut alpha, beta): (i32, i32),
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Result<i32, Aborted> {
        let p = state.root.position();
        self.sentry.visit(0)?;
        self.stack[0].value = if p.in_check() {
            NO_VALUE
        } else {
            let raw = self.memory.judge.value(p);
            self.corrected(p, raw)
        };
        self.stack[1].killers = [None; 2];
        let mut best = -Score::INFINITE.0;
        for i in line..state.moves.len() {
            let m = state.moves[i].m;
            if self.index == 0 && self.shared.watch.clock.elapsed() > DETAILS_AFTER {
                report(&Info::Current(m, i + 1));
            }
            let before = self.sentry.nodes();
            let child = self.descend(p, m, 0);
            let score = self.root_move(&child, depth - 1, (alpha, beta), i - line, p.is_noisy(m));
            self.ascend();
            let score = score?;
            state.moves[i].nodes += self.sentry.nodes() - before;
            best = best.max(score);
            if i == line || score > alpha {
                self.update_pv(m, 0);
                state.moves[i].score = score;
                state.moves[i].pv.clone_from(&self.stack[0].pv);
                state.moves[line..=i].rotate_right(1);
                alpha = alpha.max(score);
            }
            if score >= beta {
                break;
            }
        }
        Ok(best)
    }

    fn root_move(
        &mut self,
        child: &Position,
        depth: i32,
        (alpha, beta): (i32, i32),
        number: usize,
        noisy: bool,
    ) -> Result<i32, Aborted> {
        if number > 0 {
            let reduces = self.shared.config.late_move_reductions && number > 2 && depth > 2 && !noisy;
            let reduced = if reduces { (reduction(depth, number) - 1).max(0) } else { 0 };
            let mut score = -self.node::<false>(child, -alpha - 1, -alpha, depth - reduced, 1, true)?;
            if score > alpha && reduced > 0 {
                score = -self.node::<false>(child, -alpha - 1, -alpha, depth, 1, false)?;
            }
            if score <= alpha || score >= beta {
                // The line of a move that fails high is not known yet.
                self.stack[1].pv.clear();
                return Ok(score);
            }
        }
        Ok(-self.node::<true>(child, -beta, -alpha, depth, 1, false)?)
    }

    /// Whether another iteration is not worth its time.
    fn is_enough(&self, state: &Deepening<'_>) -> bool {
        let watch = self.shared.watch;
        let best = &state.moves[0];
        let ends = |found: &RootMove| Score(found.score).plies_to_end();
        let wanted =
            |plies: i32| watch.limits.mate.is_some_and(|moves| plies > 0 && plies as u32 <= 2 * moves);
        // Deeper searches of a forced end find nothing new and flood the screen.
        let explored = |plies: i32| state.depth as i32 > 2 * plies.abs() + 6;
        if ends(best).is_some_and(wanted)
            || state.moves[..state.lines].iter().all(|found| ends(found).is_some_and(explored))
        {
            return true;
        }
        if state.moves.len() == 1 && watch.limits.clock.is_some() && !watch.control.pondering() {
            return true;
        }
        watch.clock.satisfied(watch.control, self.share(state))
    }

    /// The part of the soft time bound to spend: less when the move is settled, more when the value falls.
    fn share(&self, state: &Deepening<'_>) -> f64 {
        let best = &state.moves[0];
        let settled = [1.45, 1.15, 0.95, 0.85, 0.78, 0.72][state.stable.min(5) as usize];
        let fall = state.before.map_or(0, |before| (before - best.score).clamp(-20, 60));
        let falling = 1.0 + f64::from(fall) / 100.0;
        let effort = best.nodes as f64 / self.sentry.nodes().max(1) as f64;
        settled * falling * (1.75 - effort) * 0.8
    }

    /// Shows all lines of an iteration together, best first.
    fn show(&self, state: &Deepening<'_>, depth: u32, report: &mut dyn FnMut(&Info<Move>)) {
        if self.index == 0 {
            self.sentry.publish();
            for line in 0..state.lines {
                report(&Info::Line(self.line(state, line, depth, Bound::Exact)));
            }
        }
    }

    /// The `line`-th best line as it is now.
    pub(super) fn line(&self, state: &Deepening<'_>, line: usize, depth: u32, bound: Bound) -> Line<Move> {
        let found = &state.moves[line];
        Line {
            depth,
            seldepth: self.sentry.seldepth as u32,
            multipv: line + 1,
            score: Score(found.score),
            bound,
            nodes: self.shared.watch.nodes(),
            time: self.shared.watch.clock.elapsed(),
            hashfull: self.shared.table.hashfull(),
            database_hits: self.shared.watch.database_hits(),
            pv: found.pv.clone(),
        }
    }
}
