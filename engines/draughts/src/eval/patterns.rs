//! The learned evaluation: one weight for each content of each region and for each term, for the opening
//! and for the ending, and the file that keeps them.

use search::{Game, Score, Side};
use xxhash_rust::xxh3::xxh3_64;

use super::features::{PATTERNS, PHASES, TERMS, WEIGHTS, patterns, phase, terms};
use crate::Position;

/// Parts of a hundredth of a man in which weights are kept.
pub const UNIT: i32 = 32;

/// How the file begins; behind its first line come the weights as 16-bit numbers and a checksum of all before it as a
/// 64-bit number, each with its least byte first.
const MAGIC: &str = "quintet draughts patterns 2;";
/// How a file begins that has no checksum.
const UNSEALED: &str = "quintet draughts patterns 1;";
/// The bytes of the checksum.
const SUM: usize = 8;

/// The weights in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patterns {
    /// For opening and ending, in `UNIT`s.
    weights: [Vec<i16>; 2],
    header: String,
}

/// A file that does not hold weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// Not a file of this kind or version.
    #[error("it does not begin with '{MAGIC}'")]
    Foreign,
    /// Of the version before.
    #[error("it has no checksum; `quintet learn draughts seal` adds one")]
    Unsealed,
    /// Changed since it was written.
    #[error("it is damaged: its checksum is wrong")]
    Damaged,
    /// Cut short or too long.
    #[error("it holds {found} bytes of weights instead of {wanted}")]
    Length {
        /// What is there.
        found: usize,
        /// What should be.
        wanted: usize,
    },
}

impl Patterns {
    /// Rounds learned weights, opening first, given in hundredths of a man; the remark says where they come from.
    pub fn new(learned: &[f32], remark: &str) -> Patterns {
        assert_eq!(learned.len(), 2 * WEIGHTS, "one weight for each feature and phase");
        let round = |&w: &f32| (w * UNIT as f32).round().clamp(-32_000.0, 32_000.0) as i16;
        let weights = [&learned[..WEIGHTS], &learned[WEIGHTS..]].map(|part| part.iter().map(round).collect());
        Patterns { weights, header: format!("{MAGIC} {remark}") }
    }

    /// The weights that come with the engine.
    pub fn built_in() -> Patterns {
        Patterns::read(include_bytes!("../../learned/patterns.bin")).expect("the file is part of the tree")
    }

    /// Reads a file of weights.
    pub fn read(bytes: &[u8]) -> Result<Patterns, WeightsError> {
        if bytes.starts_with(UNSEALED.as_bytes()) {
            return Err(WeightsError::Unsealed);
        }
        if !bytes.starts_with(MAGIC.as_bytes()) {
            return Err(WeightsError::Foreign);
        }
        let (rest, sum) = bytes.split_last_chunk::<SUM>().ok_or(WeightsError::Damaged)?;
        if *sum != xxh3_64(rest).to_le_bytes() {
            return Err(WeightsError::Damaged);
        }
        Patterns::read_unsealed(rest)
    }

    /// The contents of a file of the version before, with the checksum of this one.
    pub fn seal(bytes: &[u8]) -> Result<Vec<u8>, WeightsError> {
        let rest = bytes.strip_prefix(UNSEALED.as_bytes()).ok_or(WeightsError::Foreign)?;
        Ok(Patterns::read_unsealed(&[MAGIC.as_bytes(), rest].concat())?.write())
    }

    fn read_unsealed(bytes: &[u8]) -> Result<Patterns, WeightsError> {
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0);
        let header = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let (body, wanted) = (&bytes[end + 1..], 4 * WEIGHTS);
        if body.len() != wanted {
            return Err(WeightsError::Length { found: body.len(), wanted });
        }
        let part =
            |part: &[u8]| part.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        Ok(Patterns { weights: [part(&body[..wanted / 2]), part(&body[wanted / 2..])], header })
    }

    /// The contents of a file of weights.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = format!("{}\n", self.header).into_bytes();
        bytes.extend(self.weights.iter().flatten().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// The command, seed and version that made the weights.
    pub fn header(&self) -> &str {
        &self.header
    }

    /// The value from the side to move.
    pub fn value(&self, position: &Position) -> Score {
        let sums = self
            .weights
            .each_ref()
            .map(|weights| pattern_sum(weights, position) + term_sum(weights, position));
        Score(sign(position) * blend(sums, phase(position)))
    }

    /// What patterns and terms add to the value from the side to move.
    pub fn terms(&self, position: &Position) -> Vec<(&'static str, i32)> {
        let phase = phase(position);
        let points = |sums| sign(position) * blend(sums, phase);
        let mut rows = vec![("patterns", points(self.weights.each_ref().map(|w| pattern_sum(w, position))))];
        rows.extend(TERMS.iter().zip(terms(position)).enumerate().map(|(i, (&name, value))| {
            (name, points(self.weights.each_ref().map(|w| i32::from(w[PATTERNS + i]) * value)))
        }));
        rows
    }
}

fn sign(position: &Position) -> i32 {
    if position.turn() == Side::White { 1 } else { -1 }
}

fn pattern_sum(weights: &[i16], position: &Position) -> i32 {
    let [white, black] = patterns(position);
    let sum = |indices: [usize; 5]| indices.iter().map(|&i| i32::from(weights[i])).sum::<i32>();
    sum(white) - sum(black)
}

fn term_sum(weights: &[i16], position: &Position) -> i32 {
    terms(position).iter().zip(&weights[PATTERNS..]).map(|(value, &weight)| value * i32::from(weight)).sum()
}

/// Between opening and ending, in hundredths of a man.
fn blend([opening, ending]: [i32; 2], phase: i32) -> i32 {
    (opening * phase + ending * (PHASES - phase)) / (PHASES * UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_back_as_written() {
        let learned: Vec<f32> = (0..2 * WEIGHTS).map(|i| (i % 700) as f32 - 350.0).collect();
        let patterns = Patterns::new(&learned, "made for a test");
        assert_eq!(Patterns::read(&patterns.write()), Ok(patterns));
    }

    #[test]
    fn foreign_and_damaged_files_are_refused() {
        assert_eq!(Patterns::read(b""), Err(WeightsError::Foreign));
        assert_eq!(Patterns::read(b"GIF89a"), Err(WeightsError::Foreign));
        let whole = Patterns::built_in().write();
        assert_eq!(Patterns::read(&whole[..whole.len() - 1]), Err(WeightsError::Damaged));
        for place in [30, 300, whole.len() / 2, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[place] ^= 1;
            assert_eq!(Patterns::read(&bytes), Err(WeightsError::Damaged), "byte {place}");
        }
    }

    #[test]
    fn a_file_without_a_checksum_is_refused_until_it_is_sealed() {
        let whole = Patterns::built_in().write();
        let rest = whole.strip_prefix(MAGIC.as_bytes()).unwrap();
        let unsealed = [UNSEALED.as_bytes(), &rest[..rest.len() - SUM]].concat();
        assert_eq!(Patterns::read(&unsealed), Err(WeightsError::Unsealed));
        assert_eq!(Patterns::seal(&unsealed).unwrap(), whole);
        assert_eq!(Patterns::seal(&whole), Err(WeightsError::Foreign));
        let cut = Patterns::seal(&unsealed[..unsealed.len() - 1]);
        assert_eq!(cut, Err(WeightsError::Length { found: 4 * WEIGHTS - 1, wanted: 4 * WEIGHTS }));
    }
}
