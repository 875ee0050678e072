//! The board: 24 points as bits of a word, its lines, its 16 mills and its 16 symmetries.
//!
//! Each of the three rings, outer first, is a byte; within it the points run clockwise from the top left,
//! so corners have even numbers and the middles of the sides, where the rings are joined, odd ones:
//!
//! ```text
//!  0 ------- 1 ------- 2        a7        d7        g7
//!  |   8 --- 9 -- 10   |           b6     d6     f6
//!  |   |  16 17 18 |   |              c5  d5  e5
//!  7  15  23    19 11  3        a4 b4 c4      e4 f4 g4
//!  |   |  22 21 20 |   |              c3  d3  e3
//!  |  14 -- 13 -- 12   |           b2     d2     f2
//!  6 ------- 5 ------- 4        a1        d1        g1
//! ```

use search::squares::bits;

/// All points.
pub const ALL: u32 = 0xff_ffff;
/// The number of points.
pub const POINTS: usize = 24;
/// The number of ways to turn, mirror and turn inside out the board.
pub const SYMMETRIES: usize = 16;

const CORNERS: u32 = 0x55_5555;
const MIDDLES: u32 = 0xaa_aaaa;

/// A point of the board by its number, which is also its place in the list of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(pub u8);

impl Point {
    /// The point as a bit.
    pub fn bit(self) -> u32 {
        1 << self.0
    }

    /// The number of the point, below [`POINTS`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The only point of a set.
    pub(crate) fn only(bit: u32) -> Point {
        debug_assert!(bit.is_power_of_two());
        Point(bit.trailing_zeros() as u8)
    }
}

/// The points of a set, lowest first.
pub fn points(set: u32) -> impl Iterator<Item = Point> {
    bits(set.into()).map(Point)
}

/// Every point one step clockwise on its ring.
pub(crate) const fn clockwise(set: u32) -> u32 {
    set << 1 & 0xfe_fefe | set >> 7 & 0x01_0101
}

/// Every point one step anticlockwise on its ring.
pub(crate) const fn anticlockwise(set: u32) -> u32 {
    set >> 1 & 0x7f_7f7f | set << 7 & 0x80_8080
}

/// Every point that has a line outward, one ring out.
pub(crate) const fn outward(set: u32) -> u32 {
    (set & MIDDLES) >> 8
}

/// Every point that has a line inward, one ring in.
pub(crate) const fn inward(set: u32) -> u32 {
    (set & MIDDLES) << 8 & ALL
}

/// The points one line away from any of a set.
pub(crate) const fn neighbours(set: u32) -> u32 {
    clockwise(set) | anticlockwise(set) | outward(set) | inward(set)
}

/// For each set of points of one ring: those in a full side of it, and those that would fill one or two sides.
struct Ring {
    mills: [u8; 256],
    closers: [u8; 256],
    twice: [u8; 256],
}

const RING: Ring = ring();

const fn ring() -> Ring {
    let mut ring = Ring { mills: [0; 256], closers: [0; 256], twice: [0; 256] };
    let mut set = 0;
    while set < 256 {
        let mut side = 0;
        while side < 4 {
            let line = 7u8.rotate_left(2 * side);
            let mut i = 0;
            if set as u8 & line == line {
                ring.mills[set] |= line;
            }
            while i < 8 {
                let point = 1u8 << i;
                if line & point != 0 && (set as u8 | point) & line == line {
                    ring.twice[set] |= ring.closers[set] & point;
                    ring.closers[set] |= point;
                }
                i += 1;
            }
            side += 1;
        }
        set += 1;
    }
    ring
}

#[inline(always)]
fn by_ring(table: &[u8; 256], set: u32) -> u32 {
    let [outer, middle, inner, _] = set.to_le_bytes();
    u32::from_le_bytes([table[outer as usize], table[middle as usize], table[inner as usize], 0])
}

/// The middles whose two partners across the rings stand in the set.
#[inline(always)]
const fn across(set: u32) -> u32 {
    (set << 8 | set >> 16) & (set << 16 | set >> 8) & MIDDLES
}

/// The points of a set that stand in a mill of it.
#[inline(always)]
pub fn in_mills(set: u32) -> u32 {
    by_ring(&RING.mills, set) | set & across(set)
}

/// The points, in the set or not, whose partners on some line all stand in the set.
#[inline(always)]
pub fn closers(set: u32) -> u32 {
    by_ring(&RING.closers, set) | across(set)
}

/// The points whose partners on both of their lines stand in the set.
#[inline(always)]
pub fn double_closers(set: u32) -> u32 {
    by_ring(&RING.twice, set) | by_ring(&RING.closers, set) & across(set)
}

/// The fewest men that have to leave a set so that it holds no mill: as many closings, at least, built its mills.
pub(crate) fn closings(set: u32) -> u32 {
    if in_mills(set) == 0 {
        return 0;
    }
    let mill = mills().into_iter().find(|&mill| set & mill == mill).expect("some point stands in one");
    points(mill).map(|point| 1 + closings(set & !point.bit())).min().expect("it has three points")
}

