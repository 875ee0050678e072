//! What can be built for chess.

use std::path::{Path, PathBuf};

use ::chess::book::Book;
use ::chess::{Position, Rules};
use anyhow::{Context, Result, anyhow};
use search::{Game, Root};

use crate::record::{GameResult, Record, pgn};

/// Counts the openings of game records into a Polyglot book.
#[allow(clippy::print_stdout)]
pub(super) fn book(records: &[PathBuf], out: &Path, plies: usize, least: u32) -> Result<()> {
    let mut games = Vec::new();
    for path in records {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let wrong = |why: String| anyhow!("{}: {why}", path.display());
        for record in pgn::read(&text).map_err(|error| wrong(error.to_string()))? {
            let game = replay(&record).map_err(|why| wrong(format!("line {}: {why}", record.line)))?;
            match record.result {
                GameResult::Won(side) => games.push((game, Some(side))),
                GameResult::Drawn => games.push((game, None)),
                GameResult::Open => {}
            }
        }
    }
    let book = Book::learn(&games, plies, least);
    std::fs::write(out, book.bytes()).with_context(|| format!("cannot write {}", out.display()))?;
    println!("{} positions from {} games in {}", book.positions(), games.len(), out.display());
    Ok(())
}

/// The game of a record.
fn replay(record: &Record) -> Result<Root<Position>, String> {
    let rules = Rules { chess960: record.tag("Variant").is_some_and(|name| name.contains("960")) };
    let start = match record.tag("FEN") {
        Some(fen) => Position::read(&rules, fen).map_err(|error| error.to_string())?,
        None => Position::start(&rules),
    };
    let mut game = Root::new(start);
    for m in &record.moves {
        game.play_text(&m.text).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_built_from_records_and_bad_ones_are_refused_by_name() {
        let directory = tempfile::tempdir().unwrap();
        let (games, out) = (directory.path().join("games.pgn"), directory.path().join("book.bin"));
        std::fs::write(&games, "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Result \"*\"]\n\n1. d4 *\n")
            .unwrap();
        book(std::slice::from_ref(&games), &out, 16, 1).unwrap();
        let found = Book::open(&out).unwrap();
        let start = Position::start(&Rules::default());
        assert_eq!((found.positions(), found.choose(&start, 1)), (2, start.parse("e2e4").ok()));
        std::fs::write(&games, "[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n").unwrap();
        let why = book(std::slice::from_ref(&games), &out, 16, 1).unwrap_err().to_string();
        assert!(why.contains("games.pgn") && why.contains("Ke3"), "{why}");
    }
}
