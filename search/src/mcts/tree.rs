//! The tree: nodes in large chunks that are allocated as they are needed, every field an atomic,
//! so that threads share it without locks.
//!
//! The children of a node lie side by side and are made together. A value is kept from the view of the side
//! that made the move into the node, so a parent always wants the largest.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::Candidate;

const CHUNK: usize = 1 << 12;
/// Rewards are kept as whole numbers of this fraction: sums stay exact in any order.
const UNIT: f32 = 65536.0;
/// Another thread is making the children.
const BUSY: u64 = u64::MAX;

/// Results of several playouts, from one side's view.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Results {
    sum: u64,
    pub count: u32,
}

impl Results {
    /// That of one playout.
    pub fn of(reward: f32) -> Results {
        Results { sum: (reward * UNIT) as u64, count: 1 }
    }

    /// One more.
    pub fn add(&mut self, reward: f32) {
        self.sum += Results::of(reward).sum;
        self.count += 1;
    }
}

/// One move in the tree; a cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(super) struct Node {
    /// Results of the playouts through this node, from the mover's view, and their squares.
    sum: AtomicU64,
    squares: AtomicU64,
    /// Results of these and of the playouts in which the mover made the move later.
    amaf_sum: AtomicU64,
    /// First child and number, or 0, or [`BUSY`].
    children: AtomicU64,
    visits: AtomicU32,
    amaf_visits: AtomicU32,
    slot: AtomicU32,
    in_flight: AtomicU32,
    prior_visits: AtomicU32,
    prior_value: AtomicU32,
    bias: AtomicU32,
    probability: AtomicU32,
}

impl Node {
    /// The policy's index of the move.
    pub fn slot(&self) -> u16 {
        self.slot.load(Ordering::Relaxed) as u16
    }

    pub fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// The sum of the playouts' results.
    pub fn sum(&self) -> f32 {
        self.sum.load(Ordering::Relaxed) as f32 / UNIT
    }

    pub fn amaf_visits(&self) -> u32 {
        self.amaf_visits.load(Ordering::Relaxed)
    }

    pub fn amaf_sum(&self) -> f32 {
        self.amaf_sum.load(Ordering::Relaxed) as f32 / UNIT
    }

