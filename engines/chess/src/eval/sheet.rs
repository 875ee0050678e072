//! The running account of one evaluation: attack maps of both sides and the sum of all terms so far.

use ::search::Side;

use super::terms::{Pair, Term, Weights};
use crate::attacks::{self, Square, squares};
use crate::position::{Position, Role};

/// Who hears which weights were counted: nobody in play, the learner in learning.
pub trait Trace {
    /// Whether anybody listens; without a listener results may come from a cache.
    const LISTENS: bool;
    /// A weight was counted for White (positive) or Black (negative).
    fn count(&mut self, index: usize, count: i32);
}

/// Nobody listens.
pub struct Silent;

impl Trace for Silent {
    const LISTENS: bool = false;

    #[inline]
    fn count(&mut self, _: usize, _: i32) {}
}

/// What one evaluation knows.
pub struct Sheet<'a, T> {
    /// The position judged.
    pub p: &'a Position,
    weights: &'a Weights,
    trace: &'a mut T,
    /// White's terms less Black's.
    pub sum: Pair,
    /// Squares attacked by each side with each kind of piece.
    pub by: [[u64; 6]; 2],
    /// Squares attacked by each side.
    pub all: [u64; 2],
    /// Squares attacked by each side at least twice.
    pub twice: [u64; 2],
    /// The king's surroundings.
    pub ring: [u64; 2],
    /// What each side's pieces do to the enemy king.
    pub assault: [Assault; 2],
}

/// A side's pieces against the enemy king.
#[derive(Clone, Copy, Default)]
pub struct Assault {
    /// Pieces that reach the king's surroundings.
    pub attackers: i32,
    /// Their weight.
    pub weight: i32,
    /// Squares of the surroundings they reach, counted for each piece.
    pub hits: i32,
}

impl<'a, T: Trace> Sheet<'a, T> {
    /// A sheet with kings and pawns already on it.
    pub fn new(p: &'a Position, weights: &'a Weights, trace: &'a mut T) -> Self {
        let mut sheet = Sheet {
            p,
            weights,
            trace,
            sum: Pair::default(),
            by: [[0; 6]; 2],
            all: [0; 2],
            twice: [0; 2],
            ring: [0; 2],
            assault: [Assault::default(); 2],
        };
        for side in [Side::White, Side::Black] {
            let king = attacks::king(p.king(side));
            let pawns = p.pieces(side, Role::Pawn);
            let by_pawns = attacks::pawns(side, pawns);
            let i = side.index();
            sheet.by[i][Role::King.index()] = king;
            sheet.by[i][Role::Pawn.index()] = by_pawns;
            sheet.all[i] = king | by_pawns;
            // A square that two pawns attack is attacked from both sides.
            let (west, east) = (pawns & !attacks::FILE_A, pawns & !attacks::FILE_H);
            let double = if side == Side::White { west << 7 & east << 9 } else { west >> 9 & east >> 7 };
            sheet.twice[i] = king & by_pawns | double;
            let ahead = if side == Side::White { king << 8 } else { king >> 8 };
            sheet.ring[i] = (king | ahead | p.king(side).bit()) & !double;
        }
        sheet
    }

    /// Counts a weight `count` times for a side.
    #[inline]
    pub fn add(&mut self, side: Side, index: usize, count: i32) {
        let count = if side == Side::White { count } else { -count };
        self.sum += self.weights.0[index] * count;
        self.trace.count(index, count);
    }

    /// Counts one of a term's weights once for a side.
    #[inline]
    pub fn note(&mut self, side: Side, term: Term, i: usize) {
        self.add(side, term.at(i), 1);
    }

    /// Notes a piece and where it stands.
    #[inline]
    pub fn place(&mut self, side: Side, role: Role, square: Square) {
        self.note(side, Term::Piece, role.index());
        self.note(side, Term::Place, place(role, square.seen_by(side)));
    }

    /// Notes what a piece attacks.
    #[inline]
    pub fn reach(&mut self, side: Side, role: Role, targets: u64) {
        let i = side.index();
        self.by[i][role.index()] |= targets;
        self.twice[i] |= self.all[i] & targets;
        self.all[i] |= targets;
    }

    /// The distance of a square from a side's king.
    pub fn king_distance(&self, side: Side, square: Square) -> usize {
        usize::from(attacks::distance(self.p.king(side), square))
    }

    /// Adds pawns, which have no mobility.
    pub fn place_all(&mut self, role: Role) {
        for side in [Side::White, Side::Black] {
            for square in squares(self.p.pieces(side, role)) {
                self.place(side, role, square);
            }
        }
    }

    /// The weights as one value from White's view, with the phase and the scale of the endgame.
    pub fn tapered(&self, phase: i32, scale: i32) -> i32 {
        let (middle, end) = (self.sum.middle(), self.sum.end() * scale / super::scale::FULL);
        (middle * phase + end * (super::PHASE_FULL - phase)) / super::PHASE_FULL
    }
}

/// The index of a square among the weights of a kind of piece: four files, mirrored, eight ranks.
#[inline]
pub fn place(role: Role, square: Square) -> usize {
    let file = square.file().min(7 - square.file());
    role.index() * 32 + usize::from(square.rank()) * 4 + usize::from(file)
}
