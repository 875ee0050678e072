//! The games: one row each, from which every program takes what it needs.
//!
//! A game has its own file below `games/`: its row, what a referee asks beyond the rules, and what can be built and
//! learned for it. Nothing else in the programs knows one game from another.

mod breakthrough;
mod chess;
mod draughts;
mod field;
mod go;
mod morris;
pub mod neighbours;
mod start;

use std::process::ExitCode;

use search::{Field, Side};

use crate::build::Build;
use crate::driver::Protocol;
use crate::lab::Lab;
use crate::learn::Learn;
use crate::record::Format;
use crate::referee::{Referee, RefereeError};

pub use start::Start;

/// Hands a macro all games, each by the name of its crate, of the engine in it and of what that speaks.
#[macro_export]
macro_rules! for_each_game {
    ($each:ident) => {
        $each! {
            chess Chess uci,
            go Go gtp,
            draughts Draughts uci,
            neighbours Neighbours uci,
            morris Morris uci,
            breakthrough Breakthrough uci
        }
    };
}

macro_rules! rows {
    ($($game:ident $engine:ident $protocol:ident),*) => { &[$($game::ROW),*] };
}

/// All games, the one to begin with first.
pub const GAMES: &[Row] = for_each_game!(rows);

/// Rules and options by name and value.
pub type Choices = [(String, String)];

/// A referee, or why there is none.
pub type Opened = Result<Box<dyn Referee>, RefereeError>;

/// A game as programs know it.
pub struct Row {
    /// As programs spell it, and on the command line: `neighbours`.
    pub name: &'static str,
    /// As people read it.
    pub title: &'static str,
    /// Our engine's name.
    pub engine: &'static str,
    /// Our engine's entry point, with the words of its command line.
    pub run: fn(&[String]) -> ExitCode,
    /// What engines of the game speak; what ours speaks unless told otherwise stands first.
    pub protocols: &'static [Protocol],
    /// How games are saved, the usual format first.
    pub formats: &'static [Format],
    /// Who moves first.
    pub first: Side,
    /// The letters of its pieces with what to draw.
    pub pieces: &'static [(char, &'static str)],
    /// The options of our engine that are no rules.
    pub options: fn() -> Vec<Field>,
    /// The rules of the game; one that sets others stands first.
    pub rules: fn() -> Vec<Field>,
    /// Opens a referee under the rules chosen.
    pub referee: fn(&'static Row, &Choices) -> Opened,
    /// Rules under which a game is over soon, for checks.
    pub quick: &'static [(&'static str, &'static str)],
    /// A choice of where the game begins.
    pub start: Option<Start>,
    /// What can be built on the user's machine.
    pub build: Build,
    /// What can be learned.
    pub learn: Option<Learn>,
    /// What can be measured again.
    pub lab: Lab,
}

/// The game of this name.
pub fn find(name: &str) -> Option<&'static Row> {
    GAMES.iter().find(|row| row.name == name)
}

/// The game of this name, or an error that names those there are.
pub fn named(name: &str) -> Result<&'static Row, RefereeError> {
    find(name).ok_or_else(|| RefereeError::Game(name.to_owned()))
}

/// The games that are kept in a format.
pub fn kept_as(format: Format) -> impl Iterator<Item = &'static Row> {
    GAMES.iter().filter(move |row| row.formats.contains(&format))
}

/// The names of all games that a program can do something for, for people.
pub fn names(serves: impl Fn(&Row) -> bool) -> String {
    GAMES.iter().filter(|row| serves(row)).map(|row| row.name).collect::<Vec<_>>().join(", ")
}

impl Row {
    /// A referee under the rules chosen.
    pub fn open(&'static self, rules: &Choices) -> Opened {
        (self.referee)(self, rules)
    }

    /// What is chosen before a game: its rules, and where it begins.
    pub fn choices(&self) -> Vec<Field> {
        let start = self.start.iter().map(Start::field);
        (self.rules)().into_iter().chain(start).collect()
    }

    /// The rules as users spell them.
    pub fn rule_names(&self) -> Vec<&'static str> {
        (self.rules)().iter().map(|rule| rule.name).collect()
    }

    /// The rules for checks.
    pub fn quick_rules(&self) -> Vec<(String, String)> {
        self.quick.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }
}
