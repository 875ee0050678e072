//! A network that sees a position as a whole: which move, who wins, by how much, and whose every point will be.
//!
//! | question | file |
//! |---|---|
//! | what does it see? | [`View`]: `inputs.rs` |
//! | of which layers is it made? | [`Shape`]: `shape.rs` |
//! | where do points lie while it thinks? | `field.rs` |
//! | how are many numbers multiplied at once? | `layers.rs` |
//! | what does it say? | [`Network::judge`], here |
//! | how is it kept? | `file.rs` |
//!
//! Residual blocks of 3x3 convolutions, each with what is pooled of the whole board added to every point, and no layer
//! that depends on the board's size: one network for all boards (Silver and others, 2017; Wu, 2019). All numbers are
//! whole until the very last, so an answer is the same on every machine. No sum overflows: the file is refused if the
//! largest activations could make one.

mod field;
mod file;
mod inputs;
mod layers;
mod shape;

pub use field::Field;
pub use inputs::{Circumstances, GLOBALS, PLANES, RECENT, View, turned};
pub use layers::{LANES, Layer};
pub use shape::{Dimensions, HEADS, Shape};

use search::Random;

use crate::point::CELLS;

/// What 1 is in activations.
pub const UNIT: i16 = 1024;
/// The largest activation, a little below 16.
pub const LIMIT: i16 = 16 * UNIT - 1;
/// What 1 is in random weights, as a power of 2.
const RANDOM_SHIFT: u8 = 11;
/// Points of score that 1 of the network's score stands for.
pub const SCORE: f32 = 20.0;

/// The numbers of a network, layer by layer in the order of its shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Its layers.
    pub shape: Shape,
    layers: Vec<Layer>,
}

/// What a network says of a position; everything is as the side to move sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// How much speaks for a stone on each point, row by row from the lower left; e to these are odds.
    pub stones: Vec<f32>,
    /// How much speaks for a pass.
    pub pass: f32,
    /// The probability to win.
    pub win: f32,
    /// The points to win by, compensation included.
    pub score: f32,
    /// Whose each point will be, from 1, its own, to -1.
    pub owners: Vec<f32>,
}

/// Room to think in.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    field: Field,
    trunk: Vec<i16>,
    clipped: Vec<i16>,
    middle: Vec<i16>,
    heads: Vec<i16>,
}

impl Workspace {
    /// Room for this board and so many channels; borders are 0.
    fn fit(&mut self, size: usize, channels: usize) {
        if self.field.size() != size || self.trunk.len() != self.field.cells() * channels {
            self.field = Field::new(size);
            let cells = self.field.cells();
            self.trunk = vec![0; cells * channels];
            self.clipped = vec![0; cells * channels.max(PLANES)];
            self.middle = vec![0; cells * channels];
            self.heads = vec![0; cells * HEADS];
        }
    }
}

impl Network {
    /// A network of these layers; none unless they have the shape, and none of its sums can overflow.
    pub fn new(shape: Shape, layers: Vec<Layer>) -> Option<Network> {
        let wanted = shape.layers();
        let fits =
            layers.len() == wanted.len() && layers.iter().zip(&wanted).all(|(l, w)| l.dimensions() == *w);
        (fits && layers.iter().all(Layer::is_safe)).then_some(Network { shape, layers })
    }

    /// A network that knows nothing: small random weights, the same for the same seed.
    pub fn random(shape: Shape, seed: u64) -> Network {
        let mut random = Random::new(seed);
        let layer = |dimensions: Dimensions| {
            // The spread that keeps sums near their terms.
            let width = (f64::from(1 << RANDOM_SHIFT)
                * (3.0 / (dimensions.taps() * dimensions.inputs) as f64).sqrt())
                as i32;
            let mut number = || random.below(2 * width as u32 + 1) as i32 - width;
            let weights = (0..dimensions.weights()).map(|_| number() as i16).collect();
            let biases = (0..dimensions.outputs).map(|_| number() * i32::from(UNIT) / 8).collect();
            Layer::new(dimensions, RANDOM_SHIFT, weights, biases).expect("as many numbers as it has")
        };
        Network::new(shape, shape.layers().into_iter().map(layer).collect()).expect("small weights are safe")
    }

    /// The layers in the order of the shape.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// What its numbers take, in bytes.
    pub fn bytes(&self) -> usize {
        self.layers.iter().map(Layer::bytes).sum()
    }

