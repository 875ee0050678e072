//! What can be built for draughts.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use draughts::book::{Book, Example};
use draughts::endgame::{Database, Endgames, MOST_PIECES, slow};
use draughts::{Position, Rules};
use search::endgame::{Format, Library, Space};
use search::{Game, Root, Rulebook};

use crate::build::{Extent, Job, Settings, build_all, sound};
use crate::misuse::{Asked, ask};
use crate::place;
use crate::probe::{Oracle, oracle};
use crate::progress::say;
use crate::record::{self, Record, RecordError};
use crate::referee::Refereed;

/// Pieces of the endings that are built unless told otherwise.
const PIECES: usize = 5;

/// Builds or verifies the endgames of so many pieces, of the variant in force.
pub(super) fn endgame(directory: &Path, extent: &Extent, rules: &Settings, job: Job) -> Result<()> {
    let pieces = most_pieces(extent)?.unwrap_or(PIECES);
    ask!(pieces <= MOST_PIECES, "endgames of more than {MOST_PIECES} pieces cannot be built");
    ask!(
        job.format.has_distances(),
        "--wdl: the engine needs distances to win, and they are stored packed anyway"
    );
    let space = Endgames::new(rules.rules::<Rules>()?.variant);
    let units: Vec<usize> = (0..space.units()).filter(|&unit| space.pieces(unit) <= pieces).collect();
    // Distances are packed: a probe unpacks them faster than a search asks.
    build_all(space, directory, &units, Job { format: Format::Packed, ..job })
}

/// Compares what is there with a solver that shares nothing but the rules.
pub(super) fn compare(directory: &Path, extent: &Extent, rules: &Settings) -> Result<()> {
    let pieces = most_pieces(extent)?.unwrap_or(slow::MOST_PIECES);
    ask!(pieces <= slow::MOST_PIECES, "the slow solver handles at most {} pieces", slow::MOST_PIECES);
    let variant = rules.rules::<Rules>()?.variant;
    let database = sound(Database::open(variant, directory))?;
    let (library, space) = (database.library(), database.library().space());
    let missing = library.missing((0..space.units()).filter(|&unit| space.pieces(unit) <= pieces));
    ensure!(missing.is_empty(), "{} endgame tables are missing: {}", missing.len(), missing.join(" "));
    let positions = slow::compare(&database, variant, pieces)?;
    say(&format!("{positions} positions of up to {pieces} pieces agree with the slow solver\n"))
}

/// The tables, to be asked about positions.
pub(super) fn consult(directory: &Path, rules: &Settings) -> Result<Box<dyn Oracle>> {
    let rules: Rules = rules.rules()?;
    let library = sound(Library::open(Endgames::new(rules.variant), directory))?;
    Ok(oracle(rules, move |position| {
        let (unit, index) = library.space().locate(position)?;
        library.told(unit, index)
    }))
}

/// The limit that was given; endings are cut by all pieces, not by those of each side.
fn most_pieces(extent: &Extent) -> Result<Option<usize>> {
    let &Extent { up_to, pieces, .. } = extent;
    extent.without_placing()?;
    ask!(up_to.is_none(), "--up-to: endgames of draughts are limited by --pieces");
    ask!(pieces.is_none_or(|pieces| pieces >= 2), "endgames have at least two pieces");
    Ok(pieces)
}

/// Counts the openings of game records into a book.
pub(super) fn book(games: &[PathBuf], out: &Path, plies: usize, least: u32) -> Result<()> {
    let mut examples = Vec::new();
    for path in games {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display())).asked()?;
        let wrong = |error: RecordError| anyhow!("{}: {error}", path.display());
        for record in record::Format::Pdn.read(&record::text(bytes)).map_err(wrong)? {
            examples.push(example(&record).map_err(wrong)?);
        }
    }
    ask!(!examples.is_empty(), "the records hold no games: there is nothing to learn from");
    let origin = format!(
        "quintet build book draughts --plies {plies} --least {least}, {} games; version {}",
        examples.len(),
        env!("CARGO_PKG_VERSION")
    );
    let book = Book::learn(&examples, plies, least, &origin);
    place::write(out, book.write())?;
    say(&format!("{} positions from {} games in {}\n", book.positions(), examples.len(), out.display()))
}

/// The game of a record, by the rules that it names.
fn example(record: &Record) -> Result<Example, RecordError> {
    let wrong = |why: String| record.blame(RecordError::Rules(why));
    let told = Position::rules_told(record).map_err(wrong)?;
    let rules = Rules::chosen(&told).map_err(|error| wrong(error.to_string()))?;
    let game: Root<Position> = record.game(match record.tag("FEN") {
        Some(fen) => Position::read(&rules, fen).map_err(|error| record.blame(error))?,
        None => Position::start(&rules),
    })?;
    Ok(Example { game, winner: record.result.winner(), given: record.given() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Work;

    #[test]
    fn endgames_that_would_not_do_are_refused_and_missing_ones_named() {
        let directory = tempfile::tempdir().unwrap();
        let two = Extent { pieces: Some(2), ..Extent::default() };
        let job = Job { format: Format::Wdl, only: Vec::new(), work: Work::Build };
        let why = endgame(directory.path(), &two, &Settings::default(), job.clone()).unwrap_err().to_string();
        assert!(why.starts_with("--wdl: "), "{why}");
        let why = compare(directory.path(), &two, &Settings::default()).unwrap_err().to_string();
        assert_eq!(why, "3 endgame tables are missing: 0m1k-0m1k 1m0k-0m1k 1m0k-1m0k");
        let job = Job { format: Format::Distance, ..job };
        endgame(directory.path(), &two, &Settings::default(), job).unwrap();
        compare(directory.path(), &two, &Settings::default()).unwrap();
    }

    #[test]
    fn a_book_is_built_from_records_in_any_encoding() {
        let directory = tempfile::tempdir().unwrap();
        let (games, out) = (directory.path().join("games.pdn"), directory.path().join("book"));
        std::fs::write(&games, b"[White \"Andr\xe9\"]\n\n1. 22-18 9-13 1-0\n").unwrap();
        book(std::slice::from_ref(&games), &out, 16, 1).unwrap();
        assert_eq!(Book::read(&std::fs::read_to_string(&out).unwrap()).unwrap().positions(), 1);
    }
}
