//! Proof-number search against the tables of the smallest board, which know everything.
#![allow(clippy::unwrap_used)]

use neighbours::endgame::Endgames;
use neighbours::{Position, Rules};
use search::endgame::{Format, Library, Space, Value};
use search::proof::Proof;
use search::{Game, Random, Side};

/// All tables of the smallest board.
fn solved(directory: &std::path::Path) -> Library<Endgames> {
    let (mut library, _) = Library::open(Endgames::new(Rules::new(4).unwrap()), directory);
    for unit in 0..library.space().units() {
        library.build(unit, Format::Distance, &|_| {}).unwrap();
    }
    library
}

fn value(library: &Library<Endgames>, position: &Position) -> Value {
    let (unit, index) = library.space().find(position).unwrap();
    library.value(unit, index).unwrap()
}

#[test]
fn no_answer_contradicts_the_tables_and_most_wins_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let library = solved(directory.path());
    let space = library.space();
    let key = |position: &Position| space.key(position);
    // With the tables of up to four pieces, and without any.
    for helped in [true, false] {
        let known = |position: &Position, attacker: Side| {
            let is_known = helped && position.occupied().count_ones() <= 4;
            let value = is_known
                .then(|| space.find(position))
                .flatten()
                .map(|(unit, index)| library.value(unit, index));
            value
                .flatten()
                .map(|value| value != Value::DRAW && value.is_win() == (position.turn() == attacker))
        };
        let mut random = Random::new(1);
        let (mut found, mut wins, mut refuted) = (0, 0, 0);
        for round in 0..240 {
            let unit = round % space.units();
            let position = space.position(unit, random.bits() % space.states(unit));
            let true_value = value(&library, &position);
            for attacker in [Side::White, Side::Black] {
                let wins_here = true_value != Value::DRAW && true_value.is_win() == (attacker == Side::White);
                let numbers = Proof::new(1).attack(&position, attacker, 3000, &key, &known);
                let answer = numbers.answer().map(|reached| reached == (attacker == Side::White));
                assert!(
                    answer.is_none_or(|wins| wins == wins_here),
                    "{position}: {true_value:?}, {attacker:?} {numbers:?}"
                );
                wins += u32::from(wins_here);
                found += u32::from(answer == Some(true));
                refuted += u32::from(answer == Some(false));
            }
        }
        assert!(20 * found >= 19 * wins && refuted > 100, "{found} of {wins} wins, {refuted} refuted");
    }
}

#[test]
fn the_smallest_board_is_won_and_what_was_found_is_kept() {
    let start = Position::start(&Rules::new(4).unwrap());
    let space = Endgames::new(start.rules());
    let key = |position: &Position| space.key(position);
    let known = |_: &Position, _: Side| None;
    let mut whole = Proof::new(16);
    let numbers = whole.attack(&start, Side::White, 10_000_000, &key, &known);
    assert_eq!(numbers.answer(), Some(true), "{numbers:?} after {}", whole.nodes);
    // The same in pieces, kept on disk between them.
    let mut broken = Proof::new(16);
    loop {
        let numbers = broken.attack(&start, Side::White, whole.nodes / 5, &key, &known);
        let mut kept = Vec::new();
        broken.write(&mut kept).unwrap();
        broken = Proof::read(&mut &kept[..]).unwrap();
        assert_eq!(broken.numbers(&start, Side::White, &key), Some(numbers));
        if numbers.answer().is_some() {
            break;
        }
        assert!(broken.nodes < 3 * whole.nodes, "{numbers:?}");
        let last = kept.len() - 1;
        kept[last] ^= 1;
        assert_eq!(Proof::read(&mut &kept[..]).err().unwrap(), "its checksum is wrong");
        assert_eq!(Proof::read(&mut &kept[..last]).err().unwrap(), "it is cut off");
    }
}
