//! The hash table: what earlier searches found out about positions, shared by all threads without locks.
//!
//! An entry is two relaxed atomics; the first carries both halves of the second by exclusive or, so a torn pair
//! fails its check (Hyatt and Mann, "A lockless transposition table implementation for parallel search").

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::{Bound, Score, crew};

/// Entries that share a cache line.
const CLUSTER: usize = 4;
const WORDS_PER_ENTRY: usize = 2;
const LINE: usize = 64;
/// Words that a thread clears at a time.
const PORTION: usize = 1 << 18;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move found, packed; 0 for none.
    pub best: u32,
    /// From the side to move, distances counted from this position.
    pub score: Score,
    /// The static value, if it was asked for.
    pub eval: Option<Score>,
    /// Plies searched below the position.
    pub depth: i32,
    /// What the score means.
    pub bound: Bound,
}

/// Which old entry a new one may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scheme {
    /// Four probes: the least worthy of four neighbours, by depth and age.
    #[default]
    Clustered,
    /// One probe: the only candidate, whatever it holds.
    AlwaysReplace,
    /// One probe: the only candidate, if it was not searched deeper in this search.
    DepthPreferred,
}

/// The table could not be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate a hash table of {mib} MiB; keeping the old one")]
pub struct TableError {
    mib: usize,
}

/// A table of a fixed number of entries.
#[derive(Debug)]
pub struct Table {
    words: Vec<AtomicU64>,
    /// Words before the first cache line.
    skip: usize,
    entries: usize,
    generation: AtomicU8,
    /// Whether anything was stored: a table fresh from the system need not be cleared.
    is_used: AtomicBool,
    /// Whether the system has given all of the memory: it hands out its pages when they are first written.
    is_held: AtomicBool,
    scheme: Scheme,
}

impl Table {
    /// A table of this size; the memory is mapped now and touched as it is used, or at [`Table::hold`].
    pub fn new(mib: usize, scheme: Scheme) -> Result<Self, TableError> {
        let entries = mib.checked_mul(1 << 20).ok_or(TableError { mib })? / (8 * WORDS_PER_ENTRY);
        Self::with_entries(entries, scheme).ok_or(TableError { mib })
    }

    /// A table of at least one cluster and about this many entries; none if memory is short.
    pub fn with_entries(entries: usize, scheme: Scheme) -> Option<Self> {
        let entries = entries.max(CLUSTER).next_multiple_of(CLUSTER);
        let count = entries.checked_mul(WORDS_PER_ENTRY)?.checked_add(LINE / 8)?;
        let words: Vec<AtomicU64> = bytemuck::allocation::try_zeroed_vec(count).ok()?;
        ask_for_large_pages(&words);
        let skip = words.as_ptr().align_offset(LINE);
        Some(Table {
            words,
            skip,
            entries,
            generation: AtomicU8::new(0),
            is_used: AtomicBool::new(false),
            is_held: AtomicBool::new(false),
            scheme,
        })
    }

    /// The number of entries.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Forgets everything, with the help of `threads` threads or one for every core.
    pub fn clear(&self, threads: usize) {
        self.generation.store(0, Relaxed);
        if self.is_used.swap(false, Relaxed) {
            self.zero(threads);
        }
    }

    /// Has the system give the memory now, so that no search waits for it; nothing stored is lost.
    pub fn hold(&self, threads: usize) {
        if !self.is_held.load(Relaxed) && !self.is_used.load(Relaxed) {
            self.zero(threads);
        }
    }

    fn zero(&self, threads: usize) {
        let threads = threads.max(std::thread::available_parallelism().map_or(1, |cores| cores.get()));
        let (portions, next) = (self.words.len().div_ceil(PORTION), AtomicUsize::new(0));
        let zero = || {
            while let Some(portion) = self.words.chunks(PORTION).nth(next.fetch_add(1, Relaxed)) {
                portion.iter().for_each(|word| word.store(0, Relaxed));
            }
        };
        crew::run((1..threads.min(portions)).map(|_| zero), |_| zero());
        self.is_held.store(true, Relaxed);
    }

