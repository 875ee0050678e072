//! What each feature is worth in each stage, in hundredths of a man.
//!
//! A weight file has one `stage feature: value` line for each; `#` opens a comment.

use std::fmt;

use crate::Position;
use crate::features::{COUNT, Features, NAMES, STAGES, features, stage};

/// A weight for every feature in every stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// By stage, then by feature.
    pub values: [[i32; COUNT]; STAGES.len()],
}

/// Why a text is not a weight file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// A line that cannot be read.
    #[error("line {line}: {why}")]
    Line {
        /// Its number from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// A weight that no line gives.
    #[error("the weight of '{0}' is missing")]
    Missing(String),
}

/// The largest weight that keeps every value an opinion.
const LARGEST: i32 = 500;

impl Weights {
    /// The value of a position in hundredths of a man from its side to move.
    pub fn value(&self, position: &Position) -> i32 {
        self.score(position, &features(position))
    }

    /// The same from features already counted.
    pub fn score(&self, position: &Position, features: &Features) -> i32 {
        let weights = &self.values[stage(position) as usize];
        features.iter().zip(weights).map(|(value, weight)| value * weight).sum()
    }

    /// Reads a weight file.
    pub fn read(text: &str) -> Result<Weights, WeightsError> {
        let mut values = [[None; COUNT]; STAGES.len()];
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim()).zip(1..);
        for (text, line) in lines.filter(|(text, _)| !text.is_empty()) {
            let refuse = |why: String| WeightsError::Line { line, why };
            let (name, value) =
                text.split_once(':').ok_or_else(|| refuse(format!("'{text}' has no colon")))?;
            let (stage, feature) =
                place(name.trim()).ok_or_else(|| refuse(format!("no weight is called '{}'", name.trim())))?;
            let value = value.trim().parse::<i32>().ok().filter(|value| (-LARGEST..=LARGEST).contains(value));
            let value = value.ok_or_else(|| refuse(format!("'{text}' has no weight up to {LARGEST}")))?;
            if values[stage][feature].replace(value).is_some() {
                return Err(refuse(format!("'{}' appears twice", name.trim())));
            }
        }
        let mut out = Weights { values: [[0; COUNT]; STAGES.len()] };
        for (stage, feature) in places() {
            let missing = || WeightsError::Missing(name(stage, feature));
            out.values[stage][feature] = values[stage][feature].ok_or_else(missing)?;
        }
        Ok(out)
    }
}

fn places() -> impl Iterator<Item = (usize, usize)> {
    (0..STAGES.len()).flat_map(|stage| (0..COUNT).map(move |feature| (stage, feature)))
}

fn place(text: &str) -> Option<(usize, usize)> {
    places().find(|&(stage, feature)| name(stage, feature) == text)
}

fn name(stage: usize, feature: usize) -> String {
    format!("{} {}", STAGES[stage], NAMES[feature])
}

impl fmt::Display for Weights {
    /// As a weight file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        places().try_for_each(|(stage, feature)| {
            writeln!(f, "{}: {}", name(stage, feature), self.values[stage][feature])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning;

    #[test]
    fn a_file_is_read_back_as_written() {
        let weights = tuning::weights();
        assert_eq!(Weights::read(&format!("# by hand\n{weights}")), Ok(weights));
    }

    #[test]
    fn bad_files_are_refused_by_line() {
        let why = |text: &str| Weights::read(text).unwrap_err().to_string();
        assert_eq!(why(""), "the weight of 'placing men' is missing");
        assert_eq!(why("\nplacing men"), "line 2: 'placing men' has no colon");
        assert_eq!(why("placing kings: 3"), "line 1: no weight is called 'placing kings'");
        assert_eq!(why("placing men: much"), "line 1: 'placing men: much' has no weight up to 500");
        // The least number has no absolute value.
        let least = i32::MIN;
        assert_eq!(
            why(&format!("placing men: {least}")),
            format!("line 1: 'placing men: {least}' has no weight up to 500")
        );
        assert_eq!(why("placing men: 1\nplacing men: 1"), "line 2: 'placing men' appears twice");
    }
}
