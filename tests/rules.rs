//! The rules of every game, held to the same promises.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

use std::fmt::Debug;

use search::walk::walk;
use search::{Engine, Game, MoveList, Random, perft::perft};

/// Random games for each promise.
const GAMES: u64 = 40;
const PLIES: usize = 120;

/// One line for each engine: its type and its table of move counts in `tests/data`.
macro_rules! conformance {
    ($($game:ident: $engine:ty),* $(,)?) => {$(
        mod $game {
            type Engine = $engine;

            #[test]
            fn leaves_of_the_move_tree_are_as_many_as_known() {
                super::perft_table::<Engine>(stringify!($game));
            }

            #[test]
            fn positions_are_read_back_as_written() {
                super::positions_round_trip::<Engine>();
            }

            #[test]
            fn moves_are_read_back_as_written_and_packed_apart() {
                super::moves_round_trip::<Engine>();
            }

            #[test]
            fn text_that_is_no_position_or_move_is_refused_without_a_panic() {
                super::garbage::<Engine>();
            }
        }
    )*};
}

conformance! {
    go: go::Go,
    draughts: draughts::Draughts,
    morris: morris::Morris,
    chess: chess::Chess,
    neighbours: neighbours::Neighbours,
}

/// Not Go: komi and the first move make its sides unequal.
#[test]
fn exchanged_colours_mirror_moves_and_value() {
    mirror::<::chess::Chess>();
    mirror::<::draughts::Draughts>();
    mirror::<::morris::Morris>();
    mirror::<::neighbours::Neighbours>();
}

/// An engine with the options of a line such as `BoardSize=4 Evaluation=basic`.
fn engine_with<E: Engine>(options: &str) -> E {
    let mut engine = E::new();
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').expect("an option is written Name=value");
        engine.set(name, value).unwrap();
    }
    engine
}

fn perft_table<E: Engine>(game: &str) {
    let path = format!("{}/tests/data/{game}.perft", env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    assert!(!lines.is_empty(), "{path} holds no position");
    for line in lines {
        let [options, fen, counts] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("{path}: '{line}' does not have three fields");
        };
        let rules = engine_with::<E>(options).rules();
        let position = E::Game::read(&rules, fen.trim()).unwrap();
        for (count, depth) in counts.split_whitespace().zip(1..) {
            assert_eq!(perft(&position, depth).to_string(), count, "{fen} at depth {depth}");
        }
    }
}

/// Visits every position of some random games.
fn for_random_positions<E: Engine>(mut visit: impl FnMut(&E::Game)) {
    let rules = E::new().rules();
    for seed in 0..GAMES {
        let game = walk(E::Game::start(&rules), PLIES, &mut Random::new(seed));
        game.positions().iter().for_each(&mut visit);
    }
}

fn equal<T: PartialEq + Debug>(left: T, right: T, what: &dyn Debug) {
    assert!(left == right, "{left:?} is not {right:?} in {what:?}");
}

fn positions_round_trip<E: Engine>() {
    let rules = E::new().rules();
    for_random_positions::<E>(|position| {
        let again = E::Game::read(&rules, &position.to_string()).unwrap();
        equal(&again, position, &position.to_string());
        // A position read from text has its key from scratch, one reached by play move by move.
        equal(again.key(), position.key(), &position.to_string());
        equal(again.salt(), position.salt(), &position.to_string());
        assert!(again.same(position));
    });
}

fn moves_round_trip<E: Engine>() {
    for_random_positions::<E>(|position| {
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        equal(position.count(), moves.len() as u64, &position.to_string());
        let mut packed: Vec<u32> = moves.iter().map(|&m| position.pack(m)).collect();
        packed.sort_unstable();
        packed.dedup();
        assert!(packed.len() == moves.len() && !packed.contains(&0), "{position}");
        for m in moves {
            equal(position.parse(&position.write(m)), Ok(m), &position.to_string());
        }
    });
}

fn mirror<E: Engine>() {
    let mut engine = E::new();
    for_random_positions::<E>(|position| {
        let mirrored = position.flipped().expect("colours can be exchanged in this game");
        equal(mirrored.count(), position.count(), &position.to_string());
        equal(mirrored.flipped().as_ref(), Some(position), &position.to_string());
        let mut value = |position: &E::Game| {
            let table = engine.explain(&search::Root::new(position.clone()));
            table.lines().last().unwrap_or_default().to_owned()
        };
        equal(value(&mirrored), value(position), &position.to_string());
    });
}

fn garbage<E: Engine>() {
    let rules = E::new().rules();
    let start = E::Game::start(&rules);
    let fen = start.to_string();
    let mut random = Random::new(1);
    let mut mutate = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() as u32 + 1) as usize;
            match random.below(3) {
                0 => bytes.insert(at, random.below(256) as u8),
                1 if at < bytes.len() => drop(bytes.remove(at)),
                _ if at < bytes.len() => bytes[at] = random.below(128) as u8,
                _ => bytes.extend_from_slice(text.as_bytes()),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    };
    for _ in 0..20_000 {
        // Whatever is accepted must be a position that can be written and counted.
        if let Ok(position) = E::Game::read(&rules, &mutate(&fen)) {
            equal(
                E::Game::read(&rules, &position.to_string()).as_ref(),
                Ok(&position),
                &position.to_string(),
            );
            position.count();
        }
        let mut moves = MoveList::new();
        start.moves(&mut moves);
        if let Ok(m) = start.parse(&mutate(&start.write(moves[0]))) {
            assert!(moves.contains(&m));
        }
    }
}