    pub fn in_flight(&self) -> u32 {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// How many playouts the policy's opinion is worth.
    pub fn prior_visits(&self) -> f32 {
        f32::from_bits(self.prior_visits.load(Ordering::Relaxed))
    }

    pub fn prior_value(&self) -> f32 {
        f32::from_bits(self.prior_value.load(Ordering::Relaxed))
    }

    /// How many of them it takes for won.
    pub fn prior_wins(&self) -> f32 {
        self.prior_visits() * self.prior_value()
    }

    /// What is thought of the move beforehand, as widening compares it.
    pub fn merit(&self) -> f32 {
        super::policy::merit(self.bias(), self.prior_visits(), self.prior_value())
    }

    pub fn bias(&self) -> f32 {
        f32::from_bits(self.bias.load(Ordering::Relaxed))
    }

    /// How likely it is the move to play; that of all children of a node is 1.
    pub fn probability(&self) -> f32 {
        f32::from_bits(self.probability.load(Ordering::Relaxed))
    }

    /// The mean of the playouts, the mover's view; none without any.
    pub fn mean(&self) -> Option<f32> {
        // A result that another thread is adding just now may be in the sum and not yet in the visits.
        (self.visits() > 0).then(|| (self.sum() / self.visits() as f32).min(1.0))
    }

    /// The variance of the playouts' results.
    pub fn variance(&self) -> f32 {
        let mean = self.mean().unwrap_or(0.5);
        let squares = self.squares.load(Ordering::Relaxed) as f32 / UNIT;
        (squares / self.visits().max(1) as f32 - mean * mean).max(0.0)
    }

    pub fn enter(&self, losses: u32) {
        self.in_flight.fetch_add(losses, Ordering::Relaxed);
    }

    pub fn leave(&self, losses: u32) {
        self.in_flight.fetch_sub(losses, Ordering::Relaxed);
    }

    /// Adds the result of a playout through this node.
    pub fn add(&self, reward: f32) {
        self.sum.fetch_add((reward * UNIT) as u64, Ordering::Relaxed);
        self.squares.fetch_add((reward * reward * UNIT) as u64, Ordering::Relaxed);
        self.visits.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds results of playouts in which the mover made the move, now or later.
    pub fn add_amaf(&self, results: Results) {
        self.amaf_sum.fetch_add(results.sum, Ordering::Relaxed);
        self.amaf_visits.fetch_add(results.count, Ordering::Relaxed);
    }

    /// Adds what another tree knows of the same move.
    pub fn absorb(&self, other: &Node) {
        for (to, from) in
            [(&self.sum, &other.sum), (&self.squares, &other.squares), (&self.amaf_sum, &other.amaf_sum)]
        {
            to.fetch_add(from.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        self.visits.fetch_add(other.visits(), Ordering::Relaxed);
        self.amaf_visits.fetch_add(other.amaf_visits(), Ordering::Relaxed);
    }

    fn set(&self, candidate: &Candidate) {
        self.slot.store(u32::from(candidate.slot), Ordering::Relaxed);
        self.prior_visits.store(candidate.visits.to_bits(), Ordering::Relaxed);
        self.prior_value.store(candidate.value.to_bits(), Ordering::Relaxed);
        self.bias.store(candidate.bias.to_bits(), Ordering::Relaxed);
        self.probability.store(candidate.probability.to_bits(), Ordering::Relaxed);
    }

    /// Everything but the children.
    fn copy_to(&self, other: &Node) {
        other.absorb(self);
        other.set(&Candidate {
            slot: self.slot(),
            visits: self.prior_visits(),
            value: self.prior_value(),
            bias: self.bias(),
            probability: self.probability(),
        });
    }
}

/// A place in the tree; 0 is the root.
pub(super) type Index = u32;

/// All nodes.
#[derive(Debug)]
pub(super) struct Tree {
    chunks: Vec<OnceLock<Box<[Node]>>>,
    used: AtomicU32,
    full: AtomicBool,
    /// Whether the system would not give the memory for more.
    short: AtomicBool,
}

/// The bytes of the smallest tree, of two chunks.
pub(super) const SMALLEST: usize = 2 * CHUNK * size_of::<Node>();

/// The nodes that a tree of this many bytes can hold: whole chunks, at least two.
pub(super) fn capacity(bytes: usize) -> usize {
    CHUNK * (bytes / (CHUNK * size_of::<Node>())).clamp(2, (u32::MAX as usize) / CHUNK)
}

impl Tree {
    /// A tree with a root alone that will not grow beyond this many bytes, but holds at least two chunks.
    pub fn new(bytes: usize) -> Tree {
        let tree = Tree {
            chunks: (0..capacity(bytes) / CHUNK).map(|_| OnceLock::new()).collect(),
            used: AtomicU32::new(1),
            full: AtomicBool::new(false),
            short: AtomicBool::new(false),
        };
        tree.chunks[0].get_or_init(|| (0..CHUNK).map(|_| Node::default()).collect());
        tree
    }

    fn chunk(&self, number: usize) -> &[Node] {
        self.chunks[number].get().expect("nodes are numbered once their chunk is there")
    }

    /// Whether a chunk is there, or could be had just now.
    fn has(&self, number: usize) -> bool {
        if self.chunks[number].get().is_some() {
            return true;
        }
        let mut nodes = Vec::new();
        if !is_granted(number) || nodes.try_reserve_exact(CHUNK).is_err() {
            return false;
        }
        nodes.resize_with(CHUNK, Node::default);
        // Another thread may have been faster; one of the two is enough.
        let _ = self.chunks[number].set(nodes.into_boxed_slice());
        true
    }

    pub fn root(&self) -> &Node {
        self.node(0)
    }

    pub fn node(&self, index: Index) -> &Node {
        &self.chunk(index as usize / CHUNK)[index as usize % CHUNK]
    }

    /// The nodes in use.
    pub fn len(&self) -> usize {
        self.used.load(Ordering::Relaxed) as usize
    }

    /// The nodes below the root that were visited.
    pub fn visited(&self) -> usize {
        (1..self.len() as Index).filter(|&index| self.node(index).visits() > 0).count()
    }

    /// The most nodes it can hold.
    pub fn capacity(&self) -> usize {
        self.chunks.len() * CHUNK
    }

    /// Whether children were refused for want of room.
    pub fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// The bytes it has, if the system would not give more.
    pub fn shortage(&self) -> Option<usize> {
        let had = self.chunks.iter().filter(|chunk| chunk.get().is_some()).count();
        self.short.load(Ordering::Relaxed).then_some(had * CHUNK * size_of::<Node>())
    }

    /// The children of a node and the index of the first; none if it has not been expanded.
    pub fn children(&self, node: &Node) -> Option<(Index, &[Node])> {
        match node.children.load(Ordering::Acquire) {
            0 | BUSY => None,
            packed => {
                let (first, count) = ((packed >> 16) as usize, (packed & 0xffff) as usize);
                let start = first % CHUNK;
                Some((first as Index, &self.chunk(first / CHUNK)[start..start + count]))
            }
        }
    }

    /// Gives a node the children that `make` lists, unless another thread is doing so or the tree is full.
    pub fn expand(&self, node: &Node, make: impl FnOnce() -> Vec<Candidate>) {
        let claim = node.children.compare_exchange(0, BUSY, Ordering::Acquire, Ordering::Relaxed);
        if claim.is_err() {
            return;
        }
        let list = make();
        let packed = match self.reserve(list.len()) {
            Some(first) if !list.is_empty() => {
                for (i, candidate) in list.iter().enumerate() {
                    self.node(first + i as u32).set(candidate);
                }
                u64::from(first) << 16 | list.len() as u64
            }
            _ => 0,
        };
        node.children.store(packed, Ordering::Release);
    }

    /// Room for a run of nodes within one chunk.
    fn reserve(&self, count: usize) -> Option<Index> {
        let mut first = self.used.load(Ordering::Relaxed) as usize;
        loop {
            let left = CHUNK - first % CHUNK;
            let start = if left < count { first + left } else { first };
            if count > CHUNK || start + count > self.capacity() {
                self.full.store(true, Ordering::Relaxed);
                return None;
            }
            if !self.has(start / CHUNK) {
                self.short.store(true, Ordering::Relaxed);
                self.full.store(true, Ordering::Relaxed);
                return None;
            }
            let end = (start + count) as u32;
            match self.used.compare_exchange(first as u32, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(start as Index),
                Err(now) => first = now as usize,
            }
        }
    }

    /// The child of a node by its move.
    pub fn child(&self, node: &Node, slot: u16) -> Option<&Node> {
        self.children(node)?.1.iter().find(|child| child.slot() == slot)
    }

    /// A new tree with this node as its root, of the root's children only those that `keep` accepts.
    ///
    /// If more than half of the room would be taken, nodes with few visits lose their children. None if `ends` says
    /// before it is done that no time is left for it.
    pub fn rooted_at(
        &self,
        root: &Node,
        keep: &dyn Fn(u16) -> bool,
        ends: &dyn Fn() -> bool,
    ) -> Option<Tree> {
        let mut least = 1;
        loop {
            let tree = Tree::new(self.capacity() * size_of::<Node>());
            if tree.copy(self, root, keep, least, ends)? {
                return Some(tree);
            }
            least = least * 2 + 1;
        }
    }

    /// A new tree of this node and those of its children that `keep` accepts, at once.
    pub fn stump(&self, root: &Node, keep: &dyn Fn(u16) -> bool) -> Tree {
        self.stump_within(self.capacity() * size_of::<Node>(), root, keep)
    }

    /// The same within so many bytes.
    pub fn stump_within(&self, bytes: usize, root: &Node, keep: &dyn Fn(u16) -> bool) -> Tree {
        let tree = Tree::new(bytes);
        tree.copy(self, root, keep, u32::MAX, &|| false);
        tree
    }

    /// Copies the subtree, breadth first; false if it would take more than half of the room, none if it was ended.
    fn copy(
        &self,
        from: &Tree,
        root: &Node,
        keep: &dyn Fn(u16) -> bool,
        least: u32,
        ends: &dyn Fn() -> bool,
    ) -> Option<bool> {
        root.copy_to(self.root());
        let mut pending = std::collections::VecDeque::from([(root, 0 as Index)]);
        while let Some((old, new)) = pending.pop_front() {
            let Some((_, children)) = from.children(old) else { continue };
            if ends() {
                return None;
            }
            let kept: Vec<&Node> = children.iter().filter(|c| new != 0 || keep(c.slot())).collect();
            if new != 0 && self.len() + kept.len() > self.capacity() / 2 {
                return Some(false);
            }
            self.expand(self.node(new), || vec![Candidate::default(); kept.len()]);
            if let Some((first, copies)) = self.children(self.node(new)) {
                for (i, (child, copy)) in kept.into_iter().zip(copies).enumerate() {
                    child.copy_to(copy);
                    // Leaves have nothing to copy; waiting here, they would take more than the tree's room.
                    if child.visits() >= least && from.children(child).is_some() {
                        pending.push_back((child, first + i as u32));
                    }
                }
            }
        }
        Some(true)
    }
}

/// Whether so many bytes could be had now.
pub(super) fn is_possible(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

#[cfg(not(test))]
fn is_granted(_: usize) -> bool {
    true
}

#[cfg(test)]
fn is_granted(chunks: usize) -> bool {
    tests::MOST.get().is_none_or(|most| chunks < most)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    thread_local! {
        /// The chunks that a test grants each tree of its thread.
        pub static MOST: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) };
    }

    #[test]
    fn a_node_is_a_cache_line() {
        assert_eq!(size_of::<Node>(), 64);
    }
}
