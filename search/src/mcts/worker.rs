//! One thread of the search: descend, expand, play out, carry the result back.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use super::config::{Amaf, Config, Parallel, Select};
use super::select::select;
use super::tree::{Index, Node, Results, Tree};
use super::{Candidate, Policy};
use crate::{Game, Random, Side};

/// Locks of the modes that use them.
const STRIPES: usize = 1024;
/// Playouts after which a thread shares what it learned about the root's moves beside their own results. All threads
/// look at these moves in every playout: were they written in each, they would wander from core to core.
const HELD_BACK: u32 = 8;

/// What the threads of one search share.
pub(super) struct Shared<'a, B> {
    pub config: &'a Config,
    pub tree: &'a Tree,
    pub board: &'a B,
    /// The root moves to consider.
    pub allowed: &'a (dyn Fn(u16) -> bool + Sync),
    pub playouts: &'a AtomicU64,
    /// The longest way into the tree so far.
    pub depth: &'a AtomicU32,
    locks: Vec<Mutex<()>>,
}

impl<'a, B> Shared<'a, B> {
    pub fn new(
        config: &'a Config,
        tree: &'a Tree,
        board: &'a B,
        allowed: &'a (dyn Fn(u16) -> bool + Sync),
        playouts: &'a AtomicU64,
        depth: &'a AtomicU32,
    ) -> Self {
        let count = match config.parallel {
            Parallel::GlobalLock => 1,
            Parallel::LocalLocks => STRIPES,
            _ => 0,
        };
        let locks = (0..count).map(|_| Mutex::new(())).collect();
        Shared { config, tree, board, allowed, playouts, depth, locks }
    }

    /// The lock of the whole tree, where there is one.
    fn whole(&self) -> Option<MutexGuard<'_, ()>> {
        (self.config.parallel == Parallel::GlobalLock).then(|| held(&self.locks[0]))
    }

    /// The lock of a node, where nodes have locks.
    fn one(&self, node: Index) -> Option<MutexGuard<'_, ()>> {
        (self.config.parallel == Parallel::LocalLocks).then(|| held(&self.locks[node as usize % STRIPES]))
    }
}

fn held(lock: &Mutex<()>) -> MutexGuard<'_, ()> {
    lock.lock().expect("no holder of the lock panics")
}

/// A thread's own things.
pub(super) struct Worker<G: Game, P: Policy<G>> {
    pub policy: P,
    pub board: P::Board,
    random: Random,
    /// The nodes of the descent, the root first.
    path: Vec<Index>,
    /// The moves of the iteration, tree and playout.
    pub trace: Vec<u16>,
    /// For each slot the ply at which it was first played and by whom, in the part of the trace looked at.
    firsts: Vec<First>,
    /// For each slot what AMAF has learned about it at the root and not yet shared, and the playouts since.
    held: Vec<Results>,
    held_playouts: u32,
    /// Moves made in tree and playouts.
    pub moves: u64,
    game: std::marker::PhantomData<fn() -> G>,
}

/// Who played a slot first, and when.
#[derive(Clone, Copy)]
struct First {
    side: Option<Side>,
    ply: u32,
}

const NOBODY: First = First { side: None, ply: 0 };

impl<G: Game, P: Policy<G>> Worker<G, P> {
    pub fn new(policy: P, board: &P::Board, seed: u64) -> Self {
        Worker {
            firsts: vec![NOBODY; policy.slots()],
            held: vec![Results::default(); policy.slots()],
            held_playouts: 0,
            policy,
            board: board.clone(),
            random: Random::new(seed),
            path: Vec::new(),
            trace: Vec::new(),
            moves: 0,
            game: std::marker::PhantomData,
        }
    }

    /// One playout with its way there and back.
    pub fn iterate(&mut self, shared: &Shared<'_, P::Board>) {
        self.descend(shared);
        let reward = self.finish();
        self.carry_back(shared, reward);
        self.leave(shared);
    }

    /// Walks to a leaf of the tree; `self.board` stands there afterwards.
    pub fn descend(&mut self, shared: &Shared<'_, P::Board>) {
        let _whole = shared.whole();
        self.board.clone_from(shared.board);
        self.path.clear();
        self.trace.clear();
        self.path.push(0);
        let losses = virtual_losses(shared.config);
        loop {
            let index = *self.path.last().expect("the root is on every path");
            let node = shared.tree.node(index);
            if self.policy.is_over(&self.board) || !self.may_go_on(shared, node) {
                break;
            }
            let Some((first, children)) = self.children(shared, node) else { break };
            let _one = shared.one(index);
            let number = select(shared.config, node, children);
            let child = &children[number];
            child.enter(losses);
            self.policy.play(&mut self.board, child.slot());
            self.trace.push(child.slot());
            self.path.push(first + number as Index);
            // A move tried for the first time is judged by a playout, not by its own children.
            if child.visits() == 0 && !self.is_ahead(shared) {
                break;
            }
        }
        shared.depth.fetch_max(self.path.len() as u32 - 1, Ordering::Relaxed);
        self.policy.notice(&self.trace);
    }

    /// Without a tree only root moves are compared.
    fn may_go_on(&self, shared: &Shared<'_, P::Board>, node: &Node) -> bool {
        let is_root = self.path.len() == 1;
        is_root
            || (shared.config.select != Select::Flat
                && (node.visits() >= shared.config.expansion.after || self.is_ahead(shared)))
    }

