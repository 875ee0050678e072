//! When the threads of a search stop: nodes counted, the clock and the user's wishes looked at now and then.
//!
//! Apart from the searches themselves, because every alpha-beta must stop alike.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use crate::{Aborted, Clock, Control, Limits, Stalls, crew};

/// Nodes between two looks at the clock.
const POLL: u64 = 512;
/// Nodes of a first iteration that is not short: where dozens of pieces can take each other it would hardly end.
const LONG: u64 = 1 << 14;

/// What all threads of one search look at.
#[derive(Debug)]
pub struct Watch<'a> {
    /// What the search may spend.
    pub limits: &'a Limits,
    /// The user's wishes.
    pub control: &'a Control,
    /// The time bounds.
    pub clock: Clock,
    stalls: &'a Stalls,
    /// Nodes of each thread, published now and then.
    nodes: Vec<AtomicU64>,
    database_hits: AtomicU64,
    /// Threads that could be had.
    crew: AtomicUsize,
    /// Set by the first thread when it is done, so that the others stop.
    finished: AtomicBool,
}

impl<'a> Watch<'a> {
    /// A watch over `threads` threads, which starts its clock now.
    pub fn new(
        limits: &'a Limits,
        control: &'a Control,
        clock: Clock,
        stalls: &'a Stalls,
        threads: usize,
    ) -> Self {
        Watch {
            limits,
            control,
            clock,
            stalls,
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            database_hits: AtomicU64::new(0),
            crew: AtomicUsize::new(threads),
            finished: AtomicBool::new(false),
        }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.nodes.len()
    }

    /// The number of threads that could be had.
    pub fn crew(&self) -> usize {
        self.crew.load(Relaxed)
    }

    /// The nodes of all threads, as far as they have told.
    pub fn nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Relaxed)).sum()
    }

    /// Positions found in endgame databases by all threads.
    pub fn database_hits(&self) -> u64 {
        self.database_hits.load(Relaxed)
    }

    /// Counts a position found in an endgame database.
    pub fn note_database_hit(&self) {
        self.database_hits.fetch_add(1, Relaxed);
    }

    /// Runs every worker on a thread of its own, as far as there are threads; once the first one, which alone reports, is done, all end.
    pub fn run<W: Send, S: Send, I>(
        &self,
        workers: &mut [W],
        states: &mut [S],
        report: &mut dyn FnMut(&I),
        deepen: impl Fn(&mut W, &mut S, &mut dyn FnMut(&I)) + Sync,
    ) {
        let (first, helpers) = workers.split_first_mut().expect("there is at least one thread");
        let (state, helper_states) = states.split_first_mut().expect("there is one state for each thread");
        let deepen = &deepen;
        let helpers = helpers.iter_mut().zip(helper_states);
        crew::run(helpers.map(|(worker, state)| move || deepen(worker, state, &mut |_| {})), |granted| {
            self.crew.store(1 + granted, Relaxed);
            deepen(first, state, report);
            self.finished.store(true, Relaxed);
        });
        self.clock.answered(self.control, self.stalls);
    }
}

/// One thread's part in the watch.
#[derive(Debug)]
pub struct Sentry<'a> {
    watch: &'a Watch<'a>,
    index: usize,
    nodes: u64,
    next_poll: u64,
    last_poll: Instant,
    /// The deepest ply visited.
    pub seldepth: usize,
    /// Whether there is a move to answer with.
    committed: bool,
}

impl<'a> Sentry<'a> {
    /// The part of the thread of this number; number 0 looks at the clock for all.
    pub fn new(watch: &'a Watch<'a>, index: usize) -> Self {
        Sentry {
            watch,
            index,
            nodes: 0,
            next_poll: 0,
            last_poll: Instant::now(),
            seldepth: 0,
            committed: false,
        }
    }

    /// What all threads look at.
    pub fn watch(&self) -> &'a Watch<'a> {
        self.watch
    }

