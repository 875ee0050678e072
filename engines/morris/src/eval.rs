//! The opinions of the engine: the default evaluation, those of Wozniak's report, and what alpha-beta asks besides.

use std::sync::Arc;

use search::endgame::Value;
use search::{Eval, Game, Known, MoveList, Noisy, Score, Side};

use crate::board::{self, POINTS, Point, points};
use crate::database::Database;
use crate::features::{NAMES, STAGES, features, stage};
use crate::moves::{self, Move};
use crate::tuning::{self, SeedWeights};
use crate::{Position, Weights};

/// The value of a win whose distance is unknown, that of one still to be worked out, and how far an opinion may move
/// either.
const PROVEN: i32 = 30_700;
const PROMISED: i32 = 30_300;
const PROVEN_SPAN: i32 = 200;

/// Which evaluation counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Our own.
    Default(Weights),
    /// Men only.
    Pawn,
    /// Men and mills.
    Mill,
    /// Men and possible moves.
    Move,
}

/// What one search thread thinks of positions.
#[derive(Clone)]
pub struct Evaluator {
    /// Which evaluation counts.
    pub evaluation: Evaluation,
    /// The weights of Wozniak's evaluations.
    pub seed: SeedWeights,
    /// What is known for certain.
    pub database: Option<Arc<Database>>,
    /// The unit in which the search looks for a way out for the side that wins there, no distance being known.
    pub hunt: Option<(usize, Side)>,
}

impl Default for Evaluator {
    fn default() -> Self {
        Evaluator {
            evaluation: Evaluation::Default(tuning::weights()),
            seed: SeedWeights::default(),
            database: None,
            hunt: None,
        }
    }
}

impl Evaluator {
    /// The value in hundredths of a man from the side to move.
    pub fn value(&self, position: &Position) -> i32 {
        match self.evaluation {
            Evaluation::Default(weights) => weights.value(position),
            _ => self.source_value(position),
        }
    }

    /// Whether a position of this value is one of those from which a way out is looked for.
    fn is_hunted(&self, position: &Position, value: Value) -> bool {
        let Some((unit, side)) = self.hunt else { return false };
        let winner = if value.is_win() { position.turn() } else { !position.turn() };
        let here = || self.database.as_ref().and_then(|database| database.unit(position));
        value != Value::DRAW && winner == side && here() == Some(unit)
    }

    /// PAWN, MILL or MOVE, turned from Wozniak's units into hundredths of a man.
    fn source_value(&self, position: &Position) -> i32 {
        let sum: i32 = self.source_terms(position).iter().map(|(_, value, weight)| value * weight).sum();
        sum * 100 / self.seed.man.max(1)
    }

    /// The terms of Wozniak's evaluations: name, difference from the side to move, weight.
    fn source_terms(&self, position: &Position) -> Vec<(&'static str, i32, i32)> {
        let (me, other) = (position.turn(), !position.turn());
        let difference = |count: &dyn Fn(Side) -> i32| count(me) - count(other);
        let win = if position.count() == 0 { -1 } else { 0 };
        let men = difference(&|side| position.total(side) as i32);
        let mut terms = vec![("men", men, self.seed.man), ("win", win, self.seed.win)];
        match self.evaluation {
            Evaluation::Mill => {
                let mills = |side| {
                    let men = position.men(side);
                    board::mills().iter().filter(|&&mill| men & mill == mill).count() as i32
                };
                terms.push(("mills", difference(&mills), self.seed.mill));
            }
            Evaluation::Move => {
                let moves = |side| {
                    let position = if side == me { *position } else { position.passed() };
                    moves::count(&position) as i32
                };
                terms.push(("moves", difference(&moves), self.seed.moves));
            }
            _ => {}
        }
        terms
    }