    /// Tells the table that what it holds now belongs to an earlier search.
    pub fn age(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) & 63, Relaxed);
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.slots(key).find_map(|slot| {
            let packed = self.read(slot);
            packed.matches(key).then(|| packed.unpack()).flatten()
        })
    }

    /// Remembers an entry, if the scheme finds room.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let age = self.generation.load(Relaxed);
        if !self.is_used.load(Relaxed) {
            self.is_used.store(true, Relaxed);
        }
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in self.slots(key) {
            let old = self.read(slot);
            if old.matches(key) && old.is_used() {
                return self.replace_same(slot, old, key, entry, age);
            }
            let worth = self.worth(old, age);
            if worth < least {
                (victim, least) = (Some(slot), worth);
            }
        }
        let slot = victim.expect("every key has a slot");
        if self.scheme == Scheme::DepthPreferred && least > entry.depth {
            return;
        }
        self.write(slot, Packed::new(key, entry, age));
    }

    /// Asks the processor to fetch the position's line before it is needed.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            let word = &self.words[self.first(key)];
            prefetch_line(std::ptr::from_ref(word).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The part written in this search, per mille, judged by the first thousand entries.
    pub fn hashfull(&self) -> u32 {
        let age = self.generation.load(Relaxed);
        let sample = self.entries.min(1000);
        let used = (0..sample)
            .filter(|i| {
                let entry = self.read(self.skip + i * WORDS_PER_ENTRY);
                entry.is_used() && entry.age() == age
            })
            .count();
        (used * 1000 / sample) as u32
    }

    /// A deeper result of the same position outlives a shallower bound, and keeps its move if the new one has none.
    fn replace_same(&self, slot: usize, old: Packed, key: u64, mut entry: Entry, age: u8) {
        let shallower = entry.depth + 3 < old.depth() && entry.bound != Bound::Exact && old.age() == age;
        if shallower && self.scheme != Scheme::AlwaysReplace {
            return;
        }
        if entry.best == 0 {
            entry.best = old.best();
        }
        self.write(slot, Packed::new(key, entry, age));
    }

    /// How much an entry deserves to stay.
    fn worth(&self, entry: Packed, age: u8) -> i32 {
        match self.scheme {
            _ if !entry.is_used() => i32::MIN,
            Scheme::AlwaysReplace => i32::MIN,
            // Depth is what an entry cost, hence what it saves; an old one is unlikely to be met again.
            Scheme::DepthPreferred if entry.age() != age => i32::MIN,
            Scheme::DepthPreferred => entry.depth(),
            Scheme::Clustered => entry.depth() - 8 * i32::from((age.wrapping_sub(entry.age())) & 63),
        }
    }

    /// The word index of the first entry that may hold the key.
    #[inline]
    fn first(&self, key: u64) -> usize {
        let scale = |n: usize| ((u128::from(key) * n as u128) >> 64) as usize;
        let entry = match self.scheme {
            Scheme::Clustered => scale(self.entries / CLUSTER) * CLUSTER,
            _ => scale(self.entries),
        };
        self.skip + entry * WORDS_PER_ENTRY
    }

    #[inline]
    fn slots(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let first = self.first(key);
        let count = if self.scheme == Scheme::Clustered { CLUSTER } else { 1 };
        (0..count).map(move |i| first + i * WORDS_PER_ENTRY)
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
        let bound = match entry.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        Packed {
            head: (key & 0xffff_ffff) | u64::from(eval as u16) << 32,
            body: u64::from(entry.best)
                | u64::from(entry.score.0 as i16 as u16) << 32
                | depth << 48
                | u64::from(age) << 56
                | bound << 62,
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
        let bound = match self.body >> 62 {
            0 => return None,
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        };
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

/// Asks the system to map fresh memory in pages of 2 MiB: most probes of a small page find no address translation.
fn ask_for_large_pages(words: &[AtomicU64]) {
    #[cfg(target_os = "linux")]
    #[allow(unsafe_code)]
    {
        const PAGE: usize = 4096;
        let skip = words.as_ptr().align_offset(PAGE).min(words.len());
        let length = words[skip..].len() * 8 / PAGE * PAGE;
        if length > 0 {
            // SAFETY: the range lies inside the slice, and the advice changes nothing that can be read. A refusal
            // costs speed only.
            unsafe { libc::madvise(words[skip..].as_ptr().cast_mut().cast(), length, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = words;
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
    use super::*;

    fn entry(depth: i32, best: u32) -> Entry {
        Entry { best, score: Score(-7), eval: Some(Score(33)), depth, bound: Bound::Lower }
    }

    #[test]
    fn what_was_stored_is_found() {
        for scheme in [Scheme::Clustered, Scheme::AlwaysReplace, Scheme::DepthPreferred] {
            let table = Table::new(1, scheme).unwrap();
            let key = 0x1234_5678_9abc_def0;
            assert_eq!(table.probe(key), None);
            let full =
                Entry { eval: None, bound: Bound::Exact, score: Score::win_in(3), ..entry(0, u32::MAX) };
            table.store(key, full);
            assert_eq!(table.probe(key), Some(full));
            table.clear(2);
            assert_eq!(table.probe(key), None);
        }
    }

    #[test]
    fn a_key_of_zero_is_not_found_in_an_empty_table() {
        assert_eq!(Table::new(1, Scheme::Clustered).unwrap().probe(0), None);
    }

    #[test]
    fn a_torn_pair_is_not_found() {
        let table = Table::with_entries(4, Scheme::AlwaysReplace).unwrap();
        let second = &table.words[table.skip + 1];
        // Neither has a move, so only the other half of the body differs.
        for (old, new) in [(1, 2), (2, 2)] {
            table.store(old, entry(9, 0));
            let body = second.load(Relaxed);
            table.store(new, Entry { score: Score(500), ..entry(3, 0) });
            second.store(body, Relaxed);
            assert_eq!((table.probe(old), table.probe(new)), (None, None));
        }
    }

    #[test]
    fn schemes_choose_their_victims() {
        let clash = |scheme| {
            let table = Table::with_entries(4, scheme).unwrap();
            table.store(1, entry(9, 1));
            table.store(2, entry(3, 2));
            (table.probe(1).is_some(), table.probe(2).is_some())
        };
        assert_eq!(clash(Scheme::Clustered), (true, true));
        assert_eq!(clash(Scheme::AlwaysReplace), (false, true));
        assert_eq!(clash(Scheme::DepthPreferred), (true, false));
    }

    #[test]
    fn a_missing_move_keeps_the_old_one() {
        let table = Table::new(1, Scheme::Clustered).unwrap();
        table.store(5, entry(4, 77));
        table.store(5, entry(5, 0));
        assert_eq!(table.probe(5).unwrap().best, 77);
    }

    #[test]
    fn memory_is_held_without_losing_what_is_stored() {
        let table = Table::new(1, Scheme::Clustered).unwrap();
        table.hold(2);
        assert!(table.is_held.load(Relaxed));
        table.store(9, entry(4, 77));
        table.hold(2);
        assert_eq!(table.probe(9), Some(entry(4, 77)));
    }

    #[test]
    fn a_table_is_cleared_though_no_thread_helps() {
        crew::tests::MOST.set(Some(0));
        let table = Table::new(8, Scheme::Clustered).unwrap();
        let keys = || (0..64).map(|n| n << 58 | 1);
        keys().for_each(|key| table.store(key, entry(4, 77)));
        table.clear(8);
        assert!(keys().all(|key| table.probe(key).is_none()));
    }

    #[test]
    fn absurd_sizes_are_refused() {
        assert!(Table::new(usize::MAX, Scheme::Clustered).is_err());
        assert!(Table::new(1 << 30, Scheme::Clustered).is_err());
    }
}
