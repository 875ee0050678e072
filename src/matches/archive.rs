//! The games of a match as records for people and other programs.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use search::Score;

use super::log::{Entry, Move};
use crate::record::{Record, RecordMove, pgn};
use crate::referee::Referee;

/// A file of records that grows game by game.
pub struct Archive {
    file: File,
    event: String,
    referee: Box<dyn Referee>,
}

impl Archive {
    /// Opens a file to append to, or to write anew.
    pub fn open(path: &Path, anew: bool, event: &str, referee: Box<dyn Referee>) -> Result<Archive> {
        let mut options = OpenOptions::new();
        let options = if anew { options.write(true).truncate(true) } else { options.append(true) };
        let file =
            options.create(true).open(path).with_context(|| format!("cannot write '{}'", path.display()))?;
        Ok(Archive { file, event: event.to_owned(), referee })
    }

    /// Appends a game.
    pub fn add(&mut self, entry: &Entry) -> Result<()> {
        let record = record(entry, &self.event, self.referee.as_mut())?;
        let text = pgn::write(&record, entry.black_first);
        self.file.write_all(text.as_bytes()).context("cannot write the records")
    }
}

/// A logged game as a record; its moves are written as the game's records have them.
pub fn record(entry: &Entry, event: &str, referee: &mut dyn Referee) -> Result<Record> {
    referee.set_up(entry.fen.as_deref())?;
    for m in &entry.moves {
        referee.play(&m.text)?;
    }
    let mut record = Record { result: entry.outcome(), ..Record::default() };
    let round = (entry.pair + 1).to_string();
    record.set_tag("Event", event);
    record.set_tag("Date", entry.date.as_str());
    record.set_tag("Round", round);
    record.set_tag("White", entry.white.as_str());
    record.set_tag("Black", entry.black.as_str());
    record.set_tag("Result", entry.result.as_str());
    if referee.game() != "chess" {
        record.set_tag("Variant", referee.game());
    }
    if let Some(fen) = &entry.fen {
        record.set_tag("SetUp", "1");
        record.set_tag("FEN", fen.as_str());
    }
    record.set_tag("PlyCount", entry.moves.len().to_string());
    record.set_tag("Termination", entry.reason.as_str());
    let moves = referee.written().into_iter().zip(&entry.moves);
    record.moves = moves.map(|(text, m)| RecordMove { text, comment: comment(m) }).collect();
    Ok(record)
}

/// Score, depth and time, as cutechess writes them: `+0.31/12 0.52s`.
fn comment(m: &Move) -> String {
    let Some(thought) = m.thought() else { return "book".to_owned() };
    let seconds = thought.time.as_secs_f64();
    let score = thought.score.map(|score| format!("{}/{} ", points(score), thought.depth.unwrap_or(0)));
    format!("{}{seconds:.3}s", score.unwrap_or_default())
}

/// Units and hundredths, or moves to a forced end: `+M3`.
fn points(score: Score) -> String {
    match score.plies_to_end() {
        Some(plies) => format!("{}M{}", if plies > 0 { '+' } else { '-' }, plies.unsigned_abs().div_ceil(2)),
        None => format!("{:+.2}", f64::from(score.0) / 100.0),
    }
}

/// The day as records have it, in universal time: `2026.01.31`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The date of a day counted from the first of 1970.
fn date(days: u64) -> String {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}.{month:02}.{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::open;

    #[test]
    fn days_are_dated() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(59), "1970.03.01");
        assert_eq!(date(11_016), "2000.02.29");
        assert_eq!(date(20_819), "2027.01.01");
    }

    #[test]
    fn scores_are_written_as_people_read_them() {
        assert_eq!(points(Score(31)), "+0.31");
        assert_eq!(points(Score(-105)), "-1.05");
        assert_eq!(points(Score::win_in(5)), "+M3");
        assert_eq!(points(Score::loss_in(4)), "-M2");
    }

    #[test]
    fn an_archived_game_can_be_replayed() {
        let text = |text: &str| Move { text: text.to_owned(), ..Move::default() };
        let thought = Move { score: Some(31), depth: Some(7), seconds: Some(0.5), ..text("a8b7") };
        let entry = Entry {
            game: 3,
            pair: 1,
            date: "2026.01.31".to_owned(),
            white: "a".to_owned(),
            black: "b".to_owned(),
            result: "0-1".to_owned(),
            reason: "time forfeit".to_owned(),
            fen: None,
            black_first: false,
            book: 1,
            moves: vec![text("a1b2"), thought],
            seconds: 1.0,
            remarks: Vec::new(),
        };
        let mut referee = open("neighbours", &[]).unwrap();
        let written = pgn::write(&record(&entry, "test", referee.as_mut()).unwrap(), false);
        assert!(written.contains("1. a1b2 {book} 1... a8b7 {+0.31/7 0.500s} 0-1"), "{written}");
        let read = pgn::read(&written).unwrap().remove(0);
        assert_eq!((read.tag("Round"), read.tag("Termination")), (Some("2"), Some("time forfeit")));
        read.replay(referee.as_mut(), usize::MAX).unwrap();
        assert_eq!(referee.moves(), ["a1b2", "a8b7"]);
    }
}
