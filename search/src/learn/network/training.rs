//! A training: passes over shuffled positions, taken up where it was left.

use xxhash_rust::xxh3::Xxh3;

use super::gradient::{Gradient, Target};
use super::{Lessons, Weights};
use crate::Random;
use crate::learn::{Adam, Checkpoint};
use crate::network::{Inputs, OUTPUT_LIMIT, OUTPUT_UNIT, UNIT, input_limit};

/// The last step's part of the first one's rate.
const LAST_RATE: f32 = 0.01;

/// How a network is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Hidden units of each side.
    pub hidden: usize,
    /// Passes over all positions.
    pub passes: usize,
    /// Positions between two steps.
    pub batch: usize,
    /// How far the first steps go.
    pub rate: f32,
    /// By what part, times the rate, numbers shrink with every step.
    pub decay: f32,
    /// The share of the game's result in the target; the rest is the search's score.
    pub result: f32,
    /// Points of value at which the odds of winning are e to 1.
    pub scale: u16,
    /// Of all random numbers.
    pub seed: u64,
    /// Threads.
    pub workers: usize,
}

/// A plan that cannot be carried out, or was not.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// A number out of range.
    #[error("the {name} is {value}, not {wanted}")]
    Range {
        /// What it is called.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it should be.
        wanted: &'static str,
    },
    /// There is nothing to learn from.
    #[error("there are no positions to learn from")]
    Empty,
    /// The numbers have grown beyond all bounds.
    #[error("the training diverged in pass {0}; try a lower rate")]
    Diverged(usize),
    /// A file that holds no state of this training.
    #[error("it is no checkpoint of this training")]
    Foreign,
}

impl Plan {
    /// Refuses numbers that make no sense.
    pub fn check(&self) -> Result<(), PlanError> {
        let refuse = |name, value, wanted| Err(PlanError::Range { name, value, wanted });
        match self {
            Plan { hidden, .. } if !(1..=4096).contains(hidden) => {
                refuse("number of hidden units", *hidden as f64, "1 to 4096")
            }
            Plan { batch: 0, .. } => refuse("batch", 0.0, "at least 1"),
            Plan { scale: 0, .. } => refuse("scale", 0.0, "at least 1"),
            Plan { workers: 0, .. } => refuse("number of threads", 0.0, "at least 1"),
            Plan { rate, .. } if !(*rate > 0.0 && rate.is_finite()) => {
                refuse("rate", f64::from(*rate), "above 0")
            }
            Plan { decay, .. } if !(0.0..=10.0).contains(decay) => {
                refuse("decay", f64::from(*decay), "0 to 10")
            }
            Plan { result, .. } if !(0.0..=1.0).contains(result) => {
                refuse("share of the result", f64::from(*result), "0 to 1")
            }
            _ => Ok(()),
        }
    }

    /// What is to be predicted.
    pub fn target(&self) -> Target {
        Target { result: self.result, scale: f32::from(self.scale) }
    }
}

/// A network on its way.
pub struct Training<'a> {
    plan: Plan,
    lessons: &'a Lessons,
    /// What tells this training from others.
    name: u64,
    limits: [f32; 2],
    /// The network.
    pub weights: Weights,
    adam: Adam,
    /// The mean squared errors of each pass, in the positions learned from and in others.
    pub losses: Vec<[f64; 2]>,
}

impl<'a> Training<'a> {
    /// A training that has not begun.
    pub fn new<I: Inputs>(plan: Plan, lessons: &'a Lessons) -> Result<Self, PlanError> {
        plan.check()?;
        if lessons.is_empty() {
            return Err(PlanError::Empty);
        }
        let weights = Weights::random::<I>(plan.hidden, plan.seed);
        let adam = Adam::new(weights.count());
        let units = f32::from(UNIT);
        let limits =
            [f32::from(input_limit::<I>()) / units, f32::from(OUTPUT_LIMIT) / f32::from(OUTPUT_UNIT)];
        let mut name = Xxh3::new();
        name.update(format!("{} {plan:?}", I::NAME).as_bytes());
        lessons.digest(&mut name);
        Ok(Training { plan, lessons, name: name.digest(), limits, weights, adam, losses: Vec::new() })
    }

