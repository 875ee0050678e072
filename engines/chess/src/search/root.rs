//! The root of the tree: in which windows an iteration searches, and how long another one may take.

use std::time::Duration;

use ::search::deepening::{Deepener, Deepening};
use ::search::pv::Pv;
use ::search::{Aborted, Eval, Info, Score, Sentry, Table, Window};

use super::worker::{MAX_PLY, NO_VALUE, Worker};
use crate::moves::Move;
use crate::position::Position;
use crate::tuning::search as tuning;

impl<'a, E: Eval<Position>> Deepener<'a, Position> for Worker<'a, E> {
    const DEEPEST: u32 = MAX_PLY as u32 / 2;
    const BEYOND_END: u32 = 6;
    const DETAILS_AFTER: Duration = Duration::from_secs(3);

    fn sentry(&self) -> &Sentry<'a> {
        &self.sentry
    }

    fn sentry_mut(&mut self) -> &mut Sentry<'a> {
        &mut self.sentry
    }

    fn table(&self) -> &Table {
        self.shared.table
    }

    fn pv(&self) -> &Pv<Move> {
        &self.pv
    }

    fn iterate(
        &mut self,
        state: &mut Deepening<'_, Position>,
        depth: u32,
        line: usize,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Result<(), Aborted> {
        self.root_depth = depth as i32;
        self.sentry.seldepth = 0;
        // Aspiration: values change little from one iteration to the next, and a narrow window cuts more.
        let guess = state.moves[line].score;
        let narrow =
            self.shared.config.aspiration && depth > tuning::ASPIRATION_AFTER && !guess.is_decisive();
        let mut delta = self.shared.numbers.window(guess.0);
        let mut window = if narrow { Window::around(guess, delta) } else { Window::FULL };
        let mut eased = 0;
        loop {
            let score = self.search_root(state, (depth as i32 - eased).max(1), line, window, report)?;
            if score <= window.alpha {
                window.beta = Score(i32::midpoint(window.alpha.0, window.beta.0));
                window.alpha = if delta > tuning::WIDEST {
                    Window::FULL.alpha
                } else {
                    (score - delta).max(Window::FULL.alpha)
                };
                eased = 0;
            } else if score >= window.beta {
                window.beta = if delta > tuning::WIDEST {
                    Window::FULL.beta
                } else {
                    (score + delta).min(Window::FULL.beta)
                };
                // A failing-high move is confirmed soon enough a little less deep.
                eased = (eased + 1).min(tuning::MOST_EASED);
            } else {
                return Ok(());
            }
            delta += delta / 2;
            self.show_bound(state, line, depth, report);
        }
    }

    fn root_move(
        &mut self,
        p: &Position,
        m: Move,
        number: usize,
        depth: i32,
        window: Window,
    ) -> Result<Score, Aborted> {
        if number == 0 {
            self.enter_root(p);
        }
        let child = self.descend(p, m, 0);
        let (moves, plies) = tuning::ROOT_REDUCTION_AFTER;
        let late = number > moves && depth > plies && !p.is_noisy(m);
        let reduces = self.shared.config.late_move_reductions && late;
        let reduced = if reduces { (self.shared.reductions.plies(depth, number) - 1).max(0) } else { 0 };
        let score = self.root_child(&child, number, (depth, reduced), (window.alpha.0, window.beta.0));
        self.ascend();
        score.map(Score)
    }

    fn is_late(&self, state: &Deepening<'_, Position>) -> bool {
        let watch = self.shared.watch;
        let best = &state.moves[0];
        let fall = state.bests.iter().rev().nth(1).map_or(0, |(_, before)| before.0 - best.score.0);
        let effort = best.nodes as f64 / self.sentry.nodes().max(1) as f64;
        watch.clock.satisfied(watch.control, tuning::share(state.agreed(|_, _| true), fall, effort))
    }
}

impl<E: Eval<Position>> Worker<'_, E> {
    /// What the nodes below ask about the root.
    fn enter_root(&mut self, p: &Position) {
        self.stack[0].value = if p.in_check() {
            NO_VALUE
        } else {
            let raw = self.memory.eval.score(p).0;
            self.corrected(p, raw)
        };
        self.stack[1].killers = [None; 2];
    }

    fn root_child(
        &mut self,
        child: &Position,
        number: usize,
        (depth, reduced): (i32, i32),
        (alpha, beta): (i32, i32),
    ) -> Result<i32, Aborted> {
        if number > 0 {
            let mut score = -self.node::<false>(child, -alpha - 1, -alpha, depth - reduced, 1, true)?;
            if score > alpha && reduced > 0 {
                score = -self.node::<false>(child, -alpha - 1, -alpha, depth, 1, false)?;
            }
            if score <= alpha || score >= beta {
                // The line of a move that fails high is not known yet.
                self.pv.clear(1);
                return Ok(score);
            }
        }
        Ok(-self.node::<true>(child, -beta, -alpha, depth, 1, false)?)
    }
}

#[cfg(test)]
mod tests {
    use ::search::deepening::RootMove;
    use ::search::{Bound, Clock, Control, Game, Limits, Root, Stalls, Watch};

    use super::super::worker::Shared;
    use super::super::{Config, Searcher};
    use super::*;
    use crate::{Evaluation, Rules};

    #[test]
    fn a_score_outside_the_window_is_a_bound() {
        let root = Root::new(Position::start(&Rules::default()));
        let (limits, control, stalls) = (Limits::default(), Control::default(), Stalls::default());
        let clock = Clock::new(&limits, std::time::Instant::now(), Duration::ZERO, &stalls);
        let watch = Watch::new(&limits, &control, clock, &stalls, 1);
        let mut searcher = Searcher::new(Config::default(), crate::tuning::evaluator(Evaluation::Full));
        searcher.ready();
        let Searcher { config, numbers, reductions, table, memories, .. } = &mut searcher;
        let shared =
            Shared { config, numbers, reductions, table, watch: &watch, tablebases: None, busy: None };
        let mut worker = Worker::new(&shared, &mut memories[0], &root, 0);
        for (alpha, beta, bound) in
            [(600, 700, Bound::Upper), (-700, -600, Bound::Lower), (-600, 600, Bound::Exact)]
        {
            let window = Window { alpha: Score(alpha), beta: Score(beta) };
            let moves = root.legal().into_iter().map(|m| RootMove::new(m, None)).collect();
            let mut state = Deepening::new(&root, moves, 1);
            worker.search_root(&mut state, 2, 0, window, &mut |_| {}).unwrap();
            assert_eq!(worker.line(&state, 0, 2).bound, bound, "{window:?}");
        }
    }
}
