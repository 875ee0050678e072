//! Numbering placements of pieces: two sets of squares, one turned into a fixed form by the board's symmetries.
//!
//! The first set becomes the representative of its class under the 8 symmetries, and the second is turned along with it
//! and ranked among the squares left free. A first set that is symmetric in itself has several forms of the same
//! placement; each has its own number, so that moves and ways back need no special counting.

use std::sync::OnceLock;

use search::combinations::{CHOOSE, rank, subsets};

use crate::Rules;

pub(super) const SYMMETRIES: usize = 8;

/// The most sets of one size whose classes are listed.
const MOST_SETS: u64 = 1 << 21;

/// Where the squares of each row go, for each symmetry.
type Turned = [[[u64; 256]; 8]; SYMMETRIES];

/// The numbers of one size of board.
pub(super) struct Numbering {
    board: u64,
    turned: Box<Turned>,
    /// For each number of pieces, how many classes its sets make.
    classes: Vec<u64>,
    /// For each number of pieces, its sets; listed when first asked for.
    sets: Vec<OnceLock<Sets>>,
    /// For each pair of byte-sized sets, the second spread over the bits that the first leaves free.
    spread: OnceLock<Box<[[u8; 256]; 256]>>,
}

/// All sets of so many squares.
struct Sets {
    /// In order of rank, on a board whose squares follow one another.
    all: Vec<u64>,
    /// By rank: the number of the class, and the symmetry that leads to its representative.
    classes: Vec<u32>,
    kinds: Vec<Kind>,
}

/// A class of sets that are one another's images.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// The representative.
    pub set: u64,
    /// The symmetries that do not change it, as bits; bit 0 is always set.
    pub stabiliser: u8,
}

impl Numbering {
    pub(super) fn new(rules: Rules) -> Numbering {
        let (board, size) = (rules.board(), rules.size());
        let turned = Box::new(turned(size));
        let most = (0..=usize::from(size)).rfind(|&k| CHOOSE[board.count_ones() as usize][k] <= MOST_SETS);
        let most = most.expect("the empty set is one");
        let classes = classes(&turned, board, most);
        let sets = (0..=most).map(|_| OnceLock::new()).collect();
        Numbering { board, turned, classes, sets, spread: OnceLock::new() }
    }

    /// The most pieces of a side.
    pub(super) fn most(&self) -> usize {
        self.classes.len() - 1
    }

    /// The image of a set under a symmetry.
    #[inline(always)]
    pub(super) fn image(&self, g: usize, set: u64) -> u64 {
        let rows = set.to_le_bytes();
        (0..8).fold(0, |image, row| image | self.turned[g][row][usize::from(rows[row])])
    }

    fn sets(&self, pieces: usize) -> &Sets {
        self.sets[pieces].get_or_init(|| self.classify(pieces))
    }

    /// The smallest image represents a class; classes are numbered as their representatives rank.
    fn classify(&self, pieces: usize) -> Sets {
        let squares = self.board.count_ones() as usize;
        let all: Vec<u64> = subsets(pieces).take(CHOOSE[squares][pieces] as usize).collect();
        let mut kinds = Vec::new();
        let mut classes = vec![u32::MAX; all.len()];
        for (number, &packed) in all.iter().enumerate() {
            if classes[number] != u32::MAX {
                continue;
            }
            let set = self.spread(packed, self.board);
            let mut stabiliser = 0;
            for g in 0..SYMMETRIES {
                let other = self.image(g, set);
                stabiliser |= u8::from(other == set) << g;
                let entry = &mut classes[rank(other, self.board) as usize];
                if *entry == u32::MAX {
                    *entry = (kinds.len() * SYMMETRIES + self.inverse(g)) as u32;
                }
            }
            kinds.push(Kind { set, stabiliser });
        }
        Sets { all, classes, kinds }
    }

    /// The symmetry that undoes `g`.
    fn inverse(&self, g: usize) -> usize {
        let undoes = |h: &usize| {
            search::squares::bits(self.board).all(|bit| self.image(*h, self.image(g, 1 << bit)) == 1 << bit)
        };
        (0..SYMMETRIES).find(undoes).expect("it is a group")
    }

    /// The lowest bits of a set put in the places of `free`.
    #[inline(always)]
    fn spread(&self, mut set: u64, free: u64) -> u64 {
        let spread = self.spread.get_or_init(|| {
            let deposit = |set: usize, free: usize| {
                let kept = (0..8).filter(|bit| free >> bit & 1 != 0);
                kept.enumerate().fold(0, |out, (from, to)| out | ((set >> from & 1) << to) as u8)
            };
            let row = |free: usize| std::array::from_fn(|set| deposit(set, free));
            (0..256).map(row).collect::<Vec<_>>().try_into().expect("there are as many bytes")
        });
        let mut out = 0;
        for (row, free) in free.to_le_bytes().into_iter().enumerate() {
            let width = free.count_ones();
            let bits = set & ((1 << width) - 1);
            out |= u64::from(spread[usize::from(free)][bits as usize]) << (8 * row);
            set >>= width;
        }
        out
    }
}

