//! The MTD family: the value of a position by zero-window searches alone.
//!
//! Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms", 1996.

use super::config::Mtd;
use super::worker::Worker;
use crate::deepening::{Deepener, Deepening, RootMove};
use crate::{Aborted, Bound, Eval, Game, Info, Score, Window};

impl Mtd {
    /// The first zero window's upper edge, given the value expected.
    fn first(self, guess: Score) -> Score {
        match self {
            Mtd::F => guess,
            Mtd::Sss | Mtd::Step(_) => Window::FULL.beta,
            Mtd::Dual => Window::FULL.alpha + 1,
            Mtd::Bi => middle(Window::FULL),
        }
    }

    /// The next one, after a search returned `value` and left these bounds.
    fn next(self, value: Score, bounds: Window) -> Score {
        match self {
            Mtd::F if value == bounds.alpha => value + 1,
            Mtd::F | Mtd::Sss => value,
            Mtd::Dual => value + 1,
            Mtd::Step(size) => (bounds.alpha + 1).max(value - size.max(1)),
            Mtd::Bi => middle(bounds),
        }
    }
}

/// Halfway between two bounds, rounded up.
fn middle(bounds: Window) -> Score {
    Score((bounds.alpha.0 + bounds.beta.0 + 1).div_euclid(2))
}

impl<G: Game, E: Eval<G>> Worker<'_, G, E> {
    /// Finds the value of the root, or a bound of it when only the best move is wanted.
    pub(super) fn mtd(
        &mut self,
        state: &mut Deepening<'_, G>,
        depth: u32,
        line: usize,
        kind: Mtd,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Result<(), Aborted> {
        for m in &mut state.moves[line..] {
            m.bounds = Window::FULL;
        }
        let guess = state.moves[line].score;
        let guess = if guess == Window::FULL.alpha { Score::DRAW } else { guess };
        let mut bounds = Window::FULL;
        let mut beta = kind.first(guess);
        loop {
            let value = self.search_root(state, depth as i32, line, Window::zero(beta), report)?;
            if value < beta {
                bounds.beta = value;
            } else {
                bounds.alpha = value;
            }
            if bounds.alpha >= bounds.beta {
                (state.moves[line].score, state.moves[line].bound) = (value, Bound::Exact);
                return Ok(());
            }
            if self.shared.config.best_move_stop && is_decided(&state.moves[line..]) {
                return Ok(());
            }
            beta = kind.next(value, bounds);
        }
    }
}

/// Whether some move is at least as good as all others can be.
fn is_decided<M>(moves: &[RootMove<M>]) -> bool {
    moves.iter().enumerate().any(|(i, best)| {
        moves.iter().enumerate().all(|(j, other)| i == j || best.bounds.alpha >= other.bounds.beta)
    })
}
