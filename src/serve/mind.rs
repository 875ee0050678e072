//! An engine at work for a game: a thread that holds the conversation and tells the game what it hears.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use protocol::uci::command::Go;
use protocol::uci::drive::{Driver, Event};
use protocol::uci::info::Report;
use protocol::{DriveError, Launch};

/// How long an engine may take to introduce itself or to get ready.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a thinking engine is interrupted to see whether it should stop.
const GLANCE: Duration = Duration::from_millis(10);
/// How long an engine may take to answer `stop`.
const STOPPING: Duration = Duration::from_secs(5);
/// How long an engine may take to leave.
const LEAVING: Duration = Duration::from_millis(500);

/// A position to think about and what may be spent on it.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Comes back with every answer.
    pub ticket: u64,
    /// Where the game began; none for the usual start.
    pub fen: Option<String>,
    /// The moves since.
    pub moves: Vec<String>,
    /// What may be spent.
    pub go: Go,
    /// Lines of play wanted; engines that show but one show one.
    pub lines: usize,
}

/// What an engine said, with the ticket of the question.
#[derive(Clone, Debug)]
pub enum Said {
    /// On the way.
    Thought(u64, Report),
    /// At the end; none if it knows no move.
    Best(u64, Option<String>),
    /// Nothing more will come.
    Failed(String),
}

/// An engine and how it is set up.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// How to start it.
    pub launch: Launch,
    /// Options to set before the first question.
    pub options: Vec<(String, String)>,
}

/// A running engine; it leaves when this is dropped.
pub struct Mind {
    asks: Sender<Ask>,
}

enum Ask {
    Think(Question),
    Stop,
}

impl Mind {
    /// Starts an engine; `tell` hears what it says.
    pub fn start(recipe: Recipe, tell: impl Fn(Said) + Send + 'static) -> Mind {
        let (asks, asked) = unbounded();
        std::thread::spawn(move || {
            let result = Conversation::begin(&recipe, asked, &tell).and_then(|mut talk| {
                let result = talk.serve();
                talk.driver.quit(LEAVING);
                result
            });
            if let Err(error) = result {
                tell(Said::Failed(error.to_string()));
            }
        });
        Mind { asks }
    }

    /// Lets it think; a question before this one is dropped.
    pub fn ask(&self, question: Question) {
        // An engine that has left has said so.
        let _ = self.asks.send(Ask::Think(question));
    }

    /// Lets it stop thinking; its answer still comes.
    pub fn stop(&self) {
        let _ = self.asks.send(Ask::Stop);
    }
}

struct Conversation<'a> {
    driver: Driver,
    asked: Receiver<Ask>,
    tell: &'a dyn Fn(Said),
    lines: usize,
}

impl<'a> Conversation<'a> {
    fn begin(recipe: &Recipe, asked: Receiver<Ask>, tell: &'a dyn Fn(Said)) -> Result<Self, DriveError> {
        let mut driver = Driver::start(&recipe.launch, PATIENCE)?;
        for (name, value) in &recipe.options {
            // An option that an engine does not have or want is none of the game's business.
            let _ = driver.set(name, value);
        }
        driver.new_game(PATIENCE)?;
        Ok(Conversation { driver, asked, tell, lines: 1 })
    }

    /// Answers questions until nobody can ask any more.
    fn serve(&mut self) -> Result<(), DriveError> {
        let mut waiting = None;
        loop {
            let ask = match waiting.take() {
                Some(question) => Ask::Think(question),
                None => match self.asked.recv() {
                    Ok(ask) => ask,
                    Err(_) => return Ok(()),
                },
            };
            if let Ask::Think(question) = ask {
                match self.think(&question)? {
                    Next::Wait => {}
                    Next::Think(question) => waiting = Some(question),
                    Next::Leave => return Ok(()),
                }
            }
        }
    }

    fn think(&mut self, question: &Question) -> Result<Next, DriveError> {
        if self.lines != question.lines.max(1) {
            self.lines = question.lines.max(1);
            let _ = self.driver.set("MultiPV", &self.lines.to_string());
        }
        self.driver.position(question.fen.as_deref(), &question.moves);
        self.driver.go(&question.go);
        loop {
            match self.driver.next(Instant::now() + GLANCE) {
                Ok(Event::Info(report)) => (self.tell)(Said::Thought(question.ticket, report)),
                Ok(Event::Best(answer)) => {
                    (self.tell)(Said::Best(question.ticket, answer.best));
                    return Ok(Next::Wait);
                }
                Err(DriveError::Timeout { .. }) => {}
                Err(error) => return Err(error),
            }
            match self.asked.try_recv() {
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return Ok(Next::Leave),
                Ok(Ask::Stop) => {
                    let best = self.finish()?;
                    (self.tell)(Said::Best(question.ticket, best));
                    return Ok(Next::Wait);
                }
                Ok(Ask::Think(next)) => {
                    self.finish()?;
                    return Ok(Next::Think(next));
                }
            }
        }
    }

    /// Stops the search and waits for its answer.
    fn finish(&mut self) -> Result<Option<String>, DriveError> {
        self.driver.stop();
        Ok(self.driver.answer(Instant::now() + STOPPING, |_| {})?.best)
    }
}

/// What to do after a question.
enum Next {
    Wait,
    Think(Question),
    Leave,
}
