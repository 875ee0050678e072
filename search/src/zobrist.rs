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
