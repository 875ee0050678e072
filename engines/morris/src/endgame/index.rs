//! Numbering placements of men: two sets of points, one turned into a fixed form by the board's symmetries.
//!
//! The first set becomes the representative of its class under the 16 symmetries and the second is turned along
//! with it, packed into the points left free and ranked. A first set that is symmetric in itself has several forms
//! of the same placement; each has its own number, so that moves and ways back need no special counting.

use std::sync::LazyLock;

use search::combinations::CHOOSE;

use crate::board::{ALL, SYMMETRIES, image, points};
use crate::position::MEN;

const HALF: usize = 12;
const HALF_SETS: usize = 1 << HALF;
const SIZES: usize = MEN as usize + 1;

/// The tables behind all numbers; built when first asked for, in some hundredths of a second.
static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// The number of classes of sets of 0 to 9 points, known beforehand so that sizes can be told without the tables.
const CLASSES: [u64; SIZES] = [1, 4, 30, 158, 757, 2_830, 8_774, 22_188, 46_879, 82_880];

/// Builds the tables beside whatever comes next, so that a search that needs them finds them there.
pub(crate) fn prepare() {
    search::crew::ahead(|| _ = LazyLock::force(&TABLES));
}

struct Tables {
    /// The rank of a set is the sum of these for its lower and its upper half.
    low: Box<[u32; HALF_SETS]>,
    /// For each size of the lower half.
    high: Vec<[u32; HALF_SETS]>,
    /// For each pair of byte-sized sets, the second packed into the points the first leaves free; and back.
    packed: Vec<[u8; 256]>,
    unpacked: Vec<[u8; 256]>,
    /// For each size, all sets in order of rank.
    sets: Vec<Vec<u32>>,
    /// For each size and rank, the number of the class and the symmetry that leads to its representative.
    classes: Vec<Vec<u32>>,
    /// For each size, the representatives, and the symmetries that leave each as it is.
    kinds: Vec<Vec<Kind>>,
}

/// A class of sets that are one another's images.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// The representative.
    pub set: u32,
    /// The symmetries that do not change it, as bits; bit 0 is always set.
    pub stabiliser: u16,
}

impl Tables {
    fn new() -> Tables {
        let rank = |set: usize, before: usize, offset: usize| -> u32 {
            let bits = points(set as u32).map(|p| p.index() + offset);
            bits.zip(before + 1..).map(|(bit, k)| if k <= SIZES { CHOOSE[bit][k] as u32 } else { 0 }).sum()
        };
        let low = Box::new(std::array::from_fn(|set| rank(set, 0, 0)));
        let high = (0..SIZES).map(|before| std::array::from_fn(|set| rank(set, before, HALF))).collect();
        let packed = (0..256).map(|holes: usize| std::array::from_fn(|set| extract(set, !holes))).collect();
        let unpacked = (0..256).map(|holes: usize| std::array::from_fn(|set| deposit(set, !holes))).collect();
        let mut tables = Tables {
            low,
            high,
            packed,
            unpacked,
            sets: (0..SIZES).map(sets_of_size).collect(),
            classes: Vec::new(),
            kinds: Vec::new(),
        };
        for size in 0..SIZES {
            let (classes, kinds) = tables.classify(size);
            tables.classes.push(classes);
            tables.kinds.push(kinds);
        }
        tables
    }

    fn rank(&self, set: u32) -> usize {
        let (low, high) = (set as usize % HALF_SETS, set as usize / HALF_SETS);
        (self.low[low] + self.high[low.count_ones() as usize][high]) as usize
    }

    /// The smallest image represents a class; classes are numbered as their representatives rank.
    fn classify(&self, size: usize) -> (Vec<u32>, Vec<Kind>) {
        let mut kinds = Vec::new();
        let mut classes = vec![u32::MAX; self.sets[size].len()];
        for &set in &self.sets[size] {
            if classes[self.rank(set)] != u32::MAX {
                continue;
            }
            let mut stabiliser = 0;
            for g in 0..SYMMETRIES {
                let other = image(g, set);
                stabiliser |= u16::from(other == set) << g;
                let entry = &mut classes[self.rank(other)];
                if *entry == u32::MAX {
                    *entry = (kinds.len() * SYMMETRIES + inverse(g)) as u32;
                }
            }
            kinds.push(Kind { set, stabiliser });
        }
        (classes, kinds)
    }
}

/// The bits of `set` under `mask`, moved together.
fn extract(set: usize, mask: usize) -> u8 {
    let kept = (0..8).filter(|bit| mask >> bit & 1 != 0);
    kept.enumerate().fold(0, |out, (to, from)| out | ((set >> from & 1) << to) as u8)
}

/// The low bits of `set`, spread over `mask`.
fn deposit(set: usize, mask: usize) -> u8 {
    let kept = (0..8).filter(|bit| mask >> bit & 1 != 0);
    kept.enumerate().fold(0, |out, (from, to)| out | ((set >> from & 1) << to) as u8)
}

/// All sets of `size` points in ascending order, which is the order of their ranks.
fn sets_of_size(size: usize) -> Vec<u32> {
    let mut out = Vec::new();
    let mut set = (1u32 << size) - 1;
    while set <= ALL {
        out.push(set);
        if set == 0 {
            break;
        }
        // The next larger number with as many bits (Gosper).
        let lowest = set & set.wrapping_neg();
        let ripple = set + lowest;
        set = ripple | ((set ^ ripple) / lowest) >> 2;
    }
    out
}

/// The symmetry that undoes `g`.
pub(crate) fn inverse(g: usize) -> usize {
    static INVERSE: LazyLock<[u8; SYMMETRIES]> = LazyLock::new(|| {
        let undoes = |g, h: &usize| points(ALL).all(|p| image(*h, image(g, p.bit())) == p.bit());
        std::array::from_fn(|g| (0..SYMMETRIES).find(|h| undoes(g, h)).expect("it is a group") as u8)
    });
    INVERSE[g] as usize
}

