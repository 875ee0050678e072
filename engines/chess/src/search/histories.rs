//! What a search thread learns about moves and positions while it searches, and keeps for the next move.

use ::search::{Game, Side};

use crate::moves::Move;
use crate::position::{Position, Role};
use crate::tuning::search::{CORRECTION_LIMIT, HISTORY_LIMIT, correction_bonus};

const PIECES: usize = 12;
/// A piece and where it went.
const SLOTS: usize = PIECES * 64;
const CORRECTIONS: usize = 1 << 14;

/// A piece of a side and the square it went to, as an index below 768; none at the root and after a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(u16);

impl Slot {
    /// The slot of a move about to be made.
    #[inline]
    pub fn of(p: &Position, m: Move) -> Slot {
        let role = p.role_on(m.from()).unwrap_or(Role::Pawn);
        Slot((piece(p.turn(), role) * 64 + m.to().index()) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

#[inline]
fn piece(side: Side, role: Role) -> usize {
    side.index() * 6 + role.index()
}

/// The moves made one, two and four plies ago.
pub type Context = [Option<Slot>; 3];

/// The tables of one thread.
#[derive(Clone)]
pub struct Histories {
    butterfly: Vec<i16>,
    captures: Vec<i16>,
    continuation: Vec<i16>,
    /// By the pawns, and by the pieces of White and of Black.
    corrections: [Vec<i16>; 3],
}

impl Default for Histories {
    fn default() -> Self {
        Histories {
            butterfly: vec![0; 2 * 64 * 64],
            captures: vec![0; SLOTS * 6],
            continuation: vec![0; SLOTS * SLOTS],
            corrections: [(); 3].map(|()| vec![0; 2 * CORRECTIONS]),
        }
    }
}

/// Moves a value towards plus or minus the limit, the slower the nearer it is.
#[inline]
fn learn(value: &mut i16, bonus: i32, limit: i32) {
    // Gravity: what is expected anyway moves the value little, a surprise much, and no value overflows.
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / limit) as i16;
}

#[inline]
fn butterfly(p: &Position, m: Move) -> usize {
    (p.turn().index() * 64 + m.from().index()) * 64 + m.to().index()
}

#[inline]
fn capture(p: &Position, m: Move) -> usize {
    Slot::of(p, m).index() * 6 + p.captured(m).map_or(0, Role::index)
}

impl Histories {
    /// How well a quiet move did, whatever came before it.
    #[inline]
    pub fn butterfly(&self, p: &Position, m: Move) -> i32 {
        i32::from(self.butterfly[butterfly(p, m)])
    }

    /// How well a quiet move did after these moves.
    #[inline]
    pub fn continuation(&self, p: &Position, m: Move, context: &Context) -> i32 {
        let slot = Slot::of(p, m).index();
        context
            .iter()
            .flatten()
            .map(|before| i32::from(self.continuation[before.index() * SLOTS + slot]))
            .sum()
    }

    /// How well a capture did.
    #[inline]
    pub fn capture(&self, p: &Position, m: Move) -> i32 {
        i32::from(self.captures[capture(p, m)])
    }

    /// Notes how a quiet move did.
    pub fn note_quiet(&mut self, p: &Position, m: Move, context: &Context, bonus: i32) {
        learn(&mut self.butterfly[butterfly(p, m)], bonus, HISTORY_LIMIT);
        let slot = Slot::of(p, m).index();
        for before in context.iter().flatten() {
            learn(&mut self.continuation[before.index() * SLOTS + slot], bonus, HISTORY_LIMIT);
        }
    }

    /// Notes how a capture did.
    pub fn note_capture(&mut self, p: &Position, m: Move, bonus: i32) {
        learn(&mut self.captures[capture(p, m)], bonus, HISTORY_LIMIT);
    }

    /// What similar positions were worth beyond their static value for the side to move, in parts of a hundredth of a
    /// pawn as [`Numbers::correction`](crate::tuning::search::Numbers) says.
    pub fn correction(&self, p: &Position) -> i32 {
        let tables = self.corrections.iter().zip(corrections(p));
        tables.map(|(table, slot)| i32::from(table[slot])).sum()
    }

    /// Notes that a search of this depth found a value so much above the static one.
    pub fn note_correction(&mut self, p: &Position, surprise: i32, depth: i32) {
        let bonus = correction_bonus(surprise, depth);
        for (table, slot) in self.corrections.iter_mut().zip(corrections(p)) {
            learn(&mut table[slot], bonus, CORRECTION_LIMIT);
        }
    }
}

fn corrections(p: &Position) -> [usize; 3] {
    // Evaluation errors cling to features that last, such as the pawns: positions alike in them err alike.
    let keys = p.keys();
    let slot = |key: u64| p.turn().index() * CORRECTIONS + key as usize % CORRECTIONS;
    [slot(keys.pawns), slot(keys.pieces[0]), slot(keys.pieces[1])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn values_never_leave_their_limits() {
        let p = Position::start(&Rules::default());
        let m = p.parse("e2e4").unwrap();
        let mut histories = Histories::default();
        for _ in 0..1000 {
            histories.note_quiet(&p, m, &[None; 3], 2000);
        }
        assert!(
            histories.butterfly(&p, m) > HISTORY_LIMIT * 9 / 10
                && histories.butterfly(&p, m) <= HISTORY_LIMIT
        );
        for _ in 0..1000 {
            histories.note_correction(&p, -9000, 30);
        }
        assert!(histories.correction(&p) < -CORRECTION_LIMIT);
    }

    #[test]
    fn a_continuation_belongs_to_its_context() {
        let p = Position::start(&Rules::default());
        let (m, other) = (p.parse("e2e4").unwrap(), p.parse("d2d4").unwrap());
        let context = [Some(Slot::of(&p, other)), None, None];
        let mut histories = Histories::default();
        histories.note_quiet(&p, m, &context, 500);
        assert_eq!(histories.continuation(&p, m, &context), 500);
        assert_eq!(histories.continuation(&p, m, &[None; 3]), 0);
    }
}
