//! The hash table: what earlier searches found out about positions, shared by all threads without locks.
//!
//! | question | file |
//! |---|---|
//! | how do entries lie in memory? | `clusters.rs`, the usual way; `open.rs`, `single.rs`, those of two theses |
//! | what must such a layout offer? | `layout.rs` |
//! | where does the memory come from? | `memory.rs` |
//! | what do probes cost? | `counted.rs` |

/// Does the same with whichever layout there is.
macro_rules! each {
    ($table:expr, $it:ident => $what:expr) => {
        match &$table.kind {
            Kind::Clusters($it) => $what,
            Kind::Open($it) => $what,
            Kind::Single($it) => $what,
            Kind::Counted($it) => $what,
        }
    };
}

mod clusters;
mod counted;
mod layout;
mod memory;
mod open;
mod single;

use crate::{Bound, Score};
use clusters::Clusters;
use counted::Counted;
pub use counted::{AtLoad, Census, LOADS};
use layout::Layout;
use open::Open;
use single::Single;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move found, as [`Scheme::moves`] says; 0 for none.
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

/// How large entries are, where they may stand and which ones a new one may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scheme {
    /// 16 bytes; four neighbours, of which the least worthy by depth and age is replaced.
    #[default]
    Clustered,
    /// 8 bytes without static value; up to 33 places, and nothing is replaced (Beling, 2006).
    Open,
    /// 10 bytes without move and static value; one place, always replaced (Skoulakis, 2010).
    Single,
}

/// What is kept of a best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// The packed move.
    Packed,
    /// Its place among the generated moves, from 1 on.
    Places,
    /// Nothing.
    None,
}

impl Scheme {
    /// What is kept of a best move.
    #[inline]
    pub fn moves(self) -> Moves {
        match self {
            Scheme::Clustered => Moves::Packed,
            Scheme::Open => Moves::Places,
            Scheme::Single => Moves::None,
        }
    }
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
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Clusters(Clusters),
    Open(Open),
    Single(Single),
    Counted(Box<Counted>),
}

impl Table {
    /// A table of this size; the memory is mapped now and touched as it is used, or at [`Table::hold`].
    pub fn new(mib: usize, scheme: Scheme) -> Result<Self, TableError> {
        let bytes = mib.checked_mul(1 << 20).ok_or(TableError { mib })?;
        let entry = match scheme {
            Scheme::Clustered => Clusters::BYTES,
            Scheme::Open => Open::BYTES,
            Scheme::Single => Single::BYTES,
        };
        Self::with_entries(bytes / entry, scheme).ok_or(TableError { mib })
    }

    /// A table of about this many entries; none if memory is short.
    pub fn with_entries(entries: usize, scheme: Scheme) -> Option<Self> {
        let kind = match scheme {
            Scheme::Clustered => Kind::Clusters(Clusters::new(entries)?),
            Scheme::Open => Kind::Open(Open::new(entries)?),
            Scheme::Single => Kind::Single(Single::new(entries)?),
        };
        Some(Table { kind })
    }

    /// The same table, which counts what its probes cost from now on; it should be empty.
    pub fn counted(self) -> Table {
        Table { kind: Kind::Counted(Box::new(Counted::new(self))) }
    }

    /// What probes cost so far, if that is counted.
    pub fn census(&self) -> Option<Census> {
        match &self.kind {
            Kind::Counted(counted) => Some(counted.census()),
            _ => None,
        }
    }

    /// The number of entries.
    pub fn entries(&self) -> usize {
        each!(self, table => table.entries())
    }

    /// Forgets everything, with the help of `threads` threads or one for every core.
    pub fn clear(&self, threads: usize) {
        each!(self, table => table.clear(threads));
    }

    /// Has the system give the memory now, so that no search waits for it; nothing stored is lost.
    pub fn hold(&self, threads: usize) {
        each!(self, table => table.hold(threads));
    }

    /// Tells the table that what it holds now belongs to an earlier search.
    pub fn age(&self) {
        each!(self, table => table.age());
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        // The usual table pays nothing for the others.
        if let Kind::Clusters(table) = &self.kind { table.probe(key) } else { self.probe_other(key) }
    }

    #[cold]
    #[inline(never)]
    fn probe_other(&self, key: u64) -> Option<Entry> {
        each!(self, table => table.probe(key))
    }

