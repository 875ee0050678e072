//! An engine at work for a game: a thread that holds the conversation and tells the game what it hears.

mod gtp;
mod hub;
mod uci;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use protocol::uci::command::Go;
use protocol::uci::info::Report;
use protocol::{DriveError, Launch, Process};
use serde::Deserialize;

use super::agents::Agents;

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
    /// An opinion is wanted, not a move: nobody resigns or passes out of politeness.
    pub analyses: bool,
}

/// What an engine said, with the ticket of the question.
#[derive(Clone, Debug)]
pub enum Said {
    /// On the way.
    Thought(u64, Report),
    /// Whose every point of the board will be, from -1 for White to 1 for Black, from the bottom left on.
    Owners(u64, Vec<f32>),
    /// At the end; none if it knows no move.
    Best(u64, Option<String>),
    /// Nothing more will come.
    Failed(String),
}

/// The language of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// That of chess engines, and its dialects.
    #[default]
    Uci,
    /// That of Go engines.
    Gtp,
    /// That of draughts engines.
    Hub,
}

/// Where an engine is to be found.
#[derive(Clone)]
pub enum Source {
    /// On this machine.
    Program(Launch),
    /// Among those who came over the network.
    Agent {
        /// All of them.
        agents: Arc<Agents>,
        /// What it plays.
        game: String,
        /// How it calls itself.
        name: String,
    },
}

/// An engine and how it is set up.
#[derive(Clone)]
pub struct Recipe {
    /// What it speaks.
    pub language: Language,
    /// Where it is.
    pub source: Source,
    /// Options to set before the first question.
    pub options: Vec<(String, String)>,
}

