//! The opinions of the engine: what a position is worth, and what alpha-beta asks besides.
//!
//! | question | file |
//! |---|---|
//! | which features has a position? | `eval/features.rs` |
//! | what are they worth? | `eval/patterns.rs` |
//! | what else can be learned? | `eval/learned.rs` |

pub mod features;
pub mod learned;
pub mod patterns;

use std::sync::Arc;

use search::{Eval, Game, Known, MoveList, Noisy, Score, Side, zobrist};

use crate::endgame::Database;
use crate::moves::{self, Move};
use crate::{Position, tuning};
pub use learned::Learned;
pub use patterns::Patterns;

/// Which evaluation counts.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The source's: a man 1, a king 3.
    Material,
    /// Learned weights of patterns and a few terms.
    Patterns(Arc<Patterns>),
    /// Something else that was learned.
    Learned(Arc<Learned>),
}

/// A key of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Key {
    /// That of the rules.
    #[default]
    Usual,
    /// Beling's: White's pieces, Black's and the kings by Jenkins's function, to which the side to move is added.
    Jenkins,
}

/// What one search thread thinks of positions.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// Which evaluation counts.
    pub evaluation: Evaluation,
    /// What knows better.
    pub database: Option<Database>,
    /// Which key the table knows positions by.
    pub key: Key,
}

impl Evaluator {
    /// Opinions without a database.
    pub fn new(evaluation: Evaluation) -> Evaluator {
        Evaluator { evaluation, database: None, key: Key::Usual }
    }

    /// The static value from the side to move.
    pub fn value(&self, position: &Position) -> Score {
        match &self.evaluation {
            Evaluation::Material => material(position),
            Evaluation::Patterns(patterns) => patterns.value(position),
            Evaluation::Learned(learned) => learned.value(position),
        }
        .opinion()
    }

    /// A table of the terms with their points.
    pub fn explain(&self, position: &Position) -> String {
        let terms = match &self.evaluation {
            Evaluation::Material => vec![("material", material(position).0)],
            Evaluation::Patterns(patterns) => patterns.terms(position),
            Evaluation::Learned(learned) => vec![("learned", learned.value(position).0)],
        };
        let mut out = format!("{:<32} {:>8}\n", "term", "points");
        for (name, points) in terms {
            out += &format!("{name:<32} {points:>8}\n");
        }
        out
    }
}

/// The key of Little Polish.
#[cold]
#[inline(never)]
fn jenkins(position: &Position) -> u64 {
    let [white, black] = [Side::White, Side::Black].map(|side| u64::from(position.pieces(side)));
    let turn = position.turn().index() as u64;
    zobrist::jenkins([white, black, u64::from(position.kings()) | turn << 32])
}

/// Men and kings counted, from the side to move.
fn material(position: &Position) -> Score {
    let worth = |side: Side| {
        let pieces = position.pieces(side);
        let count = |set: u32| set.count_ones() as i32;
        count(pieces) * tuning::MAN + count(pieces & position.kings()) * (tuning::KING - tuning::MAN)
    };
    Score(worth(position.turn()) - worth(!position.turn()))
}

impl Eval<Position> for Evaluator {
    const IDLE: &'static [&'static str] = &["null_move"];

    fn score(&mut self, position: &Position) -> Score {
        self.value(position)
    }

    /// A capture that is due must be played, so the static value says nothing before it.
    fn noisy(&mut self, position: &Position, out: &mut MoveList<Move>) -> Noisy {
        if moves::captures(position, out) { Noisy::Forced } else { Noisy::Optional }
    }

    /// The opponent would capture if we did nothing, so that doing nothing is not what the position is worth.
    fn hangs(&mut self, position: &Position) -> bool {
        !moves::can_capture(position) && moves::can_capture(&position.passed())
    }

    fn merit(&mut self, position: &Position, m: Move) -> i32 {
        let kings = (m.captured & position.kings()).count_ones() as i32;
        let crown = i32::from(m.crowns);
        m.captured.count_ones() as i32 + 2 * (kings + crown)
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let board = match self.key {
            Key::Usual => position.key(),
            Key::Jenkins => jenkins(position),
        };
        board ^ position.salt()
    }

    fn slot(&self, _: &Position, m: Move) -> usize {
        usize::from(m.from.0) * 32 + usize::from(m.to.0)
    }

    fn slots(&self) -> usize {
        32 * 32
    }

    /// Having to move is often the whole disadvantage, so passing is never tried.
    fn pass(&self, _: &Position) -> Option<Position> {
        None
    }

    fn known(&mut self, position: &Position) -> Option<Known> {
        self.database.as_ref()?.probe(position)
    }
}
