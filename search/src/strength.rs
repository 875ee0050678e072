//! Playing below full strength: less depth or fewer nodes, and a liking for moves that are nearly as good.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cmp::Reverse;

use crate::{Limits, Score};

/// The `Skill Level` that plays as well as it can.
pub const FULL_LEVEL: u32 = 20;

/// How strongly to play; the weaker of two is the lesser one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Strength {
    /// Plies of nominal depth.
    pub depth: u32,
    /// Nodes for a move.
    pub nodes: u64,
    /// Points by which it may misjudge a move.
    pub error: Reverse<i32>,
    /// Lines it chooses from.
    pub lines: usize,
}

impl Strength {
    /// No limit at all.
    pub const FULL: Strength = Strength { depth: u32::MAX, nodes: u64::MAX, error: Reverse(0), lines: 1 };

    /// The strength of a `Skill Level` as the shared alpha-beta plays it.
    pub fn of_level(level: u32) -> Strength {
        if level >= FULL_LEVEL {
            return Strength::FULL;
        }
        let error = 300 * (FULL_LEVEL - level) as i32 / FULL_LEVEL as i32;
        Strength { depth: 1 + level / 2, error: Reverse(error), lines: 8, ..Strength::FULL }
    }

    /// The limits of a player of this strength.
    pub fn weaken(self, limits: &Limits) -> Limits {
        let Strength { depth, nodes, .. } = self;
        let mut limits = limits.clone();
        if depth < u32::MAX {
            limits.depth = Some(limits.depth.map_or(depth, |wanted| wanted.min(depth)));
        }
        if nodes < u64::MAX {
            limits.nodes = Some(limits.nodes.map_or(nodes, |wanted| wanted.min(nodes)));
        }
        limits
    }

    /// Which of the lines a player of this strength takes.
    pub fn choose(self, scores: &[Score], seed: u64) -> usize {
        let Reverse(error) = self.error;
        if error == 0 {
            return 0;
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let misjudged = scores.iter().map(|score| score.0 + random.random_range(0..=error)).enumerate();
        misjudged.max_by_key(|&(i, value)| (value, Reverse(i))).map_or(0, |(i, _)| i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_players_err_more_and_forced_ends_are_seen() {
        let scores = [Score(50), Score(0), Score(-500)];
        let choose = |scores: &[Score], level, seed| Strength::of_level(level).choose(scores, seed);
        let errors = |level| (0..200).filter(|&seed| choose(&scores, level, seed) != 0).count();
        assert!(errors(0) > errors(12) && errors(12) > errors(20) && errors(20) == 0);
        assert!((0..200).all(|seed| choose(&[Score::win_in(3), Score(200)], 0, seed) == 0));
    }

    #[test]
    fn a_limit_of_the_user_stays_where_it_is_the_narrower() {
        let weak = Strength { depth: 4, nodes: 100, ..Strength::FULL };
        assert_eq!(weak.weaken(&Limits::depth(9)), Limits { nodes: Some(100), ..Limits::depth(4) });
        assert_eq!(weak.weaken(&Limits::nodes(7)), Limits { depth: Some(4), ..Limits::nodes(7) });
        assert_eq!(Strength::FULL.weaken(&Limits::default()), Limits::default());
    }
}