    /// Whether the end of the path gets children before its first playout.
    fn is_ahead(&self, shared: &Shared<'_, P::Board>) -> bool {
        self.path.len() as u32 <= shared.config.expansion.ahead + 1
    }

    /// The children of a node, made now if it has none yet.
    fn children<'t>(&mut self, shared: &Shared<'t, P::Board>, node: &'t Node) -> Option<(Index, &'t [Node])> {
        if let Some(children) = shared.tree.children(node) {
            return Some(children);
        }
        let is_root = self.path.len() == 1;
        shared.tree.expand(node, || {
            let mut list: Vec<Candidate> = Vec::new();
            self.policy.candidates(&self.board, &self.trace, &mut list);
            list.retain(|candidate| !is_root || (shared.allowed)(candidate.slot));
            // Widening opens the best first; the sort is stable, so equals keep the policy's order.
            if shared.config.widening.is_some() {
                list.sort_by(|a, b| b.merit().total_cmp(&a.merit()));
            }
            list
        });
        shared.tree.children(node)
    }

    /// Plays on from the leaf to the end and returns Black's reward.
    pub fn finish(&mut self) -> f32 {
        if !self.policy.is_over(&self.board) {
            self.policy.playout(&mut self.board, &mut self.random, &mut self.trace);
        }
        self.moves += self.trace.len() as u64;
        self.policy.reward(&self.board)
    }

    /// Plays on from another thread's leaf, to which `path` led; returns Black's reward and the moves made.
    pub fn finish_from(&mut self, leaf: &P::Board, path: &[u16]) -> (f32, Vec<u16>) {
        self.policy.notice(path);
        self.board.clone_from(leaf);
        self.trace.clear();
        (self.finish(), self.trace.clone())
    }

    /// Adds the result of another thread's playout from the same leaf.
    pub fn carry_back_for(&mut self, shared: &Shared<'_, P::Board>, reward: f32, moves: &[u16]) {
        self.trace.truncate(self.path.len() - 1);
        self.trace.extend_from_slice(moves);
        self.carry_back(shared, reward);
    }

    /// Takes the virtual losses off the path.
    pub fn leave(&self, shared: &Shared<'_, P::Board>) {
        let losses = virtual_losses(shared.config);
        self.path[1..].iter().for_each(|&index| shared.tree.node(index).leave(losses));
    }

    /// Adds Black's reward to every node of the path, and to what AMAF counts beside it.
    pub fn carry_back(&mut self, shared: &Shared<'_, P::Board>, reward: f32) {
        let _whole = shared.whole();
        let first_mover = self.policy.turn(shared.board);
        let side_at = |ply: usize| if ply.is_multiple_of(2) { first_mover } else { !first_mover };
        let of = |side: Side| if side == Side::Black { reward } else { 1.0 - reward };
        let learns = shared.config.amaf != Amaf::Off;
        if learns {
            self.firsts.fill(NOBODY);
            for ply in (self.path.len() - 1..self.trace.len()).rev() {
                self.firsts[usize::from(self.trace[ply])] =
                    First { side: Some(side_at(ply)), ply: ply as u32 };
            }
        }
        for depth in (0..self.path.len()).rev() {
            let index = self.path[depth];
            let node = shared.tree.node(index);
            let _one = shared.one(index);
            // The move into a node at depth d is the trace's ply d - 1.
            node.add(of(side_at(depth + 1)));
            if learns {
                if let Some(&slot) = self.trace.get(depth).filter(|_| depth + 1 < self.path.len()) {
                    self.firsts[usize::from(slot)] = First { side: Some(side_at(depth)), ply: depth as u32 };
                }
                self.learn(shared, node, depth as u32, side_at(depth), of(side_at(depth)));
            }
        }
        shared.playouts.fetch_add(1, Ordering::Relaxed);
    }

    /// All moves as first: every child whose move the same side made later in the trace shares the result.
    fn learn(&mut self, shared: &Shared<'_, P::Board>, node: &Node, depth: u32, side: Side, reward: f32) {
        let Some((_, children)) = shared.tree.children(node) else { return };
        let window = match shared.config.amaf {
            Amaf::First(most) => most,
            Amaf::Cutoff(limit) if shared.playouts.load(Ordering::Relaxed) >= limit => 0,
            _ => u32::MAX,
        };
        let holds_back = depth == 0 && shared.config.threads > 1;
        for child in children {
            let slot = usize::from(child.slot());
            let first = self.firsts[slot];
            let counts = || first.ply == depth || self.policy.is_timeless(child.slot());
            if first.side == Some(side) && first.ply - depth <= window && counts() {
                if holds_back {
                    self.held[slot].add(reward);
                } else {
                    child.add_amaf(Results::of(reward));
                }
            }
        }
        self.held_playouts += u32::from(holds_back);
        if self.held_playouts == HELD_BACK {
            self.share(shared.tree);
        }
    }

    /// Shares what was held back.
    pub fn share(&mut self, tree: &Tree) {
        self.held_playouts = 0;
        for child in super::root_children(tree) {
            let results = std::mem::take(&mut self.held[usize::from(child.slot())]);
            if results.count > 0 {
                child.add_amaf(results);
            }
        }
    }
}

/// A lone thread needs no virtual losses.
fn virtual_losses(config: &Config) -> u32 {
    if config.threads > 1 { config.virtual_loss } else { 0 }
}
