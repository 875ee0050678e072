//! Of which layers a network is made. What the engine computes and what is trained goes through the same list.

use super::layers::LANES;
use super::{GLOBALS, PLANES};

/// Channels of which the answers are made.
pub const HEADS: usize = 32;
/// Numbers between what is pooled of them and the last ones.
const HIDDEN: usize = 32;
/// Two for every point: a stone there, its owner.
const OF_POINTS: usize = 2;
/// Three for the whole board: a pass, a win, the score.
const OF_BOARDS: usize = 3;
/// The largest file.
const MOST_BYTES: usize = 3 << 20;

/// How large a network is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Residual blocks.
    pub blocks: usize,
    /// Channels of each: a multiple of 16.
    pub channels: usize,
}

/// What a layer takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    /// Whether each point looks at its eight neighbours, too.
    pub is_spatial: bool,
    /// Numbers in.
    pub inputs: usize,
    /// Numbers out.
    pub outputs: usize,
}

impl Dimensions {
    /// The points a point looks at.
    pub fn taps(&self) -> usize {
        if self.is_spatial { 9 } else { 1 }
    }

    /// The number of weights.
    pub fn weights(&self) -> usize {
        self.taps() * self.inputs * self.outputs
    }

    /// For each weight in their order the output it adds to: those of a spatial layer stand in blocks of so many
    /// outputs as are computed at once, in a block by neighbour, input and output; others by input and output.
    pub fn output_of(&self, weight: usize) -> usize {
        if self.is_spatial {
            weight / (self.taps() * self.inputs * LANES) * LANES + weight % LANES
        } else {
            weight % self.outputs
        }
    }
}

impl Shape {
    /// Refuses what is too large, or has channels left over.
    pub fn new(blocks: usize, channels: usize) -> Option<Shape> {
        let shape = Shape { blocks, channels };
        let is_possible = (1..=64).contains(&blocks)
            && (LANES..=256).contains(&channels)
            && channels.is_multiple_of(LANES)
            && 2 * shape.weights() < MOST_BYTES - (64 << 10);
        is_possible.then_some(shape)
    }

    /// All layers in their order.
    pub fn layers(&self) -> Vec<Dimensions> {
        let Shape { blocks, channels } = *self;
        let layer = |is_spatial, inputs, outputs| Dimensions { is_spatial, inputs, outputs };
        let mut layers = vec![layer(true, PLANES, channels), layer(false, GLOBALS, channels)];
        for _ in 0..blocks {
            layers.extend([
                layer(true, channels, channels),
                layer(false, 3 * channels, channels),
                layer(true, channels, channels),
            ]);
        }
        layers.extend([
            layer(false, channels, HEADS),
            layer(false, HEADS, OF_POINTS),
            layer(false, 3 * HEADS, HIDDEN),
            layer(false, HIDDEN, OF_BOARDS),
        ]);
        layers
    }

    /// The number of weights of all layers.
    pub fn weights(&self) -> usize {
        self.layers().iter().map(Dimensions::weights).sum()
    }
}
