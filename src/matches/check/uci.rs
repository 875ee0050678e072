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

/// One thing to try, and what it is called in the report.
type Step = (String, Box<dyn Fn(&mut Conversation, &mut dyn Referee) -> Result<()>>);

fn step(name: &str, act: impl Fn(&mut Conversation, &mut dyn Referee) -> Result<()> + 'static) -> Step {
    (name.to_owned(), Box::new(act))
}

/// Runs all steps.
pub(super) fn run(mut check: Check, report: &mut Steps) {
    let Check { engine, startup, ping, .. } = &check;
    let begun = Conversation::start(engine, *startup, *ping);
    let Some(mut conversation) = report.report("the engine starts and says uciok", begun) else { return };
    for (name, act) in steps(check.referee.as_mut()) {
        report.report(&name, act(&mut conversation, check.referee.as_mut()));
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
    let opening = format!("position startpos moves {}", walk_moves(referee).join(" "));
    let ready = || step("isready is answered", |talk, _| talk.ready());
    let new_game = || step("ucinewgame, then isready is answered", |talk, _| talk.new_game());
    let named = |what: &'static str| step(&format!("id {what} was given"), move |talk, _| talk.named(what));
    let set_up = |line: &str| {
        let told = line.to_owned();
        step(line, move |talk, _| talk.set_up(&told))
    };
    let go = |limits: &str| {
        let line = format!("go {limits}");
        step(&line.clone(), move |talk, _| talk.go(&line))
    };
    let best = || step("a legal bestmove follows", Conversation::best);
    let judged = |limits: &str| {
        let informed = step("an info line came before it", |talk, _| talk.last_info().map(|_| ()));
        let scored = step("with a score", |talk, _| talk.scored());
        let whole = step("time, nps and score are whole numbers", |talk, _| talk.whole());
        [go(limits), best(), informed, scored, whole]
    };
    let mut steps = vec![ready(), named("name"), named("author"), new_game()];
    steps.extend([set_up("position startpos"), ready(), set_up(&white), ready()]);
    steps.extend(judged("wtime 100"));
    steps.extend([set_up(&black), ready()]);
    steps.extend(judged("btime 100"));
    steps.extend(judged("wtime 100 winc 100 btime 100 binc 100"));
    steps.extend(judged("btime 100 binc 100 wtime 100 winc 100"));
    steps.extend([new_game(), set_up("position startpos"), ready(), go("wtime 100 btime 100"), best()]);
    steps.extend([set_up(&opening), go("wtime 100 btime 100"), best()]);
    steps.push(step("quit ends the engine", |talk, _| talk.quit()));
    steps
}

/// The FEN after a random walk, if `turn` is to move there.
fn walk(referee: &mut dyn Referee, seed: u64, turn: Side) -> Option<String> {
    let plies = WALK + usize::from(turn == Side::Black);
    let source = Source { random_plies: plies, seed, ..Source::default() };
    let opening = Openings::load(&source, referee).ok()?.get(0, referee);
    referee.replay(None, &opening.moves).ok()?;
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

    fn set_up(&mut self, line: &str) -> Result<()> {
        self.say(line);
        line.clone_into(&mut self.position);
        Ok(())
    }

    fn new_game(&mut self) -> Result<()> {
        self.say("ucinewgame");
        self.ready()
    }

    fn named(&self, what: &str) -> Result<()> {
        let prefix = format!("id {what} ");
        let named = |line: &String| line.strip_prefix(&prefix).is_some_and(|rest| !rest.trim().is_empty());
        ensure!(self.introduction.iter().any(named), "no line '{prefix}...' before uciok");
        Ok(())
    }

    fn go(&mut self, line: &str) -> Result<()> {
        self.lines.clear();
        self.say(line);
        Ok(())
    }

    fn scored(&self) -> Result<()> {
        let line = self.last_info()?;
        ensure!(line.contains(" score "), "none in '{line}'");
        Ok(())
    }

    fn quit(&mut self) -> Result<()> {
        self.say("quit");
        leaves(self.process.take().context("it exited")?)
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
            if matches!(*key, "pv" | "string") {
                break;
            }
            let is_number = matches!(*key, "time" | "nps" | "cp" | "mate");
            if let Some(value) = words.get(at).filter(|_| is_number) {
                ensure!(value.parse::<i64>().is_ok(), "{key} {value} in '{line}'");
            }
        }
        Ok(())
    }
}

/// Puts the position of a `position` line before the referee.
fn set_up(line: &str, referee: &mut dyn Referee) -> Result<()> {
    let (position, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    referee.replay(position.strip_prefix("position fen "), &moves)
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
