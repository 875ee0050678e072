//! Talking Hub to an engine that plays draughts. Hub writes captures by the pieces taken, so moves are translated on
//! their way in and out.

use std::time::{Duration, Instant};

use draughts::{Position, Rules, hub};
use protocol::hub::{Driver, Line, drive, score};
use protocol::{DriveError, LONGEST_LINE, Process};
use search::{Bound, Game, OptionError, Rulebook, Side};

use super::{Best, Conversation, Event, Occasion, Patience, Question, Report, Setup, Spend, StartError};

/// The order of squares in moves.
const ORDER: &str = hub::ORDERS[0];

/// A conversation in Hub.
pub struct Hub {
    driver: Driver,
    occasion: Occasion,
    patience: Patience,
    rules: Rules,
    /// Where the engine thinks.
    position: Position,
}

impl Hub {
    /// Waits for an engine's introduction.
    pub fn greet(process: Process, setup: &Setup) -> Result<Hub, DriveError> {
        let Setup { occasion, patience, .. } = setup.clone();
        let driver = Driver::greet(process, patience.startup)?;
        let rules = Rules::default();
        Ok(Hub { driver, occasion, patience, rules, position: Position::start(&rules) })
    }

    /// Setting up is not thinking, so a clock waits for its end; what an engine said too much is dropped on the way.
    fn synchronise(&mut self, patience: Duration) -> Result<(), DriveError> {
        match self.occasion {
            Occasion::Match => self.driver.ping(patience),
            Occasion::Board => Ok(()),
        }
    }

    /// Follows the game to the position asked about, and tells it.
    fn tell(&mut self, question: &Question) -> Result<(), DriveError> {
        let garbage = |error: &dyn std::fmt::Display| DriveError::Garbage { line: error.to_string() };
        let start = match &question.fen {
            Some(fen) => Position::read(&self.rules, fen).map_err(|error| garbage(&error))?,
            None => Position::start(&self.rules),
        };
        self.position = start;
        let mut moves = Vec::new();
        for text in &question.moves {
            let m = self.position.parse(text).map_err(|error| garbage(&error))?;
            moves.push(hub::write(&self.position, m, ORDER));
            self.position.play(m);
        }
        self.driver.position(&hub::position(&start), &moves);
        Ok(())
    }
}

impl Conversation for Hub {
    fn set(&mut self, name: &str, value: &str) -> Result<(), StartError> {
        // Rules of the game are options of the same name; what is not a rule is the engine's own.
        let _ = self.rules.choose(name, value);
        Ok(set(&mut self.driver, name, value)?)
    }

    fn prepare(&mut self, _: &Setup) -> Result<(), StartError> {
        // Hub was made for 100 squares: an engine that plays on several boards has to be told.
        self.driver.set("variant", self.rules.variant.name());
        Ok(self.driver.init(self.patience.ping)?)
    }

    fn new_game(&mut self) -> Result<(), DriveError> {
        self.driver.new_game();
        self.synchronise(self.patience.new_game)
    }

    fn ask(&mut self, question: &Question) -> Result<(), DriveError> {
        self.tell(question)?;
        let levels = levels(&question.spend, question.side, self.occasion);
        levels.iter().for_each(|level| self.driver.level(level));
        self.synchronise(self.patience.ping)?;
        self.driver.go(match question {
            Question { ponders: true, .. } => "ponder",
            Question { analyses: true, .. } => "analyze",
            _ => "think",
        });
        Ok(())
    }

    fn ponder_hit(&mut self) {
        self.driver.ponder_hit();
    }

    fn next(&mut self, deadline: Instant) -> Result<Event, DriveError> {
        Ok(match self.driver.next(deadline)? {
            drive::Event::Info(line) => Event::Reports(vec![report(&line, &self.position)]),
            drive::Event::Done(answer) => Event::Best(best(answer, &self.position)?),
        })
    }

    fn stop(&mut self) {
        self.driver.stop();
    }

    fn quit(&mut self, grace: Duration) {
        self.driver.quit(grace);
    }
}

