//! An engine that thinks while others go on: a thread holds the conversation and passes on what it hears. Of several
//! questions the newest counts.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use protocol::{DriveError, Process};

use super::{Best, Conversation, Event, Occasion, Patience, Protocol, Question, Report, Setup, open};

/// How long an engine may take to introduce itself or to get ready.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a thinking engine is interrupted to see whether it should stop.
const GLANCE: Duration = Duration::from_millis(10);
/// How long an engine may take to answer `stop`.
const STOPPING: Duration = Duration::from_secs(5);
/// How long an engine may take to leave.
const LEAVING: Duration = Duration::from_millis(500);

/// What an engine says, with the ticket of the question.
#[derive(Clone, Debug)]
pub enum Message {
    /// On the way.
    Report(u64, Report),
    /// At the end.
    Best(u64, Best),
    /// Nothing more will come.
    Failed(String),
}

/// A running engine; it leaves when this is dropped.
pub struct Engine {
    asks: Sender<Ask>,
}

enum Ask {
    Think(u64, Question),
    Stop,
}

/// How an engine at a board is set up.
fn setup(protocol: Protocol, options: Vec<(String, String)>) -> Setup {
    Setup { patience: Patience::of(PATIENCE), ..Setup::new(protocol, Occasion::Board, options) }
}

impl Engine {
    /// Starts an engine with these options, rules of the game among them; `tell` hears what it says. What comes with the
    /// process is kept as long as it runs.
    pub fn start<Kept>(
        process: impl FnOnce() -> Result<(Process, Kept), DriveError> + Send + 'static,
        protocol: Protocol,
        options: Vec<(String, String)>,
        tell: impl Fn(Message) + Clone + Send + 'static,
    ) -> Engine {
        let (asks, asked) = unbounded();
        let failed = tell.clone();
        let thread = std::thread::Builder::new().spawn(move || {
            if let Err(why) = run(process, &setup(protocol, options), asked, &tell) {
                tell(Message::Failed(why));
            }
        });
        if let Err(error) = thread {
            failed(Message::Failed(format!("there is no thread for it: {error}")));
        }
        Engine { asks }
    }

    /// Lets it think; a question before this one is dropped. The ticket comes back with every answer.
    pub fn ask(&self, ticket: u64, question: Question) {
        // An engine that has left has said so.
        let _ = self.asks.send(Ask::Think(ticket, question));
    }

    /// Lets it stop thinking; if it has begun, its answer still comes.
    pub fn stop(&self) {
        let _ = self.asks.send(Ask::Stop);
    }
}

/// Answers questions until nobody can ask any more.
fn run<Kept>(
    process: impl FnOnce() -> Result<(Process, Kept), DriveError>,
    setup: &Setup,
    asked: Receiver<Ask>,
    tell: &dyn Fn(Message),
) -> Result<(), String> {
    let (process, _kept) = process().map_err(|error| error.to_string())?;
    let mut talk = open(process, setup).map_err(|error| error.to_string())?;
    let served = talk.new_game().and_then(|()| Service { talk: &mut *talk, asked, tell }.run());
    talk.quit(LEAVING);
    served.map_err(|error| error.to_string())
}

/// The questions to one engine.
struct Service<'a> {
    talk: &'a mut dyn Conversation,
    asked: Receiver<Ask>,
    tell: &'a dyn Fn(Message),
}

impl Service<'_> {
    fn run(&mut self) -> Result<(), DriveError> {
        let mut waiting = None;
        while let Some(ask) = waiting.take().or_else(|| self.asked.recv().ok()) {
            if let Ask::Think(ticket, question) = self.newest(ask) {
                waiting = self.think(ticket, &question)?;
            }
        }
        Ok(())
    }

    /// The last of those that wait: nobody waits for the others any more.
    fn newest(&self, first: Ask) -> Ask {
        self.asked.try_iter().last().unwrap_or(first)
    }

    /// Thinks about a question to its end, or to the next one, which comes back.
    fn think(&mut self, ticket: u64, question: &Question) -> Result<Option<Ask>, DriveError> {
        self.talk.ask(question)?;
        loop {
            match self.talk.next(Instant::now() + GLANCE) {
                Ok(Event::Reports(reports)) => {
                    reports.into_iter().for_each(|report| (self.tell)(Message::Report(ticket, report)));
                }
                Ok(Event::Best(best)) => {
                    (self.tell)(Message::Best(ticket, best));
                    return Ok(None);
                }
                Err(DriveError::Timeout { .. }) => {}
                Err(error) => return Err(error),
            }
            match self.asked.try_recv() {
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return Ok(None),
                Ok(Ask::Stop) => {
                    let best = self.finish()?;
                    (self.tell)(Message::Best(ticket, best));
                    return Ok(None);
                }
                Ok(next) => {
                    self.finish()?;
                    return Ok(Some(next));
                }
            }
        }
    }

    /// Stops the search and waits for its answer.
    fn finish(&mut self) -> Result<Best, DriveError> {
        self.talk.stop();
        let deadline = Instant::now() + STOPPING;
        loop {
            match self.talk.next(deadline)? {
                Event::Best(best) => return Ok(best),
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
    use crate::driver::Spend;
    use protocol::Launch;
    use search::Side;
    use std::cell::RefCell;

    /// A conversation with a script.
    fn talk(protocol: Protocol, script: &str, options: &[(&str, &str)]) -> Box<dyn Conversation> {
        let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let process = Process::start(&Launch::new("sh").args(["-c", script])).unwrap();
        let mut talk = open(process, &setup(protocol, options)).unwrap();
        talk.new_game().unwrap();
        talk
    }

    fn question(fen: Option<&str>) -> Question {
        Question::new(fen.map(str::to_owned), Vec::new(), Side::Black, Spend::default())
    }

    /// The first thing that is heard by who always comes too late.
    fn heard_late(protocol: Protocol, script: &str) -> Event {
        let mut talk = talk(protocol, script, &[]);
        let late = Instant::now();
        talk.ask(&question(None)).unwrap();
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
        let mut talk = talk(Protocol::Gtp, script, &[]);
        talk.ask(&question(None)).unwrap();
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
            let mut talk = talk(Protocol::Gtp, &script, &[("BoardSize", "3")]);
            talk.ask(&question(Some(fen))).unwrap();
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
            asks.send(Ask::Think(ticket, question(None))).unwrap();
        }
        let (asks, heard) = (RefCell::new(Some(asks)), RefCell::new(Vec::new()));
        let tell = |message: Message| {
            if let Message::Best(ticket, _) = message {
                heard.borrow_mut().push(ticket);
                // Who can be asked no more leaves.
                drop(asks.take());
            }
        };
        Service { talk: &mut *talk(Protocol::Uci, script, &[]), asked, tell: &tell }.run().unwrap();
        assert_eq!(*heard.borrow(), [2]);
    }

    #[test]
    fn no_thought_is_lost_between_two_glances() {
        let uci = "read uci; echo uciok; read new; read ready; echo readyok; read position; read go; \
                   echo info depth 1; echo bestmove x; read quit";
        let hub = "read hub; echo wait; read init; echo ready; read new; read pos; read level; read go; \
                   echo 'info depth=1'; echo 'done move=32-28'; read quit";
        for (protocol, script) in [(Protocol::Uci, uci), (Protocol::Hub, hub)] {
            assert!(matches!(heard_late(protocol, script), Event::Reports(_)), "{protocol:?}");
        }
    }
}
