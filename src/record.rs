//! Games kept as text: what was played between whom, how it ended, and what the players thought.
//!
//! Neighbours, morris and chess use PGN (`pgn`), the first two with their own move text.

pub mod pgn;

use std::fmt;
use std::str::FromStr;

pub use protocol::encoding::text;
use search::{MoveError, PositionError, Side};

use crate::referee::Referee;

/// How a game ended, or that it did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum GameResult {
    /// White or Black won.
    Won(Side),
    /// Nobody won.
    Drawn,
    /// Not known, or not yet.
    #[default]
    Open,
}

impl GameResult {
    /// A win of this side, or a draw.
    pub fn of(winner: Option<Side>) -> Self {
        winner.map_or(GameResult::Drawn, GameResult::Won)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Won(Side::White) => "1-0",
            GameResult::Won(Side::Black) => "0-1",
            GameResult::Drawn => "1/2-1/2",
            GameResult::Open => "*",
        })
    }
}

impl FromStr for GameResult {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        match text {
            "1-0" => Ok(GameResult::Won(Side::White)),
            "0-1" => Ok(GameResult::Won(Side::Black)),
            "1/2-1/2" => Ok(GameResult::Drawn),
            "*" => Ok(GameResult::Open),
            other => Err(RecordError::Result(other.to_owned())),
        }
    }
}

/// One move of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordMove {
    /// As the record writes it.
    pub text: String,
    /// What was said about it; empty for nothing.
    pub comment: String,
}

/// A game as text.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Record {
    /// Name and value in the order of the file: `Event`, `White`, `FEN`.
    pub tags: Vec<(String, String)>,
    /// What was said before the first move; empty for nothing.
    pub comment: String,
    /// The moves from the start.
    pub moves: Vec<RecordMove>,
    /// How it ended.
    pub result: GameResult,
    /// The line of the file the record begins in, from 1; 0 for a record that was not read.
    pub line: usize,
}

impl Record {
    /// The value of a tag, if it is there.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its old place or at the end.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(n, _)| n == name) {
            Some(tag) => tag.1 = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// Plays the record's moves, at most `plies` of them, before the referee.
    pub fn replay(&self, referee: &mut dyn Referee, plies: usize) -> Result<(), RecordError> {
        let wrong = |why: RecordError| RecordError::At { line: self.line, why: Box::new(why) };
        referee.set_up(self.tag("FEN")).map_err(|e| wrong(e.into()))?;
        for m in self.moves.iter().take(plies) {
            referee.play(&m.text).map_err(|e| wrong(e.into()))?;
        }
        Ok(())
    }
}

/// Why a text is not a record of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The result is none of the four.
    #[error("'{0}' is not a result")]
    Result(String),
    /// A tag is not `[Name "value"]`.
    #[error("'{0}' is not a tag")]
    Tag(String),
    /// A comment or variation does not end.
    #[error("'{0}' is never closed")]
    Unclosed(char),
    /// The game begins with no position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// Where the error is.
    #[error("line {line}: {why}")]
    At {
        /// From 1.
        line: usize,
        /// What is wrong there.
        why: Box<RecordError>,
    },
}
