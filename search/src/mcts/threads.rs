//! How several threads share the work: one tree, a tree each, or one leaf at a time.

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
    let most = match config.parallel {
        Parallel::Root => config.threads,
        Parallel::RootLeaf => config.threads.div_ceil(group(config)),
        _ => 1,
    };
    let count = most.clamp(1, (room / SMALLEST).max(1));
    (count, room / count)
}

/// How many threads share a leaf, where they do.
fn group(config: &Config) -> usize {
    match config.parallel {
        Parallel::RootLeaf => config.group.clamp(1, config.threads.max(1)),
        _ => config.threads.max(1),
    }
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
        Parallel::Leaf | Parallel::RootLeaf => from_shared_leaves(leader, others),
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
    add_up(shared.tree, &trees);
    granted
}

/// Adds what other trees say of the root and its moves.
fn add_up(to: &Tree, trees: &[Tree]) {
    for tree in trees {
        to.root().absorb(tree.root());
        for child in root_children(to) {
            if let Some(twin) = tree.child(tree.root(), child.slot()) {
                child.absorb(twin);
            }
        }
    }
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

/// Threads in groups, all of them in one or each group with a tree of its own: one of a group walks to a leaf, all of it
/// evaluate that, and the first carries every result back.
fn from_shared_leaves<G: Game, P: Policy<G>>(
    mut leader: Leader<'_, G, P>,
    others: &mut [Worker<G, P>],
) -> usize {
    let Leader { shared, bounds, .. } = leader;
    let Shared { config, board, allowed, playouts, depth, .. } = *shared;
    let size = group(config);
    let (count, room) = trees(config);
    let trees: Vec<Tree> = (1..count).map(|_| Tree::new(room)).collect();
    let own: Vec<_> =
        trees.iter().map(|tree| Shared::new(config, tree, board, allowed, playouts, depth)).collect();
    let groups: Vec<Group<P::Board>> =
        (0..(1 + others.len()).div_ceil(size)).map(|_| Group::new(board, size - 1)).collect();
    let done = &AtomicBool::new(false);
    let mut helpers: Vec<Box<dyn FnOnce() + Send + '_>> = Vec::new();
    // The first of the first group is this thread.
    for (worker, number) in others.iter_mut().zip(1..) {
        let (group, place) = (&groups[number / size], number % size);
        let shared = std::iter::once(shared).chain(&own).cycle().nth(number / size).expect("it has no end");
        helpers.push(match place.checked_sub(1) {
            Some(copy) => Box::new(move || group.follow(worker, copy)),
            None => Box::new(move || {
                let is_over =
                    || done.load(Ordering::Relaxed) || bounds.is_used_up(playouts.load(Ordering::Relaxed));
                while !is_over() {
                    group.round(worker, shared);
                }
                group.end(worker, shared);
            }),
        });
    }
    let granted = crew::run(helpers, |granted| {
        // How many must meet is known only once they are there.
        for (group, number) in groups.iter().zip(0..) {
            let members = (1 + granted).saturating_sub(number * size).clamp(1, size);
            group.barrier.get_or_init(|| (Barrier::new(members), members));
        }
        loop {
            groups[0].round(leader.worker, shared);
            if !leader.goes_on() {
                break;
            }
        }
        done.store(true, Ordering::Relaxed);
        groups[0].end(leader.worker, shared);
        granted
    });
    add_up(shared.tree, &trees);
    granted
}

/// Threads that share a leaf.
struct Group<B> {
    /// Where they meet, and how many they are.
    barrier: OnceLock<(Barrier, usize)>,
    /// The leaf as all but the first of them see it.
    copies: Vec<Mutex<Leaf<B>>>,
    is_over: AtomicBool,
}

impl<B: Clone + Send + Sync> Group<B> {
    fn new(board: &B, followers: usize) -> Group<B> {
        let copies = (0..followers).map(|_| Mutex::new(Leaf::new(board.clone()))).collect();
        Group { barrier: OnceLock::new(), copies, is_over: AtomicBool::new(false) }
    }

    /// Takes one leaf there and back.
    fn round<G: Game, P: Policy<G, Board = B>>(&self, worker: &mut Worker<G, P>, shared: &Shared<'_, B>) {
        let (barrier, members) = self.barrier.wait();
        let copies = &self.copies[..members - 1];
        let mut leaf = Leaf::new(shared.board.clone());
        worker.descend(shared, &mut leaf);
        worker.begin_race(shared, &mut leaf, *members);
        copies.iter().for_each(|copy| held(copy).clone_from(&leaf));
        barrier.wait();
        worker.evaluate_shared(&mut leaf);
        barrier.wait();
        worker.carry_back(shared, &leaf);
        copies.iter().for_each(|copy| worker.carry_back(shared, &held(copy)));
        shared.leave(&leaf);
    }

    /// Lets the others go.
    fn end<G: Game, P: Policy<G, Board = B>>(&self, worker: &mut Worker<G, P>, shared: &Shared<'_, B>) {
        worker.share(shared.tree);
        self.is_over.store(true, Ordering::Relaxed);
        self.barrier.wait().0.wait();
    }

    /// What all but the first do.
    fn follow<G: Game, P: Policy<G, Board = B>>(&self, worker: &mut Worker<G, P>, copy: usize) {
        let (barrier, _) = self.barrier.wait();
        loop {
            barrier.wait();
            if self.is_over.load(Ordering::Relaxed) {
                break;
            }
            worker.evaluate_shared(&mut held(&self.copies[copy]));
            barrier.wait();
        }
    }
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
