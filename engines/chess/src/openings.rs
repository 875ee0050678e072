//! Balanced openings by random moves: what test benches ask for with `genfens N seed S book FILE [EXTRA]`.

use std::path::Path;

use ::search::learn::games::{Opening, judge, open};
use ::search::walk::open_walk;
use ::search::{Game, Limits, Random};

use crate::search::{Config, Searcher};
use crate::{Evaluation, Position, Rules, text, tuning};

/// Random plies from the start, and from a position of a book, which is an opening already.
const PLIES: u32 = 8;
const BOOK_PLIES: u32 = 2;
/// A book without balanced positions is given up after so many tries.
const TRIES: usize = 200;
/// Nodes that judge an opening, and the largest value of a balanced one.
const NODES: u64 = 1000;
const BALANCE: i32 = 120;
/// The most openings of one request, since nothing interrupts it.
const MOST: usize = 100_000;

/// The answer to `genfens N [seed S] [book FILE]`.
pub fn genfens(line: &str) -> Result<String, String> {
    let fens = request(line).and_then(|(count, seed, book)| match book {
        Some(path) => openings_of(Path::new(path), count, seed),
        None => Ok(openings(count, seed)),
    });
    let fens = fens.map_err(|why| format!("genfens: {why}"))?;
    Ok(fens.iter().map(|p| format!("info string genfens {p}")).collect::<Vec<_>>().join("\n"))
}

/// How many openings are asked for, by which seed and from which book.
fn request(line: &str) -> Result<(usize, u64, Option<&str>), String> {
    let (head, rest) = match around(line.trim_end(), "book") {
        Some((head, rest)) => (head, Some(rest.trim_start())),
        None => (line, None),
    };
    let words: Vec<&str> = head.split_whitespace().collect();
    let (count, seed) = match words[..] {
        [_, count] => (count, "0"),
        [_, count, "seed", seed] => (count, seed),
        _ => return Err("usage: genfens N [seed S] [book FILE]".to_owned()),
    };
    let number = count.parse().ok().filter(|&n: &usize| (1..=MOST).contains(&n));
    let number = number.ok_or_else(|| format!("'{count}' is not a number from 1 to {MOST}"))?;
    let seed = seed
        .parse::<u64>()
        .map_err(|_| format!("the seed '{seed}' is not a number from 0 to {}", u64::MAX))?;
    Ok((number, seed, rest.and_then(book)))
}

/// The file that a text begins with: its name may have blanks, and a test bench may add words of its own.
fn book(text: &str) -> Option<&str> {
    if text.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("none")) {
        return None;
    }
    let shorter = text.rmatch_indices(char::is_whitespace).map(|(at, _)| &text[..at]);
    let mut names = std::iter::once(text).chain(shorter);
    Some(names.find(|name| Path::new(name).is_file()).unwrap_or(text))
}

/// What stands before and after a word.
fn around<'t>(text: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    let mut places = text.match_indices(word).map(|(at, _)| (&text[..at], &text[at + word.len()..]));
    places.find(|(before, after)| {
        before.ends_with(char::is_whitespace) && after.starts_with(char::is_whitespace)
    })
}

/// Who judges openings; a small table, since each is judged anew.
fn player() -> Searcher {
    let mut player = Searcher::new(Config::default(), tuning::evaluator(Evaluation::Full));
    // A failure leaves the larger table, which serves as well.
    let _ = player.resize(1);
    player
}

/// Positions after random moves in which neither side stands better.
pub fn openings(count: usize, seed: u64) -> Vec<Position> {
    let (mut random, mut player) = (Random::new(seed), player());
    let start = Position::start(&Rules::default());
    let opening = Opening { plies: PLIES, choices: 2, balance: Some(BALANCE) };
    let mut next = || *open(&mut player, &start, opening, &Limits::nodes(NODES), &mut random).position();
    (0..count).map(|_| next()).collect()
}

