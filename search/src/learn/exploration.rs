//! How often a teacher errs on purpose: often at first, hardly ever in the end.

use serde::{Deserialize, Serialize};

use super::temporal::CourseError;

/// The chance of a random move as a falling sigmoid of the progress of training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sigmoid {
    /// The chance it falls from, 0 to 1.
    pub high: f64,
    /// The progress, 0 to 1, at which half of it is left.
    pub middle: f64,
    /// How gently it falls, in units of progress.
    pub width: f64,
}

impl Sigmoid {
    /// The chance when this part of the training, 0 to 1, is done.
    pub fn chance(&self, progress: f64) -> f64 {
        self.high / (1.0 + libm::exp((progress - self.middle) / self.width))
    }

    /// Refuses parameters outside their ranges.
    pub fn check(&self) -> Result<(), CourseError> {
        if !(0.0..=1.0).contains(&self.high) {
            return Err(CourseError::new("the chance of a random move", self.high, "in 0..=1"));
        }
        if !(self.width > 0.0 && self.width.is_finite() && self.middle.is_finite()) {
            return Err(CourseError::new("the width of the sigmoid", self.width, "above 0"));
        }
        Ok(())
    }
}

impl Default for Sigmoid {
    fn default() -> Self {
        Sigmoid { high: 0.5, middle: 0.4, width: 0.1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chance_falls_from_high_to_nothing() {
        let sigmoid = Sigmoid::default();
        assert!((sigmoid.chance(0.0) - 0.5).abs() < 0.02);
        assert!((sigmoid.chance(0.4) - 0.25).abs() < 1e-12);
        assert!(sigmoid.chance(1.0) < 0.01);
        assert!(sigmoid.check().is_ok() && Sigmoid { high: 1.5, ..sigmoid }.check().is_err());
    }
}
