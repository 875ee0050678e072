//! The loops in which a network spends its time, over many numbers at once.
//!
//! Plain loops: the compiler makes vector instructions of them, whichever the machine has.

use super::UNIT;

/// Numbers whose products are summed in 32 bits before the sum goes on in 64.
const CHUNK: usize = 128;

/// Adds a row.
#[inline]
pub(super) fn add(sums: &mut [i16], row: &[i16]) {
    sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
}

/// Takes a row off.
#[inline]
pub(super) fn subtract(sums: &mut [i16], row: &[i16]) {
    sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_sub(weight));
}

/// Sums with a row less and a row more: what a plain move changes.
#[inline]
pub(super) fn moved(to: &mut [i16], from: &[i16], off: &[i16], on: &[i16]) {
    for (((to, &from), &off), &on) in to.iter_mut().zip(from).zip(off).zip(on) {
        *to = from.wrapping_sub(off).wrapping_add(on);
    }
}

/// Sums with two rows less and a row more: what a capture changes.
#[inline]
pub(super) fn captured(to: &mut [i16], from: &[i16], [off, gone]: [&[i16]; 2], on: &[i16]) {
    for ((((to, &from), &off), &gone), &on) in to.iter_mut().zip(from).zip(off).zip(gone).zip(on) {
        *to = from.wrapping_sub(off).wrapping_sub(gone).wrapping_add(on);
    }
}

/// The weighted sum of clipped and squared units.
#[inline]
pub(super) fn dot(units: &[i16], weights: &[i16]) -> i64 {
    let part = |(units, weights): (&[i16], &[i16])| -> i64 {
        let products = units.iter().zip(weights).map(|(&unit, &weight)| {
            let unit = unit.clamp(0, UNIT);
            // A weight is so small that the first product fits 16 bits: both factors do, which one instruction needs.
            i32::from(unit.wrapping_mul(weight)) * i32::from(unit)
        });
        i64::from(products.sum::<i32>())
    };
    units.chunks(CHUNK).zip(weights.chunks(CHUNK)).map(part).sum()
}

#[cfg(test)]
mod tests {
    use super::super::OUTPUT_LIMIT;
    use super::*;
    use crate::Random;

    #[test]
    fn sums_of_any_length_are_those_of_one_number_after_the_other() {
        let mut random = Random::new(1);
        for length in [1, 7, 128, 200, 1024] {
            let units: Vec<i16> = (0..length).map(|_| random.below(1500) as i16 - 600).collect();
            let weights: Vec<i16> = (0..length).map(|_| random.below(255) as i16 - OUTPUT_LIMIT).collect();
            let one = |(&unit, &weight): (&i16, &i16)| {
                let unit = i64::from(unit.clamp(0, UNIT));
                unit * unit * i64::from(weight)
            };
            assert_eq!(dot(&units, &weights), units.iter().zip(&weights).map(one).sum());
        }
    }

    #[test]
    fn the_largest_units_and_weights_do_not_overflow() {
        for weight in [OUTPUT_LIMIT, -OUTPUT_LIMIT] {
            let full = i64::from(UNIT) * i64::from(UNIT) * i64::from(weight) * 4096;
            assert_eq!(dot(&[i16::MAX; 4096], &[weight; 4096]), full);
        }
    }
}
