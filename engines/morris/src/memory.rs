//! What the no-return rules remember: for each man, the point it came from.

use search::zobrist;

use crate::board::{POINTS, Point, points};

const KEYS: [[u64; POINTS]; POINTS] = zobrist::tables(100);

/// For each man that remembers, where it stood before its latest move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Memory {
    /// The men that remember anything.
    men: u32,
    /// Their origins; 0 for the others.
    origin: [u8; POINTS],
}

impl Memory {
    /// The men that remember a point, as bits.
    pub fn men(&self) -> u32 {
        self.men
    }

    /// The point that the man on `point` came from.
    pub fn origin(&self, point: Point) -> Option<Point> {
        (self.men & point.bit() != 0).then(|| Point(self.origin[point.index()]))
    }

    /// Notes that the man now on `point` came from `origin`; returns the change of the key.
    pub(crate) fn note(&mut self, point: Point, origin: Point) -> u64 {
        self.men |= point.bit();
        self.origin[point.index()] = origin.0;
        KEYS[point.index()][origin.index()]
    }

    /// Drops what the men on these points remember; returns the change of the key.
    pub(crate) fn drop(&mut self, set: u32) -> u64 {
        points(set & self.men).fold(0, |key, point| {
            self.men ^= point.bit();
            key ^ KEYS[point.index()][std::mem::take(&mut self.origin[point.index()]) as usize]
        })
    }

    /// The part of a position's key that comes from memory.
    pub(crate) fn key(&self) -> u64 {
        points(self.men).fold(0, |key, point| key ^ KEYS[point.index()][self.origin[point.index()] as usize])
    }
}
