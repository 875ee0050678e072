//! Matches between two players in this process: pairs of games from one random opening with sides swapped.

use std::collections::BTreeMap;
use std::fmt;

use rayon::prelude::*;

use super::selfplay::{opening, random_of_game};
use crate::{Control, Game, Limits, Root, Search, Side};

/// The games of a match from the first player's side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Pairs of games by the points the first player made in them, in half points: 0 to 4.
    pairs: [u32; 5],
}

impl Tally {
    /// The games played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The points made of those possible, 0 to 1.
    pub fn score(&self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games().max(1))
    }

    /// Half the width of the interval that holds the true score in 95 of 100 matches, from the spread of the pairs.
    pub fn margin(&self) -> f64 {
        let count = f64::from(self.pairs.iter().sum::<u32>().max(1));
        let mean = self.score();
        let spread: f64 = self
            .pairs
            .iter()
            .zip(0..)
            .map(|(&pairs, half_points)| f64::from(pairs) * (f64::from(half_points) / 4.0 - mean).powi(2))
            .sum();
        1.96 * (spread / count / count).sqrt()
    }

    fn add(&mut self, results: [i32; 2]) {
        for result in results {
            match result {
                1 => self.wins += 1,
                0 => self.draws += 1,
                _ => self.losses += 1,
            }
        }
        self.pairs[(results[0] + results[1] + 2) as usize] += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "+{} ={} -{}: {:.1} % (95 % interval {:.1} to {:.1})",
            self.wins,
            self.draws,
            self.losses,
            100.0 * self.score(),
            100.0 * (self.score() - self.margin()).max(0.0),
            100.0 * (self.score() + self.margin()).min(1.0),
        )
    }
}

/// How a match is arranged.
#[derive(Clone, Debug, PartialEq)]
pub struct Duel {
    /// Pairs of games.
    pub pairs: usize,
    /// Random plies before the players take over.
    pub opening: u32,
    /// What each player may spend on a move.
    pub limits: [Limits; 2],
    /// Where the openings come from.
    pub seed: u64,
}

/// What each pair of a match came to so far: 1, 0 or -1 for the first player in both of its games.
pub type Results = BTreeMap<usize, [i32; 2]>;

impl Duel {
    /// Plays the pairs of the match that are not yet done on all threads of the current pool; `note` hears of each.
    ///
    /// With depth or node limits the result is the same for any number of threads.
    pub fn play<G: Game, A: Search<G>, B: Search<G>>(
        &self,
        rules: &G::Rules,
        players: impl Fn() -> (A, B) + Sync,
        mut done: Results,
        note: impl Fn(usize, [i32; 2]) + Sync,
    ) -> Tally {
        let left: Vec<usize> = (0..self.pairs).filter(|pair| !done.contains_key(pair)).collect();
        let results: Vec<(usize, [i32; 2])> = left
            .into_par_iter()
            .map_init(&players, |(first, second), pair| {
                let start: Root<G> = opening(rules, self.opening, &mut random_of_game(self.seed, pair));
                let side = start.position().turn();
                let results = [side, !side].map(|own| self.game(start.clone(), own, first, second));
                note(pair, results);
                (pair, results)
            })
            .collect();
        done.extend(results);
        let mut tally = Tally::default();
        done.range(..self.pairs).for_each(|(_, &pair)| tally.add(pair));
        tally
    }

    /// 1, 0 or -1 for the first player, who has the side `own`.
    fn game<G: Game>(
        &self,
        mut root: Root<G>,
        own: Side,
        first: &mut impl Search<G>,
        second: &mut impl Search<G>,
    ) -> i32 {
        first.forget();
        second.forget();
        loop {
            if let Some(outcome) = root.outcome() {
                return outcome.winner.map_or(0, |winner| if winner == own { 1 } else { -1 });
            }
            let control = Control::default();
            let found = if root.position().turn() == own {
                first.think(&root, &self.limits[0], &control, &mut |_| {})
            } else {
                second.think(&root, &self.limits[1], &control, &mut |_| {})
            };
            root.play(found.best.expect("the game is not over"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_knows_its_score_and_its_doubt() {
        let mut tally = Tally::default();
        for results in [[1, 1], [1, -1], [0, 1], [-1, 0]] {
            tally.add(results);
        }
        assert_eq!((tally.wins, tally.draws, tally.losses), (4, 2, 2));
        assert_eq!(tally.score(), 0.625);
        assert!(tally.margin() > 0.2 && tally.margin() < 0.4);
        assert!(tally.to_string().starts_with("+4 =2 -2: 62.5 %"));
    }

    #[test]
    fn equal_pairs_leave_no_doubt() {
        let mut tally = Tally::default();
        (0..50).for_each(|_| tally.add([1, -1]));
        assert_eq!((tally.score(), tally.margin()), (0.5, 0.0));
    }
}
