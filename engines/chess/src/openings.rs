//! Balanced openings by random moves: what test benches ask for with `genfens N seed S book FILE`.

use std::path::Path;

use ::search::walk::open_walk;
use ::search::{Game, Random, Root};

use crate::learn::Games;
use crate::{Position, Rules, tuning};

/// Random plies from the start, and from a position of a book, which is an opening already.
const PLIES: u32 = 8;
const BOOK_PLIES: u32 = 2;
/// A book without balanced positions is given up after so many tries.
const TRIES: usize = 200;
/// Nodes that judge an opening, and the largest value of a balanced one.
const NODES: u64 = 1000;
const BALANCE: i32 = 120;

/// The answer to `genfens N [seed S] [book FILE]`.
pub fn genfens(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some(count) = words.get(1).and_then(|word| word.parse().ok()) else {
        return "info string genfens needs a number: genfens N [seed S] [book FILE]".to_owned();
    };
    let after = |name: &str| words.iter().position(|word| *word == name).and_then(|i| words.get(i + 1));
    let seed = after("seed").and_then(|word| word.parse().ok()).unwrap_or(0);
    let book = after("book").filter(|word| !word.eq_ignore_ascii_case("none"));
    let fens = match book {
        Some(path) => openings_of(Path::new(path), count, seed),
        None => Ok(openings(count, seed)),
    };
    match fens {
        Ok(fens) => fens.iter().map(|p| format!("info string genfens {p}")).collect::<Vec<_>>().join("\n"),
        Err(why) => format!("info string genfens: {why}"),
    }
}

/// Positions after random moves in which neither side stands better.
pub fn openings(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut games = Games::new(tuning::weights(), NODES);
    (0..count).map(|_| *open(&mut games, PLIES, BALANCE, &mut random).position()).collect()
}

/// Positions after random moves from those of a book.
fn openings_of(path: &Path, count: usize, seed: u64) -> Result<Vec<Position>, String> {
    let starts = read_book(path)?;
    let mut random = Random::new(seed);
    let mut games = Games::new(tuning::weights(), NODES);
    let mut next = || {
        (0..TRIES).find_map(|_| {
            let start = &starts[random.below(starts.len() as u32) as usize];
            let game = open_walk(start, (BOOK_PLIES + random.below(2)) as usize, &mut random);
            (games.judge(&game).abs() <= BALANCE).then(|| *game.position())
        })
    };
    (0..count)
        .map(|_| next().ok_or_else(|| format!("{}: no balanced opening comes of it", path.display())))
        .collect()
}

/// The positions of a file, one FEN or EPD a line; those that have no moves are left out.
fn read_book(path: &Path) -> Result<Vec<Position>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut starts = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fen = line.split(';').next().unwrap_or(line);
        let words: Vec<&str> = fen.split_whitespace().collect();
        // An EPD has operations after its four fields where a FEN has its counters.
        let numbers = words.iter().skip(4).take(2).take_while(|word| word.parse::<u32>().is_ok()).count();
        let start = Position::read(&Rules::default(), &words[..words.len().min(4 + numbers)].join(" "));
        let start = start.map_err(|error| format!("{} line {}: {error}", path.display(), i + 1))?;
        starts.extend((start.count() > 0).then_some(start));
    }
    if starts.is_empty() {
        return Err(format!("{}: no positions", path.display()));
    }
    Ok(starts)
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
        let text = genfens("genfens 3 seed 7 book None");
        assert_eq!(text.lines().count(), 3);
        for line in text.lines() {
            let fen = line.strip_prefix("info string genfens ").unwrap();
            assert!(Position::read(&Rules::default(), fen).is_ok());
        }
        assert_eq!(genfens("genfens 3 seed 7 book None"), text);
        assert!(genfens("genfens many").contains("needs a number"));
    }

    #[test]
    fn openings_come_from_a_book() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let ask = |text: &str| {
            std::fs::write(file.path(), text).unwrap();
            genfens(&format!("genfens 2 seed 1 book {}", file.path().display()))
        };
        // Nothing but kings and blocked pawns: what comes of it shows where it began.
        let text = ask("4k3/p7/P7/8/8/7p/7P/4K3 w - - bm Kd2; id \"a\";\n");
        assert_eq!(text.matches("/P7/8/8/7p/").count(), 2, "{text}");
        assert!(ask("4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1\n").contains("no balanced opening"));
        assert!(ask("4k3/8 w - - 0 1\n").contains("line 1"));
        assert!(genfens("genfens 1 seed 1 book /nowhere").contains("/nowhere"));
    }
}
