//! Talking UCI to an engine.

use std::time::Instant;

use protocol::DriveError;
use protocol::uci::drive::{Driver, Event};

use super::{Heard, LEAVING, PATIENCE, Question, Recipe, Talk};

/// A conversation in UCI.
pub struct Uci {
    driver: Driver,
    lines: usize,
}

impl Uci {
    /// Starts an engine and sets its options.
    pub fn begin(recipe: &Recipe) -> Result<Self, DriveError> {
        let mut driver = Driver::greet(recipe.process()?, PATIENCE)?;
        for (name, value) in &recipe.options {
            // An option that an engine does not have or want is none of the game's business.
            let _ = driver.set(name, value);
        }
        driver.new_game(PATIENCE)?;
        Ok(Uci { driver, lines: 1 })
    }
}

impl Talk for Uci {
    fn ask(&mut self, question: &Question) -> Result<(), DriveError> {
        let lines = question.lines.max(1);
        if lines != self.lines {
            self.lines = lines;
            let _ = self.driver.set("MultiPV", &lines.to_string());
        }
        self.driver.position(question.fen.as_deref(), &question.moves);
        self.driver.go(&question.go);
        Ok(())
    }

    fn next(&mut self, deadline: Instant) -> Result<Heard, DriveError> {
        Ok(match self.driver.poll(deadline)? {
            Event::Info(report) => Heard::Thoughts(vec![report]),
            Event::Best(answer) => Heard::Best(answer.best),
        })
    }

    fn stop(&mut self) {
        self.driver.stop();
    }

    fn quit(self: Box<Self>) {
        self.driver.quit(LEAVING);
    }
}
