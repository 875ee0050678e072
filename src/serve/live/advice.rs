//! Our engine as an adviser of a game: hints, thinking along, and looking over the whole game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use search::Side;
use serde_json::json;

use super::{GLIMPSE, Live};
use crate::analysis::{self, Lines, Verdict};
use crate::driver::{Engine, Message, Question, Spend};
use crate::referee::Referee;
use crate::serve::order::{Reply, Role};

/// The time for a hint.
const HINT: Duration = Duration::from_millis(700);
/// The time for each move of a whole game.
const SWEEP: Duration = Duration::from_millis(150);
/// Lines shown of a position that is thought about.
const LINES: usize = 3;

/// The adviser and what it is busy with.
#[derive(Default)]
pub(super) struct Adviser {
    engine: Option<Engine>,
    job: Option<Job>,
    /// The node the user wants to have thought about.
    watched: Option<usize>,
}

struct Job {
    ticket: u64,
    node: usize,
    side: Side,
    lines: Lines,
    referee: Box<dyn Referee>,
    purpose: Purpose,
}

enum Purpose {
    Hint(Reply),
    Watch,
    Sweep(Sweep),
}

/// The way through a whole game.
struct Sweep {
    /// The nodes still to be looked at, the next one last.
    rest: Vec<usize>,
    /// The number of all.
    all: usize,
    /// What was said about the position before.
    before: Verdict,
}

impl Adviser {
    /// Whether it thinks along.
    pub(super) fn is_watching(&self) -> bool {
        self.watched.is_some()
    }

    /// Moves looked at and moves in all, while it looks over the game.
    pub(super) fn progress(&self) -> Option<(usize, usize)> {
        match self.job.as_ref()?.purpose {
            Purpose::Sweep(ref sweep) => Some((sweep.all - sweep.rest.len(), sweep.all)),
            _ => None,
        }
    }

    /// Whether somebody waits for it.
    pub(super) fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// Sends the engine home if nobody waits for it.
    pub(super) fn rest(&mut self) {
        if self.job.is_none() {
            self.engine = None;
        }
    }
}

impl Live {
    pub(super) fn hint(&mut self, node: usize, reply: Reply) {
        match self.referee_at(node) {
            Ok(referee) if referee.outcome().is_none() => {
                self.begin(node, referee, Spend::time(HINT), 1, Purpose::Hint(reply));
            }
            Ok(_) => {
                let _ = reply.send(Err("the game is over there".to_owned()));
            }
            Err(error) => {
                let _ = reply.send(Err(format!("{error:#}")));
            }
        }
    }

    /// Thinks about a node until told otherwise, or stops doing so.
    pub(super) fn watch_node(&mut self, node: Option<usize>) -> Result<()> {
        if let Some(node) = node {
            ensure!(node < self.kept.tree.nodes().len(), "there is no move {node}");
        }
        self.adviser.watched = node;
        self.think_along()
    }

    fn think_along(&mut self) -> Result<()> {
        let Some(node) = self.adviser.watched else {
            if matches!(self.adviser.job, Some(Job { purpose: Purpose::Watch, .. })) {
                self.halt();
            }
            return Ok(());
        };
        let referee = self.referee_at(node)?;
        if referee.outcome().is_some() {
            self.halt();
            return Ok(());
        }
        let spend = Spend { infinite: true, ..Spend::default() };
        self.begin(node, referee, spend, LINES, Purpose::Watch);
        Ok(())
    }

    /// Thinks along again where it fell silent because nobody listened.
    pub(super) fn think_again(&mut self) -> Result<()> {
        if self.adviser.is_busy() { Ok(()) } else { self.think_along() }
    }

    /// Begins to look over the whole game, or stops doing so.
    pub(super) fn sweep(&mut self) -> Result<()> {
        if self.adviser.progress().is_some() {
            self.halt();
            return Ok(());
        }
        let mut line = self.kept.tree.whole_line();
        line.insert(0, 0);
        line.reverse();
        let all = line.len();
        self.sweep_on(Sweep { rest: line, all, before: Verdict::default() })
    }

