//! Samuel's scheme: a player learns from its own search while a frozen rival keeps it honest.
//!
//! After every move the static value of the position is moved towards the value that the search found for it. Terms
//! that are known to matter, as material is, stay fixed: without such an anchor all weights could fade to zero, which
//! agrees with itself as well. Of the other terms some are in play and the rest in reserve; the one whose values agree
//! least with what searches find beyond the anchors is marked, and after so many marks gives its place to the first of
//! the reserve. A won game makes the pupil's weights the rival's; after three losses in a row the pupil drops its
//! largest weight, to leave a dead end.
//!
//! Samuel, "Some studies in machine learning using the game of checkers", 1959.

use std::collections::VecDeque;

/// Losses in a row that call for a drastic change.
const LOSSES: u32 = 3;
/// Marks after which a term goes to the reserve.
const MARKS: u32 = 8;
/// Positions over which correlations are formed, at most; the least before any is trusted.
const MEMORY: f64 = 256.0;
const TRIAL: f64 = 64.0;
/// Positions between two marks: neighbours in a game say the same.
const PAUSE: u32 = 16;

/// A term in play.
#[derive(Clone, Debug, PartialEq)]
struct Player {
    term: usize,
    /// How often sums were added to, up to `MEMORY`.
    seen: f64,
    /// Running means of the products of the term's value and what was found, and of their squares.
    product: f64,
    squares: [f64; 2],
    marks: u32,
}

impl Player {
    fn new(term: usize) -> Player {
        Player { term, seen: 0.0, product: 0.0, squares: [0.0; 2], marks: 0 }
    }

    fn observe(&mut self, value: f64, found: f64) {
        self.seen = (self.seen + 1.0).min(MEMORY);
        let follow = |mean: &mut f64, new: f64| *mean += (new - *mean) / self.seen;
        follow(&mut self.product, value * found);
        follow(&mut self.squares[0], value * value);
        follow(&mut self.squares[1], found * found);
    }

    /// How far the term's values go along with what is found, 0 to 1.
    fn correlation(&self) -> f64 {
        let [own, other] = self.squares;
        let deviation = (own * other).sqrt();
        if deviation == 0.0 { 0.0 } else { self.product.abs() / deviation }
    }
}

/// The weights of pupil and rival.
#[derive(Clone, Debug, PartialEq)]
pub struct Samuel {
    /// The weights of the pupil, which change after every move.
    pub weights: Vec<f64>,
    /// The weights of the rival, which change after games.
    pub rival: Vec<f64>,
    /// Terms whose weights are never changed.
    anchors: Vec<usize>,
    players: Vec<Player>,
    reserve: VecDeque<usize>,
    rate: f64,
    losses: u32,
    /// Positions until the next mark.
    pause: u32,
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

/// One term took the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The term that went to the reserve.
    pub out: usize,
    /// The one that came.
    pub by: usize,
}

impl Samuel {
    /// Both begin with the same weights; `rate` is the share of a difference that one move takes away. Of the terms that
    /// are no anchors the first `playing` are in play.
    pub fn new(weights: Vec<f64>, anchors: Vec<usize>, playing: usize, rate: f64) -> Samuel {
        let mut free = (0..weights.len()).filter(|term| !anchors.contains(term));
        let players = free.by_ref().take(playing).map(Player::new).collect();
        let reserve = free.collect();
        Samuel { rival: weights.clone(), weights, anchors, players, reserve, rate, losses: 0, pause: PAUSE }
    }

    /// Moves the static value of a position with these terms towards what the search found.
    pub fn observe(&mut self, terms: &[f64], found: f64) -> Option<Replaced> {
        let anchored: f64 = self.anchors.iter().map(|&i| self.weights[i] * terms[i]).sum();
        let part = |player: &Player| self.weights[player.term] * terms[player.term];
        let value = anchored + self.players.iter().map(part).sum::<f64>();
        let length: f64 = self.players.iter().map(|player| terms[player.term].powi(2)).sum();
        if length > 0.0 {
            let step = self.rate * (found - value) / length;
            for player in &self.players {
                self.weights[player.term] += step * terms[player.term];
            }
        }
        self.players.iter_mut().for_each(|player| player.observe(terms[player.term], found - anchored));
        self.mark()
    }

    /// Marks the term that agrees least with what is found, and replaces it once it has marks enough. While a newcomer is
    /// on trial nobody is compared with it.
    fn mark(&mut self) -> Option<Replaced> {
        self.pause -= 1;
        if self.pause > 0 {
            return None;
        }
        self.pause = PAUSE;
        if self.players.iter().any(|player| player.seen < TRIAL) {
            return None;
        }
        let least = self.players.iter_mut().min_by(|a, b| a.correlation().total_cmp(&b.correlation()))?;
        least.marks += 1;
        if least.marks < MARKS {
            return None;
        }
        let by = self.reserve.pop_front()?;
        let out = std::mem::replace(least, Player::new(by)).term;
        self.reserve.push_back(out);
        self.weights[out] = 0.0;
        Some(Replaced { out, by })
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
        let free = self.players.iter().map(|player| player.term);
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
        let mut samuel = Samuel::new(vec![100.0, 0.0, 0.0], vec![0], 2, 0.2);
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
        let mut samuel = Samuel::new(vec![100.0, -9.0, 4.0], vec![0], 2, 0.1);
        samuel.observe(&[0.0, 0.0, 1.0], 5.0);
        assert_eq!(samuel.finish(1), Change::Promoted);
        assert_eq!(samuel.rival, samuel.weights);
        let results = [-1, -1, 0, -1, -1, -1].map(|result| samuel.finish(result));
        assert_eq!(results[..5], [Change::None; 5]);
        assert_eq!(results[5], Change::Dropped(1));
        assert_eq!(samuel.weights[1], 0.0);
    }

    /// Only the last of four terms explains what is found, and it begins in the reserve.
    #[test]
    fn the_term_that_agrees_least_gives_its_place_to_the_reserve() {
        let mut samuel = Samuel::new(vec![100.0, 0.0, 0.0, 0.0, 0.0], vec![0], 2, 0.1);
        let mut replaced = Vec::new();
        for i in 0..4000_u32 {
            let bit = |n: u32| f64::from(i.wrapping_mul(0x9e37_79b9) >> (20 + n) & 1) * 2.0 - 1.0;
            let terms = [bit(0), bit(1), bit(2), bit(3), bit(4)];
            replaced.extend(samuel.observe(&terms, 100.0 * terms[0] + 20.0 * terms[4]));
        }
        assert!(replaced.iter().any(|change| change.by == 4));
        assert!(replaced.iter().all(|change| change.out != 4), "{replaced:?}");
        assert!((samuel.weights[4] - 20.0).abs() < 2.0, "{:?}", samuel.weights);
        // What is in reserve counts nothing.
        assert!(samuel.reserve.iter().all(|&term| samuel.weights[term] == 0.0));
    }
}
