//! One engine at the board, whatever protocol it speaks.

pub mod gtp;
pub mod hub;
pub mod uci;

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use protocol::DriveError;
use search::{OptionError, Score, Side, TimeLeft};

use super::plan::{Contestant, Patience, Protocol};
use super::time::TimeControl;

/// Beyond its time a move is only waited for to tell late engines from silent ones.
const GRACE: Duration = Duration::from_secs(5);
/// How long an engine may take to leave.
const FAREWELL: Duration = Duration::from_secs(1);
/// An engine that is lively but gives no move is borne this many times as long as a silent one.
const LIVELY: u32 = 10;
/// The option by which a match is announced to engines that have it: who learns plays its best now.
const MATCH: &str = "Match";

/// What a player is asked: a position and what may be spent on it.
#[derive(Clone, Debug)]
pub struct Turn<'a> {
    /// The position the game began with; none for the usual start.
    pub fen: Option<&'a str>,
    /// The moves since.
    pub moves: &'a [String],
    /// Whose move is asked for.
    pub side: Side,
    /// The clocks of White and Black, if they have one.
    pub clocks: [Option<TimeLeft>; 2],
    /// The other limits of this side.
    pub control: &'a TimeControl,
    /// After this the move is lost on time; none if time does not matter.
    pub longest: Option<Duration>,
}

/// What a player said about its move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thought {
    /// From the mover's view.
    pub score: Option<Score>,
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// Positions visited, or playouts made.
    pub nodes: Option<u64>,
    /// The mover's probability to win, from engines that think in such numbers.
    pub value: Option<f64>,
    /// Nodes of the tree it keeps.
    pub tree: Option<u64>,
    /// By the runner's clock.
    pub time: Duration,
}

/// A player's move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// As the engine wrote it.
    pub text: String,
    /// Whether it gives the game up instead of moving.
    pub resigns: bool,
    /// The reply it expects.
    pub ponder: Option<String>,
    /// The line of play it sees, its move first; may be empty.
    pub line: Vec<String>,
    /// The moves it considered, the best first, each with its visits and its value: `D4 120 0.531`.
    pub candidates: Vec<String>,
    /// What it said about it.
    pub thought: Thought,
}

impl Answer {
    /// An answer that is no move; the referee will say so.
    fn nonsense(line: String, wait: &Wait) -> Answer {
        let thought = Thought { time: wait.began.elapsed(), ..Thought::default() };
        Answer { text: line, thought, ..Answer::default() }
    }
}

/// Waiting for a move: how long is borne.
struct Wait {
    began: Instant,
    /// The last sign of life.
    last: Instant,
    longest: Option<Duration>,
    silence: Duration,
}

impl Wait {
    /// From this moment on.
    fn new(longest: Option<Duration>, patience: &Patience) -> Wait {
        let began = Instant::now();
        Wait { began, last: began, longest, silence: patience.silence }
    }

    fn deadline(&self) -> Instant {
        match self.longest {
            Some(longest) => self.began + longest,
            None => (self.last + self.silence).min(self.began + self.silence * LIVELY),
        }
    }

    fn sign_of_life(&mut self) {
        self.last = Instant::now();
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The engine is gone.
    #[error("disconnects")]
    Disconnects,
    /// The engine is there but says nothing.
    #[error("stalls")]
    Stalls,
    /// The engine is there but does not take what it is told, such as its opponent's move.
    #[error("refuses")]
    Refuses,
    /// The match was stopped; nobody's fault.
    #[error("interrupted")]
    Interrupted,
}

impl From<&DriveError> for Fault {
    fn from(error: &DriveError) -> Fault {
        match error {
            DriveError::Halted => Fault::Interrupted,
            DriveError::Timeout { .. } => Fault::Stalls,
            DriveError::NotStarted { .. }
            | DriveError::Disconnected { .. }
            | DriveError::Foreign { .. }
            | DriveError::Garbage { .. } => Fault::Disconnects,
        }
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

impl StartError {
    /// The same as a fault in a game.
    pub fn fault(&self) -> Fault {
        match self {
            StartError::Drive(error) => error.into(),
            StartError::Option(_) => Fault::Disconnects,
        }
    }
}

/// Starts an engine, whatever it speaks; `halt` ends all waiting when it is disconnected.
///
/// How its program is reached is decided in [`Contestant::launch`] alone.
pub fn start(
    engine: &Contestant,
    patience: &Patience,
    halt: &Receiver<()>,
) -> Result<Box<dyn Player>, StartError> {
    Ok(match engine.protocol {
        Protocol::Uci => Box::new(uci::UciPlayer::start(engine, patience, halt)?),
        Protocol::Gtp => Box::new(gtp::GtpPlayer::start(engine, patience, halt)?),
        Protocol::Hub => Box::new(hub::HubPlayer::start(engine, patience, halt)?),
    })
}

/// One engine at the board. After a fault it is of no further use.
pub trait Player: Send {
    /// Gets ready for a new game.
    fn new_game(&mut self) -> Result<(), Fault>;
    /// Asks for a move. A player told to ponder on exactly this position goes on from there.
    fn think(&mut self, turn: &Turn) -> Result<Answer, Fault>;
    /// Lets the engine think on the opponent's time about the position it expects.
    fn ponder(&mut self, turn: &Turn) -> Result<(), Fault>;
    /// The game is over: whatever the engine does should end.
    fn rest(&mut self) -> Result<(), Fault>;
    /// The stones it holds for dead in a finished game, sorted; none if it has no such opinion.
    fn dead_stones(&mut self, _: &Turn) -> Result<Option<Vec<String>>, Fault> {
        Ok(None)
    }
    /// What it refused last, and its reason; none if its protocol has no words for it.
    fn refusal(&self) -> Option<&str> {
        None
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
