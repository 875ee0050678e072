//! Repetitions one ply before they happen: whether some move leads back to a position of the line.
//!
//! Two positions that differ by one reversible move of a piece differ in their keys by a number that
//! belongs to that move; all such numbers lie in a cuckoo table (van Kervinck, 2013).

use std::sync::LazyLock;

use ::search::{Game, History, Side};

use crate::attacks::{self, Square, between};
use crate::position::{Position, Role};

const ENTRIES: usize = 8192;

/// Keys of reversible moves and the squares they connect.
struct Cycles(Vec<(u64, Square, Square)>);

static CYCLES: LazyLock<Cycles> = LazyLock::new(Cycles::build);

fn slots(key: u64) -> [usize; 2] {
    [key as usize % ENTRIES, (key >> 16) as usize % ENTRIES]
}

impl Cycles {
    fn build() -> Cycles {
        let mut table = Cycles(vec![(0, Square(0), Square(0)); ENTRIES]);
        for side in [Side::White, Side::Black] {
            for role in &Role::ALL[1..] {
                for a in 0..64 {
                    for b in a + 1..64 {
                        let (a, b) = (Square(a), Square(b));
                        if reach(*role, a) & b.bit() != 0 {
                            table.insert((Position::move_key(side, *role, a, b), a, b));
                        }
                    }
                }
            }
        }
        table
    }

    /// Whoever is pushed out of a slot moves to his other one.
    fn insert(&mut self, mut entry: (u64, Square, Square)) {
        let mut slot = slots(entry.0)[0];
        loop {
            std::mem::swap(&mut self.0[slot], &mut entry);
            if entry.0 == 0 {
                return;
            }
            let [first, second] = slots(entry.0);
            slot = if slot == first { second } else { first };
        }
    }

    fn find(&self, key: u64) -> Option<(Square, Square)> {
        let found = slots(key).into_iter().find(|&slot| self.0[slot].0 == key)?;
        Some((self.0[found].1, self.0[found].2))
    }
}

fn reach(role: Role, from: Square) -> u64 {
    match role {
        Role::Pawn => 0,
        Role::Knight => attacks::knight(from),
        Role::Bishop => attacks::bishop_rays(from),
        Role::Rook => attacks::rook_rays(from),
        Role::Queen => attacks::bishop_rays(from) | attacks::rook_rays(from),
        Role::King => attacks::king(from),
    }
}

/// Whether the side to move can return to a position of the searched line, `ply` plies long.
pub fn can_repeat(p: &Position, past: &History, ply: usize) -> bool {
    // Only the root and positions below it: those before it must come a third time.
    for plies in (3..=ply).step_by(2) {
        let Some(before) = past.back(plies) else { return false };
        if let Some((a, b)) = CYCLES.find(p.key() ^ before)
            && between(a, b) & p.occupied() == 0
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn all_reversible_moves_have_their_place() {
        assert_eq!(CYCLES.0.iter().filter(|entry| entry.0 != 0).count(), 3668);
    }

    #[test]
    fn the_way_back_is_seen() {
        let mut root = ::search::Root::new(Position::start(&Rules::default()));
        for text in ["g1f3", "g8f6", "f3g1"] {
            assert!(!can_repeat(root.position(), root.history(), 9));
            root.play_text(text).unwrap();
        }
        assert!(can_repeat(root.position(), root.history(), 9));
        assert!(can_repeat(root.position(), root.history(), 3));
        assert!(!can_repeat(root.position(), root.history(), 2));
    }
}
