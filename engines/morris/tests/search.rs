//! The shared search in morris.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

use morris::{Evaluator, Position, Rules};
use search::alphabeta::{AlphaBeta, Config, Repetition};
use search::{Game, Limits, Root, Score, Search};

search::techniques!(morris::Morris);

search::equality!(Position::start(&Rules::STANDARD), Evaluator::default(), 20..60);

/// Black is to repeat the first position of the game for the first time.
fn before_a_repetition() -> (Root<Position>, Limits) {
    let start = Position::read(&Rules::STANDARD, "w.....w./.w...w.w/b.b.b.b. w 0 0 0 -").unwrap();
    let mut root = Root::new(start);
    for m in ["a7-d7", "c5-d5", "d7-a7"] {
        root.play_text(m).unwrap();
    }
    let back = root.position().parse("d5-c5").unwrap();
    let limits = Limits { only: vec![root.position().pack(back)], ..Limits::depth(1) };
    (root, limits)
}

#[test]
fn a_repetition_is_read_as_the_switch_says() {
    let (root, limits) = before_a_repetition();
    let value = |repetition| {
        let config = Config { repetition, ..Config::plain() };
        AlphaBeta::new(config, Evaluator::default()).ask(&root, &limits).1.last().unwrap().score
    };
    assert_eq!(value(Repetition::Any), Score::DRAW);
    // Once in the game and once in the tree is not yet three times.
    assert_ne!(value(Repetition::TreeOnce), Score::DRAW);
}

#[test]
fn a_forced_end_of_the_best_line_does_not_end_the_others() {
    let fen = "ww....w./..bb...b/........ w 0 0 0 -";
    let position = Position::read(&Rules::STANDARD, fen).unwrap();
    let mut search = AlphaBeta::new(Config::default(), Evaluator::default());
    // Six moves close a mill and win at once.
    search.common.multipv = 7;
    let (_, lines) = search.ask(&Root::new(position), &Limits::depth(8));
    let line = lines.last().unwrap();
    assert_eq!((line.multipv, line.depth), (7, 8));
}
