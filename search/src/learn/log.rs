//! What happened to the weights while they were learned.

use serde::{Deserialize, Serialize};

/// The weights at the end of a period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Period {
    /// Moves learned from so far.
    pub moves: usize,
    /// Games finished so far.
    pub games: usize,
    /// The sum of the absolute changes of all weights since the entry before.
    pub change: f64,
    /// The weights.
    pub weights: Vec<f64>,
}

/// A match of the learner against its opponent, sides swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// Learning games before it.
    pub games: usize,
    /// Games the learner won.
    pub wins: u32,
    /// Games it lost.
    pub losses: u32,
}

/// All entries, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Log {
    /// The weights over time.
    pub periods: Vec<Period>,
    /// The matches.
    pub trials: Vec<Trial>,
}

impl Log {
    /// Notes the weights at the end of a period; `first` are those the training began with.
    pub fn note(&mut self, moves: usize, games: usize, weights: &[f64], first: &[f64]) {
        let last = self.periods.last().map_or(first, |period| &period.weights);
        let change = weights.iter().zip(last).map(|(now, then)| (now - then).abs()).sum();
        self.periods.push(Period { moves, games, change, weights: weights.to_vec() });
    }

    /// How often the learner beat its opponent twice.
    pub fn promotions(&self) -> usize {
        self.trials.iter().filter(|trial| trial.is_promotion()).count()
    }
}

impl Trial {
    /// Whether the learner won both games, so that the opponent becomes its copy.
    pub fn is_promotion(&self) -> bool {
        self.wins == 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_summed_without_sign() {
        let mut log = Log::default();
        log.note(1000, 50, &[1.0, -2.0], &[0.0, 0.0]);
        log.note(2000, 100, &[0.5, -1.0], &[0.0, 0.0]);
        assert_eq!(log.periods.iter().map(|p| p.change).collect::<Vec<_>>(), [3.0, 1.5]);
    }
}
