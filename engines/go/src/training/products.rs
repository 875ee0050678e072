//! The products in which a training spends its time: convolutions as products of matrices that lie where they lie.
//!
//! Cells stand one after the other with their channels, so a neighbour is the same matrix begun elsewhere, and a turned
//! matrix is the same one read in other steps: nothing is copied. One loop does the sums forwards, those backwards, and
//! those of the weights.

use crate::network::{Dimensions, Field, LANES};

/// Rows that are computed at once.
const ROWS: usize = 4;

/// A matrix in memory: how far it is to the next row and to the next term of a sum.
#[derive(Clone, Copy)]
struct Steps {
    row: usize,
    term: usize,
}

/// Adds to some rows of sums: for each term a number of the row times what `right` has in its place.
#[inline(always)]
fn multiply(
    sums: &mut [[f32; LANES]; ROWS],
    left: &[f32],
    steps: Steps,
    right: &[f32],
    step: usize,
    terms: usize,
) {
    let mut local = *sums;
    for term in 0..terms {
        let numbers = right[term * step..].first_chunk::<LANES>().expect("a term has all its lanes");
        for (row, sums) in local.iter_mut().enumerate() {
            let factor = left[row * steps.row + term * steps.term];
            for (sum, &number) in sums.iter_mut().zip(numbers) {
                *sum = multiplied(factor, number, *sum);
            }
        }
    }
    *sums = local;
}

/// A product added to a sum, in one step where the machine has it.
#[inline(always)]
pub fn multiplied(factor: f32, number: f32, sum: f32) -> f32 {
    if cfg!(target_feature = "fma") { factor.mul_add(number, sum) } else { factor * number + sum }
}

/// What a spatial layer makes of the cells, without biases; the border is left as it is.
pub fn convolve(field: &Field, dimensions: Dimensions, from: &[f32], weights: &[f32], to: &mut [f32]) {
    let Dimensions { inputs, outputs, .. } = dimensions;
    let (taps, back) = field.taps();
    for (block, weights) in weights.chunks_exact(9 * inputs * LANES).enumerate() {
        for first in field.tiles() {
            let mut sums = [[0.0; LANES]; ROWS];
            for (tap, weights) in taps.iter().zip(weights.chunks_exact(inputs * LANES)) {
                let steps = Steps { row: inputs, term: 1 };
                multiply(&mut sums, &from[(first - back + tap) * inputs..], steps, weights, LANES, inputs);
            }
            for (cell, sums) in (first..).zip(&sums).filter(|(cell, _)| field.is_point(*cell)) {
                to[cell * outputs + block * LANES..][..LANES].copy_from_slice(sums);
            }
        }
    }
}

/// The weights by which what is wanted of the outputs goes back to the inputs.
pub fn reversed(dimensions: Dimensions, weights: &[f32]) -> Vec<f32> {
    let Dimensions { inputs, outputs, .. } = dimensions;
    let place = |dimensions: Dimensions, tap: usize, input: usize, output: usize| {
        ((output / LANES * 9 + tap) * dimensions.inputs + input) * LANES + output % LANES
    };
    let other = Dimensions { inputs: outputs, outputs: inputs, ..dimensions };
    let mut found = vec![0.0; weights.len()];
    for tap in 0..9 {
        for input in 0..inputs {
            for output in 0..outputs {
                found[place(other, 8 - tap, output, input)] = weights[place(dimensions, tap, input, output)];
            }
        }
    }
    found
}

/// Adds the slope of each weight of a spatial layer, from what it was given and what is wanted of its outputs; on the
/// border nothing is given and nothing wanted.
pub fn slopes(field: &Field, dimensions: Dimensions, from: &[f32], wanted: &[f32], to: &mut [f32]) {
    let Dimensions { inputs, outputs, .. } = dimensions;
    let (taps, back) = field.taps();
    let first = field.points().next().unwrap_or_default();
    let cells = field.points().last().unwrap_or_default() + 1 - first;
    for (block, to) in to.chunks_exact_mut(9 * inputs * LANES).enumerate() {
        let wanted = &wanted[first * outputs + block * LANES..];
        for (tap, to) in taps.iter().zip(to.chunks_exact_mut(inputs * LANES)) {
            for (group, to) in to.chunks_exact_mut(ROWS * LANES).enumerate() {
                let mut sums = [[0.0; LANES]; ROWS];
                let from = &from[(first - back + tap) * inputs + group * ROWS..];
                multiply(&mut sums, from, Steps { row: 1, term: inputs }, wanted, outputs, cells);
                to.iter_mut().zip(sums.as_flattened()).for_each(|(to, sum)| *to += sum);
            }
        }
    }
}

/// What a layer that looks at one place makes of it.
pub fn dense(from: &[f32], weights: &[f32], biases: &[f32]) -> Vec<f32> {
    let mut sums = biases.to_vec();
    for (&number, weights) in from.iter().zip(weights.chunks_exact(biases.len())) {
        sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum = multiplied(number, weight, *sum));
    }
    sums
}

/// The way back through such a layer: adds the slopes of its weights and biases, and returns what is wanted of what it
/// was given.
pub fn dense_back(from: &[f32], weights: &[f32], wanted: &[f32], to: &mut [f32]) -> Vec<f32> {
    let count = wanted.len();
    let (slopes, biases) = to.split_at_mut(weights.len());
    biases.iter_mut().zip(wanted).for_each(|(bias, wanted)| *bias += wanted);
    let rows = from.iter().zip(weights.chunks_exact(count)).zip(slopes.chunks_exact_mut(count));
    let back = |((&number, weights), slopes): ((&f32, &[f32]), &mut [f32])| {
        slopes
            .iter_mut()
            .zip(wanted)
            .for_each(|(slope, &wanted)| *slope = multiplied(number, wanted, *slope));
        weights.iter().zip(wanted).map(|(weight, wanted)| weight * wanted).sum()
    };
    rows.map(back).collect()
}
