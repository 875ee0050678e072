//! One engine at the board, asked for its moves one after the other: how long is waited, and what is made of what it
//! says on the way.

use std::time::{Duration, Instant};

use protocol::{DriveError, Launch, Process};
use search::{Bound, Score};

use super::{Best, Conversation, Event, Question, Report, Setup, StartError, open};

/// Beyond its time a move is only waited for to tell late engines from silent ones.
const GRACE: Duration = Duration::from_secs(5);
/// How long an engine may take to leave.
pub const FAREWELL: Duration = Duration::from_secs(1);
/// An engine that is lively but gives no move is borne this many times as long as a silent one.
const LIVELY: u32 = 10;

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
    /// Takes note of what is said on the way about the best line.
    fn note(&mut self, report: Report) {
        if report.rank.is_some_and(|rank| rank > 1) {
            return;
        }
        let thought = &mut self.thought;
        if report.score.is_some() || report.value.is_some() {
            thought.depth = report.depth.or(thought.depth);
        }
        thought.nodes = report.nodes.or(thought.nodes);
        thought.value = report.value.or(thought.value);
        thought.tree = report.tree.or(thought.tree);
        match report.score {
            Some((score, Bound::Exact)) => thought.score = Some(score),
            Some((score, _)) => thought.score = thought.score.or(Some(score)),
            None => {}
        }
        // A search that is stopped after a surprise answers with the line of its last bound.
        if !report.pv.is_empty() {
            self.line = report.pv;
        }
        if !report.candidates.is_empty() {
            self.candidates = report.candidates;
        }
    }

    fn finish(self, best: Best) -> Answer {
        Answer {
            text: best.text.unwrap_or_else(|| "(none)".to_owned()),
            resigns: best.resigns,
            ponder: best.ponder,
            thought: Thought { time: best.time, ..self.thought },
            ..self
        }
    }

    /// An answer that is no move; the referee will say so.
    fn nonsense(line: &str, wait: &Wait) -> Answer {
        let thought = Thought { time: wait.began.elapsed(), ..Thought::default() };
        Answer { text: line.to_owned(), thought, ..Answer::default() }
    }
}

/// Waiting for a move: how long is borne.
struct Wait {
    began: Instant,
    /// The last sign of life.
    last: Instant,
    longest: Option<Duration>,
    silence: Duration,
    /// Beyond its time: how long the answer to `stop` is waited for.
    last_chance: Option<Instant>,
}

impl Wait {
    /// From this moment on.
    fn new(longest: Option<Duration>, silence: Duration) -> Wait {
        let began = Instant::now();
        Wait { began, last: began, longest, silence, last_chance: None }
    }

    fn deadline(&self) -> Instant {
        match (self.last_chance, self.longest) {
            (Some(last_chance), _) => last_chance,
            (None, Some(longest)) => self.began + longest,
            (None, None) => (self.last + self.silence).min(self.began + self.silence * LIVELY),
        }
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
            DriveError::Refused { .. } => Fault::Refuses,
            DriveError::NotStarted { .. }
            | DriveError::Disconnected { .. }
            | DriveError::Foreign { .. }
            | DriveError::Garbage { .. } => Fault::Disconnects,
        }
    }
}

impl From<&StartError> for Fault {
    fn from(error: &StartError) -> Fault {
        match error {
            StartError::Drive(error) => error.into(),
            StartError::Option(_) => Fault::Disconnects,
        }
    }
}

/// One engine at the board. After a fault it is of no further use.
pub trait Player: Send {
    /// Gets ready for a new game.
    fn new_game(&mut self) -> Result<(), Fault>;
    /// Asks for a move. A player told to ponder on exactly this position goes on from there.
    fn think(&mut self, question: &Question) -> Result<Answer, Fault>;
    /// Lets the engine think on the opponent's time about the position it expects.
    fn ponder(&mut self, question: &Question) -> Result<(), Fault>;
    /// The game is over: whatever the engine does should end.
    fn rest(&mut self) -> Result<(), Fault>;
    /// The stones it holds for dead in a finished game, sorted; none if it has no such opinion.
    fn dead_stones(&mut self, question: &Question) -> Result<Option<Vec<String>>, Fault>;
    /// What it refused last, and its reason; or what it said on its error stream before it left.
    fn last_words(&self) -> Option<String>;
    /// Whether its protocol lets it say what it thinks of its move.
    fn gives_scores(&self) -> bool;
    /// What it says about its own settings, name and value; empty if its protocol has no such question.
    fn settings(&self) -> Vec<(String, String)>;
}

/// A player that is a process, whatever it speaks.
pub struct Driven {
    talk: Box<dyn Conversation>,
    /// For a move that time does not limit.
    silence: Duration,
    /// The moves of the position it ponders on.
    pondering: Option<Vec<String>>,
    /// What went wrong when something was last said to it.
    trouble: Option<DriveError>,
}

