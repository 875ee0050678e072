//! The root of the tree: in which windows an iteration searches, and how long another one may take.

use std::time::Duration;

use super::config::{self, Driver};
use super::worker::{MAX_PLY, Worker};
use crate::deepening::{Deepener, Deepening};
use crate::pv::Pv;
use crate::{Aborted, Eval, Game, Info, Score, Sentry, Table, Window};

impl<'a, G: Game, E: Eval<G>> Deepener<'a, G> for Worker<'a, G, E> {
    const DEEPEST: u32 = MAX_PLY as u32;
    const BEYOND_END: u32 = 4;
    const DETAILS_AFTER: Duration = Duration::ZERO;

    fn sentry(&self) -> &Sentry<'a> {
        &self.sentry
    }

    fn sentry_mut(&mut self) -> &mut Sentry<'a> {
        &mut self.sentry
    }

    fn table(&self) -> &Table {
        self.shared.table
    }

    fn pv(&self) -> &Pv<G::Move> {
        &self.pv
    }

    fn leaps(&self) -> bool {
        !self.shared.config.deepening
    }

    fn iterate(
        &mut self,
        state: &mut Deepening<'_, G>,
        depth: u32,
        line: usize,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Result<(), Aborted> {
        let config = self.shared.config;
        if let Driver::Mtd(kind) = config.driver {
            return self.mtd(state, depth, line, kind, report);
        }
        if let Some(delta) = self.slides(state) {
            return self.slide(state, depth, delta, report);
        }
        // Aspiration: values change little from one iteration to the next, and a narrow window cuts more.
        let guess = state.moves[line].score;
        let narrow =
            config.driver == Driver::Window && depth > config::ASPIRATION_AFTER && !guess.is_decisive();
        let mut delta = config.aspiration.filter(|_| narrow);
        let mut window = delta.map_or(Window::FULL, |delta| Window::around(guess, delta));
        loop {
            let score = self.search_root(state, depth as i32, line, window, report)?;
            delta = delta.map(|delta| config::GROWTH * delta).filter(|&delta| delta <= config::WIDEST);
            if score <= window.alpha {
                window.alpha = delta.map_or(Window::FULL.alpha, |delta| score - delta);
            } else if score >= window.beta {
                window.beta = delta.map_or(Window::FULL.beta, |delta| score + delta);
            } else {
                return Ok(());
            }
            self.show_bound(state, line, depth, report);
        }
    }

    fn root_move(
        &mut self,
        root: &G,
        m: G::Move,
        number: usize,
        depth: i32,
        window: Window,
    ) -> Result<Score, Aborted> {
        let child = self.descend(root, m, 0);
        let score = self.root_child(&child, number, depth, window);
        self.ascend();
        score
    }

    fn is_late(&self, state: &Deepening<'_, G>) -> bool {
        let watch = self.shared.watch;
        watch.clock.satisfied(watch.control, share(state, self.shared.config.easy_move))
            || (self.slides(state).is_some() && self.is_too_late_to_slide(state.moves.len()))
    }
}

impl<G: Game, E: Eval<G>> Worker<'_, G, E> {
    fn root_child(&mut self, child: &G, number: usize, depth: i32, window: Window) -> Result<Score, Aborted> {
        if self.shared.config.driver == Driver::Minimax {
            return Ok(-self.node(child, depth, Window::FULL, 1)?);
        }
        if number > 0 && self.shared.config.pvs {
            let score = -self.node(child, depth, Window::zero(window.alpha + 1).turned(), 1)?;
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        Ok(-self.node(child, depth, window.turned(), 1)?)
    }
}

/// The part of the soft time bound after which no new iteration is begun.
fn share<G: Game>(state: &Deepening<'_, G>, easy_move: bool) -> f64 {
    let [first, later, easy] = config::SHARES;
    match state.agreed(|a, b| (a.0 - b.0).abs() <= config::EASY_MARGIN) {
        0 => first,
        agreed if easy_move && agreed >= config::EASY_ITERATIONS => easy,
        _ => later,
    }
}

#[cfg(test)]
mod tests {
    use super::super::worker::Shared;
    use super::super::{AlphaBeta, Config};
    use super::*;
    use crate::deepening::RootMove;
    use crate::testing::{Pile, Size, Values};
    use crate::{Bound, Clock, Control, Limits, Root, Stalls, Watch};

    fn unsearched(root: &Root<Pile>) -> Deepening<'_, Pile> {
        let moves = root.legal().into_iter().map(|m| RootMove::new(m, None)).collect();
        Deepening::new(root, moves, 1)
    }

    #[test]
    fn a_score_outside_the_window_is_a_bound() {
        let root = Root::new(Pile::start(&Size::default()));
        let (limits, control, stalls) = (Limits::default(), Control::default(), Stalls::default());
        let clock = Clock::new(&limits, std::time::Instant::now(), Duration::ZERO, &stalls);
        let watch = Watch::new(&limits, &control, clock, &stalls, 1);
        let mut player = AlphaBeta::new(Config::default(), Values(vec![0.0; 14]));
        player.ready::<Pile>();
        let shared = Shared { config: &player.config, table: &player.table, watch: &watch, busy: None };
        let mut worker = Worker::new(&shared, &mut player.memories[0], &root, 0);
        for (alpha, beta, bound) in
            [(600, 700, Bound::Upper), (-700, -600, Bound::Lower), (-600, 600, Bound::Exact)]
        {
            let window = Window { alpha: Score(alpha), beta: Score(beta) };
            let mut state = unsearched(&root);
            worker.search_root(&mut state, 2, 0, window, &mut |_| {}).unwrap();
            assert_eq!(worker.line(&state, 0, 2).bound, bound, "{window:?}");
        }
    }

    #[test]
    fn a_move_that_stays_best_is_played_early() {
        let root = Root::new(Pile::start(&Size::default()));
        let mut state = unsearched(&root);
        state.moves[0].score = Score(10);
        let shares: Vec<f64> = (1..10)
            .map(|depth| {
                state.note_iteration(depth);
                share(&state, true)
            })
            .collect();
        assert!(shares.is_sorted_by(|a, b| a >= b) && shares[0] > 0.8 && shares[8] < 0.4, "{shares:?}");
        assert!(share(&state, false) > 0.5, "the switch is off");
        state.moves[0].score = Score(500);
        state.note_iteration(10);
        assert!(share(&state, true) > 0.8, "another value is news");
    }
}
