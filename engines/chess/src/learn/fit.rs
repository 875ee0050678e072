//! The weights that explain best what came of positions: logistic regression, pulled towards where it starts.
//!
//! The scale between values and chances is found first, with the weights the fit starts from, so that a fit
//! moves weights against each other and not all of them together: the margins of the search are in their unit.

use std::sync::Arc;

use ::search::Side;
use ::search::learn::logistic::sigmoid;
use ::search::learn::samples::Entry;
use ::search::learn::{Logistic, Samples, Taper};

use super::Example;
use crate::eval::material::Material;
use crate::eval::terms::{COUNT, Pair, Weights};
use crate::eval::thesis::{self, Tables};
use crate::eval::{Counts, Evaluation, Evaluator, PHASE_FULL, endgames, scale};
use crate::{Position, tuning};

/// Scales that are tried, in hundredths of a pawn at which the odds are e to one.
const SCALES: (f64, f64) = (50.0, 600.0);
/// Records come in blocks of this many, which are used or kept out whole: those of a game resemble each other.
const BLOCK: usize = 512;
/// One block in so many is kept out of the fit to see how well it predicts.
const KEPT_OUT: usize = 20;

/// How to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Passes over the records, at most.
    pub passes: usize,
    /// The price of moving a weight, as if this many positions spoke for its start.
    pub pull: f64,
    /// The share of the game's result in what is to be predicted; the rest is what the search said.
    pub result: f64,
}

/// What a fit found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<T> {
    /// The weights.
    pub weights: T,
    /// Hundredths of a pawn at which the odds of winning are e to one.
    pub scale: f64,
    /// The mean loss of the positions kept out, under the weights of the start and those found; none if there were too
    /// few to keep any out.
    pub losses: Option<[f64; 2]>,
}

impl Fit {
    /// Weights of the full evaluation, beginning at `start`.
    pub fn full(&self, records: &[Example], start: &Weights) -> Found<Weights> {
        let mut evaluator =
            Evaluator::new(Evaluation::Full, Arc::new(start.clone()), Arc::new(tuning::thesis()));
        let half = |value: fn(Pair) -> i32| start.0.iter().map(move |&pair| f64::from(value(pair)));
        let first: Vec<f64> = half(Pair::middle).chain(half(Pair::end)).collect();
        let found = self.solve(records, Taper::TwoEnds, &first, |p| features(p, &mut evaluator, start));
        let mut out = start.clone();
        for (i, pair) in out.0.iter_mut().enumerate() {
            *pair = Pair::new(found.weights[i].round() as i32, found.weights[COUNT + i].round() as i32);
        }
        Found { weights: out, scale: found.scale, losses: found.losses }
    }

    /// Tables of Kushnir's payoff function, beginning at `start`.
    pub fn thesis(&self, records: &[Example], start: &Tables) -> Found<Tables> {
        let first: Vec<f64> = start.numbers().iter().map(|&number| f64::from(number)).collect();
        let found = self.solve(records, Taper::None, &first, |p| {
            let mut entries = Vec::new();
            thesis::count(p, |index, count| entries.push((index as u32, count as f32)));
            (entries, 1.0)
        });
        let numbers: Vec<i32> = found.weights.iter().map(|weight| weight.round() as i32).collect();
        Found { weights: Tables::from_numbers(&numbers), scale: found.scale, losses: found.losses }
    }

    fn solve(
        &self,
        records: &[Example],
        taper: Taper,
        start: &[f64],
        mut features: impl FnMut(&Position) -> (Vec<Entry>, f32),
    ) -> Found<Vec<f64>> {
        let used: Vec<&Example> = records.iter().filter(|r| endgames::known(&r.position).is_none()).collect();
        let count = if taper == Taper::TwoEnds { start.len() / 2 } else { start.len() };
        let mut results = Samples::new(count, taper);
        let rows: Vec<_> = used.iter().map(|record| features(&record.position)).collect();
        for ((entries, phase), record) in rows.iter().zip(&used) {
            results.push(entries.iter().copied(), *phase, record.result as f32);
        }
        let scale = best_scale(&results, start);
        let (mut fitted, mut kept_out) = (Samples::new(count, taper), Samples::new(count, taper));
        for (i, ((entries, phase), record)) in rows.into_iter().zip(&used).enumerate() {
            let seen = sigmoid(f64::from(record.score) / scale);
            let target = self.result * record.result + (1.0 - self.result) * seen;
            let set = if (i / BLOCK + 1).is_multiple_of(KEPT_OUT) { &mut kept_out } else { &mut fitted };
            set.push(entries, phase, target as f32);
        }
        let logistic = Logistic { scale, pull: self.pull, passes: self.passes, ..Logistic::default() };
        let weights = logistic.fit(&fitted, start);
        let losses = (!kept_out.is_empty())
            .then(|| [start, &weights].map(|weights| logistic.loss(&kept_out, weights)));
        Found { weights, scale, losses }
    }
}