    /// Remembers an entry, if the scheme finds room.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        if let Kind::Clusters(table) = &self.kind {
            table.store(key, entry);
        } else {
            self.store_other(key, entry);
        }
    }

    #[cold]
    #[inline(never)]
    fn store_other(&self, key: u64, entry: Entry) {
        each!(self, table => table.store(key, entry));
    }

    /// Asks the processor to fetch the position's entry before it is needed.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        if let Kind::Clusters(table) = &self.kind {
            table.prefetch(key);
        }
    }

    /// The part written in this search, or since the table was cleared, per mille, judged by the first thousand entries.
    pub fn hashfull(&self) -> u32 {
        let sample = self.entries().min(1000);
        let fresh = (0..sample).filter(|&place| each!(self, table => table.is_fresh(place))).count();
        (fresh * 1000 / sample) as u32
    }
}

/// A bound in two bits, never 0.
#[inline]
fn code_of(bound: Bound) -> u64 {
    match bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    }
}

/// The bound of a code; none of 0.
#[inline]
fn bound_of(code: u64) -> Option<Bound> {
    match code {
        0 => None,
        1 => Some(Bound::Exact),
        2 => Some(Bound::Lower),
        _ => Some(Bound::Upper),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crew;

    const SCHEMES: [Scheme; 3] = [Scheme::Clustered, Scheme::Open, Scheme::Single];

    pub(super) fn entry(depth: i32, best: u32) -> Entry {
        Entry { best, score: Score(-7), eval: Some(Score(33)), depth, bound: Bound::Lower }
    }

    #[test]
    fn what_was_stored_is_found_as_far_as_the_scheme_keeps_it() {
        for scheme in SCHEMES {
            let table = Table::new(1, scheme).unwrap();
            let key = 0x1234_5678_9abc_def0;
            assert_eq!(table.probe(key), None);
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                for score in [Score(-300), Score::win_in(3), Score::loss_in(150)] {
                    let whole = Entry { eval: None, bound, score, ..entry(20, 250) };
                    table.store(key, whole);
                    let best = if scheme.moves() == Moves::None { 0 } else { whole.best };
                    assert_eq!(table.probe(key), Some(Entry { best, ..whole }), "{scheme:?}");
                }
            }
            table.clear(2);
            assert_eq!(table.probe(key), None);
        }
    }

    #[test]
    fn static_values_and_whole_moves_are_kept_by_the_usual_table() {
        let table = Table::new(1, Scheme::Clustered).unwrap();
        table.store(5, entry(0, u32::MAX));
        assert_eq!(table.probe(5), Some(entry(0, u32::MAX)));
    }

    #[test]
    fn a_key_of_zero_is_not_found_in_an_empty_table() {
        for scheme in SCHEMES {
            assert_eq!(Table::new(1, scheme).unwrap().probe(0), None);
        }
    }

    #[test]
    fn a_missing_move_keeps_the_old_one() {
        let table = Table::new(1, Scheme::Clustered).unwrap();
        table.store(5, entry(4, 77));
        table.store(5, entry(5, 0));
        assert_eq!(table.probe(5).unwrap().best, 77);
    }

    #[test]
    fn a_size_in_mebibytes_is_kept() {
        let entries = |scheme| Table::new(16, scheme).unwrap().entries();
        assert_eq!(SCHEMES.map(entries), [1 << 20, 1 << 21, (16 << 20) / 10]);
    }

    #[test]
    fn memory_is_held_without_losing_what_is_stored() {
        for scheme in SCHEMES {
            let table = Table::new(1, scheme).unwrap();
            table.hold(2);
            table.store(9, entry(4, 0));
            table.hold(2);
            assert_eq!(table.probe(9).map(|entry| entry.depth), Some(4));
            assert!(table.hashfull() <= 1);
        }
    }

    #[test]
    fn a_table_is_cleared_though_no_thread_helps() {
        crew::tests::MOST.set(Some(0));
        for scheme in SCHEMES {
            let table = Table::new(8, scheme).unwrap();
            let keys = || (0..64).map(|n| n << 58 | 1);
            keys().for_each(|key| table.store(key, entry(4, 77)));
            table.clear(8);
            assert!(keys().all(|key| table.probe(key).is_none()));
        }
    }

    #[test]
    fn absurd_sizes_are_refused() {
        for scheme in SCHEMES {
            assert!(Table::new(usize::MAX, scheme).is_err());
            assert!(Table::new(1 << 30, scheme).is_err());
        }
    }
}
