//! GLEM's generator of features: conjunctions of simple facts that are true often enough to learn from.
//!
//! An atom is a small number that every position has, such as what stands on a square; a configuration fixes the
//! values of some atoms and is active where all of them hold. Larger ones grow from smaller ones by one atom behind
//! their last, so that each is met once and the growth ends.
//!
//! Buro, "From simple features to sophisticated evaluation functions", 1999.

use std::cmp::Reverse;

/// Atoms and the values they must have, by rising atoms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Configuration(Vec<(u16, i8)>);

impl Configuration {
    /// The configuration of these facts; none if an atom comes twice or out of order.
    pub fn new(facts: Vec<(u16, i8)>) -> Option<Configuration> {
        facts.windows(2).all(|pair| pair[0].0 < pair[1].0).then_some(Configuration(facts))
    }

    /// Its atoms and their values.
    pub fn facts(&self) -> &[(u16, i8)] {
        &self.0
    }

    /// Whether it holds in a position with these atoms.
    #[inline]
    pub fn is_active(&self, atoms: &[i8]) -> bool {
        self.0.iter().all(|&(atom, value)| atoms[usize::from(atom)] == value)
    }
}

/// Weighted configurations, among which the active ones are found fast: those that begin like one that is not active are
/// passed over.
#[derive(Clone, Debug, PartialEq)]
pub struct Configurations {
    /// In the order of their facts.
    all: Vec<(Configuration, f64)>,
    /// For each the place of the next one that does not begin with all of its facts.
    next: Vec<u32>,
}

impl Configurations {
    /// In an order of their own.
    pub fn new(mut all: Vec<(Configuration, f64)>) -> Configurations {
        all.sort_by(|a, b| a.0.cmp(&b.0));
        let mut next = vec![all.len() as u32; all.len()];
        let mut open: Vec<usize> = Vec::new();
        for (i, (configuration, _)) in all.iter().enumerate() {
            while let Some(&last) = open.last()
                && !configuration.0.starts_with(&all[last].0.0)
            {
                next[last] = i as u32;
                open.pop();
            }
            open.push(i);
        }
        Configurations { all, next }
    }

    /// All, with their weights.
    pub fn all(&self) -> &[(Configuration, f64)] {
        &self.all
    }

    /// The same configurations with these weights.
    pub fn weighted(self, weights: &[f64]) -> Configurations {
        let all = self.all.into_iter().zip(weights).map(|((facts, _), &weight)| (facts, weight)).collect();
        Configurations { all, ..self }
    }

    /// The places of those that hold in a position with these atoms.
    pub fn active<'a>(&'a self, atoms: &'a [i8]) -> impl Iterator<Item = usize> + 'a {
        let mut place = 0;
        std::iter::from_fn(move || {
            while let Some((configuration, _)) = self.all.get(place) {
                let here = place;
                if configuration.is_active(atoms) {
                    place += 1;
                    return Some(here);
                }
                place = self.next[here] as usize;
            }
            None
        })
    }

    /// The sum of the weights of those.
    pub fn value(&self, atoms: &[i8]) -> f64 {
        self.active(atoms).fold(0.0, |sum, place| sum + self.all[place].1)
    }
}

/// Configurations that hold in at least `least` of the positions: all single facts, then these joined in twos, threes and
/// so on, until none is left or there are `most`, of which the last to be had are the most frequent of their length.
pub fn generate(positions: &[Vec<i8>], least: usize, most: usize) -> Vec<Configuration> {
    let least = least.max(1);
    let singles = singles(positions, least);
    let all = vec![u64::MAX; positions.len().div_ceil(64)];
    let mut found: Vec<Configuration> = Vec::new();
    let mut grown = vec![Grown { facts: Vec::new(), holds: all }];
    loop {
        grown = longer(&grown, &singles, least, most - found.len());
        if grown.is_empty() {
            return found;
        }
        found.extend(grown.iter().map(|grown| Configuration(grown.facts.clone())));
    }
}

/// Some facts and the positions in which they hold, as bits.
struct Grown {
    facts: Vec<(u16, i8)>,
    holds: Vec<u64>,
}

