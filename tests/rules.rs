//! The rules of every game, held to the same promises.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::fmt::Debug;

use search::testing::perft_rows;
use search::walk::walk;
use search::{Engine, Game, Kind, MoveList, OptionError, Random, Root, Rulebook, perft::perft};

/// Random games for each promise.
const GAMES: usize = 40;
const PLIES: usize = 120;

/// Every game has its table of move counts in `tests/data`.
macro_rules! conformance {
    ($($game:ident $engine:ident $protocol:ident),*) => {$(
        mod $game {
            type Engine = ::$game::$engine;

            const GAME: &str = stringify!($game);

            #[test]
            fn leaves_of_the_move_tree_are_as_many_as_known() {
                super::perft_table::<Engine>(GAME);
            }

            #[test]
            fn positions_are_read_back_as_written() {
                super::positions_round_trip::<Engine>(GAME);
            }

            #[test]
            fn moves_are_read_back_as_written_and_packed_apart() {
                super::moves_round_trip::<Engine>(GAME);
            }

            #[test]
            fn no_position_comes_back_over_an_irreversible_move() {
                super::repetitions::<Engine>(GAME);
            }

            #[test]
            fn exchanged_colours_mirror_moves_and_value() {
                super::mirror::<Engine>(GAME);
            }

            #[test]
            fn text_that_is_no_position_or_move_is_refused_without_a_panic() {
                super::garbage::<Engine>();
            }

            #[test]
            fn a_fresh_engine_has_the_declared_defaults() {
                super::defaults::<Engine>();
            }

            #[test]
            fn rules_are_read_back_as_chosen_and_engines_play_by_them() {
                super::rules_round_trip::<Engine>();
            }
        }
    )*};
}

quintet::for_each_game!(conformance);

