//! Four ways to find the squares a sliding piece attacks.
//!
//! | generator | idea |
//! |---|---|
//! | [`Pext`] | gather the occupied squares of the lines into an index (BMI2) |
//! | [`Magic`] | the same index by one multiplication (Kannan, "Magic move-bitboard generation", 2007) |
//! | [`RankTable`] | Kushnir's rook: one line of eight squares at a time from a 8 x 256 table |
//! | [`Hyperbola`] | Kushnir's bishop: o ^ (o - 2r) along each line and its reverse |
//!
//! `Preset` `Queem` slides by Kushnir's two, everything else by [`Fastest`]; `quintet lab run chess-generators` compares
//! them.

use std::sync::LazyLock;

use super::{FILE_A, Square};

/// A way to compute the attacks of sliding pieces; `occupied` may hold the piece's own square.
pub trait Sliders {
    /// For people.
    const NAME: &'static str;
    /// Squares a bishop attacks.
    fn bishop(from: Square, occupied: u64) -> u64;
    /// Squares a rook attacks.
    fn rook(from: Square, occupied: u64) -> u64;
}

/// The quickest generator of the machine compiled for.
#[cfg(target_feature = "bmi2")]
pub type Fastest = Pext;
/// The quickest generator of the machine compiled for.
#[cfg(not(target_feature = "bmi2"))]
pub type Fastest = Magic;

/// The squares from `from` in one direction up to and including the first occupied one.
pub(super) const fn ray(from: Square, occupied: u64, way: (i8, i8)) -> u64 {
    let mut out = 0;
    let (mut file, mut rank) = (from.file() as i8 + way.0, from.rank() as i8 + way.1);
    while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        let bit = 1 << (rank * 8 + file);
        out |= bit;
        if occupied & bit != 0 {
            break;
        }
        file += way.0;
        rank += way.1;
    }
    out
}

/// The attacks of a rook (`straight`) or bishop, square by square: what every other way is tested against.
pub(super) const fn walk(from: Square, occupied: u64, straight: bool) -> u64 {
    let [a, b, c, d] =
        if straight { [(1, 0), (-1, 0), (0, 1), (0, -1)] } else { [(1, 1), (-1, -1), (-1, 1), (1, -1)] };
    ray(from, occupied, a) | ray(from, occupied, b) | ray(from, occupied, c) | ray(from, occupied, d)
}

/// The squares whose occupation matters: the lines without their last squares.
const fn relevant(from: Square, straight: bool) -> u64 {
    let (file, rank) = (FILE_A << from.file(), 0xff << (8 * from.rank()));
    let edges = (FILE_A | FILE_A << 7) & !file | (0xff | 0xff << 56) & !rank;
    walk(from, 0, straight) & !edges
}

/// Where the entries of one square begin, and which squares index them.
#[derive(Clone, Copy)]
struct Slot {
    mask: u64,
    start: u32,
    shift: u32,
}

const fn slots(straight: bool) -> [Slot; 64] {
    let mut out = [Slot { mask: 0, start: 0, shift: 0 }; 64];
    let (mut square, mut start) = (0, 0);
    while square < 64 {
        let mask = relevant(Square(square as u8), straight);
        out[square] = Slot { mask, start, shift: 64 - mask.count_ones() };
        start += 1 << mask.count_ones();
        square += 1;
    }
    out
}

const BISHOP_ENTRIES: usize = 5248;
const ROOK_ENTRIES: usize = 102_400;

/// One table of attacks for all squares, indexed by magic multiplication or by order of the subsets.
const fn fill<const N: usize>(straight: bool, magics: Option<&[u64; 64]>) -> [u64; N] {
    let slots = slots(straight);
    let mut out = [0; N];
    let mut square = 0;
    while square < 64 {
        let slot = slots[square];
        // The carry of a masked subtraction visits every subset of the mask in the order of Pext.
        let (mut subset, mut count) = (0u64, 0);
        loop {
            let index = match magics {
                Some(magics) => (subset.wrapping_mul(magics[square]) >> slot.shift) as usize,
                None => count,
            };
            out[slot.start as usize + index] = lines(Square(square as u8), subset, straight);
            subset = subset.wrapping_sub(slot.mask) & slot.mask;
            count += 1;
            if subset == 0 {
                break;
            }
        }
        square += 1;
    }
    out
}

