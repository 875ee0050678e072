//! What the learned evaluation sees: which of three things stands on each square of ten overlapping
//! regions, and a few counts.
//!
//! The generalised linear model of Buro, "From simple features to sophisticated evaluation functions",
//! 1999, with the configurations of whole regions. Everything is a difference of the two sides, so
//! exchanged colours exchange the sign.

use search::{Game, Side};

use crate::Position;
use crate::board::{MAIN_ROAD, WAYS, shift};

/// Squares of a region, each empty (or a king's), a man of ours or of theirs.
const REGION_SQUARES: u32 = 8;
/// Contents of a region.
pub const CONTENTS: usize = 3usize.pow(REGION_SQUARES);

/// Regions of two columns and four rows from their lowest square on, from our side of the board; the same
/// from theirs make ten.
const REGIONS: [u32; 5] = [0, 1, 2, 8, 9];

/// The pattern features.
pub const PATTERNS: usize = REGIONS.len() * CONTENTS;

/// The countable terms. Material is worth differently when nobody, one side or both sides have kings.
pub const TERMS: [&str; 14] = [
    "men, no kings",
    "men, one side has kings",
    "men, both have kings",
    "kings, against none",
    "kings, both have them",
    "first king, against none",
    "outnumbering kings, both have",
    "king on the main road",
    "side to move",
    "free steps of men",
    "men in front",
    "reach of kings",
    "men facing the main road king",
    "pieces at the edge",
];

/// All weights of one phase.
pub const WEIGHTS: usize = PATTERNS + TERMS.len();

/// The most pieces: the phase of the start.
pub const PHASES: i32 = 24;

/// How much of the opening is left, from `PHASES` to 0.
pub fn phase(position: &Position) -> i32 {
    (position.occupied().count_ones() as i32).min(PHASES)
}

/// The indices of the active patterns: five as White sees the board, five as Black does.
pub fn patterns(position: &Position) -> [[usize; REGIONS.len()]; 2] {
    let men = |side: Side| position.pieces(side) & !position.kings();
    let (white, black) = (men(Side::White), men(Side::Black));
    [contents(white, black), contents(black.reverse_bits(), white.reverse_bits())]
}

fn contents(own: u32, other: u32) -> [usize; REGIONS.len()] {
    std::array::from_fn(|i| {
        let of = |set: u32| TERNARY[packed(set >> REGIONS[i])];
        i * CONTENTS + usize::from(of(own)) + 2 * usize::from(of(other))
    })
}

/// The eight squares of a region that was shifted to the origin, as a byte.
fn packed(set: u32) -> usize {
    let nibbles = set & 0x3333;
    let pairs = (nibbles | nibbles >> 2) & 0x0f0f;
    ((pairs | pairs >> 4) & 0xff) as usize
}

/// A byte's bits read as digits of base three.
const TERNARY: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        let high = 31 - (byte as u32).leading_zeros();
        table[byte] = table[byte & !(1 << high)] + 3u16.pow(high);
        byte += 1;
    }
    table
};

/// The values of the terms, White's minus Black's.
pub fn terms(position: &Position) -> [i32; TERMS.len()] {
    let [white, black] = [Side::White, Side::Black].map(|side| Counts::of(position, side));
    let men = white.men - black.men;
    let kings = white.kings - black.kings;
    let both = white.kings > 0 && black.kings > 0;
    let one = !both && white.kings + black.kings > 0;
    let if_ = |condition: bool, value: i32| if condition { value } else { 0 };
    [
        if_(!one && !both, men),
        if_(one, men),
        if_(both, men),
        if_(one, kings),
        if_(both, kings),
        if_(one, kings.signum()),
        if_(both, if_(kings.abs() > 1, kings.signum())),
        white.on_road - black.on_road,
        if position.turn() == Side::White { 1 } else { -1 },
        white.steps - black.steps,
        white.front - black.front,
        white.reach - black.reach,
        if_(white.on_road > 0, -black.men) - if_(black.on_road > 0, -white.men),
        white.edge - black.edge,
    ]
}

/// Squares on which a man may stand, as its side sees the board.
pub const SQUARES: usize = 28;

/// For each such square White's man there less Black's.
pub fn men_by_square(position: &Position) -> [i32; SQUARES] {
    let men = |side: Side| position.pieces(side) & !position.kings();
    let (white, black) = (men(Side::White), men(Side::Black).reverse_bits());
    std::array::from_fn(|square| (white >> square & 1) as i32 - (black >> square & 1) as i32)
}

