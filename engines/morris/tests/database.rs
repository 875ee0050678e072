//! Play with databases: a won position is always won and a drawn one never lost, whatever the opponent knows.
#![allow(clippy::unwrap_used)]

#[path = "support/trial.rs"]
mod trial;

use std::path::Path;

use morris::database::Database;
use morris::endgame::Endgames;
use morris::{Morris, Position, Rules};
use search::endgame::{Format, Library, Space};
use search::{Control, Engine, Game, Info, Limits, Random, Root, Score, Search, Side};
use trial::{Opponent, Terms, Trial};

fn build(directory: &Path, units: &[(usize, usize)], format: Format) -> Library<Endgames> {
    let (mut library, _) = Library::open(Endgames::new(&Rules::STANDARD).unwrap(), directory);
    for &men in units {
        let unit = library.space().unit(men).unwrap();
        library.build(unit, format, &|_| {}).unwrap();
    }
    library
}

fn engine(directory: &Path) -> Morris {
    let mut engine = Morris::alone();
    engine.set("EndgamePath", directory.to_str().unwrap()).unwrap();
    engine
}

#[test]
fn wins_are_won_as_soon_as_can_be_and_draws_are_held() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), &[(3, 3), (4, 3), (4, 4), (5, 3)], Format::Distance);
    let database = Database::open(&Rules::STANDARD, directory.path()).0.unwrap();
    for opponent in [Opponent::Best, Opponent::Random] {
        let terms = Terms { each: 40, nodes: 500, opponent, exact: true };
        let trial = Trial::run(&mut engine(directory.path()), &database, terms, &mut Random::new(3));
        assert_eq!(trial.failed, Vec::<String>::new());
        assert_eq!((trial.won, trial.held + trial.gained), (40, 40), "{opponent:?}");
    }
}

#[test]
fn wins_are_won_where_only_the_smallest_tables_tell_distances() {
    let [exact, small] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let units = [(3, 3), (4, 3), (4, 4), (5, 3)];
    build(exact.path(), &units, Format::Distance);
    build(small.path(), &units[..1], Format::Packed);
    build(small.path(), &units[1..], Format::Wdl);
    let database = Database::open(&Rules::STANDARD, exact.path()).0.unwrap();
    for opponent in [Opponent::Best, Opponent::Random] {
        let terms = Terms { each: 12, nodes: 3000, opponent, exact: false };
        let trial = Trial::run(&mut engine(small.path()), &database, terms, &mut Random::new(4));
        assert_eq!(trial.failed, Vec::<String>::new());
        assert_eq!((trial.won, trial.held + trial.gained), (12, 12), "{opponent:?}");
    }
}

/// Plies to the end of a placing position by best play, negative for a loss, from the rules and the tables of the moving
/// phase alone; none for a draw.
fn searched(position: &Position, moving: &Library<Endgames>) -> Option<i32> {
    let moves = position.list();
    if moves.is_empty() {
        return Some(0);
    }
    if position.hand(Side::White) + position.hand(Side::Black) == 0 {
        let (unit, index) = moving.space().locate(position).unwrap();
        let value = moving.value(unit, index).unwrap();
        return value.plies().map(|plies| if value.is_win() { plies as i32 } else { -(plies as i32) });
    }
    let replies: Vec<Option<i32>> = moves.into_iter().map(|m| searched(&position.after(m), moving)).collect();
    // A reply that loses has a distance of 0 or below.
    let quickest = replies.iter().flatten().filter(|&&plies| plies <= 0).map(|plies| 1 - plies).min();
    let slowest =
        || replies.iter().copied().collect::<Option<Vec<i32>>>()?.into_iter().map(|plies| -plies - 1).min();
    quickest.or_else(slowest)
}

#[test]
fn tables_of_the_placing_phase_agree_with_a_search_to_its_end() {
    let directory = tempfile::tempdir().unwrap();
    let moving = build(directory.path(), &[(3, 3), (4, 3), (4, 4), (5, 3)], Format::Distance);
    let (mut library, _) = Library::open(Endgames::new(&Rules::STANDARD).unwrap(), directory.path());
    let is_small = |space: &Endgames, unit: usize| space.men(unit).0 + space.men(unit).1 <= 8;
    let mut random = Random::new(8);
    let (mut seen, mut ends) = (0, 0);
    for unit in 0..library.space().units() {
        let hand = library.space().in_hand(unit);
        if hand == 0 || !is_small(library.space(), unit) {
            continue;
        }
        library.build(unit, Format::Distance, &|_| {}).unwrap();
        library.verify(unit, &|_| {}).unwrap();
        for _ in 0..[0, 200, 60, 8, 1][hand.min(4)] {
            let index = random.bits() % library.space().states(unit);
            let position = library.space().position(unit, index);
            let value = library.value(unit, index).unwrap();
            let told = value.plies().map(|plies| if value.is_win() { plies as i32 } else { -(plies as i32) });
            assert_eq!(told, searched(&position, &moving), "{position}");
            seen += 1;
            ends += usize::from(told.is_some());
        }
    }
    assert!(seen > 1000 && ends > 200, "{ends} of {seen} have an end");
}

#[test]
fn the_engine_tells_the_distance_it_knows() {
    let directory = tempfile::tempdir().unwrap();
    let library = build(directory.path(), &[(3, 3)], Format::Distance);
    let mut engine = engine(directory.path());
    for index in (0..library.space().states(0)).step_by(9973) {
        let value = library.value(0, index).unwrap();
        let root = Root::new(library.space().position(0, index));
        let (_, lines) = engine.ask(&root, &Limits::depth(2));
        let score = lines.last().and_then(|line| line.score.plies_to_end());
        let signed = value.plies().map(|plies| if value.is_win() { plies as i32 } else { -(plies as i32) });
        assert_eq!(score, signed, "{}", root.position());
    }
}

#[test]
fn a_win_that_comes_too_late_is_a_draw() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), &[(3, 3)], Format::Distance);
    let mut engine = engine(directory.path());
    let mut score = |quiet: u32| {
        let fen = format!(".w..b.b./.....w../..w...b. w 0 0 {quiet} -");
        let root = Root::new(Position::read(&Rules::STANDARD, &fen).unwrap());
        engine.ask(&root, &Limits::depth(3)).1.last().unwrap().score
    };
    assert_eq!(score(0).plies_to_end(), Some(23));
    assert_eq!(score(97), Score::DRAW);
}

#[test]
fn damaged_and_foreign_files_are_named_and_the_rest_is_used() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), &[(3, 3)], Format::Wdl);
    std::fs::write(directory.path().join("morris-protected-flying-4-3.qeg"), b"not ours").unwrap();
    let mut engine = engine(directory.path());
    let mut remarks = Vec::new();
    let start = Position::read(&Rules::STANDARD, "ww...w../b...b.../......b. w 0 0 0 -").unwrap();
    engine.think(&Root::new(start), &Limits::depth(1), &Control::default(), &mut |info| {
        if let Info::Text(text) = info {
            remarks.push(text.clone());
        }
    });
    assert!(
        remarks.iter().any(|text| text.contains("4-3.qeg: it is shorter than its header")),
        "{remarks:?}"
    );
    assert!(remarks.iter().any(|text| text.starts_with("1 endgame tables fit")), "{remarks:?}");
}
