//! Play with databases: a won position is always won and a drawn one never lost, whatever the opponent knows.
#![allow(clippy::unwrap_used)]

#[path = "support/trial.rs"]
mod trial;

use std::path::Path;

use morris::database::Database;
use morris::endgame::Endgames;
use morris::{Morris, Position, Rules};
use search::endgame::{Format, Library, Space};
use search::{Control, Engine, Game, Info, Limits, Random, Root, Score, Search};
use trial::Trial;

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
fn wins_are_won_and_draws_are_held() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), &[(3, 3), (4, 3), (4, 4)], Format::Distance);
    let database = Database::open(&Rules::STANDARD, directory.path()).0.unwrap();
    let trial = Trial::run(&mut engine(directory.path()), &database, 40, &mut Random::new(3));
    assert_eq!(trial.failed, Vec::<String>::new());
    assert_eq!((trial.won, trial.held + trial.gained), (40, 40));
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
