//! The second way to count: each order of capture as a move of its own, as some published tables have it.

use draughts::{DrawRules, Move, Position, Rules, Variant, moves};
use search::{Game, MoveList};

fn leaves(position: &Position, depth: u32) -> u64 {
    let mut list: MoveList<Move> = MoveList::new();
    moves::orders(position, &mut list);
    if depth == 1 {
        return list.len() as u64;
    }
    list.into_iter()
        .map(|m| {
            let next = position.after(m);
            leaves(&next, depth - 1)
        })
        .sum()
}

fn check(variant: Variant, counts: &[u64]) {
    let start = Position::start(&Rules { variant, draws: DrawRules::None });
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(leaves(&start, depth), count, "{} at depth {depth}", variant.name());
    }
}

#[test]
fn brazilian_draughts_has_the_published_counts() {
    let counts = [7, 49, 302, 1469, 7473, 37_628, 187_302, 907_836, 4_431_847, 21_566_606];
    check(Variant::BRAZILIAN, &counts);
}

#[test]
fn russian_draughts_has_the_published_counts() {
    let counts = [7, 49, 302, 1469, 7482, 37_986, 190_146, 929_905, 4_570_667, 22_450_628];
    check(Variant::RUSSIAN, &counts);
}
