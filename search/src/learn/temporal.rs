//! Learning from the difference between successive values: TD, TD(lambda), LSTD and windowed LSTD.
//!
//! Sutton, "Learning to predict by the methods of temporal differences", 1988; Bradtke and Barto, "Linear
//! least-squares algorithms for temporal difference learning", 1996; the exponential window is Skoulakis', 2010.

use serde::{Deserialize, Serialize};

use super::least_squares;

/// No term is worth more than this many wins: what LSTD makes of a system that has no better answer.
const LIMIT: f64 = 5.0;

/// What one move of the learner taught: the terms before it, and after it and the reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The terms where the learner was to move.
    pub before: Vec<f64>,
    /// What was won on the way, from the learner: 0 unless the game ended.
    pub reward: f64,
    /// The terms where the learner is to move again; none if the game ended.
    pub after: Option<Vec<f64>>,
}

/// How weights follow from transitions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Method {
    /// A step towards the next value after every move.
    Td {
        /// The length of the step.
        rate: f64,
    },
    /// The same for all moves of the game so far, the latest most.
    TdLambda {
        /// The length of the step.
        rate: f64,
        /// How the share of earlier moves fades, 0 to 1.
        lambda: f64,
    },
    /// The weights that satisfy all transitions best, from time to time.
    Lstd {
        /// The share of the past that each period keeps: 1 without a window.
        keep: f64,
        /// Added to the diagonal of the system.
        ridge: f64,
    },
}

/// How a learner learns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// The method.
    pub method: Method,
    /// What a value is worth one move later, slightly below 1.
    pub discount: f64,
    /// Moves between two solutions of LSTD, and between two entries of the log.
    pub period: usize,
}

/// A parameter outside its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}, not {range}")]
pub struct CourseError {
    name: &'static str,
    value: f64,
    range: &'static str,
}

impl CourseError {
    /// Refuses the value of a parameter.
    pub fn new(name: &'static str, value: f64, range: &'static str) -> CourseError {
        CourseError { name, value, range }
    }
}

/// Refuses numbers that are not as many as others.
pub(crate) fn same_length(name: &'static str, found: &[f64], wanted: &[f64]) -> Result<(), CourseError> {
    let refused = || Err(CourseError::new(name, found.len() as f64, "that of the weights"));
    if found.len() == wanted.len() { Ok(()) } else { refused() }
}

impl Course {
    /// Refuses parameters outside their ranges.
    pub fn check(&self) -> Result<(), CourseError> {
        let check = |name, value: f64, fits: bool, range| {
            if fits && value.is_finite() { Ok(()) } else { Err(CourseError { name, value, range }) }
        };
        let share = |name, value: f64| check(name, value, (0.0..=1.0).contains(&value), "in 0..=1");
        share("the discount", self.discount)?;
        check("the period", self.period as f64, self.period > 0, "at least 1")?;
        let step = |rate: f64| check("the rate", rate, rate > 0.0 && rate <= 1.0, "above 0 and at most 1");
        match self.method {
            Method::Td { rate } => step(rate),
            Method::TdLambda { rate, lambda } => step(rate).and(share("lambda", lambda)),
            Method::Lstd { keep, ridge } => {
                share("the share to keep", keep).and(check("the ridge", ridge, ridge >= 0.0, "at least 0"))
            }
        }
    }
}

/// A linear value function and what it needs to improve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Learner {
    /// How it learns.
    pub course: Course,
    /// The weights as they are now.
    pub weights: Vec<f64>,
    /// How much each weight shared in the moves of this game so far, for TD(lambda).
    trace: Vec<f64>,
    /// The system of LSTD, row by row, and its right side.
    matrix: Vec<f64>,
    right: Vec<f64>,
    /// The moves learned from.
    pub moves: usize,
}

impl Learner {
    /// A learner that begins with these weights.
    pub fn new(course: Course, weights: Vec<f64>) -> Learner {
        let n = weights.len();
        let size = if matches!(course.method, Method::Lstd { .. }) { n } else { 0 };
        Learner {
            course,
            weights,
            trace: vec![0.0; n],
            matrix: vec![0.0; size * size],
            right: vec![0.0; size],
            moves: 0,
        }
    }

