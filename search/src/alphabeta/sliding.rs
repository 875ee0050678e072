//! The root search of Beling's "Little Polish", 2006, listing 6.3.
//!
//! The window around the last value grows at the move where it is found too small, and the moves before that one
//! are not searched again. Moves stand in the order of their last values, so that what an unfinished iteration
//! found can be played. Another iteration is begun if it seems to fit: the fewer moves, the longer it may take.

use std::ops::RangeInclusive;

use super::node::Window;
use super::root::{Deepening, RootMove};
use super::worker::Worker;
use crate::{Aborted, Bound, Eval, Game, Info, Score};

impl<G: Game, E: Eval<G>> Worker<'_, G, E> {
    /// Searches these depths one after the other, in a window of `delta` to both sides of the last value.
    pub(super) fn slide(
        &mut self,
        state: &mut Deepening<'_, G>,
        depths: RangeInclusive<u32>,
        delta: i32,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Result<(), Aborted> {
        let mut window = Window::FULL;
        for depth in depths {
            let mut best = 0;
            let found = self.slide_once(state, depth as i32, window, &mut best, report);
            if found.is_err() {
                state.moves[..=best].rotate_right(1);
            }
            found?;
            state.moves.sort_by_key(|found| std::cmp::Reverse(found.score));
            let value = state.moves[0].score;
            window = if value.is_decisive() {
                Window::FULL
            } else {
                Window { alpha: value - delta, beta: value + delta }
            };
            self.sentry.commit();
            state.note_iteration(depth);
            self.show(state, depth, report);
            if self.index == 0 && (self.is_enough(state) || self.is_late(state.moves.len())) {
                break;
            }
        }
        Ok(())
    }

    /// One iteration; `best` is the number of the best move so far.
    fn slide_once(
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
            self.note_value(found, score, i == 0 || score > window.alpha);
            if score > window.alpha {
                (window.alpha, *best) = (score, i);
            }
        }
        Ok(())
    }

    fn note_value(&mut self, found: &mut RootMove<G::Move>, score: Score, is_best: bool) {
        found.score = score;
        // The window was opened for the first move, so its value is no bound.
        found.bound = if is_best { Bound::Exact } else { Bound::Upper };
        if is_best {
            self.update_pv(found.m, 0);
            found.pv.clone_from(&self.stack[0].pv);
        }
    }

    /// The value of one root move; a window that proves too small is opened on that side for good.
    fn slide_to(
        &mut self,
        child: &G,
        depth: i32,
        window: &mut Window,
        first: bool,
    ) -> Result<Score, Aborted> {
        let mut score = if first {
            -self.node(child, depth, window.turned(), 1)?
        } else {
            -self.node(child, depth, Window::zero(window.alpha + 1).turned(), 1)?
        };
        if first && score <= window.alpha && window.alpha != Window::FULL.alpha {
            window.alpha = Window::FULL.alpha;
            score = -self.node(child, depth, window.turned(), 1)?;
        } else if !first && score > window.alpha && score < window.beta {
            score = -self.node(child, depth, window.turned(), 1)?;
        }
        if score >= window.beta && window.beta != Window::FULL.beta {
            window.beta = Window::FULL.beta;
            score = -self.node(child, depth, window.turned(), 1)?;
        }
        Ok(score)
    }

    /// The source's time rule.
    fn is_late(&self, moves: usize) -> bool {
        self.shared.watch.clock.exceeds(self.shared.watch.control, 1.0 + 2.0 / moves as f64)
    }
}
