//! The sizes of the 28 units against the published ones: a test of geometry, mills and symmetries at once.
//!
//! A side that stands in mills needs at least as many removals from the other as there are points in the smallest
//! set that meets all its mills; positions with too few removals cannot come up in a game and are not counted.
#![allow(clippy::unwrap_used)]

use morris::Rules;
use morris::board::{ALL, POINTS, SYMMETRIES, image, mills, points};
use morris::endgame::Endgames;
use search::endgame::{Space, Standing};

/// Men of both sides and the number of positions up to symmetry that can come up.
const PUBLISHED: [(u32, u32, u64); 28] = [
    (3, 3, 169_626),
    (4, 3, 760_398),
    (5, 3, 2_580_390),
    (6, 3, 6_875_320),
    (7, 3, 14_725_688),
    (8, 3, 25_763_836),
    (9, 3, 36_913_660),
    (4, 4, 3_225_597),
    (5, 4, 10_310_496),
    (6, 4, 25_765_792),
    (7, 4, 51_516_528),
    (8, 4, 83_705_798),
    (9, 4, 108_065_930),
    (5, 5, 30_914_424),
    (6, 5, 72_116_072),
    (7, 5, 133_910_896),
    (8, 5, 200_852_988),
    (9, 5, 226_205_240),
    (6, 6, 156_229_360),
    (7, 6, 267_793_288),
    (8, 6, 367_940_870),
    (9, 6, 346_096_280),
    (7, 7, 420_793_096),
    (8, 7, 523_348_960),
    (9, 7, 389_166_088),
    (8, 8, 568_867_453),
    (9, 8, 304_430_413),
    (9, 9, 95_978_501),
];

/// For each set of lines, as bits, the fewest points that meet them all.
fn fewest_to_meet() -> Vec<u8> {
    let lines = mills();
    let mut fewest = vec![0; 1 << lines.len()];
    for set in 1..fewest.len() {
        let first = lines[set.trailing_zeros() as usize];
        let without =
            |bit: u32| (0..lines.len()).filter(|&i| lines[i] & bit == 0).fold(0, |all, i| all | 1 << i);
        let left = points(first).map(|p| fewest[set & without(p.bit())]);
        fewest[set] = 1 + left.min().expect("a line has points");
    }
    fewest
}

/// For every set of points, the removals that its full lines need.
fn removals_needed() -> Vec<u8> {
    let (lines, fewest) = (mills(), fewest_to_meet());
    let full = |set: u32| (0..16).filter(|&i| set & lines[i] == lines[i]).fold(0, |all, i| all | 1 << i);
    (0..=ALL).map(|set| fewest[full(set)]).collect()
}

/// For every set, how many of its subsets have `size` points and need at most `removals`.
fn subsets(needed: &[u8], size: u32, removals: u32) -> Vec<u32> {
    let fits = |set: usize| set.count_ones() == size && u32::from(needed[set]) <= removals;
    let mut count: Vec<u32> = (0..needed.len()).map(|set| u32::from(fits(set))).collect();
    for point in 0..POINTS {
        for set in 0..count.len() {
            if set >> point & 1 != 0 {
                count[set] += count[set ^ 1 << point];
            }
        }
    }
    count
}

/// Placements that a symmetry other than the identity leaves as they are, by men of both sides.
fn fixed(symmetry: usize, needed: &[u8]) -> Vec<[u64; 10]> {
    let mut orbits: Vec<u32> = Vec::new();
    for point in points(ALL) {
        let mut orbit = point.bit();
        (0..SYMMETRIES).for_each(|_| orbit |= image(symmetry, orbit));
        if !orbits.contains(&orbit) {
            orbits.push(orbit);
        }
    }
    let mut found = vec![[0; 10]; 10];
    fill(&orbits, 0, 0, needed, &mut found);
    found
}

/// Gives each orbit to the one side, to the other, or to none.
fn fill(orbits: &[u32], white: u32, black: u32, needed: &[u8], found: &mut [[u64; 10]]) {
    let (w, b) = (white.count_ones(), black.count_ones());
    if w > 9 || b > 9 {
        return;
    }
    let Some((&orbit, rest)) = orbits.split_first() else {
        let (need_w, need_b) = (u32::from(needed[white as usize]), u32::from(needed[black as usize]));
        found[w as usize][b as usize] += u64::from(need_w + b <= 9 && need_b + w <= 9);
        return;
    };
    fill(rest, white, black, needed, found);
    fill(rest, white | orbit, black, needed, found);
    fill(rest, white, black | orbit, needed, found);
}

#[test]
fn units_are_as_large_as_published() {
    let needed = removals_needed();
    let fixed: Vec<_> = (1..SYMMETRIES).map(|symmetry| fixed(symmetry, &needed)).collect();
    for (w, b, states) in PUBLISHED {
        // Burnside: the number of classes is the mean number of placements a symmetry leaves as they are.
        let of_black = subsets(&needed, b, 9 - w);
        let all: u64 = (0..=ALL)
            .filter(|&white| white.count_ones() == w && u32::from(needed[white as usize]) <= 9 - b)
            .map(|white| u64::from(of_black[(ALL & !white) as usize]))
            .sum();
        let others: u64 = fixed.iter().map(|found| found[w as usize][b as usize]).sum();
        assert_eq!((all + others) / SYMMETRIES as u64, states, "{w}-{b}");
    }
    let both: u64 = PUBLISHED.iter().map(|&(w, b, states)| if w == b { states } else { 2 * states }).sum();
    assert_eq!(both, 7_673_867_919);
}

#[test]
fn the_states_that_count_are_as_many_as_the_published_ones() {
    let space = Endgames::new(&Rules::STANDARD).unwrap();
    for (w, b, states) in PUBLISHED {
        let unit = space.unit((w as usize, b as usize)).unwrap();
        let states = if w == b { states } else { 2 * states };
        // Every state of the small units, and of the others some fifty thousand.
        let step = if w + b <= 7 { 1 } else { space.states(unit) / 50_000 };
        let sample = (0..space.states(unit)).step_by(step as usize);
        let own = step * sample.filter(|&state| space.standing(unit, state) == Standing::Own).count() as u64;
        let far = if step == 1 { 0 } else { states / 50 };
        assert!(own.abs_diff(states) <= far, "{w}-{b}: {own} instead of {states}");
    }
}
