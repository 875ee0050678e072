//! The shared search in Neighbours.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

use neighbours::{Evaluator, Neighbours, Position, Rules, Set, tuning};
use search::walk::open_walk;
use search::{Control, Engine, Game, Limits, Random, Search};

search::techniques!(neighbours::Neighbours);

search::equality!(Position::start(&Rules::default()), Evaluator::new(tuning::weights(Set::Two)), 25..60);

#[test]
fn a_bench_obeys_and_names_all_options_but_table_and_threads() {
    let bench = |options: &[(&str, &str)]| {
        let mut engine = Neighbours::alone();
        engine.set("BoardSize", "4").unwrap();
        options.iter().for_each(|(name, value)| engine.set(name, value).unwrap());
        engine.bench(&Control::default())
    };
    let small = bench(&[]);
    assert_eq!(small.remarks, ["Options          : BoardSize=4"]);
    let table = bench(&[("Hash", "1"), ("Threads", "2")]);
    assert_eq!(table.remarks[1], "Not obeyed       : Hash=1, Threads=2");
    assert_eq!(table.nodes, small.nodes);
    let other = bench(&[("Switch Off", "killers"), ("Counters", "true")]);
    assert_eq!(other.remarks[0], "Options          : Counters=true, BoardSize=4, Switch Off=killers");
    assert!(
        other.nodes != small.nodes && other.remarks[1].starts_with("nodes: inner "),
        "{:?}",
        other.remarks
    );
}

#[test]
fn the_thesis_narrows_its_window_by_bounds_and_keeps_no_moves() {
    let searched = |options: &[(&str, &str)]| {
        let mut engine = Neighbours::alone();
        engine.set("Preset", "Thesis").unwrap();
        options.iter().for_each(|(name, value)| engine.set(name, value).unwrap());
        let start = Position::start(&Rules::default());
        let game = open_walk(&start, 6, &mut Random::new(3));
        engine.think(&game, &Limits::depth(5), &Control::default(), &mut |_| {});
        engine.counters().unwrap().clone()
    };
    let whole = searched(&[]);
    assert!(whole.hits > 0);
    assert_ne!(whole, searched(&[("Switch Off", "table_narrowing")]));
    // Its entries hold no move to be tried first.
    let mut thesis = Neighbours::alone();
    thesis.set("Preset", "Thesis").unwrap();
    let error = thesis.set("Switch On", "table_ordering").unwrap_err().to_string();
    assert!(error.contains("it would have no effect"), "{error}");
}

/// Points of White in a game of Neighbours between two levels, from some random moves on.
fn weak_game(levels: [&str; 2], seed: u64) -> f64 {
    let mut engines = levels.map(|level| {
        let mut engine = Neighbours::alone();
        engine.set("Skill Level", level).unwrap();
        engine
    });
    let start = Position::start(&Rules::default());
    let mut root = open_walk(&start, 4, &mut Random::new(seed));
    while root.outcome().is_none() {
        let engine = &mut engines[root.position().turn().index()];
        let (best, _) = engine.ask(&root, &Limits::nodes(1000));
        let m = best.best.expect("the game goes on");
        assert!(root.legal().contains(&m));
        root.play(m);
    }
    match root.outcome().and_then(|outcome| outcome.winner) {
        None => 0.5,
        Some(winner) => f64::from(u8::from(winner == search::Side::White)),
    }
}

#[test]
fn a_weak_player_shows_the_score_of_the_move_it_plays() {
    let start = Position::start(&Rules::default());
    let mut lesser = 0;
    for seed in 0..20 {
        let root = open_walk(&start, 4, &mut Random::new(seed));
        let mut engine = Neighbours::alone();
        engine.set("Skill Level", "2").unwrap();
        engine.set("MultiPV", "8").unwrap();
        let (best, lines) = engine.ask(&root, &Limits::depth(2));
        let shown = lines.iter().rfind(|line| line.multipv == 1).unwrap();
        assert_eq!(shown.pv.first().copied(), best.best);
        let ranked = lines.iter().find(|line| (line.depth, &line.pv) == (2, &shown.pv)).unwrap();
        assert_eq!(ranked.score, shown.score);
        lesser += u32::from(ranked.multipv > 1);
    }
    assert!(lesser > 0, "at this level it errs now and then");
}

#[test]
fn lower_levels_play_visibly_weaker() {
    for (weak, strong) in [("0", "10"), ("8", "20")] {
        let points: f64 =
            (0..6).map(|seed| weak_game([strong, weak], seed) + 1.0 - weak_game([weak, strong], seed)).sum();
        assert!(points >= 8.5, "level {strong} made {points} of 12 points against level {weak}");
    }
}
