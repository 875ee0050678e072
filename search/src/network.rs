//! Small networks that judge positions, updated move by move (Yu Nasu's NNUE), blind to the game.
//!
//! | question | file |
//! |---|---|
//! | what does a network see of a game? | [`Inputs`], here |
//! | what does it make of it? | [`Network`], here |
//! | how are sums carried from position to position? | `sums.rs` |
//! | how are many numbers added at once? | `kernels.rs` |
//! | how is a network kept? | `file.rs` |
//!
//! Both sides look at the board as if they were the one to move, through the same weights. What each sees is summed
//! into hidden units, clipped and squared; a second layer, one of several by how far the game has gone, makes a value
//! of the mover's units and the opponent's. All numbers are whole, so a value is the same on every machine.

pub mod file;
mod kernels;
mod sums;

pub use file::FileError;
pub use sums::Sums;

use crate::{Game, Score, Side};

/// What 1 is in the hidden units; above it they are clipped.
pub const UNIT: i16 = 255;
/// What 1 is in the weights of the second layer.
pub const OUTPUT_UNIT: i16 = 64;
/// The largest weight of the second layer: times a hidden unit it fits 16 bits.
pub const OUTPUT_LIMIT: i16 = 127;

/// What a network sees of a game.
pub trait Inputs: Clone + Send + Sync + 'static {
    /// The game.
    type Game: Game;
    /// As files name it; another meaning of the inputs is another name.
    const NAME: &'static str;
    /// The number of inputs.
    const COUNT: usize;
    /// The most inputs that are on at once.
    const MOST: usize;
    /// The number of second layers.
    const BUCKETS: usize;

    /// Tells every input that is on as `view` sees the position.
    fn active(position: &Self::Game, view: Side, tell: impl FnMut(usize));
    /// Tells which inputs go off and on as `view` sees it; false if so much changes that they are better told anew.
    fn changes(
        before: &Self::Game,
        after: &Self::Game,
        view: Side,
        off: impl FnMut(usize),
        on: impl FnMut(usize),
    ) -> bool;
    /// Which second layer judges the position.
    fn bucket(position: &Self::Game) -> usize;
}

/// The largest weight of the first layer: with every input on that may be, a sum still fits 16 bits.
pub const fn input_limit<I: Inputs>() -> i16 {
    let most = i16::MAX / (I::MOST as i16 + 1);
    if most < 2 * UNIT { most } else { 2 * UNIT }
}

/// The numbers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The number of hidden units of each side.
    pub hidden: usize,
    /// Points of value at which the odds of winning are e to 1.
    pub scale: u16,
    /// For each input, what it adds to each hidden unit.
    pub inputs: Vec<i16>,
    /// What the hidden units begin with.
    pub biases: Vec<i16>,
    /// For each second layer, the weights of the mover's hidden units and of the opponent's.
    pub outputs: Vec<i16>,
    /// What each second layer begins with, in units of `UNIT * OUTPUT_UNIT`.
    pub output_biases: Vec<i32>,
}

impl Network {
    /// What an input adds to the hidden units.
    #[inline]
    fn row(&self, input: usize) -> &[i16] {
        &self.inputs[input * self.hidden..][..self.hidden]
    }

    /// Sums of the hidden units from scratch.
    fn sum(&self, sums: &mut [i16], mut inputs: impl FnMut(&mut dyn FnMut(usize))) {
        sums.copy_from_slice(&self.biases);
        inputs(&mut |input| kernels::add(sums, self.row(input)));
    }

    /// The value for the side whose sums come first.
    #[inline]
    fn value(&self, own: &[i16], other: &[i16], bucket: usize) -> Score {
        let weights = &self.outputs[bucket * 2 * self.hidden..][..2 * self.hidden];
        let (first, second) = weights.split_at(self.hidden);
        let sum = kernels::dot(own, first) + kernels::dot(other, second);
        let value = sum / i64::from(UNIT) + i64::from(self.output_biases[bucket]);
        let points = value * i64::from(self.scale) / (i64::from(UNIT) * i64::from(OUTPUT_UNIT));
        Score(points.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32).opinion()
    }

    /// The value for the mover of a position in which just these inputs are on, as the mover and as the opponent see
    /// them.
    pub fn judge(&self, own: &[usize], other: &[usize], bucket: usize) -> Score {
        let [own, other] = [own, other].map(|inputs| {
            let mut sums = vec![0; self.hidden];
            self.sum(&mut sums, |tell| inputs.iter().for_each(|&input| tell(input)));
            sums
        });
        self.value(&own, &other, bucket)
    }
}

/// The inputs that are on in a position, as its mover and as the opponent see them.
pub fn seen<I: Inputs>(position: &I::Game) -> [Vec<usize>; 2] {
    [position.turn(), !position.turn()].map(|view| {
        let mut inputs = Vec::with_capacity(I::MOST);
        I::active(position, view, |input| inputs.push(input));
        inputs
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::network::{Bits, carries_sums, network};
    use crate::testing::{Pile, Size};

    #[test]
    fn sums_carried_along_are_those_made_anew() {
        let pass = |pile: &Pile| Some(Pile { turn: !pile.turn, ..pile.clone() });
        carries_sums::<Bits>(&Pile::start(&Size(255)), pass);
    }

    #[test]
    fn every_input_at_its_largest_does_not_overflow() {
        let limit = input_limit::<Bits>();
        let full = Network {
            inputs: vec![limit; Bits::COUNT * 4],
            biases: vec![limit; 4],
            outputs: vec![OUTPUT_LIMIT; Bits::BUCKETS * 8],
            output_biases: vec![0; Bits::BUCKETS],
            ..network::<Bits>(4, 1)
        };
        let mut sums = Sums::<Bits>::new(Arc::new(full));
        sums.enter();
        let all = Pile { left: 255, turn: Side::White };
        // Eight units of 1 with weights of 127 / 64, times 200 points.
        assert_eq!(sums.score(&all), Score(8 * 200 * 127 / 64));
    }

    #[test]
    fn a_file_is_read_back_as_written() {
        let network = network::<Bits>(5, 3);
        let bytes = network.write::<Bits>("quintet learn\nby hand");
        assert!(
            bytes.starts_with(b"quintet network 1\npiles, 16 inputs, 2 output buckets\nhidden 5 scale 200\n")
        );
        assert_eq!(Network::read::<Bits>(&bytes), Ok(network));
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let network = network::<Bits>(5, 3);
        let bytes = network.write::<Bits>("by hand");
        let read = |bytes: &[u8]| Network::read::<Bits>(bytes).unwrap_err();
        for end in 0..bytes.len() {
            read(&bytes[..end]);
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            read(&damaged);
        }
        assert_eq!(read(b"weights\n\n"), FileError::Foreign);
        assert!(matches!(read(&bytes[..bytes.len() - 1]), FileError::Length { .. }));
        let text = String::from_utf8_lossy(&bytes[..60]).replace("piles, 16", "piles, 18");
        let why = read(&[text.as_bytes(), &bytes[60..]].concat()).to_string();
        assert!(why.contains("'piles, 18 inputs, 2 output buckets', not of 'piles, 16"), "{why}");
        let large = Network { outputs: vec![OUTPUT_LIMIT + 1; 20], ..network };
        assert_eq!(read(&large.write::<Bits>("")), FileError::Weight(OUTPUT_LIMIT + 1));
    }
}
