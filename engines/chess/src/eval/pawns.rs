//! Pawns and the king behind them: what depends on nothing else, and is therefore cached.

use ::search::Side;

use super::sheet::{Sheet, Trace};
use super::terms::{Pair, Term};
use crate::attacks::{self, FILE_A, Square, file_of, first, squares};
use crate::position::{Position, Role};

/// What is known of a pawn structure.
#[derive(Clone, Copy, Default)]
pub struct Structure {
    key: u64,
    sum: Pair,
    /// Passed pawns of both sides.
    pub passed: u64,
}

/// A cache of structures.
#[derive(Clone)]
pub struct Cache(Vec<Structure>);

impl Cache {
    const ENTRIES: usize = 1 << 14;
}

impl Default for Cache {
    fn default() -> Self {
        Cache(vec![Structure::default(); Cache::ENTRIES])
    }
}

/// The squares before a pawn on its file.
pub fn ahead(side: Side, square: Square) -> u64 {
    file_of(square) & beyond(side, square)
}

/// All ranks before a square.
fn beyond(side: Side, square: Square) -> u64 {
    match side {
        Side::White => (!0u64).checked_shl(8 * (u32::from(square.rank()) + 1)).unwrap_or(0),
        Side::Black => (1u64 << (8 * u32::from(square.rank()))) - 1,
    }
}

/// The files beside a square's file.
pub fn beside(square: Square) -> u64 {
    let file = file_of(square);
    (file & !attacks::FILE_H) << 1 | (file & !attacks::FILE_A) >> 1
}

/// Adds the structure's terms, from the cache if nobody listens.
pub fn judge<T: Trace>(sheet: &mut Sheet<'_, T>, cache: &mut Cache) -> u64 {
    let key = sheet.p.keys().pawns;
    let slot = key as usize % Cache::ENTRIES;
    if !T::LISTENS && cache.0[slot].key == key && key != 0 {
        sheet.sum += cache.0[slot].sum;
        return cache.0[slot].passed;
    }
    let before = sheet.sum;
    sheet.place_all(Role::Pawn);
    let mut passed = 0;
    for side in [Side::White, Side::Black] {
        for square in squares(sheet.p.pieces(side, Role::Pawn)) {
            passed |= judge_pawn(sheet, side, square);
        }
        judge_shelter(sheet, side);
    }
    let mut sum = sheet.sum;
    sum -= before;
    cache.0[slot] = Structure { key, sum, passed };
    passed
}

/// Adds a pawn's terms and says, as a bit, whether it is passed.
fn judge_pawn<T: Trace>(sheet: &mut Sheet<'_, T>, side: Side, square: Square) -> u64 {
    let p = sheet.p;
    let (own, enemy) = (p.pieces(side, Role::Pawn), p.pieces(!side, Role::Pawn));
    let (front, sides) = (ahead(side, square), beside(square));
    let rank = usize::from(square.seen_by(side).rank());
    let open = usize::from(enemy & front == 0);
    let neighbours = own & sides;
    let supporters = neighbours & attacks::pawn(!side, square);
    let phalanx = neighbours & attacks::rank_of(square);
    if supporters != 0 {
        sheet.note(side, Term::Supported, rank);
    }
    if phalanx != 0 {
        sheet.note(side, Term::Phalanx, rank);
    }
    if own & front != 0 {
        sheet.note(side, Term::Doubled, 0);
    }
    if neighbours == 0 {
        sheet.note(side, Term::Isolated, open);
    } else if supporters | phalanx == 0 && is_backward(p, side, square, neighbours) {
        sheet.note(side, Term::Backward, open);
    }
    let guards = enemy & (front | beyond(side, square) & sides);
    if guards == 0 && own & front == 0 { square.bit() } else { 0 }
}

/// Whether all neighbours have gone ahead and the next square is the enemy pawns'.
fn is_backward(p: &Position, side: Side, square: Square, neighbours: u64) -> bool {
    let next = if side == Side::White { square.bit() << 8 } else { square.bit() >> 8 };
    neighbours & !beyond(side, square) == 0 && attacks::pawns(!side, p.pieces(!side, Role::Pawn)) & next != 0
}

/// The pawns of both sides on the three files around a king.
fn judge_shelter<T: Trace>(sheet: &mut Sheet<'_, T>, side: Side) {
    let king = sheet.p.king(side);
    let middle = king.file().clamp(1, 6);
    let level = beyond(side, king) | attacks::rank_of(king);
    for file in middle - 1..=middle + 1 {
        let column = (FILE_A << file) & level;
        let own = nearest(side, sheet.p.pieces(side, Role::Pawn) & column);
        let enemy = nearest(side, sheet.p.pieces(!side, Role::Pawn) & column);
        let edge = matches!(file, 0 | 1 | 6 | 7);
        sheet.note(side, if edge { Term::EdgeShelter } else { Term::Shelter }, own);
        sheet.note(side, Term::Storm, enemy);
    }
}

/// The rank, as `side` sees it, of the pawn nearest to it; 0 for none.
fn nearest(side: Side, pawns: u64) -> usize {
    if pawns == 0 {
        return 0;
    }
    let square = match side {
        Side::White => first(pawns),
        Side::Black => Square(63 - pawns.leading_zeros() as u8),
    };
    usize::from(square.seen_by(side).rank())
}