static BISHOP_SLOTS: [Slot; 64] = slots(false);
static ROOK_SLOTS: [Slot; 64] = slots(true);

/// Parallel bit extract; needs a processor with BMI2.
#[cfg(target_feature = "bmi2")]
pub struct Pext;

#[cfg(target_feature = "bmi2")]
mod pext {
    use super::{BISHOP_ENTRIES, BISHOP_SLOTS, Pext, ROOK_ENTRIES, ROOK_SLOTS, Sliders, Slot, Square, fill};

    #[allow(long_running_const_eval)]
    static BISHOP: [u64; BISHOP_ENTRIES] = fill(false, None);
    #[allow(long_running_const_eval)]
    static ROOK: [u64; ROOK_ENTRIES] = fill(true, None);

    impl Sliders for Pext {
        const NAME: &'static str = "pext";

        #[inline]
        fn bishop(from: Square, occupied: u64) -> u64 {
            BISHOP[index(&BISHOP_SLOTS[from.index()], occupied)]
        }

        #[inline]
        fn rook(from: Square, occupied: u64) -> u64 {
            ROOK[index(&ROOK_SLOTS[from.index()], occupied)]
        }
    }

    #[inline]
    #[allow(unsafe_code)]
    fn index(slot: &Slot, occupied: u64) -> usize {
        // SAFETY: this module exists only where the compiler was promised BMI2.
        slot.start as usize + unsafe { std::arch::x86_64::_pext_u64(occupied, slot.mask) } as usize
    }
}

/// One multiplication gathers the occupied squares of the lines in the top bits.
pub struct Magic;

// Filled at the first use: filling them while compiling takes seconds and serves only machines without BMI2.
static BISHOP_MAGIC: LazyLock<Box<[u64]>> =
    LazyLock::new(|| Box::new(fill::<BISHOP_ENTRIES>(false, Some(&BISHOP_MAGICS))));
static ROOK_MAGIC: LazyLock<Box<[u64]>> =
    LazyLock::new(|| Box::new(fill::<ROOK_ENTRIES>(true, Some(&ROOK_MAGICS))));

impl Sliders for Magic {
    const NAME: &'static str = "magic";

    #[inline]
    fn bishop(from: Square, occupied: u64) -> u64 {
        BISHOP_MAGIC[magic_index(&BISHOP_SLOTS[from.index()], BISHOP_MAGICS[from.index()], occupied)]
    }

    #[inline]
    fn rook(from: Square, occupied: u64) -> u64 {
        ROOK_MAGIC[magic_index(&ROOK_SLOTS[from.index()], ROOK_MAGICS[from.index()], occupied)]
    }
}

#[inline]
fn magic_index(slot: &Slot, magic: u64, occupied: u64) -> usize {
    // Sets of blockers may share an index where their attacks are the same, so few top bits are enough.
    slot.start as usize + ((occupied & slot.mask).wrapping_mul(magic) >> slot.shift) as usize
}

/// Kushnir's rook: ranks are read from a table, files are turned into ranks and back.
pub struct RankTable;

/// Attacks on a line of eight squares, by the square counted from the most significant bit and the occupied ones.
static FIRST_RANK: [[u8; 256]; 8] = first_rank();
const DIAGONAL: u64 = 0x8040_2010_0804_0201;

const fn first_rank() -> [[u8; 256]; 8] {
    let mut out = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut line = 0;
        while line < 256 {
            let attacked = walk(Square(7 - place as u8), line as u64, true) & 0xff;
            out[place][line] = attacked as u8;
            line += 1;
        }
        place += 1;
    }
    out
}

impl Sliders for RankTable {
    const NAME: &'static str = "rank table";

    fn bishop(from: Square, occupied: u64) -> u64 {
        Hyperbola::bishop(from, occupied)
    }

