//! Talking Hub to an engine that plays draughts. Hub writes captures by the pieces taken, so moves are
//! translated on their way in and out.

use std::time::Instant;

use draughts::{Position, Rules, hub};
use protocol::DriveError;
use protocol::hub::{Line, drive::Driver, drive::Event};
use protocol::uci::info::{Judgement, Report};
use search::{Bound, Game};

use super::{Heard, LEAVING, PATIENCE, Question, Recipe, Talk};
use crate::referee::Refereed;

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
            if Position::choose(&mut rules, name, value).is_err() {
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
        let score = number("score").map(|men| (Judgement::Points((men * 100.0) as i64), Bound::Exact));
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
            score,
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
        let go = &question.go;
        let seconds = |ms: i64| ms as f64 / 1000.0;
        let level = Line::new("level");
        let level = match (go.depth, go.nodes, go.move_time, go.time[self.position.turn().index()]) {
            _ if go.infinite => level.with("infinite", "true"),
            (Some(depth), ..) => level.with("depth", depth),
            (_, Some(nodes), ..) => level.with("nodes", nodes),
            (_, _, Some(ms), _) => level.with("move-time", seconds(ms)),
            (_, _, _, left) => level.with("time", seconds(left.unwrap_or(1000))),
        };
        self.driver.level(&level);
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
