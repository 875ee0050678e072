//! The network in real numbers, forwards and backwards: what it says of a position, and how its loss would change with
//! each of its numbers.

use super::lessons::Lesson;
use super::losses::{PARTS, Slopes, losses};
use super::products::{convolve, dense, dense_back, multiplied, reversed, slopes};
use super::weights::Weights;
use crate::network::{Field, HEADS, Judgement, LIMIT, PLANES, SCORE, UNIT, View};

/// The largest activation.
const MOST: f32 = LIMIT as f32 / UNIT as f32;

/// Weights with what the way back needs of them.
pub struct Prepared<'a> {
    weights: &'a Weights,
    /// Of each spatial layer of the blocks.
    reversed: Vec<Vec<f32>>,
}

impl<'a> Prepared<'a> {
    /// Makes them ready.
    pub fn new(weights: &'a Weights) -> Self {
        let back = |layer: usize| {
            let dimensions = weights.dimensions(layer);
            let is_needed = dimensions.is_spatial && layer > 0;
            if is_needed { reversed(dimensions, weights.layer(layer).0) } else { Vec::new() }
        };
        Prepared { weights, reversed: (0..weights.count()).map(back).collect() }
    }
}

/// What was pooled of a board: means, means by size, the largest with the cells where they are.
struct Pools {
    numbers: Vec<f32>,
    largest: Vec<usize>,
}

/// What a block was given and made of it, kept for the way back.
struct Passed {
    clipped: Vec<f32>,
    middle: Vec<f32>,
    pools: Pools,
}

/// All that was computed on the way forwards.
struct Forward {
    seen: Vec<f32>,
    blocks: Vec<Passed>,
    clipped: Vec<f32>,
    heads: Vec<f32>,
    pools: Pools,
    hidden: Vec<f32>,
}

/// The slopes of the loss, summed over positions.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// For each number of the network.
    pub numbers: Vec<f32>,
    /// The parts of the loss.
    pub losses: [f64; PARTS],
    field: Field,
}

impl Gradient {
    /// Of no position.
    pub fn new(weights: &Weights) -> Self {
        Gradient { numbers: vec![0.0; weights.numbers.len()], losses: [0.0; PARTS], field: Field::default() }
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.numbers.fill(0.0);
        self.losses = [0.0; PARTS];
    }

    /// Adds a position; `trust` is the share of the game's result.
    pub fn learn(&mut self, prepared: &Prepared<'_>, lesson: &Lesson, trust: f32) {
        self.look_at(&lesson.view);
        let (said, forward) = forward(prepared.weights, &self.field, &lesson.view);
        let (parts, wanted) = losses(&said, lesson, trust);
        self.losses.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        self.back(prepared, &forward, &lesson.view, &wanted);
    }

    /// What the network says of a position.
    pub fn judge(&mut self, weights: &Weights, view: &View) -> Judgement {
        self.look_at(view);
        forward(weights, &self.field, view).0
    }

    fn look_at(&mut self, view: &View) {
        if self.field.size() != view.size() {
            self.field = Field::new(view.size());
        }
    }

    /// The way back through a layer that looks at one place.
    fn dense_back(&mut self, weights: &Weights, layer: usize, from: &[f32], wanted: &[f32]) -> Vec<f32> {
        dense_back(from, weights.layer(layer).0, wanted, &mut self.numbers[weights.range(layer)])
    }

    /// The slopes of a spatial layer; returns those of its biases, summed over the board.
    fn spatial_back(&mut self, weights: &Weights, layer: usize, from: &[f32], wanted: &[f32]) -> Vec<f32> {
        let dimensions = weights.dimensions(layer);
        let (to, biases) = self.numbers[weights.range(layer)].split_at_mut(dimensions.weights());
        slopes(&self.field, dimensions, from, wanted, to);
        let mut whole = vec![0.0; dimensions.outputs];
        for cell in self.field.points() {
            whole
                .iter_mut()
                .zip(&wanted[cell * dimensions.outputs..])
                .for_each(|(sum, wanted)| *sum += wanted);
        }
        biases.iter_mut().zip(&whole).for_each(|(bias, sum)| *bias += sum);
        whole
    }

    /// What is wanted of the cells before they were pooled.
    fn unpool(&self, pools: &Pools, wanted: &[f32], to: &mut [f32]) {
        let channels = pools.largest.len();
        let (area, tenths) = (self.field.area() as f32, self.field.tenths() as f32 / 10.0);
        let even: Vec<f32> =
            (0..channels).map(|c| (wanted[c] + tenths * wanted[channels + c]) / area).collect();
        for cell in self.field.points() {
            to[cell * channels..].iter_mut().zip(&even).for_each(|(to, even)| *to += even);
        }
        for (channel, cell) in pools.largest.iter().enumerate() {
            to[cell * channels + channel] += wanted[2 * channels + channel];
        }
    }

