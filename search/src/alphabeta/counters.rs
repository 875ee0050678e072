//! What a search did, counted for experiments.

use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;

/// Cutoffs by move number are told apart up to this one.
pub const MOVE_NUMBERS: usize = 16;

/// Nodes by kind, table traffic and the quality of the ordering; each worker keeps its own. The root is no node here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Nodes whose moves were searched.
    pub inner: u64,
    /// Nodes at the horizon.
    pub leaf: u64,
    /// Nodes below the horizon.
    pub quiescence: u64,
    /// Nodes answered by the table.
    pub table_cut: u64,
    /// Nodes where the game is over.
    pub terminal: u64,
    /// Nodes answered by a database.
    pub database: u64,
    /// Looks into the table.
    pub probes: u64,
    /// Looks that found the position.
    pub hits: u64,
    /// Nodes cut by their first, second, ... move; the last entry holds all later ones.
    pub cutoffs: [u64; MOVE_NUMBERS],
}

impl Counters {
    /// All nodes.
    pub fn nodes(&self) -> u64 {
        self.inner + self.leaf + self.quiescence + self.table_cut + self.terminal + self.database
    }

    /// Counts a cutoff by the move of this number, from 0 on.
    #[inline]
    pub fn cut(&mut self, index: usize) {
        self.cutoffs[index.min(MOVE_NUMBERS - 1)] += 1;
    }

    /// Counts a look into the table.
    #[inline]
    pub fn look(&mut self, hit: bool) {
        self.probes += 1;
        self.hits += u64::from(hit);
    }
}

impl fmt::Display for Counters {
    /// Three lines: nodes by kind, looks into the table, cutoffs by the first move, the second, ...
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counters { inner, leaf, quiescence, table_cut, terminal, database, probes, hits, cutoffs } = self;
        write!(f, "nodes: inner {inner} leaf {leaf} quiescence {quiescence} ")?;
        writeln!(f, "table {table_cut} terminal {terminal} database {database}")?;
        writeln!(f, "table: probes {probes} hits {hits}")?;
        write!(f, "cutoffs:")?;
        cutoffs.iter().try_for_each(|count| write!(f, " {count}"))
    }
}

impl<'a> Sum<&'a Counters> for Counters {
    fn sum<I: Iterator<Item = &'a Counters>>(all: I) -> Counters {
        all.fold(Counters::default(), |mut sum, counters| {
            sum += counters;
            sum
        })
    }
}

impl AddAssign<&Counters> for Counters {
    fn add_assign(&mut self, other: &Counters) {
        self.inner += other.inner;
        self.leaf += other.leaf;
        self.quiescence += other.quiescence;
        self.table_cut += other.table_cut;
        self.terminal += other.terminal;
        self.database += other.database;
        self.probes += other.probes;
        self.hits += other.hits;
        for (mine, theirs) in self.cutoffs.iter_mut().zip(other.cutoffs) {
            *mine += theirs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_told_in_three_lines() {
        let mut one = Counters { inner: 5, leaf: 7, terminal: 1, ..Counters::default() };
        one.look(true);
        one.look(false);
        one.cut(0);
        one.cut(99);
        let two: Counters = [&one, &one].into_iter().sum();
        let lines = [
            "nodes: inner 10 leaf 14 quiescence 0 table 0 terminal 2 database 0",
            "table: probes 4 hits 2",
            "cutoffs: 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2",
        ];
        assert_eq!(two.to_string(), lines.join("\n"));
    }
}
