//! A table that counts what its probes cost, for experiments: how many places each looks at, and how often it takes the
//! entry of another position for its own, which the whole keys that are kept here bring to light.

use std::sync::{Mutex, MutexGuard};

use super::layout::{Layout, Look};
use super::{Entry, Kind, Table, open};

/// How finely the load is told apart.
pub const LOADS: usize = 20;

/// Probes at one load of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtLoad {
    /// Probes.
    pub probes: u64,
    /// Places that they looked at.
    pub looks: u64,
    /// Probes that found nothing.
    pub misses: u64,
    /// Places that these looked at.
    pub missing_looks: u64,
}

/// What probes cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// Probes by the places that they looked at, from 1 on.
    pub by_looks: [u64; open::PLACES],
    /// Probes by the part of the table that was taken, in twentieths.
    pub by_load: [AtLoad; LOADS],
    /// Probes that took another position's entry for their own.
    pub mistaken: u64,
}

/// A table with its census.
#[derive(Debug)]
pub(super) struct Counted {
    inner: Table,
    count: Mutex<Count>,
}

#[derive(Debug)]
struct Count {
    census: Census,
    /// Entries taken now.
    taken: usize,
    /// The whole key of each entry; 0 for none.
    keys: Vec<u64>,
}

impl Counted {
    pub fn new(inner: Table) -> Counted {
        let census = Census { by_looks: [0; open::PLACES], by_load: [AtLoad::default(); LOADS], mistaken: 0 };
        let count = Count { census, taken: 0, keys: vec![0; inner.entries()] };
        Counted { inner, count: Mutex::new(count) }
    }

    pub fn census(&self) -> Census {
        self.count().census.clone()
    }

    fn count(&self) -> MutexGuard<'_, Count> {
        self.count.lock().expect("nothing panics while counting")
    }
}

impl Count {
    fn note(&mut self, layout: &impl Layout, key: u64) {
        let (mut looks, mut same) = (0, None);
        for place in layout.places(key) {
            looks += 1;
            match layout.look(place, key) {
                Look::Empty => break,
                Look::Other => {}
                Look::Same => {
                    same = Some(place);
                    break;
                }
            }
        }
        let Count { census, taken, keys } = self;
        census.by_looks[looks - 1] += 1;
        census.mistaken += u64::from(same.is_some_and(|place| keys[place] != key));
        let at = &mut census.by_load[(*taken * LOADS / layout.entries()).min(LOADS - 1)];
        at.probes += 1;
        at.looks += looks as u64;
        if same.is_none() {
            at.misses += 1;
            at.missing_looks += looks as u64;
        }
    }

    fn note_stored(&mut self, layout: &impl Layout, key: u64) {
        if let Some(place) = layout.places(key).find(|&place| layout.look(place, key) == Look::Same) {
            self.taken += usize::from(self.keys[place] == 0);
            self.keys[place] = key;
        }
    }
}

impl Layout for Counted {
    fn entries(&self) -> usize {
        self.inner.entries()
    }

    fn clear(&self, threads: usize) {
        self.inner.clear(threads);
        let mut count = self.count();
        count.taken = 0;
        count.keys.fill(0);
    }

    fn hold(&self, threads: usize) {
        self.inner.hold(threads);
    }

    fn age(&self) {
        self.inner.age();
    }

    fn probe(&self, key: u64) -> Option<Entry> {
        self.count().note(self, key);
        self.inner.probe(key)
    }

    fn store(&self, key: u64, entry: Entry) {
        self.inner.store(key, entry);
        self.count().note_stored(self, key);
    }

    fn is_fresh(&self, place: usize) -> bool {
        each!(self.inner, table => table.is_fresh(place))
    }

    fn places(&self, key: u64) -> impl Iterator<Item = usize> {
        let places: Vec<usize> = each!(self.inner, table => table.places(key).collect());
        places.into_iter()
    }

    fn look(&self, place: usize, key: u64) -> Look {
        each!(self.inner, table => table.look(place, key))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::entry;
    use super::super::{Scheme, Table};

    #[test]
    fn places_and_mistakes_are_counted() {
        for (scheme, first, second) in
            [(Scheme::Clustered, 4, 4), (Scheme::Open, 1, 2), (Scheme::Single, 1, 1)]
        {
            let table = Table::with_entries(64, scheme).unwrap().counted();
            let (one, two, twin) = (7 << 58 | 1, 7 << 58 | 2, 7 << 58 | 9 << 40 | 1);
            table.probe(one);
            table.store(one, entry(5, 1));
            table.probe(one);
            table.probe(two);
            table.probe(twin);
            let census = table.census().unwrap();
            let looks = |n: usize| census.by_looks[n - 1];
            assert_eq!(census.by_looks.iter().sum::<u64>(), 4);
            let expected = [first, 1, second, 1].map(|n| n as usize);
            for n in 1..=4 {
                let times = expected.iter().filter(|&&looks| looks == n).count();
                assert_eq!(looks(n), times as u64, "{scheme:?}, {n} looks");
            }
            assert_eq!(census.mistaken, 1, "{scheme:?}");
            let at = census.by_load[0];
            assert_eq!((at.probes, at.misses), (4, 2));
            table.clear(1);
            assert_eq!(table.probe(one), None);
            let at = table.census().unwrap().by_load[0];
            assert_eq!((at.probes, at.misses), (5, 3));
        }
    }
}
