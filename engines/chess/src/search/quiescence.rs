//! Below the horizon: captures and promotions that gain something, answers to checks, and a first round of checks.

use ::search::{Aborted, Bound, Eval, Game, Score};

use super::node::{from_table, matches_bound, to_table};
use super::picker::Picker;
use super::worker::{MAX_PLY, NO_VALUE, Worker};
use crate::moves::{Move, Part, generate};
use crate::position::{Position, Role};
use crate::see;
use crate::tuning::search as tuning;

/// Depth under which results are kept in the table.
const TABLE_DEPTH: i32 = 0;

impl<E: Eval<Position>> Worker<'_, E> {
    /// The value of a position once it has calmed down, from the side to move; `depth` is 0 at first, then less.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        p: &Position,
        mut alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> Result<i32, Aborted> {
        self.sentry.visit(ply)?;
        if PV {
            self.pv.clear(ply);
        }
        if self.is_drawn(p) {
            self.counters.terminal += 1;
            return Ok(Score::DRAW.0);
        }
        *if depth == 0 { &mut self.counters.leaf } else { &mut self.counters.quiescence } += 1;
        if ply >= MAX_PLY {
            return Ok(if p.in_check() { 0 } else { self.memory.eval.score(p).0 });
        }
        let key = p.key() ^ p.salt();
        let entry = self.shared.table.probe(key);
        self.counters.look(entry.is_some());
        if let Some(entry) = entry
            && !PV
            && self.shared.config.table_cutoffs
        {
            let score = from_table(entry.score, ply);
            if matches_bound(entry.bound, score, beta) {
                return Ok(score);
            }
        }

        // Stand pat: nobody is forced to capture.
        let mut raw = NO_VALUE;
        let mut best = -Score::INFINITE.0;
        if !p.in_check() {
            raw = entry.and_then(|e| e.eval).unwrap_or_else(|| self.memory.eval.score(p)).0;
            best = self.corrected(p, raw);
            if let Some(entry) = entry {
                let score = from_table(entry.score, ply);
                if matches_bound(entry.bound, score, best + 1) && !Score(score).is_decisive() {
                    best = score;
                }
            }
            if best >= beta {
                if entry.is_none() {
                    to_table(self.shared.table, key, None, best, raw, -1, Bound::Lower, ply);
                }
                return Ok(best);
            }
            alpha = alpha.max(best);
        }

        let start = alpha;
        let floor = best + self.shared.numbers.delta;
        let table_move = entry.and_then(|e| super::node::unpack(e.best));
        let mut picker = if p.in_check() {
            Picker::all(p, table_move, [None; 2], self.context(ply), self.take_buffers())
        } else {
            Picker::noisy(p, table_move, 0, self.take_buffers())
        };
        let mut chosen = None;
        let mut count = 0;
        while let Some(m) = picker.next(p, &self.memory.histories, self.shared.config) {
            count += 1;
            let lost = best <= -Score::DECISIVE.0;
            if !p.in_check() {
                // Delta: even the captured piece does not reach the window.
                let prize = p.captured(m).map_or(0, see::value) + m.promotion().map_or(0, see::value);
                if floor + prize <= alpha && !lost {
                    best = best.max(floor + prize);
                    continue;
                }
                // An even exchange leaves the value where it is, below the window.
                if floor <= alpha && !see::gains(p, m, 1) {
                    best = best.max(floor);
                    continue;
                }
            } else if !lost && count > tuning::EVASIONS && !p.is_noisy(m) {
                picker.skip_quiets();
                continue;
            }
            let score = self.quiescence_move::<PV>(p, m, alpha, beta, depth, ply)?;
            if score > best {
                best = score;
                if score > alpha {
                    chosen = Some(m);
                    if PV {
                        self.pv.update(m, ply);
                    }
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.buffers.push(picker.release());
        if p.in_check() && count == 0 {
            return Ok(Score::loss_in(ply as u32).0);
        }
        if depth == 0 && !p.in_check() && best < beta && self.shared.config.quiescence_checks {
            let score = self.checks::<PV>(p, alpha, beta, ply)?;
            if score > best {
                best = score;
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if PV && best > start {
            Bound::Exact
        } else {
            Bound::Upper
        };
        to_table(self.shared.table, key, chosen, best, raw, TABLE_DEPTH, bound, ply);
        Ok(best)
    }

    fn quiescence_move<const PV: bool>(
        &mut self,
        p: &Position,
        m: Move,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> Result<i32, Aborted> {
        let child = self.descend(p, m, ply);
        let score = self.quiescence::<PV>(&child, -beta, -alpha, depth - 1, ply + 1);
        self.ascend();
        Ok(-score?)
    }

    /// The best of the quiet checks that lose no material.
    fn checks<const PV: bool>(
        &mut self,
        p: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> Result<i32, Aborted> {
        let from = p.checking_squares();
        let checks = |m: Move| {
            let role = p.role_on(m.from()).unwrap_or(Role::Pawn);
            from[role.index()] & m.to().bit() != 0
        };
        let mut buffers = self.take_buffers();
        buffers.moves.clear();
        generate(p, Part::Quiet, &mut buffers.moves);
        let mut best = -Score::INFINITE.0;
        for &m in buffers.moves.iter().filter(|&&m| checks(m) && see::gains(p, m, 0)) {
            let score = self.quiescence_move::<PV>(p, m, alpha, beta, 0, ply)?;
            if score > best {
                best = score;
                if score > alpha {
                    if PV {
                        self.pv.update(m, ply);
                    }
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.buffers.push(buffers);
        Ok(best)
    }
}
