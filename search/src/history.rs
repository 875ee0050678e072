//! The keys of the positions that led here: what repetition and superko ask.

/// The keys of all earlier positions, oldest first, without the current one.
#[derive(Clone, Debug, Default)]
pub struct History {
    keys: Vec<u64>,
    /// For each position, the index of the oldest one that could still recur in it.
    floor: Vec<u32>,
}

impl History {
    /// Adds the position left by a move, which is irreversible or not.
    #[inline]
    pub fn push(&mut self, key: u64, irreversible: bool) {
        let here = self.keys.len() as u32;
        self.keys.push(key);
        let floor = if irreversible { here + 1 } else { self.floor.last().copied().unwrap_or(0) };
        self.floor.push(floor);
    }

    /// Takes the latest position back.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
        self.floor.pop();
    }

    /// The number of earlier positions.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether no move has been made.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The indices, newest first, at which the position with this key stood before, as far back as it can recur.
    #[inline]
    pub fn earlier(&self, key: u64) -> impl Iterator<Item = usize> + '_ {
        let floor = self.floor.last().map_or(0, |&f| f as usize);
        // The same side is to move only every second ply.
        (floor..self.keys.len()).rev().skip(1).step_by(2).filter(move |&i| self.keys[i] == key)
    }

    /// The key that stood `plies` plies before the current position, unless an irreversible move lies between.
    pub fn back(&self, plies: usize) -> Option<u64> {
        let floor = self.floor.last().map_or(0, |&f| f as usize);
        self.keys.len().checked_sub(plies).filter(|&i| i >= floor).and_then(|i| self.keys.get(i)).copied()
    }

    /// Whether the key stood anywhere before, whatever was irreversible and whoever moved: superko's question.
    pub fn contains(&self, key: u64) -> bool {
        self.keys.contains(&key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_found_at_even_distance_since_the_last_irreversible_move() {
        let mut past = History::default();
        for (key, irreversible) in [(7, false), (1, true), (7, false), (2, false), (7, false), (3, false)] {
            past.push(key, irreversible);
        }
        assert_eq!(past.earlier(7).collect::<Vec<_>>(), vec![4, 2]);
        assert_eq!(past.earlier(3).count(), 0);
        assert!(past.contains(1));
        assert_eq!((past.back(1), past.back(4), past.back(5)), (Some(3), Some(7), None));
        past.pop();
        assert_eq!(past.earlier(2).collect::<Vec<_>>(), vec![3]);
    }
}
