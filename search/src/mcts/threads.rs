//! How several threads share the work: one tree, a tree each, or one leaf at a time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex, RwLock};
use std::time::Instant;

use super::config::{Config, Parallel};
use super::tree::{SMALLEST, Tree};
use super::worker::{Shared, Worker};
use super::{Bounds, Policy, considered, root_children};
use crate::{Game, Info};

/// How many trees the threads grow, and the bytes of each; a third of the memory is left for the copy that makes room.
pub(super) fn trees(config: &Config) -> (usize, usize) {
    let room = config.memory * 2 / 3;
    let most = if config.parallel == Parallel::Root { config.threads } else { 1 };
    let count = most.clamp(1, (room / SMALLEST).max(1));
    (count, room / count)
}

/// Searches with all threads until a bound is reached or the tree is full; returns the number of moves made.
pub(super) fn run<G: Game, P: Policy<G>>(
    shared: &Shared<'_, P::Board>,
    policy: &P,
    bounds: &Bounds<'_>,
    report: &mut dyn FnMut(&Info<G::Move>),
) -> u64 {
    let seed = shared.config.seed.wrapping_add(shared.playouts.load(Ordering::Relaxed));
    let mut workers: Vec<Worker<G, P>> = (0..shared.config.threads.max(1) as u64)
        .map(|i| Worker::new(policy.clone(), shared.board, seed ^ i << 32))
        .collect();
    let (first, others) = workers.split_first_mut().expect("at least one thread");
    match shared.config.parallel {
        _ if others.is_empty() => lead(shared, first, bounds, report),
        Parallel::Root => separately(shared, first, others, bounds, report),
        Parallel::Leaf => together(shared, first, others, bounds, report),
        _ => in_one_tree(shared, first, others, bounds, report),
    }
    workers.iter().map(|worker| worker.moves).sum()
}

/// The loop of the thread that watches the bounds and reports.
fn lead<G: Game, P: Policy<G>>(
    shared: &Shared<'_, P::Board>,
    worker: &mut Worker<G, P>,
    bounds: &Bounds<'_>,
    report: &mut dyn FnMut(&Info<G::Move>),
) {
    let mut watch = Watch::new(bounds);
    // At least one playout, so that the root has its moves whatever the bounds.
    loop {
        worker.iterate(shared);
        if !watch.goes_on(shared, &worker.policy, report) {
            break;
        }
    }
    worker.share(shared.tree);
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

/// One tree for all threads.
fn in_one_tree<G: Game, P: Policy<G>>(
    shared: &Shared<'_, P::Board>,
    first: &mut Worker<G, P>,
    others: &mut [Worker<G, P>],
    bounds: &Bounds<'_>,
    report: &mut dyn FnMut(&Info<G::Move>),
) {
    let done = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        for worker in others {
            scope.spawn(move || follow(shared, worker, bounds, done));
        }
        lead(shared, first, bounds, report);
        done.store(true, Ordering::Relaxed);
    });
}

/// A tree for each thread, or for as many as the memory has room for; at the end what the others say of the root and
/// its moves is added to the first.
fn separately<G: Game, P: Policy<G>>(
    shared: &Shared<'_, P::Board>,
    first: &mut Worker<G, P>,
    others: &mut [Worker<G, P>],
    bounds: &Bounds<'_>,
    report: &mut dyn FnMut(&Info<G::Move>),
) {
    let (count, room) = trees(shared.config);
    let trees: Vec<Tree> = (1..count).map(|_| Tree::new(room)).collect();
    let mine = trees.iter().chain([shared.tree]).cycle();
    let done = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        for (worker, tree) in others.iter_mut().zip(mine) {
            scope.spawn(move || {
                let Shared { config, board, allowed, playouts, depth, .. } = *shared;
                follow(&Shared::new(config, tree, board, allowed, playouts, depth), worker, bounds, done);
            });
        }
        lead(shared, first, bounds, report);
        done.store(true, Ordering::Relaxed);
    });
    for tree in &trees {
        shared.tree.root().absorb(tree.root());
        for child in root_children(shared.tree) {
            if let Some(twin) = tree.child(tree.root(), child.slot()) {
                child.absorb(twin);
            }
        }
    }
}

/// One thread walks to a leaf, all play out from there, and the first carries every result back.
fn together<G: Game, P: Policy<G>>(
    shared: &Shared<'_, P::Board>,
    first: &mut Worker<G, P>,
    others: &mut [Worker<G, P>],
    bounds: &Bounds<'_>,
    report: &mut dyn FnMut(&Info<G::Move>),
) {
    let done = &AtomicBool::new(false);
    let barrier = &Barrier::new(others.len() + 1);
    let leaf = &RwLock::new((first.board.clone(), Vec::new()));
    let results = &Mutex::new(Vec::new());
    let mut watch = Watch::new(bounds);
    std::thread::scope(|scope| {
        for worker in others {
            scope.spawn(move || {
                loop {
                    barrier.wait();
                    if done.load(Ordering::Relaxed) {
                        break;
                    }
                    let result = {
                        let (board, path) = &*leaf.read().expect("no holder panics");
                        worker.finish_from(board, path)
                    };
                    results.lock().expect("no holder panics").push(result);
                    barrier.wait();
                }
            });
        }
        loop {
            first.descend(shared);
            {
                let (board, path) = &mut *leaf.write().expect("no holder panics");
                board.clone_from(&first.board);
                path.clone_from(&first.trace);
            }
            barrier.wait();
            let reward = first.finish();
            barrier.wait();
            first.carry_back(shared, reward);
            for (reward, moves) in results.lock().expect("no holder panics").drain(..) {
                first.carry_back_for(shared, reward, &moves);
            }
            first.leave(shared);
            if !watch.goes_on(shared, &first.policy, report) {
                break;
            }
        }
        first.share(shared.tree);
        done.store(true, Ordering::Relaxed);
        barrier.wait();
    });
}

/// Looks at bounds and clock between playouts.
struct Watch<'a> {
    bounds: &'a Bounds<'a>,
    looked: Instant,
    reported: Instant,
}

impl<'a> Watch<'a> {
    fn new(bounds: &'a Bounds<'a>) -> Self {
        Watch { bounds, looked: Instant::now(), reported: Instant::now() }
    }

    fn goes_on<G: Game, P: Policy<G>>(
        &mut self,
        shared: &Shared<'_, P::Board>,
        policy: &P,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> bool {
        let now = Instant::now();
        self.bounds.stalls.note(now - self.looked);
        self.looked = now;
        if now - self.reported >= shared.config.report {
            self.reported = now;
            report(&Info::Considered(considered(shared.tree, shared.config, policy)));
        }
        let (playouts, depth) =
            (shared.playouts.load(Ordering::Relaxed), shared.depth.load(Ordering::Relaxed));
        !shared.tree.is_full() && !self.bounds.is_over(shared.tree, playouts, depth)
    }
}
