//! The strings by which a session holds a running search: stop it, or tell it that its guess was played.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

/// The search was told to end; travels by `?` from the depth of the tree to its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted;

/// Shared by a session and the threads of one search. A fresh one belongs to every `go`.
#[derive(Clone, Debug)]
pub struct Control(Arc<State>);

#[derive(Debug)]
struct State {
    asked: Instant,
    stopped: AtomicBool,
    hit: Mutex<Option<Instant>>,
    pondering: AtomicBool,
    changed: Condvar,
}

impl Default for Control {
    fn default() -> Self {
        Control::new(false, Instant::now())
    }
}

impl Control {
    /// A control for a search asked for at this moment, which ponders until told otherwise, or not.
    pub fn new(ponder: bool, asked: Instant) -> Self {
        Control(Arc::new(State {
            asked,
            stopped: AtomicBool::new(false),
            hit: Mutex::default(),
            pondering: AtomicBool::new(ponder),
            changed: Condvar::new(),
        }))
    }

    /// The moment the search was asked for: its user's clock runs since then, however late it begins.
    pub fn asked(&self) -> Instant {
        self.0.asked
    }

    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        let _guard = self.lock();
        self.0.stopped.store(true, Ordering::Relaxed);
        self.0.changed.notify_all();
    }

    /// The pondered move was played, as was said at this moment: the clock runs since then.
    pub fn ponder_hit(&self, said: Instant) {
        let mut hit = self.lock();
        if self.0.pondering.swap(false, Ordering::Relaxed) {
            *hit = Some(said);
        }
        self.0.changed.notify_all();
    }

    /// Whether `stop` was called.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Whether the clock has not started yet.
    #[inline]
    pub fn pondering(&self) -> bool {
        self.0.pondering.load(Ordering::Relaxed)
    }

    /// The moment of the ponder hit, if there was one.
    pub fn hit(&self) -> Option<Instant> {
        *self.lock()
    }

    /// Blocks until the answer may be given: at `stop`, or, unless `infinite`, once no longer pondering.
    pub fn wait(&self, infinite: bool) {
        let mut guard = self.lock();
        while !self.stopped() && (infinite || self.pondering()) {
            guard = self.0.changed.wait(guard).expect("no holder of the lock panics");
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.0.hit.lock().expect("no holder of the lock panics")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_counts_only_while_pondering() {
        let idle = Control::default();
        idle.ponder_hit(Instant::now());
        assert_eq!(idle.hit(), None);
        let control = Control::new(true, Instant::now());
        control.ponder_hit(Instant::now());
        assert!(control.hit().is_some() && !control.pondering());
        control.wait(false);
    }

    #[test]
    fn waiting_ends_with_stop() {
        let control = Control::new(true, Instant::now());
        let other = control.clone();
        let waiter = std::thread::spawn(move || other.wait(true));
        control.stop();
        waiter.join().unwrap();
    }
}
