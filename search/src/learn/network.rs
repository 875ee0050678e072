//! How a network learns from games: sparse inputs in minibatches, Adam, and whole numbers at the end.
//!
//! | question | file |
//! |---|---|
//! | what is learned from a game? | `lessons.rs` |
//! | how wrong is the network, and in which direction? | `gradient.rs` |
//! | how does a training proceed, and how is it resumed? | `training.rs` |
//! | what becomes of its numbers in the engine? | `quantise.rs` |

pub mod gradient;
pub mod lessons;
pub mod quantise;
pub mod training;

use crate::Random;
use crate::network::Inputs;

pub use lessons::{Lessons, Pupil};
pub use quantise::Agreement;
pub use training::{Plan, PlanError, Training};

/// The numbers of a network while it learns; 1 is a full hidden unit, and 1 more of the value makes the odds e times
/// better. They lie one after the other: the rows of the inputs, the biases of the hidden units, the second layers,
/// their biases.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The number of hidden units of each side.
    pub hidden: usize,
    /// The number of inputs.
    pub inputs: usize,
    /// The number of second layers.
    pub buckets: usize,
    /// All numbers.
    pub numbers: Vec<f32>,
}

impl Weights {
    /// Small random numbers, the same for the same seed.
    pub fn random<I: Inputs>(hidden: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut weights = Weights { hidden, inputs: I::COUNT, buckets: I::BUCKETS, numbers: Vec::new() };
        weights.numbers = vec![0.0; weights.count()];
        // The spread that keeps sums of as many inputs as are on near 1.
        let [rows, biases, outputs, _] = weights.starts();
        let mut spread = |numbers: &mut [f32], terms: usize| {
            let width = libm::sqrtf(1.0 / terms as f32);
            numbers.iter_mut().for_each(|number| *number = (2.0 * random.unit() - 1.0) * width);
        };
        spread(&mut weights.numbers[rows..biases], I::MOST);
        let last = weights.starts()[3];
        spread(&mut weights.numbers[outputs..last], 2 * hidden);
        weights
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.starts()[3] + self.buckets
    }

    /// Where the rows, the biases, the second layers and their biases begin.
    pub fn starts(&self) -> [usize; 4] {
        let biases = self.inputs * self.hidden;
        let outputs = biases + self.hidden;
        [0, biases, outputs, outputs + 2 * self.hidden * self.buckets]
    }
}

#[cfg(test)]
mod tests {
    use super::gradient::{Gradient, Target};
    use super::*;
    use crate::learn::Played;
    use crate::testing::network::Bits;
    use crate::testing::{Pile, Size};
    use crate::{Game, Side};

    const TARGET: Target = Target { result: 0.4, scale: 200.0 };

    /// Random piles with what a perfect player knows of them.
    fn lessons(count: usize, seed: u64) -> Lessons {
        let mut random = Random::new(seed);
        let mut lessons = Lessons::default();
        for _ in 0..count {
            let turn = if random.below(2) == 0 { Side::White } else { Side::Black };
            let position = Pile { left: random.below(64) as u8, turn };
            let won = !position.left.is_multiple_of(4);
            lessons.push::<Bits>(&position, f32::from(u8::from(won)), if won { 300 } else { -300 });
        }
        lessons
    }

    fn plan() -> Plan {
        Plan {
            hidden: 8,
            passes: 6,
            batch: 64,
            rate: 0.02,
            decay: 0.0,
            result: 0.4,
            scale: 200,
            seed: 3,
            workers: 1,
        }
    }

