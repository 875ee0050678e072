//! Positions turned into numbers: rows of few non-zero features with the result to be predicted.
//!
//! A tapered feature has two weights, for the opening and for the ending of a game; between them the
//! phase of a position decides. Rows store each feature once, whatever the number of its weights.

use std::ops::Range;

/// One feature that is not zero: its index and its value.
pub type Entry = (u32, f32);

/// Whether each feature has one weight or one for each end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taper {
    /// One weight; phases are ignored.
    None,
    /// Two weights. Those of phase 1 (opening) come first, then those of phase 0 (ending).
    TwoEnds,
}

impl Taper {
    /// The number of weights of this many features.
    pub fn weights(self, features: usize) -> usize {
        match self {
            Taper::None => features,
            Taper::TwoEnds => 2 * features,
        }
    }
}

/// A set of positions with their targets, packed for fitting.
#[derive(Clone, Debug)]
pub struct Samples {
    features: usize,
    taper: Taper,
    entries: Vec<Entry>,
    ends: Vec<usize>,
    phases: Vec<f32>,
    targets: Vec<f32>,
}

impl Samples {
    /// No samples yet, of positions described by this many features.
    pub fn new(features: usize, taper: Taper) -> Samples {
        Samples {
            features,
            taper,
            entries: Vec::new(),
            ends: Vec::new(),
            phases: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// Adds a position: its features, its phase from 1 (opening) to 0 (ending) and its target.
    ///
    /// # Panics
    /// If an index is not that of a feature.
    pub fn push(&mut self, entries: impl IntoIterator<Item = Entry>, phase: f32, target: f32) {
        let first = self.entries.len();
        self.entries.extend(entries.into_iter().filter(|entry| entry.1 != 0.0));
        assert!(self.entries[first..].iter().all(|entry| (entry.0 as usize) < self.features));
        self.ends.push(self.entries.len());
        self.phases.push(phase);
        self.targets.push(target);
    }

    /// Adds all samples of another set of the same shape.
    ///
    /// # Panics
    /// If the shapes differ.
    pub fn append(&mut self, other: &Samples) {
        assert_eq!((self.features, self.taper), (other.features, other.taper));
        let offset = self.entries.len();
        self.entries.extend_from_slice(&other.entries);
        self.ends.extend(other.ends.iter().map(|end| end + offset));
        self.phases.extend_from_slice(&other.phases);
        self.targets.extend_from_slice(&other.targets);
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of weights a fit will find.
    pub fn weights(&self) -> usize {
        self.taper.weights(self.features)
    }

    /// What is to be predicted for a sample.
    pub fn target(&self, sample: usize) -> f32 {
        self.targets[sample]
    }

    /// The weighted sum of a sample's features.
    #[inline]
    pub fn value(&self, sample: usize, weights: &[f64]) -> f64 {
        let row = &self.entries[self.row(sample)];
        match self.taper {
            Taper::None => dot(row, weights),
            Taper::TwoEnds => {
                let (opening, ending) = weights.split_at(self.features);
                let phase = f64::from(self.phases[sample]);
                phase * dot(row, opening) + (1.0 - phase) * dot(row, ending)
            }
        }
    }

    /// Adds `factor` times the derivative of the sample's value to a gradient.
    #[inline]
    pub fn add_gradient(&self, sample: usize, factor: f64, gradient: &mut [f64]) {
        let row = &self.entries[self.row(sample)];
        match self.taper {
            Taper::None => add(row, factor, gradient),
            Taper::TwoEnds => {
                let (opening, ending) = gradient.split_at_mut(self.features);
                let phase = f64::from(self.phases[sample]);
                add(row, factor * phase, opening);
                add(row, factor * (1.0 - phase), ending);
            }
        }
    }

    fn row(&self, sample: usize) -> Range<usize> {
        let start = if sample == 0 { 0 } else { self.ends[sample - 1] };
        start..self.ends[sample]
    }
}

#[inline]
fn dot(row: &[Entry], weights: &[f64]) -> f64 {
    row.iter().fold(0.0, |sum, &(index, value)| sum + f64::from(value) * weights[index as usize])
}

#[inline]
fn add(row: &[Entry], factor: f64, gradient: &mut [f64]) {
    for &(index, value) in row {
        gradient[index as usize] += factor * f64::from(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phase_decides_between_the_two_weights_of_a_feature() {
        let mut samples = Samples::new(2, Taper::TwoEnds);
        samples.push([(0, 1.0), (1, 0.0)], 1.0, 1.0);
        samples.push([(0, 2.0), (1, 1.0)], 0.25, 0.0);
        let weights = [10.0, 20.0, 100.0, 200.0];
        assert_eq!(samples.value(0, &weights), 10.0);
        assert_eq!(samples.value(1, &weights), 0.25 * 40.0 + 0.75 * 400.0);
        let mut gradient = [0.0; 4];
        samples.add_gradient(1, 2.0, &mut gradient);
        assert_eq!(gradient, [1.0, 0.5, 3.0, 1.5]);
        assert_eq!(samples.entries.len(), 3, "a feature that is zero takes no place");
    }

    #[test]
    fn appended_samples_keep_their_values() {
        let mut first = Samples::new(3, Taper::None);
        first.push([(2, 4.0)], 0.0, 0.5);
        let mut second = Samples::new(3, Taper::None);
        second.push([(0, 1.0), (1, 1.0)], 0.0, 1.0);
        first.append(&second);
        assert_eq!((first.len(), first.value(1, &[1.0, 2.0, 3.0]), first.target(1)), (2, 3.0, 1.0));
    }
}
