//! Samuel's learning by rote: a store of what searches found out about their roots, so that a later search which comes
//! across one of them sees as much further.
//!
//! Results that are met again grow young, the others grow old and are forgotten in the end: the store refines itself and
//! does not outlive the evaluation that it was made with by much. Samuel, 1959.

use std::collections::BTreeMap;

use crate::table::Entry;
use crate::{Bound, Score, Table};

/// Games after which a result that was not met again is forgotten.
const LIFE: u32 = 40;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Found {
    score: i32,
    depth: i32,
    /// Games since it was found, halved whenever it is met again.
    age: u32,
}

/// Results of roots by the key of the position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rote {
    found: BTreeMap<u64, Found>,
}

impl Rote {
    /// How many positions are known.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Keeps what a search of this depth found for its side to move, unless a deeper one is known.
    pub fn keep(&mut self, key: u64, score: i32, depth: i32) {
        let met = self.found.get(&key).copied();
        let known = met.filter(|met| met.depth > depth).unwrap_or(Found { score, depth, age: 0 });
        self.found.insert(key, Found { age: met.map_or(0, |met| met.age / 2), ..known });
    }

    /// A game is over: everything grows older.
    pub fn age(&mut self) {
        self.found.values_mut().for_each(|found| found.age += 1);
        self.found.retain(|_, found| found.age <= LIFE);
    }

    /// Writes all that is known into a table, where searches will come across it.
    pub fn teach(&self, table: &Table) {
        for (&key, found) in &self.found {
            let Found { score, depth, .. } = *found;
            table.store(key, Entry { best: 0, score: Score(score), eval: None, depth, bound: Bound::Exact });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Scheme;

    #[test]
    fn deeper_results_stay_and_are_found_in_a_table() {
        let mut rote = Rote::default();
        rote.keep(5, 30, 4);
        rote.keep(5, -9, 3);
        rote.keep(7, 1, 1);
        rote.keep(7, 2, 2);
        let table = Table::new(1, Scheme::Clustered).unwrap();
        rote.teach(&table);
        let known = |key| table.probe(key).map(|entry| (entry.score.0, entry.depth));
        assert_eq!([known(5), known(7), known(6)], [Some((30, 4)), Some((2, 2)), None]);
    }

    #[test]
    fn what_is_not_met_again_is_forgotten() {
        let mut rote = Rote::default();
        rote.keep(1, 0, 2);
        rote.keep(2, 0, 2);
        for _ in 0..LIFE {
            rote.age();
        }
        rote.keep(2, 0, 2);
        rote.age();
        assert_eq!((rote.len(), rote.found.keys().copied().collect()), (1, vec![2]));
        (0..LIFE / 2).for_each(|_| rote.age());
        assert!(rote.is_empty());
    }
}
