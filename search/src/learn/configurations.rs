//! GLEM's generator of features: conjunctions of simple facts that are true often enough to learn from.
//!
//! An atom is a small number that every position has, such as what stands on a square; a configuration fixes the
//! values of some atoms and is active where all of them hold. Larger ones grow from smaller ones by one atom behind
//! their last, so that each is met once and the growth ends.
//!
//! Buro, "From simple features to sophisticated evaluation functions", 1999.

/// Atoms and the values they must have, by rising atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// All configurations of at most `longest` facts that hold in at least `least` of the positions.
pub fn generate(positions: &[Vec<i8>], least: usize, longest: usize) -> Vec<Configuration> {
    let least = least.max(1);
    let singles = singles(positions, least);
    let mut found = Vec::new();
    let all = vec![u64::MAX; positions.len().div_ceil(64)];
    grow(&singles, (&[], &all), least, longest, &mut found);
    found
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

/// Adds every extension of some facts that holds often enough, and the extensions of those.
fn grow(
    singles: &[Single],
    (facts, holds): (&[(u16, i8)], &[u64]),
    least: usize,
    longest: usize,
    found: &mut Vec<Configuration>,
) {
    if facts.len() == longest {
        return;
    }
    let last = facts.last().map(|fact| fact.0);
    for (i, single) in
        singles.iter().enumerate().filter(|(_, single)| last.is_none_or(|last| single.fact.0 > last))
    {
        let both: Vec<u64> = holds.iter().zip(&single.holds).map(|(a, b)| a & b).collect();
        if count(&both) >= least {
            let facts = [facts, &[single.fact]].concat();
            found.push(Configuration(facts.clone()));
            grow(&singles[i..], (&facts, &both), least, longest, found);
        }
    }
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
        let found = generate(&positions, 16, 3);
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
    }

    #[test]
    fn facts_stand_in_order() {
        assert!(Configuration::new(vec![(1, 0), (4, -2)]).is_some());
        assert!(Configuration::new(vec![(4, 0), (4, 1)]).is_none());
        assert!(generate(&[], 1, 2).is_empty());
    }
}
