//! Principal variations: the best line found so far from every ply of the tree on.

/// One line for each ply, the root's first.
#[derive(Clone, Debug)]
pub struct Pv<M>(Vec<Vec<M>>);

impl<M: Copy> Pv<M> {
    /// Empty lines for this many plies.
    pub fn new(plies: usize) -> Self {
        Pv(vec![Vec::new(); plies])
    }

    /// The line from this ply on.
    pub fn at(&self, ply: usize) -> &[M] {
        &self.0[ply]
    }

    /// Drops the line from this ply on.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Copies a child's line behind a new best move.
    pub fn update(&mut self, m: M, ply: usize) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_better_move_takes_the_line_below_it() {
        let mut pv = Pv::new(4);
        pv.update('c', 2);
        pv.update('b', 1);
        pv.clear(2);
        assert_eq!(pv.at(1), ['b', 'c']);
        pv.update('x', 1);
        assert_eq!((pv.at(1), pv.at(2)), (&['x'][..], &[][..]));
    }
}
