//! A draughts engine that speaks Hub.
//!
//! Hub writes captures by the pieces taken, so the player follows the game itself and translates.

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use draughts::{Position, Rules, hub};
use protocol::DriveError;
use protocol::hub::drive::{Answer as HubAnswer, Driver, Event};
use protocol::hub::{Line, score};
use search::{Game, OptionError, Root, Rulebook};

use super::{Answer, FAREWELL, Fault, GRACE, MATCH, Player, StartError, Thought, Turn, Wait};
use crate::matches::plan::{Contestant, Patience};

/// The numbering of squares in moves.
const ORDER: &str = hub::ORDERS[0];

/// A Hub engine at the board.
pub struct HubPlayer {
    /// Taken when it leaves.
    driver: Option<Driver>,
    patience: Patience,
    rules: Rules,
    /// The moves of the position it ponders on.
    pondering: Option<Vec<String>>,
}

impl HubPlayer {
    /// Starts an engine and sets its parameters; `halt` ends all waiting when it is disconnected.
    pub fn start(
        engine: &Contestant,
        patience: &Patience,
        halt: &Receiver<()>,
    ) -> Result<HubPlayer, StartError> {
        let mut driver = Driver::start(&engine.launch(Some(halt)), patience.startup)?;
        let mut rules = Rules::default();
        for (name, value) in &engine.options {
            // Rules of the game are options of the same name; what is not a rule is the engine's own.
            let _ = rules.choose(name, value);
            set(&mut driver, name, value)?;
        }
        // Only who learns has it.
        let _ = set(&mut driver, MATCH, "true");
        // Hub was made for 100 squares: an engine that plays on several boards has to be told.
        driver.set("variant", rules.variant.name());
        driver.init(patience.ping)?;
        Ok(HubPlayer { driver: Some(driver), patience: patience.clone(), rules, pondering: None })
    }

    fn driver(&mut self) -> &mut Driver {
        self.driver.as_mut().expect("it is taken only when the player is dropped")
    }

    /// The game so far; none if it was not played by the rules the engine was given.
    fn root(&self, turn: &Turn) -> Result<Root<Position>, Fault> {
        let start = match turn.fen {
            Some(fen) => Position::read(&self.rules, fen).map_err(|_| Fault::Disconnects)?,
            None => Position::start(&self.rules),
        };
        let mut root = Root::new(start);
        for text in turn.moves {
            root.play_text(text).map_err(|_| Fault::Disconnects)?;
        }
        Ok(root)
    }

    /// Tells the engine the game and its limits, and lets it think or ponder.
    fn go(&mut self, turn: &Turn, how: &str) -> Result<Root<Position>, Fault> {
        let root = self.root(turn)?;
        let moves: Vec<String> =
            root.positions().iter().zip(root.moves()).map(|(p, &m)| hub::write(p, m, ORDER)).collect();
        let ping = self.patience.ping;
        let driver = self.driver();
        driver.position(&hub::position(root.start()), &moves);
        levels(turn).iter().for_each(|level| driver.level(level));
        // Setting up is not thinking, and what an engine said too much is dropped here.
        driver.ping(ping).map_err(|error| Fault::from(&error))?;
        driver.go(how);
        Ok(root)
    }

    /// Waits for the answer to a `go` or `ponder-hit` of this moment.
    fn answer(&mut self, root: &Root<Position>, longest: Option<Duration>) -> Result<Answer, Fault> {
        let mut wait = Wait::new(longest, &self.patience);
        let mut thought = Thought::default();
        let mut line = Vec::new();
        let mut last_chance = None;
        loop {
            match self.driver().next(last_chance.unwrap_or_else(|| wait.deadline())) {
                Ok(Event::Done(answer)) => return Ok(finish(answer, thought, line, root)),
                Ok(Event::Info(info)) => {
                    wait.sign_of_life();
                    note(&info, &mut thought);
                    line = info.get("pv").map_or(line, |pv| spelled(pv, root));
                }
                Err(DriveError::Timeout { .. }) if last_chance.is_none() => {
                    self.driver().stop();
                    last_chance = Some(Instant::now() + GRACE);
                }
                Err(DriveError::Garbage { line }) => return Ok(Answer::nonsense(line, &wait)),
                Err(error) => return Err(Fault::from(&error)),
            }
        }
    }

