//! An engine that speaks UCI or one of its dialects.

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use protocol::DriveError;
use protocol::uci::{Answer as UciAnswer, Driver, Event, Go, Judgement, Report};
use search::{Bound, Score};

use super::{Answer, FAREWELL, Fault, GRACE, MATCH, Player, StartError, Thought, Turn, Wait};
use crate::matches::plan::{Contestant, Patience};

/// A UCI engine at the board.
pub struct UciPlayer {
    /// Taken when it leaves.
    driver: Option<Driver>,
    patience: Patience,
    /// The moves of the position it ponders on.
    pondering: Option<Vec<String>>,
}

impl UciPlayer {
    /// Starts an engine and sets its options; `halt` ends all waiting when it is disconnected.
    pub fn start(
        engine: &Contestant,
        patience: &Patience,
        halt: &Receiver<()>,
    ) -> Result<UciPlayer, StartError> {
        let mut driver = Driver::start(&engine.launch(Some(halt)), patience.startup)?;
        for (name, value) in &engine.options {
            driver.set(name, value)?;
        }
        if engine.ponder {
            // Many engines ponder without having the option.
            let _ = driver.set("Ponder", "true");
        }
        let _ = driver.set(MATCH, "true");
        driver.ready(patience.ping)?;
        Ok(UciPlayer { driver: Some(driver), patience: patience.clone(), pondering: None })
    }

    fn driver(&mut self) -> &mut Driver {
        self.driver.as_mut().expect("it is taken only when the player is dropped")
    }

    /// Waits for the answer to a `go` or `ponderhit` of this moment.
    fn answer(&mut self, longest: Option<Duration>) -> Result<Answer, Fault> {
        let mut wait = Wait::new(longest, &self.patience);
        let mut so_far = SoFar::default();
        loop {
            match self.driver().next(wait.deadline()) {
                Ok(Event::Best(answer)) => return Ok(so_far.finish(answer)),
                Ok(Event::Info(report)) => {
                    wait.sign_of_life();
                    so_far.note(report);
                }
                Err(DriveError::Timeout { .. }) => break,
                Err(DriveError::Garbage { line }) => return Ok(Answer::nonsense(line, &wait)),
                Err(error) => return Err(Fault::from(&error)),
            }
        }
        self.driver().stop();
        let answer = self.driver().answer(Instant::now() + GRACE, |report| so_far.note(report));
        answer.map(|answer| so_far.finish(answer)).map_err(|error| Fault::from(&error))
    }

    /// Ends pondering on a move that was not played.
    fn end_pondering(&mut self) -> Result<(), Fault> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        self.driver().stop();
        let answer = self.driver().answer(Instant::now() + GRACE, |_| {});
        answer.map(|_| ()).map_err(|error| Fault::from(&error))
    }
}

impl Player for UciPlayer {
    fn new_game(&mut self) -> Result<(), Fault> {
        let patience = self.patience.new_game;
        self.driver().new_game(patience).map_err(|error| Fault::from(&error))
    }

    fn think(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        if self.pondering.as_deref() == Some(turn.moves) {
            self.pondering = None;
            self.driver().ponder_hit();
            return self.answer(turn.longest);
        }
        self.end_pondering()?;
        let ping = self.patience.ping;
        let driver = self.driver();
        driver.position(turn.fen, turn.moves);
        // Setting up is not thinking, and what an engine said too much is dropped here.
        driver.ready(ping).map_err(|error| Fault::from(&error))?;
        driver.go(&limits(turn));
        self.answer(turn.longest)
    }

    fn ponder(&mut self, turn: &Turn) -> Result<(), Fault> {
        let ping = self.patience.ping;
        let driver = self.driver();
        driver.position(turn.fen, turn.moves);
        driver.ready(ping).map_err(|error| Fault::from(&error))?;
        driver.go(&Go { ponder: true, ..limits(turn) });
        self.pondering = Some(turn.moves.to_vec());
        Ok(())
    }

    fn rest(&mut self) -> Result<(), Fault> {
        self.end_pondering()
    }

    fn dead_stones(&mut self, _: &Turn) -> Result<Option<Vec<String>>, Fault> {
        Ok(None)
    }

    fn gives_scores(&self) -> bool {
        true
    }

    fn settings(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            driver.quit(FAREWELL);
        }
    }
}