    /// What a search with so many threads takes for it, in bytes.
    pub fn needs(&self, threads: usize) -> usize {
        // A thread thinks in five fields, of which the widest has as many channels as the trunk or the answers.
        let field = CELLS * size_of::<i16>() * self.shape.channels.max(HEADS);
        self.bytes() + threads * 5 * field
    }

    /// Judges a position.
    pub fn judge(&self, view: &View, work: &mut Workspace) -> Judgement {
        let channels = self.shape.channels;
        work.fit(view.size(), channels);
        let Workspace { field, trunk, clipped, middle, heads } = work;
        let mut layers = self.layers.iter();
        let mut next = || layers.next().expect("a network has the layers of its shape");

        // The inputs, and what is the same for all points.
        let seen = &mut clipped[..field.cells() * PLANES];
        view.fill(field, seen, UNIT);
        let (entry, globals) = (next(), next());
        let whole = globals.dense(&view.globals().map(to_units));
        entry.convolve(field, seen, |cell, first, sums| {
            let to = &mut trunk[cell * channels + first..][..LANES];
            for ((to, &sum), whole) in to.iter_mut().zip(sums).zip(&whole[first..]) {
                *to = saturated(entry.scaled(sum) + whole);
            }
        });

        for _ in 0..self.shape.blocks {
            let (first, pools, second) = (next(), next(), next());
            clip(trunk, clipped);
            first.convolve(field, clipped, |cell, at, sums| {
                let to = &mut middle[cell * channels + at..][..LANES];
                to.iter_mut().zip(sums).for_each(|(to, &sum)| *to = clipped_to_limit(first.scaled(sum)));
            });
            let whole = pools.dense(&pooled(field, middle, channels));
            second.convolve(field, middle, |cell, at, sums| {
                let to = &mut trunk[cell * channels + at..][..LANES];
                for ((to, &sum), whole) in to.iter_mut().zip(sums).zip(&whole[at..]) {
                    *to = saturated(i32::from(*to) + second.scaled(sum) + whole);
                }
            });
        }

        let (answers, points, hidden, finals) = (next(), next(), next(), next());
        clip(trunk, clipped);
        let (mut stones, mut owners) = (Vec::with_capacity(field.area()), Vec::with_capacity(field.area()));
        for cell in field.points() {
            let seen = answers.dense(&clipped[cell * channels..][..channels]);
            let head = &mut heads[cell * HEADS..][..HEADS];
            head.iter_mut().zip(seen).for_each(|(to, sum)| *to = clipped_to_limit(sum));
            let said = points.sums(head);
            stones.push(points.real(said[0]));
            owners.push(libm::tanhf(points.real(said[1])));
        }
        let pooled = pooled(field, heads, HEADS);
        let hidden: Vec<i16> = hidden.dense(&pooled).into_iter().map(clipped_to_limit).collect();
        let said = finals.sums(&hidden);
        Judgement {
            stones,
            pass: finals.real(said[0]),
            win: 1.0 / (1.0 + libm::expf(-finals.real(said[1]))),
            score: SCORE * finals.real(said[2]),
            owners,
        }
    }
}

/// A number in units of activations.
fn to_units(number: f32) -> i16 {
    (number * f32::from(UNIT)).round().clamp(-f32::from(LIMIT), f32::from(LIMIT)) as i16
}

fn clipped_to_limit(number: i32) -> i16 {
    number.clamp(0, LIMIT.into()) as i16
}

fn saturated(number: i32) -> i16 {
    number.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

fn clip(from: &[i16], to: &mut [i16]) {
    to.iter_mut().zip(from).for_each(|(to, &from)| *to = from.clamp(0, LIMIT));
}

/// The mean of each channel, the mean times what the board's size is worth, and the largest.
fn pooled(field: &Field, cells: &[i16], channels: usize) -> Vec<i16> {
    let (mut sums, mut largest) = (vec![0i32; channels], vec![0i16; channels]);
    for cell in field.points() {
        for ((sum, most), &number) in sums.iter_mut().zip(&mut largest).zip(&cells[cell * channels..]) {
            *sum += i32::from(number);
            *most = number.max(*most);
        }
    }
    let (tenths, limit) = (field.tenths(), i32::from(LIMIT));
    let means = sums.iter().map(|sum| sum / field.area() as i32);
    let sized = means.clone().map(|mean| (mean * tenths / 10).clamp(-limit, limit));
    means.chain(sized).map(|number| number as i16).chain(largest).collect()
}

#[cfg(test)]
pub(crate) mod tests;