/// The sixteen lines of three points.
pub fn mills() -> [u32; 16] {
    std::array::from_fn(|i| match i {
        0..12 => u32::from(7u8.rotate_left(2 * (i as u32 % 4))) << (8 * (i / 4)),
        _ => 0x01_0101 << (2 * (i - 12) + 1),
    })
}

/// One of four ways to slide: where men of a set arrive, and which of the arrivals close a mill.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slide {
    /// The points reached.
    pub targets: u32,
    /// Those of them that close a mill.
    pub closing: u32,
    /// The way back.
    pub back: fn(u32) -> u32,
}

/// All slides of the men of a set onto empty points, a mill's own line never being closed by sliding along it.
#[inline(always)]
pub(crate) fn slides(own: u32, empty: u32) -> [Slide; 4] {
    let (cw, acw) = (clockwise(own), anticlockwise(own));
    let across = across(own);
    let ahead = acw & anticlockwise(acw) & CORNERS | across;
    let behind = cw & clockwise(cw) & CORNERS | across;
    let side = cw & acw;
    let slide = |targets: u32, closing: u32, back| Slide {
        targets: targets & empty,
        closing: targets & empty & closing,
        back,
    };
    [
        slide(cw, ahead, anticlockwise as fn(u32) -> u32),
        slide(acw, behind, clockwise),
        slide(outward(own), side, inward),
        slide(inward(own), side, outward),
    ]
}

/// For each symmetry and each byte of a set, where its points go.
static IMAGES: [[[u32; 256]; 3]; SYMMETRIES] = images();

const fn images() -> [[[u32; 256]; 3]; SYMMETRIES] {
    let mut out = [[[0; 256]; 3]; SYMMETRIES];
    let mut g = 0;
    while g < SYMMETRIES {
        let mut ring = 0;
        while ring < 3 {
            let mut bits = 0;
            while bits < 256 {
                let mut i = 0;
                while i < 8 {
                    if bits >> i & 1 != 0 {
                        out[g][ring][bits] |= 1 << image_of(g, ring, i);
                    }
                    i += 1;
                }
                bits += 1;
            }
            ring += 1;
        }
        g += 1;
    }
    out
}

/// Bits of a symmetry's number: quarter turns (0, 1), mirrored (2), inside out (3).
const fn image_of(g: usize, ring: usize, i: usize) -> usize {
    let mirrored = if g & 4 != 0 { 10 - i } else { i };
    let ring = if g & 8 != 0 { 2 - ring } else { ring };
    8 * ring + (mirrored + 2 * (g & 3)) % 8
}

/// The set as the symmetry shows it; symmetry 0 changes nothing.
#[inline(always)]
pub fn image(symmetry: usize, set: u32) -> u32 {
    let table = &IMAGES[symmetry];
    let [outer, middle, inner, _] = set.to_le_bytes();
    table[0][outer as usize] | table[1][middle as usize] | table[2][inner as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_32_edges_and_16_mills_of_three_joined_points() {
        let degrees: u32 = points(ALL).map(|p| neighbours(p.bit()).count_ones()).sum();
        assert_eq!(degrees, 64);
        for mill in mills() {
            assert_eq!(mill.count_ones(), 3);
            let centres = points(mill).filter(|p| neighbours(p.bit()) & mill == mill & !p.bit()).count();
            assert_eq!(centres, 1, "{mill:06x}");
        }
        assert!(points(ALL).all(|p| mills().iter().filter(|&m| m & p.bit() != 0).count() == 2));
    }

    #[test]
    fn tables_agree_with_the_lines() {
        for seed in 0..20_000 {
            let set = search::zobrist::mix(seed) as u32 & ALL;
            let full = |with: u32| mills().into_iter().filter(move |&m| with & m == m);
            assert_eq!(in_mills(set), full(set).fold(0, |all, m| all | m));
            for p in points(ALL) {
                let closed = full(set | p.bit()).filter(|m| m & p.bit() != 0).count();
                assert_eq!(closers(set) & p.bit() != 0, closed >= 1);
                assert_eq!(double_closers(set) & p.bit() != 0, closed == 2);
            }
        }
    }

    #[test]
    fn symmetries_are_distinct_and_keep_lines_and_mills() {
        let mut seen = std::collections::BTreeSet::new();
        for g in 0..SYMMETRIES {
            seen.insert(points(ALL).map(|p| image(g, p.bit())).collect::<Vec<_>>());
            assert!(points(ALL).all(|p| image(g, neighbours(p.bit())) == neighbours(image(g, p.bit()))));
            assert!(mills().iter().all(|&m| mills().contains(&image(g, m))));
        }
        assert_eq!(seen.len(), SYMMETRIES);
    }
}
