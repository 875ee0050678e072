//! What results say about strength: Elo with its error, likelihood of superiority, and (in `sprt`) a test
//! that stops by itself.
//!
//! Two games with one opening and swapped colours depend on each other, so the unit is the pair and its
//! five scores; single games are judged only where no pair is whole. Errors are those of the normal
//! approximation, as cutechess and fastchess print them; normalized Elo is Van den Bergh's.

pub mod sprt;

use std::ops::AddAssign;

/// The 97.5 % quantile of the normal distribution: two-sided 95 %.
pub const QUANTILE_95: f64 = 1.959_963_984_540_054;
/// Normalized Elo per unit of score over standard deviation, so that both kinds of Elo agree for even
/// games without draws.
const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

/// The expected score of a player `elo` points stronger.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference that makes a score expected; infinite at 0 and 1.
pub fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Wins, draws and losses from one player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Counts one game by its half points: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins and half of the draws.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game; one half if there was none.
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// Wilson's 95 % interval of the score. It counts games, not pairs: it stays honest where all games were won,
    /// and a draw makes it wider than need be, never narrower.
    pub fn interval(&self) -> (f64, f64) {
        let (games, score) = (self.games() as f64, self.score());
        if games == 0.0 {
            return (0.0, 1.0);
        }
        let spread = QUANTILE_95 * QUANTILE_95 / games;
        let middle = score + spread / 2.0;
        let half = QUANTILE_95 * (score * (1.0 - score) / games + spread / (4.0 * games)).sqrt();
        ((middle - half) / (1.0 + spread), (middle + half) / (1.0 + spread))
    }

    /// The three outcomes as a distribution.
    pub fn distribution(&self) -> Distribution {
        Distribution { counts: vec![self.losses, self.draws, self.wins] }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// How often a pair of games brought 0, 1/2, 1, 3/2 and 2 points, from one player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one pair by its half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The five outcomes as a distribution.
    pub fn distribution(&self) -> Distribution {
        Distribution { counts: self.0.to_vec() }
    }
}

/// Outcomes with scores spread evenly from 0 to 1: three of single games, or five of pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    counts: Vec<u64>,
}

impl Distribution {
    /// The number of outcomes counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Games that make one outcome.
    fn games_each(&self) -> f64 {
        if self.counts.len() == 5 { 2.0 } else { 1.0 }
    }

    /// Score and frequency of each outcome; counts of zero weigh `floor` instead.
    fn frequencies(&self, floor: f64) -> (f64, Vec<(f64, f64)>) {
        let weights: Vec<f64> = self.counts.iter().map(|&n| if n == 0 { floor } else { n as f64 }).collect();
        let total: f64 = weights.iter().sum();
        let last = (weights.len() - 1) as f64;
        (total, weights.iter().enumerate().map(|(i, w)| (i as f64 / last, w / total)).collect())
    }

    /// What the outcomes say about the player's strength; none without any outcome.
    pub fn estimate(&self) -> Option<Estimate> {
        if self.total() == 0 {
            return None;
        }
        let (total, frequencies) = self.frequencies(0.0);
        let (mean, variance) = moments(&frequencies);
        let deviation = (variance / total).sqrt();
        let (low, high) = (mean - QUANTILE_95 * deviation, mean + QUANTILE_95 * deviation);
        let games = total * self.games_each();
        // The deviation of one game, as if the games of a pair were independent.
        let single = (variance * self.games_each()).sqrt();
        Some(Estimate {
            score: mean,
            score_error: QUANTILE_95 * deviation,
            elo: elo_of(mean),
            error: half_width(low, high),
            normalized: if mean == 0.5 { 0.0 } else { (mean - 0.5) / single * NORMALIZED },
            normalized_error: QUANTILE_95 / games.sqrt() * NORMALIZED,
            superiority: superiority(mean, deviation),
        })
    }
}

/// An estimate of strength from one player's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Points a game, 0 to 1.
    pub score: f64,
    /// Half the width of its 95 % interval.
    pub score_error: f64,
    /// Logistic Elo; infinite if every game was won or lost.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// Normalized Elo.
    pub normalized: f64,
    /// Half the width of its 95 % interval.
    pub normalized_error: f64,
    /// The likelihood of superiority, 0 to 1.
    pub superiority: f64,
}

/// Half the width in Elo of an interval of scores; infinite if it reaches 0 or 1.
fn half_width(low: f64, high: f64) -> f64 {
    if low <= 0.0 || high >= 1.0 { f64::INFINITY } else { (elo_of(high) - elo_of(low)) / 2.0 }
}

