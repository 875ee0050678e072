//! Uniform trees: how many leaves minimax, one-bound pruning and alpha-beta examine, and which.
//!
//! D. Knuth and R. Moore, "An analysis of alpha-beta pruning", 1975.

use std::fmt;

use crate::{Eval, Game, MoveError, MoveList, Noisy, Outcome, PositionError, Rulebook, Score, Side, zobrist};

/// In which order the moves of a uniform tree are generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The best first.
    #[default]
    Best,
    /// The best last.
    Worst,
    /// Anyhow.
    Random,
}

/// A tree in which every position has as many moves, as a game: its positions are those of the tree, each with its
/// value under best play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniform {
    tree: Shape,
    /// The moves so far from 1 on, four bits each, the last in the lowest: Dewey's coordinates.
    path: u64,
    depth: u32,
    /// From the side to move.
    value: i32,
}

/// Which uniform tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Moves of every position, from 1 to 15.
    pub branching: u32,
    /// In which order.
    pub order: Order,
    /// Other trees of the same kind.
    pub seed: u64,
}

impl Default for Shape {
    fn default() -> Self {
        Shape { branching: 2, order: Order::Best, seed: 1 }
    }
}

impl Rulebook for Shape {}

/// Leaves that minimax examines.
pub fn all_leaves(branching: u64, depth: u32) -> u64 {
    branching.pow(depth)
}

/// Leaves that alpha-beta examines when the best move always comes first: no search can do with fewer.
pub fn critical_leaves(branching: u64, depth: u32) -> u64 {
    branching.pow(depth.div_ceil(2)) + branching.pow(depth / 2) - 1
}

/// Leaves that pruning with one bound examines in that order. A position whose bound does not cut looks at its first
/// child without one and at the others with one; a position that is cut looks at its first child only, without a bound.
pub fn one_bound_leaves(branching: u64, depth: u32) -> u64 {
    let (mut unbound, mut cut) = (1, 1);
    for _ in 0..depth {
        (unbound, cut) = (unbound + (branching - 1) * cut, unbound);
    }
    unbound
}

impl Uniform {
    /// The moves that led here, from 1 on.
    pub fn coordinates(&self) -> Vec<u32> {
        (0..self.depth).rev().map(|i| (self.path >> (4 * i) & 15) as u32).collect()
    }

    /// The value under best play, from the side to move.
    pub fn value(&self) -> i32 {
        self.value
    }

    /// A number that depends on the position alone.
    fn noise(&self) -> u64 {
        zobrist::mix(self.tree.seed ^ zobrist::mix(self.path << 6 | u64::from(self.depth)))
    }

    /// The rank of a move: 0 for the best.
    fn rank(&self, m: u8) -> u32 {
        let (m, count) = (u32::from(m) - 1, self.tree.branching);
        match self.tree.order {
            Order::Best => m,
            Order::Worst => count - 1 - m,
            Order::Random => (m + (self.noise() % u64::from(count)) as u32) % count,
        }
    }
}

/// The kind of a critical position: 1 on the line of first moves, 2 after its first other move and every second ply
/// from there, 3 in between; none if all even and all odd coordinates were needed to be 1 and are not.
pub fn kind(coordinates: &[u32]) -> Option<u32> {
    let Some(first) = coordinates.iter().position(|&m| m != 1) else { return Some(1) };
    let after = &coordinates[first + 1..];
    let is_critical = after.iter().step_by(2).all(|&m| m == 1);
    is_critical.then_some(if after.len().is_multiple_of(2) { 2 } else { 3 })
}

impl fmt::Display for Uniform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.coordinates())
    }
}

impl Game for Uniform {
    type Rules = Shape;
    type Move = u8;

    fn start(tree: &Shape) -> Uniform {
        Uniform { tree: *tree, path: 0, depth: 0, value: 0 }
    }

    fn read(_: &Shape, text: &str) -> Result<Uniform, PositionError> {
        Err(PositionError::new(text, "positions of trees are reached by their moves"))
    }

    fn turn(&self) -> Side {
        if self.depth.is_multiple_of(2) { Side::White } else { Side::Black }
    }

    fn key(&self) -> u64 {
        self.noise()
    }

    fn salt(&self) -> u64 {
        0
    }

    fn same(&self, other: &Uniform) -> bool {
        self == other
    }

    fn moves(&self, out: &mut MoveList<u8>) {
        out.extend(1..=self.tree.branching as u8);
    }

    fn pack(&self, m: u8) -> u32 {
        u32::from(m)
    }

    /// The best move keeps the value; each lower rank gives away a little more.
    fn play(&mut self, m: u8) {
        let rank = self.rank(m);
        let loss = if rank == 0 { 0 } else { rank as i32 + (self.noise() % 3) as i32 };
        self.value = loss - self.value;
        self.path = self.path << 4 | u64::from(m);
        self.depth += 1;
    }

    fn irreversible(&self, _: u8) -> bool {
        true
    }

    fn stuck(&self) -> Outcome {
        Outcome::draw("no moves")
    }

    fn drawn(&self, _: usize) -> Option<&'static str> {
        None
    }

    fn parse(&self, text: &str) -> Result<u8, MoveError> {
        let m = text.parse().map_err(|_| MoveError::Syntax(text.to_owned()))?;
        if (1..=self.tree.branching).contains(&u32::from(m)) {
            Ok(m)
        } else {
            Err(MoveError::Illegal(text.to_owned()))
        }
    }

    fn write(&self, m: u8) -> String {
        m.to_string()
    }

    fn picture(&self) -> String {
        format!("{self}\n")
    }

    fn flipped(&self) -> Option<Uniform> {
        None
    }
}

