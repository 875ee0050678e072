//! From the numbers that were learned to the whole numbers that engines use, and how well the two agree.

use super::gradient::{Gradient, Target, sigmoid};
use super::{Lessons, Weights};
use crate::network::{Inputs, Network, OUTPUT_LIMIT, OUTPUT_UNIT, UNIT, input_limit};

impl Weights {
    /// The network of whole numbers nearest to these.
    pub fn network<I: Inputs>(&self, scale: u16) -> Network {
        let [_, biases, outputs, last] = self.starts();
        let whole = |numbers: &[f32], unit: i16, limit: i16| -> Vec<i16> {
            let near = |number: &f32| (number * f32::from(unit)).round() as i16;
            numbers.iter().map(|number| near(number).clamp(-limit, limit)).collect()
        };
        let unit = f32::from(UNIT) * f32::from(OUTPUT_UNIT);
        Network {
            hidden: self.hidden,
            scale,
            inputs: whole(&self.numbers[..biases], UNIT, input_limit::<I>()),
            biases: whole(&self.numbers[biases..outputs], UNIT, input_limit::<I>()),
            outputs: whole(&self.numbers[outputs..last], OUTPUT_UNIT, OUTPUT_LIMIT),
            output_biases: self.numbers[last..].iter().map(|number| (number * unit).round() as i32).collect(),
        }
    }
}

/// How well two forms of a network agree on some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// The mean squared errors of the numbers that were learned and of the whole ones.
    pub losses: [f64; 2],
    /// The mean difference of their values, in points.
    pub difference: f64,
    /// The largest one.
    pub largest: f64,
}

impl Agreement {
    /// Compares the two on all of these positions.
    pub fn of(weights: &Weights, network: &Network, target: Target, lessons: &Lessons) -> Self {
        let mut learned = Gradient::new(weights);
        let mut found = Agreement::default();
        for index in 0..lessons.len() {
            let lesson = lessons.get(index);
            let [own, other] =
                lesson.inputs.map(|inputs| inputs.iter().map(|&i| i.into()).collect::<Vec<usize>>());
            let first = learned.value(weights, lessons, index) * target.scale;
            let second = network.judge(&own, &other, lesson.bucket).0 as f32;
            let wanted = target.of(lesson.result, lesson.score);
            for (loss, value) in found.losses.iter_mut().zip([first, second]) {
                *loss += f64::from(sigmoid(value / target.scale) - wanted).powi(2);
            }
            let difference = f64::from((first - second).abs());
            found.difference += difference;
            found.largest = found.largest.max(difference);
        }
        let count = lessons.len().max(1) as f64;
        found.losses = found.losses.map(|loss| loss / count);
        found.difference /= count;
        found
    }
}
