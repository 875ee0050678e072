//! A small perceptron with one hidden layer, taught by temporal differences as TD-Gammon was.
//!
//! Its answer lies between 0 and 1: the chance of the side that looks at the board. Every weight remembers how much
//! it shared in the answers of the game so far (its trace), and each new answer corrects the earlier ones.
//!
//! Tesauro, "Temporal difference learning and TD-Gammon", 1995.

use super::logistic::sigmoid;
use crate::Random;

/// Weights, first of each hidden unit in turn (inputs, then bias), then of the answer (hidden units, then bias).
#[derive(Clone, Debug, PartialEq)]
pub struct Perceptron {
    inputs: usize,
    /// The number of hidden units.
    pub hidden: usize,
    /// All weights.
    pub weights: Vec<f64>,
}

impl Perceptron {
    /// A perceptron with small random weights.
    pub fn new(inputs: usize, hidden: usize, random: &mut Random) -> Perceptron {
        let weights =
            (0..Self::size(inputs, hidden)).map(|_| 0.2 * (f64::from(random.unit()) - 0.5)).collect();
        Perceptron { inputs, hidden, weights }
    }

    /// A perceptron with these weights; none if their number is wrong.
    pub fn with_weights(inputs: usize, hidden: usize, weights: Vec<f64>) -> Option<Perceptron> {
        (weights.len() == Self::size(inputs, hidden)).then_some(Perceptron { inputs, hidden, weights })
    }

    fn size(inputs: usize, hidden: usize) -> usize {
        hidden * (inputs + 1) + hidden + 1
    }

    /// The answer before it is squeezed into 0..=1; the inputs are those that are 1, all others being 0.
    pub fn odds(&self, active: &[usize]) -> f64 {
        let answer = self.answer();
        let sum =
            self.units(active).enumerate().fold(answer[self.hidden], |sum, (j, unit)| sum + answer[j] * unit);
        sum.clamp(-30.0, 30.0)
    }

    /// The answer.
    pub fn value(&self, active: &[usize]) -> f64 {
        sigmoid(self.odds(active))
    }

    fn answer(&self) -> &[f64] {
        &self.weights[self.hidden * (self.inputs + 1)..]
    }

    fn units<'a>(&'a self, active: &'a [usize]) -> impl Iterator<Item = f64> + 'a {
        self.weights
            .chunks(self.inputs + 1)
            .take(self.hidden)
            .map(|row| sigmoid(active.iter().fold(row[self.inputs], |sum, &i| sum + row[i])))
    }
}

/// A perceptron at school: it sees the positions of a game one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Schooling {
    /// The pupil.
    pub pupil: Perceptron,
    /// The length of a step.
    pub rate: f64,
    /// How the share of earlier answers fades, 0 to 1.
    pub lambda: f64,
    traces: Vec<f64>,
}

impl Schooling {
    /// The beginning of a game.
    pub fn new(pupil: Perceptron, rate: f64, lambda: f64) -> Schooling {
        let traces = vec![0.0; pupil.weights.len()];
        Schooling { pupil, rate, lambda, traces }
    }

    /// Forgets the game before.
    pub fn begin(&mut self) {
        self.traces.fill(0.0);
    }

    /// Learns that the position with these inputs led to one worth `next`, or to that result. Values are the first
    /// player's; `turned` if the other one looked at the board.
    pub fn observe(&mut self, active: &[usize], turned: bool, next: f64) {
        let value = self.pupil.value(active);
        self.traces.iter_mut().for_each(|trace| *trace *= self.lambda);
        self.add_gradient(active, value * (1.0 - value) * if turned { -1.0 } else { 1.0 });
        let seen = if turned { 1.0 - value } else { value };
        let step = self.rate * (next - seen);
        self.pupil.weights.iter_mut().zip(&self.traces).for_each(|(w, trace)| *w += step * trace);
    }

    fn add_gradient(&mut self, active: &[usize], slope: f64) {
        let Perceptron { inputs, hidden, .. } = self.pupil;
        let units: Vec<f64> = self.pupil.units(active).collect();
        let answer = self.pupil.answer().to_vec();
        let (rows, last) = self.traces.split_at_mut(hidden * (inputs + 1));
        for ((row, unit), weight) in rows.chunks_mut(inputs + 1).zip(&units).zip(&answer) {
            let share = slope * weight * unit * (1.0 - unit);
            active.iter().for_each(|&i| row[i] += share);
            row[inputs] += share;
        }
        last.iter_mut().zip(&units).for_each(|(trace, unit)| *trace += slope * unit);
        last[hidden] += slope;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pupil() -> Perceptron {
        Perceptron::new(4, 3, &mut Random::new(3))
    }

    #[test]
    fn traces_are_the_slopes_of_the_answer() {
        let active = [0, 2];
        let mut schooling = Schooling::new(pupil(), 0.0, 0.0);
        schooling.observe(&active, false, 1.0);
        for i in 0..schooling.traces.len() {
            let moved = |by: f64| {
                let mut other = pupil();
                other.weights[i] += by;
                other.value(&active)
            };
            let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((slope - schooling.traces[i]).abs() < 1e-8, "weight {i}");
        }
    }

    #[test]
    fn it_learns_what_no_line_can_part() {
        let mut schooling = Schooling::new(Perceptron::new(2, 6, &mut Random::new(1)), 2.0, 0.5);
        let cases: [(&[usize], f64); 4] = [(&[], 0.0), (&[0], 1.0), (&[1], 1.0), (&[0, 1], 0.0)];
        for i in 0..40_000 {
            let (active, result) = cases[i % 4];
            schooling.begin();
            let turned = i % 8 >= 4;
            schooling.observe(active, turned, if turned { 1.0 - result } else { result });
        }
        for (active, result) in cases {
            assert!((schooling.pupil.value(active) - result).abs() < 0.2, "{active:?}");
        }
    }

    #[test]
    fn a_wrong_number_of_weights_is_refused() {
        let weights = pupil().weights;
        assert_eq!(Perceptron::with_weights(4, 3, weights.clone()), Some(pupil()));
        assert_eq!(Perceptron::with_weights(4, 4, weights), None);
    }
}
