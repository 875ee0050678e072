//! Logistic regression: weights whose sum, squeezed into 0..=1, predicts the results of games best.
//!
//! The usual loss is the cross-entropy, which is convex, so the fit has one answer and no learning rate. Work is
//! cut into the same parts on every machine and summed in their order: the number of threads changes nothing.

use rayon::prelude::*;

use super::Samples;
use super::lbfgs::{self, Step};

/// Parts the samples are cut into; more threads than this find no work.
const PARTS: usize = 16;

/// What is minimised, for a target and what is predicted for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loss {
    /// The cross-entropy.
    #[default]
    Entropy,
    /// The squared difference (Buro, 1999).
    Squares,
}

impl Loss {
    /// The loss and its slope, from the value that is squeezed.
    fn of(self, value: f64, target: f64) -> (f64, f64) {
        let predicted = sigmoid(value);
        let error = predicted - target;
        match self {
            Loss::Entropy => (cross_entropy(value, target), error),
            Loss::Squares => (error * error, 2.0 * error * predicted * (1.0 - predicted)),
        }
    }
}

/// How weights are fitted to results.
#[derive(Clone, Debug, PartialEq)]
pub struct Logistic {
    /// What is minimised.
    pub loss: Loss,
    /// Points of value at which the odds of winning are e to 1.
    pub scale: f64,
    /// The price of moving a weight away from its start, as if this many samples spoke for the start:
    /// the penalty is `pull / 2 * ((w - start) / scale)^2`.
    pub pull: f64,
    /// Passes over the samples, at most.
    pub passes: usize,
    /// Stop when a pass improves the mean loss by less than this.
    pub tolerance: f64,
}

impl Default for Logistic {
    fn default() -> Self {
        Logistic { loss: Loss::Entropy, scale: 200.0, pull: 1.0, passes: 200, tolerance: 1e-7 }
    }
}

impl Logistic {
    /// Weights that explain the samples' targets (1 win, 0.5 draw, 0 loss, from the side the features have in
    /// mind), beginning at `start`.
    ///
    /// # Panics
    /// If `start` has not one weight for each of the samples'.
    pub fn fit(&self, samples: &Samples, start: &[f64]) -> Vec<f64> {
        assert_eq!(start.len(), samples.weights());
        let count = samples.len().max(1) as f64;
        let scaled: Vec<f64> = start.iter().map(|w| w / self.scale).collect();
        let objective = |weights: &[f64], gradient: &mut [f64]| {
            let mut loss = self.slope(samples, weights, gradient);
            for ((w, s), g) in weights.iter().zip(&scaled).zip(gradient) {
                loss += 0.5 * self.pull * (w - s) * (w - s);
                *g = (*g + self.pull * (w - s)) / count;
            }
            loss / count
        };
        let mut last = f64::INFINITY;
        let found = lbfgs::minimise(&scaled, objective, |step: &Step| {
            let improves = last - step.value >= self.tolerance;
            last = step.value;
            improves && step.pass < self.passes
        });
        found.into_iter().map(|w| w * self.scale).collect()
    }

    /// The mean loss of the samples under these weights, without any penalty.
    pub fn loss(&self, samples: &Samples, weights: &[f64]) -> f64 {
        let scaled: Vec<f64> = weights.iter().map(|w| w / self.scale).collect();
        let sums: Vec<f64> = parts(samples)
            .into_par_iter()
            .map(|part| {
                part.map(|i| self.loss.of(samples.value(i, &scaled), f64::from(samples.target(i))).0).sum()
            })
            .collect();
        sums.iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// The summed loss, and its gradient written over `gradient`.
    fn slope(&self, samples: &Samples, weights: &[f64], gradient: &mut [f64]) -> f64 {
        let found: Vec<(f64, Vec<f64>)> = parts(samples)
            .into_par_iter()
            .map(|part| {
                let (mut loss, mut own) = (0.0, vec![0.0; weights.len()]);
                for i in part {
                    let (value, target) = (samples.value(i, weights), f64::from(samples.target(i)));
                    let (more, slope) = self.loss.of(value, target);
                    loss += more;
                    samples.add_gradient(i, slope, &mut own);
                }
                (loss, own)
            })
            .collect();
        gradient.fill(0.0);
        for (_, part) in &found {
            gradient.iter_mut().zip(part).for_each(|(sum, g)| *sum += g);
        }
        found.iter().map(|(loss, _)| loss).sum()
    }
}

/// The chance of winning that belongs to a value in units of the scale.
pub fn sigmoid(value: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-value))
}

/// The value that belongs to a chance of winning, in units of the scale.
pub fn odds(chance: f64) -> f64 {
    libm::log(chance / (1.0 - chance))
}

/// -target * ln(sigmoid) - (1 - target) * ln(1 - sigmoid), without overflow.
fn cross_entropy(value: f64, target: f64) -> f64 {
    let softplus = value.max(0.0) + libm::log1p(libm::exp(-value.abs()));
    softplus - target * value
}

fn parts(samples: &Samples) -> Vec<std::ops::Range<usize>> {
    let edge = |part: usize| samples.len() * part / PARTS;
    (0..PARTS).map(|part| edge(part)..edge(part + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Taper;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Games decided by chance with known weights.
    fn games(weights: &[f64], scale: f64, count: usize) -> Samples {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut samples = Samples::new(weights.len(), Taper::None);
        for _ in 0..count {
            let row: Vec<(u32, f32)> =
                (0..weights.len() as u32).map(|i| (i, random.random_range(-2..=2) as f32)).collect();
            let value: f64 = row.iter().map(|&(i, x)| f64::from(x) * weights[i as usize]).sum();
            let won = random.random::<f64>() < sigmoid(value / scale);
            samples.push(row, 0.0, if won { 1.0 } else { 0.0 });
        }
        samples
    }

    #[test]
    fn known_weights_are_found_again() {
        let truth = [120.0, -60.0, 0.0, 30.0];
        let samples = games(&truth, 200.0, 40_000);
        let fit = Logistic::default();
        let found = fit.fit(&samples, &[0.0; 4]);
        for (found, truth) in found.iter().zip(truth) {
            assert!((found - truth).abs() < 6.0, "{found} is far from {truth}");
        }
        assert!(fit.loss(&samples, &found) <= fit.loss(&samples, &truth));
        let squares = Logistic { loss: Loss::Squares, ..fit };
        for (found, truth) in squares.fit(&samples, &[0.0; 4]).iter().zip(truth) {
            assert!((found - truth).abs() < 10.0, "{found} is far from {truth}");
        }
    }

    #[test]
    fn the_slope_of_a_loss_is_its_change() {
        for loss in [Loss::Entropy, Loss::Squares] {
            for (value, target) in [(-2.0, 1.0), (0.3, 0.5), (1.5, 0.0)] {
                let change = (loss.of(value + 1e-6, target).0 - loss.of(value - 1e-6, target).0) / 2e-6;
                assert!((change - loss.of(value, target).1).abs() < 1e-6, "{loss:?} {value}");
            }
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let samples = games(&[50.0, -20.0], 200.0, 3_000);
        let fitted = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Logistic::default().fit(&samples, &[0.0; 2]))
        };
        assert_eq!(fitted(1), fitted(3));
    }

    #[test]
    fn a_weight_without_evidence_stays_where_it_was() {
        let mut samples = Samples::new(2, Taper::None);
        samples.push([(0, 1.0)], 0.0, 1.0);
        let found = Logistic::default().fit(&samples, &[0.0, 77.0]);
        assert!((found[1] - 77.0).abs() < 1e-9 && found[0] > 1.0);
    }
}