/// How to turn a set into its representative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// The number of its class.
    pub class: usize,
    /// The symmetry to apply.
    pub symmetry: usize,
}

/// All placements of `first` men of one side and `second` of the other.
#[derive(Clone, Copy)]
pub(crate) struct Index {
    first: usize,
    second: usize,
    /// Placements of the second side for each representative of the first.
    block: u32,
}

impl Index {
    pub(crate) fn new(first: usize, second: usize) -> Index {
        Index { first, second, block: CHOOSE[24 - first][second] as u32 }
    }

    /// The number of placements.
    pub(crate) fn size(&self) -> u64 {
        CLASSES[self.first] * u64::from(self.block)
    }

    /// The form of a set of the first side.
    #[inline(always)]
    pub(crate) fn form(&self, first: u32) -> Form {
        let entry = TABLES.classes[self.first][TABLES.rank(first)] as usize;
        Form { class: entry / SYMMETRIES, symmetry: entry % SYMMETRIES }
    }

    /// The placements around the representative of a class.
    #[inline(always)]
    pub(crate) fn block(&self, class: usize) -> Block {
        let start = class as u64 * u64::from(self.block);
        Block { tables: &TABLES, kind: TABLES.kinds[self.first][class], class: class as u32, start }
    }

    /// The number of any placement.
    #[inline(always)]
    pub(crate) fn of(&self, first: u32, second: u32) -> u64 {
        let form = self.form(first);
        self.block(form.class).number(image(form.symmetry, second))
    }

    /// The block and the second set of a number; the first set is the representative of the block.
    #[inline(always)]
    pub(crate) fn placement(&self, number: u64) -> (Block, u32) {
        debug_assert!(number < self.size());
        let (class, rank) = (number as u32 / self.block, number as u32 % self.block);
        let packed = TABLES.sets[self.second][rank as usize];
        let block = self.block(class as usize);
        (block, block.unpack(packed))
    }
}

/// The placements that share the class of their first set, which stands there as its representative.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    tables: &'static Tables,
    /// The first set and its symmetries.
    pub kind: Kind,
    class: u32,
    start: u64,
}

/// A second set with the points that the first one takes left out.
#[derive(Clone, Copy)]
pub(crate) struct Packed(u32);

impl Block {
    /// The number of the class of its first set.
    #[inline(always)]
    pub(crate) fn class(&self) -> usize {
        self.class as usize
    }

    /// The number of the placement with this second set.
    #[inline(always)]
    pub(crate) fn number(&self, second: u32) -> u64 {
        self.start + self.tables.rank(self.pack(second).0) as u64
    }

    /// The number of the placement after one man of the second set went from a point to another.
    #[inline(always)]
    pub(crate) fn moved(&self, second: Packed, from: u32, to: u32) -> u64 {
        let packed = |bit: u32| 1 << (!self.kind.set & (bit - 1)).count_ones();
        self.start + self.tables.rank(second.0 ^ packed(from) ^ packed(to)) as u64
    }

    /// The number of the placement with one man more in the second set.
    #[inline(always)]
    pub(crate) fn joined(&self, second: Packed, by: u32) -> u64 {
        let packed = 1 << (!self.kind.set & (by - 1)).count_ones();
        self.start + self.tables.rank(second.0 | packed) as u64
    }

    /// The second set without the points of the first.
    #[inline(always)]
    pub(crate) fn pack(&self, set: u32) -> Packed {
        let holes = self.kind.set;
        let mut out = 0;
        let mut shift = 0;
        for ring in 0..3 {
            let (holes, set) = (holes >> (8 * ring) & 0xff, set >> (8 * ring) & 0xff);
            out |= u32::from(self.tables.packed[holes as usize][set as usize]) << shift;
            shift += 8 - holes.count_ones();
        }
        Packed(out)
    }

    #[inline(always)]
    fn unpack(&self, mut packed: u32) -> u32 {
        let holes = self.kind.set;
        let mut out = 0;
        for ring in 0..3 {
            let holes = holes >> (8 * ring) & 0xff;
            let width = 8 - holes.count_ones();
            let bits = packed & ((1 << width) - 1);
            out |= u32::from(self.tables.unpacked[holes as usize][bits as usize]) << (8 * ring);
            packed >>= width;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_are_as_many_as_the_tables_find() {
        assert_eq!(std::array::from_fn(|size| TABLES.kinds[size].len() as u64), CLASSES);
    }

    #[test]
    fn numbers_and_placements_are_inverse() {
        for (first, second) in [(3, 3), (4, 3), (3, 4), (3, 5)] {
            let index = Index::new(first, second);
            for number in (0..index.size()).step_by(7) {
                let (block, second) = index.placement(number);
                assert_eq!((block.kind.set & second, block.number(second)), (0, number));
                let free = points(ALL & !block.kind.set & !second).next().unwrap().bit();
                for man in points(second).map(|p| p.bit()) {
                    let moved = block.moved(block.pack(second), man, free);
                    assert_eq!(moved, block.number(second ^ man | free));
                }
            }
        }
    }

    #[test]
    fn images_of_a_placement_share_a_number_unless_the_first_set_is_symmetric() {
        let index = Index::new(4, 5);
        for seed in 0..2000 {
            let (Block { kind, .. }, second) = index.placement(search::zobrist::mix(seed) % index.size());
            let numbers: std::collections::BTreeSet<u64> =
                (0..SYMMETRIES).map(|g| index.of(image(g, kind.set), image(g, second))).collect();
            assert!(numbers.len() <= kind.stabiliser.count_ones() as usize);
        }
    }
}