    #[inline]
    fn rook(from: Square, occupied: u64) -> u64 {
        let (file, rank) = (from.file() as usize, from.rank() as usize);
        let row = u64::from(FIRST_RANK[7 - file][(occupied >> (8 * rank) & 0xff) as usize]) << (8 * rank);
        // The multiplication by the long diagonal sends rank 1 of the a-file to the top bit of a byte.
        let column = ((occupied >> file & FILE_A).wrapping_mul(DIAGONAL) >> 56) as u8;
        let attacked = u64::from(FIRST_RANK[rank][column as usize]);
        // And back: bit 7 - r of the byte becomes rank r of the a-file.
        let spread = (attacked.wrapping_mul(DIAGONAL) & FILE_A << 7) >> 7;
        row | spread << file
    }
}

/// Kushnir's bishop: subtracting the piece twice from its line flips everything up to the first blocker.
pub struct Hyperbola;

impl Sliders for Hyperbola {
    const NAME: &'static str = "hyperbola quintessence";

    #[inline]
    fn bishop(from: Square, occupied: u64) -> u64 {
        lines(from, occupied, false)
    }

    #[inline]
    fn rook(from: Square, occupied: u64) -> u64 {
        lines(from, occupied, true)
    }
}

/// Both lines of a rook (`straight`) or bishop; quick enough to fill the tables while compiling.
#[inline]
const fn lines(from: Square, occupied: u64, straight: bool) -> u64 {
    let (file, rank) = (from.file() as i32, from.rank() as i32);
    if straight {
        hyperbola(from, occupied, FILE_A << file) | hyperbola(from, occupied, 0xff << (8 * rank))
    } else {
        hyperbola(from, occupied, diagonal(rank - file)) | hyperbola(from, occupied, anti(rank + file))
    }
}

#[inline]
const fn hyperbola(from: Square, occupied: u64, mask: u64) -> u64 {
    let mask = mask & !from.bit();
    let line = occupied & mask;
    let up = line.wrapping_sub(from.bit());
    let down = line.reverse_bits().wrapping_sub(from.bit().reverse_bits()).reverse_bits();
    (up ^ down) & mask
}

/// The diagonal that lies `up` ranks above the one from a1.
#[inline]
const fn diagonal(up: i32) -> u64 {
    if up >= 0 { DIAGONAL << (8 * up) } else { DIAGONAL >> (-8 * up) }
}

/// The falling diagonal on which file and rank add up to `sum`.
#[inline]
const fn anti(sum: i32) -> u64 {
    const FALLING: u64 = DIAGONAL.swap_bytes();
    if sum >= 7 { FALLING << (8 * (sum - 7)) } else { FALLING >> (8 * (7 - sum)) }
}

/// Factors without harmful collisions, found by trying sparse random numbers.
#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x1010_2002_004a_1420, 0x8020_0404_0058_4008, 0x1051_0800_8112_01c8, 0x5204_0420_8000_0088,
    0x2204_1068_8000_0002, 0x1401_0420_0400_0000, 0x0400_8804_1004_2004, 0x0028_2082_00a0_2020,
    0x1500_2419_9001_0e00, 0x8001_2001_8202_0a40, 0x4000_4101_030b_0000, 0x8002_0410_4200_0100,
    0x4010_0110_4102_0038, 0x0000_0104_2104_4000, 0x1500_2108_0802_0a00, 0x8000_0884_0088_0520,
    0x0405_0040_1004_0100, 0x1005_8232_1004_0108, 0x2708_0081_0204_0011, 0x4048_2004_0400_9100,
    0x0018_1041_0140_0024, 0x0003_0006_0119_0101, 0x8004_8031_0849_1000, 0x8014_2412_0082_0800,
    0x0006_e080_100c_3040, 0x0501_044a_1104_1800, 0x9020_3000_0800_4045, 0x0894_0800_0022_0040,
    0x1001_0100_8310_4000, 0x5004_0300_4090_0080, 0x0004_0042_2c01_2400, 0x0002_1286_9840_4812,
    0x1010_1084_0490_0440, 0x0928_0211_8208_4100, 0x2006_0804_0902_0024, 0x1010_2020_2018_0080,
    0xa010_0082_0020_2200, 0x2098_0151_0001_9004, 0x0002_0414_4081_0811, 0x802a_0202_0000_b098,
    0x0009_0150_9000_4060, 0x4000_8210_8208_1001, 0x0100_2100_4042_0800, 0x0800_0040_1048_8a00,
    0x2000_0811_0400_4040, 0x4c8e_0290_1500_0082, 0x0420_3403_2222_4842, 0x1298_2600_4340_0210,
    0x0000_8228_0240_0008, 0x0000_8a01_0160_0000, 0x3040_0034_1208_0021, 0x3040_2902_2088_4800,
    0x4a15_0040_1041_004a, 0x8010_2002_8202_0781, 0x0020_2031_4220_9091, 0x0070_3006_0090_2110,
    0x0040_8088_00b6_2048, 0x0000_8104_00c4_4420, 0x0008_0400_440c_0441, 0x8340_0800_2084_0411,
    0x0000_0001_0420_8200, 0x0000_8008_10d0_0080, 0x0400_5304_1108_0200, 0x4040_7024_0093_2244,
];

