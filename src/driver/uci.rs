//! Talking UCI, or one of its dialects, to an engine.

use std::time::{Duration, Instant};

use protocol::uci::{self, Driver, Go};
use protocol::{DriveError, Process};

use super::{Conversation, Event, Occasion, Patience, Question, Setup, StartError};

/// A conversation in UCI.
pub struct Uci {
    driver: Driver,
    occasion: Occasion,
    patience: Patience,
    /// The lines of play it shows.
    lines: usize,
}

impl Uci {
    /// Waits for an engine's introduction.
    pub fn greet(process: Process, setup: &Setup) -> Result<Uci, DriveError> {
        let Setup { occasion, patience, .. } = setup.clone();
        let driver = Driver::greet(process, patience.startup)?;
        Ok(Uci { driver, occasion, patience, lines: 1 })
    }

    /// Setting up is not thinking, so a clock waits for its end; what an engine said too much is dropped on the way.
    fn synchronise(&mut self) -> Result<(), DriveError> {
        match self.occasion {
            Occasion::Match => self.driver.ready(self.patience.ping),
            Occasion::Board => Ok(()),
        }
    }
}

impl Conversation for Uci {
    fn set(&mut self, name: &str, value: &str) -> Result<(), StartError> {
        Ok(self.driver.set(name, value)?)
    }

    fn prepare(&mut self, setup: &Setup) -> Result<(), StartError> {
        if setup.ponder {
            // Many engines ponder without having the option.
            let _ = self.driver.set("Ponder", "true");
        }
        Ok(self.synchronise()?)
    }

    fn new_game(&mut self) -> Result<(), DriveError> {
        self.driver.new_game(self.patience.new_game)
    }

    fn ask(&mut self, question: &Question) -> Result<(), DriveError> {
        if question.lines != self.lines {
            self.lines = question.lines;
            // An engine that does not have it shows one.
            let _ = self.driver.set("MultiPV", &question.lines.to_string());
        }
        self.driver.position(question.fen.as_deref(), &question.moves);
        self.synchronise()?;
        self.driver.go(&go(question));
        Ok(())
    }

    fn ponder_hit(&mut self) {
        self.driver.ponder_hit();
    }

    fn next(&mut self, deadline: Instant) -> Result<Event, DriveError> {
        Ok(match self.driver.next(deadline)? {
            uci::Event::Info(report) => Event::Reports(vec![report]),
            uci::Event::Best(best) => Event::Best(best),
        })
    }

    fn stop(&mut self) {
        self.driver.stop();
    }

    fn quit(&mut self, grace: Duration) {
        self.driver.quit(grace);
    }
}

/// A question's limits as `go` has them.
fn go(question: &Question) -> Go {
    let spend = &question.spend;
    let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    let clock = |f: fn(&search::TimeLeft) -> Duration| {
        spend.clocks.each_ref().map(|clock| clock.as_ref().map(|c| millis(f(c))))
    };
    let own = spend.clocks[question.side.index()].as_ref();
    Go {
        time: clock(|c| c.left),
        increment: clock(|c| c.increment),
        moves_to_go: own.and_then(|c| c.moves_to_go).map(i64::from),
        move_time: spend.move_time.map(millis),
        depth: spend.depth.map(i64::from),
        nodes: spend.nodes.map(|n| i64::try_from(n).unwrap_or(i64::MAX)),
        infinite: spend.infinite,
        ponder: question.ponders,
        ..Go::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::Spend;
    use search::{Side, TimeLeft};

    #[test]
    fn a_question_is_written_as_go() {
        let clock = |left, moves_to_go| {
            let (left, increment) = (Duration::from_millis(left), Duration::from_millis(50));
            Some(TimeLeft { left, increment, moves_to_go, overtime: None })
        };
        let clocks = [clock(1000, None), clock(900, Some(7))];
        let spend = Spend { clocks, nodes: Some(500), ..Spend::default() };
        let question = Question::new(None, Vec::new(), Side::Black, spend);
        let wanted = "go wtime 1000 btime 900 winc 50 binc 50 movestogo 7 nodes 500";
        assert_eq!(go(&question).to_string(), wanted);
    }
}