    fn back(&mut self, prepared: &Prepared<'_>, forward: &Forward, view: &View, wanted: &Slopes) {
        let weights = prepared.weights;
        let channels = weights.shape.channels;
        let cells = self.field.cells();
        let last = weights.count();
        let pass = wanted.moves.last().copied().unwrap_or_default();

        // From what is said to the trunk.
        let said = [pass, wanted.win, wanted.score];
        let mut hidden = self.dense_back(weights, last - 1, &forward.hidden, &said);
        unclip(&mut hidden, &forward.hidden);
        let pooled = self.dense_back(weights, last - 2, &forward.pools.numbers, &hidden);
        let mut heads = vec![0.0; cells * HEADS];
        self.unpool(&forward.pools, &pooled, &mut heads);
        let mut trunk = vec![0.0; cells * channels];
        for (cell, place) in self.field.points().zip(0..) {
            let said = [wanted.moves[place], wanted.owners[place]];
            let seen = &forward.heads[cell * HEADS..][..HEADS];
            let back = self.dense_back(weights, last - 3, seen, &said);
            let head = &mut heads[cell * HEADS..][..HEADS];
            head.iter_mut().zip(back).for_each(|(head, back)| *head += back);
            unclip(head, seen);
            let seen = &forward.clipped[cell * channels..][..channels];
            let back = self.dense_back(weights, last - 4, seen, head);
            trunk[cell * channels..][..channels].copy_from_slice(&back);
        }
        unclip(&mut trunk, &forward.clipped);

        // From block to block.
        for (block, passed) in forward.blocks.iter().enumerate().rev() {
            let [first, pools, second] = [0, 1, 2].map(|layer| 2 + 3 * block + layer);
            let whole = self.spatial_back(weights, second, &passed.middle, &trunk);
            let mut middle = vec![0.0; cells * channels];
            let reversed = &prepared.reversed;
            convolve(&self.field, weights.dimensions(second), &trunk, &reversed[second], &mut middle);
            let pooled = self.dense_back(weights, pools, &passed.pools.numbers, &whole);
            self.unpool(&passed.pools, &pooled, &mut middle);
            unclip(&mut middle, &passed.middle);
            self.spatial_back(weights, first, &passed.clipped, &middle);
            let mut before = vec![0.0; cells * channels];
            convolve(&self.field, weights.dimensions(first), &middle, &reversed[first], &mut before);
            unclip(&mut before, &passed.clipped);
            trunk.iter_mut().zip(before).for_each(|(trunk, before)| *trunk += before);
        }
        let whole = self.spatial_back(weights, 0, &forward.seen, &trunk);
        self.dense_back(weights, 1, &view.globals(), &whole);
    }
}

fn forward(weights: &Weights, field: &Field, view: &View) -> (Judgement, Forward) {
    let channels = weights.shape.channels;
    let cells = field.cells();
    let spatial = |layer: usize, from: &[f32]| {
        let dimensions = weights.dimensions(layer);
        let (numbers, biases) = weights.layer(layer);
        let mut to = vec![0.0; cells * dimensions.outputs];
        convolve(field, dimensions, from, numbers, &mut to);
        add(field, &mut to, biases);
        to
    };
    let flat = |layer: usize, from: &[f32]| {
        let (numbers, biases) = weights.layer(layer);
        dense(from, numbers, biases)
    };
    let mut seen = vec![0.0; cells * PLANES];
    view.fill(field, &mut seen, 1.0);
    let mut trunk = spatial(0, &seen);
    add(field, &mut trunk, &flat(1, &view.globals()));
    let mut blocks = Vec::with_capacity(weights.shape.blocks);
    for block in 0..weights.shape.blocks {
        let at = 2 + 3 * block;
        let clipped = clipped(trunk.clone());
        let middle = self::clipped(spatial(at, &clipped));
        let pools = pooled(field, &middle, channels);
        let more = spatial(at + 2, &middle);
        trunk.iter_mut().zip(more).for_each(|(trunk, more)| *trunk += more);
        add(field, &mut trunk, &flat(at + 1, &pools.numbers));
        blocks.push(Passed { clipped, middle, pools });
    }
    let last = weights.count();
    let clipped = clipped(trunk);
    let mut heads = vec![0.0; cells * HEADS];
    let (mut stones, mut owners) = (Vec::with_capacity(field.area()), Vec::with_capacity(field.area()));
    for cell in field.points() {
        let head = self::clipped(flat(last - 4, &clipped[cell * channels..][..channels]));
        let said = flat(last - 3, &head);
        stones.push(said[0]);
        owners.push(libm::tanhf(said[1]));
        heads[cell * HEADS..][..HEADS].copy_from_slice(&head);
    }
    let pools = pooled(field, &heads, HEADS);
    let hidden = self::clipped(flat(last - 2, &pools.numbers));
    let said = flat(last - 1, &hidden);
    let win = 1.0 / (1.0 + libm::expf(-said[1]));
    let judgement = Judgement { stones, pass: said[0], win, score: SCORE * said[2], owners };
    (judgement, Forward { seen, blocks, clipped, heads, pools, hidden })
}

/// Adds the same to every point.
fn add(field: &Field, cells: &mut [f32], whole: &[f32]) {
    for cell in field.points() {
        cells[cell * whole.len()..].iter_mut().zip(whole).for_each(|(cell, more)| *cell += more);
    }
}

fn clipped(mut numbers: Vec<f32>) -> Vec<f32> {
    numbers.iter_mut().for_each(|number| *number = number.clamp(0.0, MOST));
    numbers
}

/// Nothing is wanted where clipping changed a number.
fn unclip(wanted: &mut [f32], clipped: &[f32]) {
    for (wanted, &number) in wanted.iter_mut().zip(clipped) {
        *wanted = if 0.0 < number && number < MOST { *wanted } else { 0.0 };
    }
}

fn pooled(field: &Field, cells: &[f32], channels: usize) -> Pools {
    let first = field.points().next().unwrap_or_default();
    let (mut sums, mut most) = (vec![0.0f32; channels], vec![f32::NEG_INFINITY; channels]);
    let mut largest = vec![first; channels];
    for cell in field.points() {
        for channel in 0..channels {
            let number = cells[cell * channels + channel];
            sums[channel] += number;
            if number > most[channel] {
                (most[channel], largest[channel]) = (number, cell);
            }
        }
    }
    let part = 1.0 / field.area() as f32;
    let tenths = field.tenths() as f32 / 10.0;
    let means = sums.iter().map(|sum| sum * part);
    let sized = means.clone().map(|mean| multiplied(mean, tenths, 0.0));
    Pools { numbers: means.chain(sized).chain(most).collect(), largest }
}
