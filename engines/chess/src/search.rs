//! How the engine searches: its own node function under the shared deepening, table and clock.
//!
//! | question | file |
//! |---|---|
//! | which techniques are there? | `config.rs` |
//! | how is one node searched? | `node.rs`, `moves.rs`, `quiescence.rs`, `reductions.rs` |
//! | in which order? | `picker.rs`, `histories.rs` |
//! | in which window, for how long? | `root.rs` |
//! | what does a thread own? | `worker.rs` |
//! | which repetitions are near? | `cycles.rs` |
//! | what do endgame tables say? | `probe.rs` |

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
mod worker;

use ::search::alphabeta::Counters;
use ::search::busy::Busy;
use ::search::deepening::{RootMove, Task};
use ::search::table::Scheme;
use ::search::{Best, Common, Control, Eval, Info, Limits, Root, Search, Stalls, Strength, Table};

pub use config::Config;

use crate::eval::Evaluator;
use crate::moves::Move;
use crate::position::Position;
use crate::syzygy::Tablebases;
use crate::tuning::search::Numbers;
use crate::tuning::strength;
use histories::Histories;
use reductions::Reductions;
use worker::{Memory, Shared, Worker};

/// A player by search: its switches, its opinions and what it remembers.
pub struct Searcher<E = Evaluator> {
    /// What every user may choose.
    pub common: Common,
    /// How strongly to play.
    pub strength: Strength,
    /// What decides the misjudgements of a weak player, beside the position.
    pub luck: u64,
    /// Endgame tables, if there are any.
    pub tablebases: Option<Tablebases>,
    config: Config,
    numbers: Numbers,
    reductions: Reductions,
    eval: E,
    table: Table,
    memories: Vec<Memory<E>>,
    stalls: Stalls,
    counters: Counters,
}

impl<E: Eval<Position>> Searcher<E> {
    /// A player with a table of the default size.
    pub fn new(config: Config, eval: E) -> Self {
        let common = Common::default();
        let table = Table::new(common.hash, Scheme::Clustered).expect("the default table is small");
        let numbers = Numbers::default();
        Searcher {
            common,
            strength: Strength::FULL,
            luck: 0,
            tablebases: None,
            config,
            reductions: Reductions::of(&numbers),
            numbers,
            eval,
            table,
            memories: Vec::new(),
            stalls: Stalls::default(),
            counters: Counters::default(),
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

    /// The numbers of the search in force.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// Changes the numbers of the search; what was remembered under the old ones is dropped.
    pub fn set_numbers(&mut self, numbers: Numbers) {
        self.reductions = Reductions::of(&numbers);
        self.numbers = numbers;
        self.forget();
    }

    /// What the last search did, all threads together.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The opinions in force.
    pub fn eval_mut(&mut self) -> &mut E {
        &mut self.eval
    }

    /// Changes opinions; what was remembered under the old ones is dropped.
    pub fn set_eval(&mut self, eval: E) {
        self.eval = eval;
        self.forget();
    }

    /// Gives the table another size; on failure the old one stays.
    pub fn resize(&mut self, mib: usize) -> Result<(), String> {
        self.table = Table::new(mib, Scheme::Clustered).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// The moves with what endgame tables promise them, if they know them all.
    fn promised(&self, root: &Root<Position>, moves: Vec<Move>) -> Vec<RootMove<Move>> {
        let tables = self.tablebases.as_ref();
        match tables.and_then(|tables| tables.judge(root, self.common.multipv > 1, &moves)) {
            Some(judged) => {
                judged.into_iter().map(|(m, verdict)| RootMove::new(m, Some(verdict.score(0)))).collect()
            }
            None => moves.into_iter().map(|m| RootMove::new(m, None)).collect(),
        }
    }

    /// Makes what a search needs, and has the table's memory given.
    pub fn warm_up(&mut self) {
        self.ready();
        self.table.hold(self.common.threads);
    }

    /// Brings the memories in line with the number of threads.
    fn ready(&mut self) {
        let eval = &self.eval;
        self.memories.resize_with(self.common.threads.max(1), || Memory {
            eval: eval.clone(),
            histories: Histories::default(),
        });
    }
}

impl<E: Eval<Position>> Search<Position> for Searcher<E> {
    fn think(
        &mut self,
        root: &Root<Position>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<Move>),
    ) -> Best<Move> {
        let strength = self.strength.min(strength::of_level(self.common.skill));
        let task = Task::new(root, limits, control, &self.common, &self.stalls, strength);
        let moves = self.promised(root, task.moves());
        if moves.is_empty() {
            return Best { best: None, ponder: None };
        }
        self.ready();
        self.table.age();
        let watch = task.watch(self.memories.len());
        let busy = (watch.threads() > 1).then(Busy::default);
        let shared = Shared {
            config: &self.config,
            numbers: &self.numbers,
            reductions: &self.reductions,
            table: &self.table,
            watch: &watch,
            tablebases: self.tablebases.as_ref(),
            busy: busy.as_ref(),
        };
        let memories = self.memories.iter_mut().enumerate();
        let mut workers: Vec<_> =
            memories.map(|(index, memory)| Worker::new(&shared, memory, root, index)).collect();
        let found = task.run(&watch, &mut workers, moves, self.luck, report);
        // Those that could not be had are not asked for again before the user does.
        self.common.threads = self.common.threads.min(watch.crew());
        self.counters = workers.iter().map(|worker| &worker.counters).sum();
        answer(root, &found)
    }

    fn forget(&mut self) {
        self.memories.clear();
        self.table.clear(self.common.threads);
        self.stalls = Stalls::default();
    }
}

/// The move and the reply expected, unless the game ends before it.
fn answer(root: &Root<Position>, found: &RootMove<Move>) -> Best<Move> {
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
