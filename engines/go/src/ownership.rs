//! Who owned which point at the end of playouts: the ground of estimates, dead stones and board overlays.

use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, Ordering::Relaxed};

use crate::Point;
use crate::board::Board;
use crate::point::{CELLS, points};
use crate::tuning::SAMPLE;

/// Sums over playouts, shared by the threads of a search.
#[derive(Debug)]
pub struct Ownership {
    sample: u32,
    seen: AtomicU32,
    counted: AtomicU32,
    margin: AtomicI64,
    squares: AtomicI64,
    owners: Vec<AtomicI32>,
}

impl Default for Ownership {
    fn default() -> Self {
        Ownership::new(SAMPLE)
    }
}

impl Ownership {
    /// Nothing counted yet; of the playouts shown to it every `sample`-th will be.
    pub fn new(sample: u32) -> Ownership {
        Ownership {
            sample,
            seen: AtomicU32::new(0),
            counted: AtomicU32::new(0),
            margin: AtomicI64::new(0),
            squares: AtomicI64::new(0),
            owners: (0..CELLS).map(|_| AtomicI32::new(0)).collect(),
        }
    }

    /// Forgets all counts.
    pub fn clear(&self) {
        self.seen.store(0, Relaxed);
        self.counted.store(0, Relaxed);
        self.margin.store(0, Relaxed);
        self.squares.store(0, Relaxed);
        self.owners.iter().for_each(|sum| sum.store(0, Relaxed));
    }

    /// Looks at the end of a playout.
    pub fn add(&self, board: &Board) {
        if !self.seen.fetch_add(1, Relaxed).is_multiple_of(self.sample) {
            return;
        }
        self.counted.fetch_add(1, Relaxed);
        let margin = i64::from(board.area());
        self.margin.fetch_add(margin, Relaxed);
        self.squares.fetch_add(margin * margin, Relaxed);
        for point in points(board.size()) {
            self.owners[point.index()].fetch_add(board.owner(point), Relaxed);
        }
    }

    /// Adds what another has counted.
    pub fn absorb(&self, other: &Ownership) {
        self.counted.fetch_add(other.count(), Relaxed);
        self.margin.fetch_add(other.margin.load(Relaxed), Relaxed);
        self.squares.fetch_add(other.squares.load(Relaxed), Relaxed);
        for (sum, more) in self.owners.iter().zip(&other.owners) {
            sum.fetch_add(more.load(Relaxed), Relaxed);
        }
    }

    /// Playouts shown to it since all counts were forgotten.
    pub fn seen(&self) -> u32 {
        self.seen.load(Relaxed)
    }

    /// Playouts counted.
    pub fn count(&self) -> u32 {
        self.counted.load(Relaxed)
    }

    /// From 1, always Black's, to -1, always White's.
    pub fn at(&self, point: Point) -> f64 {
        f64::from(self.owners[point.index()].load(Relaxed)) / f64::from(self.count().max(1))
    }

    /// The mean of Black's points minus White's, without komi.
    pub fn margin(&self) -> f64 {
        self.margin.load(Relaxed) as f64 / f64::from(self.count().max(1))
    }

    /// The standard deviation of the margin.
    pub fn deviation(&self) -> f64 {
        let mean = self.squares.load(Relaxed) as f64 / f64::from(self.count().max(1));
        (mean - self.margin() * self.margin()).max(0.0).sqrt()
    }
}
