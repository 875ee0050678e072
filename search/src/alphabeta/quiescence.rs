//! Below the horizon: noisy moves are played out until the static value can be trusted.

use super::config::Driver;
use super::worker::{MAX_PLY, Worker};
use crate::{Aborted, Eval, Game, Noisy, Score, Window};

impl<G: Game, E: Eval<G>> Worker<'_, G, E> {
    /// The value of a position at the horizon.
    pub(super) fn horizon(&mut self, position: &G, window: Window, ply: usize) -> Result<Score, Aborted> {
        let plies = self.shared.config.quiescence.unwrap_or(0);
        self.quiescence(position, window, plies, ply)
    }

    fn quiescence(
        &mut self,
        position: &G,
        mut window: Window,
        plies: u32,
        ply: usize,
    ) -> Result<Score, Aborted> {
        self.pv.clear(ply);
        let mut moves = std::mem::take(&mut self.stack[ply].moves);
        moves.clear();
        let playable = plies > 0 && ply < MAX_PLY;
        let noisy = if playable { self.memory.eval.noisy(position, &mut moves) } else { Noisy::Optional };
        let value = if moves.is_empty() && position.count() == 0 {
            Ok(self.stuck(position, ply))
        } else {
            self.noisy_moves(position, &mut window, &moves, noisy, plies, ply)
        };
        self.stack[ply].moves = moves;
        value
    }

    fn noisy_moves(
        &mut self,
        position: &G,
        window: &mut Window,
        moves: &[G::Move],
        noisy: Noisy,
        plies: u32,
        ply: usize,
    ) -> Result<Score, Aborted> {
        let prunes = self.shared.config.driver != Driver::Minimax;
        let mut best = Window::FULL.alpha;
        if noisy == Noisy::Optional || moves.is_empty() {
            // Stand pat: nobody is forced to play a noisy move, and some quiet move is probably as good as none.
            best = self.memory.eval.score(position);
            window.alpha = window.alpha.max(best);
        }
        for &m in moves {
            if prunes && best >= window.beta {
                break;
            }
            let child = self.descend(position, m, ply);
            self.counters.quiescence += 1;
            let score = self.sentry.visit(ply + 1).and_then(|()| {
                let inner = if prunes { window.turned() } else { Window::FULL };
                self.quiescence(&child, inner, plies - 1, ply + 1)
            });
            self.ascend();
            let score = -score?;
            if score > best {
                best = score;
                if score > window.alpha {
                    window.alpha = score;
                    self.pv.update(m, ply);
                }
            }
        }
        Ok(best)
    }
}
