//! Games kept as text: what was played between whom and what was tried beside it, how it ended, and what was said.
//!
//! A [`Record`] is the same whatever the text it came from: each format is read and written in one file of this room.
//! Moves are words until a referee has played them ([`Record::play_out`]).

mod comment;
mod pdn;
pub mod pgn;
mod sgf;
pub mod tree;

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

use clap::ValueEnum;
use go::sgf::SgfError;
pub use protocol::encoding::text;
use search::{Game, MoveError, PositionError, Root, Side};
use serde::{Deserialize, Serialize};

use crate::games::Row;
use crate::referee::Referee;
pub use tree::{Node, Tree};

/// What runners say of a move that they made for a player.
pub const BOOK: &str = "book";

/// A format for whole games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Portable game notation, or our text in its form.
    Pgn,
    /// Smart game format.
    Sgf,
    /// Portable draughts notation.
    Pdn,
}

impl Format {
    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Sgf => "sgf",
            Format::Pdn => "pdn",
        }
    }

    /// The format of files with this ending.
    pub fn of_ending(ending: &str) -> Option<Format> {
        Format::from_str(ending, true).ok()
    }

    /// The format that a text is in by its first signs; none where games of several formats begin so.
    pub fn of_text(text: &str) -> Option<Format> {
        let inside = text.trim_start().strip_prefix('(')?;
        inside.trim_start().starts_with(';').then_some(Format::Sgf)
    }

    /// Reads all records of a text.
    pub fn read(self, text: &str) -> Result<Vec<Record>, RecordError> {
        // Editors of Windows begin a file with a mark of its encoding.
        let text = text.trim_start_matches('\u{feff}');
        match self {
            Format::Pgn => pgn::read(text),
            Format::Sgf => Ok(sgf::read(text)?),
            Format::Pdn => pdn::read(text),
        }
    }

    /// Writes a record; the referee stands at its start.
    pub fn write(self, record: &Record, start: &dyn Referee) -> String {
        match self {
            Format::Pgn => pgn::write(record, start.turn()),
            Format::Sgf => sgf::write(record, start),
            Format::Pdn => pdn::write(record, start.turn()),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.ending().to_ascii_uppercase())
    }
}

/// The text of a file in any encoding, without the mark by which editors of Windows begin one.
pub fn read_file(path: &Path) -> io::Result<String> {
    Ok(text(std::fs::read(path)?).trim_start_matches('\u{feff}').to_owned())
}

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

    /// Who won, nobody in a draw; none as long as nothing is decided.
    pub fn winner(self) -> Option<Option<Side>> {
        match self {
            GameResult::Won(side) => Some(Some(side)),
            GameResult::Drawn => Some(None),
            GameResult::Open => None,
        }
    }
}

/// All results as records write them.
const RESULTS: [(GameResult, &str); 4] = [
    (GameResult::Won(Side::White), "1-0"),
    (GameResult::Won(Side::Black), "0-1"),
    (GameResult::Drawn, "1/2-1/2"),
    (GameResult::Open, "*"),
];

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        RESULTS.iter().filter(|(result, _)| result == self).try_for_each(|(_, text)| f.write_str(text))
    }
}

impl FromStr for GameResult {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        let known = RESULTS.iter().find(|(_, known)| *known == text);
        known.map(|(result, _)| *result).ok_or_else(|| RecordError::Result(text.to_owned()))
    }
}

