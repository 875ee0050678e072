//! The forty steps of UCI, in the order of the compliance check of fastchess.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use protocol::Process;
use search::Side;

use super::{Check, Steps, leaves, until};
use crate::matches::openings::{Openings, Source};
use crate::matches::plan::Contestant;
use crate::referee::Referee;

/// Plies of the random walks to the positions of the check.
const WALK: usize = 6;

/// One thing to try.
enum Step {
    /// Say a line; nothing is to come back.
    Say(String),
    /// Say `isready` and hear `readyok`.
    Ready,
    /// Say `ucinewgame` and be ready.
    NewGame,
    /// The engine has said who it is, or who made it.
    Named(&'static str),
    /// Let it think.
    Go(&'static str),
    /// A legal move comes.
    Best,
    /// A line of information came before it.
    Informed,
    /// One with a score.
    Scored,
    /// Numbers are whole numbers.
    Whole,
    /// Say `quit` and see it leave.
    Quit,
}

impl Step {
    fn description(&self) -> String {
        match self {
            Step::Say(line) => line.clone(),
            Step::Ready => "isready is answered".to_owned(),
            Step::NewGame => "ucinewgame, then isready is answered".to_owned(),
            Step::Named(what) => format!("id {what} was given"),
            Step::Go(limits) => format!("go {limits}"),
            Step::Best => "a legal bestmove follows".to_owned(),
            Step::Informed => "an info line came before it".to_owned(),
            Step::Scored => "with a score".to_owned(),
            Step::Whole => "time, nps and score are whole numbers".to_owned(),
            Step::Quit => "quit ends the engine".to_owned(),
        }
    }
}

/// Runs all steps.
pub(super) fn run(mut check: Check, report: &mut Steps) {
    let greeting = "the engine starts and says uciok";
    let mut conversation = match Conversation::start(&check.engine, check.startup, check.ping) {
        Ok(conversation) => conversation,
        Err(why) => return report.report(greeting, &Err(why)),
    };
    report.report(greeting, &Ok(()));
    for step in steps(check.referee.as_mut()) {
        let result = conversation.perform(&step, check.referee.as_mut());
        report.report(&step.description(), &result);
    }
}

/// All steps after the first, which is starting the engine.
fn steps(referee: &mut dyn Referee) -> Vec<Step> {
    let mut seeds = 1..;
    let mut position = |turn: Side| {
        let found = seeds.find_map(|seed| walk(referee, seed, turn));
        format!("position fen {}", found.expect("some walk ends with either side to move"))
    };
    let (white, black) = (position(Side::White), position(Side::Black));
    let opening = walk_moves(referee);
    let judged = || [Step::Best, Step::Informed, Step::Scored, Step::Whole];
    let mut steps = vec![Step::Ready, Step::Named("name"), Step::Named("author"), Step::NewGame];
    steps.extend([Step::Say("position startpos".to_owned()), Step::Ready, Step::Say(white), Step::Ready]);
    steps.push(Step::Go("wtime 100"));
    steps.extend(judged());
    steps.extend([Step::Say(black), Step::Ready, Step::Go("btime 100")]);
    steps.extend(judged());
    steps.push(Step::Go("wtime 100 winc 100 btime 100 binc 100"));
    steps.extend(judged());
    steps.push(Step::Go("btime 100 binc 100 wtime 100 winc 100"));
    steps.extend(judged());
    steps.extend([Step::NewGame, Step::Say("position startpos".to_owned()), Step::Ready]);
    steps.extend([Step::Go("wtime 100 btime 100"), Step::Best]);
    steps.push(Step::Say(format!("position startpos moves {}", opening.join(" "))));
    steps.extend([Step::Go("wtime 100 btime 100"), Step::Best, Step::Quit]);
    steps
}

/// The FEN after a random walk, if `turn` is to move there.
fn walk(referee: &mut dyn Referee, seed: u64, turn: Side) -> Option<String> {
    let plies = WALK + usize::from(turn == Side::Black);
    let source = Source { random_plies: plies, seed, ..Source::default() };
    let opening = Openings::load(&source, referee).ok()?.get(0, referee);
    referee.set_up(None).ok()?;
    opening.moves.iter().try_for_each(|m| referee.play(m).map(|_| ())).ok()?;
    (referee.turn() == turn && referee.outcome().is_none()).then(|| referee.fen())
}

/// The first two moves of a game.
fn walk_moves(referee: &mut dyn Referee) -> Vec<String> {
    referee.set_up(None).expect("every game has a start");
    for _ in 0..2 {
        let first = referee.legal().swap_remove(0);
        referee.play(&first).expect("it is legal");
    }
    referee.moves()
}

/// A conversation with an engine, line by line.
struct Conversation {
    /// Taken when it leaves.
    process: Option<Process>,
    ping: Duration,
    introduction: Vec<String>,
    /// What was said since the last `go`.
    lines: Vec<String>,
    /// The position it was told.
    position: String,
}

impl Conversation {
    fn start(engine: &Contestant, startup: Duration, ping: Duration) -> Result<Conversation> {
        let process = Some(Process::start(&engine.launch(None))?);
        let (lines, position) = (Vec::new(), String::new());
        let mut conversation = Conversation { process, ping, introduction: Vec::new(), lines, position };
        conversation.say("uci");
        conversation.introduction = conversation.until(startup, "uciok", |line| line.trim() == "uciok")?;
        for (name, value) in &engine.options {
            conversation.say(format!("setoption name {name} value {value}"));
        }
        Ok(conversation)
    }

    fn say(&self, line: impl AsRef<[u8]>) {
        if let Some(process) = &self.process {
            process.say(line);
        }
    }

    fn until(&self, patience: Duration, what: &str, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>> {
        until(self.process.as_ref().context("the engine exited")?, patience, what, wanted)
    }

    fn perform(&mut self, step: &Step, referee: &mut dyn Referee) -> Result<()> {
        match step {
            Step::Say(line) => {
                self.say(line);
                self.position = line.clone();
                Ok(())
            }
            Step::Ready => self.ready(),
            Step::NewGame => {
                self.say("ucinewgame");
                self.ready()
            }
            Step::Named(what) => {
                let prefix = format!("id {what} ");
                let named =
                    |line: &String| line.strip_prefix(&prefix).is_some_and(|rest| !rest.trim().is_empty());
                ensure!(self.introduction.iter().any(named), "no line '{prefix}...' before uciok");
                Ok(())
            }
            Step::Go(limits) => {
                self.lines.clear();
                self.say(format!("go {limits}"));
                Ok(())
            }
            Step::Best => self.best(referee),
            Step::Informed => self.last_info().map(|_| ()),
            Step::Scored => {
                let line = self.last_info()?;
                ensure!(line.contains(" score "), "none in '{line}'");
                Ok(())
            }
            Step::Whole => self.whole(),
            Step::Quit => {
                self.say("quit");
                leaves(self.process.take().context("it exited")?)
            }
        }
    }

    fn ready(&mut self) -> Result<()> {
        self.say("isready");
        self.until(self.ping, "readyok", |line| line.trim() == "readyok").map(|_| ())
    }

    fn best(&mut self, referee: &mut dyn Referee) -> Result<()> {
        self.lines = self.until(self.ping, "bestmove", |line| line.starts_with("bestmove"))?;
        let line = self.lines.last().expect("the wanted line comes last");
        let text = line.split_whitespace().nth(1).ok_or_else(|| anyhow!("no move in '{line}'"))?;
        set_up(&self.position, referee)?;
        referee.play(text).with_context(|| format!("'{line}'"))?;
        Ok(())
    }

    /// The last line of information that has more than a remark.
    fn last_info(&self) -> Result<&String> {
        let is_info = |line: &&String| line.starts_with("info ") && !line.starts_with("info string");
        self.lines.iter().rev().find(is_info).context("there was none")
    }

    fn whole(&self) -> Result<()> {
        let line = self.last_info()?;
        let words: Vec<&str> = line.split_whitespace().collect();
        for (key, at) in words.iter().zip(1..) {
            let value = match *key {
                "time" | "nps" => words.get(at),
                "cp" | "mate" => words.get(at),
                "pv" | "string" => break,
                _ => None,
            };
            if let Some(value) = value {
                ensure!(value.parse::<i64>().is_ok(), "{key} {value} in '{line}'");
            }
        }
        Ok(())
    }
}

/// Puts the position of a `position` line before the referee.
fn set_up(line: &str, referee: &mut dyn Referee) -> Result<()> {
    let (position, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    referee.set_up(position.strip_prefix("position fen "))?;
    for text in moves.split_whitespace() {
        referee.play(text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee;

    #[test]
    fn there_are_forty_steps() {
        for game in ["chess", "draughts", "neighbours", "morris"] {
            assert_eq!(steps(referee::open(game, &[]).unwrap().as_mut()).len() + 1, 40);
        }
    }

    #[test]
    fn the_walks_end_with_the_side_asked_for() {
        let mut referee = referee::open("neighbours", &[]).unwrap();
        for side in [Side::White, Side::Black] {
            let fen = (1..).find_map(|seed| walk(referee.as_mut(), seed, side)).unwrap();
            set_up(&format!("position fen {fen}"), referee.as_mut()).unwrap();
            assert_eq!(referee.turn(), side);
        }
        set_up("position startpos moves a1b2 a8b7", referee.as_mut()).unwrap();
        assert_eq!(referee.moves().len(), 2);
    }
}
