//! The usual table: clusters of four entries in a cache line, of which the least worthy is replaced.
//!
//! An entry is two relaxed atomics; the first carries both halves of the second by exclusive or, so a torn pair
//! fails its check (Hyatt and Mann, "A lockless transposition table implementation for parallel search").

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::layout::{Layout, Look};
use super::memory::Memory;
use super::{Entry, bound_of, code_of};
use crate::{Bound, Score};

/// Entries that share a cache line.
const CLUSTER: usize = 4;
const WORDS_PER_ENTRY: usize = 2;
const LINE: usize = 64;

#[derive(Debug)]
pub(super) struct Clusters {
    words: Memory<AtomicU64>,
    /// Words before the first cache line.
    skip: usize,
    entries: usize,
    generation: AtomicU8,
}

impl Layout for Clusters {
    fn entries(&self) -> usize {
        self.entries
    }

    fn clear(&self, threads: usize) {
        self.generation.store(0, Relaxed);
        self.words.clear(threads);
    }

    fn hold(&self, threads: usize) {
        self.words.hold(threads);
    }

    fn age(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) & 63, Relaxed);
    }

    #[inline]
    fn probe(&self, key: u64) -> Option<Entry> {
        self.slots(key).find_map(|slot| {
            let packed = self.read(slot);
            packed.matches(key).then(|| packed.unpack()).flatten()
        })
    }

    #[inline]
    fn store(&self, key: u64, entry: Entry) {
        let age = self.generation.load(Relaxed);
        self.words.use_it();
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in self.slots(key) {
            let old = self.read(slot);
            if old.matches(key) && old.is_used() {
                return self.replace_same(slot, old, key, entry, age);
            }
            let worth = worth(old, age);
            if worth < least {
                (victim, least) = (Some(slot), worth);
            }
        }
        let slot = victim.expect("every key has a slot");
        self.write(slot, Packed::new(key, entry, age));
    }

    /// Written in this search.
    fn is_fresh(&self, place: usize) -> bool {
        let entry = self.read(self.slot(place));
        entry.is_used() && entry.age() == self.generation.load(Relaxed)
    }

    fn places(&self, key: u64) -> impl Iterator<Item = usize> {
        (0..CLUSTER).map(move |i| self.first(key) + i)
    }

    fn look(&self, place: usize, key: u64) -> Look {
        let entry = self.read(self.slot(place));
        // Where nothing stands, what follows may still be the one.
        if entry.is_used() && entry.matches(key) { Look::Same } else { Look::Other }
    }
}

impl Clusters {
    /// Bytes of an entry.
    pub const BYTES: usize = 8 * WORDS_PER_ENTRY;

    /// At least one cluster; none if memory is short.
    pub fn new(entries: usize) -> Option<Clusters> {
        let entries = entries.max(CLUSTER).next_multiple_of(CLUSTER);
        let count = entries.checked_mul(WORDS_PER_ENTRY)?.checked_add(LINE / 8)?;
        let words: Memory<AtomicU64> = Memory::new(count)?;
        let skip = words.as_ptr().align_offset(LINE);
        Some(Clusters { words, skip, entries, generation: AtomicU8::new(0) })
    }

    /// Asks the processor to fetch the line in which the key may stand.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        prefetch_line(std::ptr::from_ref(&self.words[self.slot(self.first(key))]).cast());
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// A deeper result of the same position outlives a shallower bound, and keeps its move if the new one has none.
    fn replace_same(&self, slot: usize, old: Packed, key: u64, mut entry: Entry, age: u8) {
        if entry.depth + 3 < old.depth() && entry.bound != Bound::Exact && old.age() == age {
            return;
        }
        if entry.best == 0 {
            entry.best = old.best();
        }
        self.write(slot, Packed::new(key, entry, age));
    }

    /// The place of the first entry that may hold the key.
    #[inline]
    fn first(&self, key: u64) -> usize {
        ((u128::from(key) * (self.entries / CLUSTER) as u128) >> 64) as usize * CLUSTER
    }

    /// The word index of an entry.
    #[inline]
    fn slot(&self, place: usize) -> usize {
        self.skip + place * WORDS_PER_ENTRY
    }

    #[inline]
    fn slots(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let first = self.slot(self.first(key));
        (0..CLUSTER).map(move |i| first + i * WORDS_PER_ENTRY)
    }

