//! In which order the moves of a node are tried, and what past cutoffs teach about it.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::config::{self, Config, Ordering};
use super::worker::Worker;
use crate::{Eval, Game};

/// Order values: the table's move, then captures by merit, then killers, the counter move and history.
const TABLE_MOVE: i32 = 1 << 30;
const GAIN: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
const COUNTER: i32 = 1 << 21;
/// History values stay within this.
const HISTORY_LIMIT: i32 = 1 << 14;
/// Random order values of unknown children lie within this many points of a draw.
const RANDOM_SPAN: i32 = 100;

/// Moves with their order values; the best of the rest is picked on demand.
#[derive(Clone, Debug)]
pub(super) struct Ordered<M> {
    moves: Vec<(i32, M)>,
    /// Places of moves put off, to be tried after all others.
    late: Vec<usize>,
}

impl<M> Default for Ordered<M> {
    fn default() -> Self {
        Ordered { moves: Vec::new(), late: Vec::new() }
    }
}

impl<M: Copy> Ordered<M> {
    /// The move of this turn, asked for 0, 1, 2, ...: its place among the moves, its order value, the move, and
    /// whether its turn may still be put off.
    pub(super) fn turn(&mut self, turn: usize) -> Option<(usize, i32, M, bool)> {
        let fresh = turn < self.moves.len();
        let place = if fresh { turn } else { *self.late.get(turn - self.moves.len())? };
        if fresh {
            self.bring_best_to(place);
        }
        let (value, m) = self.moves[place];
        Some((place, value, m, fresh))
    }

    /// Lets the move of this place come again after all others.
    pub(super) fn put_off(&mut self, place: usize) {
        self.late.push(place);
    }

    fn bring_best_to(&mut self, place: usize) {
        let mut best = place;
        for other in place + 1..self.moves.len() {
            if self.moves[other].0 > self.moves[best].0 {
                best = other;
            }
        }
        // Keeping the others in place makes equal moves come as they were generated.
        self.moves[place..=best].rotate_right(1);
    }
}

/// What cutoffs taught: kept from move to move, forgotten with the game.
#[derive(Clone, Debug)]
pub(super) struct Lessons {
    history: [Vec<i32>; 2],
    counter: [Vec<u32>; 2],
    random: Xoshiro256PlusPlus,
}

impl Lessons {
    pub(super) fn new(slots: usize, seed: u64) -> Self {
        Lessons {
            history: [vec![0; slots], vec![0; slots]],
            counter: [vec![0; slots], vec![0; slots]],
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// Between two searches of one game: old lessons count half.
    pub(super) fn fade(&mut self) {
        self.history.iter_mut().flatten().for_each(|value| *value /= 2);
    }

    fn learn(&mut self, side: usize, slot: usize, bonus: i32) {
        let value = &mut self.history[side][slot];
        *value += bonus - *value * bonus.abs() / HISTORY_LIMIT;
    }
}

impl<G: Game, E: Eval<G>> Worker<'_, G, E> {
    /// Gives every move its order value.
    pub(super) fn order(
        &mut self,
        position: &G,
        moves: &[G::Move],
        table_move: u32,
        ply: usize,
    ) -> Ordered<G::Move> {
        let mut ordered = std::mem::take(&mut self.stack[ply].ordered);
        ordered.moves.clear();
        ordered.late.clear();
        for &m in moves {
            let packed = position.pack(m);
            let value = if packed == table_move && self.shared.config.table_ordering {
                TABLE_MOVE
            } else {
                self.order_value(position, m, packed, ply)
            };
            ordered.moves.push((value, m));
        }
        ordered
    }

    fn order_value(&mut self, position: &G, m: G::Move, packed: u32, ply: usize) -> i32 {
        match self.shared.config.ordering {
            Ordering::Generated => 0,
            Ordering::Static => {
                self.child_value(position, m, |worker, child| -worker.memory.eval.score(child).0)
            }
            Ordering::Children => self.child_value(position, m, |worker, child| {
                let entry = worker.shared.table.probe(worker.memory.eval.key(child));
                entry.map_or_else(
                    || worker.memory.lessons.random.random_range(-RANDOM_SPAN..=RANDOM_SPAN),
                    |entry| -entry.score.0,
                )
            }),
            Ordering::Heuristic => self.heuristic_value(position, m, packed, ply),
        }
    }

    fn child_value(&mut self, position: &G, m: G::Move, value: impl FnOnce(&mut Self, &G) -> i32) -> i32 {
        let child = position.after(m);
        self.memory.eval.push(position, Some(m), &child);
        let value = value(self, &child);
        self.memory.eval.pop();
        value
    }

    fn heuristic_value(&mut self, position: &G, m: G::Move, packed: u32, ply: usize) -> i32 {
        let config = self.shared.config;
        let merit = self.memory.eval.merit(position, m);
        if merit != 0 {
            return merit.signum() * GAIN + merit;
        }
        // Killers: what refuted a sibling often refutes this move too (Slate and Atkin, 1977).
        if config.killers && self.stack[ply].killers[0] == packed {
            return KILLER + 1;
        }
        if config.killers && self.stack[ply].killers[1] == packed {
            return KILLER;
        }
        let side = position.turn().index();
        // Counter move: many moves have one natural answer wherever they are played (Uiterwijk, 1992).
        if config.counter_moves && self.memory.lessons.counter[side][self.last_slot(ply)] == packed {
            return COUNTER;
        }
        // History: a move that caused cutoffs elsewhere is likely to do so here (Schaeffer, 1989).
        if config.history { self.memory.lessons.history[side][self.memory.eval.slot(position, m)] } else { 0 }
    }

    /// Learns from the move that cut and from the quiet ones tried in vain before it.
    pub(super) fn learn_cutoff(
        &mut self,
        position: &G,
        best: G::Move,
        tried: &[G::Move],
        depth: i32,
        ply: usize,
    ) {
        if self.memory.eval.merit(position, best) != 0 {
            return;
        }
        let packed = position.pack(best);
        let killers = &mut self.stack[ply].killers;
        if killers[0] != packed {
            *killers = [packed, killers[0]];
        }
        let side = position.turn().index();
        let before = self.last_slot(ply);
        self.memory.lessons.counter[side][before] = packed;
        let bonus = config::bonus(depth);
        let slot = self.memory.eval.slot(position, best);
        self.memory.lessons.learn(side, slot, bonus);
        for &m in tried {
            let slot = self.memory.eval.slot(position, m);
            self.memory.lessons.learn(side, slot, -bonus);
        }
    }

    /// How the history judges a quiet move, in -2 ..= 2.
    pub(super) fn reputation(&self, position: &G, m: G::Move) -> i32 {
        let slot = self.memory.eval.slot(position, m);
        self.memory.lessons.history[position.turn().index()][slot] / (HISTORY_LIMIT / 3)
    }

    /// The history slot of the move that led to this ply; the first slot at the root.
    fn last_slot(&self, ply: usize) -> usize {
        if ply == 0 { 0 } else { self.stack[ply - 1].slot }
    }
}

/// Whether an order value marks a move that neither gains nor has a good name.
pub(super) fn is_quiet(value: i32) -> bool {
    value < COUNTER
}

/// A config decides whether lessons are used, never whether they are learned: switches stay comparable.
pub(super) fn uses_lessons(config: &Config) -> bool {
    config.ordering == Ordering::Heuristic && (config.history || config.killers || config.counter_moves)
}
