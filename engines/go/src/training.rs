//! How a network learns from studied games.
//!
//! | question | file |
//! |---|---|
//! | what is learned from a game? | `lessons.rs` |
//! | how wrong is the network? | `losses.rs` |
//! | in which direction is it wrong? | `gradient.rs`, `products.rs` |
//! | which numbers does it have, and which in the engine? | `weights.rs` |
//! | how does a training proceed, and how is it resumed? | [`Training`], here |

mod gradient;
mod lessons;
mod losses;
mod products;
mod weights;

use search::learn::network::PlanError;
use search::learn::{Adam, Checkpoint, checkpoint};
use search::{Random, zobrist};

pub use gradient::Gradient;
pub use lessons::{Lesson, lessons};
pub use losses::{NAMES, PARTS, whole};
pub use weights::Weights;

use crate::network::{Network, Shape, Workspace};
use gradient::Prepared;

/// The last step's part of the first one's rate.
const LAST_RATE: f32 = 0.05;
/// No number becomes larger: the layers must fit whole numbers.
const LARGEST: f32 = 8.0;
/// A gradient longer than this, per position, is shortened.
const LONGEST: f32 = 4.0;

/// How a network is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Its layers.
    pub shape: Shape,
    /// Passes over all positions.
    pub passes: usize,
    /// Positions between two steps.
    pub batch: usize,
    /// How far the first steps go.
    pub rate: f32,
    /// By what part, times the rate, every number shrinks in a step.
    pub decay: f32,
    /// The share of the game's result in what is to be said of the win; the rest is what the search said.
    pub result: f32,
    /// Of all random numbers.
    pub seed: u64,
    /// Threads.
    pub workers: usize,
}

impl Plan {
    /// Refuses numbers that make no sense.
    pub fn check(&self) -> Result<(), PlanError> {
        let refuse =
            |name, value: f32, wanted| Err(PlanError::Range { name, value: f64::from(value), wanted });
        match *self {
            Plan { batch: 0, .. } => refuse("batch", 0.0, "at least 1"),
            Plan { workers: 0, .. } => refuse("number of threads", 0.0, "at least 1"),
            Plan { rate, .. } if !(rate > 0.0 && rate.is_finite()) => refuse("rate", rate, "above 0"),
            Plan { decay, .. } if !(0.0..=10.0).contains(&decay) => refuse("decay", decay, "0 to 10"),
            Plan { result, .. } if !(0.0..=1.0).contains(&result) => {
                refuse("share of the result", result, "0 to 1")
            }
            _ => Ok(()),
        }
    }
}

/// A network on its way.
pub struct Training<'a> {
    plan: Plan,
    lessons: &'a [Lesson],
    /// What tells this training from others.
    name: u64,
    /// The network.
    pub weights: Weights,
    adam: Adam,
    /// The parts of the loss in each pass, in the positions learned from and in others.
    pub losses: Vec<[[f64; PARTS]; 2]>,
}

impl<'a> Training<'a> {
    /// A training that has not begun, from random numbers or from those where another training, given as its state,
    /// ended.
    pub fn new(plan: Plan, lessons: &'a [Lesson], from: Option<&[u8]>) -> Result<Self, PlanError> {
        plan.check()?;
        if lessons.is_empty() {
            return Err(PlanError::Empty);
        }
        let mut weights = Weights::random(plan.shape, plan.seed);
        let count = weights.numbers.len();
        if let Some(bytes) = from {
            let found = Checkpoint::read(None, count, 2 * PARTS, bytes);
            weights.numbers = found.ok_or(PlanError::Foreign)?.numbers;
        }
        let begun = format!("{plan:?}");
        let digest = |lesson: &Lesson| checkpoint::name([lesson.digest().as_slice()]).to_le_bytes();
        let digests: Vec<[u8; 8]> = lessons.iter().map(digest).collect();
        let name = checkpoint::name([begun.as_bytes(), from.unwrap_or_default(), digests.as_flattened()]);
        Ok(Training { plan, lessons, name, weights, adam: Adam::new(count), losses: Vec::new() })
    }

    /// Whether all passes are done.
    pub fn is_done(&self) -> bool {
        self.losses.len() >= self.plan.passes
    }

    /// Learns from every position once, each turned or mirrored by lot, and notes how wrong the network is, also about
    /// others; `note` hears of the positions as they are done.
    pub fn pass(&mut self, others: &[Lesson], mut note: impl FnMut(usize)) -> Result<(), PlanError> {
        let pass = self.losses.len();
        let order = self.order(pass);
        let mut gradients = vec![Gradient::new(&self.weights); self.plan.workers];
        let (mut done, mut losses) = (0, [0.0; PARTS]);
        for batch in order.chunks(self.plan.batch) {
            self.gather(&mut gradients, pass, batch);
            let (sum, others) = gradients.split_first_mut().expect("there is at least one worker");
            for other in others {
                sum.losses.iter_mut().zip(other.losses).for_each(|(sum, loss)| *sum += loss);
                sum.numbers.iter_mut().zip(&other.numbers).for_each(|(sum, number)| *sum += number);
            }
            losses.iter_mut().zip(sum.losses).for_each(|(sum, loss)| *sum += loss);
            let part = (pass * order.len() + done) as f32 / (self.plan.passes * order.len()) as f32;
            self.step(&mut sum.numbers, batch.len(), part);
            done += batch.len();
            note(batch.len());
        }
        let own = losses.map(|loss| loss / order.len() as f64);
        let losses = [own, self.losses_of(others)];
        if own.iter().any(|loss| !loss.is_finite()) || self.weights.numbers.iter().any(|n| !n.is_finite()) {
            return Err(PlanError::Diverged(pass + 1));
        }
        self.losses.push(losses);
        Ok(())
    }

