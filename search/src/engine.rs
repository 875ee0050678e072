//! The door: what sessions, matches and boards see of an engine.

use std::time::Duration;

use crate::alphabeta::Counters;
use crate::{Best, Common, Control, Game, Info, Limits, Line, OptionError, Options, Root, Score, options};

/// Something that thinks about a game; one boxed call per move played.
pub trait Search<G: Game>: Send {
    /// Thinks until a limit is reached or `control` says stop, and reports on the way.
    fn think(
        &mut self,
        root: &Root<G>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Best<G::Move>;
    /// Drops what was learned from the game before.
    fn forget(&mut self);
    /// Thinks undisturbed; the answer and all lines shown.
    fn ask(&mut self, root: &Root<G>, limits: &Limits) -> (Best<G::Move>, Vec<Line<G::Move>>) {
        let mut lines = Vec::new();
        let best = self.think(root, limits, &Control::default(), &mut |info| {
            if let Info::Line(line) = info {
                lines.push(line.clone());
            }
        });
        (best, lines)
    }
}

/// The figures of a bench run; `nodes` is the same on every machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bench {
    /// Positions visited, or moves made.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// Further lines to print above the three that every engine prints.
    pub remarks: Vec<String>,
}

/// The words of a turn: mostly one, in dialects that cut turns up several.
pub type Spelling<G> = fn(&G, <G as Game>::Move) -> Vec<String>;

/// An engine with its rules, options and ways of explaining itself.
pub trait Engine: Search<Self::Game> + Sized + 'static {
    /// The game it plays.
    type Game: Game;

    /// As users see it: `Quintet Neighbours`.
    const NAME: &'static str;

    /// A fresh engine, every option at its default.
    fn new() -> Self;
    /// The declaration of every option.
    fn options() -> Options<Self>;
    /// The rules in force; an option may change them.
    fn rules(&self) -> <Self::Game as Game>::Rules;
    /// Plays by other rules from now on; the caller begins a new game if they differ.
    fn set_rules(&mut self, rules: <Self::Game as Game>::Rules);
    /// What every engine lets its user choose.
    fn common(&self) -> &Common;
    /// The same, to be changed by the option rows.
    fn common_mut(&mut self) -> &mut Common;
    /// Gives the table another size in MiB; on failure the old one stays.
    fn resize(&mut self, mib: usize) -> Result<(), String>;
    /// Makes what a search needs, so that the first one takes no longer than the others.
    fn warm_up(&mut self) {}
    /// A table of the evaluation's terms, ending with `Evaluation: <cp> cp` from the side to move.
    fn explain(&mut self, root: &Root<Self::Game>) -> String;
    /// Searches fixed positions with a table and threads of its own, and the options of this engine.
    fn bench(&self, control: &Control) -> Bench;
    /// What the last search did; none of a search that has no such counters.
    fn counters(&self) -> Option<&Counters> {
        None
    }

    /// Reads the moves of a `position` command, one whole turn a word; a dialect may end with [`Root::begin`].
    fn read_moves(&self, root: &mut Root<Self::Game>, words: &[&str]) -> Result<(), crate::MoveError> {
        words.iter().try_for_each(|word| root.play_text(word).map(|_| ()))
    }

    /// How moves are written in the session.
    fn spelling(&self) -> Spelling<Self::Game> {
        |position, m| vec![position.write(m)]
    }

    /// How a score reads as chances of win, draw and loss per mille, if the user wants to see them.
    fn chances(&self) -> Option<fn(Score) -> [u32; 3]> {
        None
    }

    /// First words of lines that the protocol does not know and the engine answers itself.
    const COMMANDS: &'static [&'static str] = &[];

    /// Answers a line that begins with one of [`Engine::COMMANDS`], or says why not.
    fn command(&mut self, line: &str) -> Result<String, String> {
        Err(format!("unknown command '{line}'"))
    }

    /// Sets an option from text; a refused value changes nothing.
    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        options::choose(&Self::options(), self, name, value)
    }
}
