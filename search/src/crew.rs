//! Threads that help for a while, as many as the system grants: what one cannot have, others do.

use std::thread::{Builder, scope};

/// Runs `first` on this thread and every helper on one of its own, until all are done. Helpers for which no thread could
/// be had are left out; `first` is told how many there are.
pub fn run<R>(helpers: impl IntoIterator<Item = impl FnOnce() + Send>, first: impl FnOnce(usize) -> R) -> R {
    scope(|scope| {
        let mut granted = 0;
        for helper in helpers {
            if !is_granted(granted) || Builder::new().spawn_scoped(scope, helper).is_err() {
                break;
            }
            granted += 1;
        }
        first(granted)
    })
}

/// Begins work whose result a search will ask for, beside whatever comes next. Where no thread can be had it is left to
/// the one who asks first.
pub fn ahead(work: impl FnOnce() + Send + 'static) {
    if is_granted(0) {
        drop(Builder::new().spawn(work));
    }
}

/// What is said where only so many of the threads asked for could be had.
pub fn lack(had: usize, asked: usize) -> String {
    format!("only {had} of {asked} threads could be had; going on with these")
}

#[cfg(not(test))]
fn is_granted(_: usize) -> bool {
    true
}

#[cfg(test)]
fn is_granted(helpers: usize) -> bool {
    tests::MOST.get().is_none_or(|most| helpers < most)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    thread_local! {
        /// The helpers a test grants the crews of its thread.
        pub static MOST: Cell<Option<usize>> = const { Cell::new(None) };
    }

    #[test]
    fn helpers_without_a_thread_are_left_out() {
        let ran = AtomicUsize::new(0);
        let help = || {
            ran.fetch_add(1, Relaxed);
        };
        let helpers = || (0..5).map(|_| help);
        assert_eq!(run(helpers(), |granted| granted), 5);
        MOST.set(Some(2));
        assert_eq!(run(helpers(), |granted| granted), 2);
        assert_eq!(ran.into_inner(), 5 + 2);
    }

    #[test]
    fn work_ahead_is_left_where_no_thread_can_be_had() {
        let (done, wait) = std::sync::mpsc::channel();
        let begin = || {
            let done = done.clone();
            ahead(move || done.send(()).unwrap());
        };
        begin();
        assert!(wait.recv().is_ok());
        MOST.set(Some(0));
        begin();
        drop(done);
        assert!(wait.recv().is_err());
    }
}