    /// A step against a gradient, of so many positions, after this part of the training.
    fn step(&mut self, gradient: &mut [f32], positions: usize, part: f32) {
        let length = gradient.iter().map(|slope| slope * slope).sum::<f32>().sqrt() / positions as f32;
        let factor = (LONGEST / length).min(1.0) / positions as f32;
        gradient.iter_mut().for_each(|slope| *slope *= factor);
        // From the first rate to the last along half a wave.
        let wave = 0.5 + 0.5 * libm::cosf(std::f32::consts::PI * part);
        let rate = self.plan.rate * (LAST_RATE + (1.0 - LAST_RATE) * wave);
        let all = 0..gradient.len();
        self.adam.step(&mut self.weights.numbers, gradient, [rate, self.plan.decay], &[(all, LARGEST)]);
    }

    /// The order of the positions in a pass.
    fn order(&self, pass: usize) -> Vec<u32> {
        let mut random = Random::new(self.plan.seed.wrapping_add(1 + pass as u64));
        let mut order: Vec<u32> = (0..self.lessons.len() as u32).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i as u32 + 1) as usize);
        }
        order
    }

    /// The gradients of some positions, an equal part from each worker.
    fn gather(&self, gradients: &mut [Gradient], pass: usize, positions: &[u32]) {
        let prepared = &Prepared::new(&self.weights);
        let mut parts = positions.chunks(positions.len().div_ceil(gradients.len()));
        let lot = zobrist::mix(self.plan.seed.wrapping_add(pass as u64));
        std::thread::scope(|scope| {
            for gradient in gradients {
                let positions = parts.next().unwrap_or_default();
                let learn = move || {
                    gradient.clear();
                    for &index in positions {
                        let symmetry = zobrist::mix(lot ^ u64::from(index)) as usize % 8;
                        let lesson = self.lessons[index as usize].turned(symmetry);
                        gradient.learn(prepared, &lesson, self.plan.result);
                    }
                };
                scope.spawn(learn);
            }
        });
    }

    /// How wrong the network is about some positions on average.
    fn losses_of(&self, lessons: &[Lesson]) -> [f64; PARTS] {
        let mut gradient = Gradient::new(&self.weights);
        self.mean(lessons, |lesson| gradient.judge(&self.weights, &lesson.view))
    }

    fn mean(
        &self,
        lessons: &[Lesson],
        mut judge: impl FnMut(&Lesson) -> crate::network::Judgement,
    ) -> [f64; PARTS] {
        let mut sums = [0.0; PARTS];
        for lesson in lessons {
            let (parts, _) = losses::losses(&judge(lesson), lesson, self.plan.result);
            sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part / lessons.len() as f64);
        }
        sums
    }

    /// How well a network of whole numbers agrees with this one on some positions.
    pub fn agreement(&self, network: &Network, lessons: &[Lesson]) -> Agreement {
        let (mut gradient, mut work) = (Gradient::new(&self.weights), Workspace::default());
        let mut found = Agreement { losses: [self.losses_of(lessons), [0.0; PARTS]], ..Agreement::default() };
        found.losses[1] = self.mean(lessons, |lesson| network.judge(&lesson.view, &mut work));
        let best = |stones: &[f32]| (0..stones.len()).max_by(|&a, &b| stones[a].total_cmp(&stones[b]));
        for lesson in lessons {
            let learned = gradient.judge(&self.weights, &lesson.view);
            let whole = network.judge(&lesson.view, &mut work);
            let same = best(&learned.stones) == best(&whole.stones);
            found.same += f64::from(u8::from(same)) / lessons.len() as f64;
            found.difference = found.difference.max((learned.win - whole.win).abs());
        }
        found
    }

    /// The state as bytes.
    pub fn write(&self) -> Vec<u8> {
        let losses = self.losses.as_flattened().as_flattened();
        Checkpoint::write(self.name, &self.weights.numbers, &self.adam, losses, 2 * PARTS)
    }

    /// Goes on from a state that was written.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<(), PlanError> {
        let found = Checkpoint::read(Some(self.name), self.weights.numbers.len(), 2 * PARTS, bytes);
        let Checkpoint { numbers, adam, losses } = found.ok_or(PlanError::Foreign)?;
        (self.weights.numbers, self.adam) = (numbers, adam);
        self.losses = losses.as_chunks().0.as_chunks().0.to_vec();
        Ok(())
    }
}

/// How well two forms of a network agree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// The parts of the loss of the numbers that were learned and of the whole ones.
    pub losses: [[f64; PARTS]; 2],
    /// In which share of the positions both find the same stone the best.
    pub same: f64,
    /// The largest difference of their probabilities to win.
    pub difference: f32,
}

#[cfg(test)]
mod tests;
