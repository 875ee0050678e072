//! The sequential probability ratio test: play until one of two hypotheses about the strength is clear.
//!
//! The likelihoods are generalized ones: each hypothesis fixes the mean (logistic Elo) or the mean over
//! the deviation (normalized Elo), and the most likely distribution that fulfils it stands for it.
//! Van den Bergh, "A practical introduction to the GSPRT" and "Normalized Elo in practice".

use clap::ValueEnum;

use super::{Distribution, NORMALIZED, expected_score, moments};

/// In which unit the hypotheses are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// Elo of the expected score.
    #[default]
    Logistic,
    /// Score in units of its own deviation: the same number of games whatever the draw rate.
    Normalized,
}

/// A test of `elo1` against `elo0`.
#[derive(Clone, Debug, PartialEq)]
pub struct Sprt {
    /// The strength to be rejected.
    pub elo0: f64,
    /// The strength to be accepted.
    pub elo1: f64,
    /// The probability of accepting `elo1` when `elo0` is true.
    pub alpha: f64,
    /// The probability of accepting `elo0` when `elo1` is true.
    pub beta: f64,
    /// The unit of the two.
    pub model: Model,
}

/// How a test ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The player is not stronger than `elo0`.
    H0,
    /// The player is at least as strong as `elo1`.
    H1,
}

impl Sprt {
    /// The ratios at which the test ends, the lower one first.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the likelihood ratio of `elo1` to `elo0` after these outcomes.
    pub fn ratio(&self, outcomes: &Distribution) -> f64 {
        if outcomes.total() == 0 {
            return 0.0;
        }
        // An outcome not seen yet weighs a thousandth of one, so that no logarithm is infinite.
        let (total, seen) = outcomes.frequencies(1e-3);
        let fit = |elo: f64| match self.model {
            Model::Logistic => with_mean(&seen, expected_score(elo)),
            Model::Normalized => with_t_value(&seen, elo / NORMALIZED * outcomes.games_each().sqrt()),
        };
        let (null, alternative) = (fit(self.elo0), fit(self.elo1));
        let jumps = seen.iter().zip(null.iter().zip(&alternative));
        total * jumps.map(|((_, p), (p0, p1))| p * (p1 / p0).ln()).sum::<f64>()
    }

    /// The verdict, if these outcomes give one.
    pub fn verdict(&self, outcomes: &Distribution) -> Option<Verdict> {
        let (lower, upper) = self.bounds();
        let ratio = self.ratio(outcomes);
        if ratio >= upper { Some(Verdict::H1) } else { (ratio <= lower).then_some(Verdict::H0) }
    }
}

/// The most likely probabilities, given the frequencies seen, among those with this mean.
fn with_mean(seen: &[(f64, f64)], mean: f64) -> Vec<f64> {
    tilted(seen, |score| score - mean)
}

/// The most likely probabilities among those whose mean lies `t` deviations above one half.
fn with_t_value(seen: &[(f64, f64)], t: f64) -> Vec<f64> {
    let mut fit = vec![1.0 / seen.len() as f64; seen.len()];
    // The constraint is not linear: linearise at the last solution and repeat.
    for _ in 0..20 {
        let current: Vec<_> = seen.iter().zip(&fit).map(|((score, _), &p)| (*score, p)).collect();
        let (mean, variance) = moments(&current);
        let deviation = variance.sqrt();
        let next = tilted(seen, |score| {
            score - 0.5 - t * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0
        });
        let change = next.iter().zip(&fit).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        fit = next;
        if change < 1e-9 {
            break;
        }
    }
    fit
}

/// The probabilities `p / (1 + x g)` under which `g` has mean zero.
fn tilted(seen: &[(f64, f64)], g: impl Fn(f64) -> f64) -> Vec<f64> {
    let points: Vec<(f64, f64)> = seen.iter().map(|&(score, p)| (g(score), p)).collect();
    let x = multiplier(&points);
    points.iter().map(|(g, p)| p / (1.0 + x * g)).collect()
}