    #[inline]
    fn read(&self, slot: usize) -> Packed {
        let body = self.words[slot + 1].load(Relaxed);
        Packed { head: self.words[slot].load(Relaxed) ^ folded(body), body }
    }

    #[inline]
    fn write(&self, slot: usize, packed: Packed) {
        self.words[slot].store(packed.head ^ folded(packed.body), Relaxed);
        self.words[slot + 1].store(packed.body, Relaxed);
    }
}

/// How much an entry deserves to stay: depth is what it cost, hence what it saves; an old one is unlikely to be met
/// again.
#[inline]
fn worth(entry: Packed, age: u8) -> i32 {
    if entry.is_used() {
        entry.depth() - 8 * i32::from((age.wrapping_sub(entry.age())) & 63)
    } else {
        i32::MIN
    }
}

/// Both halves of a body in each: the key's half alone would not tell bodies with the same move apart.
#[inline]
fn folded(body: u64) -> u64 {
    body ^ body.rotate_left(32)
}

/// An entry as it lies in memory.
///
/// head: low half of the key (32) | static value (16) | unused (16);
/// body: move (32) | score (16) | depth + 1 (8) | age (6) | bound (2, never 0 in a used entry).
#[derive(Clone, Copy)]
struct Packed {
    head: u64,
    body: u64,
}

const NO_EVAL: i16 = i16::MIN;

impl Packed {
    fn new(key: u64, entry: Entry, age: u8) -> Packed {
        let eval = entry.eval.map_or(NO_EVAL, |e| e.0 as i16);
        let depth = (entry.depth + 1).clamp(0, 255) as u64;
        Packed {
            head: (key & 0xffff_ffff) | u64::from(eval as u16) << 32,
            body: u64::from(entry.best)
                | u64::from(entry.score.0 as i16 as u16) << 32
                | depth << 48
                | u64::from(age) << 56
                | code_of(entry.bound) << 62,
        }
    }

    fn matches(self, key: u64) -> bool {
        self.head as u32 == key as u32
    }

    fn is_used(self) -> bool {
        self.body >> 62 != 0
    }

    fn best(self) -> u32 {
        self.body as u32
    }

    fn depth(self) -> i32 {
        (self.body >> 48 & 0xff) as i32 - 1
    }

    fn age(self) -> u8 {
        (self.body >> 56 & 63) as u8
    }

    fn unpack(self) -> Option<Entry> {
        let bound = bound_of(self.body >> 62)?;
        let eval = (self.head >> 32) as u16 as i16;
        Some(Entry {
            best: self.best(),
            score: Score(i32::from((self.body >> 32) as u16 as i16)),
            eval: (eval != NO_EVAL).then_some(Score(i32::from(eval))),
            depth: self.depth(),
            bound,
        })
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline(always)]
fn prefetch_line(address: *const i8) {
    // SAFETY: a prefetch reads nothing; any address is allowed.
    unsafe { std::arch::x86_64::_mm_prefetch(address, std::arch::x86_64::_MM_HINT_T0) }
}

#[cfg(test)]
mod tests {
    use super::super::tests::entry;
    use super::*;

    #[test]
    fn a_torn_pair_is_not_found() {
        let table = Clusters::new(4).unwrap();
        let second = &table.words[table.skip + 1];
        // Neither has a move, so only the other half of the body differs.
        for (old, new) in [(1, 2), (2, 2)] {
            table.clear(1);
            table.store(old, entry(9, 0));
            let body = second.load(Relaxed);
            table.write(table.skip, Packed::new(new, Entry { score: Score(500), ..entry(3, 0) }, 0));
            second.store(body, Relaxed);
            assert_eq!((table.probe(old), table.probe(new)), (None, None));
        }
    }

    #[test]
    fn the_least_deep_and_the_oldest_go_first() {
        let table = Clusters::new(4).unwrap();
        let left = || (1..=6).filter(|&key| table.probe(key).is_some()).collect::<Vec<_>>();
        (1..=4).for_each(|key| table.store(key, entry(10 - key as i32, 0)));
        table.store(5, entry(0, 0));
        assert_eq!(left(), [1, 2, 3, 5]);
        table.age();
        table.store(6, entry(1, 0));
        assert_eq!(left(), [1, 2, 3, 6]);
    }
}
