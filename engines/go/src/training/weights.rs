//! The numbers of a network while it learns, and the whole numbers that become of them.

use search::Random;

use crate::network::{Dimensions, Layer, Network, Shape, UNIT};

/// The numbers of all layers one after the other, of each its weights and then its biases, in the order of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Of which layers.
    pub shape: Shape,
    /// All numbers.
    pub numbers: Vec<f32>,
    layers: Vec<(usize, Dimensions)>,
}

impl Weights {
    /// Numbers of which nothing is known.
    pub fn zero(shape: Shape) -> Weights {
        let mut count = 0;
        let place = |dimensions: Dimensions| {
            let start = count;
            count += dimensions.weights() + dimensions.outputs;
            (start, dimensions)
        };
        let layers = shape.layers().into_iter().map(place).collect();
        Weights { shape, numbers: vec![0.0; count], layers }
    }

    /// Small random numbers, the same for the same seed. What is added to the trunk begins as nothing, so that a deep
    /// network begins as a shallow one (Zhang and others, 2019), and so does what is said.
    pub fn random(shape: Shape, seed: u64) -> Weights {
        let mut weights = Weights::zero(shape);
        let mut random = Random::new(seed);
        let last = weights.layers.len();
        for number in 0..last {
            let is_first = (2..last - 4).contains(&number) && (number - 2).is_multiple_of(3);
            if number == 0 || is_first || number == last - 4 || number == last - 2 {
                let (start, dimensions) = weights.layers[number];
                // The spread that keeps what is clipped as large as what it came from.
                let width = libm::sqrtf(6.0 / (dimensions.taps() * dimensions.inputs) as f32);
                for weight in &mut weights.numbers[start..start + dimensions.weights()] {
                    *weight = (2.0 * random.unit() - 1.0) * width;
                }
            }
        }
        weights
    }

    /// What a layer takes and gives.
    pub fn dimensions(&self, layer: usize) -> Dimensions {
        self.layers[layer].1
    }

    /// Where the numbers of a layer stand.
    pub fn range(&self, layer: usize) -> std::ops::Range<usize> {
        let (start, dimensions) = self.layers[layer];
        start..start + dimensions.weights() + dimensions.outputs
    }

    /// The weights and the biases of a layer.
    pub fn layer(&self, layer: usize) -> (&[f32], &[f32]) {
        self.numbers[self.range(layer)].split_at(self.dimensions(layer).weights())
    }

    /// The number of layers.
    pub fn count(&self) -> usize {
        self.layers.len()
    }

    /// The network of whole numbers nearest to these; none if they have grown too large for one.
    pub fn network(&self) -> Option<Network> {
        let layers = (0..self.count()).map(|number| self.whole(number)).collect::<Option<Vec<Layer>>>()?;
        Network::new(self.shape, layers)
    }

    /// A layer in the finest units that are safe.
    fn whole(&self, number: usize) -> Option<Layer> {
        let (weights, biases) = self.layer(number);
        (0..Layer::MOST_SHIFT).rev().find_map(|shift| {
            let unit = (1u32 << shift) as f32;
            let weight = |weight: &f32| {
                let near = (weight * unit).round();
                (near.abs() <= f32::from(i16::MAX)).then_some(near as i16)
            };
            let whole = weights.iter().map(weight).collect::<Option<Vec<i16>>>()?;
            let biases = biases.iter().map(|bias| (bias * unit * f32::from(UNIT)).round() as i32).collect();
            Layer::new(self.dimensions(number), shift, whole, biases).filter(Layer::is_safe)
        })
    }
}