/// A game as text, with all that was tried beside it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Record {
    /// Name and value in the order of the file, as PGN names them: `Event`, `White`, `FEN`; without `Result`.
    pub tags: Vec<(String, String)>,
    /// All lines from the start.
    pub tree: Tree,
    /// How it ended.
    pub result: GameResult,
    /// The line of the file the record begins in, from 1; 0 where it has no lines or was not read.
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

    /// The moves of the main line as the record writes them.
    pub fn moves(&self) -> Vec<&Node> {
        self.tree.whole_line().into_iter().map(|id| &self.tree.nodes()[id]).collect()
    }

    /// Its first moves that a runner made for the players.
    pub fn given(&self) -> usize {
        self.moves().iter().take_while(|m| m.comment == BOOK).count()
    }

    /// The rules of the game that the tags tell.
    pub fn rules(&self, row: &'static Row) -> Result<Vec<(String, String)>, RecordError> {
        let referee = row.open(&[]).map_err(|error| RecordError::Rules(error.to_string()))?;
        let mut rules = referee.rules_told(self).map_err(RecordError::Rules)?;
        for name in row.rule_names() {
            let told = self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
            if let Some((_, value)) = told.filter(|_| rules.iter().all(|(known, _)| known != name)) {
                rules.push((name.to_owned(), value.clone()));
            }
        }
        Ok(rules)
    }

    /// Plays all lines before the referee, so that every node has its move as protocols and as our records write it,
    /// and the game stands at the end of its main line. A line beside it ends where its moves cannot be played: what
    /// people write there need not be legal. The referee stands at the start afterwards.
    pub fn play_out(&mut self, referee: &mut dyn Referee) -> Result<(), RecordError> {
        referee.set_up(self.tag("FEN"))?;
        let old = std::mem::take(&mut self.tree);
        let last = old.whole_line().last().copied().unwrap_or(0);
        self.tree = played(&old, last, referee)?;
        while referee.undo() {}
        Ok(())
    }

    /// Plays the moves of the main line, at most `plies` of them, before the referee.
    pub fn replay(&self, referee: &mut dyn Referee, plies: usize) -> Result<(), RecordError> {
        referee.set_up(self.tag("FEN")).map_err(|error| self.blame(error))?;
        for m in self.moves().into_iter().take(plies) {
            referee.play(&m.text).map_err(|error| self.blame(error))?;
        }
        Ok(())
    }

    /// The main line as a game from this start.
    pub fn game<G: Game>(&self, start: G) -> Result<Root<G>, RecordError> {
        let mut game = Root::new(start);
        for m in self.moves() {
            game.play_text(&m.text).map_err(|error| self.blame(error))?;
        }
        Ok(game)
    }

    /// The error that something is wrong in this record.
    pub fn blame(&self, why: impl Into<RecordError>) -> RecordError {
        RecordError::At { line: self.line, why: Box::new(why.into()) }
    }
}

/// A tree of words with its moves played, as far as they can be; those up to `last` must be.
fn played(old: &Tree, last: usize, referee: &mut dyn Referee) -> Result<Tree, RecordError> {
    let mut needed = vec![false; old.nodes().len()];
    old.line(last).into_iter().for_each(|id| needed[id] = true);
    let mut tree = Tree::from_start(old.nodes()[0].clone());
    let mut places = vec![Some(0); old.nodes().len()];
    let mut here = 0;
    for (id, node) in old.nodes().iter().enumerate().skip(1) {
        places[id] = None;
        let Some(parent) = places[node.parent] else { continue };
        tree.lead(referee, here, parent)?;
        here = parent;
        match referee.play(&node.text) {
            Ok(play) => {
                let text = referee.last_written().unwrap_or_else(|| play.clone());
                here = tree.add(Node { parent, play, text, next: None, ..node.clone() });
                places[id] = Some(here);
            }
            Err(error) if needed[id] => {
                return Err(RecordError::Ply { number: old.line(id).len(), error });
            }
            Err(_) => {}
        }
    }
    tree.go(places[last].unwrap_or(0));
    // Where nothing is left of the line it stood beside, a variation is none, and the words before it follow a move.
    for main in tree.continuations().iter().filter_map(|moves| moves.first().copied()) {
        let node = &mut tree.nodes_mut()[main];
        let (parent, before) = (node.parent, std::mem::take(&mut node.before));
        if !before.is_empty() {
            comment::add(&mut tree.nodes_mut()[parent].comment, &before);
            comment::obey(&mut tree.nodes_mut()[parent]);
        }
    }
    Ok(tree)
}

/// Tags of which no two have the same name: the last value stands in the place of the first.
fn unique(tags: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut places = HashMap::new();
    let mut kept: Vec<(String, String)> = Vec::new();
    for (name, value) in tags {
        let place = *places.entry(name.clone()).or_insert(kept.len());
        match kept.get_mut(place) {
            Some(tag) => tag.1 = value,
            None => kept.push((name, value)),
        }
    }
    kept
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
    /// It is of another game.
    #[error("{0}")]
    Rules(String),
    /// The game begins with no position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move cannot be played, with its number.
    #[error("move {number} of the record: {error}")]
    Ply {
        /// From 1, whoever moved.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// It is not SGF.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// Where the error is.
    #[error("line {line}: {why}")]
    At {
        /// From 1.
        line: usize,
        /// What is wrong there.
        why: Box<RecordError>,
    },
}