/// The probability that the true score exceeds one half.
fn superiority(mean: f64, deviation: f64) -> f64 {
    if deviation > 0.0 {
        libm::erfc((0.5 - mean) / deviation / std::f64::consts::SQRT_2) / 2.0
    } else if mean == 0.5 {
        0.5
    } else {
        f64::from(u8::from(mean > 0.5))
    }
}

/// Mean and variance.
fn moments(frequencies: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = frequencies.iter().map(|(score, p)| score * p).sum();
    (mean, frequencies.iter().map(|(score, p)| p * (score - mean).powi(2)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, wanted: f64) {
        assert!((value - wanted).abs() <= 0.006 * wanted.abs().max(1.0), "{value} is not {wanted}");
    }

    fn games(wins: u64, losses: u64, draws: u64) -> Estimate {
        Tally { wins, draws, losses }.distribution().estimate().unwrap()
    }

    fn pairs(counts: [u64; 5]) -> Estimate {
        Pentanomial(counts).distribution().estimate().unwrap()
    }

    #[test]
    fn the_interval_is_wilsons() {
        let interval = |wins, losses| {
            let (low, high) = Tally { wins, draws: 0, losses }.interval();
            format!("{low:.4} {high:.4}")
        };
        // 46 of 50, as 81.2 to 96.8 %; 19 of 50, as 25.9 to 51.8 %.
        assert_eq!(interval(46, 4), "0.8116 0.9685");
        assert_eq!(interval(19, 31), "0.2586 0.5185");
        assert_eq!(
            (interval(0, 0), interval(10, 0)),
            ("0.0000 1.0000".to_owned(), "0.7225 1.0000".to_owned())
        );
    }

    // The figures of this and the next test are those of the tests of fastchess.
    #[test]
    fn single_games_give_the_published_figures() {
        let e = games(136, 96, 111);
        near(e.elo, 40.70);
        near(e.error, 30.43);
        near(e.normalized, 49.77);
        near(e.normalized_error, 36.77);
        near(e.superiority, 0.9960);
        let e = games(76, 89, 123);
        near(e.normalized, -20.76);
        near(e.normalized_error, 40.13);
        near(e.superiority, 0.1553);
        near(games(34, 356, 0).normalized, -508.44);
    }

    #[test]
    fn pairs_give_the_published_figures() {
        let e = pairs([34, 54, 31 + 32, 64, 75]);
        near(e.elo, 55.58);
        near(e.error, 27.65);
        near(e.normalized, 57.94);
        near(e.normalized_error, 28.28);
        let e = pairs([332, 433, 457 + 41, 333, 334]);
        near(e.elo, -8.64);
        near(e.error, 10.33);
        near(e.normalized, -9.17);
        near(e.superiority, 0.0505);
        let e = pairs([7895, 8757, 5485 + 200, 568, 9999]);
        near(e.elo, -21.04);
        near(e.error, 2.95);
        near(e.normalized, -19.01);
        near(e.normalized_error, 2.65);
    }

    // Scores and ratings of Elo's own table: 0.64 is 100 points, 0.76 is 200, 0.91 is 400.
    #[test]
    fn elo_and_score_are_inverse() {
        near(expected_score(100.0), 0.64);
        near(expected_score(200.0), 0.76);
        near(expected_score(400.0), 10.0 / 11.0);
        for elo in [-300.0, -5.0, 0.0, 17.5, 800.0] {
            assert!((elo_of(expected_score(elo)) - elo).abs() < 1e-9);
        }
    }

    #[test]
    fn one_sided_results_have_infinite_elo_and_a_certain_winner() {
        let e = games(5, 0, 0);
        assert_eq!((e.elo, e.error, e.superiority), (f64::INFINITY, f64::INFINITY, 1.0));
        let e = games(0, 0, 4);
        assert_eq!((e.elo, e.error, e.normalized, e.superiority), (0.0, 0.0, 0.0, 0.5));
        assert_eq!(Tally::default().distribution().estimate(), None);
    }

    #[test]
    fn the_95_percent_interval_holds_the_truth_in_95_of_100_matches() {
        use rand::{RngExt, SeedableRng};
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        let truth = 40.0;
        let win = expected_score(truth) - 0.15;
        let mut inside = 0;
        for _ in 0..2000 {
            let mut tally = Tally::default();
            for _ in 0..400 {
                let x: f64 = random.random();
                tally.add(if x < win { 2 } else { usize::from(x < win + 0.3) });
            }
            let e = tally.distribution().estimate().unwrap();
            inside += u32::from((e.elo - truth).abs() <= e.error);
        }
        assert!((1870..=1930).contains(&inside), "{inside} of 2000");
    }
}
