//! The combinatorial number system: every set of so many squares within some others has a number, from 0 on.

use crate::squares::bits;

/// The most squares of a set that is numbered.
const MOST: usize = 10;

/// Pascal's triangle: of `n` squares, `k`.
pub static CHOOSE: [[u64; MOST + 1]; 65] = {
    let mut choose = [[0; MOST + 1]; 65];
    let mut n = 0;
    while n <= 64 {
        choose[n][0] = 1;
        let mut k = 1;
        while k <= MOST && k <= n {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// The number of a set among those of its size within some squares.
#[inline]
pub fn rank(set: u64, within: u64) -> u64 {
    let below = |bit: u8| (within & ((1 << bit) - 1)).count_ones() as usize;
    bits(set & within).zip(1..).map(|(bit, k)| CHOOSE[below(bit)][k]).sum()
}

/// The set of `size` squares within some that has this number.
pub fn unrank(mut rank: u64, size: usize, within: u64) -> u64 {
    let (mut found, mut left, mut wanted) = (0, within, size);
    while wanted > 0 {
        let highest = 1 << left.ilog2();
        left &= !highest;
        let below = CHOOSE[left.count_ones() as usize][wanted];
        if below <= rank {
            rank -= below;
            wanted -= 1;
            found |= highest;
        }
    }
    found
}

/// All sets of so many bits, one at least, in the order of their ranks.
pub fn subsets(size: usize) -> impl Iterator<Item = u64> {
    // The next larger number with as many bits (Gosper).
    let next = |&set: &u64| {
        let lowest = set & set.wrapping_neg();
        let ripple = set.checked_add(lowest)?;
        Some(ripple | ((set ^ ripple) / lowest) >> 2)
    };
    std::iter::successors(Some((1 << size) - 1), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_that_of_one_set() {
        let within: u64 = 0x8000_0000_00f0_1248;
        for (size, &count) in CHOOSE[within.count_ones() as usize].iter().enumerate() {
            let sets: Vec<u64> = (0..count).map(|number| unrank(number, size, within)).collect();
            assert!(sets.is_sorted_by(|a, b| a < b), "{size}");
            if size > 0 {
                let in_order: Vec<u64> = subsets(size).take(sets.len()).collect();
                assert!(in_order.iter().zip(0..).all(|(&set, number)| rank(set, !0) == number), "{size}");
            }
            for (set, number) in sets.into_iter().zip(0..) {
                assert_eq!((set & !within, set.count_ones() as usize, rank(set, within)), (0, size, number));
            }
        }
    }
}
