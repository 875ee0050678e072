//! Levels and Elo numbers below full strength: nodes for a move, and how far it may be misjudged.

use std::cmp::Reverse;

use ::search::Strength;
use ::search::strength::FULL_LEVEL;

/// Nodes of the lowest level: it thinks of little more than its next move.
const NODES: f64 = 80.0;
/// By how much each level has more.
const GROWTH: f64 = 1.5;
/// The largest misjudgement of the lowest level, in hundredths of a pawn.
const ERROR: f64 = 250.0;
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

/// The strength of a skill level.
pub fn of_level(level: u32) -> Strength {
    if level >= FULL_LEVEL { Strength::FULL } else { between(f64::from(level)) }
}

/// The strength of an Elo number within [`ELO`].
pub fn of_elo(elo: i64) -> Strength {
    let elo = elo.clamp(*ELO.start(), *ELO.end()) as f64;
    let above = CALIBRATION.partition_point(|&(_, known)| known < elo).clamp(1, CALIBRATION.len() - 1);
    let ((low, low_elo), (high, high_elo)) = (CALIBRATION[above - 1], CALIBRATION[above]);
    between(low + (high - low) * (elo - low_elo) / (high_elo - low_elo))
}

/// The strength of a level with a fraction.
fn between(level: f64) -> Strength {
    let nodes = NODES * libm::pow(GROWTH, level);
    // Misjudging costs more the better the play, so it fades faster than the nodes grow.
    let error = ERROR * (1.0 - level / f64::from(FULL_LEVEL)).powi(2);
    Strength { nodes: nodes as u64, error: Reverse(error as i32), lines: LINES, ..Strength::FULL }
}

#[cfg(test)]
mod tests {
    use ::search::Score;

    use super::*;

    #[test]
    fn weaker_players_err_more() {
        let scores = [Score(50), Score(0), Score(-500)];
        let errors = |level| (0..300).filter(|&seed| of_level(level).choose(&scores, seed) != 0).count();
        assert!(errors(0) > errors(12) && errors(12) >= errors(20) && errors(20) == 0);
    }

    #[test]
    fn levels_and_numbers_grow_together() {
        assert!((1..=20).all(|level| of_level(level) > of_level(level - 1)));
        let elos: Vec<i64> = ELO.step_by(20).collect();
        assert!(elos.windows(2).all(|pair| of_elo(pair[0]) < of_elo(pair[1])));
        assert_eq!(of_elo(1910), of_level(12));
    }
}