/// The limits of a turn as `go` has them.
fn limits(turn: &Turn) -> Go {
    let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    let clock = |f: fn(&search::TimeLeft) -> Duration| {
        turn.clocks.each_ref().map(|clock| clock.as_ref().map(|c| millis(f(c))))
    };
    let own = turn.clocks[turn.side.index()].as_ref();
    Go {
        time: clock(|c| c.left),
        increment: clock(|c| c.increment),
        moves_to_go: own.and_then(|c| c.moves_to_go).map(i64::from),
        move_time: turn.control.move_time.map(millis),
        depth: turn.control.depth.map(i64::from),
        nodes: turn.control.nodes.map(|n| i64::try_from(n).unwrap_or(i64::MAX)),
        ..Go::default()
    }
}

/// What the reports on the way say about the best line.
#[derive(Default)]
struct SoFar {
    thought: Thought,
    line: Vec<String>,
}

impl SoFar {
    fn note(&mut self, report: Report) {
        if report.multipv.is_some_and(|line| line > 1) {
            return;
        }
        let thought = &mut self.thought;
        if let Some(depth) = report.depth.filter(|_| report.score.is_some()) {
            thought.depth = u32::try_from(depth).ok();
        }
        thought.nodes = report.nodes.or(thought.nodes);
        match report.score {
            Some((judgement, Bound::Exact)) => thought.score = Some(score(judgement)),
            Some((judgement, _)) => thought.score = thought.score.or(Some(score(judgement))),
            None => {}
        }
        // A search that is stopped after a surprise answers with the line of its last bound.
        if !report.pv.is_empty() {
            self.line = report.pv;
        }
    }

    fn finish(self, answer: UciAnswer) -> Answer {
        Answer {
            text: answer.best.unwrap_or_else(|| "(none)".to_owned()),
            ponder: answer.ponder,
            line: self.line,
            thought: Thought { time: answer.time, ..self.thought },
            ..Answer::default()
        }
    }
}

fn score(judgement: Judgement) -> Score {
    let plies = |moves: i64| u32::try_from(moves.unsigned_abs().saturating_mul(2)).unwrap_or(u32::MAX);
    match judgement {
        Judgement::Points(n) => {
            Score(n.clamp(i64::from((-Score::OPINION).0), i64::from(Score::OPINION.0)) as i32)
        }
        Judgement::Mate(n) if n > 0 => Score::win_in(plies(n) - 1),
        Judgement::Mate(n) => Score::loss_in(plies(n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::time::TimeControl;
    use search::{Side, TimeLeft};

    #[test]
    fn a_turn_is_written_as_go() {
        let control = TimeControl { nodes: Some(500), ..TimeControl::default() };
        let clock = |left, to_go| TimeLeft {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(50),
            moves_to_go: to_go,
            overtime: None,
        };
        let turn = Turn {
            fen: None,
            moves: &[],
            side: Side::Black,
            clocks: [Some(clock(1000, None)), Some(clock(900, Some(7)))],
            control: &control,
            longest: None,
        };
        let wanted = "go wtime 1000 btime 900 winc 50 binc 50 movestogo 7 nodes 500";
        assert_eq!(limits(&turn).to_string(), wanted);
    }

    #[test]
    fn the_best_exact_score_counts() {
        let mut so_far = SoFar::default();
        for line in [
            "info depth 5 score cp 10 lowerbound nodes 7",
            "info depth 5 multipv 1 score cp 31 nodes 9",
            "info depth 5 multipv 2 score cp -90 nodes 9",
            "info depth 6 score cp 80 upperbound nodes 12",
            "info nodes 15 currmove a1b2",
        ] {
            so_far.note(Report::read(line).unwrap());
        }
        let thought = so_far.thought;
        assert_eq!((thought.score, thought.depth, thought.nodes), (Some(Score(31)), Some(6), Some(15)));
    }

    #[test]
    fn mates_are_counted_in_plies_inside() {
        for text in ["mate 3", "mate 1", "mate -2", "mate 0", "cp -15"] {
            let line = format!("info score {text}");
            let judgement = Report::read(&line).unwrap().score.unwrap().0;
            assert_eq!(score(judgement).to_string(), text);
        }
        assert_eq!(score(Judgement::Points(i64::MAX)), Score::OPINION);
        assert!(score(Judgement::Mate(i64::MIN)).is_decisive());
    }
}
