//! The opinions of the engine: a weighted sum of features, and what alpha-beta asks besides.

use std::sync::Arc;

use search::{Eval, Game, Known, MoveList, Noisy, Score, Side};

use crate::database::Database;
use crate::features::features;
use crate::moves::{self, Move};
use crate::weights::{self, WeightsError};
use crate::{Patterns, Position, Weights, patterns, tuning};

/// What one search thread thinks of positions.
#[derive(Clone, Debug)]
pub struct Evaluator {
    evaluation: Evaluation,
    /// The player at the root. Skoulakis's terms are his throughout the tree: they were learned where he is
    /// to move, and what they say of both players does not add up to nothing.
    agent: Side,
    /// What is known for certain.
    pub database: Option<Arc<Database>>,
}

/// Which evaluation counts; both are linear.
#[derive(Clone, Debug)]
enum Evaluation {
    /// Of Skoulakis's terms.
    Terms(Arc<Weights>),
    /// Of the engine's own patterns.
    Patterns(Arc<Patterns>),
}

impl Evaluator {
    /// An evaluation of terms with these weights.
    pub fn new(weights: Weights) -> Evaluator {
        Evaluator::of(Evaluation::Terms(Arc::new(weights)))
    }

    /// An evaluation of patterns.
    pub fn patterns(patterns: Patterns) -> Evaluator {
        Evaluator::of(Evaluation::Patterns(Arc::new(patterns)))
    }

    fn of(evaluation: Evaluation) -> Evaluator {
        Evaluator { evaluation, agent: Side::White, database: None }
    }

    /// Reads a weight file of either kind.
    pub fn read(text: &str) -> Result<Evaluator, WeightsError> {
        if weights::set_name(text)?.0 == patterns::NAME {
            Patterns::read_file(text).map(Evaluator::patterns)
        } else {
            Weights::read(text).map(Evaluator::new)
        }
    }

    /// The value in hundredths of a piece from the side to move, in a tree grown for `agent`.
    pub fn value(&self, position: &Position, agent: Side) -> Score {
        let points = match &self.evaluation {
            Evaluation::Terms(weights) => {
                let points = weights.score(&features(position, agent)) as i32;
                if position.turn() == agent { points } else { -points }
            }
            Evaluation::Patterns(patterns) => patterns.value(position),
        };
        Score(points).opinion()
    }

    /// Whether the value depends on who stands at the root.
    pub fn is_the_agents(&self) -> bool {
        matches!(self.evaluation, Evaluation::Terms(_))
    }

    /// A table of what the value is made of.
    pub fn explain(&self, position: &Position) -> String {
        match &self.evaluation {
            Evaluation::Terms(weights) => explain_terms(weights, position),
            Evaluation::Patterns(patterns) => patterns.explain(position),
        }
    }
}

fn explain_terms(weights: &Weights, position: &Position) -> String {
    let (terms, features) = (weights.set().terms(), features(position, position.turn()));
    let mut out = format!("{:<56} {:>7} {:>9} {:>8}\n", "term", "value", "weight", "points");
    for ((name, value), weight) in terms.names().iter().zip(terms.values(&features)).zip(weights.values()) {
        out += &format!("{name:<56} {value:>7.3} {weight:>9.1} {:>8.1}\n", value * weight);
    }
    out
}

impl Eval<Position> for Evaluator {
    const IDLE: &'static [&'static str] = &["hanging_extension"];

    fn enter(&mut self, root: &Position) {
        self.agent = root.turn();
    }

    fn score(&mut self, position: &Position) -> Score {
        self.value(position, self.agent)
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

    fn known(&mut self, position: &Position) -> Option<Known> {
        self.database.as_ref()?.probe(position)
    }
}
