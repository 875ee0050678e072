//! What can be built for chess.

use std::path::{Path, PathBuf};

use ::chess::book::{Book, Example};
use ::chess::{Position, Rules, text};
use anyhow::{Context, Result, anyhow};
use search::{Game, Root};

use crate::misuse::{Asked, ask};
use crate::place;
use crate::progress::say;
use crate::record::{self, Format, Record, RecordError};

/// Counts the openings of game records into a Polyglot book.
pub(super) fn book(records: &[PathBuf], out: &Path, plies: usize, least: u32) -> Result<()> {
    let mut games = Vec::new();
    for path in records {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display())).asked()?;
        let wrong = |why: RecordError| anyhow!("{}: {why}", path.display());
        for record in Format::Pgn.read(&record::text(bytes)).map_err(wrong)? {
            let game = replay(&record).map_err(wrong)?;
            let winner = record.result.winner();
            games.extend(winner.map(|winner| Example { game, winner, given: record.given() }));
        }
    }
    ask!(!games.is_empty(), "no game of the records has a result: there is nothing to learn from");
    let book = Book::learn(&games, plies, least);
    place::write(out, book.bytes())?;
    say(&format!("{} positions from {} games in {}\n", book.positions(), games.len(), out.display()))
}

/// The game of a record.
fn replay(record: &Record) -> Result<Root<Position>, RecordError> {
    record.game(match record.tag("FEN") {
        Some(fen) => text::read_either(fen).map_err(|error| record.blame(error))?,
        None => Position::start(&Rules::default()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_built_from_records_and_bad_ones_are_refused_by_name() {
        let directory = tempfile::tempdir().unwrap();
        let (games, out) = (directory.path().join("games.pgn"), directory.path().join("book.bin"));
        // Bytes of another encoding stand in the way of nothing.
        let text =
            b"[White \"Andr\xe9\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Result \"*\"]\n\n1. d4 *\n";
        std::fs::write(&games, text).unwrap();
        book(std::slice::from_ref(&games), &out, 16, 1).unwrap();
        let found = Book::open(&out).unwrap();
        let start = Root::new(Position::start(&Rules::default()));
        assert_eq!((found.positions(), found.choose(&start, 1)), (2, start.position().parse("e2e4").ok()));
        std::fs::write(&games, "1. h3 {book} 1... g5 {book} 2. d4 {+0.31/12 0.520s} d5 1/2-1/2\n").unwrap();
        book(std::slice::from_ref(&games), &out, 16, 1).unwrap();
        let found = Book::open(&out).unwrap();
        assert_eq!((found.positions(), found.choose(&start, 1)), (2, None), "nobody chose h3 and g5");
        let shuffled = "[FEN \"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1\"]\n\n1. O-O-O Ke7 1-0\n";
        std::fs::write(&games, shuffled).unwrap();
        book(std::slice::from_ref(&games), &out, 16, 1).unwrap();
        assert_eq!(Book::open(&out).unwrap().positions(), 1);
        std::fs::write(&games, "[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n").unwrap();
        let why = book(std::slice::from_ref(&games), &out, 16, 1).unwrap_err().to_string();
        assert!(why.contains("games.pgn") && why.contains("Ke3"), "{why}");
    }
}
