//! One layer of whole numbers, and the loops in which a network spends its time.
//!
//! Plain loops: the compiler makes vector instructions of them, whichever the machine has. The weights lie so that what
//! is computed at once is read at once.

use super::field::TILE;
use super::{Dimensions, Field, LIMIT, UNIT};

/// How many outputs are computed at once.
pub const LANES: usize = 16;

/// The numbers of a layer. An activation times a weight is in units of both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    dimensions: Dimensions,
    /// 2 to this is what 1 is in the weights.
    shift: u8,
    /// In the order of [`Dimensions::output_of`].
    weights: Vec<i16>,
    /// For each output, in units of the sums.
    biases: Vec<i32>,
}

impl Layer {
    /// The largest shift.
    pub const MOST_SHIFT: u8 = 15;

    /// A layer of these numbers; none unless there are as many as there should be.
    pub fn new(dimensions: Dimensions, shift: u8, weights: Vec<i16>, biases: Vec<i32>) -> Option<Layer> {
        let fits = weights.len() == dimensions.weights() && biases.len() == dimensions.outputs;
        (fits && shift <= Layer::MOST_SHIFT).then_some(Layer { dimensions, shift, weights, biases })
    }

    /// What it takes and gives.
    pub fn dimensions(&self) -> Dimensions {
        self.dimensions
    }

    /// The shift, the weights, the biases.
    pub fn numbers(&self) -> (u8, &[i16], &[i32]) {
        (self.shift, &self.weights, &self.biases)
    }

    /// The bytes they take.
    pub fn bytes(&self) -> usize {
        2 * self.weights.len() + 4 * self.biases.len()
    }

    /// Whether no sum overflows, however large the activations are, nor three that were scaled.
    pub fn is_safe(&self) -> bool {
        let mut most: Vec<i64> = self.biases.iter().map(|&bias| i64::from(bias).abs()).collect();
        for (place, &weight) in self.weights.iter().enumerate() {
            most[self.dimensions.output_of(place)] += i64::from(weight).abs() * i64::from(LIMIT);
        }
        let fits = |most: i64| most <= i64::from(i32::MAX) && most >> self.shift <= i64::from(i32::MAX / 4);
        most.iter().all(|&most| fits(most + self.half()))
    }

    fn half(&self) -> i64 {
        (1i64 << self.shift) / 2
    }

    /// A sum in units of activations, rounded.
    #[inline(always)]
    pub fn scaled(&self, sum: i32) -> i32 {
        (sum + self.half() as i32) >> self.shift
    }

    /// A sum as what it stands for.
    pub fn real(&self, sum: i32) -> f32 {
        sum as f32 / (f32::from(UNIT) * (1u32 << self.shift) as f32)
    }

    /// The sums of a layer that looks at one place.
    pub fn sums(&self, from: &[i16]) -> Vec<i32> {
        let mut sums = self.biases.clone();
        for (&number, weights) in from.iter().zip(self.weights.chunks_exact(self.dimensions.outputs)) {
            for (sum, &weight) in sums.iter_mut().zip(weights) {
                *sum = sum.wrapping_add(i32::from(number).wrapping_mul(i32::from(weight)));
            }
        }
        sums
    }

    /// The same in units of activations.
    pub fn dense(&self, from: &[i16]) -> Vec<i32> {
        self.sums(from).into_iter().map(|sum| self.scaled(sum)).collect()
    }

    /// Tells for each point, by its cell, the sums of a layer that looks at its neighbours, too: so many at once, from
    /// an output on.
    #[inline(always)]
    pub fn convolve(&self, field: &Field, from: &[i16], mut tell: impl FnMut(usize, usize, &[i32; LANES])) {
        let inputs = self.dimensions.inputs;
        let blocks = self.weights.chunks_exact(9 * inputs * LANES).zip(self.biases.as_chunks().0).enumerate();
        for (block, (weights, biases)) in blocks {
            for first in field.tiles() {
                let sums = tile(field, &from[..field.cells() * inputs], inputs, first, weights, biases);
                for (cell, sums) in (first..).zip(&sums) {
                    if field.is_point(cell) {
                        tell(cell, block * LANES, sums);
                    }
                }
            }
        }
    }
}

/// The sums of some outputs for some cells that lie side by side. The file's check has seen that none overflows.
#[inline(never)]
fn tile(
    field: &Field,
    from: &[i16],
    inputs: usize,
    first: usize,
    weights: &[i16],
    biases: &[i32; LANES],
) -> [[i32; LANES]; TILE] {
    let mut sums = [*biases; TILE];
    let (taps, back) = field.taps();
    for (tap, weights) in taps.iter().zip(weights.chunks_exact(inputs * LANES)) {
        let cells: [&[i16]; TILE] =
            std::array::from_fn(|cell| &from[(first + cell - back + tap) * inputs..][..inputs]);
        for (input, weights) in weights.as_chunks::<LANES>().0.iter().enumerate() {
            for (sums, cell) in sums.iter_mut().zip(cells) {
                let number = i32::from(cell[input]);
                for (sum, &weight) in sums.iter_mut().zip(weights) {
                    *sum = sum.wrapping_add(number.wrapping_mul(i32::from(weight)));
                }
            }
        }
    }
    sums
}
