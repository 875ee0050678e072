//! One thread of the search: descend, expand, evaluate, carry the result back.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use super::config::{Amaf, Config, Parallel, Select};
use super::select::select;
use super::tree::{Index, Node, Results, Tree};
use super::{Candidate, Leaf, Policy, Race};
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

    /// What of a leaf's moves becomes its children, in their order.
    fn admitted(&self, leaf: &Leaf<B>, mut list: Vec<Candidate>) -> Vec<Candidate> {
        list.retain(|candidate| leaf.depth() > 0 || (self.allowed)(candidate.slot));
        let total: f32 = list.iter().map(|candidate| candidate.probability).sum();
        let alike = 1.0 / list.len() as f32;
        for Candidate { probability, .. } in &mut list {
            *probability = if total > 0.0 { *probability / total } else { alike };
        }
        // The sort is stable, so equals keep the policy's order.
        if self.config.widening.is_some() {
            list.sort_by(Candidate::order);
        }
        list
    }

    /// Takes the virtual losses off the way to a leaf.
    pub fn leave(&self, leaf: &Leaf<B>) {
        let losses = virtual_losses(self.config);
        leaf.path[1..].iter().for_each(|&index| self.tree.node(index).leave(losses));
    }
}

/// Waits for a lock.
pub(super) fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().expect("no holder of the lock panics")
}

/// A thread's own things.
pub(super) struct Worker<G: Game, P: Policy<G>> {
    pub policy: P,
    random: Random,
    /// Room for a batch.
    leaves: Vec<Leaf<P::Board>>,
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
    pub fn new(policy: P, shared: &Shared<'_, P::Board>, seed: u64) -> Self {
        Worker {
            firsts: vec![NOBODY; policy.slots()],
            held: vec![Results::default(); policy.slots()],
            held_playouts: 0,
            policy,
            random: Random::new(seed),
            leaves: vec![Leaf::new(shared.board.clone()); shared.config.batch.max(1)],
            moves: 0,
            game: std::marker::PhantomData,
        }
    }

    /// The evaluations of one batch with the ways there and back.
    pub fn iterate(&mut self, shared: &Shared<'_, P::Board>) {
        let mut leaves = std::mem::take(&mut self.leaves);
        let count = self.gather(shared, &mut leaves);
        self.evaluate(&mut leaves[..count]);
        for leaf in &leaves[..count] {
            self.carry_back(shared, leaf);
            shared.leave(leaf);
        }
        self.leaves = leaves;
    }

    /// Walks to leaves until the batch is full, or one of them is met again; returns their number.
    fn gather(&mut self, shared: &Shared<'_, P::Board>, leaves: &mut [Leaf<P::Board>]) -> usize {
        for count in 0..leaves.len() {
            let (gathered, left) = leaves.split_at_mut(count);
            self.descend(shared, &mut left[0]);
            // The virtual losses no longer lead elsewhere: a second answer about one leaf would be wasted.
            if gathered.iter().any(|leaf| leaf.index() == left[0].index()) {
                shared.leave(&left[0]);
                return count;
            }
        }
        leaves.len()
    }

    /// Walks to a leaf of the tree.
    pub fn descend(&mut self, shared: &Shared<'_, P::Board>, leaf: &mut Leaf<P::Board>) {
        let _whole = shared.whole();
        leaf.board.clone_from(shared.board);
        leaf.path.truncate(1);
        leaf.trace.clear();
        leaf.candidates.clear();
        (leaf.race, leaf.is_given_up) = (None, false);
        let losses = virtual_losses(shared.config);
        let mut node = shared.tree.root();
        while !self.policy.is_over(&leaf.board) {
            let Some((first, children)) = self.children(shared, leaf, node) else { break };
            let _one = shared.one(leaf.index());
            let number = select(shared.config, node, children, leaf.depth() == 0);
            node = &children[number];
            node.enter(losses);
            self.policy.play(&mut leaf.board, node.slot());
            leaf.trace.push(node.slot());
            leaf.path.push(first + number as Index);
            // A move tried for the first time is judged by itself, not by its own children.
            if node.visits() == 0 && !is_ahead(shared.config, leaf) {
                break;
            }
        }
        leaf.visits = node.visits();
        shared.depth.fetch_max(leaf.depth() as u32, Ordering::Relaxed);
    }