/// For each symmetry, where the squares of each row go.
fn turned(size: u8) -> Turned {
    let last = size - 1;
    std::array::from_fn(|g| {
        let goes = |file: u8, rank: u8| {
            let (file, rank) = if g & 4 != 0 { (rank, file) } else { (file, rank) };
            let flip = |on: usize, at: u8| if on == 0 { at } else { last - at };
            8 * flip(g & 2, rank) + flip(g & 1, file)
        };
        std::array::from_fn(|rank| {
            std::array::from_fn(|row: usize| {
                let files = (0..size).filter(|file| rank < usize::from(size) && row >> file & 1 != 0);
                files.fold(0, |set, file| set | 1 << goes(file, rank as u8))
            })
        })
    })
}

/// For each number of pieces, how many classes its sets make: the mean number of sets that a symmetry leaves as they are
/// (Burnside).
fn classes(turned: &Turned, board: u64, most: usize) -> Vec<u64> {
    let mut fixed = vec![0; most + 1];
    for image in turned {
        // Sets that stay as they are hold each cycle of squares or none of it.
        let mut left = board;
        let mut counts = vec![1u64];
        counts.resize(most + 1, 0);
        while left != 0 {
            let (mut square, mut length) = (left.trailing_zeros(), 0);
            while left >> square & 1 != 0 {
                left &= !(1 << square);
                length += 1;
                square = image[square as usize / 8][1 << (square % 8)].trailing_zeros();
            }
            (length..=most).rev().for_each(|pieces| counts[pieces] += counts[pieces - length]);
        }
        fixed.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    fixed.into_iter().map(|sum| sum / SYMMETRIES as u64).collect()
}

/// All placements of `first` pieces of one side and `second` of the other.
#[derive(Clone, Copy)]
pub(super) struct Index {
    first: usize,
    second: usize,
    /// Placements of the second side for each representative of the first.
    block: u64,
}

impl Index {
    pub(super) fn new(numbering: &Numbering, first: usize, second: usize) -> Index {
        let squares = numbering.board.count_ones() as usize;
        Index { first, second, block: CHOOSE[squares - first][second] }
    }

    /// The number of placements.
    pub(super) fn size(&self, numbering: &Numbering) -> u64 {
        numbering.classes[self.first] * self.block
    }

    /// The number of any placement.
    #[inline(always)]
    pub(super) fn of(&self, numbering: &Numbering, first: u64, second: u64) -> u64 {
        let (block, symmetry) = self.form(numbering, first);
        block.number(numbering.image(symmetry, second))
    }

    /// The placements around the representative of a class.
    #[inline(always)]
    fn block(&self, numbering: &Numbering, class: usize) -> Block {
        let kind = numbering.sets(self.first).kinds[class];
        Block { kind, free: numbering.board & !kind.set, start: class as u64 * self.block }
    }

    /// The block that holds a placement with this first set, and the symmetry that leads there.
    #[inline(always)]
    pub(super) fn form(&self, numbering: &Numbering, first: u64) -> (Block, usize) {
        let entry = numbering.sets(self.first).classes[rank(first, numbering.board) as usize] as usize;
        (self.block(numbering, entry / SYMMETRIES), entry % SYMMETRIES)
    }

    /// The block and the second set of a number; the first set is the representative of the block.
    #[inline(always)]
    pub(super) fn placement(&self, numbering: &Numbering, number: u64) -> (Block, u64) {
        let block = self.block(numbering, (number / self.block) as usize);
        let packed = numbering.sets(self.second).all[(number % self.block) as usize];
        (block, numbering.spread(packed, block.free))
    }
}

/// The placements that share the class of their first set, which stands there as its representative.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// The first set and its symmetries.
    pub kind: Kind,
    free: u64,
    start: u64,
}

impl Block {
    /// The number of the placement with this second set.
    #[inline(always)]
    pub(super) fn number(&self, second: u64) -> u64 {
        self.start + rank(second, self.free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_are_as_many_as_the_tables_find() {
        for (size, most) in [(4, 4), (5, 5), (6, 6), (7, 5), (8, 4)] {
            let numbering = Numbering::new(Rules::new(size).unwrap());
            assert_eq!(numbering.most(), most);
            for pieces in 1..=most.min(4) {
                assert_eq!(
                    numbering.sets(pieces).kinds.len() as u64,
                    numbering.classes[pieces],
                    "{size} {pieces}"
                );
            }
        }
    }

    #[test]
    fn numbers_and_placements_are_inverse() {
        for size in [4, 5, 8] {
            let numbering = Numbering::new(Rules::new(size).unwrap());
            for (first, second) in [(1, 1), (2, 1), (1, 2), (2, 3)] {
                let index = Index::new(&numbering, first, second);
                for number in (0..index.size(&numbering)).step_by(7) {
                    let (block, second) = index.placement(&numbering, number);
                    assert_eq!((block.kind.set & second, block.number(second)), (0, number));
                    assert!(second & !numbering.board == 0);
                    // All images of a placement share a number, unless the first set is symmetric in itself.
                    let images = (0..SYMMETRIES)
                        .map(|g| (numbering.image(g, block.kind.set), numbering.image(g, second)));
                    let numbers: std::collections::BTreeSet<u64> =
                        images.map(|(first, second)| index.of(&numbering, first, second)).collect();
                    assert!(numbers.contains(&number));
                    assert!(numbers.len() <= block.kind.stabiliser.count_ones() as usize);
                }
            }
        }
    }
}