/// The text of a game's table of move counts.
fn table(game: &str) -> String {
    let path = format!("{}/tests/data/{game}.perft", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn perft_table<E: Engine>(game: &str) {
    for (engine, fen, counts) in perft_rows::<E>(&table(game)) {
        let position = E::Game::read(&engine.rules(), fen).unwrap();
        for (count, depth) in counts.into_iter().zip(1..) {
            assert_eq!(perft(&position, depth), count, "{fen} at depth {depth}");
        }
    }
}

/// Random games by the rules and from the positions of the table of move counts, each with an engine for its rules.
fn for_random_games<E: Engine>(
    game: &str,
    play: impl Fn(E::Game, usize, &mut Random) -> Root<E::Game>,
    mut visit: impl FnMut(&mut E, &Root<E::Game>),
) {
    let table = table(game);
    let mut rows = perft_rows::<E>(&table);
    let count = rows.len();
    for seed in 0..GAMES.max(count) {
        let (engine, fen, _) = &mut rows[seed % count];
        let start = E::Game::read(&engine.rules(), fen).unwrap();
        visit(engine, &play(start, PLIES, &mut Random::new(seed as u64)));
    }
}

/// Visits every position of some random games.
fn for_random_positions<E: Engine>(game: &str, mut visit: impl FnMut(&mut E, &E::Game)) {
    for_random_games::<E>(game, walk, |engine, game| {
        game.positions().iter().for_each(|position| visit(engine, position));
    });
}

fn legal<G: Game>(position: &G) -> MoveList<G::Move> {
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    moves
}

fn after<G: Game>(position: &G, m: G::Move) -> G {
    let mut next = position.clone();
    next.play(m);
    next
}

fn equal<T: PartialEq + Debug>(left: T, right: T, what: &dyn Debug) {
    assert!(left == right, "{left:?} is not {right:?} in {what:?}");
}

fn positions_round_trip<E: Engine>(game: &str) {
    for_random_positions::<E>(game, |engine, position| {
        let again = E::Game::read(&engine.rules(), &position.to_string()).unwrap();
        equal(&again, position, &position.to_string());
        // A position read from text has its key from scratch, one reached by play move by move.
        equal(again.key(), position.key(), &position.to_string());
        equal(again.salt(), position.salt(), &position.to_string());
        assert!(again.same(position));
    });
}

fn moves_round_trip<E: Engine>(game: &str) {
    for_random_positions::<E>(game, |_, position| {
        let moves = legal(position);
        equal(position.count(), moves.len() as u64, &position.to_string());
        let packed: HashSet<u32> = moves.iter().map(|&m| position.pack(m)).collect();
        assert!(packed.len() == moves.len() && !packed.contains(&0), "{position}");
        for m in moves {
            equal(position.parse(&position.write(m)), Ok(m), &position.to_string());
        }
    });
}

/// A random game that goes on over draws and, half of the time, back to where it was.
fn wander<G: Game>(start: G, plies: usize, random: &mut Random) -> Root<G> {
    let mut game = Root::new(start);
    let mut seen = HashSet::new();
    for _ in 0..plies {
        let position = game.position();
        seen.insert(position.key());
        let mut moves = game.legal();
        if random.below(2) == 0 && moves.iter().any(|&m| seen.contains(&after(position, m).key())) {
            moves.retain(|&m| seen.contains(&after(position, m).key()));
        }
        if moves.is_empty() {
            break;
        }
        game.play(moves[random.below(moves.len() as u32) as usize]);
    }
    game
}

/// The scan back to the last irreversible move finds what a comparison with the whole game finds.
fn repetitions<E: Engine>(game: &str) {
    let (mut repeated, mut irreversible, mut played) = (0, 0, 0);
    for_random_games::<E>(game, wander, |_, game| {
        let mut replay = Root::new(game.start().clone());
        for &m in game.moves() {
            irreversible += usize::from(replay.position().irreversible(m));
            played += 1;
            replay.play(m);
            let (here, before) = replay.positions().split_last().expect("a game has at least its start");
            let earlier = before.iter().filter(|position| position.same(here)).count();
            equal(replay.earlier(), earlier, &here.to_string());
            repeated += earlier;
        }
    });
    // Where all moves are of one kind there is nothing to tell apart.
    let differ = irreversible > 0 && irreversible < played;
    assert!(repeated > 0 || !differ, "no game came back to where it was");
}

/// What each move leads to, but for the number of the move, and whether it is irreversible, in an order of their own.
fn ways<G: Game>(position: &G, seen_as: impl Fn(G) -> G) -> Vec<(u64, u64, bool)> {
    let way = |&m: &G::Move| {
        let next = seen_as(after(position, m));
        (next.key(), next.salt(), position.irreversible(m))
    };
    let mut ways: Vec<_> = legal(position).iter().map(way).collect();
    ways.sort_unstable();
    ways
}

/// Nothing is asked of a game such as Go, whose sides are not equal.
fn mirror<E: Engine>(game: &str) {
    let flip = |position: E::Game| position.flipped().expect("colours can be exchanged in this game");
    if E::Game::start(&E::new().rules()).flipped().is_none() {
        return;
    }
    for_random_positions::<E>(game, |engine, position| {
        let mirrored = flip(position.clone());
        equal(&flip(mirrored.clone()), position, &position.to_string());
        equal(ways(&mirrored, flip), ways(position, |next| next), &position.to_string());
        let mut value = |position: &E::Game| {
            let table = engine.explain(&Root::new(position.clone()));
            table.lines().last().unwrap_or_default().to_owned()
        };
        equal(value(&mirrored), value(position), &position.to_string());
    });
}

fn garbage<E: Engine>() {
    let rules = E::new().rules();
    let start = E::Game::start(&rules);
    let (fen, moves) = (start.to_string(), legal(&start));
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
        if let Ok(m) = start.parse(&mutate(&start.write(moves[0]))) {
            assert!(moves.contains(&m));
        }
    }
}

fn defaults<E: Engine>() {
    let engine = E::new();
    for row in E::options() {
        assert_eq!(row.get(&engine), row.default_value(), "{}", row.name);
    }
    assert_eq!(engine.rules(), <E::Game as Game>::Rules::default());
}

fn rules_round_trip<E: Engine>() {
    type Rules<E> = <<E as Engine>::Game as Game>::Rules;
    for row in Rules::<E>::rows() {
        assert_eq!(row.get(&Rules::<E>::default()), row.default_value(), "{}", row.name);
        for value in values(&row.kind) {
            let rules = Rules::<E>::chosen(&[(row.name.to_uppercase(), value.clone())]).unwrap();
            assert_eq!(row.get(&rules).to_string(), value, "{}", row.name);
            let mut engine = E::new();
            engine.set(row.name, &value).unwrap();
            assert_eq!(engine.rules(), rules, "{}={value}", row.name);
        }
        assert!(Rules::<E>::default().choose(row.name, "perhaps").is_err(), "{}", row.name);
    }
    assert!(matches!(Rules::<E>::default().choose("Hash", "1"), Err(OptionError::Rule { .. })));
}

/// Some values of an option, the outermost among them.
fn values(kind: &Kind) -> Vec<String> {
    match kind {
        Kind::Check { .. } => ["false", "true"].map(str::to_owned).to_vec(),
        Kind::Spin { default, min, max } => [default, min, max].map(ToString::to_string).to_vec(),
        Kind::Combo { choices, .. } => choices.iter().map(ToString::to_string).collect(),
        Kind::Text { default } => vec![(*default).to_owned()],
        Kind::Button => Vec::new(),
    }
}