/// The weights of the patterns that give a man on each square so much.
pub fn patterns_of_men(worth: &[f64; SQUARES]) -> Vec<f32> {
    let mut weights = vec![0.0; PATTERNS];
    for (square, &worth) in (0..).zip(worth) {
        // Squares that no region holds are seen from the other side, as a man of theirs.
        let seen = place(square).map(|place| (place, 1, worth));
        let seen = seen.or_else(|| Some((place(31 - square)?, 2, -worth)));
        let ((region, digit), man, worth) = seen.expect("every square is seen from one side");
        for content in (0..CONTENTS).filter(|content| content / digit % 3 == man) {
            weights[region * CONTENTS + content] += worth as f32;
        }
    }
    weights
}

/// The first region that holds a square, and what the square's digit counts in its contents.
fn place(square: u32) -> Option<(usize, usize)> {
    REGIONS.iter().enumerate().find_map(|(region, &origin)| {
        let byte = packed(1_u32.checked_shl(square.checked_sub(origin)?)?);
        (byte != 0).then(|| (region, usize::from(TERNARY[byte])))
    })
}

/// What is counted for one side.
struct Counts {
    men: i32,
    kings: i32,
    on_road: i32,
    steps: i32,
    front: i32,
    reach: i32,
    edge: i32,
}

const EDGE: u32 = 0x8181_8181;

impl Counts {
    fn of(position: &Position, side: Side) -> Counts {
        // Black's board is turned, so that its men go up as well.
        let turned = |set: u32| if side == Side::White { set } else { set.reverse_bits() };
        let (own, free) = (turned(position.pieces(side)), turned(!position.occupied()));
        let kings = own & turned(position.kings());
        let men = own & !kings;
        let count = |set: u32| set.count_ones() as i32;
        Counts {
            men: count(men),
            kings: count(kings),
            on_road: i32::from(kings & MAIN_ROAD != 0),
            steps: count(shift(0, men) & free) + count(shift(1, men) & free),
            front: count(men & 0x0fff_0000),
            reach: if kings == 0 { 0 } else { count(reach(kings, free)) },
            edge: count(men & EDGE),
        }
    }
}

/// The free squares that kings command.
fn reach(kings: u32, free: u32) -> u32 {
    WAYS.iter().fold(0, |all, &way| {
        let mut ray = shift(way, kings) & free;
        let mut reached = ray;
        while ray != 0 {
            ray = shift(way, ray) & free;
            reached |= ray;
        }
        all | reached
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn a_region_tells_every_content_apart() {
        let mut seen = std::collections::HashSet::new();
        for n in 0..CONTENTS {
            let (mut own, mut other, mut rest) = (0u32, 0u32, n);
            for (row, column) in (0..4).flat_map(|row| [(row, 0), (row, 1)]) {
                match rest % 3 {
                    1 => own |= 1 << (4 * row + column),
                    2 => other |= 1 << (4 * row + column),
                    _ => {}
                }
                rest /= 3;
            }
            seen.insert(contents(own, other)[0]);
        }
        assert_eq!(seen.len(), CONTENTS);
    }

    #[test]
    fn men_are_worth_what_the_patterns_made_of_them_say() {
        let worth = std::array::from_fn(|square| (square * square % 17) as f64);
        let weights = patterns_of_men(&worth);
        for fen in ["W:W21,22,18,6,K3:B1,5,K14,12,27", "B:W5,8,20,32,K1:B4,26,28,9", "W:W7:B26"] {
            let position = Position::read(&Rules::default(), fen).unwrap();
            let [white, black] = patterns(&position).map(|seen| seen.map(|i| weights[i]).iter().sum::<f32>());
            let men = men_by_square(&position);
            let expected: f64 = men.iter().zip(worth).map(|(&men, worth)| f64::from(men) * worth).sum();
            assert_eq!(f64::from(white - black), expected, "{fen}");
        }
    }

    #[test]
    fn exchanged_colours_exchange_views_and_signs() {
        let position = Position::read(&Rules::default(), "W:W21,22,18,K3:B1,5,K14,12").unwrap();
        let flipped = position.flipped().unwrap();
        let [white, black] = patterns(&position);
        assert_eq!(patterns(&flipped), [black, white]);
        assert_eq!(terms(&flipped), terms(&position).map(|value| -value));
    }
}
