//! The 32 dark squares as bits of a word, and the geometry of diagonals on it.
//!
//! ```text
//!     28  29  30  31        row 8, where White's men are crowned
//!   24  25  26  27
//!     20  21  22  23
//!   16  17  18  19
//!     12  13  14  15
//!   8   9   10  11
//!     4   5   6   7
//!   0   1   2   3           row 1, where Black's men are crowned; 0 = a1
//! ```
//! The numbering is that of Beling, "Praktyczne aspekty programowania gier logicznych", 2006;
//! people's numbers (b8 = 1 ... g1 = 32) exist only in text.

use search::Side;
use search::squares::bits;

/// A dark square: a1 = 0, c1 = 1, b2 = 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub u8);

impl Square {
    /// The square as a bit.
    pub fn bit(self) -> u32 {
        1 << self.0
    }

    /// The number people use: b8 = 1 ... g1 = 32.
    pub fn number(self) -> u8 {
        (self.0 ^ 28) + 1
    }

    /// The square with a number from 1 to 32.
    pub fn from_number(number: u8) -> Option<Square> {
        (1..=32).contains(&number).then(|| Square((number - 1) ^ 28))
    }

    /// Row and column from 0, a1 = (0, 0).
    pub fn row_and_column(self) -> (u8, u8) {
        let row = self.0 / 4;
        (row, 2 * (self.0 % 4) + row % 2)
    }

    /// The dark square at a row and column from 0.
    pub fn at(row: u8, column: u8) -> Option<Square> {
        (row < 8 && column < 8 && (row + column).is_multiple_of(2)).then(|| Square(4 * row + column / 2))
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0 & 31)
    }
}

/// The squares of a set, lowest first.
pub fn squares(set: u32) -> impl Iterator<Item = Square> {
    bits(set.into()).map(Square)
}

/// The row on which a side's men become kings.
pub(crate) fn crown_row(side: Side) -> u32 {
    match side {
        Side::White => 0xf000_0000,
        Side::Black => 0x0000_000f,
    }
}

/// The long diagonal a1-h8, the main road.
pub(crate) const MAIN_ROAD: u32 = 0x8844_2211;

/// The four ways along the diagonals; the opposite of `w` is `3 - w`.
pub(crate) const UP_LEFT: usize = 0;
pub(crate) const UP_RIGHT: usize = 1;
pub(crate) const DOWN_LEFT: usize = 2;
pub(crate) const DOWN_RIGHT: usize = 3;
pub(crate) const WAYS: [usize; 4] = [UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT];

/// The two ways across each way.
pub(crate) const ACROSS: [[usize; 2]; 4] = [[1, 2], [0, 3], [0, 3], [1, 2]];

/// For each way, the squares of even and of odd rows that have a next one, and how far it is as a
/// rotation to the left; the masks keep every square from passing the end of the word.
const EVEN: [(u32, u32); 4] =
    [(0x0e0e_0e0e, 3), (0x0f0f_0f0f, 4), (0x0e0e_0e00, 32 - 5), (0x0f0f_0f00, 32 - 4)];
const ODD: [(u32, u32); 4] =
    [(0x00f0_f0f0, 4), (0x0070_7070, 5), (0xf0f0_f0f0, 32 - 4), (0x7070_7070, 32 - 3)];

/// All squares of a set one step further; those at the edge drop off.
#[inline(always)]
pub(crate) const fn shift(way: usize, set: u32) -> u32 {
    let (even, odd) = (EVEN[way], ODD[way]);
    (set & even.0).rotate_left(even.1) | (set & odd.0).rotate_left(odd.1)
}

/// For each way and square, the next square and the one behind it, as bits; 0 beyond the edge.
pub(crate) const JUMPS: [[(u32, u32); 32]; 4] = {
    let mut jumps = [[(0, 0); 32]; 4];
    let mut way = 0;
    while way < 4 {
        let mut square = 0;
        while square < 32 {
            let over = shift(way, 1 << square);
            jumps[way][square] = (over, shift(way, over));
            square += 1;
        }
        way += 1;
    }
    jumps
};

/// For each way and square, all squares beyond it up to the edge.
pub(crate) const RAYS: [[u32; 32]; 4] = {
    let mut rays = [[0; 32]; 4];
    let mut way = 0;
    while way < 4 {
        let mut square = 0;
        while square < 32 {
            let mut next = shift(way, 1 << square);
            while next != 0 {
                rays[way][square] |= next;
                next = shift(way, next);
            }
            square += 1;
        }
        way += 1;
    }
    rays
};

/// The square of a set on a ray that is met first; 0 for none.
#[inline(always)]
pub(crate) fn first(way: usize, set: u32) -> u32 {
    if way < DOWN_LEFT {
        set & set.wrapping_neg()
    } else {
        0x8000_0000u32.checked_shr(set.leading_zeros()).unwrap_or(0)
    }
}

/// What lies on a ray beyond a square and before the first of some blockers.
#[inline(always)]
pub(crate) fn until(way: usize, from: Square, blockers: u32) -> u32 {
    let ray = RAYS[way][from.index()];
    let block = first(way, ray & blockers);
    if block == 0 { ray } else { ray & !block & !RAYS[way][block.trailing_zeros() as usize] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_moves_each_square_one_row_and_one_column() {
        for square in squares(!0) {
            let (row, column) = square.row_and_column();
            for way in WAYS {
                let up = if way < DOWN_LEFT { 1 } else { u8::MAX };
                let right = if way % 2 == 1 { 1 } else { u8::MAX };
                let next = Square::at(row.wrapping_add(up), column.wrapping_add(right));
                assert_eq!(shift(way, square.bit()), next.map_or(0, Square::bit), "{square:?} {way}");
            }
        }
    }

    #[test]
    fn rays_end_at_the_first_blocker() {
        let a1 = Square(0);
        assert_eq!(until(UP_RIGHT, a1, 0), MAIN_ROAD & !1);
        assert_eq!(until(UP_RIGHT, a1, Square(13).bit()), Square(4).bit() | Square(9).bit());
        assert_eq!(until(DOWN_LEFT, Square(31), Square(4).bit() | 1), MAIN_ROAD & !0x8000_0011);
        assert_eq!(until(DOWN_RIGHT, a1, !0), 0);
    }

    #[test]
    fn numbers_run_from_b8_to_g1() {
        assert_eq!(Square::from_number(1), Square::at(7, 1));
        assert_eq!(Square::from_number(29), Some(Square(0)));
        assert_eq!(Square::from_number(32), Square::at(0, 6));
        assert!(squares(!0).all(|s| Square::from_number(s.number()) == Some(s)));
        assert_eq!((Square::from_number(0), Square::from_number(33)), (None, None));
    }
}
