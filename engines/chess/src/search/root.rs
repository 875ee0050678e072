//! The root of the tree: deepening, windows around the last value, the lines to be shown, and when it is enough.

use std::time::Duration;

use ::search::{Aborted, Bound, Info, Line, Root, Score};

use super::reductions::reduction;
use super::worker::{MAX_PLY, NO_VALUE, Worker};
use crate::moves::Move;
use crate::position::Position;
use crate::syzygy::Verdict;

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
    /// What endgame tables promise it, if they know it.
    verdict: Option<Verdict>,
    pub score: i32,
    /// What the score says of the value.
    bound: Bound,
    pub pv: Vec<Move>,
    /// Nodes spent on it in this search.
    nodes: u64,
}

impl RootMove {
    /// A move that has not been searched.
    pub(super) fn new(m: Move, verdict: Option<Verdict>) -> Self {
        RootMove { m, verdict, score: -Score::INFINITE.0, bound: Bound::Lower, pv: vec![m], nodes: 0 }
    }

    /// The score to be shown: where the tables know the value, only a mate that was seen says more.
    fn shown(&self) -> Score {
        let found = Score(self.score);
        self.verdict.filter(|_| !found.is_decisive()).map_or(found, |verdict| verdict.score(0))
    }
}

/// The state of a deepening search; the best moves stand first, and none before one that the tables promise more.
pub(super) struct Deepening<'r> {
    pub root: &'r Root<Position>,
    pub moves: Vec<RootMove>,
    /// How many lines are wanted.
    pub lines: usize,
    /// The last finished iteration.
    pub depth: u32,
    /// Iterations that agreed on the best move.
    stable: u32,
    /// Its lines, and the best value of the iteration before it.
    last: Vec<RootMove>,
    before: Option<i32>,
}

impl<'r> Deepening<'r> {
    pub(super) fn new(root: &'r Root<Position>, moves: &[RootMove], lines: usize) -> Self {
        Deepening {
            root,
            moves: moves.to_vec(),
            lines: lines.clamp(1, moves.len()),
            depth: 0,
            stable: 0,
            last: Vec::new(),
            before: None,
        }
    }

    /// Whether the best line is news. An unfinished iteration counts if it put another move first that has not failed
    /// since; otherwise the lines of the last finished one are brought back.
    pub(super) fn settle(&mut self) -> bool {
        let best = &self.moves[0];
        let is_new = self.last.first().is_none_or(|last| last.m != best.m && best.bound != Bound::Upper);
        if !is_new {
            self.moves.clone_from(&self.last);
        }
        is_new
    }

    /// Where the moves end that the tables promise as much as the `line`-th.
    pub(super) fn end_of_equals(&self, line: usize) -> usize {
        let verdict = self.moves[line].verdict;
        line + self.moves[line..].iter().take_while(|found| found.verdict == verdict).count()
    }

