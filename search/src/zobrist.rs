//! Random numbers fixed at compile time, from which games build the keys of their positions.
//!
//! Zobrist, "A new hashing method with application for game playing", 1970; the numbers come from SplitMix64.

/// The `n`-th number of a stream, for keys that are too many for a table.
pub const fn mix(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Three words as one, in which every bit of theirs counts: Jenkins's mixing function for 64 bits, 1997.
#[inline]
pub const fn jenkins([mut a, mut b, mut c]: [u64; 3]) -> u64 {
    const SHIFTS: [[u32; 3]; 4] = [[43, 9, 8], [38, 23, 5], [35, 49, 11], [12, 18, 22]];
    let mut round = 0;
    while round < SHIFTS.len() {
        let [first, second, third] = SHIFTS[round];
        a = a.wrapping_sub(b).wrapping_sub(c) ^ c >> first;
        b = b.wrapping_sub(c).wrapping_sub(a) ^ a << second;
        c = c.wrapping_sub(a).wrapping_sub(b) ^ b >> third;
        round += 1;
    }
    c
}

/// A table of `N` numbers; different seeds below 2^32 give different tables.
pub const fn table<const N: usize>(seed: u64) -> [u64; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = mix(seed << 32 | i as u64);
        i += 1;
    }
    out
}

/// `R` tables of `N` numbers, those of `seed` and the seeds after it.
pub const fn tables<const R: usize, const N: usize>(seed: u64) -> [[u64; N]; R] {
    let mut out = [[0; N]; R];
    let mut i = 0;
    while i < R {
        out[i] = table(seed + i as u64);
        i += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the function as its author wrote it, computed apart from this.
    #[test]
    fn words_are_mixed_as_published() {
        for (words, mixed) in [
            ([0, 0, 1], 0xa0ee_8f80_222c_edf3),
            ([1, 2, 3], 0x9e59_8c95_e5db_f7d5),
            ([0x0fff, 0xfff0_0000, 0], 0xa2db_a008_c038_7428),
        ] {
            assert_eq!(jenkins(words), mixed);
        }
    }
}
