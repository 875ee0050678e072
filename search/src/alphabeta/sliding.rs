//! The root search of Beling's "Little Polish", 2006, listing 6.3.
//!
//! The window around the last value grows at the move where it is found too small, and the moves before that one
//! are not searched again. Moves stand in the order of their last values, so that what an unfinished iteration
//! found can be played. Another iteration is begun if it seems to fit: the fewer moves, the longer it may take.

use super::config::Driver;
use super::worker::Worker;
use crate::deepening::Deepening;
use crate::{Aborted, Bound, Eval, Game, Info, Score, Window};

impl<G: Game, E: Eval<G>> Worker<'_, G, E> {
    /// How far the window reaches to both sides of the last value, if this search slides.
    pub(super) fn slides(&self, state: &Deepening<'_, G>) -> Option<i32> {
        let plain = self.shared.config.driver == Driver::Window && state.lines == 1;
        self.shared.config.sliding.filter(|_| plain)
    }

    /// One iteration in a window of `delta` to both sides of the last value.
    pub(super) fn slide(
        &mut self,
        state: &mut Deepening<'_, G>,
        depth: u32,
        delta: i32,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Result<(), Aborted> {
        let last = state.bests.last().filter(|(_, value)| !value.is_decisive());
        let window = last.map_or(Window::FULL, |&(_, value)| Window::around(value, delta));
        let mut best = 0;
        let found = self.slide_over_moves(state, depth as i32, window, &mut best, report);
        if found.is_err() {
            state.moves[..=best].rotate_right(1);
        } else {
            state.moves.sort_by_key(|found| std::cmp::Reverse(found.score));
        }
        found
    }

    /// All moves of the root; `best` is the number of the best one so far.
    fn slide_over_moves(
        &mut self,
        state: &mut Deepening<'_, G>,
        depth: i32,
        mut window: Window,
        best: &mut usize,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Result<(), Aborted> {
        self.sentry.visit(0)?;
        let position = state.root.position();
        for (i, found) in state.moves.iter_mut().enumerate() {
            report(&Info::Current(found.m, i + 1));
            let child = self.descend(position, found.m, 0);
            let score = self.slide_to(&child, depth - 1, &mut window, i == 0);
            self.ascend();
            let score = score?;
            // The window was opened for the first move, so its value is no bound.
            if i == 0 || score > window.alpha {
                found.note(score, Bound::Exact, self.pv.at(1));
            } else {
                (found.score, found.bound) = (score, Bound::Upper);
            }
            if score > window.alpha {
                (window.alpha, *best) = (score, i);
            }
        }
        Ok(())
    }

    /// The value of one root move; a window that proves too small is opened on that side for good.
    fn slide_to(
        &mut self,
        child: &G,
        depth: i32,
        window: &mut Window,
        first: bool,
    ) -> Result<Score, Aborted> {
        let scout = !first && self.shared.config.pvs;
        let mut score = if scout {
            -self.node(child, depth, Window::zero(window.alpha + 1).turned(), 1)?
        } else {
            -self.node(child, depth, window.turned(), 1)?
        };
        if first && score <= window.alpha && window.alpha != Window::FULL.alpha {
            window.alpha = Window::FULL.alpha;
            score = -self.node(child, depth, window.turned(), 1)?;
        } else if scout && score > window.alpha && score < window.beta {
            score = -self.node(child, depth, window.turned(), 1)?;
        }
        if score >= window.beta && window.beta != Window::FULL.beta {
            window.beta = Window::FULL.beta;
            score = -self.node(child, depth, window.turned(), 1)?;
        }
        Ok(score)
    }

    /// The source's time rule.
    pub(super) fn is_too_late_to_slide(&self, moves: usize) -> bool {
        self.shared.watch.clock.exceeds(self.shared.watch.control, 1.0 + 2.0 / moves as f64)
    }
}
