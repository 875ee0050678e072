//! Talking Hub to an engine that plays draughts. Hub writes captures by the pieces taken, so moves are
//! translated on their way in and out.

use std::time::Instant;

use draughts::{Position, Rules, hub};
use protocol::DriveError;
use protocol::hub::{Line, drive::Driver, drive::Event, score};
use protocol::uci::command::Go;
use protocol::uci::info::{Judgement, Report};
use search::{Bound, Game, Rulebook, Score, Side};

use super::{Heard, LEAVING, PATIENCE, Question, Recipe, Talk};

/// The order of squares in moves.
const ORDER: &str = hub::ORDERS[0];

/// A conversation in Hub.
pub struct Hub {
    driver: Driver,
    rules: Rules,
    /// Where the engine thinks.
    position: Position,
}

impl Hub {
    /// Starts an engine and sets its parameters.
    pub fn begin(recipe: &Recipe) -> Result<Self, DriveError> {
        let mut driver = Driver::greet(recipe.process()?, PATIENCE)?;
        let mut rules = Rules::default();
        for (name, value) in &recipe.options {
            // What is no rule is a parameter, and an engine that does not have it plays as well.
            if rules.choose(name, value).is_err() {
                driver.set(name, value);
            }
        }
        driver.set("variant", rules.variant.name());
        driver.init(PATIENCE)?;
        driver.new_game();
        Ok(Hub { driver, rules, position: Position::start(&rules) })
    }

    fn report(&self, line: &Line) -> Report {
        let number = |name: &str| line.get(name).and_then(|text| text.parse::<f64>().ok());
        let score = number("score").filter(|men| men.is_finite()).map(score::read);
        let moves = line.get("pv").unwrap_or_default();
        let mut position = self.position;
        let mut pv = Vec::new();
        for text in moves.split_whitespace() {
            let Ok(m) = hub::parse(&position, text, ORDER) else { break };
            pv.push(position.write(m));
            position.play(m);
        }
        Report {
            depth: number("depth").map(|depth| depth as u64),
            nodes: number("nodes").map(|nodes| nodes as u64),
            score: score.map(|score| (judgement(score), Bound::Exact)),
            pv,
            ..Report::default()
        }
    }
}

impl Talk for Hub {
    fn ask(&mut self, question: &Question) -> Result<(), DriveError> {
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
        for level in levels(&question.go, self.position.turn()) {
            self.driver.level(&level);
        }
        self.driver.go(if question.analyses { "analyze" } else { "think" });
        Ok(())
    }

    fn next(&mut self, deadline: Instant) -> Result<Heard, DriveError> {
        Ok(match self.driver.poll(deadline)? {
            Event::Info(line) => Heard::Thoughts(vec![self.report(&line)]),
            Event::Done(answer) => {
                let read = hub::parse(&self.position, &answer.best, ORDER);
                let m = read.map_err(|_| DriveError::Garbage { line: answer.best })?;
                Heard::Best(Some(self.position.write(m)))
            }
        })
    }

    fn stop(&mut self) {
        self.driver.stop();
    }

    fn quit(self: Box<Self>) {
        self.driver.quit(LEAVING);
    }
}

/// What may be spent; several levels add up.
fn levels(go: &Go, side: Side) -> Vec<Line> {
    let level = || Line::new("level");
    if go.infinite {
        return vec![level().flag("infinite")];
    }
    let seconds = |ms: i64| ms as f64 / 1000.0;
    let mut lines = Vec::new();
    lines.extend(go.depth.map(|depth| level().with("depth", depth)));
    lines.extend(go.nodes.map(|nodes| level().with("nodes", nodes)));
    match (go.move_time, go.time[side.index()]) {
        // It was chosen with the clock in mind.
        (Some(time), _) => lines.push(level().with("move-time", seconds(time))),
        (None, Some(left)) => {
            // A Hub engine adds the increment before its move; our clock has added it already.
            let increment = go.increment[side.index()].unwrap_or(0);
            let line = level().with("time", seconds((left - increment).max(0)));
            lines.push(line.with("inc", seconds(increment)));
        }
        (None, None) if lines.is_empty() => lines.push(level().with("move-time", 1)),
        (None, None) => {}
    }
    lines
}

fn judgement(score: Score) -> Judgement {
    match score.plies_to_end() {
        Some(plies) if score > Score::DRAW => Judgement::Mate(i64::from(plies / 2 + 1)),
        Some(plies) => Judgement::Mate(i64::from(plies / 2)),
        None => Judgement::Points(i64::from(score.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_spent_is_told_in_levels() {
        let said = |go: Go| levels(&go, Side::Black).iter().map(Line::to_string).collect::<Vec<_>>();
        let clock = Go { time: [None, Some(1500)], increment: [None, Some(500)], ..Go::default() };
        assert_eq!(said(Go { infinite: true, ..clock.clone() }), ["level infinite"]);
        assert_eq!(said(Go { move_time: Some(250), ..clock.clone() }), ["level move-time=0.25"]);
        assert_eq!(said(Go { depth: Some(9), ..clock }), ["level depth=9", "level time=1 inc=0.5"]);
        assert_eq!(said(Go::default()), ["level move-time=1"]);
    }

    #[test]
    fn a_decided_score_counts_moves() {
        assert_eq!(judgement(score::read(0.29)), Judgement::Points(29));
        assert_eq!(judgement(score::read(99.97)), Judgement::Mate(2));
        assert_eq!(judgement(score::read(100.0)), Judgement::Mate(1));
        assert_eq!(judgement(score::read(-99.98)), Judgement::Mate(-1));
    }
}