    fn sweep_on(&mut self, mut sweep: Sweep) -> Result<()> {
        while let Some(node) = sweep.rest.pop() {
            let referee = self.referee_at(node)?;
            match referee.outcome() {
                Some(_) => {
                    let score = analysis::final_score(&*referee);
                    self.rate(node, score, &sweep.before);
                }
                None => {
                    self.begin(node, referee, Spend::time(SWEEP), 2, Purpose::Sweep(sweep));
                    return Ok(());
                }
            }
        }
        self.halt();
        self.think_along()
    }

    /// Keeps what a position is worth, and judges the move that led there.
    fn rate(&mut self, node: usize, score: Option<i32>, before: &Verdict) {
        // Sides alternate, so the mover is known from the number of plies between here and there.
        let plies = self.kept.tree.line(node).len() + self.kept.tree.line(self.kept.tree.at()).len();
        let turn = if plies.is_multiple_of(2) { self.referee.turn() } else { !self.referee.turn() };
        if let Some(kept) = self.kept.tree.node_mut(node) {
            kept.score = score.or(kept.score);
            kept.mark = before.judge(!turn, &kept.play, score).filter(|_| node != 0);
        }
    }

    fn begin(
        &mut self,
        node: usize,
        referee: Box<dyn Referee>,
        spend: Spend,
        lines: usize,
        purpose: Purpose,
    ) {
        self.halt();
        if self.adviser.engine.is_none() {
            let tell = self.listener(Role::Adviser);
            self.adviser.engine = Some(self.players.adviser(self.entry, &self.kept.rules, tell));
        }
        let (ticket, side) = (self.ticket(), referee.turn());
        let question = Question { lines, analyses: true, ..self.question(node, side, spend) };
        self.adviser.job = Some(Job { ticket, node, side, lines: Lines::default(), referee, purpose });
        if let Some(engine) = &self.adviser.engine {
            engine.ask(ticket, question);
        }
    }

    /// The adviser drops what it does.
    pub(super) fn halt(&mut self) {
        if let Some(job) = self.adviser.job.take() {
            if let Some(engine) = &self.adviser.engine {
                engine.stop();
            }
            if let Purpose::Hint(reply) = job.purpose {
                let _ = reply.send(Err("another request came first".to_owned()));
            }
        }
    }

    /// The adviser spoke.
    pub(super) fn advised(&mut self, message: Message) {
        match message {
            Message::Failed(why) => {
                let problem = format!("the adviser cannot go on: {why}");
                let job = std::mem::take(&mut self.adviser).job;
                if let Some(Job { purpose: Purpose::Hint(reply), .. }) = job {
                    let _ = reply.send(Err(problem.clone()));
                }
                self.problem = Some(problem);
                self.show();
            }
            Message::Report(ticket, report) => {
                let Some(job) = self.adviser.job.as_mut().filter(|job| job.ticket == ticket) else { return };
                job.lines.take(&report, job.side);
                if matches!(job.purpose, Purpose::Watch) && self.glimpsed.elapsed() >= GLIMPSE {
                    self.glimpsed = Instant::now();
                    let text = job.lines.show(&self.kept.id, job.node, self.entry.engine, &*job.referee);
                    // Who closed the page must not leave a busy processor behind.
                    if self.thoughts.send(Arc::from(text.to_string())).is_err() {
                        self.halt();
                    }
                }
            }
            Message::Best(ticket, best) => {
                let Some(job) = self.adviser.job.take_if(|job| job.ticket == ticket) else { return };
                if let Err(error) = self.advice_given(job, best.text) {
                    self.problem = Some(format!("{error:#}"));
                }
                self.changed();
            }
        }
    }

    fn advice_given(&mut self, job: Job, best: Option<String>) -> Result<()> {
        match job.purpose {
            Purpose::Hint(reply) => {
                let line = job.referee.line(best.as_slice());
                let answer = line.first().map(|choice| {
                    json!({ "type": "hint", "node": job.node, "text": choice.text, "steps": choice.steps })
                });
                let _ = reply.send(answer.ok_or_else(|| "the engine found no move".to_owned()));
                self.think_along()
            }
            Purpose::Watch => Ok(()),
            Purpose::Sweep(mut sweep) => {
                self.rate(job.node, job.lines.score(), &sweep.before);
                sweep.before = job.lines.verdict();
                self.sweep_on(sweep)
            }
        }
    }
}
