//! What Monte-Carlo search asks of a game: moves, what is thought of them beforehand, and what a leaf is worth.

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::tree::Index;
use crate::{Game, Random, Root, Side};

/// A move with what is thought of it before it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Candidate {
    /// The policy's index of the move.
    pub slot: u16,
    /// How many playouts the opinion is worth.
    pub visits: f32,
    /// The opinion: the probability to win, the mover's view.
    pub value: f32,
    /// For progressive bias: the heuristic value H.
    pub bias: f32,
    /// For PUCT: how likely this is the move to play, compared with the others; of no account where all have 0.
    pub probability: f32,
}

impl Candidate {
    /// The order in which widening opens moves: the better by opinion first, of equals the likelier.
    pub(super) fn order(&self, other: &Candidate) -> Ordering {
        let merit = |c: &Candidate| merit(c.bias, c.visits, c.value);
        merit(other).total_cmp(&merit(self)).then(other.probability.total_cmp(&self.probability))
    }
}

/// What is thought of a move: its heuristic value, and the playouts it is given more won than lost.
pub(super) fn merit(bias: f32, visits: f32, value: f32) -> f32 {
    bias + visits * (value - 0.5)
}

/// The playouts of several threads from one leaf, which are given up once so many are over and all lost.
#[derive(Debug)]
pub struct Race {
    mover: Side,
    enough: u32,
    lost: AtomicU32,
    others: AtomicU32,
}

impl Race {
    /// A race about a move of this side.
    pub fn new(mover: Side, enough: u32) -> Race {
        Race { mover, enough, lost: AtomicU32::new(0), others: AtomicU32::new(0) }
    }

    /// Notes how a playout ended, Black's result.
    pub fn note(&self, value: f32) {
        let lost = if self.mover == Side::Black { value < 0.5 } else { value > 0.5 };
        if lost { &self.lost } else { &self.others }.fetch_add(1, Relaxed);
    }

    /// Whether the playouts that are not over need not be finished.
    pub fn is_decided(&self) -> bool {
        self.lost.load(Relaxed) >= self.enough && self.others.load(Relaxed) == 0
    }
}

/// The end of a way into the tree, and what the policy found there.
#[derive(Clone, Debug)]
pub struct Leaf<B> {
    /// The position; a playout may go on with it.
    pub board: B,
    /// The moves that led here from the root; a playout appends its own, from which AMAF learns.
    pub trace: Vec<u16>,
    /// How often the node was asked about before.
    pub visits: u32,
    /// Black's result, from 0 to 1.
    pub value: f32,
    /// The moves worth considering, where what finds the value finds them, too: the leaf gets them as children.
    pub candidates: Vec<Candidate>,
    /// Whether other threads' playouts from here can make this one idle; none where each thread has its own leaf.
    pub race: Option<Arc<Race>>,
    /// Whether the playout was given up for that, and has no value.
    pub is_given_up: bool,
    /// The nodes of the way, the root first.
    pub(super) path: Vec<Index>,
}

impl<B> Leaf<B> {
    /// The leaf of a tree that has only a root.
    pub fn new(board: B) -> Self {
        let (trace, candidates, path) = (Vec::new(), Vec::new(), vec![0]);
        Leaf { board, trace, visits: 0, value: 0.5, candidates, race: None, is_given_up: false, path }
    }

    /// Plies below the root.
    pub(super) fn depth(&self) -> usize {
        self.path.len() - 1
    }

    /// Its node.
    pub(super) fn index(&self) -> Index {
        self.path[self.depth()]
    }
}

/// What Monte-Carlo search asks of a game. One per thread.
///
/// Moves are slots: a dense index, the same for both sides, that stays the same throughout a game.
pub trait Policy<G: Game>: Clone + Send {
    /// What descents and playouts are played on.
    type Board: Clone + Send + Sync;

    /// The board of the current position.
    fn board(&mut self, root: &Root<G>) -> Self::Board;
    /// The number of slots.
    fn slots(&self) -> usize;
    /// The slot of a move.
    fn slot(&self, m: G::Move) -> u16;
    /// The move of a slot.
    fn unslot(&self, slot: u16) -> G::Move;
    /// The side to move.
    fn turn(&self, board: &Self::Board) -> Side;
    /// Whether the game has ended.
    fn is_over(&self, board: &Self::Board) -> bool;
    /// Appends the moves worth considering; a node without any stays a leaf. `path` led here from the root.
    ///
    /// Asked when [`Config::expansion`](super::Config) says so; not needed where [`Policy::evaluate`] finds them.
    fn candidates(&mut self, _board: &Self::Board, _path: &[u16], _out: &mut Vec<Candidate>) {}
    /// Whether a move means much the same whenever it is made; of others AMAF learns nothing from later ones.
    fn is_timeless(&self, _slot: u16) -> bool {
        true
    }
    /// Makes a move of the tree.
    fn play(&mut self, board: &mut Self::Board, slot: u16);
    /// Finds out what leaves are worth, by playouts or without; at the end of a game that is its result.
    ///
    /// Whatever else it learns, such as the owners of points, it counts itself.
    fn evaluate(&mut self, leaves: &mut [Leaf<Self::Board>], random: &mut Random);
}
