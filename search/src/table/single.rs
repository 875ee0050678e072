//! A table of one place a key, where the newer entry replaces the older.
//!
//! The table of Skoulakis's thesis, 2010, 5.3: entries of ten bytes, a lock, a value as a float, the depth and the kind
//! of bound. It keeps no move.

use std::iter;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use super::layout::{Layout, Look};
use super::memory::Memory;
use super::{Entry, bound_of, code_of};
use crate::Score;

/// Words of an entry: the lock (2), the value (2), depth + 1 and bound (1). The lock carries the others by exclusive or,
/// so that an entry which two threads wrote at once fails its check.
const WORDS: usize = 5;

#[derive(Debug)]
pub(super) struct Single {
    words: Memory<AtomicU16>,
    entries: usize,
}

impl Layout for Single {
    fn entries(&self) -> usize {
        self.entries
    }

    fn clear(&self, threads: usize) {
        self.words.clear(threads);
    }

    fn hold(&self, threads: usize) {
        self.words.hold(threads);
    }

    fn probe(&self, key: u64) -> Option<Entry> {
        let (lock, value, rest) = self.read(self.place(key));
        if lock != key as u32 {
            return None;
        }
        Some(Entry {
            best: 0,
            score: Score(f32::from_bits(value) as i32),
            eval: None,
            depth: i32::from(rest & 0xff) - 1,
            bound: bound_of(u64::from(rest >> 8))?,
        })
    }

    fn store(&self, key: u64, entry: Entry) {
        let value = (entry.score.0 as f32).to_bits();
        let rest = (entry.depth + 1).clamp(0, 255) as u16 | (code_of(entry.bound) as u16) << 8;
        let lock = key as u32 ^ folded(value, rest);
        let words = [lock as u16, (lock >> 16) as u16, value as u16, (value >> 16) as u16, rest];
        self.words.use_it();
        let first = self.place(key) * WORDS;
        self.words[first..first + WORDS].iter().zip(words).for_each(|(word, new)| word.store(new, Relaxed));
    }

    fn is_fresh(&self, place: usize) -> bool {
        self.is_used(place)
    }

    fn places(&self, key: u64) -> impl Iterator<Item = usize> {
        iter::once(self.place(key))
    }

    fn look(&self, place: usize, key: u64) -> Look {
        match self.read(place).0 == key as u32 {
            _ if !self.is_used(place) => Look::Empty,
            true => Look::Same,
            false => Look::Other,
        }
    }
}

impl Single {
    /// Bytes of an entry.
    pub const BYTES: usize = 2 * WORDS;

    /// At least one entry; none if memory is short.
    pub fn new(entries: usize) -> Option<Single> {
        let entries = entries.max(1);
        Some(Single { words: Memory::new(entries.checked_mul(WORDS)?)?, entries })
    }

    /// One half of the key chooses the place, the other one is the lock.
    fn place(&self, key: u64) -> usize {
        (key >> 32) as usize % self.entries
    }

    fn is_used(&self, place: usize) -> bool {
        self.read(place).2 != 0
    }

    /// The lock, the value's bits, depth and bound.
    fn read(&self, place: usize) -> (u32, u32, u16) {
        let word = |i: usize| self.words[place * WORDS + i].load(Relaxed);
        let double = |i: usize| u32::from(word(i)) | u32::from(word(i + 1)) << 16;
        let (value, rest) = (double(2), word(4));
        (double(0) ^ folded(value, rest), value, rest)
    }
}

/// What the lock carries of the rest.
fn folded(value: u32, rest: u16) -> u32 {
    value ^ u32::from(rest) << 16 ^ u32::from(rest)
}

#[cfg(test)]
mod tests {
    use super::super::tests::entry;
    use super::*;

    #[test]
    fn the_newer_entry_replaces_the_older() {
        let table = Single::new(1000).unwrap();
        let (first, second) = (3 << 32 | 7, 1003 << 32 | 8);
        table.store(first, entry(9, 0));
        assert_eq!(table.probe(first), Some(Entry { eval: None, ..entry(9, 0) }));
        table.store(second, entry(1, 0));
        assert_eq!((table.probe(first), table.probe(second).is_some()), (None, true));
    }

    #[test]
    fn entries_take_ten_bytes() {
        let table = Single::new(1_000_000).unwrap();
        assert_eq!(size_of_val(&table.words[..]), 10_000_000);
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = Single::new(1).unwrap();
        for word in 0..WORDS {
            table.store(5, entry(9, 0));
            let old = table.words[word].load(Relaxed);
            table.store(6, Entry { score: Score(-70_000), bound: crate::Bound::Exact, ..entry(3, 0) });
            if table.words[word].swap(old, Relaxed) != old {
                assert_eq!((table.probe(5), table.probe(6)), (None, None), "word {word}");
            }
        }
    }
}
