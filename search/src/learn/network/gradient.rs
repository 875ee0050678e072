//! How wrong a network is about some positions, and in which direction it would be less so.

use super::{Lessons, Weights};

/// What a position should have been worth.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The share of the result; the rest is what the search said.
    pub result: f32,
    /// Points of value at which the odds of winning are e to 1.
    pub scale: f32,
}

/// The sums over some positions of the squared error and of its derivatives by every number.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// The derivatives, in the order of the weights.
    pub numbers: Vec<f32>,
    /// The squared errors.
    pub loss: f64,
    /// The hidden units of both views before they are clipped, and what the error says of them.
    units: [Vec<f32>; 2],
    errors: [Vec<f32>; 2],
}

impl Gradient {
    /// Nothing yet, for weights of this shape.
    pub fn new(weights: &Weights) -> Self {
        let units = || [vec![0.0; weights.hidden], vec![0.0; weights.hidden]];
        Gradient { numbers: vec![0.0; weights.count()], loss: 0.0, units: units(), errors: units() }
    }

    /// Back to nothing.
    pub fn clear(&mut self) {
        self.numbers.fill(0.0);
        self.loss = 0.0;
    }

    /// What the network says of a position: the logarithm of the odds.
    pub fn value(&mut self, weights: &Weights, lessons: &Lessons, index: usize) -> f32 {
        let lesson = lessons.get(index);
        let [_, biases, outputs, last] = weights.starts();
        let hidden = weights.hidden;
        let mut value = weights.numbers[last + lesson.bucket];
        for (view, units) in self.units.iter_mut().enumerate() {
            units.copy_from_slice(&weights.numbers[biases..][..hidden]);
            for &input in lesson.inputs[view] {
                add(units, &weights.numbers[usize::from(input) * hidden..][..hidden]);
            }
            value += dot(units, &weights.numbers[outputs + (2 * lesson.bucket + view) * hidden..][..hidden]);
        }
        value
    }

    /// Adds a position.
    pub fn learn(&mut self, weights: &Weights, target: Target, lessons: &Lessons, index: usize) {
        let chance = sigmoid(self.value(weights, lessons, index));
        let lesson = lessons.get(index);
        let [_, biases, outputs, last] = weights.starts();
        let hidden = weights.hidden;
        let error = chance - target.of(lesson.result, lesson.score);
        self.loss += f64::from(error * error);
        let slope = 2.0 * error * chance * (1.0 - chance);
        self.numbers[last + lesson.bucket] += slope;
        for view in 0..2 {
            let row = outputs + (2 * lesson.bucket + view) * hidden;
            let (units, errors) = (&self.units[view], &mut self.errors[view]);
            back(slope, units, &weights.numbers[row..][..hidden], &mut self.numbers[row..][..hidden], errors);
            add(&mut self.numbers[biases..][..hidden], errors);
            for &input in lesson.inputs[view] {
                add(&mut self.numbers[usize::from(input) * hidden..][..hidden], errors);
            }
        }
    }
}

impl Target {
    /// The chance that should have been predicted.
    pub fn of(self, result: f32, score: i16) -> f32 {
        self.result * result + (1.0 - self.result) * sigmoid(f32::from(score) / self.scale)
    }
}

/// The chance of odds whose logarithm this is.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

#[inline]
fn add(sums: &mut [f32], row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
}

/// The weighted sum of clipped and squared units. In lanes, so that the compiler may add many at once.
#[inline]
fn dot(units: &[f32], weights: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0; LANES];
    let mut units = units.chunks_exact(LANES);
    let mut weights = weights.chunks_exact(LANES);
    for (units, weights) in units.by_ref().zip(weights.by_ref()) {
        for lane in 0..LANES {
            let unit = units[lane].clamp(0.0, 1.0);
            sums[lane] += unit * unit * weights[lane];
        }
    }
    let rest = units.remainder().iter().zip(weights.remainder());
    rest.fold(sums.iter().sum(), |sum, (unit, weight)| sum + unit.clamp(0.0, 1.0).powi(2) * weight)
}

/// What the slope of the value says of the second layer's weights and of the units below.
#[inline]
fn back(slope: f32, units: &[f32], weights: &[f32], gradient: &mut [f32], errors: &mut [f32]) {
    for (((&unit, &weight), number), error) in units.iter().zip(weights).zip(gradient).zip(errors) {
        let clipped = unit.clamp(0.0, 1.0);
        *number += slope * clipped * clipped;
        // A unit beyond its bounds does not move with its inputs.
        let inside = if clipped == unit { 2.0 * clipped } else { 0.0 };
        *error = slope * weight * inside;
    }
}
