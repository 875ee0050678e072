//! The move generator against the published counts of `tests/data/draughts.perft`.

use draughts::{DrawRules, Move, Position, Rules, Variant, moves};
use search::{Game, MoveList};

/// Leaves with each order of capture as a move of its own.
fn ordered(position: &Position, depth: u32) -> u64 {
    let mut list: MoveList<Move> = MoveList::new();
    moves::orders(position, &mut list);
    if depth == 1 {
        return list.len() as u64;
    }
    list.into_iter()
        .map(|m| {
            let mut next = *position;
            next.play(m);
            ordered(&next, depth - 1)
        })
        .sum()
}

#[test]
fn every_count_of_the_table_is_met() {
    let table = include_str!("../../../tests/data/draughts.perft");
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let [name, fen, counts]: [&str; 3] = row.split("; ").collect::<Vec<_>>().try_into().unwrap();
        let variant = Variant::named(name.trim_end_matches(" orders")).unwrap();
        let position = Position::read(&Rules { variant, draws: DrawRules::None }, fen).unwrap();
        let count = if name.ends_with("orders") { ordered } else { search::perft::perft };
        for (depth, expected) in (1..).zip(counts.split(' ')) {
            assert_eq!(count(&position, depth).to_string(), expected, "{row} at depth {depth}");
        }
    }
}
