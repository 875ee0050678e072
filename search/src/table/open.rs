//! A table with open addressing: whatever is stored stays until all is cleared, and a key that finds no place among its
//! first ones is not stored.
//!
//! The table of Beling's "Little Polish", 2006, 6.5.4: entries of eight bytes, a power of two of them, double hashing
//! with an odd step, so that the places of a key are a permutation of all.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::layout::{Layout, Look};
use super::memory::Memory;
use super::{Entry, bound_of, code_of};
use crate::Score;

/// Places that are looked at before a key is given up.
pub(super) const PLACES: usize = 33;

#[derive(Debug)]
pub(super) struct Open {
    cells: Memory<AtomicU64>,
}

impl Layout for Open {
    fn entries(&self) -> usize {
        self.cells.len()
    }

    fn clear(&self, threads: usize) {
        self.cells.clear(threads);
    }

    fn hold(&self, threads: usize) {
        self.cells.hold(threads);
    }

    fn probe(&self, key: u64) -> Option<Entry> {
        self.find(key).and_then(|(_, cell)| cell.unpack())
    }

    /// Of two results for one position the deeper one stays, the later one if they are equal.
    fn store(&self, key: u64, mut entry: Entry) {
        let Some((place, old)) = self.find(key) else { return };
        if old.is_used() {
            if old.depth() > entry.depth {
                return;
            }
            if entry.best == 0 {
                entry.best = old.best();
            }
        }
        self.cells.use_it();
        self.cells[place].store(Cell::new(key, entry).0, Relaxed);
    }

    fn is_fresh(&self, place: usize) -> bool {
        self.read(place).is_used()
    }

    fn places(&self, key: u64) -> impl Iterator<Item = usize> {
        let mask = self.cells.len() - 1;
        let first = (key >> (64 - self.cells.len().ilog2())) as usize;
        let step = ((key >> 32 << 1) + 1) as usize;
        (0..PLACES).map(move |i| first.wrapping_add(i.wrapping_mul(step)) & mask)
    }

    fn look(&self, place: usize, key: u64) -> Look {
        match self.read(place) {
            cell if !cell.is_used() => Look::Empty,
            cell if cell.matches(key) => Look::Same,
            _ => Look::Other,
        }
    }
}

impl Open {
    /// Bytes of an entry.
    pub const BYTES: usize = 8;

    /// A power of two, at least as many as a key has places; none if memory is short.
    pub fn new(entries: usize) -> Option<Open> {
        let entries = 1 << entries.max(PLACES.next_power_of_two()).ilog2();
        Some(Open { cells: Memory::new(entries)? })
    }

    /// The key's place with what stands there: its own entry, or nothing yet; none if others have all its places.
    fn find(&self, key: u64) -> Option<(usize, Cell)> {
        let cells = self.places(key).map(|place| (place, self.read(place)));
        cells.into_iter().find(|(_, cell)| !cell.is_used() || cell.matches(key))
    }

    fn read(&self, place: usize) -> Cell {
        Cell(self.cells[place].load(Relaxed))
    }
}

/// The most that six bits hold of a depth, which is stored from -1 on. What was searched deeper passes for this.
const DEEPEST: i32 = 62;

/// An entry as it lies in memory, where what the system hands out, all zero, is none.
///
/// low half of the key (32) | move (8) | score (16) | depth + 1 (6) | bound (2, never 0 in a used entry).
#[derive(Clone, Copy)]
struct Cell(u64);

impl Cell {
    fn new(key: u64, entry: Entry) -> Cell {
        let best = u8::try_from(entry.best).unwrap_or(0);
        let depth = (entry.depth.clamp(-1, DEEPEST) + 1) as u64;
        Cell(
            (key & 0xffff_ffff)
                | u64::from(best) << 32
                | u64::from(entry.score.0 as i16 as u16) << 40
                | depth << 56
                | code_of(entry.bound) << 62,
        )
    }

    fn is_used(self) -> bool {
        self.0 >> 62 != 0
    }

    fn matches(self, key: u64) -> bool {
        self.0 as u32 == key as u32
    }

    fn best(self) -> u32 {
        (self.0 >> 32 & 0xff) as u32
    }

    fn depth(self) -> i32 {
        (self.0 >> 56 & 63) as i32 - 1
    }

    fn unpack(self) -> Option<Entry> {
        Some(Entry {
            best: self.best(),
            score: Score(i32::from((self.0 >> 40) as u16 as i16)),
            eval: None,
            depth: self.depth(),
            bound: bound_of(self.0 >> 62)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::entry;
    use super::*;

    /// A key of a table with 64 cells: its first place, the low bits of its step, its low half.
    fn key(first: u64, step: u64, low: u64) -> u64 {
        (first << 58) | ((step / 2) << 32) | low
    }

    #[test]
    fn places_follow_the_step_and_never_meet() {
        let table = Open::new(64).unwrap();
        let places: Vec<usize> = table.places(key(60, 3, 5)).collect();
        assert_eq!(places[..4], [60, 63, 2, 5]);
        let mut sorted = places.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), PLACES);
    }

    #[test]
    fn what_is_stored_stays_and_the_thirty_fourth_finds_no_place() {
        let table = Open::new(64).unwrap();
        let keys: Vec<u64> = (1..=PLACES as u64 + 1).map(|low| key(7, 1, low)).collect();
        for (&key, depth) in keys.iter().zip(1..) {
            table.store(key, entry(depth, 0));
        }
        let (last, others) = keys.split_last().unwrap();
        assert!(others.iter().zip(1..).all(|(&key, depth)| table.probe(key).unwrap().depth == depth));
        assert_eq!(table.probe(*last), None);
    }

    #[test]
    fn the_deeper_result_stays_and_keeps_its_move() {
        let table = Open::new(64).unwrap();
        let stored = |entry| {
            table.store(9, entry);
            table.probe(9).map(|entry| (entry.depth, entry.best))
        };
        assert_eq!(stored(entry(4, 3)), Some((4, 3)));
        assert_eq!(stored(entry(3, 5)), Some((4, 3)));
        assert_eq!(stored(entry(4, 0)), Some((4, 3)));
        assert_eq!(stored(entry(99, 300)), Some((DEEPEST, 0)), "a deep search and a move beyond the byte");
    }

    #[test]
    fn a_position_with_the_same_half_of_the_key_passes_for_another() {
        let table = Open::new(64).unwrap();
        table.store(key(7, 1, 5), entry(4, 1));
        assert_eq!(table.probe(key(7, 9, 5)), table.probe(key(7, 1, 5)));
        assert_eq!(table.probe(key(7, 9, 6)), None);
    }
}
