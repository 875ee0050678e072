//! Stops a match from outside its threads: at Ctrl-C, or when its test has a verdict.

use std::sync::{Arc, Mutex};

use crossbeam_channel::{Receiver, Sender};

/// Can be asked, waited for, and raised once. Clones belong together.
#[derive(Clone, Debug)]
pub struct Interrupt {
    /// Held until the interrupt is raised; its end wakes all who wait.
    held: Arc<Mutex<Option<Sender<()>>>>,
    bell: Receiver<()>,
}

impl Default for Interrupt {
    fn default() -> Self {
        let (sender, bell) = crossbeam_channel::bounded(0);
        Interrupt { held: Arc::new(Mutex::new(Some(sender))), bell }
    }
}

impl Interrupt {
    /// Stops whoever asks or waits.
    pub fn raise(&self) {
        self.held.lock().expect("no holder of the lock panics").take();
    }

    /// Whether it was raised.
    pub fn is_raised(&self) -> bool {
        self.held.lock().expect("no holder of the lock panics").is_none()
    }

    /// Says nothing, and is disconnected once the interrupt is raised.
    pub fn bell(&self) -> &Receiver<()> {
        &self.bell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raising_wakes_all_who_wait() {
        let interrupt = Interrupt::default();
        let other = interrupt.clone();
        assert!(!other.is_raised());
        let waiter = std::thread::spawn(move || other.bell().recv().is_err());
        interrupt.raise();
        interrupt.raise();
        assert!(waiter.join().unwrap() && interrupt.is_raised());
    }
}