/// The scale at which these weights predict the results best, by narrowing an interval of its logarithm.
fn best_scale(samples: &Samples, weights: &[f64]) -> f64 {
    let loss = |scale: f64| Logistic { scale, ..Logistic::default() }.loss(samples, weights);
    let (mut low, mut high) = SCALES;
    for _ in 0..24 {
        let third = libm::cbrt(high / low);
        let (left, right) = (low * third, high / third);
        if loss(left) < loss(right) { high = right } else { low = left }
    }
    (low * high).sqrt()
}

/// How often each weight counts in a position, and its phase from 1 (opening) to 0 (ending).
///
/// A scaled ending is an unscaled one nearer to the opening with all counts made smaller.
fn features(p: &Position, evaluator: &mut Evaluator, weights: &Weights) -> (Vec<Entry>, f32) {
    let mut counts = Counts(vec![0; COUNT]);
    evaluator.full(p, &mut counts);
    let end: i32 = counts.0.iter().zip(weights.0.iter()).map(|(n, pair)| n * pair.end()).sum();
    let ahead = if end >= 0 { Side::White } else { Side::Black };
    let material = Material::of(p);
    let middle = material.phase as f32 / PHASE_FULL as f32;
    let end = (1.0 - middle) * material.share(p, ahead) as f32 / scale::FULL as f32;
    let whole = (middle + end).max(f32::MIN_POSITIVE);
    let counted = counts.0.iter().enumerate().filter(|(_, n)| **n != 0);
    (counted.map(|(i, &n)| (i as u32, n as f32 * whole)).collect(), middle / whole)
}

#[cfg(test)]
mod tests {
    use ::search::learn::Played;
    use ::search::learn::games::play;
    use ::search::{Game, Limits};

    use super::*;
    use crate::Rules;
    use crate::learn::examples;
    use crate::search::{Config, Searcher};

    fn game(seed: u64) -> Played<Position> {
        let mut player = Searcher::new(Config::default(), tuning::evaluator(Evaluation::Full));
        play(&mut player, &Position::start(&Rules::default()), &tuning::GAMES, &Limits::nodes(60), seed)
    }

    #[test]
    fn a_fit_repeats_itself_and_moves_less_the_stronger_the_pull() {
        let records: Vec<Example> = (0..12).flat_map(|seed| examples(&game(seed))).collect();
        let fit = |pull: f64| Fit { passes: 10, pull, result: 0.5 }.full(&records, &tuning::prior()).weights;
        let distance = |found: &Weights| -> i64 {
            let pairs = found.0.iter().zip(*tuning::prior().0);
            pairs.map(|(a, b)| i64::from((a.middle() - b.middle()).abs() + (a.end() - b.end()).abs())).sum()
        };
        let free = fit(1.0);
        assert_eq!(free, fit(1.0));
        assert!(distance(&free) > distance(&fit(1e6)));
        assert_eq!(distance(&fit(1e12)), 0);
    }

    #[test]
    fn the_scale_of_known_games_is_found() {
        let mut samples = Samples::new(1, Taper::None);
        for value in -300..=300 {
            samples.push([(0, value as f32)], 1.0, sigmoid(f64::from(value) / 170.0) as f32);
        }
        assert!((best_scale(&samples, &[1.0]) - 170.0).abs() < 2.0);
    }

    #[test]
    fn features_and_weights_make_the_value() {
        let weights = tuning::prior();
        let mut evaluator =
            Evaluator::new(Evaluation::Full, Arc::new(weights.clone()), Arc::new(tuning::thesis()));
        for record in examples(&game(5)).iter().filter(|r| endgames::known(&r.position).is_none()) {
            let (entries, phase) = features(&record.position, &mut evaluator, &weights);
            let value: f32 = entries.iter().fold(0.0, |sum, &(i, n)| {
                let pair = weights.0[i as usize];
                sum + n * (phase * pair.middle() as f32 + (1.0 - phase) * pair.end() as f32)
            });
            let told = evaluator.full(&record.position, &mut crate::eval::sheet::Silent);
            assert!((value - told as f32).abs() < 3.0, "{}: {value} is not {told}", record.position);
        }
    }
}