/// The values of the leaves, for a search of this tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaves;

impl Eval<Uniform> for Leaves {
    fn score(&mut self, position: &Uniform) -> Score {
        Score(position.value)
    }

    fn noisy(&mut self, _: &Uniform, _: &mut MoveList<u8>) -> Noisy {
        Noisy::Optional
    }

    fn merit(&mut self, _: &Uniform, _: u8) -> i32 {
        0
    }

    fn slot(&self, _: &Uniform, m: u8) -> usize {
        m.into()
    }

    fn slots(&self) -> usize {
        16
    }

    fn pass(&self, _: &Uniform) -> Option<Uniform> {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::alphabeta::{Algorithm, AlphaBeta, Choice, Config};
    use crate::{Limits, Root, Search};

    /// Leaves that the shared search examines, and the value it finds.
    fn searched(algorithm: Algorithm, shape: Shape, depth: u32) -> (u64, Score) {
        let mut search = AlphaBeta::new(Config::plain(), Leaves);
        search.choose::<Uniform>(Choice { algorithm, ..Choice::default() }).unwrap();
        let (_, lines) = search.ask(&Root::new(Uniform::start(&shape)), &Limits::depth(depth));
        (search.counters().leaf, lines.last().unwrap().score)
    }

    #[test]
    fn the_best_order_leaves_as_few_leaves_as_the_theorem_says() {
        for (branching, depth) in [(2, 7), (3, 3), (3, 4), (4, 5), (5, 4), (7, 1), (1, 6)] {
            for seed in 0..4 {
                let shape = Shape { branching, order: Order::Best, seed };
                let wide = u64::from(branching);
                for (algorithm, leaves) in [
                    (Algorithm::Minimax, all_leaves(wide, depth)),
                    (Algorithm::OneBound, one_bound_leaves(wide, depth)),
                    (Algorithm::AlphaBeta, critical_leaves(wide, depth)),
                    (Algorithm::FailSoft, critical_leaves(wide, depth)),
                    (Algorithm::Pvs, critical_leaves(wide, depth)),
                ] {
                    assert_eq!(
                        searched(algorithm, shape, depth),
                        (leaves, Score::DRAW),
                        "{algorithm:?} {shape:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn deep_cutoffs_pay_from_the_fourth_ply_on() {
        for depth in 0..12 {
            let (one, both) = (one_bound_leaves(6, depth), critical_leaves(6, depth));
            assert!(if depth < 4 { one == both } else { one > both }, "{depth}");
        }
        // The published examples.
        let known = [(3, 3, 11), (3, 4, 17), (4, 5, 79), (2, 7, 23), (5, 4, 49)];
        known
            .iter()
            .for_each(|&(branching, depth, leaves)| assert_eq!(critical_leaves(branching, depth), leaves));
    }

    #[test]
    fn worse_orders_cost_more_leaves_and_keep_the_value() {
        for algorithm in [Algorithm::OneBound, Algorithm::AlphaBeta, Algorithm::Pvs] {
            let [best, random, worst] = [Order::Best, Order::Random, Order::Worst].map(|order| {
                let (leaves, value) = searched(algorithm, Shape { branching: 5, order, seed: 3 }, 5);
                assert_eq!(value, Score::DRAW);
                leaves
            });
            assert!(best < random && random < worst, "{best} {random} {worst}");
            // PVS asks twice about every move that is better than those before it.
            assert_eq!(worst > all_leaves(5, 5), algorithm == Algorithm::Pvs, "{algorithm:?}");
        }
    }

    /// Leaves that remember who was asked about.
    #[derive(Clone)]
    struct Witness(Arc<Mutex<BTreeSet<Vec<u32>>>>);

    impl Eval<Uniform> for Witness {
        fn score(&mut self, position: &Uniform) -> Score {
            self.0.lock().unwrap().insert(position.coordinates());
            Leaves.score(position)
        }

        fn noisy(&mut self, position: &Uniform, out: &mut MoveList<u8>) -> Noisy {
            Leaves.noisy(position, out)
        }

        fn merit(&mut self, position: &Uniform, m: u8) -> i32 {
            Leaves.merit(position, m)
        }

        fn slot(&self, position: &Uniform, m: u8) -> usize {
            Leaves.slot(position, m)
        }

        fn slots(&self) -> usize {
            Leaves.slots()
        }

        fn pass(&self, position: &Uniform) -> Option<Uniform> {
            Leaves.pass(position)
        }
    }

    #[test]
    fn alpha_beta_examines_the_critical_positions_and_no_others() {
        let (branching, depth) = (4, 5);
        let witness = Witness(Arc::default());
        let mut search = AlphaBeta::new(Config::plain(), witness.clone());
        let shape = Shape { branching, ..Shape::default() };
        search.ask(&Root::new(Uniform::start(&shape)), &Limits::depth(depth));
        let mut paths = vec![Vec::new()];
        for _ in 0..depth {
            paths =
                paths.iter().flat_map(|path| (1..=branching).map(|m| [&path[..], &[m]].concat())).collect();
        }
        let critical: BTreeSet<_> = paths.into_iter().filter(|path| kind(path).is_some()).collect();
        assert_eq!(*witness.0.lock().unwrap(), critical);
    }

    #[test]
    fn critical_positions_are_of_three_kinds() {
        let kinds = [&[][..], &[1, 1], &[3], &[1, 1, 2], &[3, 1], &[3, 1, 4], &[3, 2], &[1, 2, 2]].map(kind);
        assert_eq!(kinds, [Some(1), Some(1), Some(2), Some(2), Some(3), Some(2), None, None]);
    }
}