    /// A table of the terms with their values and weights.
    pub fn explain(&self, position: &Position) -> String {
        let terms = match self.evaluation {
            Evaluation::Default(weights) => {
                let row = weights.values[stage(position) as usize];
                let values = features(position);
                (0..NAMES.len()).map(|i| (NAMES[i], values[i], row[i])).collect()
            }
            _ => self.source_terms(position),
        };
        let mut out = format!("{:<16} {:>6} {:>7} {:>7}\n", "term", "value", "weight", "points");
        for (name, value, weight) in terms {
            out += &format!("{name:<16} {value:>6} {weight:>7} {:>7}\n", value * weight);
        }
        if let Evaluation::Default(_) = self.evaluation {
            out += &format!("stage: {}\n", STAGES[stage(position) as usize]);
        }
        if let Some(value) = self.database.as_ref().and_then(|database| database.value(position)) {
            out += &format!("database: {value:?}\n");
        }
        out
    }
}

/// How much it hurts the opponent to lose the man on this point: its open and full lines.
fn worth(position: &Position, point: Point) -> i32 {
    let men = position.other();
    let empty = board::ALL & !men & !position.own();
    let without = men & !point.bit();
    let open = |set: u32| (board::closers(set) & empty).count_ones() as i32;
    let mill = i32::from(board::in_mills(men) & point.bit() != 0);
    1 + 2 * (open(men) - open(without)).max(0) + mill
}

impl Eval<Position> for Evaluator {
    const IDLE: &'static [&'static str] = &["hanging_extension"];

    /// Where a win is known to be there and how to win is not, nothing brings the end nearer but leaving the unit.
    fn enter(&mut self, root: &Position) {
        self.hunt = self.database.as_ref().and_then(|database| {
            let (value, exact) = database.told(root)?;
            let wins = value.is_win() && !exact;
            wins.then_some((database.unit(root)?, root.turn()))
        });
    }

    fn score(&mut self, position: &Position) -> Score {
        let opinion = self.value(position);
        let database = self.database.as_ref().filter(|_| self.hunt.is_some());
        match database.and_then(|database| database.value(position)) {
            Some(value) if self.is_hunted(position, value) => proven(PROMISED, value, opinion),
            _ => Score(opinion).opinion(),
        }
    }

    /// Mills that can be closed now, each with the removals that hurt most.
    fn noisy(&mut self, position: &Position, out: &mut MoveList<Move>) -> Noisy {
        moves::generate_closing(position, out);
        if out.len() > tuning::NOISY_FEW {
            out.sort_by_cached_key(|&m| (m.from, m.to, -self.merit(position, m)));
            let mut run = (None, 0);
            out.retain(|m| {
                let way = Some((m.from, m.to));
                run = if run.0 == way { (way, run.1 + 1) } else { (way, 1) };
                run.1 <= tuning::NOISY_REMOVALS
            });
        }
        Noisy::Optional
    }

    /// A removal counts by the worth of the men removed.
    fn merit(&mut self, position: &Position, m: Move) -> i32 {
        points(m.taken).map(|point| worth(position, point)).sum()
    }

    fn slot(&self, _: &Position, m: Move) -> usize {
        m.from.map_or(POINTS, Point::index) * POINTS + m.to.index()
    }

    fn slots(&self) -> usize {
        (POINTS + 1) * POINTS
    }

    /// Where men slide, having to move is often the only trouble; while placing it never is.
    fn pass(&self, position: &Position) -> Option<Position> {
        (position.hand(position.turn()) > 1).then(|| position.passed())
    }

    fn known(&mut self, position: &Position) -> Option<Known> {
        let database = self.database.as_ref()?;
        let (value, exact) = database.told(position)?;
        let distance = |plies| if exact { plies } else { u32::MAX };
        match value.plies() {
            None => Some(Known::Draw),
            // The tables know no quiet limit; close to it the search sees for itself what comes in time.
            Some(plies) if position.may_come_too_late(distance(plies)) => None,
            Some(_) if self.is_hunted(position, value) => None,
            Some(_) if !exact => Some(Known::Value(proven(PROVEN, value, self.value(position)))),
            Some(plies) if value.is_win() => Some(Known::Value(Score::win_in(plies))),
            Some(plies) => Some(Known::Value(Score::loss_in(plies))),
        }
    }
}

/// A win or loss of unknown distance, moved a little by an opinion.
fn proven(base: i32, value: Value, opinion: i32) -> Score {
    let sign = if value.is_win() { 1 } else { -1 };
    Score(sign * base + opinion.clamp(-PROVEN_SPAN, PROVEN_SPAN))
}
