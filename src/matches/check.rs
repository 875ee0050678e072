//! `quintet match check`: does an engine speak UCI well enough to be played? Forty steps, in the order of
//! the compliance check of fastchess; the positions and moves are those of the engine's own game.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use clap::Parser;
use protocol::{Launch, Process};
use search::Side;

use super::openings::{Openings, Source};
use super::plan::{Contestant, Protocol, contestant};
use super::progress::say;
use super::words::Words;
use crate::referee::{self, GAMES, Referee};

/// Plies of the random walks to the positions of the check.
const WALK: usize = 6;
/// How long the engine may take to leave.
const FAREWELL: Duration = Duration::from_secs(5);

/// What the user asked for.
#[derive(Debug, Parser)]
#[command(name = "quintet match check", about = "Check whether an engine speaks its protocol", long_about = None)]
struct Flags {
    /// The engine: the name of one of ours, or cmd=PROGRAM; and arg= dir= option.NAME=
    #[arg(required = true, value_name = "WORDS")]
    engine: Vec<String>,
    /// The game it plays; not needed for ours
    #[arg(long)]
    game: Option<String>,
    /// Milliseconds the engine may take to start
    #[arg(long, default_value_t = 10_000, value_name = "MS")]
    startup_ms: u64,
    /// Milliseconds the engine may take to answer
    #[arg(long, default_value_t = 60_000, value_name = "MS")]
    ping_ms: u64,
}

/// Reads the words after `check`; the check itself comes when it is run.
pub fn prepare(words: &[String]) -> Result<Check> {
    let all = ["quintet match check".to_owned()].into_iter().chain(words.iter().cloned());
    let flags = Flags::try_parse_from(all)?;
    let own = flags.engine.iter().find(|word| GAMES.contains(&word.as_str()));
    let game = flags.game.or(own.cloned()).context("--game: which game does the engine play?")?;
    let referee = referee::open(&game, &[])?;
    // A check sets its own limits; one is given so that none is missed.
    let mut words = flags.engine;
    words.push("nodes=1".to_owned());
    ensure!(Protocol::of(&game) == Protocol::Uci, "{game} is not played over UCI");
    let engine = contestant(Words::new("check", &words), &game)?;
    Ok(Check {
        engine,
        referee,
        startup: Duration::from_millis(flags.startup_ms),
        ping: Duration::from_millis(flags.ping_ms),
    })
}

/// A check of one engine.
pub struct Check {
    engine: Contestant,
    referee: Box<dyn Referee>,
    startup: Duration,
    ping: Duration,
}

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
            Step::Best => "a legal bestmove comes".to_owned(),
            Step::Informed => "an info line came before it".to_owned(),
            Step::Scored => "with a score".to_owned(),
            Step::Whole => "time, nps and score are whole numbers".to_owned(),
            Step::Quit => "quit ends the engine".to_owned(),
        }
    }
}

impl Check {
    /// Runs all steps and prints how each went.
    pub fn run(mut self) -> ExitCode {
        let steps = self.steps();
        let total = steps.len() + 1;
        let mut failed = 0;
        let mut report = |number: usize, what: &str, result: &Result<()>| {
            let line = match result {
                Ok(()) => format!("Passed step {number}: {what}\n"),
                Err(why) => format!("Failed step {number}: {what}: {why:#}\n"),
            };
            failed += usize::from(result.is_err());
            say(&line);
        };
        let mut conversation = match Conversation::start(&self.engine, self.startup, self.ping) {
            Ok(conversation) => conversation,
            Err(why) => {
                report(1, "the engine starts and says uciok", &Err(why));
                say(&format!("Not compliant: step 1 of {total} failed\n"));
                return ExitCode::FAILURE;
            }
        };
        report(1, "the engine starts and says uciok", &Ok(()));
        for (step, number) in steps.iter().zip(2..) {
            let result = conversation.perform(step, self.referee.as_mut());
            report(number, &step.description(), &result);
        }
        if failed == 0 {
            say(&format!("Compliant: all {total} steps passed\n"));
            ExitCode::SUCCESS
        } else {
            say(&format!("Not compliant: {failed} of {total} steps failed\n"));
            ExitCode::FAILURE
        }
    }

    /// All steps after the first, which is starting the engine.
    fn steps(&mut self) -> Vec<Step> {
        let mut seeds = 1..;
        let mut position = |turn: Side| {
            let found = seeds.find_map(|seed| walk(self.referee.as_mut(), seed, turn));
            format!("position fen {}", found.expect("some walk ends with either side to move"))
        };
        let (white, black) = (position(Side::White), position(Side::Black));
        let opening = walk_moves(self.referee.as_mut());
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
    process: Process,
    ping: Duration,
    introduction: Vec<String>,
    /// What was said since the last `go`.
    lines: Vec<String>,
    /// The position it was told.
    position: String,
}

impl Conversation {
    fn start(engine: &Contestant, startup: Duration, ping: Duration) -> Result<Conversation> {
        let launch = Launch {
            program: engine.program.clone(),
            args: engine.args.clone(),
            dir: engine.dir.clone(),
            halt: None,
        };
        let process = Process::start(&launch)?;
        let (lines, position) = (Vec::new(), String::new());
        let mut conversation = Conversation { process, ping, introduction: Vec::new(), lines, position };
        conversation.process.say("uci");
        conversation.introduction = conversation.until(startup, "uciok", |line| line.trim() == "uciok")?;
        for (name, value) in &engine.options {
            conversation.process.say(format!("setoption name {name} value {value}"));
        }
        Ok(conversation)
    }

    /// All lines to the one that is wanted, which comes last.
    fn until(
        &mut self,
        patience: Duration,
        what: &str,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            let heard = self.process.hear(deadline, what)?;
            ensure!(heard.at <= deadline, "no {what} in time");
            let found = wanted(&heard.text);
            lines.push(heard.text);
            if found {
                return Ok(lines);
            }
        }
    }

    fn perform(&mut self, step: &Step, referee: &mut dyn Referee) -> Result<()> {
        match step {
            Step::Say(line) => {
                self.process.say(line);
                self.position = line.clone();
                Ok(())
            }
            Step::Ready => self.ready(),
            Step::NewGame => {
                self.process.say("ucinewgame");
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
                self.process.say(format!("go {limits}"));
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
                self.process.say("quit");
                let status = self.process.leave(FAREWELL).context("it could not be ended")?;
                ensure!(status.success(), "it left with {status}");
                Ok(())
            }
        }
    }

    fn ready(&mut self) -> Result<()> {
        self.process.say("isready");
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

    #[test]
    fn there_are_forty_steps() {
        let words = ["cmd=sh".to_owned(), "--game".to_owned(), "neighbours".to_owned()];
        let mut check = prepare(&words).unwrap();
        assert_eq!(check.steps().len() + 1, 40);
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
