//! The alpha-beta family: one search whose every technique is a switch of its [`Config`].
//!
//! | question | file |
//! |---|---|
//! | which techniques are there? | `config.rs` |
//! | how is one node searched? | `node.rs`, `quiescence.rs` |
//! | in which order? | `order.rs` |
//! | how deep, in which window? | `root.rs`, `sliding.rs`, `mtd.rs` |
//! | what does a thread own? | `worker.rs`, `counters.rs` |
//! | how does it play weakly? | `skill.rs` |

pub mod config;
pub mod counters;
mod mtd;
mod node;
mod order;
mod quiescence;
mod root;
pub mod skill;
mod sliding;
mod worker;

pub use config::{Config, Driver, Mtd, Ordering, Repetition};
pub use counters::Counters;

use crate::busy::Busy;
use crate::{
    Best, Clock, Common, Control, Eval, Game, Info, Limits, Line, Root, Score, Search, Stalls, Table, Watch,
};
use order::Lessons;
use root::{Deepening, RootMove};
use worker::{Memory, Shared, Worker};

/// A player by alpha-beta: its switches, its opinions and what it remembers.
pub struct AlphaBeta<E> {
    /// What every user may choose.
    pub common: Common,
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

    /// Changes switches; what was remembered under the old ones is dropped.
    pub fn set_config(&mut self, config: Config) -> Result<(), String> {
        if config.scheme != self.config.scheme {
            self.table = Table::new(self.common.hash, config.scheme).map_err(|e| e.to_string())?;
        }
        self.config = config;
        self.drop_memories();
        Ok(())
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
        let table = Table::with_entries(entries, self.config.scheme);
        self.table = table.ok_or_else(|| format!("cannot allocate {entries} table entries"))?;
        Ok(())
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
    /// Brings the memories in line with the number of threads.
    fn ready<G: Game>(&mut self)
    where
        E: Eval<G>,
    {
        let slots = self.eval.slots();
        let seed = self.config.seed;
        for memory in &mut self.memories {
            memory.lessons.fade();
        }
        let eval = &self.eval;
        let mut index = 0;
        self.memories.resize_with(self.common.threads.max(1), || {
            index += 1;
            Memory { eval: eval.clone(), lessons: Lessons::new(slots, seed + index) }
        });
    }

    /// Runs one thread for each memory; the first one decides when all end. Returns the number of the line to play.
    fn search_all<G: Game>(
        &mut self,
        states: &mut [Deepening<'_, G>],
        watch: &Watch<'_>,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> usize
    where
        E: Eval<G>,
    {
        let busy = (self.config.put_off && watch.threads() > 1).then(Busy::default);
        let shared = Shared { config: &self.config, table: &self.table, watch, busy: busy.as_ref() };
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
        let scores: Vec<Score> = state.moves[..state.lines].iter().map(|found| found.score).collect();
        let seed = self.config.seed ^ state.root.position().key();
        let chosen = skill::choose(&scores, self.common.skill, seed);
        // A lesser move that is played is shown with its own score.
        if chosen > 0 {
            let line = workers[0].line(state, chosen, state.depth.max(1));
            report(&Info::Line(Line { multipv: 1, ..line }));
        }
        self.counters = Counters::default();
        for worker in &workers {
            self.counters += &worker.counters;
        }
        chosen
    }
}

/// Shows the line that will be played if an unfinished iteration found it, or none was finished at all.
fn show_last<G: Game, E: Eval<G>>(
    worker: &Worker<'_, G, E>,
    state: &mut Deepening<'_, G>,
    report: &mut dyn FnMut(&Info<G::Move>),
) {
    if state.settle() {
        report(&Info::Line(worker.line(state, 0, state.depth + 1).scored()));
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
        self.ready::<G>();
        if self.config.sliding.is_some() {
            self.table.clear(self.common.threads);
        }
        self.table.age();
        let weak = self.common.skill < skill::FULL;
        let lines = if weak { self.common.multipv.max(skill::LINES) } else { self.common.multipv };
        let mut states: Vec<_> = self.memories.iter().map(|_| Deepening::new(root, &moves, lines)).collect();
        let limits = if weak { skill::weaken(limits, self.common.skill) } else { limits.clone() };
        let watch = Watch::new(&limits, control, clock, &stalls, self.memories.len());
        let asked = self.common.multipv;
        let chosen = self.search_all(&mut states, &watch, &mut |info| {
            // A weak player compares more lines than its user asked to see.
            if !matches!(info, Info::Line(line) if line.multipv > asked) {
                report(info);
            }
        });
        answer(&states[0].moves[chosen])
    }

    fn forget(&mut self) {
        self.drop_memories();
        self.stalls = Stalls::default();
    }
}

/// The move and the reply expected.
fn answer<M: Copy>(found: &RootMove<M>) -> Best<M> {
    Best { best: Some(found.m), ponder: found.pv.get(1).copied() }
}
