//! What users may change about a search by name, held to its promise: a test file of one line for every engine.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

use std::cell::LazyCell;

use crate::alphabeta::Algorithm;
use crate::alphabeta::techniques::TECHNIQUES;
use crate::walk::walk;
use crate::{Engine, Game, Kind, Limits, OptionError, Random, Root, Score};

/// Seen on the clock alone, with several threads, where a side has a single move, and where a game has come back to a
/// position: not in games of random moves.
const UNSEEN: [&str; 4] = ["easy_move", "put_off", "forced_extension", "any_repetition"];

/// Depths at which a technique may show.
const DEPTHS: [u32; 2] = [5, 7];

/// An engine with its presets, each chosen in turn.
fn presets<E: Engine>() -> Vec<Vec<(&'static str, &'static str)>> {
    let rows = E::options();
    let preset = rows.iter().find(|row| row.name == "Preset").map(|row| row.kind.clone());
    match preset {
        Some(Kind::Combo { choices, .. }) => {
            choices.into_iter().map(|choice| vec![("Preset", choice), ("Hash", "1")]).collect()
        }
        _ => vec![vec![("Hash", "1")]],
    }
}

fn engine<E: Engine>(settings: &[(&str, &str)]) -> E {
    let mut engine = E::new();
    settings.iter().for_each(|(name, value)| engine.set(name, value).unwrap());
    engine
}

/// Pairs of roots that follow each other in a random game.
fn roots<E: Engine>(engine: &E, seed: u64, plies: usize) -> Vec<Root<E::Game>> {
    let game = walk(E::Game::start(&engine.rules()), plies, &mut Random::new(seed));
    let mut root = Root::new(game.start().clone());
    let mut roots = Vec::new();
    for (ply, &m) in game.moves().iter().enumerate() {
        if [4, 6].contains(&(ply % 16)) {
            roots.push(root.clone());
        }
        root.play(m);
    }
    roots
}

/// What the engine finds in random games.
fn findings<E: Engine>(engine: &mut E, depth: u32) -> Vec<(u64, Score)> {
    let mut found = Vec::new();
    for seed in 0..2 {
        for root in roots(engine, seed, 90) {
            let (_, lines) = engine.ask(&root, &Limits::depth(depth));
            found.extend(lines.last().map(|line| (line.nodes, line.score)));
        }
    }
    found
}

/// Each word makes a difference, or is refused by name.
pub fn words<E: Engine>() {
    let mut idle = Vec::new();
    for preset in &presets::<E>() {
        // Some techniques wait for a deeper search.
        let usual = DEPTHS.map(|depth| LazyCell::new(move || findings(&mut engine::<E>(preset), depth)));
        for technique in TECHNIQUES.iter().filter(|technique| !UNSEEN.contains(&technique.name)) {
            let mut taken = 0;
            for way in ["Switch Off", "Switch On"] {
                let mut engine = engine::<E>(preset);
                match engine.set(way, technique.name) {
                    Ok(()) => {
                        taken += 1;
                        let is_usual =
                            |(depth, usual): (u32, &LazyCell<_, _>)| findings(&mut engine, depth) == **usual;
                        if DEPTHS.into_iter().zip(&usual).all(is_usual) {
                            idle.push(format!("{preset:?} {way} {}", technique.name));
                        }
                    }
                    Err(OptionError::Failed { why, .. }) => {
                        assert!(why.contains(&format!("'{}'", technique.name)), "{why}");
                        let choice = engine.set(way, "").and_then(|()| engine.set("Algorithm", "default"));
                        assert_eq!(choice, Ok(()), "{way} {}", technique.name);
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            assert!(taken < 2, "{} is both on and off", technique.name);
        }
        let why = engine::<E>(preset).set("Switch Off", "magic").unwrap_err().to_string();
        assert!(why.contains("no such technique: 'magic' (the techniques are "), "{why}");
    }
    assert!(idle.is_empty(), "without effect: {idle:#?}");
}

/// What makes the value of a search depend on its windows or on what was searched before; and captures, which minimax
/// would follow for ever.
const SELECTIVE: [&str; 6] =
    ["null_move", "late_move_reductions", "internal_reduction", "futility", "forced_extension", "quiescence"];

/// All algorithms find the value of minimax.
pub fn algorithms<E: Engine>() {
    for preset in presets::<E>() {
        let mut first = engine::<E>(&preset);
        if first.set("Algorithm", "minimax").is_err() {
            continue;
        }
        let mut values = Vec::new();
        for (word, _) in Algorithm::WORDS {
            let mut engine = engine::<E>(&preset);
            engine.set("Algorithm", word).unwrap();
            let mut off = String::new();
            for name in SELECTIVE {
                let longer = format!("{off} {name}");
                if engine.set("Switch Off", &longer).is_ok() {
                    off = longer;
                }
            }
            // Refused where no table cuts.
            let _ = engine.set("Switch On", "exact_depth");
            let mut found = Vec::new();
            for root in roots(&engine, 5, 60) {
                engine.forget();
                found.extend(engine.ask(&root, &Limits::depth(3)).1.last().map(|line| line.score));
            }
            values.push((word, found));
        }
        for (word, found) in &values {
            assert_eq!(found, &values[1].1, "{preset:?}: {word} against {}", values[1].0);
        }
    }
}

/// Holds what users may change about the search of an engine to its promise.
#[macro_export]
macro_rules! techniques {
    ($engine:ty) => {
        #[test]
        fn every_word_makes_a_difference_or_is_refused_by_name() {
            $crate::testing::techniques::words::<$engine>();
        }

        #[test]
        fn every_algorithm_finds_the_same_value() {
            $crate::testing::techniques::algorithms::<$engine>();
        }
    };
}