impl Recipe {
    fn process(&self) -> Result<Process, DriveError> {
        match &self.source {
            Source::Program(launch) => Process::start(launch),
            Source::Agent { agents, game, name } => match agents.take(game, name) {
                Some(stream) => Process::with_agent(stream),
                None => Err(DriveError::NotStarted {
                    program: name.clone(),
                    why: "no agent of this name is connected".to_owned(),
                }),
            },
        }
    }
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
            let result = begin(&recipe).and_then(|talk| {
                let mut conversation = Conversation { talk, asked, tell: &tell };
                let result = conversation.serve();
                conversation.talk.quit();
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

    /// Lets it stop thinking; if it has begun, its answer still comes.
    pub fn stop(&self) {
        let _ = self.asks.send(Ask::Stop);
    }
}

/// What an engine says, in whatever language.
enum Heard {
    Thoughts(Vec<Report>),
    Owners(Vec<f32>),
    Best(Option<String>),
}

/// A conversation in one language.
trait Talk {
    /// Asks for a move or an opinion.
    fn ask(&mut self, question: &Question) -> Result<(), DriveError>;
    /// Waits until `deadline` for what the engine says next; what is here already is heard, however late it came.
    fn next(&mut self, deadline: Instant) -> Result<Heard, DriveError>;
    /// Asks for the answer now; it still comes through `next`.
    fn stop(&mut self);
    /// Says goodbye.
    fn quit(self: Box<Self>);
}

/// Starts an engine and speaks to it in its language.
fn begin(recipe: &Recipe) -> Result<Box<dyn Talk>, DriveError> {
    Ok(match recipe.language {
        Language::Uci => Box::new(uci::Uci::begin(recipe)?),
        Language::Gtp => Box::new(gtp::Gtp::begin(recipe)?),
        Language::Hub => Box::new(hub::Hub::begin(recipe)?),
    })
}

struct Conversation<'a> {
    talk: Box<dyn Talk>,
    asked: Receiver<Ask>,
    tell: &'a dyn Fn(Said),
}

/// What to do after a question.
enum Next {
    Wait,
    Think(Question),
    Leave,
}

impl Conversation<'_> {
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
            if let Ask::Think(question) = ask
                && let Some(question) = self.newest(question)
            {
                match self.think(&question)? {
                    Next::Wait => {}
                    Next::Think(question) => waiting = Some(question),
                    Next::Leave => return Ok(()),
                }
            }
        }
    }

    /// The last question of those that wait, if it was not stopped: nobody waits for the others any more.
    fn newest(&self, first: Question) -> Option<Question> {
        match self.asked.try_iter().last() {
            None => Some(first),
            Some(Ask::Think(question)) => Some(question),
            Some(Ask::Stop) => None,
        }
    }

    fn think(&mut self, question: &Question) -> Result<Next, DriveError> {
        self.talk.ask(question)?;
        loop {
            match self.talk.next(Instant::now() + GLANCE) {
                Ok(Heard::Thoughts(reports)) => {
                    reports
                        .into_iter()
                        .for_each(|report| (self.tell)(Said::Thought(question.ticket, report)));
                }
                Ok(Heard::Owners(owners)) => (self.tell)(Said::Owners(question.ticket, owners)),
                Ok(Heard::Best(best)) => {
                    (self.tell)(Said::Best(question.ticket, best));
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
        self.talk.stop();
        let deadline = Instant::now() + STOPPING;
        loop {
            match self.talk.next(deadline)? {
                Heard::Best(best) => return Ok(best),
                // A flood must not stretch the time.
                _ if Instant::now() > deadline => {
                    return Err(DriveError::Timeout { what: "answer to stop".to_owned() });
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// A conversation with a script.
    fn talk(language: Language, script: &str) -> Box<dyn Talk> {
        let source = Source::Program(Launch::new("sh").args(["-c", script]));
        begin(&Recipe { language, source, options: Vec::new() }).unwrap()
    }

    /// The first thing that is heard by who always comes too late.
    fn heard_late(language: Language, script: &str) -> Heard {
        let mut talk = talk(language, script);
        let late = Instant::now();
        talk.ask(&Question::default()).unwrap();
        loop {
            match talk.next(late) {
                Err(DriveError::Timeout { .. }) if late.elapsed() < PATIENCE => std::thread::sleep(GLANCE),
                heard => return heard.unwrap(),
            }
        }
    }

    #[test]
    fn an_engine_of_go_is_told_the_usual_board_and_may_refuse() {
        let script = "while read line; do case $line in *list_commands) printf '= boardsize\\nkomi\\n\\n';; \
                      boardsize*) size=$line; printf '=\\n\\n';; komi*) komi=$line; printf '=\\n\\n';; \
                      genmove*) printf '? %s\\n\\n' \"$size, $komi\";; *) printf '=\\n\\n';; esac; done";
        let mut talk = talk(Language::Gtp, script);
        talk.ask(&Question::default()).unwrap();
        let heard = talk.next(Instant::now() + PATIENCE);
        let line = "? boardsize 19, komi 7.5".to_owned();
        assert_eq!(heard.err(), Some(DriveError::Garbage { line }));
    }

    #[test]
    fn stones_that_nobody_played_are_put_on_any_engines_board() {
        // It refuses to move with what it was told.
        let told = |known: &str, fen: &str| {
            let script = format!(
                "while read line; do case $line in *list_commands) printf '= {known}\\n\\n';; \
                 genmove*) printf '?%s\\n\\n' \"$told\";; \
                 *) case $line in komi*|play*|gogui*|set*) told=\"$told $line;\";; esac; printf '=\\n\\n';; \
                 esac; done"
            );
            let source = Source::Program(Launch::new("sh").args(["-c", &script]));
            let options = vec![("BoardSize".to_owned(), "3".to_owned())];
            let mut talk = begin(&Recipe { language: Language::Gtp, source, options }).unwrap();
            talk.ask(&Question { fen: Some(fen.to_owned()), ..Question::default() }).unwrap();
            talk.next(Instant::now() + PATIENCE).err().unwrap().to_string()
        };
        let all = "komi\\ngogui-setup\\nset_free_handicap";
        for (known, fen, expected) in [
            ("komi", "3/1b1/2w b - 0 0 0", "? komi 7.5; komi 7.5; play b B2; play w C1;"),
            (all, "b2/1b1/3 w - 0 0 0 2", "? komi 7.5; set_free_handicap B2 A3;"),
            // A handicap game that is taken up in the middle.
            (all, "b2/1b1/2w b - 0 0 0 2", "? komi 7.5; komi 9.5; gogui-setup b B2 b A3 w C1;"),
        ] {
            assert!(told(known, fen).contains(expected), "{fen}: {}", told(known, fen));
        }
    }

    #[test]
    fn only_the_newest_question_is_thought_about() {
        let script = "read uci; echo uciok; read new; read ready; echo readyok; \
                      while read line; do case $line in go*) echo bestmove x;; esac; done";
        let (asks, asked) = unbounded();
        for ticket in [1, 2] {
            asks.send(Ask::Stop).unwrap();
            asks.send(Ask::Think(Question { ticket, ..Question::default() })).unwrap();
        }
        let (asks, heard) = (RefCell::new(Some(asks)), RefCell::new(Vec::new()));
        let tell = |said: Said| {
            if let Said::Best(ticket, _) = said {
                heard.borrow_mut().push(ticket);
                // Who can be asked no more leaves.
                drop(asks.take());
            }
        };
        Conversation { talk: talk(Language::Uci, script), asked, tell: &tell }.serve().unwrap();
        assert_eq!(*heard.borrow(), [2]);
    }

    #[test]
    fn no_thought_is_lost_between_two_glances() {
        let uci = "read uci; echo uciok; read new; read ready; echo readyok; read position; read go; \
                   echo info depth 1; echo bestmove x; read quit";
        let hub = "read hub; echo wait; read init; echo ready; read new; read pos; read level; read go; \
                   echo 'info depth=1'; echo 'done move=32-28'; read quit";
        for (language, script) in [(Language::Uci, uci), (Language::Hub, hub)] {
            assert!(matches!(heard_late(language, script), Heard::Thoughts(_)), "{language:?}");
        }
    }
}
