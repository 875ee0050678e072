//! The root of the tree: deepening, windows around the last value, and the lines to be shown.

use super::config::Driver;
use super::node::Window;
use super::worker::{MAX_PLY, Worker};
use crate::{Aborted, Bound, Eval, Game, Info, Line, Root, Score};

/// Iterations that must agree before a move counts as easy.
const EASY_ITERATIONS: u32 = 6;
/// Values this close count as the same.
const EASY_MARGIN: i32 = 15;
/// A window that had to grow beyond this is given up.
const WIDEST: i32 = 800;

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub m: M,
    pub score: Score,
    /// What the score says of the value.
    pub bound: Bound,
    pub pv: Vec<M>,
    /// Bounds of the current iteration, for the MTD family.
    pub bounds: Window,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn new(m: M) -> Self {
        RootMove { m, score: Window::FULL.alpha, bound: Bound::Lower, pv: vec![m], bounds: Window::FULL }
    }
}

/// The state of a deepening search; the best moves stand first.
pub(super) struct Deepening<'r, G: Game> {
    pub root: &'r Root<G>,
    pub moves: Vec<RootMove<G::Move>>,
    /// How many lines are wanted.
    pub lines: usize,
    /// The last finished iteration.
    pub depth: u32,
    stable: u32,
    /// Its lines.
    last: Vec<RootMove<G::Move>>,
}