    /// The children of the node that a leaf stands on, made now if it is to have some and has none yet.
    fn children<'t>(
        &mut self,
        shared: &Shared<'t, P::Board>,
        leaf: &Leaf<P::Board>,
        node: &'t Node,
    ) -> Option<(Index, &'t [Node])> {
        let children = shared.tree.children(node);
        if children.is_some() || !may_expand(shared.config, leaf, node) {
            return children;
        }
        shared.tree.expand(node, || {
            let mut list = Vec::new();
            self.policy.candidates(&leaf.board, &leaf.trace, &mut list);
            shared.admitted(leaf, list)
        });
        shared.tree.children(node)
    }

    /// Begins a race of so many threads from a leaf, about the move that led there.
    pub fn begin_race(&self, shared: &Shared<'_, P::Board>, leaf: &mut Leaf<P::Board>, threads: usize) {
        if shared.config.gives_up && leaf.depth() > 0 {
            let enough = threads.div_ceil(2) as u32;
            leaf.race = Some(Arc::new(Race::new(!self.policy.turn(&leaf.board), enough)));
        }
    }

    /// Asks what a leaf is worth that other threads are asked about, too.
    pub fn evaluate_shared(&mut self, leaf: &mut Leaf<P::Board>) {
        self.evaluate(std::slice::from_mut(leaf));
        if let Some(race) = leaf.race.as_ref().filter(|_| !leaf.is_given_up) {
            race.note(leaf.value);
        }
    }

    /// Asks what leaves are worth.
    pub fn evaluate(&mut self, leaves: &mut [Leaf<P::Board>]) {
        self.policy.evaluate(leaves, &mut self.random);
        self.moves += leaves.iter().map(|leaf| leaf.trace.len() as u64).sum::<u64>();
    }

    /// Adds the worth of a leaf to every node of the way there, and to what AMAF counts beside it.
    pub fn carry_back(&mut self, shared: &Shared<'_, P::Board>, leaf: &Leaf<P::Board>) {
        if leaf.is_given_up {
            return;
        }
        let _whole = shared.whole();
        let Leaf { path, trace, value, candidates, .. } = leaf;
        if !candidates.is_empty() && may_grow(shared.config, leaf) {
            let node = shared.tree.node(leaf.index());
            shared.tree.expand(node, || shared.admitted(leaf, candidates.clone()));
        }
        let first_mover = self.policy.turn(shared.board);
        let side_at = |ply: usize| if ply.is_multiple_of(2) { first_mover } else { !first_mover };
        let of = |side: Side| if side == Side::Black { *value } else { 1.0 - value };
        let learns = shared.config.amaf != Amaf::Off;
        if learns {
            self.firsts.fill(NOBODY);
            for ply in (leaf.depth()..trace.len()).rev() {
                self.firsts[usize::from(trace[ply])] = First { side: Some(side_at(ply)), ply: ply as u32 };
            }
        }
        for (depth, &index) in path.iter().enumerate().rev() {
            let node = shared.tree.node(index);
            let _one = shared.one(index);
            // The move into a node at depth d is the trace's ply d - 1.
            node.add(of(side_at(depth + 1)));
            if learns {
                if let Some(&slot) = trace.get(depth).filter(|_| depth < leaf.depth()) {
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

/// Where one way is gone at a time there is none to be kept from it.
fn virtual_losses(config: &Config) -> u32 {
    if config.threads > 1 || config.batch > 1 { config.virtual_loss } else { 0 }
}

/// Without a tree only root moves are compared.
fn may_grow<B>(config: &Config, leaf: &Leaf<B>) -> bool {
    leaf.depth() == 0 || config.select != Select::Flat
}

/// Whether a leaf gets children before it is evaluated.
fn may_expand<B>(config: &Config, leaf: &Leaf<B>, node: &Node) -> bool {
    may_grow(config, leaf) && (is_ahead(config, leaf) || node.visits() >= config.expansion.after)
}

/// Whether it does so before its first evaluation.
fn is_ahead<B>(config: &Config, leaf: &Leaf<B>) -> bool {
    leaf.depth() as u32 <= config.expansion.ahead
}
