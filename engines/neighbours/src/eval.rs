//! The opinions of the engine: a weighted sum of features, and what alpha-beta asks besides.

use std::sync::Arc;

use search::{Eval, Game, Known, MoveList, Noisy, Score};

use crate::features::features;
use crate::moves::{self, Move};
use crate::{Position, Weights, tuning};

/// A linear evaluation.
#[derive(Clone, Debug)]
pub struct Linear {
    weights: Arc<Weights>,
}

impl Linear {
    /// An evaluation with these weights.
    pub fn new(weights: Weights) -> Linear {
        Linear { weights: Arc::new(weights) }
    }

    /// The weights in force.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The value in hundredths of a piece from the side to move.
    pub fn value(&self, position: &Position) -> f32 {
        self.weights.score(&features(position))
    }

    /// A table of the terms with their values and weights.
    pub fn explain(&self, position: &Position) -> String {
        let set = self.weights.set();
        let features = features(position);
        let mut out = format!("{:<56} {:>7} {:>9} {:>8}\n", "term", "value", "weight", "points");
        for ((name, value), weight) in
            set.names().iter().zip(set.values(&features)).zip(self.weights.values())
        {
            out += &format!("{name:<56} {value:>7.3} {weight:>9.1} {:>8.1}\n", value * weight);
        }
        out
    }
}

impl Eval<Position> for Linear {
    fn enter(&mut self, _: &Position) {}

    fn push(&mut self, _: &Position, _: Move, _: &Position) {}

    fn pop(&mut self) {}

    fn score(&mut self, position: &Position) -> Score {
        Score(self.value(position) as i32).opinion()
    }

    fn noisy(&mut self, position: &Position, out: &mut MoveList<Move>) -> Noisy {
        moves::generate(position, position.pieces(!position.turn()), out);
        Noisy::Optional
    }

    fn merit(&mut self, position: &Position, m: Move) -> i32 {
        i32::from(position.is_capture(m))
    }

    fn slot(&self, _: &Position, m: Move) -> usize {
        usize::from(m.from.0) * 64 + usize::from(m.to.0)
    }

    fn slots(&self) -> usize {
        64 * 64
    }

    /// Running out of moves loses, so a pass is harmless only with moves to spare.
    fn pass(&self, position: &Position) -> Option<Position> {
        (position.count() >= tuning::PASS_MOBILITY).then(|| position.passed())
    }

    fn known(&mut self, _: &Position) -> Option<Known> {
        None
    }
}
