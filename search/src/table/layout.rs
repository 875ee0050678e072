//! What the layouts of a table have in common.

use super::Entry;

/// What stands in a place that may hold a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Nothing, so the key stands nowhere.
    Empty,
    /// Not the key.
    Other,
    /// An entry that passes for the key's.
    Same,
}

/// How entries lie in memory, and which of them a key may have.
pub(super) trait Layout {
    fn entries(&self) -> usize;
    fn clear(&self, threads: usize);
    fn hold(&self, threads: usize);
    /// What it holds now belongs to an earlier search.
    fn age(&self) {}
    fn probe(&self, key: u64) -> Option<Entry>;
    fn store(&self, key: u64, entry: Entry);
    /// Whether a place holds something of this search, as far as the layout can tell.
    fn is_fresh(&self, place: usize) -> bool;
    /// The places in which a key may stand, in the order in which they are looked at.
    fn places(&self, key: u64) -> impl Iterator<Item = usize>;
    /// What stands in one of them.
    fn look(&self, place: usize, key: u64) -> Look;
}
