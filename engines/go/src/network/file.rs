//! Networks as files: see [`search::network::file`]. For each layer a byte says what 1 is in its weights.

use search::network::file::{FileError, Opened, sealed};

use super::{GLOBALS, Layer, Network, PLANES, Shape};

/// What the inputs and the answers are; another meaning of them is another name.
const KIND: &str = "go, stones and liberties and ladders";

fn kind() -> String {
    format!("{KIND}, {PLANES} planes, {GLOBALS} numbers")
}

impl Network {
    /// The bytes of a file; `origin` says in one or more lines where the network comes from.
    pub fn write(&self, origin: &str) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.bytes());
        for (shift, weights, biases) in self.layers().iter().map(Layer::numbers) {
            bytes.push(shift);
            bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
            bytes.extend(biases.iter().flat_map(|bias| bias.to_le_bytes()));
        }
        let Shape { blocks, channels } = self.shape;
        sealed(&kind(), &format!("blocks {blocks} channels {channels}"), origin, &bytes)
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, FileError> {
        let opened = Opened::new(bytes, &kind())?;
        let shape = read_shape(opened.shape).ok_or_else(|| opened.misshapen())?;
        let wanted = shape.layers();
        let count = wanted.iter().map(|layer| 1 + 2 * layer.weights() + 4 * layer.outputs).sum();
        let mut rest = opened.numbers(count)?;
        let mut layers = Vec::with_capacity(wanted.len());
        for (number, dimensions) in wanted.into_iter().enumerate() {
            let mut next = |count: usize| rest.split_off(..count).expect("as many bytes were counted");
            let shift = next(1)[0];
            let weights = next(2 * dimensions.weights()).chunks_exact(2);
            let weights = weights.map(|b| i16::from_le_bytes([b[0], b[1]])).collect();
            let biases = next(4 * dimensions.outputs).chunks_exact(4);
            let biases = biases.map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
            let layer = Layer::new(dimensions, shift, weights, biases).filter(Layer::is_safe);
            layers.push(layer.ok_or(FileError::Sum(number))?);
        }
        Network::new(shape, layers).ok_or_else(|| opened.misshapen())
    }
}

fn read_shape(line: &str) -> Option<Shape> {
    let (blocks, channels) = line.strip_prefix("blocks ")?.split_once(" channels ")?;
    Shape::new(blocks.parse().ok()?, channels.parse().ok()?)
}
