//! The numbering of placements: every number stands for one, and no man on its crowning row.
//!
//! Seen from the side to move, whose men go up: of its men some stand on the first row, where no man of the other
//! side can be, and the rest on the rows from the second to the seventh; then come the other side's men on what
//! is left of rows two to eight, then kings anywhere. Each set is numbered among the squares left to it by the
//! combinatorial number system.

use search::combinations::{self, CHOOSE};

const FIRST_ROW: u32 = 0x0000_000f;
const MIDDLE: u32 = 0x0fff_fff0;
const OTHER_MEN: u32 = 0xffff_fff0;

/// Men and kings of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Force {
    /// Its men.
    pub men: usize,
    /// Its kings.
    pub kings: usize,
}

impl Force {
    /// All its pieces.
    pub fn pieces(self) -> usize {
        self.men + self.kings
    }
}

/// Where everything stands, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub own_men: u32,
    pub own_kings: u32,
    pub other_men: u32,
    pub other_kings: u32,
}

/// The numbering of two forces, that to move first.
#[derive(Clone, Debug)]
pub struct Index {
    own: Force,
    other: Force,
    /// For each number of own men on the first row, the first number of such a placement; then the end.
    starts: Vec<u64>,
}

impl Index {
    pub fn new(own: Force, other: Force) -> Index {
        let mut starts = vec![0];
        for first in 0..=own.men {
            let men = CHOOSE[4][first] * CHOOSE[24][own.men - first] * choose_men(own, other, first);
            starts.push(starts[first] + men * kings(own, other));
        }
        Index { own, other, starts }
    }

    /// How many placements there are.
    pub fn len(&self) -> u64 {
        self.starts[self.own.men + 1]
    }

    /// The number of a placement.
    pub fn of(&self, placement: &Placement) -> u64 {
        let Placement { own_men, own_kings, other_men, other_kings } = *placement;
        let first = (own_men & FIRST_ROW).count_ones() as usize;
        let men = own_men | other_men;
        let mut number = rank(own_men, FIRST_ROW);
        number = number * CHOOSE[24][self.own.men - first] + rank(own_men & MIDDLE, MIDDLE);
        number = number * choose_men(self.own, self.other, first) + rank(other_men, OTHER_MEN & !own_men);
        number = number * choose_kings(self.own, self.other) + rank(own_kings, !men);
        number = number * choose_last(self.own, self.other) + rank(other_kings, !men & !own_kings);
        self.starts[first] + number
    }

    /// The placement of a number.
    pub fn placement(&self, number: u64) -> Placement {
        let first = self.starts.iter().rposition(|&start| start <= number).unwrap_or(0).min(self.own.men);
        let mut rest = number - self.starts[first];
        let mut digit = |base: u64| {
            let digit = rest % base;
            rest /= base;
            digit
        };
        let other_kings = digit(choose_last(self.own, self.other));
        let own_kings = digit(choose_kings(self.own, self.other));
        let other_men = digit(choose_men(self.own, self.other, first));
        let middle = digit(CHOOSE[24][self.own.men - first]);
        let own_men = set(rest, first, FIRST_ROW) | set(middle, self.own.men - first, MIDDLE);
        let other_men = set(other_men, self.other.men, OTHER_MEN & !own_men);
        let men = own_men | other_men;
        let own_kings = set(own_kings, self.own.kings, !men);
        let other_kings = set(other_kings, self.other.kings, !men & !own_kings);
        Placement { own_men, own_kings, other_men, other_kings }
    }
}

/// Sets of the other side's men when so many of ours stand on the first row.
fn choose_men(own: Force, other: Force, first: usize) -> u64 {
    CHOOSE[28 - (own.men - first)][other.men]
}

fn choose_kings(own: Force, other: Force) -> u64 {
    CHOOSE[32 - own.men - other.men][own.kings]
}

fn choose_last(own: Force, other: Force) -> u64 {
    CHOOSE[32 - own.men - other.men - own.kings][other.kings]
}

fn kings(own: Force, other: Force) -> u64 {
    choose_kings(own, other) * choose_last(own, other)
}

/// The number of a set among those of its size within some squares.
fn rank(set: u32, within: u32) -> u64 {
    combinations::rank(set.into(), within.into())
}

/// The set of `size` squares within some that has this number.
fn set(rank: u64, size: usize, within: u32) -> u32 {
    combinations::unrank(rank, size, within.into()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_a_placement_and_back() {
        for (own, other) in
            [((1, 0), (1, 0)), ((2, 0), (1, 1)), ((0, 1), (2, 0)), ((1, 1), (0, 1)), ((3, 0), (1, 0))]
        {
            let force = |(men, kings)| Force { men, kings };
            let index = Index::new(force(own), force(other));
            for number in (0..index.len()).step_by(7).chain([index.len() - 1]) {
                let placement = index.placement(number);
                let Placement { own_men, own_kings, other_men, other_kings } = placement;
                let all = own_men | own_kings | other_men | other_kings;
                assert_eq!(all.count_ones() as usize, own.0 + own.1 + other.0 + other.1);
                assert!(own_men & 0xf000_0000 == 0 && other_men & 0xf == 0);
                assert_eq!(index.of(&placement), number);
            }
        }
    }

    #[test]
    fn one_man_each_can_stand_in_this_many_ways() {
        // 4 squares of the first row with 28 for the other, 24 others with 27.
        let man = Force { men: 1, kings: 0 };
        assert_eq!(Index::new(man, man).len(), 4 * 28 + 24 * 27);
    }
}
