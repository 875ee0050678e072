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

use std::sync::Arc;

use ::search::busy::Busy;
use ::search::table::Scheme;
use ::search::{Best, Bound, Clock, Common, Control, Game, Info, Limits, Root, Score, Stalls, Table, Watch};

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
    pub tablebases: Option<Arc<Tablebases>>,
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
        let mut moves = root.legal();
        if !limits.only.is_empty() {
            moves.retain(|&m| limits.only.contains(&root.position().pack(m)));
        }
        if moves.is_empty() {
            return Best { best: None, ponder: None };
        }
        if let Some(tables) = &self.tablebases {
            tables.keep_best(root, self.common.multipv > 1, &mut moves);
        }
        self.ready();
        let strength = self.strength.min(Strength::of_level(self.common.skill));
        let lines = self.common.multipv.max(strength.lines());
        let mut states: Vec<_> = self.memories.iter().map(|_| Deepening::new(root, &moves, lines)).collect();
        let asked = self.common.multipv;
        // A weak player compares more lines than its user asked to see.
        self.search_all(&mut states, &strength.weaken(limits), control, &mut |info| {
            if !matches!(info, Info::Line(line) if line.multipv > asked) {
                report(info);
            }
        });
        let found = &states[0].moves[..states[0].lines];
        let scores: Vec<Score> = found.iter().map(|found| Score(found.score)).collect();
        answer(root, &found[strength.choose(&scores, root.position().key() ^ self.luck)])
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

    /// Runs one thread for each memory; the first one decides when all end.
    fn search_all(
        &mut self,
        states: &mut [Deepening<'_>],
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<Move>),
    ) {
        let clock = Clock::new(limits, self.common.overhead, &self.stalls);
        let watch = Watch::new(limits, control, clock, &self.stalls, self.memories.len());
        let tablebases = self.tablebases.as_deref();
        let busy = (self.memories.len() > 1).then(Busy::default);
        let busy = busy.as_ref();
        let shared = Shared { config: &self.config, table: &self.table, watch: &watch, tablebases, busy };
        let mut workers: Vec<_> = self
            .memories
            .iter_mut()
            .zip(states.iter())
            .enumerate()
            .map(|(index, (memory, state))| Worker::new(&shared, memory, state.root, index))
            .collect();
        watch.run(&mut workers, states, report, |worker, state, report| worker.deepen(state, report));
        workers.iter().for_each(|worker| worker.sentry.publish());
        show_last(&workers[0], &mut states[0], report);
    }
}

/// Shows the line that will be played if an unfinished iteration found it, or none was finished at all.
fn show_last(worker: &Worker<'_>, state: &mut Deepening<'_>, report: &mut dyn FnMut(&Info<Move>)) {
    let is_new = state.settle();
    let unscored = state.moves[0].score == -Score::INFINITE.0;
    let mut line = worker.line(state, 0, state.depth + 1, Bound::Exact);
    if unscored {
        line.score = Score::DRAW;
        line.bound = Bound::Lower;
    }
    if unscored || is_new {
        report(&Info::Line(line));
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
