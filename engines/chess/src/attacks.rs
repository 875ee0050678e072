//! Where pieces reach: squares as bits in a word, a1 = 0, b1 = 1, a2 = 8.
//!
//! Steps of king, knight and pawn come from tables; sliding pieces from [`sliders`], where several
//! ways of computing the same sets stand side by side.

pub mod sliders;

use ::search::Side;
pub use ::search::squares::{Square, squares};

use sliders::{Sliders, ray};

/// The lowest square of a set that is not empty.
#[inline]
pub fn first(bits: u64) -> Square {
    debug_assert_ne!(bits, 0);
    Square(bits.trailing_zeros() as u8)
}

/// All squares of the a-file.
pub const FILE_A: u64 = 0x0101_0101_0101_0101;
/// All squares of the h-file.
pub const FILE_H: u64 = FILE_A << 7;
/// The light squares.
pub const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;
/// All squares of the first rank.
pub const RANK_1: u64 = 0xff;
/// All squares of the eighth rank.
pub const RANK_8: u64 = RANK_1 << 56;

/// All squares of a file.
pub const fn file_of(square: Square) -> u64 {
    FILE_A << square.file()
}

/// All squares of a rank.
pub const fn rank_of(square: Square) -> u64 {
    RANK_1 << (8 * square.rank())
}

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

static KNIGHT: [u64; 64] = steps(&KNIGHT_STEPS);
static KING: [u64; 64] = steps(&KING_STEPS);
static PAWN: [[u64; 64]; 2] = [steps(&[(-1, 1), (1, 1)]), steps(&[(-1, -1), (1, -1)])];
static BETWEEN: [[u64; 64]; 64] = between_table();
static LINE: [[u64; 64]; 64] = line_table();
static BISHOP_RAYS: [u64; 64] = ray_table(false);
static ROOK_RAYS: [u64; 64] = ray_table(true);

/// Squares a knight attacks.
#[inline]
pub fn knight(from: Square) -> u64 {
    KNIGHT[from.index()]
}

/// Squares a king attacks.
#[inline]
pub fn king(from: Square) -> u64 {
    KING[from.index()]
}

/// Squares a pawn of `side` attacks.
#[inline]
pub fn pawn(side: Side, from: Square) -> u64 {
    PAWN[side.index()][from.index()]
}

/// Squares that pawns of `side` attack together.
#[inline]
pub fn pawns(side: Side, set: u64) -> u64 {
    let (west, east) = (set & !FILE_A, set & !FILE_H);
    if side == Side::White { west << 7 | east << 9 } else { west >> 9 | east >> 7 }
}

/// Squares a bishop attacks on a board with these pieces.
#[inline]
pub fn bishop(from: Square, occupied: u64) -> u64 {
    sliders::Fastest::bishop(from, occupied)
}

/// Squares a rook attacks on a board with these pieces.
#[inline]
pub fn rook(from: Square, occupied: u64) -> u64 {
    sliders::Fastest::rook(from, occupied)
}

/// Squares a queen attacks on a board with these pieces.
#[inline]
pub fn queen(from: Square, occupied: u64) -> u64 {
    bishop(from, occupied) | rook(from, occupied)
}

/// Squares a bishop attacks on an empty board.
#[inline]
pub fn bishop_rays(from: Square) -> u64 {
    BISHOP_RAYS[from.index()]
}

/// Squares a rook attacks on an empty board.
#[inline]
pub fn rook_rays(from: Square) -> u64 {
    ROOK_RAYS[from.index()]
}

/// The squares strictly between two that share a line; none otherwise.
#[inline]
pub fn between(a: Square, b: Square) -> u64 {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares, both included; none if they share none.
#[inline]
pub fn line(a: Square, b: Square) -> u64 {
    LINE[a.index()][b.index()]
}

/// The number of king steps between two squares.
pub fn distance(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()))
}

const fn steps(ways: &[(i8, i8)]) -> [u64; 64] {
    let mut out = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < ways.len() {
            let (file, rank) = (square as i8 % 8 + ways[i].0, square as i8 / 8 + ways[i].1);
            if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                out[square] |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        square += 1;
    }
    out
}

const fn ray_table(straight: bool) -> [u64; 64] {
    let mut out = [0; 64];
    let mut square = 0;
    while square < 64 {
        out[square] = sliders::walk(Square(square as u8), 0, straight);
        square += 1;
    }
    out
}

const fn between_table() -> [[u64; 64]; 64] {
    let mut out = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut way = 0;
        while way < 8 {
            let whole = ray(Square(a as u8), 0, KING_STEPS[way]);
            let mut rest = whole;
            while rest != 0 {
                let b = rest.trailing_zeros() as usize;
                out[a][b] = ray(Square(a as u8), 1 << b, KING_STEPS[way]) & !(1 << b);
                rest &= rest - 1;
            }
            way += 1;
        }
        a += 1;
    }
    out
}

const fn line_table() -> [[u64; 64]; 64] {
    let mut out = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut way = 0;
        while way < 4 {
            let from = Square(a as u8);
            let whole = ray(from, 0, KING_STEPS[way]) | ray(from, 0, KING_STEPS[way + 4]) | from.bit();
            let mut rest = whole & !from.bit();
            while rest != 0 {
                out[a][rest.trailing_zeros() as usize] = whole;
                rest &= rest - 1;
            }
            way += 1;
        }
        a += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_gaps_agree() {
        let (a1, d4, h8, b3) = (Square::at(0, 0), Square::at(3, 3), Square::at(7, 7), Square::at(1, 2));
        assert_eq!(between(a1, d4), 1 << 9 | 1 << 18);
        assert_eq!(line(a1, d4), line(d4, h8));
        assert_eq!((between(a1, b3), line(a1, b3)), (0, 0));
    }

    #[test]
    fn pawns_together_attack_what_each_attacks() {
        for side in [Side::White, Side::Black] {
            let set = 0x0012_8100_4281_2400;
            let each = squares(set).fold(0, |all, square| all | pawn(side, square));
            assert_eq!(pawns(side, set), each);
        }
    }
}