/// Sets a parameter that the engine declares, however it spells it: `Skill Level` is also `skill-level`.
fn set(driver: &mut Driver, name: &str, value: &str) -> Result<(), OptionError> {
    let plain = |name: &str| name.to_ascii_lowercase().replace([' ', '-', '_'], "");
    let declared = driver.parameters.iter().find(|line| line.get("name").map(plain) == Some(plain(name)));
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

/// What may be spent; several levels add up.
fn levels(spend: &Spend, side: Side, occasion: Occasion) -> Vec<Line> {
    let level = || Line::new("level");
    if spend.infinite {
        return vec![level().flag("infinite")];
    }
    let at_board = occasion == Occasion::Board;
    let mut lines = Vec::new();
    lines.extend(spend.depth.map(|depth| level().with("depth", depth)));
    lines.extend(spend.nodes.map(|nodes| level().with("nodes", nodes)));
    lines.extend(spend.move_time.map(|time| level().with("move-time", time.as_secs_f64())));
    // At a board the time of a move was chosen with the clock in mind.
    let clock = spend.clocks[side.index()].as_ref().filter(|_| !at_board || spend.move_time.is_none());
    if let Some(clock) = clock {
        let line = clock.moves_to_go.map_or_else(level, |moves| level().with("moves", moves));
        // A Hub engine adds the increment before its move; our clocks have added it already.
        let left = clock.left.saturating_sub(clock.increment);
        lines.push(line.with("time", left.as_secs_f64()).with("inc", clock.increment.as_secs_f64()));
    }
    if at_board && lines.is_empty() {
        lines.push(level().with("move-time", 1));
    }
    lines
}

/// What an engine says on the way about a position; a number that is none changes nothing.
fn report(info: &Line, position: &Position) -> Report {
    let number = |name: &str| info.get(name).and_then(|text| text.parse::<f64>().ok());
    let score = number("score").filter(|score| score.is_finite()).map(score::read);
    Report {
        depth: number("depth").map(|depth| depth as u32),
        nodes: number("nodes").map(|nodes| nodes as u64),
        score: score.map(|score| (score, Bound::Exact)),
        pv: info.get("pv").map(|pv| spelled(pv, position)).unwrap_or_default(),
        ..Report::default()
    }
}

/// A line of play as our games write it, as far as it can be read.
fn spelled(line: &str, position: &Position) -> Vec<String> {
    let mut position = *position;
    let mut words = Vec::new();
    for word in line.split_whitespace().take(LONGEST_LINE) {
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

/// An answer as our games write it.
fn best(answer: Best, position: &Position) -> Result<Best, DriveError> {
    let best = answer.text.unwrap_or_default();
    // Hub's squares of captured pieces must not be taken for landing squares.
    let m =
        hub::parse(position, &best, ORDER).map_err(|_| DriveError::Garbage { line: format!("? {best}") })?;
    let reply = answer.ponder.map(|reply| spelled(&format!("{best} {reply}"), position));
    let ponder = reply.and_then(|words| words.into_iter().nth(1));
    Ok(Best { text: Some(position.write(m)), ponder, ..answer })
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::{Score, TimeLeft};

    #[test]
    fn captures_are_translated_by_the_pieces_taken() {
        let position = Position::read(&Rules::default(), "W:W30:B10,11,17,18,25,26").unwrap();
        let answer = |text: &str| best(Best { text: Some(text.to_owned()), ..Best::default() }, &position);
        let text = answer("30x16x25x10x17x11").unwrap().text.unwrap();
        assert!(position.parse(&text).is_ok(), "{text}");
        let nonsense = |line: &str| Err(DriveError::Garbage { line: line.to_owned() });
        assert_eq!(answer("30x16"), nonsense("? 30x16"));
        assert_eq!(answer("22-18"), nonsense("? 22-18"));
        assert!(position.parse("? 22-18").is_err());
    }

    #[test]
    fn what_may_be_spent_is_told_in_levels_with_the_increment_still_to_come() {
        let said = |spend: Spend, occasion| {
            levels(&spend, Side::Black, occasion).iter().map(Line::to_string).collect::<Vec<_>>()
        };
        let clock = |moves_to_go| {
            let (left, increment) = (Duration::from_millis(1500), Duration::from_millis(500));
            let clocks = [None, Some(TimeLeft { left, increment, moves_to_go, overtime: None })];
            Spend { clocks, ..Spend::default() }
        };
        let timed = Spend { move_time: Some(Duration::from_millis(250)), ..clock(None) };
        assert_eq!(said(timed.clone(), Occasion::Board), ["level move-time=0.25"]);
        assert_eq!(said(timed, Occasion::Match), ["level move-time=0.25", "level time=1 inc=0.5"]);
        let counted = Spend { nodes: Some(500), ..clock(Some(7)) };
        assert_eq!(said(counted, Occasion::Match), ["level nodes=500", "level moves=7 time=1 inc=0.5"]);
        let deep = Spend { depth: Some(9), ..clock(None) };
        assert_eq!(said(deep, Occasion::Board), ["level depth=9", "level time=1 inc=0.5"]);
        assert_eq!(said(Spend { infinite: true, ..clock(None) }, Occasion::Board), ["level infinite"]);
        assert_eq!(said(Spend::default(), Occasion::Board), ["level move-time=1"]);
    }

    #[test]
    fn numbers_that_are_none_are_none() {
        let read = |line: &str| report(&Line::read(line).unwrap(), &Position::start(&Rules::default()));
        let good = read("info depth=9 score=0.25 nodes=1000 pv=\"22-18\"");
        assert_eq!((good.depth, good.nodes), (Some(9), Some(1000)));
        assert_eq!(good.score, Some((Score(25), Bound::Exact)));
        assert_eq!(read("info depth=x score=nan"), Report::default());
    }
}