    fn trained<'a>(plan: Plan, lessons: &'a Lessons) -> Training<'a> {
        let mut training = Training::new::<Bits>(plan, lessons).unwrap();
        while !training.is_done() {
            training.pass(lessons, |_| ()).unwrap();
        }
        training
    }

    #[test]
    fn derivatives_are_those_of_small_changes() {
        let lessons = lessons(20, 1);
        let mut weights = Weights::random::<Bits>(4, 2);
        let gather = |weights: &Weights| {
            let mut gradient = Gradient::new(weights);
            (0..lessons.len()).for_each(|index| gradient.learn(weights, TARGET, &lessons, index));
            gradient
        };
        let found = gather(&weights).numbers;
        for (number, &found) in found.iter().enumerate() {
            let change = 1e-3;
            weights.numbers[number] += change;
            let above = gather(&weights).loss;
            weights.numbers[number] -= 2.0 * change;
            let below = gather(&weights).loss;
            weights.numbers[number] += change;
            let slope = (above - below) / f64::from(2.0 * change);
            assert!((slope - f64::from(found)).abs() < 2e-3, "{number}: {slope}, {found}");
        }
    }

    #[test]
    fn a_network_learns_what_is_no_weighted_sum() {
        let lessons = lessons(4000, 1);
        let plan = Plan { passes: 30, ..plan() };
        let training = trained(plan.clone(), &lessons);
        let [first, last] = [training.losses[0][0], training.losses[29][1]];
        assert!(last < first / 20.0 && last < 0.003, "{first} {last}");
        let network = training.weights.network::<Bits>(plan.scale);
        let Agreement { losses: [before, after], difference, .. } =
            Agreement::of(&training.weights, &network, plan.target(), &lessons);
        assert!((before - last).abs() < 1e-6 && (after - before).abs() < 1e-3 && difference < 10.0);
    }

    #[test]
    fn a_training_goes_on_exactly_where_it_was_left() {
        let lessons = lessons(500, 1);
        let whole = trained(plan(), &lessons);
        let again = trained(plan(), &lessons);
        assert_eq!(whole.weights, again.weights, "one worker repeats itself");
        let mut begun = Training::new::<Bits>(plan(), &lessons).unwrap();
        (0..2).for_each(|_| begun.pass(&lessons, |_| ()).unwrap());
        let state = begun.write();
        let mut resumed = Training::new::<Bits>(plan(), &lessons).unwrap();
        resumed.resume(&state).unwrap();
        assert_eq!(resumed.losses.len(), 2);
        while !resumed.is_done() {
            resumed.pass(&lessons, |_| ()).unwrap();
        }
        assert_eq!(resumed.write(), whole.write());
        // Neither other positions nor another plan, nor a damaged state.
        let other = self::lessons(500, 2);
        let plans = [(plan(), &other), (Plan { rate: 0.01, ..plan() }, &lessons)];
        for (plan, lessons) in plans {
            let mut training = Training::new::<Bits>(plan, lessons).unwrap();
            assert_eq!(training.resume(&state), Err(PlanError::Foreign));
        }
        for end in 0..state.len() {
            assert_eq!(begun.resume(&state[..end]), Err(PlanError::Foreign));
        }
    }

    #[test]
    fn numbers_that_nothing_holds_shrink() {
        let lessons = lessons(500, 1);
        let size = |decay| -> f32 {
            let training = trained(Plan { decay, ..plan() }, &lessons);
            training.weights.numbers.iter().map(|number| number * number).sum()
        };
        assert!(size(1.0) < 0.9 * size(0.0));
    }

    #[test]
    fn workers_share_the_positions_of_a_step() {
        let lessons = lessons(500, 1);
        let [one, two] = [1, 3].map(|workers| trained(Plan { workers, ..plan() }, &lessons).losses);
        for (one, two) in one.iter().flatten().zip(two.iter().flatten()) {
            assert!((one - two).abs() < 0.01, "{one} {two}");
        }
    }

    #[test]
    fn what_cannot_be_trained_is_refused_by_name() {
        let lessons = lessons(10, 1);
        let why = |plan| Training::new::<Bits>(plan, &lessons).err().unwrap().to_string();
        assert_eq!(why(Plan { hidden: 0, ..plan() }), "the number of hidden units is 0, not 1 to 4096");
        assert_eq!(why(Plan { rate: f32::NAN, ..plan() }), "the rate is NaN, not above 0");
        assert_eq!(why(Plan { decay: -1.0, ..plan() }), "the decay is -1, not 0 to 10");
        assert_eq!(why(Plan { result: 2.0, ..plan() }), "the share of the result is 2, not 0 to 1");
        assert_eq!(Training::new::<Bits>(plan(), &Lessons::default()).err(), Some(PlanError::Empty));
        let mut training = Training::new::<Bits>(plan(), &lessons).unwrap();
        training.weights.numbers[0] = f32::NAN;
        assert_eq!(training.pass(&lessons, |_| ()), Err(PlanError::Diverged(1)));
    }

    #[test]
    fn only_quiet_open_positions_behind_the_opening_teach() {
        let rules = Size(40);
        let turns =
            vec![(1, Some(10)), (1, Some(20)), (3, Some(30)), (2, Some(1000)), (2, None), (1, Some(40))];
        let game =
            Played { seed: 1, start: Pile::start(&rules), turns, winner: Some(Side::Black), study: None };
        let lessons = Lessons::of::<Bits>(&game);
        let told: Vec<_> =
            (0..lessons.len()).map(|i| (lessons.get(i).score, lessons.get(i).result)).collect();
        assert_eq!(told, [(20, 1.0), (40, 1.0)]);
        assert_eq!(lessons.get(0).inputs[0], [0, 1, 2, 5], "39 as its mover sees it");
        let mut twice = lessons.clone();
        twice.append(&lessons);
        assert_eq!(twice.get(3).inputs, lessons.get(1).inputs);
    }

    #[test]
    fn the_scale_is_the_one_that_explains_the_results() {
        let mut lessons = Lessons::default();
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let score = random.below(1000) as i16 - 500;
            let won = random.unit() < gradient::sigmoid(f32::from(score) / 150.0);
            lessons.push::<Bits>(&Pile { left: 7, turn: Side::White }, f32::from(u8::from(won)), score);
        }
        assert!((140..160).contains(&lessons.scale()), "{}", lessons.scale());
    }
}