/// The root of `sum p g / (1 + x g)`, which falls from plus to minus infinity where all terms are positive.
fn multiplier(points: &[(f64, f64)]) -> f64 {
    let extreme = |choose: fn(f64, f64) -> f64| points.iter().map(|(g, _)| *g).reduce(choose).unwrap_or(0.0);
    let (mut low, mut high) = (-1.0 / extreme(f64::max), -1.0 / extreme(f64::min));
    for _ in 0..64 {
        let x = (low + high) / 2.0;
        if points.iter().map(|(g, p)| p * g / (1.0 + x * g)).sum::<f64>() > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::statistics::{Pentanomial, Tally};

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn near(value: f64, wanted: f64) {
        assert!((value - wanted).abs() <= 0.006 * wanted.abs().max(1.0), "{value} is not {wanted}");
    }

    // The figures of this and the next test are those of the tests of fastchess.
    #[test]
    fn single_games_give_the_published_ratios() {
        let ratio = |wins, losses, draws, elo0, elo1, model| {
            test(elo0, elo1, model).ratio(&Tally { wins, draws, losses }.distribution())
        };
        near(ratio(36433, 36027, 68692, 0.0, 2.0, Model::Normalized), 0.92);
        near(ratio(10871, 10650, 20431, -1.75, 0.25, Model::Normalized), 2.30);
        near(ratio(4250, 0, 0, 0.0, 10.0, Model::Normalized), 120.56);
        near(ratio(21404, 21184, 40708, 0.5, 2.5, Model::Logistic), -1.57);
        near(ratio(57433, 57030, 106_593, 0.0, 2.0, Model::Logistic), -2.59);
    }

    #[test]
    fn pairs_give_the_published_ratios() {
        let ratio =
            |counts, elo0, elo1, model| test(elo0, elo1, model).ratio(&Pentanomial(counts).distribution());
        near(ratio([365, 16618, 36229, 16974, 390], 0.0, 2.0, Model::Normalized), 2.25);
        near(ratio([127, 4883, 10712, 5150, 104], -1.75, 0.25, Model::Normalized), 3.01);
        near(ratio([0, 0, 0, 0, 5550], 0.0, 5.0, Model::Normalized), 111.82);
        near(ratio([223, 9863, 21279, 10037, 246], 0.5, 2.5, Model::Logistic), -3.07);
        near(ratio([871, 26175, 55983, 26678, 821], 0.0, 2.0, Model::Logistic), -4.98);
    }

    #[test]
    fn the_bounds_are_walds() {
        let (lower, upper) = test(0.0, 5.0, Model::Logistic).bounds();
        near(lower, -2.944);
        near(upper, 2.944);
        assert_eq!(test(0.0, 5.0, Model::Logistic).ratio(&Pentanomial::default().distribution()), 0.0);
    }

    /// The share of simulated matches that end with H1, between players whose true difference is `elo`.
    fn accepted(sprt: &Sprt, elo: f64, seed: u64) -> f64 {
        use rand::{RngExt, SeedableRng};
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
        // Openings favour one side, so the games of a pair pull in opposite directions.
        let win = [expected_score(elo) - 0.2 + 0.1, expected_score(elo) - 0.2 - 0.1];
        let matches = 1000;
        let mut h1 = 0;
        for _ in 0..matches {
            let mut counts = Pentanomial::default();
            let verdict = loop {
                let half_points = win.map(|win| {
                    let x: f64 = random.random();
                    if x < win { 2 } else { usize::from(x < win + 0.4) }
                });
                counts.add(half_points[0] + half_points[1]);
                if let Some(verdict) = sprt.verdict(&counts.distribution()) {
                    break verdict;
                }
            };
            h1 += u32::from(verdict == Verdict::H1);
        }
        f64::from(h1) / f64::from(matches)
    }

    #[test]
    fn simulated_matches_end_rightly_at_the_stated_error_rates() {
        let sprt = Sprt { alpha: 0.05, beta: 0.1, ..test(0.0, 40.0, Model::Logistic) };
        // Three standard errors of 1000 matches above the stated rates of 5 % and 10 %.
        assert!(accepted(&sprt, 0.0, 1) < 0.05 + 0.021);
        assert!(accepted(&sprt, 40.0, 2) > 0.90 - 0.029);
        assert!(accepted(&sprt, 80.0, 3) > 0.99);
        assert!(accepted(&sprt, -40.0, 4) < 0.01);
    }

    #[test]
    fn normalized_hypotheses_keep_their_error_rates_too() {
        let sprt = test(0.0, 50.0, Model::Normalized);
        assert!(accepted(&sprt, 0.0, 5) < 0.05 + 0.021);
        // With the simulated draw rate 50 normalized points are about 36 logistic ones.
        assert!(accepted(&sprt, 40.0, 6) > 0.95 - 0.021);
    }
}