impl<'r, G: Game> Deepening<'r, G> {
    pub(super) fn new(root: &'r Root<G>, moves: &[G::Move], lines: usize) -> Self {
        Deepening {
            root,
            moves: moves.iter().copied().map(RootMove::new).collect(),
            lines: lines.clamp(1, moves.len()),
            depth: 0,
            stable: 0,
            last: Vec::new(),
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

    /// Counts iterations that agree on move and value.
    pub(super) fn note_iteration(&mut self, depth: u32) {
        self.depth = depth;
        // A later line knows what the earlier ones left in the table and may turn out better.
        self.moves[..self.lines].sort_by_key(|found| std::cmp::Reverse(found.score));
        let best = &self.moves[0];
        let agrees = self
            .last
            .first()
            .is_some_and(|last| last.m == best.m && (last.score.0 - best.score.0).abs() <= EASY_MARGIN);
        self.stable = if agrees { self.stable + 1 } else { 0 };
        self.last = self.moves[..self.lines].to_vec();
    }

    /// The part of the soft time bound after which no new iteration is begun: it takes longer than all before it
    /// together, and is worth less the longer they have agreed.
    fn share(&self, easy_move: bool) -> f64 {
        match self.stable {
            0 => 0.9,
            stable if easy_move && stable >= EASY_ITERATIONS => 0.3,
            _ => 0.6,
        }
    }
}

impl<G: Game, E: Eval<G>> Worker<'_, G, E> {
    /// Searches deeper and deeper until a limit is reached.
    pub(super) fn deepen(&mut self, state: &mut Deepening<'_, G>, report: &mut dyn FnMut(&Info<G::Move>)) {
        let limits = self.shared.watch.limits;
        let last = limits.depth.map_or(MAX_PLY as u32, |d| d.clamp(1, MAX_PLY as u32));
        // Helpers start apart, so that they fill the table ahead of the first worker.
        let stagger = (self.index % 2) as u32;
        let first = if self.shared.config.deepening || limits.depth.is_none() { 1 + stagger } else { last };
        // Only a first iteration of one ply is short enough to be finished whatever happens.
        if first > 1 {
            self.sentry.commit();
        }
        let plain = self.shared.config.driver == Driver::Window && state.lines == 1;
        if let Some(delta) = self.shared.config.sliding.filter(|_| plain) {
            // An end before the limit leaves the best move found so far.
            let _ = self.slide(state, first..=last, delta, report);
            return;
        }
        for depth in first..=last {
            for line in 0..state.lines {
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
        state: &mut Deepening<'_, G>,
        depth: i32,
        line: usize,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Result<Score, Aborted> {
        if let Driver::Mtd(kind) = self.shared.config.driver {
            return self.mtd(state, depth, line, kind, report);
        }
        let guess = state.moves[line].score;
        let delta = self.shared.config.aspiration.filter(|_| depth > 3 && !guess.is_decisive());
        let Some(mut delta) = delta else {
            return self.search_root(state, depth, line, Window::FULL, report);
        };
        let mut window = Window { alpha: guess - delta, beta: guess + delta };
        loop {
            let score = self.search_root(state, depth, line, window, report)?;
            delta *= 3;
            if score <= window.alpha {
                window.alpha = if delta > WIDEST { Window::FULL.alpha } else { score - delta };
            } else if score >= window.beta {
                window.beta = if delta > WIDEST { Window::FULL.beta } else { score + delta };
            } else {
                return Ok(score);
            }
            report(&Info::Line(self.line(state, line, depth as u32)));
        }
    }

    /// All root moves from the `line`-th on in one window; the best one moves to that place.
    pub(super) fn search_root(
        &mut self,
        state: &mut Deepening<'_, G>,
        depth: i32,
        line: usize,
        mut window: Window,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Result<Score, Aborted> {
        let position = state.root.position();
        let prunes = self.shared.config.driver != Driver::Minimax;
        self.sentry.visit(0)?;
        let mut best = Window::FULL.alpha;
        for i in line..state.moves.len() {
            let m = state.moves[i].m;
            report(&Info::Current(m, i + 1));
            let child = self.descend(position, m, 0);
            let score = self.root_move(&child, depth - 1, window, i > line);
            self.ascend();
            let score = score?;
            let found = &mut state.moves[i].bounds;
            if score > window.alpha {
                found.alpha = found.alpha.max(score);
            } else {
                found.beta = found.beta.min(score);
            }
            best = best.max(score);
            if i == line || score > window.alpha {
                self.update_pv(m, 0);
                state.moves[i].score = score;
                state.moves[i].bound = if score >= window.beta {
                    Bound::Lower
                } else if score > window.alpha {
                    Bound::Exact
                } else {
                    Bound::Upper
                };
                state.moves[i].pv.clone_from(&self.stack[0].pv);
                state.moves[line..=i].rotate_right(1);
                window.alpha = window.alpha.max(score);
            }
            if score >= window.beta && prunes {
                break;
            }
        }
        Ok(best)
    }

    fn root_move(&mut self, child: &G, depth: i32, window: Window, scout: bool) -> Result<Score, Aborted> {
        if self.shared.config.driver == Driver::Minimax {
            return Ok(-self.node(child, depth, Window::FULL, 1)?);
        }
        if scout && self.shared.config.pvs {
            let score = -self.node(child, depth, Window::zero(window.alpha + 1).turned(), 1)?;
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        Ok(-self.node(child, depth, window.turned(), 1)?)
    }

    /// Whether another iteration is not worth its time.
    pub(super) fn is_enough(&self, state: &Deepening<'_, G>) -> bool {
        let watch = self.shared.watch;
        let ends = |found: &RootMove<G::Move>| found.score.plies_to_end();
        let wanted = |plies: i32| {
            watch.limits.mate.is_some_and(|moves| plies > 0 && plies as u32 <= moves.saturating_mul(2))
        };
        // Deeper searches of a forced end find nothing new and flood the screen.
        let explored = |plies: i32| state.depth as i32 > 2 * plies.abs() + 4;
        if ends(&state.moves[0]).is_some_and(wanted)
            || state.moves[..state.lines].iter().all(|found| ends(found).is_some_and(explored))
        {
            return true;
        }
        if state.moves.len() == 1 && watch.limits.clock.is_some() && !watch.control.pondering() {
            return true;
        }
        watch.clock.satisfied(watch.control, state.share(self.shared.config.easy_move))
    }

    /// Shows all lines of an iteration together, best first.
    pub(super) fn show(&self, state: &Deepening<'_, G>, depth: u32, report: &mut dyn FnMut(&Info<G::Move>)) {
        self.sentry.publish();
        for line in 0..state.lines {
            report(&Info::Line(self.line(state, line, depth)));
        }
    }

    /// The `line`-th best line as it is now.
    pub(super) fn line(&self, state: &Deepening<'_, G>, line: usize, depth: u32) -> Line<G::Move> {
        let found = &state.moves[line];
        Line {
            depth,
            seldepth: self.sentry.seldepth as u32,
            multipv: line + 1,
            score: found.score,
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
    use std::time::Duration;

    use super::super::worker::Shared;
    use super::super::{AlphaBeta, Config};
    use super::*;
    use crate::testing::{Pile, Size, Values};
    use crate::{Clock, Control, Limits, Stalls, Watch};

    /// A search for two lines that has finished an iteration with these scores.
    fn finished(root: &Root<Pile>, scores: [i32; 2]) -> Deepening<'_, Pile> {
        let mut state = Deepening::new(root, &[1, 2, 3], 2);
        for (found, score) in state.moves.iter_mut().zip(scores) {
            (found.score, found.bound) = (Score(score), Bound::Exact);
        }
        state.note_iteration(3);
        state
    }

    #[test]
    fn a_move_that_failed_in_an_unfinished_iteration_is_not_played() {
        let root = Root::new(Pile::start(&Size::default()));
        let settled = |bound: Bound| {
            let mut state = finished(&root, [20, 10]);
            state.moves.swap(0, 1);
            (state.moves[0].score, state.moves[0].bound) = (Score(-90), bound);
            (state.settle(), state.moves[0].m, state.moves[0].score, state.moves[0].bound)
        };
        assert_eq!(settled(Bound::Upper), (false, 1, Score(20), Bound::Exact));
        assert_eq!(settled(Bound::Lower), (true, 2, Score(-90), Bound::Lower));
        assert_eq!(settled(Bound::Exact), (true, 2, Score(-90), Bound::Exact));
    }

    #[test]
    fn lines_stand_by_their_scores_and_are_dropped_together() {
        let root = Root::new(Pile::start(&Size::default()));
        let mut state = finished(&root, [10, 20]);
        let lines = |state: &Deepening<'_, Pile>| [0, 1].map(|i| (state.moves[i].m, state.moves[i].score.0));
        assert_eq!(lines(&state), [(2, 20), (1, 10)]);
        state.moves[1].score = Score(700);
        assert!(!state.settle());
        assert_eq!(lines(&state), [(2, 20), (1, 10)]);
    }

    #[test]
    fn a_score_outside_the_window_is_a_bound() {
        let root = Root::new(Pile::start(&Size::default()));
        let (limits, control, stalls) = (Limits::default(), Control::default(), Stalls::default());
        let clock = Clock::new(&limits, Duration::ZERO, &stalls);
        let watch = Watch::new(&limits, &control, clock, &stalls, 1);
        let mut player = AlphaBeta::new(Config::default(), Values(vec![0.0; 14]));
        player.ready::<Pile>();
        let shared = Shared { config: &player.config, table: &player.table, watch: &watch, busy: None };
        let mut worker = Worker::new(&shared, &mut player.memories[0], &root, 0);
        for (alpha, beta, bound) in
            [(600, 700, Bound::Upper), (-700, -600, Bound::Lower), (-600, 600, Bound::Exact)]
        {
            let window = Window { alpha: Score(alpha), beta: Score(beta) };
            let mut state = Deepening::new(&root, &root.legal(), 1);
            worker.search_root(&mut state, 2, 0, window, &mut |_| {}).unwrap();
            assert_eq!(worker.line(&state, 0, 2).bound, bound, "{window:?}");
        }
    }

    #[test]
    fn a_move_that_stays_best_is_played_early() {
        let root = Root::new(Pile::start(&Size::default()));
        let mut state = Deepening::new(&root, &[1, 2, 3], 1);
        state.moves[0].score = Score(10);
        let shares: Vec<f64> = (1..10)
            .map(|depth| {
                state.note_iteration(depth);
                state.share(true)
            })
            .collect();
        assert!(shares.is_sorted_by(|a, b| a >= b) && shares[0] > 0.8 && shares[8] < 0.4, "{shares:?}");
        assert!(state.share(false) > 0.5, "the switch is off");
        state.moves[0].score = Score(500);
        state.note_iteration(10);
        assert!(state.share(true) > 0.8, "another value is news");
    }
}
