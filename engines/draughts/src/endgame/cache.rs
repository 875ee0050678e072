//! The values asked for lately, for all threads: a word a place, so that nobody waits and nobody reads half.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use search::endgame::Value;

/// Places, half a megabyte of them.
const PLACES: usize = 1 << 16;

/// The code of a draw among those of distances.
const DRAW: u16 = u16::MAX;

/// A place holds the unit and number of a state above the code of its value, or 0.
pub(super) struct Cache(Box<[AtomicU64]>);

impl Default for Cache {
    fn default() -> Self {
        Cache((0..PLACES).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Cache {
    /// The value of a state, looked up by `find` if it was not asked for lately.
    pub(super) fn get_or(
        &self,
        unit: usize,
        index: u64,
        find: impl FnOnce() -> Option<Value>,
    ) -> Option<Value> {
        // Units are fewer than 2^10 and their states than 2^38, so that word and state are one to one.
        let state = (unit as u64 + 1) << 38 | index;
        let place = &self.0[(state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize % PLACES];
        let kept = place.load(Relaxed);
        if kept >> 16 == state {
            return Some(match kept as u16 {
                DRAW => Value::DRAW,
                plies => Value::after(plies.into()).expect("only codes of values are kept"),
            });
        }
        let value = find()?;
        let code = value.plies().map_or(DRAW, |plies| plies as u16);
        place.store(state << 16 | u64::from(code), Relaxed);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_looked_up_once() {
        let cache = Cache::default();
        let values =
            [Value::DRAW, Value::LOST].map(Some).into_iter().chain([253, 300, 65_534].map(Value::after));
        for (value, unit) in values.flatten().zip(0..) {
            assert_eq!(cache.get_or(unit, 7, || None), None);
            assert_eq!(cache.get_or(unit, 7, || Some(value)), Some(value));
            assert_eq!(cache.get_or(unit, 7, || panic!("it is known")), Some(value));
        }
    }
}
