//! What is learned from games: for each position that teaches its inputs and what is to be predicted.

use bytemuck::cast_slice;
use xxhash_rust::xxh3::Xxh3;

use crate::learn::Played;
use crate::learn::logistic::sigmoid;
use crate::network::Inputs;
use crate::{Game, Side};

/// Which positions of a game teach.
pub trait Pupil: Inputs {
    /// Plies at the beginning of a game that teach nothing: moves drawn by lot say little of their values.
    const EARLY: usize;
    /// A value above which a position teaches nothing: it is decided whatever the network says.
    const DECIDED: i32;

    /// Whether a network is asked of a position in which this move is best, or a search goes on instead.
    fn is_quiet(position: &Self::Game, m: <Self::Game as Game>::Move) -> bool;
}

/// Positions packed for learning.
#[derive(Clone, Debug, Default)]
pub struct Lessons {
    /// The inputs of all positions, for each the mover's and then as many of the opponent's.
    inputs: Vec<u16>,
    /// Where those of the next position begin.
    ends: Vec<usize>,
    /// The mover's share of the game's point, and what its search said in points of value.
    told: Vec<(f32, i16)>,
    buckets: Vec<u8>,
}

/// A position to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// The inputs that are on, as the mover and as the opponent see them.
    pub inputs: [&'a [u16]; 2],
    /// The second layer that judges it.
    pub bucket: usize,
    /// The mover's share of the point.
    pub result: f32,
    /// What the mover's search said.
    pub score: i16,
}

impl Lessons {
    /// The positions of a game that teach.
    pub fn of<P: Pupil>(game: &Played<P::Game>) -> Self {
        let mut lessons = Lessons::default();
        game.valued(|root, m, value| {
            let position = root.position();
            let early = root.moves().len() < P::EARLY;
            if early || value.abs() > P::DECIDED || !P::is_quiet(position, m) {
                return;
            }
            let white = game.result() as f32;
            let result = if position.turn() == Side::White { white } else { 1.0 - white };
            lessons.push::<P>(position, result, value as i16);
        });
        lessons
    }

    /// Adds a position with what came of it for its mover and what its search said.
    pub fn push<I: Inputs>(&mut self, position: &I::Game, result: f32, score: i16) {
        let [own, other] = crate::network::seen::<I>(position);
        assert_eq!(own.len(), other.len(), "both views see the same number of things");
        self.inputs.extend(own.iter().chain(&other).map(|&input| input as u16));
        self.ends.push(self.inputs.len());
        self.told.push((result, score));
        self.buckets.push(I::bucket(position) as u8);
    }

    /// Adds all positions of others.
    pub fn append(&mut self, others: &Lessons) {
        let offset = self.inputs.len();
        self.inputs.extend_from_slice(&others.inputs);
        self.ends.extend(others.ends.iter().map(|end| end + offset));
        self.told.extend_from_slice(&others.told);
        self.buckets.extend_from_slice(&others.buckets);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A position by its number.
    #[inline]
    pub fn get(&self, index: usize) -> Lesson<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let inputs = &self.inputs[start..self.ends[index]];
        let (own, other) = inputs.split_at(inputs.len() / 2);
        let (result, score) = self.told[index];
        Lesson { inputs: [own, other], bucket: self.buckets[index].into(), result, score }
    }

    /// The points of value at which the odds are e to 1 that predict the results best, as whole points.
    pub fn scale(&self) -> u16 {
        // So many positions fix one number well enough.
        const SAMPLE: usize = 200_000;
        let step = (self.len() / SAMPLE).max(1);
        let loss = |scale: f64| -> f64 {
            let told = self.told.iter().step_by(step);
            told.map(|&(result, score)| libm::pow(sigmoid(f64::from(score) / scale) - f64::from(result), 2.0))
                .sum()
        };
        let (mut low, mut high) = (20.0, 2000.0);
        for _ in 0..30 {
            let third = libm::cbrt(high / low);
            let (first, second) = (low * third, high / third);
            if loss(first) < loss(second) { high = second } else { low = first }
        }
        libm::sqrt(low * high).round() as u16
    }

    /// Tells a digest all that is learned from.
    pub(super) fn digest(&self, digest: &mut Xxh3) {
        digest.update(cast_slice(&self.inputs));
        digest.update(&self.buckets);
        for (result, score) in &self.told {
            digest.update(&result.to_le_bytes());
            digest.update(&score.to_le_bytes());
        }
    }
}
