//! One search thread: what it owns, what it shares, and how it notices that it must stop.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::config::{Config, Repetition};
use super::counters::Counters;
use super::order::{Lessons, Ordered};
use crate::{Aborted, Clock, Control, Eval, Game, History, Limits, MoveList, Root, Stalls, Table};

/// Deeper than any line of play a search follows.
pub(super) const MAX_PLY: usize = 200;
/// Nodes between two looks at the clock.
const POLL: u64 = 512;

/// What all threads of one search see.
pub(super) struct Shared<'a> {
    pub config: &'a Config,
    pub table: &'a Table,
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub clock: Clock,
    pub stalls: &'a Stalls,
    /// Nodes of each worker, published now and then.
    pub nodes: Vec<AtomicU64>,
    pub database_hits: AtomicU64,
    /// Set by the first worker when it is done, so that the others stop.
    pub finished: &'a Control,
}

impl Shared<'_> {
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Relaxed)).sum()
    }
}

/// What a worker keeps from search to search.
#[derive(Clone)]
pub(super) struct Memory<E> {
    pub eval: E,
    pub lessons: Lessons,
}

/// What a worker keeps for each ply of the current line.
#[derive(Clone)]
pub(super) struct Frame<M> {
    pub moves: MoveList<M>,
    pub ordered: Ordered<M>,
    pub tried: Vec<M>,
    pub pv: Vec<M>,
    pub killers: [u32; 2],
    /// History slot of the move being searched.
    pub slot: usize,
}

impl<M> Default for Frame<M> {
    fn default() -> Self {
        Frame {
            moves: Vec::new(),
            ordered: Ordered::default(),
            tried: Vec::new(),
            pv: Vec::new(),
            killers: [0; 2],
            slot: 0,
        }
    }
}

/// A search thread at work on one root.
pub(super) struct Worker<'a, G: Game, E> {
    pub shared: &'a Shared<'a>,
    pub memory: &'a mut Memory<E>,
    pub index: usize,
    pub stack: Vec<Frame<G::Move>>,
    /// Keys of the game and of the line searched.
    pub path: History,
    /// Positions of `path` that belong to the game before the root.
    pub game_length: usize,
    pub counters: Counters,
    pub nodes: u64,
    next_poll: u64,
    last_poll: Instant,
    pub seldepth: usize,
    /// Whether the value last returned rests on a repetition.
    pub tainted: bool,
    /// The first iteration is short and must yield a move, so the clock does not end it.
    pub committed: bool,
}

impl<'a, G: Game, E: Eval<G>> Worker<'a, G, E> {
    pub(super) fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory<E>,
        root: &Root<G>,
        index: usize,
    ) -> Self {
        memory.eval.enter(root.position());
        Worker {
            shared,
            memory,
            index,
            stack: vec![Frame::default(); MAX_PLY + 2],
            path: root.history().clone(),
            game_length: root.history().len(),
            counters: Counters::default(),
            nodes: 0,
            next_poll: 0,
            last_poll: Instant::now(),
            seldepth: 0,
            tainted: false,
            committed: false,
        }
    }

    /// Counts a node and now and then looks whether to stop.
    pub(super) fn visit(&mut self, ply: usize) -> Result<(), Aborted> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes >= self.next_poll { self.poll() } else { Ok(()) }
    }

    fn poll(&mut self) -> Result<(), Aborted> {
        self.publish();
        let shared = self.shared;
        if shared.finished.stopped() || shared.control.stopped() {
            return Err(Aborted);
        }
        if self.index == 0 {
            let now = Instant::now();
            shared.stalls.note(now - self.last_poll);
            self.last_poll = now;
            let spent = shared.limits.nodes.is_some_and(|limit| shared.total_nodes() >= limit);
            if self.committed && (spent || shared.clock.expired(shared.control)) {
                return Err(Aborted);
            }
        }
        self.next_poll = self.nodes + POLL;
        // With one thread a node limit is met exactly.
        if let (Some(limit), 1) = (shared.limits.nodes, shared.nodes.len())
            && limit > self.nodes
        {
            self.next_poll = self.next_poll.min(limit);
        }
        Ok(())
    }

    pub(super) fn publish(&self) {
        self.shared.nodes[self.index].store(self.nodes, Relaxed);
    }

    /// Plays a move into the tree.
    pub(super) fn descend(&mut self, position: &G, m: G::Move, ply: usize) -> G {
        let mut child = position.clone();
        child.play(m);
        self.path.push(position.key(), position.irreversible(m));
        self.stack[ply].slot = self.memory.eval.slot(position, m);
        self.memory.eval.push(position, m, &child);
        child
    }

    /// Takes it back.
    pub(super) fn ascend(&mut self) {
        self.memory.eval.pop();
        self.path.pop();
    }

    /// How often the position counts as having stood on the board before, by the reading in force.
    pub(super) fn earlier(&self, position: &G) -> usize {
        let mut count = 0;
        for index in self.path.earlier(position.key()) {
            let inside = index >= self.game_length;
            if inside || self.shared.config.repetition == Repetition::Any {
                return usize::MAX / 2;
            }
            count += 1;
        }
        count
    }

    /// Copies a child's line behind a new best move.
    pub(super) fn update_pv(&mut self, m: G::Move, ply: usize) {
        let (upper, lower) = self.stack.split_at_mut(ply + 1);
        let pv = &mut upper[ply].pv;
        pv.clear();
        pv.push(m);
        pv.extend_from_slice(&lower[0].pv);
    }
}
