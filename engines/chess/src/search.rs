//! How the engine searches: its own node function, built from the shared table, clock and reporting.
//!
//! | question | file |
//! |---|---|
//! | which techniques are there? | `config.rs` |
//! | how is one node searched? | `node.rs`, `moves.rs`, `quiescence.rs`, `reductions.rs` |
//! | in which order? | `picker.rs`, `histories.rs` |
//! | how deep, how long, in which window? | `root.rs` |
//! | what does a thread own? | `worker.rs` |
//! | which repetitions are near? | `cycles.rs` |
//! | what do endgame tables say? | `probe.rs` |
//! | how does it play weakly? | `strength.rs` |

pub mod config;
mod cycles;
pub mod histories;
mod moves;
mod node;
pub mod picker;
mod probe;
mod quiescence;
mod reductions;
mod root;
pub mod strength;
mod worker;

use ::search::busy::Busy;
use ::search::table::Scheme;
use ::search::{Best, Clock, Common, Control, Game, Info, Limits, Line, Root, Score, Stalls, Table, Watch};

pub use config::Config;

use crate::eval::Judge;
use crate::moves::Move;
use crate::position::Position;
use crate::syzygy::Tablebases;
use histories::Histories;
use root::{Deepening, RootMove};
use strength::Strength;
use worker::{Memory, Shared, Worker};

/// A player by search: its switches, its opinions and what it remembers.
pub struct Searcher {
    /// What every user may choose.
    pub common: Common,
    /// How strongly to play.
    pub strength: Strength,
    /// What decides the misjudgements of a weak player, beside the position.
    pub luck: u64,
    /// Endgame tables, if there are any.
    pub tablebases: Option<Tablebases>,
    config: Config,
    judge: Judge,
    table: Table,
    memories: Vec<Memory>,
    stalls: Stalls,
}

impl Searcher {
    /// A player with a table of the default size.
    pub fn new(config: Config, judge: Judge) -> Self {
        let common = Common::default();
        let table = Table::new(common.hash, Scheme::Clustered).expect("the default table is small");
        Searcher {
            common,
            strength: Strength::FULL,
            luck: 0,
            tablebases: None,
            config,
            judge,
            table,
            memories: Vec::new(),
            stalls: Stalls::default(),
        }
    }

    /// The switches in force.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Changes switches; what was remembered under the old ones is dropped.
    pub fn set_config(&mut self, config: Config) {
        self.config = config;
        self.forget();
    }

    /// The opinions in force.
    pub fn judge_mut(&mut self) -> &mut Judge {
        &mut self.judge
    }

    /// Changes opinions; what was remembered under the old ones is dropped.
    pub fn set_judge(&mut self, judge: Judge) {
        self.judge = judge;
        self.forget();
    }

    /// Gives the table another size; on failure the old one stays.
    pub fn resize(&mut self, mib: usize) -> Result<(), String> {
        self.table = Table::new(mib, Scheme::Clustered).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Drops what was learned from the game before.
    pub fn forget(&mut self) {
        self.memories.clear();
        self.table.clear(self.common.threads);
        self.stalls = Stalls::default();
    }

    /// Thinks until a limit is reached or `control` says stop, and reports on the way.
    pub fn think(
        &mut self,
        root: &Root<Position>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Best<Move> {
        // What it takes to get ready is thinking time too.
        let stalls = self.stalls.clone();
        let clock = Clock::new(limits, self.common.overhead, &stalls);
        let mut moves = root.legal();
        if !limits.only.is_empty() {
            moves.retain(|&m| limits.only.contains(&root.position().pack(m)));
        }
        if moves.is_empty() {
            return Best { best: None, ponder: None };
        }
        let tables = self.tablebases.as_ref();
        let judged = tables.and_then(|tables| tables.judge(root, self.common.multipv > 1, &moves));
        let moves: Vec<RootMove> = match judged {
            Some(judged) => judged.into_iter().map(|(m, verdict)| RootMove::new(m, Some(verdict))).collect(),
            None => moves.into_iter().map(|m| RootMove::new(m, None)).collect(),
        };
        self.ready();
        let strength = self.strength.min(Strength::of_level(self.common.skill));
        let lines = self.common.multipv.max(strength.lines());
        let mut states: Vec<_> = self.memories.iter().map(|_| Deepening::new(root, &moves, lines)).collect();
        let limits = strength.weaken(limits);
        let watch = Watch::new(&limits, control, clock, &stalls, self.memories.len());
        let asked = self.common.multipv;
        let mut show = |info: &Info<Move>| match info {
            // A weak player compares more lines than its user asked to see.
            Info::Line(line) if line.multipv > asked => {}
            other => report(other),
        };
        let chosen = self.search_all(&mut states, &watch, strength, &mut show);
        answer(root, &states[0].moves[chosen])
    }

    /// Brings the memories in line with the number of threads.
    fn ready(&mut self) {
        self.table.age();
        let judge = &self.judge;
        self.memories.resize_with(self.common.threads.max(1), || Memory {
            judge: judge.clone(),
            histories: Histories::default(),
        });
    }

    /// Runs one thread for each memory; the first one decides when all end. Returns the number of the line to play.
    fn search_all(
        &mut self,
        states: &mut [Deepening<'_>],
        watch: &Watch<'_>,
        strength: Strength,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> usize {
        let tablebases = self.tablebases.as_ref();
        let busy = (self.memories.len() > 1).then(Busy::default);
        let busy = busy.as_ref();
        let shared = Shared { config: &self.config, table: &self.table, watch, tablebases, busy };
        let mut workers: Vec<_> = self
            .memories
            .iter_mut()
            .zip(states.iter())
            .enumerate()
            .map(|(index, (memory, state))| Worker::new(&shared, memory, state.root, index))
            .collect();
        watch.run(&mut workers, states, report, |worker, state, report| worker.deepen(state, report));
        workers.iter().for_each(|worker| worker.sentry.publish());
        let state = &mut states[0];
        show_last(&workers[0], state, report);
        // However weakly it plays, it keeps what the tables promise.
        let choice = state.lines.min(state.end_of_equals(0));
        let scores: Vec<Score> = state.moves[..choice].iter().map(|found| Score(found.score)).collect();
        let chosen = strength.choose(&scores, state.root.position().key() ^ self.luck);
        // A lesser move that is played is shown with its own score.
        if chosen > 0 {
            let line = workers[0].line(state, chosen, state.depth.max(1));
            report(&Info::Line(Line { multipv: 1, ..line }));
        }
        chosen
    }
}

/// Shows the line that will be played if an unfinished iteration found it, or none was finished at all.
fn show_last(worker: &Worker<'_>, state: &mut Deepening<'_>, report: &mut dyn FnMut(&Info<Move>)) {
    if state.settle() {
        report(&Info::Line(worker.line(state, 0, state.depth + 1).scored()));
    }
}

/// The move and the reply expected, unless the game ends before it.
fn answer(root: &Root<Position>, found: &RootMove) -> Best<Move> {
    let mut game = root.clone();
    game.play(found.m);
    let ponder = found.pv.get(1).copied().filter(|&reply| {
        game.outcome().is_none() && {
            game.play(reply);
            game.outcome().is_none()
        }
    });
    Best { best: Some(found.m), ponder }
}