    /// Ends pondering on a move that was not played.
    fn end_pondering(&mut self) -> Result<(), Fault> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        self.driver().stop();
        let deadline = Instant::now() + GRACE;
        loop {
            match self.driver().next(deadline) {
                Ok(Event::Done(_)) => return Ok(()),
                Ok(Event::Info(_)) => {}
                Err(error) => return Err(Fault::from(&error)),
            }
        }
    }
}

impl Player for HubPlayer {
    fn new_game(&mut self) -> Result<(), Fault> {
        let patience = self.patience.new_game;
        self.driver().new_game();
        self.driver().ping(patience).map_err(|error| Fault::from(&error))
    }

    fn think(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        if self.pondering.as_deref() == Some(turn.moves) {
            self.pondering = None;
            let root = self.root(turn)?;
            self.driver().ponder_hit();
            return self.answer(&root, turn.longest);
        }
        self.end_pondering()?;
        let root = self.go(turn, "think")?;
        self.answer(&root, turn.longest)
    }

    fn ponder(&mut self, turn: &Turn) -> Result<(), Fault> {
        self.go(turn, "ponder")?;
        self.pondering = Some(turn.moves.to_vec());
        Ok(())
    }

    fn rest(&mut self) -> Result<(), Fault> {
        self.end_pondering()
    }
}

impl Drop for HubPlayer {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            driver.quit(FAREWELL);
        }
    }
}

/// Sets a parameter that the engine declares, however it spells it: `Skill Level` is also `skill-level`.
fn set(driver: &mut Driver, name: &str, value: &str) -> Result<(), OptionError> {
    let plain = |name: &str| name.to_ascii_lowercase().replace([' ', '-', '_'], "");
    let declared = driver.parameters().iter().find(|line| line.get("name").map(plain) == Some(plain(name)));
    let Some(declared) = declared.cloned() else { return Err(OptionError::Unknown(name.to_owned())) };
    // In Hub a choice is one word.
    let value = if declared.get("values").is_some() { value.replace(' ', "-") } else { value.to_owned() };
    let value = value.as_str();
    let number = || value.parse::<f64>().ok();
    let bound = |end: &str| declared.get(end).and_then(|text| text.parse::<f64>().ok());
    let in_range =
        |n: f64| bound("min").is_none_or(|min| n >= min) && bound("max").is_none_or(|max| n <= max);
    let public = declared.get("name").unwrap_or(name);
    let fits = match declared.get("type") {
        Some("int" | "real") => number().is_some_and(in_range),
        Some("bool") => matches!(value, "true" | "false"),
        _ => driver.takes(public, value),
    };
    if fits && driver.set(public, value) {
        return Ok(());
    }
    let wanted = ["type", "min", "max", "values"].iter().filter_map(|word| declared.get(word));
    let wanted = wanted.collect::<Vec<_>>().join(" ");
    Err(OptionError::Value { name: name.to_owned(), value: value.to_owned(), wanted })
}

/// The limits of a turn; several levels add up.
fn levels(turn: &Turn) -> Vec<Line> {
    let level = || Line::new("level");
    let mut lines = Vec::new();
    lines.extend(turn.control.depth.map(|depth| level().with("depth", depth)));
    lines.extend(turn.control.nodes.map(|nodes| level().with("nodes", nodes)));
    lines.extend(turn.control.move_time.map(|time| level().with("move-time", time.as_secs_f64())));
    if let Some(clock) = &turn.clocks[turn.side.index()] {
        let line = match clock.moves_to_go {
            Some(moves) => level().with("moves", moves),
            None => level(),
        };
        // A Hub engine adds the increment before its move; our clocks have added it already.
        let left = clock.left.saturating_sub(clock.increment);
        lines.push(line.with("time", left.as_secs_f64()).with("inc", clock.increment.as_secs_f64()));
    }
    lines
}

