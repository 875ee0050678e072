//! Samuel's scheme: a player learns from its own search while a frozen rival keeps it honest.
//!
//! After every move the static value of the position is moved towards the value that the search found for it. Terms
//! that are known to matter, as material is, stay fixed: without such an anchor all weights could fade to zero, which
//! agrees with itself as well. A won game makes the pupil's weights the rival's; after three losses in a row the
//! pupil drops its largest weight, to leave a dead end.
//!
//! Samuel, "Some studies in machine learning using the game of checkers", 1959.

/// Losses in a row that call for a drastic change.
const LOSSES: u32 = 3;

/// The weights of pupil and rival.
#[derive(Clone, Debug, PartialEq)]
pub struct Samuel {
    /// The weights of the pupil, which change after every move.
    pub weights: Vec<f64>,
    /// The weights of the rival, which change after games.
    pub rival: Vec<f64>,
    /// Terms whose weights are never changed.
    anchors: Vec<usize>,
    rate: f64,
    losses: u32,
}

/// What a finished game changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    None,
    /// The rival took the pupil's weights.
    Promoted,
    /// The weight of this term was set to zero.
    Dropped(usize),
}

impl Samuel {
    /// Both begin with the same weights; `rate` is the share of a difference that one move takes away.
    pub fn new(weights: Vec<f64>, anchors: Vec<usize>, rate: f64) -> Samuel {
        Samuel { rival: weights.clone(), weights, anchors, rate, losses: 0 }
    }

    /// Moves the static value of a position with these terms towards what the search found.
    pub fn observe(&mut self, terms: &[f64], found: f64) {
        let value: f64 = self.weights.iter().zip(terms).map(|(w, x)| w * x).sum();
        let length: f64 = terms.iter().map(|x| x * x).sum();
        if length == 0.0 {
            return;
        }
        let step = self.rate * (found - value) / length;
        for (i, (w, x)) in self.weights.iter_mut().zip(terms).enumerate() {
            if !self.anchors.contains(&i) {
                *w += step * x;
            }
        }
    }

    /// Ends a game that the pupil won (1), drew (0) or lost (-1).
    pub fn finish(&mut self, result: i32) -> Change {
        self.losses = if result < 0 { self.losses + 1 } else { 0 };
        if result > 0 {
            self.rival.clone_from(&self.weights);
            return Change::Promoted;
        }
        if self.losses < LOSSES {
            return Change::None;
        }
        self.losses = 0;
        let free = (0..self.weights.len()).filter(|i| !self.anchors.contains(i));
        match free.max_by(|&a, &b| self.weights[a].abs().total_cmp(&self.weights[b].abs())) {
            None => Change::None,
            Some(largest) => {
                self.weights[largest] = 0.0;
                Change::Dropped(largest)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn static_values_move_towards_what_the_search_finds() {
        let mut samuel = Samuel::new(vec![100.0, 0.0, 0.0], vec![0], 0.2);
        for i in 0..400 {
            let terms = [f64::from(i % 3 - 1), f64::from(i % 5), 1.0];
            samuel.observe(&terms, 100.0 * terms[0] + 7.0 * terms[1] - 3.0);
        }
        let [anchor, slope, offset] = &samuel.weights[..] else { panic!("three weights") };
        assert_eq!(*anchor, 100.0);
        assert!((slope - 7.0).abs() < 0.1 && (offset + 3.0).abs() < 0.3, "{slope} {offset}");
        assert_eq!(samuel.rival, [100.0, 0.0, 0.0]);
    }

    #[test]
    fn a_win_promotes_and_three_losses_in_a_row_drop_the_largest_weight() {
        let mut samuel = Samuel::new(vec![100.0, -9.0, 4.0], vec![0], 0.1);
        samuel.observe(&[0.0, 0.0, 1.0], 5.0);
        assert_eq!(samuel.finish(1), Change::Promoted);
        assert_eq!(samuel.rival, samuel.weights);
        let results = [-1, -1, 0, -1, -1, -1].map(|result| samuel.finish(result));
        assert_eq!(results[..5], [Change::None; 5]);
        assert_eq!(results[5], Change::Dropped(1));
        assert_eq!(samuel.weights[1], 0.0);
    }
}
