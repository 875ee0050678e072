//! How several threads share the work: one tree, a tree each, or one leaf at a time.

use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex, OnceLock};
use std::time::Instant;

use super::config::{Config, Parallel};
use super::tree::{SMALLEST, Tree};
use super::worker::{Shared, Worker, held};
use super::{Bounds, Leaf, Policy, considered, root_children};
use crate::{Game, Info, crew};

/// How many trees the threads grow, and the bytes of each; a third of the memory is left for the copy that makes room.
pub(super) fn trees(config: &Config) -> (usize, usize) {
    let room = config.memory * 2 / 3;
    let most = if config.parallel == Parallel::Root { config.threads } else { 1 };
    let count = most.clamp(1, (room / SMALLEST).max(1));
    (count, room / count)
}

/// Searches with all threads until a bound is reached or the tree is full; returns the number of moves made
/// and of threads that could be had.
pub(super) fn run<G: Game, P: Policy<G>>(
    shared: &Shared<'_, P::Board>,
    policy: &P,
    bounds: &Bounds<'_>,
    report: &mut dyn FnMut(&Info<G::Move>),
) -> (u64, usize) {
    let seed = shared.config.seed.wrapping_add(shared.playouts.load(Ordering::Relaxed));
    let mut workers: Vec<Worker<G, P>> = (0..shared.config.threads.max(1) as u64)
        .map(|i| Worker::new(policy.clone(), shared, seed ^ i << 32))
        .collect();
    let (worker, others) = workers.split_first_mut().expect("at least one thread");
    let leader = Leader { shared, worker, bounds, report, looked: Instant::now(), reported: Instant::now() };
    let granted = match shared.config.parallel {
        Parallel::Leaf => from_one_leaf(leader, others),
        _ => in_trees(leader, others),
    };
    (workers.iter().map(|worker| worker.moves).sum(), 1 + granted)
}

/// One tree for all threads, or a tree for each, as far as the memory has room for them; at the end what the others say
/// of the root and its moves is added to the first.
fn in_trees<G: Game, P: Policy<G>>(mut leader: Leader<'_, G, P>, others: &mut [Worker<G, P>]) -> usize {
    let Leader { shared, bounds, .. } = leader;
    let Shared { config, board, allowed, playouts, depth, .. } = *shared;
    let (count, room) = trees(config);
    let trees: Vec<Tree> = (1..count).map(|_| Tree::new(room)).collect();
    let own: Vec<_> =
        trees.iter().map(|tree| Shared::new(config, tree, board, allowed, playouts, depth)).collect();
    let done = &AtomicBool::new(false);
    let others = others.iter_mut().zip(own.iter().chain([shared]).cycle());
    let helpers = others.map(|(worker, shared)| move || follow(shared, worker, bounds, done));
    let granted = crew::run(helpers, |granted| {
        leader.iterate();
        done.store(true, Ordering::Relaxed);
        granted
    });
    for tree in &trees {
        shared.tree.root().absorb(tree.root());
        for child in root_children(shared.tree) {
            if let Some(twin) = tree.child(tree.root(), child.slot()) {
                child.absorb(twin);
            }
        }
    }
    granted
}

/// The loop of the other threads. They look at the bounds, too: with more threads than cores the first one may have to
/// wait for its turn, and nobody gives way as long as there is work.
pub(super) fn follow<G: Game, P: Policy<G>>(
    shared: &Shared<'_, P::Board>,
    worker: &mut Worker<G, P>,
    bounds: &Bounds<'_>,
    done: &AtomicBool,
) {
    while !done.load(Ordering::Relaxed) && !bounds.is_used_up(shared.playouts.load(Ordering::Relaxed)) {
        worker.iterate(shared);
    }
    worker.share(shared.tree);
}

/// One thread walks to a leaf, all evaluate it, and the first carries every result back.
fn from_one_leaf<G: Game, P: Policy<G>>(mut leader: Leader<'_, G, P>, others: &mut [Worker<G, P>]) -> usize {
    let shared = leader.shared;
    let done = &AtomicBool::new(false);
    // How many must meet is known only once they are there.
    let barrier = &OnceLock::<Barrier>::new();
    let mut leaf = Leaf::new(shared.board.clone());
    let copies: Vec<_> = others.iter().map(|_| Mutex::new(leaf.clone())).collect();
    let helpers = others.iter_mut().zip(&copies).map(|(worker, copy)| {
        move || {
            let barrier = barrier.wait();
            loop {
                barrier.wait();
                if done.load(Ordering::Relaxed) {
                    break;
                }
                worker.evaluate(slice::from_mut(&mut *held(copy)));
                barrier.wait();
            }
        }
    });
    crew::run(helpers, |granted| {
        let barrier = barrier.get_or_init(|| Barrier::new(1 + granted));
        let copies = &copies[..granted];
        loop {
            leader.worker.descend(shared, &mut leaf);
            copies.iter().for_each(|copy| held(copy).clone_from(&leaf));
            barrier.wait();
            leader.worker.evaluate(slice::from_mut(&mut leaf));
            barrier.wait();
            leader.worker.carry_back(shared, &leaf);
            copies.iter().for_each(|copy| leader.worker.carry_back(shared, &held(copy)));
            shared.leave(&leaf);
            if !leader.goes_on() {
                break;
            }
        }
        leader.worker.share(shared.tree);
        done.store(true, Ordering::Relaxed);
        barrier.wait();
        granted
    })
}

/// The thread that looks at bounds and clock between playouts, and reports.
struct Leader<'a, G: Game, P: Policy<G>> {
    shared: &'a Shared<'a, P::Board>,
    worker: &'a mut Worker<G, P>,
    bounds: &'a Bounds<'a>,
    report: &'a mut dyn FnMut(&Info<G::Move>),
    looked: Instant,
    reported: Instant,
}

impl<G: Game, P: Policy<G>> Leader<'_, G, P> {
    /// At least one playout, so that the root has its moves whatever the bounds.
    fn iterate(&mut self) {
        loop {
            self.worker.iterate(self.shared);
            if !self.goes_on() {
                break;
            }
        }
        self.worker.share(self.shared.tree);
    }

    fn goes_on(&mut self) -> bool {
        let Shared { config, tree, playouts, depth, .. } = *self.shared;
        let now = Instant::now();
        self.bounds.stalls.note(now - self.looked);
        self.looked = now;
        if now - self.reported >= config.report {
            self.reported = now;
            (self.report)(&Info::Considered(considered(tree, config, &self.worker.policy)));
        }
        !tree.is_full()
            && !self.bounds.is_over(tree, playouts.load(Ordering::Relaxed), depth.load(Ordering::Relaxed))
    }
}