    /// The number of this thread, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Nodes of this thread.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node and now and then looks whether to stop.
    #[inline]
    pub fn visit(&mut self, ply: usize) -> Result<(), Aborted> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes >= self.next_poll { self.poll() } else { Ok(()) }
    }

    /// Notes that there is a move to answer with. The first iteration is short and must yield one, so neither the
    /// clock nor the user ends it unless it turns out long; what it ran over is noticed at the next node.
    pub fn commit(&mut self) {
        if !self.committed {
            self.committed = true;
            self.next_poll = 0;
        }
    }

    /// Tells the others how many nodes this thread has visited.
    pub fn publish(&self) {
        self.watch.nodes[self.index].store(self.nodes, Relaxed);
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Aborted> {
        self.publish();
        let watch = self.watch;
        let obeys = self.committed || self.nodes >= LONG;
        if watch.finished.load(Relaxed) || (obeys && watch.control.stopped()) {
            return Err(Aborted);
        }
        if self.index == 0 {
            let now = Instant::now();
            watch.stalls.note(now - self.last_poll);
            self.last_poll = now;
            let spent = watch.limits.nodes.is_some_and(|limit| watch.nodes() >= limit);
            if obeys && (spent || watch.clock.expired(watch.control)) {
                return Err(Aborted);
            }
        }
        self.next_poll = self.nodes + POLL;
        // With one thread a node limit is met exactly.
        if let (Some(limit), 1) = (watch.limits.nodes, watch.threads())
            && limit > self.nodes
        {
            self.next_poll = self.next_poll.min(limit);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes visited before the sentry says stop, at most `most`.
    fn visits(limits: &Limits, control: &Control, committed: bool, most: u64) -> u64 {
        let stalls = Stalls::default();
        let clock = Clock::new(limits, std::time::Instant::now(), std::time::Duration::ZERO, &stalls);
        let watch = Watch::new(limits, control, clock, &stalls, 1);
        let mut sentry = Sentry::new(&watch, 0);
        if committed {
            sentry.commit();
        }
        (0..most).take_while(|_| sentry.visit(0).is_ok()).count() as u64
    }

    #[test]
    fn one_thread_meets_its_node_limit_exactly() {
        for limit in [2, 511, 512, 513, 5000] {
            assert_eq!(visits(&Limits::nodes(limit), &Control::default(), true, 10_000), limit - 1);
        }
    }

    #[test]
    fn nothing_ends_a_search_without_a_move() {
        let control = Control::default();
        control.stop();
        assert_eq!(visits(&Limits::nodes(1), &control, false, 10_000), 10_000);
        assert_eq!(visits(&Limits::default(), &control, true, 10_000), 0);
    }

    #[test]
    fn a_first_iteration_that_is_not_short_is_ended_too() {
        let control = Control::default();
        control.stop();
        let visited = visits(&Limits::default(), &control, false, 2 * LONG);
        assert!((LONG..LONG + POLL).contains(&visited), "{visited}");
    }

    #[test]
    fn a_limit_passed_without_a_move_ends_the_search_at_the_next_node() {
        let (limits, control, stalls) = (Limits::nodes(20), Control::default(), Stalls::default());
        let clock = Clock::new(&limits, std::time::Instant::now(), std::time::Duration::ZERO, &stalls);
        let watch = Watch::new(&limits, &control, clock, &stalls, 1);
        let mut sentry = Sentry::new(&watch, 0);
        assert!((0..30).all(|_| sentry.visit(0).is_ok()));
        sentry.commit();
        assert!(sentry.visit(0).is_err());
    }

    #[test]
    fn helpers_end_with_the_first_thread() {
        let (limits, control, stalls) = (Limits::default(), Control::default(), Stalls::default());
        let clock = Clock::new(&limits, std::time::Instant::now(), std::time::Duration::ZERO, &stalls);
        let watch = Watch::new(&limits, &control, clock, &stalls, 2);
        let mut sentries = [Sentry::new(&watch, 0), Sentry::new(&watch, 1)];
        watch.run(&mut sentries, &mut [10, u64::MAX], &mut |_: &()| {}, |sentry, most, _| {
            for _ in 0..*most {
                if sentry.visit(3).is_err() {
                    return;
                }
            }
        });
        sentries.iter().for_each(Sentry::publish);
        assert_eq!(sentries[0].nodes(), 10);
        assert_eq!(watch.nodes(), 10 + sentries[1].nodes());
        assert_eq!(sentries[1].seldepth, 3);
    }

    #[test]
    fn a_search_goes_on_with_the_threads_that_can_be_had() {
        crew::tests::MOST.set(Some(1));
        let (limits, control, stalls) = (Limits::default(), Control::default(), Stalls::default());
        let clock = Clock::new(&limits, Instant::now(), std::time::Duration::ZERO, &stalls);
        let watch = Watch::new(&limits, &control, clock, &stalls, 3);
        let mut worked = [0; 3];
        watch.run(&mut worked, &mut [(); 3], &mut |_: &()| {}, |worked, _, _| *worked += 1);
        assert_eq!((worked, watch.crew()), ([1, 1, 0], 2));
    }
}
