//! Places for engines: so many may run at once. Who finds none waits in line, and engines that are not thinking make
//! room.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::watch;

/// How long an engine waits for a place.
const PATIENCE: Duration = Duration::from_secs(60);
/// Engines that may wait at once.
const MOST_WAITING: usize = 100;

/// All places.
pub struct Places {
    all: usize,
    line: Mutex<Line>,
    freed: Condvar,
    /// Changes whenever somebody finds no place.
    wanted: watch::Sender<()>,
}

struct Line {
    free: usize,
    waiting: usize,
}

/// A place that was taken; it is free again when this is dropped.
pub struct Place(Arc<Places>);

impl Places {
    /// So many free places.
    pub fn new(all: usize) -> Arc<Self> {
        let line = Mutex::new(Line { free: all, waiting: 0 });
        Arc::new(Places { all, line, freed: Condvar::new(), wanted: watch::channel(()).0 })
    }

    /// Takes a place, and waits a while for one; the error is for the user.
    pub fn take(self: &Arc<Self>) -> Result<Place, String> {
        self.take_within(PATIENCE)
    }

    fn take_within(self: &Arc<Self>, patience: Duration) -> Result<Place, String> {
        let mut line = self.line();
        if line.free == 0 && line.waiting < MOST_WAITING {
            line.waiting += 1;
            self.wanted.send_replace(());
            line = self
                .freed
                .wait_timeout_while(line, patience, |line| line.free == 0)
                .expect("no holder of the lock panics")
                .0;
            line.waiting -= 1;
        }
        if line.free == 0 {
            return Err(format!("all {} engines that may run at once are thinking", self.all));
        }
        line.free -= 1;
        Ok(Place(self.clone()))
    }

    /// Whether somebody waits.
    pub fn is_wanted(&self) -> bool {
        let line = self.line();
        line.waiting > line.free
    }

    /// Hears when somebody finds no place.
    pub fn wanted(&self) -> watch::Receiver<()> {
        self.wanted.subscribe()
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().expect("no holder of the lock panics")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.line().free += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_finds_no_place_says_so_and_gets_the_next() {
        let places = Places::new(1);
        let first = places.take().unwrap();
        let mut wanted = places.wanted();
        assert!(!wanted.has_changed().unwrap());
        let refused = places.take_within(Duration::ZERO).err().unwrap();
        assert_eq!(refused, "all 1 engines that may run at once are thinking");
        assert!(wanted.has_changed().unwrap());
        wanted.mark_unchanged();
        let other = places.clone();
        let waiter = std::thread::spawn(move || other.take().is_ok());
        while !wanted.has_changed().unwrap() {
            std::thread::yield_now();
        }
        assert!(places.is_wanted());
        drop(first);
        assert!(waiter.join().unwrap());
        assert!(places.take().is_ok(), "the place is free again");
    }
}
