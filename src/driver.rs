//! Engines in processes of their own, whatever protocol they speak: match, board, analysis and learning ask in the same
//! words and hear the same words.
//!
//! | question | file |
//! |---|---|
//! | what is asked? | `question.rs`, `time.rs` |
//! | what is said? | `report.rs` |
//! | how is it said in each protocol? | `uci.rs`, `gtp.rs`, `hub.rs` |
//! | how is a move waited for? | `player.rs` |
//! | how does an engine think while others go on? | `engine.rs` |

pub mod engine;
pub mod gtp;
mod hub;
pub mod player;
pub mod question;
pub mod report;
pub mod time;
mod uci;

use std::time::{Duration, Instant};

use clap::ValueEnum;
use protocol::{DriveError, Process};
use search::OptionError;
use serde::Deserialize;

pub use engine::{Engine, Message};
pub use gtp::Gtp;
pub use player::Player;
pub use question::{Question, Spend};
pub use report::{Best, Event, Report};

/// The option by which a match is announced to engines that have it: who learns plays its best now.
pub const MATCH: &str = "Match";

/// How an engine is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// UCI and its dialects.
    #[default]
    Uci,
    /// Go's text protocol.
    Gtp,
    /// Draughts' text protocol.
    Hub,
}

impl Protocol {
    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Gtp => "gtp",
            Protocol::Hub => "hub",
        }
    }
}

/// What an engine is driven for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// Games that count: an option the engine does not have is an error, and its clock starts when it is ready.
    Match,
    /// A board: the engine is taken as it is, and what it thinks on the way is wanted.
    Board,
}

/// How long silence is borne.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From the start of the program to the end of its greeting.
    pub startup: Duration,
    /// For an answer to a ping, or to a command that needs no thinking.
    pub ping: Duration,
    /// For getting ready for a new game.
    pub new_game: Duration,
    /// For a move that time does not limit, counted from the last sign of life.
    pub silence: Duration,
}

impl Patience {
    /// The same for everything.
    pub fn of(time: Duration) -> Self {
        Patience { startup: time, ping: time, new_game: time, silence: time }
    }
}

impl Default for Patience {
    /// As fastchess has it.
    fn default() -> Self {
        Patience { startup: Duration::from_secs(10), ..Patience::of(Duration::from_secs(60)) }
    }
}

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What it speaks.
    pub protocol: Protocol,
    /// What it is driven for.
    pub occasion: Occasion,
    /// Options to set before the first question, rules of the game among them.
    pub options: Vec<(String, String)>,
    /// Nodes of every move, for engines that are told once.
    pub nodes: Option<u64>,
    /// Whether it will think on the opponent's time.
    pub ponder: bool,
    /// How long its silence is borne.
    pub patience: Patience,
}

impl Setup {
    /// An engine with these options.
    pub fn new(protocol: Protocol, occasion: Occasion, options: Vec<(String, String)>) -> Self {
        Setup { protocol, occasion, options, nodes: None, ponder: false, patience: Patience::default() }
    }
}

/// Why an engine could not be got ready.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// It does not run or does not greet.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// It does not have an option it was given.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// A conversation with an engine in its protocol.
pub trait Conversation: Send {
    /// Sets an option, or a rule of the game.
    fn set(&mut self, name: &str, value: &str) -> Result<(), StartError>;
    /// Everything has been set: lets the engine prepare itself.
    fn prepare(&mut self, setup: &Setup) -> Result<(), StartError>;
    /// Gets ready for a new game.
    fn new_game(&mut self) -> Result<(), DriveError>;
    /// Asks for a move or an opinion.
    fn ask(&mut self, question: &Question) -> Result<(), DriveError>;
    /// The move that was pondered on has been played.
    fn ponder_hit(&mut self);
    /// Waits until `deadline` for what the engine says next; what is here already is heard, however late it came.
    fn next(&mut self, deadline: Instant) -> Result<Event, DriveError>;
    /// Asks for the answer now; it still comes through `next`.
    fn stop(&mut self);
    /// Says goodbye; an engine that lingers is ended.
    fn quit(&mut self, grace: Duration);
    /// Whether it has to be asked to think on the opponent's time.
    fn ponders(&self) -> bool {
        true
    }
    /// The stones it holds for dead in a finished game, sorted; none if it has no such opinion.
    fn dead_stones(&mut self, _: &Question) -> Result<Option<Vec<String>>, DriveError> {
        Ok(None)
    }
    /// Whether its protocol lets it say what it thinks of its move.
    fn gives_scores(&self) -> bool {
        true
    }
    /// What it says about its own settings, name and value; empty if its protocol has no such question.
    fn settings(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// Greets an engine that runs and sets it up, whatever it speaks.
pub fn open(process: Process, setup: &Setup) -> Result<Box<dyn Conversation>, StartError> {
    Ok(match setup.protocol {
        Protocol::Uci => Box::new(begin(uci::Uci::greet(process, setup)?, setup)?),
        Protocol::Gtp => Box::new(open_gtp(process, setup)?),
        Protocol::Hub => Box::new(begin(hub::Hub::greet(process, setup)?, setup)?),
    })
}

/// The same for who wants to say things that only GTP has words for.
pub fn open_gtp(process: Process, setup: &Setup) -> Result<Gtp, StartError> {
    begin(Gtp::greet(process, setup)?, setup)
}

fn begin<C: Conversation>(mut talk: C, setup: &Setup) -> Result<C, StartError> {
    for (name, value) in &setup.options {
        match talk.set(name, value) {
            // At a board an option that an engine does not have or want is none of the game's business.
            Err(StartError::Option(_)) if setup.occasion == Occasion::Board => {}
            result => result?,
        }
    }
    if setup.occasion == Occasion::Match {
        // Only who learns has it.
        let _ = talk.set(MATCH, "true");
    }
    talk.prepare(setup)?;
    Ok(talk)
}
