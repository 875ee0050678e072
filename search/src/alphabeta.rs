//! The alpha-beta family: one search whose every technique is a switch of its [`Config`].
//!
//! | question | file |
//! |---|---|
//! | which techniques are there? | `config.rs`; `techniques.rs` has their names |
//! | how is one node searched? | `node.rs`, `quiescence.rs` |
//! | in which order? | `order.rs` |
//! | in which window, for how long? | `root.rs`, `sliding.rs`, `mtd.rs` |
//! | what does a thread own? | `worker.rs`, `counters.rs` |

pub mod config;
pub mod counters;
mod mtd;
mod node;
mod order;
mod quiescence;
mod root;
mod sliding;
pub mod techniques;
mod worker;

pub use config::{Config, Driver, Mtd, Ordering, Repetition};
pub use counters::Counters;
pub use techniques::{Algorithm, Choice};

use crate::busy::Busy;
use crate::deepening::{RootMove, Task};
use crate::{Best, Common, Control, Eval, Game, Info, Limits, Root, Search, Stalls, Strength, Table};
use order::Lessons;
use worker::{Memory, Shared, Worker};

/// A player by alpha-beta: its switches, its opinions and what it remembers.
pub struct AlphaBeta<E> {
    /// What every user may choose.
    pub common: Common,
    /// The switches of the engine or preset, and what the user changed about them.
    base: Config,
    choice: Choice,
    config: Config,
    eval: E,
    table: Table,
    memories: Vec<Memory<E>>,
    stalls: Stalls,
    counters: Counters,
}

impl<E> AlphaBeta<E> {
    /// A player with a table of the default size.
    pub fn new(config: Config, eval: E) -> Self {
        let common = Common::default();
        let table = Table::new(common.hash, config.scheme).expect("the default table is small");
        AlphaBeta {
            common,
            base: config.clone(),
            choice: Choice::default(),
            config,
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

    /// Changes switches, whatever the user chose before; what was remembered under the old ones is dropped.
    pub fn set_config(&mut self, config: Config) -> Result<(), String> {
        if config.scheme != self.config.scheme {
            self.table = Table::new(self.common.hash, config.scheme).map_err(|e| e.to_string())?;
        }
        self.choice = Choice::default();
        (self.base, self.config) = (config.clone(), config);
        self.drop_memories();
        Ok(())
    }

    /// What the user changed about the switches.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// Lets the user change algorithm and techniques; what is refused changes nothing.
    pub fn choose<G: Game>(&mut self, choice: Choice) -> Result<(), String>
    where
        E: Eval<G>,
    {
        self.config = choice.of(&self.base, E::IDLE).map_err(|error| error.to_string())?;
        self.choice = choice;
        self.drop_memories();
        Ok(())
    }

    /// By how much database draws are searched less.
    pub fn set_draw_reduction(&mut self, draw_reduction: Option<i32>) {
        (self.base.draw_reduction, self.config.draw_reduction) = (draw_reduction, draw_reduction);
        self.drop_memories();
    }

    /// The opinions in force.
    pub fn eval(&self) -> &E {
        &self.eval
    }

    /// Changes opinions; what was remembered under the old ones is dropped.
    pub fn set_eval(&mut self, eval: E) {
        self.eval = eval;
        self.drop_memories();
    }

    /// Gives the table another size; on failure the old one stays.
    pub fn resize(&mut self, mib: usize) -> Result<(), String> {
        self.table = Table::new(mib, self.config.scheme).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Replaces the table by one of this many entries.
    pub fn set_entries(&mut self, entries: usize) -> Result<(), String> {
        self.table = self.table_of(entries)?;
        Ok(())
    }

    /// The same by one that counts what its probes cost.
    pub fn count_probes(&mut self, entries: usize) -> Result<(), String> {
        self.table = self.table_of(entries)?.counted();
        Ok(())
    }

    fn table_of(&self, entries: usize) -> Result<Table, String> {
        let table = Table::with_entries(entries, self.config.scheme);
        table.ok_or_else(|| format!("cannot allocate {entries} table entries"))
    }

    /// What is known of positions.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What the last search did, all threads together.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    fn drop_memories(&mut self) {
        self.memories.clear();
        self.table.clear(self.common.threads);
    }
}

impl<E> AlphaBeta<E> {
    /// Makes what a search needs, and has the table's memory given.
    pub fn warm_up<G: Game>(&mut self)
    where
        E: Eval<G>,
    {
        self.ready::<G>();
        self.table.hold(self.common.threads);
    }

    /// Brings the memories in line with the number of threads.
    fn ready<G: Game>(&mut self)
    where
        E: Eval<G>,
    {
        let slots = self.eval.slots();
        let seed = self.config.seed;
        let eval = &self.eval;
        let mut index = 0;
        self.memories.resize_with(self.common.threads.max(1), || {
            index += 1;
            Memory { eval: eval.clone(), lessons: Lessons::new(slots, seed + index) }
        });
    }
}

impl<G: Game, E: Eval<G> + Sync> Search<G> for AlphaBeta<E> {
    fn think(
        &mut self,
        root: &Root<G>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Best<G::Move> {
        let strength = Strength::of_level(self.common.skill);
        let task = Task::new(root, limits, control, &self.common, &self.stalls, strength);
        let moves: Vec<_> = task.moves().into_iter().map(|m| RootMove::new(m, None)).collect();
        if moves.is_empty() {
            return Best { best: None, ponder: None };
        }
        for memory in &mut self.memories {
            memory.lessons.fade();
        }
        self.ready::<G>();
        if self.config.fresh_table {
            self.table.clear(self.common.threads);
        }
        self.table.age();
        let watch = task.watch(self.memories.len());
        let busy = (self.config.put_off && watch.threads() > 1).then(Busy::default);
        let shared = Shared { config: &self.config, table: &self.table, watch: &watch, busy: busy.as_ref() };
        let memories = self.memories.iter_mut().enumerate();
        let mut workers: Vec<_> =
            memories.map(|(index, memory)| Worker::new(&shared, memory, root, index)).collect();
        let found = task.run(&watch, &mut workers, moves, self.config.seed, report);
        // Those that could not be had are not asked for again before the user does.
        self.common.threads = self.common.threads.min(watch.crew());
        self.counters = workers.iter().map(|worker| &worker.counters).sum();
        Best { best: Some(found.m), ponder: found.pv.get(1).copied() }
    }

    fn forget(&mut self) {
        self.drop_memories();
        self.stalls = Stalls::default();
    }
}