/// Positions after random moves from those of a book.
fn openings_of(path: &Path, count: usize, seed: u64) -> Result<Vec<Position>, String> {
    let starts = read_book(path)?;
    let (mut random, mut player) = (Random::new(seed), player());
    let mut next = || {
        (0..TRIES).find_map(|_| {
            let start = &starts[random.below(starts.len() as u32) as usize];
            let game = open_walk(start, (BOOK_PLIES + random.below(2)) as usize, &mut random);
            (judge(&mut player, &game, &Limits::nodes(NODES)).abs() <= BALANCE).then(|| *game.position())
        })
    };
    (0..count)
        .map(|_| next().ok_or_else(|| format!("{}: no balanced opening found", path.display())))
        .collect()
}

/// The positions of a file, one FEN or EPD a line; those that have no moves are left out.
fn read_book(path: &Path) -> Result<Vec<Position>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut starts = Vec::new();
    // Editors of Windows begin a file with a mark of its encoding.
    let text = text.trim_start_matches('\u{feff}');
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fen = line.split(';').next().unwrap_or(line);
        let words: Vec<&str> = fen.split_whitespace().collect();
        // An EPD has operations after its four fields where a FEN has its counters.
        let numbers = words.iter().skip(4).take(2).take_while(|word| word.parse::<u32>().is_ok()).count();
        let start = text::read_either(&words[..words.len().min(4 + numbers)].join(" "));
        let start = start.map_err(|error| format!("{} line {}: {error}", path.display(), i + 1))?;
        starts.extend((start.count() > 0).then_some(start));
    }
    if starts.is_empty() {
        return Err(format!("{}: no positions", path.display()));
    }
    Ok(starts)
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
        for same in ["genfens 3 seed 7 book None", "genfens 3 seed 7 book none of=ours"] {
            assert_eq!(genfens(same).unwrap(), text);
        }
    }

    #[test]
    fn what_cannot_be_given_is_refused_by_name() {
        for count in ["many", "-1", "0", "100001", "1000000000000", "18446744073709551616"] {
            let why = genfens(&format!("genfens {count} seed 7 book None")).unwrap_err();
            assert_eq!(why, format!("genfens: '{count}' is not a number from 1 to 100000"));
        }
        for seed in ["-1", "x"] {
            assert!(
                genfens(&format!("genfens 1 seed {seed}"))
                    .unwrap_err()
                    .contains(&format!("the seed '{seed}'"))
            );
        }
        for line in ["genfens", "genfens 1 seed", "genfens 1 sed 7", "genfens 1 seed 7 book"] {
            assert!(genfens(line).unwrap_err().contains("genfens N [seed S] [book FILE]"), "{line}");
        }
    }

    #[test]
    fn openings_come_from_a_book() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let ask = |text: &str| {
            std::fs::write(file.path(), text).unwrap();
            genfens(&format!("genfens 2 seed 1 book {} a=b c", file.path().display()))
        };
        // Nothing but kings and blocked pawns: what comes of it shows where it began.
        let text = ask("\u{feff}4k3/p7/P7/8/8/7p/7P/4K3 w - - bm Kd2; id \"a\";\n").unwrap();
        assert_eq!(text.matches("/P7/8/8/7p/").count(), 2, "{text}");
        assert!(ask("4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1\n").unwrap_err().contains("no balanced opening"));
        assert!(ask("4k3/8 w - - 0 1\n").unwrap_err().contains("line 1"));
    }

    #[test]
    fn a_book_may_hold_starts_of_chess960() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let fen = "rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HAha - 0 1";
        std::fs::write(file.path(), fen).unwrap();
        assert_eq!(read_book(file.path()).unwrap()[0].to_string(), fen);
    }

    #[test]
    fn the_name_of_a_book_may_have_blanks() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("my  books of seed 3.epd");
        std::fs::write(&path, "4k3/p7/P7/8/8/7p/7P/4K3 w - -\n").unwrap();
        let text = genfens(&format!("genfens 1 seed 1 book {} ", path.display())).unwrap();
        assert!(text.contains("/P7/8/8/7p/"), "{text}");
        let text = genfens("genfens 1 book /nowhere/a b.epd").unwrap_err();
        assert!(text.starts_with("genfens: /nowhere/a b.epd: "), "{text}");
    }
}
