//! A small perceptron with one hidden layer, taught by temporal differences as TD-Gammon was.
//!
//! Its answers lie between 0 and 1 and come in pairs: the chance that something happens for the side that looks at the
//! board, and that it happens for the other one. Every weight remembers how much it shared in the answers of the game so
//! far (its traces, one for each answer), and each new answer corrects the earlier ones.
//!
//! Tesauro, "Temporal difference learning and TD-Gammon", 1995.

use super::logistic::sigmoid;
use crate::Random;

/// Weights, first of each hidden unit in turn (inputs, then bias), then of each answer (hidden units, then bias).
#[derive(Clone, Debug, PartialEq)]
pub struct Perceptron {
    inputs: usize,
    /// The number of hidden units.
    pub hidden: usize,
    answers: usize,
    /// All weights.
    pub weights: Vec<f64>,
}

impl Perceptron {
    /// A perceptron with small random weights and this many answers, an even number.
    pub fn new(inputs: usize, hidden: usize, answers: usize, random: &mut Random) -> Perceptron {
        let size = Self::size(inputs, hidden, answers);
        let weights = (0..size).map(|_| 0.2 * (f64::from(random.unit()) - 0.5)).collect();
        Perceptron { inputs, hidden, answers, weights }
    }

    /// A perceptron with these weights; none if their number is wrong.
    pub fn with_weights(
        inputs: usize,
        hidden: usize,
        answers: usize,
        weights: Vec<f64>,
    ) -> Option<Perceptron> {
        let fits = weights.len() == Self::size(inputs, hidden, answers);
        fits.then_some(Perceptron { inputs, hidden, answers, weights })
    }

    fn size(inputs: usize, hidden: usize, answers: usize) -> usize {
        hidden * (inputs + 1) + answers * (hidden + 1)
    }

    /// The answers; the inputs are those that are 1, all others being 0.
    pub fn answer(&self, active: &[usize]) -> Vec<f64> {
        self.answer_by(&self.units(active))
    }

    fn answer_by(&self, units: &[f64]) -> Vec<f64> {
        let squeezed = |row: &[f64]| {
            sigmoid(units.iter().zip(row).fold(row[self.hidden], |sum, (unit, weight)| sum + weight * unit))
        };
        self.last_rows().map(squeezed).collect()
    }

    /// The weights of each answer.
    fn last_rows(&self) -> impl Iterator<Item = &[f64]> {
        self.weights[self.hidden * (self.inputs + 1)..].chunks(self.hidden + 1)
    }

    fn units(&self, active: &[usize]) -> Vec<f64> {
        let squeezed = |row: &[f64]| sigmoid(active.iter().fold(row[self.inputs], |sum, &i| sum + row[i]));
        self.weights.chunks(self.inputs + 1).take(self.hidden).map(squeezed).collect()
    }
}

/// Answers as the other side would give them, which has the same chances in the other order.
pub fn turned(answers: &[f64]) -> Vec<f64> {
    answers.chunks(2).flat_map(|pair| [pair[1], pair[0]]).collect()
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
    /// Of each answer as the first player sees it.
    traces: Vec<Vec<f64>>,
}

impl Schooling {
    /// The beginning of a game.
    pub fn new(pupil: Perceptron, rate: f64, lambda: f64) -> Schooling {
        let traces = vec![vec![0.0; pupil.weights.len()]; pupil.answers];
        Schooling { pupil, rate, lambda, traces }
    }

    /// Forgets the game before.
    pub fn begin(&mut self) {
        self.traces.iter_mut().for_each(|traces| traces.fill(0.0));
    }

    /// Learns that the position with these inputs led to one with the answers `next`, or to that result, as the first
    /// player sees it; `is_turned` if the other one looked at the board.
    pub fn observe(&mut self, active: &[usize], is_turned: bool, next: &[f64]) {
        let units = self.pupil.units(active);
        let answers = self.pupil.answer_by(&units);
        let mut steps = Vec::with_capacity(answers.len());
        for (first, next) in next.iter().enumerate().take(answers.len()) {
            let own = if is_turned { first ^ 1 } else { first };
            self.traces[first].iter_mut().for_each(|trace| *trace *= self.lambda);
            self.add_gradient(active, &units, own, answers[own], first);
            steps.push(self.rate * (next - answers[own]));
        }
        for (step, traces) in steps.into_iter().zip(&self.traces) {
            self.pupil.weights.iter_mut().zip(traces).for_each(|(w, trace)| *w += step * trace);
        }
    }

    /// Adds the slopes of an answer by all weights to the traces of `first`.
    fn add_gradient(&mut self, active: &[usize], units: &[f64], own: usize, answer: f64, first: usize) {
        let Perceptron { inputs, hidden, .. } = self.pupil;
        let slope = answer * (1.0 - answer);
        let row = self.pupil.last_rows().nth(own).expect("there is such an answer");
        let (rows, last) = self.traces[first].split_at_mut(hidden * (inputs + 1));
        for ((traces, unit), weight) in rows.chunks_mut(inputs + 1).zip(units).zip(row) {
            let share = slope * weight * unit * (1.0 - unit);
            active.iter().for_each(|&i| traces[i] += share);
            traces[inputs] += share;
        }
        let last = &mut last[own * (hidden + 1)..][..=hidden];
        last.iter_mut().zip(units).for_each(|(trace, unit)| *trace += slope * unit);
        last[hidden] += slope;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pupil() -> Perceptron {
        Perceptron::new(4, 3, 2, &mut Random::new(3))
    }

    #[test]
    fn traces_are_the_slopes_of_the_answers() {
        let active = [0, 2];
        for is_turned in [false, true] {
            let mut schooling = Schooling::new(pupil(), 0.0, 0.0);
            schooling.observe(&active, is_turned, &[1.0, 0.0]);
            for (first, traces) in schooling.traces.iter().enumerate() {
                for (i, trace) in traces.iter().enumerate() {
                    let moved = |by: f64| {
                        let mut other = pupil();
                        other.weights[i] += by;
                        let answers = other.answer(&active);
                        if is_turned { turned(&answers)[first] } else { answers[first] }
                    };
                    let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                    assert!((slope - trace).abs() < 1e-8, "answer {first}, weight {i}");
                }
            }
        }
    }

    #[test]
    fn it_learns_what_no_line_can_part_from_both_sides() {
        let mut schooling = Schooling::new(Perceptron::new(2, 6, 2, &mut Random::new(1)), 2.0, 0.5);
        let cases: [(&[usize], f64); 4] = [(&[], 0.0), (&[0], 1.0), (&[1], 1.0), (&[0, 1], 0.0)];
        let result = |first: f64| [first, 1.0 - first];
        for i in 0..40_000 {
            let (active, own) = cases[i % 4];
            let is_turned = i % 8 >= 4;
            schooling.begin();
            schooling.observe(active, is_turned, &result(if is_turned { 1.0 - own } else { own }));
        }
        for (active, own) in cases {
            let answers = schooling.pupil.answer(active);
            let near = |(answer, wanted): (&f64, f64)| (answer - wanted).abs() < 0.2;
            assert!(answers.iter().zip(result(own)).all(near), "{active:?}: {answers:?}");
        }
    }

    #[test]
    fn a_wrong_number_of_weights_is_refused() {
        let weights = pupil().weights;
        assert_eq!(Perceptron::with_weights(4, 3, 2, weights.clone()), Some(pupil()));
        assert_eq!(Perceptron::with_weights(4, 4, 2, weights), None);
    }
}