    fn note_iteration(&mut self, depth: u32) {
        self.depth = depth;
        // A later line knows what the earlier ones left in the table and may turn out better.
        self.moves[..self.lines].sort_by_key(|found| std::cmp::Reverse((found.verdict, found.score)));
        let best = &self.moves[0];
        let agrees = self.last.first().is_some_and(|last| last.m == best.m);
        self.stable = if agrees { self.stable + 1 } else { 0 };
        self.before = self.last.first().map(|last| last.score);
        self.last = self.moves[..self.lines].to_vec();
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
            if score <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = if delta > WIDEST { widest.0 } else { (score - delta).max(widest.0) };
                eased = 0;
            } else if score >= beta {
                beta = if delta > WIDEST { widest.1 } else { (score + delta).min(widest.1) };
                // A failing-high move is confirmed soon enough a little less deep.
                eased = (eased + 1).min(3);
            } else {
                return Ok(());
            }
            delta += delta / 2;
            if self.index == 0 && self.shared.watch.clock.elapsed() > DETAILS_AFTER {
                report(&Info::Line(self.line(state, line, depth as u32)));
            }
        }
    }

    /// The root moves from the `line`-th on to which the tables promise as much, in one window; the best one moves to
    /// that place.
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
        for i in line..state.end_of_equals(line) {
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
                state.moves[i].bound = if score >= beta {
                    Bound::Lower
                } else if score > alpha {
                    Bound::Exact
                } else {
                    Bound::Upper
                };
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
                report(&Info::Line(self.line(state, line, depth)));
            }
        }
    }

    /// The `line`-th best line as it is now.
    pub(super) fn line(&self, state: &Deepening<'_>, line: usize, depth: u32) -> Line<Move> {
        let found = &state.moves[line];
        Line {
            depth,
            seldepth: self.sentry.seldepth as u32,
            multipv: line + 1,
            score: found.shown(),
            bound: found.bound,
            nodes: self.shared.watch.nodes(),
            time: self.shared.watch.clock.elapsed(),
            hashfull: self.shared.table.hashfull(),
            database_hits: self.shared.watch.database_hits(),
            pv: found.pv.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use ::search::{Clock, Control, Game, Limits, Stalls, Watch};

    use super::super::worker::Shared;
    use super::super::{Config, Searcher};
    use super::*;
    use crate::eval::Opinion;
    use crate::{Rules, tuning};

    fn start() -> Root<Position> {
        Root::new(Position::start(&Rules::default()))
    }

    fn unsearched(root: &Root<Position>) -> Vec<RootMove> {
        root.legal().into_iter().map(|m| RootMove::new(m, None)).collect()
    }

    #[test]
    fn a_move_that_failed_in_an_unfinished_iteration_is_not_played() {
        let root = start();
        let moves = root.legal();
        let settled = |bound: Bound| {
            let mut state = Deepening::new(&root, &unsearched(&root), 2);
            for (found, score) in state.moves.iter_mut().zip([20, 10]) {
                (found.score, found.bound) = (score, Bound::Exact);
            }
            state.note_iteration(3);
            state.moves.swap(0, 1);
            (state.moves[0].score, state.moves[0].bound) = (-90, bound);
            (state.settle(), state.moves[0].m, state.moves[0].score, state.moves[0].bound)
        };
        assert_eq!(settled(Bound::Upper), (false, moves[0], 20, Bound::Exact));
        assert_eq!(settled(Bound::Lower), (true, moves[1], -90, Bound::Lower));
        assert_eq!(settled(Bound::Exact), (true, moves[1], -90, Bound::Exact));
    }

    #[test]
    fn all_lines_of_an_unfinished_iteration_are_dropped_together() {
        let root = start();
        let mut state = Deepening::new(&root, &unsearched(&root), 2);
        for (found, score) in state.moves.iter_mut().zip([20, 10]) {
            found.score = score;
        }
        state.note_iteration(3);
        state.moves[1].score = 700;
        assert!(!state.settle());
        assert_eq!(state.moves.iter().map(|found| found.score).collect::<Vec<_>>(), [20, 10]);
    }

    #[test]
    fn a_score_outside_the_window_is_a_bound() {
        let root = start();
        let (limits, control, stalls) = (Limits::default(), Control::default(), Stalls::default());
        let clock = Clock::new(&limits, Duration::ZERO, &stalls);
        let watch = Watch::new(&limits, &control, clock, &stalls, 1);
        let mut searcher = Searcher::new(Config::default(), tuning::judge(Opinion::Full));
        searcher.ready();
        let (config, table) = (&searcher.config, &searcher.table);
        let shared = Shared { config, table, watch: &watch, tablebases: None, busy: None };
        let mut worker = Worker::new(&shared, &mut searcher.memories[0], &root, 0);
        for (window, bound) in
            [((600, 700), Bound::Upper), ((-700, -600), Bound::Lower), ((-600, 600), Bound::Exact)]
        {
            let mut state = Deepening::new(&root, &unsearched(&root), 1);
            worker.search_root(&mut state, 2, 0, window, &mut |_| {}).unwrap();
            assert_eq!(worker.line(&state, 0, 2).bound, bound, "{window:?}");
        }
    }
}
