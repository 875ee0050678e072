//! What a search did, counted for the lab.

use std::ops::AddAssign;

/// Cutoffs by move number are told apart up to this one.
pub const MOVE_NUMBERS: usize = 16;

/// Nodes by kind, table traffic and the quality of the ordering; each worker keeps its own.
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

    pub(super) fn cut(&mut self, index: usize) {
        self.cutoffs[index.min(MOVE_NUMBERS - 1)] += 1;
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
