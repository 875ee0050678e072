//! Balanced openings by random moves: what test benches ask for with `genfens N seed S`.

use ::search::walk::open_walk;
use ::search::{Game, Random, Root};

use crate::learn::Games;
use crate::{Position, Rules, tuning};

const PLIES: u32 = 8;
/// Nodes that judge an opening, and the largest value of a balanced one.
const NODES: u64 = 1000;
const BALANCE: i32 = 120;

/// The answer to `genfens N seed S ...`; none if the line is something else.
pub fn genfens(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["genfens", count, rest @ ..] = &words[..] else { return None };
    let seed = rest.iter().position(|word| *word == "seed").and_then(|i| rest.get(i + 1));
    let seed = seed.and_then(|word| word.parse().ok()).unwrap_or(0);
    let fens = openings(count.parse().ok()?, seed);
    Some(fens.iter().map(|fen| format!("info string genfens {fen}")).collect::<Vec<_>>().join("\n"))
}

/// Positions after random moves in which neither side stands better.
pub fn openings(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut games = Games::new(tuning::weights(), NODES);
    (0..count).map(|_| *open(&mut games, PLIES, BALANCE, &mut random).position()).collect()
}

/// A random game of `plies` plies or one more in which neither side is ahead by more than `balance`.
pub(crate) fn open(games: &mut Games, plies: u32, balance: i32, random: &mut Random) -> Root<Position> {
    let start = Position::start(&Rules::default());
    loop {
        let game = open_walk(&start, (plies + random.below(2)) as usize, random);
        if games.judge(&game).abs() <= balance {
            return game;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_given_as_test_benches_want_them() {
        let text = genfens("genfens 3 seed 7 book None").unwrap();
        assert_eq!(text.lines().count(), 3);
        for line in text.lines() {
            let fen = line.strip_prefix("info string genfens ").unwrap();
            assert!(Position::read(&Rules::default(), fen).is_ok());
        }
        assert_eq!(genfens("genfens 3 seed 7 book None"), Some(text));
        assert_eq!(genfens("genfens many"), None);
        assert_eq!(genfens("go depth 3"), None);
    }
}
