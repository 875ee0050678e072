//! Sets of squares numbered among those of their size: the combinatorial number system.

/// The squares of the largest set that is numbered.
const MOST: usize = 10;

/// The number of sets of `k` squares that `n` squares have, by `n` and `k`.
pub static CHOOSE: [[u64; MOST + 1]; 65] = {
    let mut choose = [[0; MOST + 1]; 65];
    let mut n = 0;
    while n < 65 {
        choose[n][0] = 1;
        let mut k = 1;
        while k <= MOST && n > 0 {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// The number of a set among those of its size within some squares.
#[inline]
pub fn rank(mut set: u64, within: u64) -> u64 {
    let (mut rank, mut k) = (0, 1);
    while set != 0 {
        let below = (1 << set.trailing_zeros()) - 1;
        rank += CHOOSE[(within & below).count_ones() as usize][k];
        set &= set - 1;
        k += 1;
    }
    rank
}

/// The set of so many squares within some that has this number.
#[inline]
pub fn unrank(mut rank: u64, size: usize, within: u64) -> u64 {
    let (mut found, mut left, mut k) = (0, within, size);
    while k > 0 {
        let highest = 1 << left.ilog2();
        left ^= highest;
        let below = CHOOSE[left.count_ones() as usize][k];
        if below <= rank {
            rank -= below;
            found |= highest;
            k -= 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_set() {
        let within = 0b1011_0111;
        let sets: Vec<u64> = (0..CHOOSE[6][3]).map(|number| unrank(number, 3, within)).collect();
        assert!(sets.is_sorted_by(|a, b| a < b), "{sets:?}");
        for (&set, number) in sets.iter().zip(0..) {
            assert_eq!((set.count_ones(), set & !within, rank(set, within)), (3, 0, number));
        }
    }
}
