//! One search thread: what it owns and what it shares.

use super::config::{Config, Repetition};
use super::counters::Counters;
use super::order::{Lessons, Ordered};
use crate::busy::Busy;
use crate::pv::Pv;
use crate::{Eval, Game, History, MoveList, Root, Sentry, Table, Watch};

/// Deeper than any line of play a search follows.
pub(super) const MAX_PLY: usize = 200;

/// What all threads of one search see.
pub(super) struct Shared<'a> {
    pub config: &'a Config,
    pub table: &'a Table,
    pub watch: &'a Watch<'a>,
    /// None if this thread is alone or does not care.
    pub busy: Option<&'a Busy>,
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
    pub killers: [u32; 2],
    /// History slot of the move being searched.
    pub slot: usize,
}

impl<M> Default for Frame<M> {
    fn default() -> Self {
        Frame { moves: Vec::new(), ordered: Ordered::default(), tried: Vec::new(), killers: [0; 2], slot: 0 }
    }
}

/// A search thread at work on one root.
pub(super) struct Worker<'a, G: Game, E> {
    pub shared: &'a Shared<'a>,
    pub memory: &'a mut Memory<E>,
    pub sentry: Sentry<'a>,
    pub stack: Vec<Frame<G::Move>>,
    pub pv: Pv<G::Move>,
    /// Keys of the game and of the line searched.
    pub path: History,
    /// Positions of `path` that belong to the game before the root.
    pub game_length: usize,
    pub counters: Counters,
    /// Whether the value last returned rests on a repetition.
    pub tainted: bool,
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
            sentry: Sentry::new(shared.watch, index),
            stack: vec![Frame::default(); MAX_PLY + 2],
            pv: Pv::new(MAX_PLY + 2),
            path: root.history().clone(),
            game_length: root.history().len(),
            counters: Counters::default(),
            tainted: false,
        }
    }

    /// Plays a move into the tree.
    pub(super) fn descend(&mut self, position: &G, m: G::Move, ply: usize) -> G {
        let child = position.after(m);
        self.path.push(position.key(), position.irreversible(m));
        self.stack[ply].slot = self.memory.eval.slot(position, m);
        self.memory.eval.push(position, Some(m), &child);
        child
    }

    /// Takes a move or pass back.
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
}
