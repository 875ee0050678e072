//! Which moves other threads are searching just now, so that a thread can put them off and find them in the table later.
//!
//! Tom Kerrigan's simplification of ABDADA (Weill, "The ABDADA distributed minimax search algorithm", 1996). The marks are
//! hints: one that is lost or left over costs a little work and never a wrong value, so they need no locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Marks that share a place; more threads than this at one place forget some.
const WAYS: usize = 4;
/// A power of two, many times the moves that all threads together are searching at once.
const PLACES: usize = 1 << 12;
/// Nothing is being searched under this mark.
const FREE: u64 = 0;

/// Moves under way, each by the key of its position and the move.
#[derive(Debug)]
pub struct Busy(Vec<[AtomicU64; WAYS]>);

impl Default for Busy {
    fn default() -> Self {
        Busy((0..PLACES).map(|_| Default::default()).collect())
    }
}

impl Busy {
    /// The name under which a move of a position is marked.
    pub fn name(key: u64, packed_move: u32) -> u64 {
        // An odd factor spreads the few bits of a move over the whole name.
        (key ^ u64::from(packed_move).wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(FREE + 1)
    }

    /// Whether some thread is at this move.
    pub fn is_marked(&self, name: u64) -> bool {
        self.place(name).iter().any(|mark| mark.load(Relaxed) == name)
    }

    /// Says that this thread is at the move.
    pub fn mark(&self, name: u64) {
        let place = self.place(name);
        let free = place.iter().find(|mark| matches!(mark.load(Relaxed), old if old == FREE || old == name));
        free.unwrap_or(&place[0]).store(name, Relaxed);
    }

    /// Says that it has left it.
    pub fn free(&self, name: u64) {
        self.place(name)
            .iter()
            .filter(|mark| mark.load(Relaxed) == name)
            .for_each(|m| m.store(FREE, Relaxed));
    }

    fn place(&self, name: u64) -> &[AtomicU64; WAYS] {
        &self.0[name as usize & (PLACES - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_busy_from_its_mark_to_its_end() {
        let busy = Busy::default();
        let (here, there) = (Busy::name(77, 5), Busy::name(77, 6));
        assert!(!busy.is_marked(here));
        busy.mark(here);
        assert!(busy.is_marked(here) && !busy.is_marked(there));
        busy.free(there);
        assert!(busy.is_marked(here));
        busy.free(here);
        assert!(!busy.is_marked(here));
    }

    #[test]
    fn a_full_place_forgets_one_mark_and_stays_usable() {
        let busy = Busy::default();
        let names: Vec<u64> = (1..=WAYS as u64 + 1).map(|i| i * PLACES as u64).collect();
        names.iter().for_each(|&name| busy.mark(name));
        assert_eq!(names.iter().filter(|&&name| busy.is_marked(name)).count(), WAYS);
        assert!(busy.is_marked(names[WAYS]));
        names.iter().for_each(|&name| busy.free(name));
        assert!(names.iter().all(|&name| !busy.is_marked(name)));
    }

    #[test]
    fn no_move_is_named_like_nothing() {
        assert_ne!(Busy::name(0, 0), FREE);
    }
}
