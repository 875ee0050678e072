//! One search thread: what it owns and what it shares.

use ::search::alphabeta::Counters;
use ::search::busy::Busy;
use ::search::pv::Pv;
use ::search::{Eval, Game, History, Root, Sentry, Table, Watch};

use super::config::Config;
use super::histories::{Context, Histories, Slot};
use super::picker::Buffers;
use super::reductions::Reductions;
use crate::moves::Move;
use crate::position::Position;
use crate::syzygy::Tablebases;
use crate::tuning::search::Numbers;

/// Deeper than any line of play a search follows.
pub(super) const MAX_PLY: usize = 246;
/// No static value: the side to move is in check.
pub(super) const NO_VALUE: i32 = i32::MIN;

/// What all threads of one search see.
pub(super) struct Shared<'a> {
    pub config: &'a Config,
    pub numbers: &'a Numbers,
    pub reductions: &'a Reductions,
    pub table: &'a Table,
    pub watch: &'a Watch<'a>,
    pub tablebases: Option<&'a Tablebases>,
    /// Which moves other threads are at; none if this one is alone.
    pub busy: Option<&'a Busy>,
}

/// What a worker keeps from search to search.
#[derive(Clone)]
pub(super) struct Memory<E> {
    pub eval: E,
    pub histories: Histories,
}

/// What a worker keeps for each ply of the current line.
#[derive(Clone)]
pub(super) struct Frame {
    pub killers: [Option<Move>; 2],
    /// The piece and target of the move being searched; none for a pass.
    pub slot: Option<Slot>,
    /// The static value, or `NO_VALUE`.
    pub value: i32,
    /// A move that must not be searched at this ply.
    pub excluded: Option<Move>,
    /// Plies by which the line was extended twice at once.
    pub doubles: u32,
}

/// A search thread at work on one root.
pub(super) struct Worker<'a, E> {
    pub shared: &'a Shared<'a>,
    pub memory: &'a mut Memory<E>,
    pub sentry: Sentry<'a>,
    pub stack: Vec<Frame>,
    pub pv: Pv<Move>,
    pub buffers: Vec<Buffers>,
    /// Keys of the game and of the line searched.
    pub path: History,
    /// Positions of `path` that belong to the game before the root.
    game_length: usize,
    pub counters: Counters,
    /// The iteration's depth, which bounds extensions.
    pub root_depth: i32,
    /// Below this ply no null move is tried, while one is verified.
    pub null_from: usize,
}

impl<'a, E: Eval<Position>> Worker<'a, E> {
    pub(super) fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory<E>,
        root: &Root<Position>,
        index: usize,
    ) -> Self {
        memory.eval.enter(root.position());
        let frame = Frame { killers: [None; 2], slot: None, value: NO_VALUE, excluded: None, doubles: 0 };
        Worker {
            shared,
            memory,
            sentry: Sentry::new(shared.watch, index),
            stack: vec![frame; MAX_PLY + 4],
            pv: Pv::new(MAX_PLY + 4),
            buffers: Vec::new(),
            path: root.history().clone(),
            game_length: root.history().len(),
            counters: Counters::default(),
            root_depth: 0,
            null_from: 0,
        }
    }

    /// Plays a move into the tree.
    #[inline]
    pub(super) fn descend(&mut self, p: &Position, m: Move, ply: usize) -> Position {
        // Exact but for castling, promotion and en passant, and early enough to be of use.
        self.shared.table.prefetch(p.key_after(m) ^ p.salt());
        let child = p.after(m);
        self.path.push(p.key(), child.cannot_return_to(p));
        self.stack[ply].slot = Some(Slot::of(p, m));
        self.memory.eval.push(p, Some(m), &child);
        child
    }

    /// Lets the opponent move twice.
    pub(super) fn pass(&mut self, p: &Position, ply: usize) -> Position {
        self.path.push(p.key(), true);
        self.stack[ply].slot = None;
        let child = p.passed();
        self.memory.eval.push(p, None, &child);
        child
    }

    /// Takes a move or pass back.
    #[inline]
    pub(super) fn ascend(&mut self) {
        self.path.pop();
        self.memory.eval.pop();
    }

    /// Whether the position counts as drawn inside the tree.
    pub(super) fn is_drawn(&self, p: &Position) -> bool {
        if p.quiet() >= 100 {
            // Mate on the hundredth ply comes first.
            return !p.in_check() || p.count() > 0;
        }
        if p.is_insufficient() {
            return true;
        }
        if p.quiet() < 4 {
            return false;
        }
        let mut before = 0;
        for index in self.path.earlier(p.key()) {
            before += 1;
            if index >= self.game_length || before >= 2 {
                return true;
            }
        }
        false
    }

    /// The moves made one, two and four plies before this one.
    pub(super) fn context(&self, ply: usize) -> Context {
        let slot = |back: usize| ply.checked_sub(back).and_then(|i| self.stack[i].slot);
        [slot(1), slot(2), slot(4)]
    }

    pub(super) fn take_buffers(&mut self) -> Buffers {
        self.buffers.pop().unwrap_or_default()
    }
}
