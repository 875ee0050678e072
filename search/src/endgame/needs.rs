//! What building a unit takes, told before it begins.

use std::time::{Duration, Instant};

use super::{Format, Space};

/// Runs of seats that are looked at to guess the time, and the seats in each.
const RUNS: u64 = 64;
const RUN: u64 = 512;

/// What building a unit takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Bytes of its file, about.
    pub disk: u64,
    /// Bytes of memory, besides the files it reads.
    pub memory: u64,
}

impl Needs {
    /// What a unit needs whose values are kept so.
    pub fn of<S: Space>(space: &S, unit: usize, format: Format) -> Needs {
        let states = space.states(unit);
        let lower = |unit| if format.is_packed() { space.states(unit) } else { 0 };
        // Two bytes for the value of a state and one for the moves of a seat, beside what had to be unpacked.
        let memory = 2 * states + space.seats(unit) + space.needs(unit).into_iter().map(lower).sum::<u64>();
        Needs { disk: format.about(states), memory }
    }
}

/// About how long all processors will take for a unit: each state of a sample is looked at as solving will do it.
pub fn time<S: Space>(space: &S, unit: usize) -> Duration {
    let (all, last) = (space.seats(unit), space.states(unit) - 1);
    let look = |seat: u64| {
        let mut seen = 0;
        space.exits(unit, seat, |_| seen += 1);
        space.seated(unit, seat, |state| seen += state);
        space.unsteps(unit, seat.min(last), |before| seen += before);
        std::hint::black_box(seen);
    };
    // What a space gets ready when it is first asked is no matter of its states.
    look(0);
    let begun = Instant::now();
    let mut seats = 0u32;
    for from in (0..all).step_by(all.div_ceil(RUNS) as usize) {
        for seat in from..(from + RUN).min(all) {
            look(seat);
            seats += 1;
        }
    }
    let one = begun.elapsed().as_secs_f64() / f64::from(seats);
    Duration::from_secs_f64(one * all as f64 / rayon::current_num_threads() as f64)
}

#[cfg(test)]
mod tests {
    use super::super::tests::Heap;
    use super::*;

    #[test]
    fn packed_units_need_room_for_those_that_they_unpack() {
        let space = Heap { most: 999 };
        let needs = |unit, format| Needs::of(&space, unit, format);
        assert_eq!(needs(1, Format::Distance), Needs { disk: 1000, memory: 3000 });
        assert_eq!([0, 1].map(|unit| needs(unit, Format::Packed).memory), [3000, 4000]);
    }
}
