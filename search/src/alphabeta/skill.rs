//! Playing below full strength: less depth, and a liking for moves that are nearly as good.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::{Limits, Score};

/// The level that plays as well as it can.
pub const FULL: u32 = 20;
/// Lines a weak player compares.
pub(super) const LINES: usize = 8;
/// Points by which the weakest player may misjudge a move, and how much less each level.
const ERROR: i32 = 300;

/// The limits of a weak player.
pub(super) fn weaken(limits: &Limits, level: u32) -> Limits {
    let depth = 1 + level / 2;
    Limits { depth: Some(limits.depth.map_or(depth, |d| d.min(depth))), ..limits.clone() }
}

/// Which of the lines a player of this level takes.
pub(super) fn choose(scores: &[Score], level: u32, seed: u64) -> usize {
    if level >= FULL {
        return 0;
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let span = ERROR * (FULL - level) as i32 / FULL as i32;
    let misjudged = scores.iter().map(|score| score.0 + random.random_range(0..=span)).enumerate();
    misjudged.max_by_key(|&(i, value)| (value, std::cmp::Reverse(i))).map_or(0, |(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_players_err_more_and_forced_ends_are_seen() {
        let scores = [Score(50), Score(0), Score(-500)];
        let errors = |level| (0..200).filter(|&seed| choose(&scores, level, seed) != 0).count();
        assert!(errors(0) > errors(12) && errors(12) > errors(20) && errors(20) == 0);
        assert!((0..200).all(|seed| choose(&[Score::win_in(3), Score(200)], 0, seed) == 0));
    }
}