    /// Refuses what cannot be gone on with: parameters out of their ranges, numbers that belong to other weights.
    pub fn check(&self) -> Result<(), CourseError> {
        self.course.check()?;
        let fresh = Learner::new(self.course, self.weights.clone());
        let sizes = [
            ("the length of the trace", &self.trace, &fresh.trace),
            ("the length of the matrix", &self.matrix, &fresh.matrix),
            ("the length of the right side", &self.right, &fresh.right),
        ];
        sizes.into_iter().try_for_each(|(name, found, wanted)| same_length(name, found, wanted))
    }

    /// Begins a game.
    pub fn begin(&mut self) {
        self.trace.fill(0.0);
    }

    /// Learns from a move; true if the weights changed.
    pub fn observe(&mut self, transition: &Transition) -> bool {
        self.moves += 1;
        match self.course.method {
            Method::Td { rate } => self.step(transition, rate, 0.0),
            Method::TdLambda { rate, lambda } => self.step(transition, rate, lambda),
            Method::Lstd { keep, ridge } => {
                self.gather(transition);
                if !self.ends_period() {
                    return false;
                }
                self.solve(keep, ridge);
            }
        }
        true
    }

    /// Whether the last move was the last of its period.
    pub fn ends_period(&self) -> bool {
        self.moves.is_multiple_of(self.course.period)
    }

    fn value(&self, terms: &[f64]) -> f64 {
        self.weights.iter().zip(terms).fold(0.0, |sum, (w, x)| sum + w * x)
    }

    fn step(&mut self, t: &Transition, rate: f64, lambda: f64) {
        let next = t.after.as_ref().map_or(0.0, |after| self.course.discount * self.value(after));
        // The next value knows more than this one: learn from the difference before the game is over.
        let surprise = t.reward + next - self.value(&t.before);
        let fade = self.course.discount * lambda;
        for ((w, share), x) in self.weights.iter_mut().zip(&mut self.trace).zip(&t.before) {
            // Eligibility trace: earlier moves share the credit, which fades with lambda.
            *share = fade * *share + x;
            *w += rate * surprise * *share;
        }
    }

    fn gather(&mut self, t: &Transition) {
        let n = self.weights.len();
        // At the fixed point of TD the surprise is uncorrelated with the terms: a linear system, which LSTD sums up.
        let change: Vec<f64> = match &t.after {
            None => t.before.clone(),
            Some(after) => t.before.iter().zip(after).map(|(x, y)| x - self.course.discount * y).collect(),
        };
        for (row, x) in self.matrix.chunks_mut(n).zip(&t.before).filter(|(_, x)| **x != 0.0) {
            row.iter_mut().zip(&change).for_each(|(cell, c)| *cell += x * c);
        }
        self.right.iter_mut().zip(&t.before).for_each(|(cell, x)| *cell += x * t.reward);
    }