/// The same for rooks.
#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x1080_0040_0880_1020, 0x0840_0920_02c0_3000, 0x1900_2000_1040_0900, 0x0880_1000_0800_0480,
    0x4200_1004_2008_0200, 0x8100_0201_0008_0400, 0x0200_0401_1088_6200, 0x0200_0080_4022_0411,
    0x0404_8000_8440_0220, 0x0000_4010_0040_2000, 0x0086_0010_8122_0440, 0x0408_8008_0010_0280,
    0x000a_0012_0104_0820, 0x8848_8002_0084_0080, 0x4001_0001_0004_0200, 0x0442_0001_0210_5084,
    0x9080_0100_2080_4100, 0x0040_4040_0020_1009, 0x0000_8080_1000_2009, 0x2200_0900_21d0_0100,
    0x0008_0080_0804_0080, 0x0004_0040_0201_0040, 0x0011_0400_0801_5042, 0x0000_0a00_0176_8104,
    0x0000_8000_8020_4009, 0x2010_0041_4000_2001, 0x9800_2002_8010_0080, 0x1000_1000_8008_0080,
    0x0442_000a_0004_9020, 0x2100_0400_8002_0080, 0x0800_1204_0090_0148, 0x0010_040a_0012_8541,
    0x2800_8040_0080_0030, 0x1010_0020_0040_0041, 0x4000_2000_1100_4100, 0x0610_0084_1080_0800,
    0x0400_8024_0280_0800, 0xc100_0200_8080_0400, 0x0002_0008_0200_0401, 0x0182_0858_8200_0401,
    0x0220_2040_0080_8000, 0x2860_1000_4002_4022, 0x0001_0020_0411_0040, 0x9910_1042_000a_0020,
    0x0004_0800_0400_8080, 0x0010_0400_0200_8080, 0x2012_0048_8102_0004, 0x8300_8424_4482_0011,
    0x0088_4038_8201_0200, 0x0820_4000_8021_0100, 0x0110_9100_40a0_0300, 0x0801_1002_8008_0480,
    0x0242_0090_0820_0600, 0x1002_0004_8950_0200, 0x0040_8002_0001_0080, 0x0091_8000_4100_0080,
    0x0000_2093_0048_8001, 0x04c1_0024_1482_4001, 0x0200_2000_0b00_1041, 0x7000_1000_0420_0901,
    0x8002_0020_0410_0802, 0x3001_0002_084c_0007, 0x0888_2218_0081_3004, 0x4000_0028_4084_0112,
];

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn agrees<S: Sliders>() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        for _ in 0..20_000 {
            let occupied = random.next_u64() & random.next_u64();
            let from = Square((random.next_u64() & 63) as u8);
            assert_eq!(S::bishop(from, occupied), walk(from, occupied, false), "{} {from:?}", S::NAME);
            assert_eq!(S::rook(from, occupied), walk(from, occupied, true), "{} {from:?}", S::NAME);
        }
    }

    #[test]
    fn all_generators_agree_with_a_walk() {
        agrees::<Fastest>();
        agrees::<Magic>();
        agrees::<RankTable>();
        agrees::<Hyperbola>();
    }

    #[test]
    fn the_worked_example_of_the_source_comes_out() {
        // On one line: occupied 11010101 without the piece's bit, piece 00010000.
        let (line, piece) = (0b1101_0101u8 & !0b0001_0000, 0b0001_0000u8);
        let up = line.wrapping_sub(piece);
        let down = line.reverse_bits().wrapping_sub(piece.reverse_bits()).reverse_bits();
        assert_eq!(up ^ down, 0b0110_1100);
    }
}
