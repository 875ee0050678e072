//! Who owned which point at the end of playouts: the ground of estimates, dead stones and board overlays.

use std::sync::atomic::{AtomicI64, AtomicU32, Ordering::Relaxed};

use crate::Point;
use crate::board::Board;
use crate::point::{CELLS, points};
use crate::tuning::SAMPLE;

/// What 1 is in sums: a network knows shades.
const UNIT: f64 = 1024.0;

/// Sums over playouts, shared by the threads of a search.
#[derive(Debug)]
pub struct Ownership {
    sample: u32,
    seen: AtomicU32,
    counted: AtomicU32,
    margin: AtomicI64,
    squares: AtomicI64,
    owners: Vec<AtomicI64>,
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
            owners: (0..CELLS).map(|_| AtomicI64::new(0)).collect(),
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
        self.count_in(board.size(), f64::from(board.area()), |point| f64::from(board.owner(point)));
    }

    /// Counts what is thought of a position: Black's points minus White's without komi, and whose each point will be.
    pub fn count_in(&self, size: usize, margin: f64, owner: impl Fn(Point) -> f64) {
        self.counted.fetch_add(1, Relaxed);
        self.margin.fetch_add((margin * UNIT) as i64, Relaxed);
        self.squares.fetch_add((margin * margin * UNIT) as i64, Relaxed);
        for point in points(size) {
            self.owners[point.index()].fetch_add((owner(point) * UNIT) as i64, Relaxed);
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
        self.owners[point.index()].load(Relaxed) as f64 / UNIT / f64::from(self.count().max(1))
    }

    /// The mean of Black's points minus White's, without komi.
    pub fn margin(&self) -> f64 {
        self.margin.load(Relaxed) as f64 / UNIT / f64::from(self.count().max(1))
    }

    /// The standard deviation of the margin.
    pub fn deviation(&self) -> f64 {
        let mean = self.squares.load(Relaxed) as f64 / UNIT / f64::from(self.count().max(1));
        (mean - self.margin() * self.margin()).max(0.0).sqrt()
    }
}