    /// Finds the weights of the period; a hopeless system leaves them as they were. Then the past fades.
    fn solve(&mut self, keep: f64, ridge: f64) {
        if let Some(weights) = least_squares::solve(&self.matrix, &self.right, ridge, LIMIT) {
            self.weights = weights;
        }
        self.matrix.iter_mut().chain(&mut self.right).for_each(|cell| *cell *= keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Boyan's chain of states 0, 1, 2: each leads to the next, the last pays 1. With discount 1 all are worth 1.
    fn chain() -> Vec<Transition> {
        let state = |i: usize| -> Vec<f64> { (0..3).map(|j| if i == j { 1.0 } else { 0.0 }).collect() };
        let step = |i: usize| Transition { before: state(i), reward: 0.0, after: Some(state(i + 1)) };
        vec![step(0), step(1), Transition { before: state(2), reward: 1.0, after: None }]
    }

    fn learned(method: Method, discount: f64, games: usize) -> Vec<f64> {
        let mut learner = Learner::new(Course { method, discount, period: 3 }, vec![0.0; 3]);
        for _ in 0..games {
            learner.begin();
            for transition in chain() {
                learner.observe(&transition);
            }
        }
        learner.weights
    }

    fn close(found: &[f64], wanted: [f64; 3]) -> bool {
        found.iter().zip(wanted).all(|(f, w)| (f - w).abs() < 1e-3)
    }

    #[test]
    fn every_method_finds_the_values_of_a_chain() {
        let values = [0.81, 0.9, 1.0];
        assert!(close(&learned(Method::Td { rate: 0.1 }, 0.9, 500), values));
        assert!(close(&learned(Method::TdLambda { rate: 0.1, lambda: 0.7 }, 0.9, 500), values));
        assert!(close(&learned(Method::Lstd { keep: 1.0, ridge: 0.0 }, 0.9, 1), values));
        assert!(close(&learned(Method::Lstd { keep: 0.5, ridge: 1e-6 }, 0.9, 5), values));
    }

    /// Sutton's random walk: five states in a row, each step left or right by a fair coin, the ends pay -1 and 1.
    #[test]
    fn every_method_finds_the_values_of_a_random_walk() {
        let state = |i: i32| -> Vec<f64> { (0..5).map(|j| f64::from(u8::from(i == j))).collect() };
        let walk = |method| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
            let mut learner = Learner::new(Course { method, discount: 1.0, period: 50 }, vec![0.0; 5]);
            for _ in 0..5000 {
                learner.begin();
                let mut at = 2;
                while (0..5).contains(&at) {
                    let next = if random.random::<bool>() { at + 1 } else { at - 1 };
                    let reward =
                        [(-1, -1.0), (5, 1.0)].iter().find(|end| end.0 == next).map_or(0.0, |end| end.1);
                    let after = (0..5).contains(&next).then(|| state(next));
                    learner.observe(&Transition { before: state(at), reward, after });
                    at = next;
                }
            }
            learner.weights
        };
        for (method, doubt) in [
            (Method::Lstd { keep: 1.0, ridge: 0.0 }, 0.04),
            (Method::Lstd { keep: 0.99, ridge: 1e-3 }, 0.12),
            (Method::Td { rate: 0.01 }, 0.12),
            (Method::TdLambda { rate: 0.005, lambda: 0.7 }, 0.12),
        ] {
            let found = walk(method);
            for (value, wanted) in found.iter().zip([-2.0, -1.0, 0.0, 1.0, 2.0]) {
                assert!((value - wanted / 3.0).abs() < doubt, "{method:?}: {found:?}");
            }
        }
    }

    #[test]
    fn traces_reach_back_within_one_game() {
        let after_one = learned(Method::TdLambda { rate: 0.1, lambda: 1.0 }, 1.0, 1);
        assert!(after_one.iter().all(|w| (w - 0.1).abs() < 1e-12), "{after_one:?}");
        assert_eq!(learned(Method::Td { rate: 0.1 }, 1.0, 1), [0.0, 0.0, 0.1]);
    }

    #[test]
    fn a_window_forgets() {
        let course = |keep| Course { method: Method::Lstd { keep, ridge: 0.0 }, discount: 1.0, period: 1 };
        let last = |keep| {
            let mut learner = Learner::new(course(keep), vec![0.0]);
            for reward in [1.0, 1.0, -1.0] {
                learner.observe(&Transition { before: vec![1.0], reward, after: None });
            }
            learner.weights[0]
        };
        assert!((last(1.0) - 1.0 / 3.0).abs() < 1e-12);
        assert!(last(0.25) < -0.4);
    }

    #[test]
    fn parameters_out_of_range_are_refused_by_name() {
        let why =
            |method, discount, period| Course { method, discount, period }.check().unwrap_err().to_string();
        let td = |rate| Method::Td { rate };
        assert_eq!(why(td(0.0), 0.9, 1), "the rate is 0, not above 0 and at most 1");
        assert_eq!(why(td(f64::NAN), 0.9, 1), "the rate is NaN, not above 0 and at most 1");
        assert_eq!(why(td(0.1), 1.5, 1), "the discount is 1.5, not in 0..=1");
        assert_eq!(why(td(0.1), 0.9, 0), "the period is 0, not at least 1");
        assert_eq!(
            why(Method::Lstd { keep: 2.0, ridge: 0.0 }, 0.9, 1),
            "the share to keep is 2, not in 0..=1"
        );
    }
}
