//! Play with databases: a won position is always won and a drawn one never lost, whatever the opponent knows.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use morris::database::Database;
use morris::endgame::Endgames;
use morris::{Morris, Move, Position, Rules};
use search::endgame::{Format, Library, Space, Value};
use search::{Control, Engine, Game, Info, Limits, Random, Root, Search, Side};

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

/// The reply that the database likes best, by chance among equals.
fn best_reply(database: &Database, root: &Root<Position>, random: &mut Random) -> Move {
    let worth = |m: Move| {
        let mut next = *root.position();
        next.play(m);
        match if next.count() == 0 { Some(Value::LOST) } else { database.value(&next) } {
            Some(Value::DRAW) | None => 0,
            Some(value) if value.is_loss() => 1000 - value.plies().unwrap() as i32,
            Some(value) => value.plies().unwrap() as i32 - 1000,
        }
    };
    let moves = root.legal();
    let best = moves.iter().map(|&m| worth(m)).max().unwrap();
    let equal: Vec<Move> = moves.into_iter().filter(|&m| worth(m) == best).collect();
    equal[random.below(equal.len() as u32) as usize]
}

/// Plays a position out: the engine for White against the best replies.
fn play_out(engine: &mut Morris, database: &Database, start: Position, random: &mut Random) -> Option<Side> {
    let mut root = Root::new(start);
    engine.forget();
    loop {
        if let Some(outcome) = root.outcome() {
            return outcome.winner;
        }
        let m = if root.position().turn() == Side::White {
            let best = engine.think(&root, &Limits::nodes(500), &Control::default(), &mut |_| {});
            best.best.unwrap()
        } else {
            best_reply(database, &root, random)
        };
        root.play(m);
    }
}

#[test]
fn wins_are_won_and_draws_are_held() {
    let directory = tempfile::tempdir().unwrap();
    let library = build(directory.path(), &[(3, 3), (4, 3), (4, 4)], Format::Distance);
    let (database, _) = Database::open(&Rules::STANDARD, directory.path());
    let database = database.unwrap();
    let mut engine = engine(directory.path());
    let mut random = Random::new(3);
    let (mut won, mut drawn) = (0, 0);
    while won < 40 || drawn < 40 {
        let unit = random.below(3) as usize;
        let index = random.bits() % library.space().states(unit);
        let value = library.value(unit, index).unwrap();
        let start = library.space().position(unit, index);
        if value.is_win() && won < 40 {
            assert_eq!(play_out(&mut engine, &database, start, &mut random), Some(Side::White), "{start}");
            won += 1;
        } else if value == Value::DRAW && drawn < 40 {
            assert_ne!(play_out(&mut engine, &database, start, &mut random), Some(Side::Black), "{start}");
            drawn += 1;
        }
    }
}

#[test]
fn the_engine_tells_the_distance_it_knows() {
    let directory = tempfile::tempdir().unwrap();
    let library = build(directory.path(), &[(3, 3)], Format::Distance);
    let mut engine = engine(directory.path());
    for index in (0..library.space().states(0)).step_by(9973) {
        let value = library.value(0, index).unwrap();
        let root = Root::new(library.space().position(0, index));
        let mut score = None;
        engine.think(&root, &Limits::depth(2), &Control::default(), &mut |info| {
            if let Info::Line(line) = info {
                score = line.score.plies_to_end();
            }
        });
        let signed = value.plies().map(|plies| if value.is_win() { plies as i32 } else { -(plies as i32) });
        assert_eq!(score, signed, "{}", root.position());
    }
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