    /// Whether all passes are done.
    pub fn is_done(&self) -> bool {
        self.losses.len() >= self.plan.passes
    }

    /// Learns from every position once and notes how wrong the network is, also about others; `note` hears of the
    /// positions as they are done.
    pub fn pass(&mut self, others: &Lessons, mut note: impl FnMut(usize)) -> Result<(), PlanError> {
        let order = self.order();
        let Plan { batch, workers, .. } = self.plan;
        let (target, last) = (self.plan.target(), self.plan.passes as f32 * order.len() as f32);
        let mut gradients = vec![Gradient::new(&self.weights); workers];
        let (mut done, mut loss) = (self.losses.len() as f32 * order.len() as f32, 0.0);
        for positions in order.chunks(batch) {
            self.gather(&mut gradients, positions, target);
            let (sum, others) = gradients.split_first_mut().expect("there is at least one worker");
            for other in others {
                sum.loss += other.loss;
                sum.numbers.iter_mut().zip(&other.numbers).for_each(|(sum, number)| *sum += number);
            }
            let part = 1.0 / positions.len() as f32;
            sum.numbers.iter_mut().for_each(|number| *number *= part);
            // From the first rate to the last along half a wave.
            let wave = 0.5 + 0.5 * libm::cosf(std::f32::consts::PI * done / last);
            let rate = self.plan.rate * (LAST_RATE + (1.0 - LAST_RATE) * wave);
            let [_, _, outputs, last] = self.weights.starts();
            let [first, second] = self.limits;
            let parts =
                [(0..outputs, first), (outputs..last, second), (last..self.weights.count(), f32::MAX)];
            self.adam.step(&mut self.weights.numbers, &sum.numbers, [rate, self.plan.decay], &parts);
            loss += sum.loss;
            done += positions.len() as f32;
            note(positions.len());
        }
        let losses = [loss / order.len() as f64, self.loss(others)];
        if !losses[0].is_finite() || self.weights.numbers.iter().any(|number| !number.is_finite()) {
            return Err(PlanError::Diverged(self.losses.len() + 1));
        }
        self.losses.push(losses);
        Ok(())
    }

    /// The order of the positions in this pass.
    fn order(&self) -> Vec<u32> {
        let mut random = Random::new(self.plan.seed.wrapping_add(1 + self.losses.len() as u64));
        let mut order: Vec<u32> = (0..self.lessons.len() as u32).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i as u32 + 1) as usize);
        }
        order
    }

    /// The gradients of some positions, an equal part from each worker.
    fn gather(&self, gradients: &mut [Gradient], positions: &[u32], target: Target) {
        let part = positions.len().div_ceil(gradients.len());
        let mut parts = positions.chunks(part);
        std::thread::scope(|scope| {
            for gradient in gradients {
                let positions = parts.next().unwrap_or_default();
                scope.spawn(move || {
                    gradient.clear();
                    for &index in positions {
                        gradient.learn(&self.weights, target, self.lessons, index as usize);
                    }
                });
            }
        });
    }

    /// How wrong the network is about some positions on average.
    pub fn loss(&self, lessons: &Lessons) -> f64 {
        let target = self.plan.target();
        let mut gradient = Gradient::new(&self.weights);
        let errors = (0..lessons.len()).map(|index| {
            let lesson = lessons.get(index);
            let chance = super::gradient::sigmoid(gradient.value(&self.weights, lessons, index));
            f64::from(chance - target.of(lesson.result, lesson.score)).powi(2)
        });
        errors.sum::<f64>() / lessons.len().max(1) as f64
    }

    /// The state as bytes.
    pub fn write(&self) -> Vec<u8> {
        Checkpoint::write(self.name, &self.weights.numbers, &self.adam, self.losses.as_flattened(), 2)
    }

    /// Goes on from a state that was written.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<(), PlanError> {
        let found = Checkpoint::read(Some(self.name), self.weights.count(), 2, bytes);
        let Checkpoint { numbers, adam, losses } = found.ok_or(PlanError::Foreign)?;
        (self.weights.numbers, self.adam) = (numbers, adam);
        self.losses = losses.as_chunks().0.to_vec();
        Ok(())
    }
}