/// What an engine says on the way.
fn note(info: &Line, thought: &mut Thought) {
    let number = |name: &str| info.get(name).and_then(|text| text.parse::<f64>().ok());
    thought.depth = number("depth").map(|depth| depth as u32).or(thought.depth);
    thought.nodes = number("nodes").map(|nodes| nodes as u64).or(thought.nodes);
    thought.score = number("score").filter(|score| score.is_finite()).map(score::read).or(thought.score);
}

/// A line of play as our games write it, as far as it can be read.
fn spelled(line: &str, root: &Root<Position>) -> Vec<String> {
    let mut position = *root.position();
    let mut words = Vec::new();
    for word in line.split_whitespace() {
        // A move that cannot be read is left as it is: the referee will remark on it.
        let Ok(m) = hub::parse(&position, word, ORDER) else {
            words.push(word.to_owned());
            break;
        };
        words.push(position.write(m));
        position.play(m);
    }
    words
}

fn finish(answer: HubAnswer, thought: Thought, line: Vec<String>, root: &Root<Position>) -> Answer {
    let mut words = spelled(&answer.best, root);
    let readable = hub::parse(root.position(), &answer.best, ORDER).is_ok();
    // Hub's squares of captured pieces must not be taken for landing squares.
    let text = if readable { words.swap_remove(0) } else { format!("? {}", answer.best) };
    let reply = answer.ponder.map(|reply| spelled(&format!("{} {reply}", answer.best), root));
    Answer {
        text,
        ponder: reply.and_then(|words| words.into_iter().nth(1)),
        line,
        thought: Thought { time: answer.time, ..thought },
        ..Answer::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::time::TimeControl;
    use search::{Score, Side, TimeLeft};

    fn root(fen: &str) -> Root<Position> {
        Root::new(Position::read(&Rules::default(), fen).unwrap())
    }

    #[test]
    fn captures_are_translated_by_the_pieces_taken() {
        let root = root("W:W30:B10,11,17,18,25,26");
        let answer = |best: &str| {
            let answer = HubAnswer { best: best.to_owned(), ponder: None, time: Duration::ZERO };
            finish(answer, Thought::default(), Vec::new(), &root).text
        };
        let text = answer("30x16x25x10x17x11");
        assert!(root.position().parse(&text).is_ok(), "{text}");
        assert_eq!(answer("30x16"), "? 30x16");
        assert!(root.position().parse(&answer("22-18")).is_err());
    }

    #[test]
    fn a_turn_is_written_as_levels_with_the_increment_still_to_come() {
        let control = TimeControl { nodes: Some(500), ..TimeControl::default() };
        let clock = TimeLeft {
            left: Duration::from_millis(1500),
            increment: Duration::from_millis(500),
            moves_to_go: Some(7),
            overtime: None,
        };
        let clocks = [None, Some(clock)];
        let turn =
            Turn { fen: None, moves: &[], side: Side::Black, clocks, control: &control, longest: None };
        let lines: Vec<String> = levels(&turn).iter().map(Line::to_string).collect();
        assert_eq!(lines, ["level nodes=500", "level moves=7 time=1 inc=0.5"]);
    }

    #[test]
    fn numbers_that_are_none_change_nothing() {
        let mut thought = Thought::default();
        note(&Line::read("info depth=9 score=0.25 nodes=1000 pv=\"22-18\"").unwrap(), &mut thought);
        note(&Line::read("info depth=x score=nan").unwrap(), &mut thought);
        assert_eq!((thought.depth, thought.score, thought.nodes), (Some(9), Some(Score(25)), Some(1000)));
    }
}