impl Driven {
    /// Starts an engine and sets it up.
    pub fn start(launch: &Launch, setup: &Setup) -> Result<Driven, StartError> {
        let talk = open(Process::start(launch)?, setup)?;
        let silence = setup.patience.silence;
        Ok(Driven { talk, silence, pondering: None, trouble: None })
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), StartError> {
        self.talk.set(name, value)
    }

    /// What went wrong when something was last said to it.
    pub fn trouble(&self) -> Option<&DriveError> {
        self.trouble.as_ref()
    }

    /// Says something, and remembers what went wrong.
    fn say<T>(
        &mut self,
        what: impl FnOnce(&mut dyn Conversation) -> Result<T, DriveError>,
    ) -> Result<T, Fault> {
        let result = what(&mut *self.talk);
        self.trouble = result.as_ref().err().cloned();
        result.map_err(|error| Fault::from(&error))
    }

    /// Waits for the answer to a question of this moment.
    fn answer(&mut self, longest: Option<Duration>) -> Result<Answer, Fault> {
        let mut wait = Wait::new(longest, self.silence);
        let mut answer = Answer::default();
        loop {
            let deadline = wait.deadline();
            let heard = self.say(|talk| talk.next(deadline));
            match (heard, &self.trouble) {
                (Ok(Event::Best(best)), _) => return Ok(answer.finish(best)),
                (Ok(Event::Reports(reports)), _) => {
                    wait.last = Instant::now();
                    reports.into_iter().for_each(|report| answer.note(report));
                    if Instant::now() <= deadline {
                        continue;
                    }
                }
                (Err(_), Some(DriveError::Garbage { line })) => return Ok(Answer::nonsense(line, &wait)),
                (Err(Fault::Stalls), _) => {}
                (Err(fault), _) => return Err(fault),
            }
            if wait.last_chance.is_some() {
                return Err(Fault::Stalls);
            }
            self.talk.stop();
            wait.last_chance = Some(Instant::now() + GRACE);
        }
    }

    /// Ends pondering on a move that was not played.
    fn end_pondering(&mut self) -> Result<(), Fault> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        self.talk.stop();
        let deadline = Instant::now() + GRACE;
        loop {
            match self.say(|talk| talk.next(deadline))? {
                Event::Best(_) => return Ok(()),
                Event::Reports(_) if Instant::now() > deadline => return Err(Fault::Stalls),
                Event::Reports(_) => {}
            }
        }
    }
}

impl Player for Driven {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.say(|talk| talk.new_game())
    }

    fn think(&mut self, question: &Question) -> Result<Answer, Fault> {
        if self.pondering.as_ref() == Some(&question.moves) {
            self.pondering = None;
            self.talk.ponder_hit();
        } else {
            self.end_pondering()?;
            self.say(|talk| talk.ask(question))?;
        }
        self.answer(question.spend.longest)
    }

    fn ponder(&mut self, question: &Question) -> Result<(), Fault> {
        if self.talk.ponders() {
            self.say(|talk| talk.ask(&Question { ponders: true, ..question.clone() }))?;
            self.pondering = Some(question.moves.clone());
        }
        Ok(())
    }

    fn rest(&mut self) -> Result<(), Fault> {
        self.end_pondering()?;
        // Asked about dead stones it may have fallen silent after the game.
        match &self.trouble {
            None | Some(DriveError::Refused { .. }) => Ok(()),
            Some(error) => Err(error.into()),
        }
    }

    fn dead_stones(&mut self, question: &Question) -> Result<Option<Vec<String>>, Fault> {
        self.say(|talk| talk.dead_stones(question))
    }

    fn last_words(&self) -> Option<String> {
        match &self.trouble {
            Some(DriveError::Refused { command, why }) => {
                Some(format!("'{command}': {}", why.escape_debug()))
            }
            Some(DriveError::Disconnected { complaints }) => {
                complaints.last().map(|line| format!("with '{line}'"))
            }
            _ => None,
        }
    }

    fn gives_scores(&self) -> bool {
        self.talk.gives_scores()
    }

    fn settings(&self) -> Vec<(String, String)> {
        self.talk.settings()
    }
}

impl Drop for Driven {
    fn drop(&mut self) {
        self.talk.quit(FAREWELL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::uci::info;

    #[test]
    fn the_best_exact_score_counts() {
        let mut answer = Answer::default();
        for line in [
            "info depth 5 score cp 10 lowerbound nodes 7",
            "info depth 5 multipv 1 score cp 31 nodes 9",
            "info depth 5 multipv 2 score cp -90 nodes 9",
            "info depth 6 score cp 80 upperbound nodes 12",
            "info nodes 15 currmove a1b2",
        ] {
            answer.note(info::read(line).unwrap());
        }
        let thought = answer.thought;
        assert_eq!((thought.score, thought.depth, thought.nodes), (Some(Score(31)), Some(6), Some(15)));
    }

    #[test]
    fn what_says_nothing_changes_nothing() {
        let mut answer = Answer::default();
        answer.note(Report { depth: Some(9), score: Some((Score(25), Bound::Exact)), ..Report::default() });
        let before = answer.clone();
        answer.note(Report::default());
        assert_eq!(answer, before);
    }
}
