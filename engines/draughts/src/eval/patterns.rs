//! The learned evaluation: one weight for each content of each region and for each term, for the opening
//! and for the ending, and the file that keeps them.

use search::{Game, Score, Side};

use super::features::{PATTERNS, PHASES, TERMS, WEIGHTS, patterns, phase, terms};
use crate::Position;

/// Parts of a hundredth of a man in which weights are kept.
pub const UNIT: i32 = 32;

/// How the file begins; behind its first line come the weights as 16-bit numbers, least byte first.
const MAGIC: &str = "quintet draughts patterns 1;";

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
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0);
        let header = String::from_utf8_lossy(&bytes[..end]).into_owned();
        if !header.starts_with(MAGIC) {
            return Err(WeightsError::Foreign);
        }
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
        let mut bytes = Patterns::built_in().write();
        bytes.pop();
        assert_eq!(
            Patterns::read(&bytes),
            Err(WeightsError::Length { found: 4 * WEIGHTS - 1, wanted: 4 * WEIGHTS })
        );
    }
}
