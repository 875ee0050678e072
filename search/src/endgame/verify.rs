//! Proving a solved unit right: every value must follow from the values one move ahead.
//!
//! This looks only forwards, where solving mostly looked backwards. With distances it is a proof: by induction on
//! the distance every win and loss is true, and a draw that were a win would have a lost state ahead. Without
//! distances it shows that win, draw and loss fit together.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{Exit, Observer, Prospect, Space, Value, solve};

/// The first state of a unit that contradicts its moves, as the error; `value` tells all values, also of this unit.
pub(crate) fn verify<S: Space>(
    space: &S,
    unit: usize,
    distances: bool,
    value: &(impl Fn(usize, u64) -> Value + Sync),
    observer: Observer<'_>,
) -> Result<(), u64> {
    let first = AtomicU64::new(u64::MAX);
    let check = |seat| {
        let mut prospect = Prospect::default();
        space.exits(unit, seat, |exit| {
            prospect.add(match exit {
                Exit::Won => Value::LOST,
                Exit::To { unit, index } => value(unit, index),
            });
        });
        space.steps(unit, seat, |next| prospect.add(value(unit, next)));
        let should = prospect.plies();
        space.seated(unit, seat, |index| {
            let is = value(unit, index).plies();
            let fits = if distances { is == should } else { is.map(|n| n % 2) == should.map(|n| n % 2) };
            if !fits {
                first.fetch_min(index, Relaxed);
            }
        });
    };
    solve::sweep(space.seats(unit), &space.label(unit), "verifying", observer, |group| group.for_each(check));
    match first.into_inner() {
        u64::MAX => Ok(()),
        index => Err(index),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Heap;
    use super::*;

    #[test]
    fn a_true_table_passes_and_any_changed_value_is_found() {
        let space = Heap { most: 9 };
        let values = solve::solve(&space, 0, &|_, _| unreachable!(), &|_| {}).unwrap();
        let check = |values: &[Value]| verify(&space, 0, true, &|_, index| values[index as usize], &|_| {});
        assert_eq!(check(&values), Ok(()));
        for index in 0..values.len() {
            for wrong in [0, 1, 2, 3, 4, 7, 255].map(|byte| Value::told(byte).unwrap()) {
                let mut changed = values.clone();
                changed[index] = wrong;
                assert_eq!(check(&changed).is_ok(), changed == values, "{index} {wrong:?}");
            }
        }
    }
}
