//! How much less deep a late move is searched: it grows with the logarithms of depth and move number.

use std::sync::LazyLock;

use crate::tuning::search as tuning;

const DEPTHS: usize = 64;
const MOVES: usize = 64;

static TABLE: LazyLock<Vec<i32>> = LazyLock::new(|| {
    (0..DEPTHS * MOVES)
        .map(|i| {
            let (depth, count) = (i / MOVES, i % MOVES);
            if depth == 0 || count == 0 { 0 } else { tuning::reduction(depth as f64, count as f64) }
        })
        .collect()
});

/// Plies for the `count`-th move of a node of this depth.
#[inline]
pub(super) fn reduction(depth: i32, count: usize) -> i32 {
    TABLE[(depth.max(0) as usize).min(DEPTHS - 1) * MOVES + count.min(MOVES - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow() {
        assert_eq!(reduction(1, 1), 0);
        assert!(reduction(20, 30) > reduction(10, 10) && reduction(10, 10) > reduction(3, 3));
    }
}