/// What holds often enough of all with one fact more behind their last; if there is no room for all, the most frequent.
fn longer(grown: &[Grown], singles: &[Single], least: usize, room: usize) -> Vec<Grown> {
    let mut frequent = Vec::new();
    for one in grown {
        let last = one.facts.last().map(|fact| fact.0);
        for single in singles.iter().filter(|single| last.is_none_or(|last| single.fact.0 > last)) {
            let count: usize = both(&one.holds, &single.holds).map(|word| word.count_ones() as usize).sum();
            if count >= least {
                frequent.push((count, one, single));
            }
        }
    }
    if frequent.len() > room {
        frequent.sort_by_key(|&(count, ..)| Reverse(count));
        frequent.truncate(room);
    }
    let join = |(_, one, single): &(usize, &Grown, &Single)| Grown {
        facts: [one.facts.as_slice(), &[single.fact]].concat(),
        holds: both(&one.holds, &single.holds).collect(),
    };
    frequent.iter().map(join).collect()
}

/// Where two facts hold together.
fn both(a: &[u64], b: &[u64]) -> impl Iterator<Item = u64> {
    a.iter().zip(b).map(|(a, b)| a & b)
}

/// A single fact and the positions in which it holds, as bits.
struct Single {
    fact: (u16, i8),
    holds: Vec<u64>,
}

fn singles(positions: &[Vec<i8>], least: usize) -> Vec<Single> {
    let atoms = positions.first().map_or(0, Vec::len);
    let mut singles = Vec::new();
    for atom in 0..atoms {
        let mut values: Vec<i8> = positions.iter().map(|position| position[atom]).collect();
        values.sort_unstable();
        values.dedup();
        for value in values {
            let mut holds = vec![0; positions.len().div_ceil(64)];
            for (i, _) in positions.iter().enumerate().filter(|(_, position)| position[atom] == value) {
                holds[i / 64] |= 1 << (i % 64);
            }
            if count(&holds) >= least {
                singles.push(Single { fact: (atom as u16, value), holds });
            }
        }
    }
    singles
}

fn count(holds: &[u64]) -> usize {
    holds.iter().map(|word| word.count_ones() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frequent_conjunction_is_found_once() {
        let positions: Vec<Vec<i8>> =
            (0..100).map(|i| vec![(i % 2) as i8, (i % 3) as i8 - 1, i8::from(i < 5)]).collect();
        let found = generate(&positions, 16, 1000);
        let slow = |c: &Configuration| positions.iter().filter(|p| c.is_active(p)).count();
        assert!(found.iter().all(|c| slow(c) >= 16));
        // 2 + 3 + 1 single facts, 2 * 3 + 2 + 3 pairs; of the triples those with an i % 6 below 4 or above.
        let sizes = [1, 2, 3].map(|n| found.iter().filter(|c| c.facts().len() == n).count());
        let triples = (0..6).filter(|r| (5..100).filter(|i| i % 6 == *r).count() >= 16).count();
        assert_eq!(sizes, [6, 11, triples]);
        let mut unique: Vec<_> = found.iter().map(|c| c.facts().to_vec()).collect();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), found.len());
        // Where there is no room for all of a length, the most frequent stay.
        let few = generate(&positions, 16, 8);
        let counts: Vec<usize> = few.iter().map(slow).collect();
        assert_eq!((few.len(), &few[..6]), (8, &found[..6]));
        assert!(found[6..17].iter().map(slow).max() == Some(counts[6]) && counts[6] >= counts[7]);
    }

    #[test]
    fn active_ones_are_found_whatever_they_begin_with() {
        let facts = |facts: &[(u16, i8)]| Configuration(facts.to_vec());
        let all = [
            facts(&[(0, 1)]),
            facts(&[(0, 1), (1, 0)]),
            facts(&[(0, 1), (1, 0), (2, 1)]),
            facts(&[(0, 1), (2, 1)]),
            facts(&[(1, 0), (2, 1)]),
            facts(&[]),
        ];
        let weighted = Configurations::new(all.iter().cloned().map(|c| (c, 0.0)).collect());
        let weighted = weighted.weighted(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
        for n in 0..8_i8 {
            let atoms = [n & 1, n >> 1 & 1, n >> 2 & 1];
            let slow = weighted.all().iter().filter(|(c, _)| c.is_active(&atoms));
            assert_eq!(weighted.value(&atoms), slow.map(|(_, weight)| weight).sum::<f64>(), "{atoms:?}");
        }
    }

    #[test]
    fn facts_stand_in_order() {
        assert!(Configuration::new(vec![(1, 0), (4, -2)]).is_some());
        assert!(Configuration::new(vec![(4, 0), (4, 1)]).is_none());
        assert!(generate(&[], 1, 2).is_empty());
    }
}
