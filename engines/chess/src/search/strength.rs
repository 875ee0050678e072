//! Playing below full strength: fewer nodes, and a liking for moves that are nearly as good.

use ::search::{Limits, Score};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The level of full strength.
pub const FULL_LEVEL: u32 = 20;
/// Lines a weak player chooses from.
const LINES: usize = 4;
/// What some levels are worth on the scale of Stockfish 15.1's `UCI_Elo`: a smooth curve through what
/// `scripts/calibrate-chess` found.
const CALIBRATION: [(f64, f64); 7] = [
    (0.0, 1180.0),
    (3.0, 1280.0),
    (6.0, 1440.0),
    (9.0, 1660.0),
    (12.0, 1910.0),
    (15.0, 2180.0),
    (18.0, 2500.0),
];
/// The range of `UCI_Elo`.
pub const ELO: std::ops::RangeInclusive<i64> = 1180..=2500;

/// How strongly to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Strength {
    /// Nodes for a move.
    nodes: u64,
    /// The largest misjudgement, in hundredths of a pawn, as a negative number.
    error: i32,
}

impl Strength {
    /// No limit at all.
    pub const FULL: Strength = Strength { nodes: u64::MAX, error: 0 };

    /// The strength of a skill level from 0 to 20.
    pub fn of_level(level: u32) -> Strength {
        if level >= FULL_LEVEL { Strength::FULL } else { Strength::between(f64::from(level)) }
    }

    /// The strength of a level with a fraction.
    fn between(level: f64) -> Strength {
        // Each level gives half as many nodes again; the first thinks of little more than its next move.
        let nodes = 80.0 * libm::pow(1.5, level);
        // Misjudging costs more the better the play, so it fades faster than the nodes grow.
        let error = 250.0 * (1.0 - level / f64::from(FULL_LEVEL)).powi(2);
        Strength { nodes: nodes as u64, error: -(error as i32) }
    }

    /// The strength of an Elo number within [`ELO`].
    pub fn of_elo(elo: i64) -> Strength {
        let elo = elo.clamp(*ELO.start(), *ELO.end()) as f64;
        let above = CALIBRATION.partition_point(|&(_, known)| known < elo).clamp(1, CALIBRATION.len() - 1);
        let ((low, low_elo), (high, high_elo)) = (CALIBRATION[above - 1], CALIBRATION[above]);
        Strength::between(low + (high - low) * (elo - low_elo) / (high_elo - low_elo))
    }

    /// How many lines the choice needs.
    pub fn lines(self) -> usize {
        if self.error == 0 { 1 } else { LINES }
    }

    /// The limits of a weak player.
    pub fn weaken(self, limits: &Limits) -> Limits {
        if self == Strength::FULL {
            return limits.clone();
        }
        Limits { nodes: Some(limits.nodes.map_or(self.nodes, |n| n.min(self.nodes))), ..limits.clone() }
    }

    /// Which of the lines a player of this strength takes.
    pub fn choose(self, scores: &[Score], seed: u64) -> usize {
        if self.error == 0 {
            return 0;
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let misjudged = scores.iter().map(|score| score.0 + random.random_range(0..=-self.error)).enumerate();
        misjudged.max_by_key(|&(i, value)| (value, std::cmp::Reverse(i))).map_or(0, |(i, _)| i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_players_err_more() {
        let scores = [Score(50), Score(0), Score(-500)];
        let errors =
            |level| (0..300).filter(|&seed| Strength::of_level(level).choose(&scores, seed) != 0).count();
        assert!(errors(0) > errors(12) && errors(12) >= errors(20) && errors(20) == 0);
    }

    #[test]
    fn levels_and_numbers_grow_together() {
        assert!((1..=20).all(|level| Strength::of_level(level) > Strength::of_level(level - 1)));
        let elos: Vec<i64> = ELO.step_by(20).collect();
        assert!(elos.windows(2).all(|pair| Strength::of_elo(pair[0]) < Strength::of_elo(pair[1])));
        assert_eq!(Strength::of_elo(1910), Strength::of_level(12));
    }
}
