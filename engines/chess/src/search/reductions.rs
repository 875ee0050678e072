//! How much less deep a late move is searched: it grows with the logarithms of depth and move number.

use crate::tuning::search::Numbers;

const DEPTHS: usize = 64;
const MOVES: usize = 64;

/// Plies by depth and move number.
pub(super) struct Reductions(Vec<i32>);

impl Reductions {
    /// As these numbers have it.
    pub(super) fn of(numbers: &Numbers) -> Self {
        let plies = |i: usize| {
            let (depth, count) = (i / MOVES, i % MOVES);
            if depth == 0 || count == 0 { 0 } else { numbers.reduction(depth as f64, count as f64) }
        };
        Reductions((0..DEPTHS * MOVES).map(plies).collect())
    }

    /// Plies for the `count`-th move of a node of this depth.
    #[inline]
    pub(super) fn plies(&self, depth: i32, count: usize) -> i32 {
        self.0[(depth.max(0) as usize).min(DEPTHS - 1) * MOVES + count.min(MOVES - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow() {
        let reductions = Reductions::of(&Numbers::default());
        assert_eq!(reductions.plies(1, 1), 0);
        assert!(reductions.plies(20, 30) > reductions.plies(10, 10));
        assert!(reductions.plies(10, 10) > reductions.plies(3, 3));
    }
}
