//! The searches against their oracle, and against themselves.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

use std::fmt::Debug;

use search::alphabeta::{AlphaBeta, Config, Driver, Mtd, Ordering, Repetition};
use search::minimax::Minimax;
use search::table::Scheme;
use search::testing::Checked;
use search::walk::open_walk;
use search::{Bound, Engine, Eval, Game, Limits, Line, Random, Root, Score, Search};

const DEPTH: u32 = 4;
const POSITIONS: u64 = 100;
const COMBINATIONS: u64 = 200;
/// The largest trees compared: twenty thousand searches must end in a minute.
const LEAVES: u64 = 6_000;
/// Plies of noisy moves: none, cut short, and as far as they go.
const QUIESCENCE: [Option<u32>; 3] = [None, Some(2), Some(16)];

/// A random setting of every switch that must not change the value of a search.
fn random_config(random: &mut Random, table: bool) -> Config {
    let mut flip = || random.below(2) == 1;
    let mut config = Config {
        fail_soft: flip(),
        one_bound: flip(),
        pvs: flip(),
        deepening: flip(),
        easy_move: flip(),
        history: flip(),
        killers: flip(),
        counter_moves: flip(),
        table_cutoffs: table && flip(),
        table_ordering: table && flip(),
        exact_depth: true,
        ..Config::plain()
    };
    if table && flip() {
        config.etc = Some(2);
    }
    config.aspiration = [None, Some(5), Some(50)][random.below(3) as usize];
    config.sliding = [None, None, Some(5), Some(50)][random.below(4) as usize];
    config.quiescence = QUIESCENCE[random.below(3) as usize];
    let schemes = [Scheme::Clustered, Scheme::AlwaysReplace, Scheme::DepthPreferred];
    config.scheme = schemes[random.below(3) as usize];
    let orders = [Ordering::Generated, Ordering::Static, Ordering::Children, Ordering::Heuristic];
    // Without a table that cuts, the third still orders by what was stored, and else at random.
    config.ordering = orders[random.below(4) as usize];
    config.put_off = random.below(2) == 1;
    let drivers = [
        Driver::Window,
        Driver::Window,
        Driver::Minimax,
        Driver::Mtd(Mtd::F),
        Driver::Mtd(Mtd::Sss),
        Driver::Mtd(Mtd::Dual),
        Driver::Mtd(Mtd::Step(40)),
        Driver::Mtd(Mtd::Bi),
    ];
    config.driver = drivers[random.below(8) as usize];
    config
}

/// The last line shown by a search.
fn last_line<G: Game, E: Eval<G> + Sync>(
    search: &mut AlphaBeta<E>,
    root: &Root<G>,
    limits: &Limits,
) -> Line<G::Move> {
    search.ask(root, limits).1.pop().expect("a search shows a line")
}

/// A position with the values that minimax finds in it, one for each entry of `QUIESCENCE`.
struct Case<G: Game> {
    root: Root<G>,
    values: [Score; 3],
}

/// Whether any line of `depth` plies meets a draw by repetition or counter.
fn meets_draw<G: Game>(line: &mut Root<G>, depth: u32) -> bool {
    depth > 0
        && line.legal().into_iter().any(|m| {
            line.play(m);
            let drawn = line.position().drawn(if line.earlier() > 0 { usize::MAX / 2 } else { 0 }).is_some();
            let found = drawn || meets_draw(line, depth - 1);
            line.undo();
            found
        })
}

/// Random positions whose trees minimax can search whole in a moment; on request only such without a draw.
fn cases<G: Game, E: Eval<G>>(
    start: &G,
    eval: &E,
    plies: std::ops::Range<u32>,
    decided: bool,
) -> Vec<Case<G>> {
    let mut random = Random::new(7);
    let mut found = Vec::new();
    while found.len() < POSITIONS as usize {
        let length = plies.start + random.below(plies.end - plies.start);
        let mut root = Root::new(open_walk(start, length as usize, &mut random).position().clone());
        if search::perft::perft(root.position(), DEPTH) > LEAVES || (decided && meets_draw(&mut root, DEPTH))
        {
            continue;
        }
        let values = QUIESCENCE.map(|plies| {
            let mut eval = eval.clone();
            Minimax::new(&mut eval, plies.unwrap_or(0)).negamax(&root, DEPTH)
        });
        found.push(Case { root, values });
    }
    found
}

fn all_switches_keep_the_value<G: Game, E: Eval<G> + Sync>(
    start: &G,
    eval: E,
    plies: std::ops::Range<u32>,
    table: bool,
) {
    // Values that rest on a path may not be shared between paths, and a table shares.
    let cases = cases(start, &eval, plies, table);
    let mut random = Random::new(11);
    for _ in 0..COMBINATIONS {
        let config = random_config(&mut random, table);
        let expected = QUIESCENCE.iter().position(|&q| q == config.quiescence).expect("one of the three");
        let mut search = AlphaBeta::new(config.clone(), eval.clone());
        search.common.threads = 1 + random.below(2) as usize;
        // A fresh small table for each position keeps the thousands of searches independent and quick.
        search.set_entries(1 << 12).unwrap();
        for case in &cases {
            Search::<G>::forget(&mut search);
            let line = last_line(&mut search, &case.root, &Limits::depth(DEPTH));
            assert_eq!(line.score, case.values[expected], "{} with {config:?}", case.root.position());
        }
    }
}

fn both_textbook_forms_agree<G: Game, E: Eval<G>>(start: &G, mut eval: E) {
    let mut random = Random::new(3);
    for _ in 0..10 {
        let root = open_walk(start, 10 + random.below(20) as usize, &mut random);
        let mut oracle = Minimax::new(&mut eval, 4);
        let negamax = oracle.negamax(&root, 2);
        let minimax = oracle.minimax(&root, 2);
        let white = root.position().turn() == search::Side::White;
        assert_eq!(if white { minimax } else { -minimax }, negamax);
    }
}

/// Configurations with the techniques that may change values: they must repeat, and their lines must be legal.
fn selective_searches_repeat<G: Game, E: Eval<G> + Sync>(start: &G, eval: E)
where
    G::Move: Debug,
{
    let mut random = Random::new(5);
    for round in 0..24 {
        let config = Config {
            null_move: [None, Some(2)][random.below(2) as usize],
            late_move_reductions: random.below(2) == 1,
            internal_reduction: random.below(2) == 1,
            futility: [None, Some(60)][random.below(2) as usize],
            forced_extension: random.below(2) == 1,
            repetition: [Repetition::TreeOnce, Repetition::Any][random.below(2) as usize],
            ..Config::default()
        };
        let root = open_walk(start, 4 + round % 30, &mut random);
        let run = || {
            let mut search = AlphaBeta::new(config.clone(), eval.clone());
            last_line(&mut search, &root, &Limits::nodes(20_000))
        };
        let (first, second) = (run(), run());
        assert_eq!(
            (first.score, first.nodes, &first.pv),
            (second.score, second.nodes, &second.pv),
            "{config:?}"
        );
        let mut line = root.clone();
        for &m in &first.pv {
            assert!(line.legal().contains(&m), "{m:?} in the line of {}", root.position());
            line.play(m);
        }
    }
}

/// All lines of all moves, best first, each with the value of minimax.
fn every_line_has_its_value<G: Game, E: Eval<G> + Sync>(start: &G, mut eval: E, plies: std::ops::Range<u32>) {
    for case in cases(start, &eval, plies, true).iter().take(20) {
        let count = case.root.legal().len();
        let config = Config { pvs: true, aspiration: Some(20), deepening: true, ..Config::plain() };
        let mut search = AlphaBeta::new(config, eval.clone());
        search.common.multipv = count;
        let (_, mut lines) = search.ask(&case.root, &Limits::depth(DEPTH));
        lines.retain(|line| line.depth == DEPTH && line.bound == Bound::Exact);
        let position = case.root.position();
        assert_eq!(
            lines.iter().map(|line| line.multipv).collect::<Vec<_>>(),
            (1..=count).collect::<Vec<_>>()
        );
        assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{position}");
        let mut found: Vec<_> = lines.iter().map(|line| (position.pack(line.pv[0]), line.score)).collect();
        let values = Minimax::new(&mut eval, 0).moves(&case.root, DEPTH);
        let mut wanted: Vec<_> = values.iter().map(|&(m, value)| (position.pack(m), value)).collect();
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted, "{position}");
    }
}

/// An MTD search that ends once its move is certain gives up the value, not the move.
fn the_move_that_is_certain_is_best<G: Game, E: Eval<G> + Sync>(
    start: &G,
    mut eval: E,
    plies: std::ops::Range<u32>,
) where
    G::Move: Debug,
{
    for (i, case) in cases(start, &eval, plies, true).iter().enumerate() {
        let kinds = [Mtd::F, Mtd::Sss, Mtd::Dual, Mtd::Step(40), Mtd::Bi];
        let driver = Driver::Mtd(kinds[i % kinds.len()]);
        let config = Config { driver, best_move_stop: true, deepening: i % 2 == 0, ..Config::plain() };
        let mut search = AlphaBeta::new(config, eval.clone());
        let (best, _) = search.ask(&case.root, &Limits::depth(DEPTH));
        let m = best.best.expect("the game goes on");
        let values = Minimax::new(&mut eval, 0).moves(&case.root, DEPTH);
        assert!(values.contains(&(m, case.values[0])), "{m:?} in {}", case.root.position());
    }
}

/// What the lab counts fits together, whatever is switched on.
fn counters_add_up<G: Game, E: Eval<G> + Sync>(start: &G, eval: E) {
    let mut random = Random::new(9);
    for round in 0..20 {
        let root = open_walk(start, 10 + round, &mut random);
        let config = random_config(&mut random, round % 2 == 0);
        let mut search = AlphaBeta::new(config.clone(), eval.clone());
        let line = last_line(&mut search, &root, &Limits::depth(3));
        // A game that is won at once needs no search.
        if line.score == Score::win_in(1) {
            continue;
        }
        let counters = search.counters();
        // The root is searched once or more for each iteration, and counted as a node of no kind.
        let roots = line.nodes - counters.nodes();
        assert!((1..line.nodes).contains(&roots), "{roots} with {config:?}");
        assert!(counters.inner > 0 && counters.leaf > 0 && counters.database == 0, "{counters:?}");
        assert!(config.quiescence.is_some() || counters.quiescence == 0, "{counters:?}");
        assert!(counters.hits <= counters.probes && counters.table_cut <= counters.hits, "{counters:?}");
        assert!(config.table_cutoffs || counters.table_cut == 0, "{counters:?}");
        let cutoffs: u64 = counters.cutoffs.iter().sum();
        assert!(cutoffs <= counters.inner);
        // Where captures are forced there may be nothing to choose, and so nothing to cut.
        if search::perft::perft(root.position(), 3) > 100 {
            assert_eq!(cutoffs == 0, config.driver == Driver::Minimax, "{counters:?} with {config:?}");
        }
    }
}

/// A search that ends in mid-iteration answers with the line it showed last.
fn the_answer_is_the_last_line<G: Game, E: Eval<G> + Sync>(start: &G, eval: E) {
    let mut random = Random::new(13);
    for round in 0..40 {
        let root = open_walk(start, 4 + round % 20, &mut random);
        let mut search = AlphaBeta::new(Config::default(), eval.clone());
        let (best, shown) = search.ask(&root, &Limits::nodes(1_000 + 700 * round as u64));
        // A bound counts only if the search ends with it.
        let exact = shown.iter().rfind(|line| line.bound == Bound::Exact);
        let answers = |line: &Line<G::Move>| {
            (best.best, best.ponder) == (line.pv.first().copied(), line.pv.get(1).copied())
        };
        assert!(shown.last().into_iter().chain(exact).any(answers), "{}", root.position());
    }
}

/// One line for each game: start position, opinions, and the length of the random games to test in. The opinions are
/// checked: no search may ask about a position without having told the way to it.
macro_rules! equality {
    ($($game:ident: $start:expr, $eval:expr, $plies:expr;)*) => {$(
        mod $game {
            #[test]
            fn every_value_preserving_switch_gives_the_value_of_minimax() {
                super::all_switches_keep_the_value(&$start, super::Checked::new($eval), $plies, false);
            }

            #[test]
            fn the_table_keeps_the_value_when_depths_must_match() {
                super::all_switches_keep_the_value(&$start, super::Checked::new($eval), $plies, true);
            }

            #[test]
            fn minimax_and_negamax_agree() {
                super::both_textbook_forms_agree(&$start, super::Checked::new($eval));
            }

            #[test]
            fn every_line_of_many_has_the_value_of_minimax() {
                super::every_line_has_its_value(&$start, super::Checked::new($eval), $plies);
            }

            #[test]
            fn a_search_for_the_move_alone_finds_a_best_one() {
                super::the_move_that_is_certain_is_best(&$start, super::Checked::new($eval), $plies);
            }

            #[test]
            fn what_is_counted_adds_up() {
                super::counters_add_up(&$start, super::Checked::new($eval));
            }

            #[test]
            fn the_answer_is_the_line_shown_last() {
                super::the_answer_is_the_last_line(&$start, super::Checked::new($eval));
            }

            #[test]
            fn selective_searches_repeat_and_their_lines_are_legal() {
                super::selective_searches_repeat(&$start, super::Checked::new($eval));
            }
        }
    )*};
}

/// Kings shut in behind pawns that meet: captures, en passant and few lines that lead back.
const SHUT_IN: &str = "kb6/ppp5/8/8/8/8/PPP5/KB6 w - - 0 1";

equality! {
    chess:
        <chess::Position as search::Game>::read(&chess::Rules::default(), super::SHUT_IN).unwrap(),
        chess::tuning::evaluator(chess::Evaluation::Thesis),
        0..10;
    draughts:
        <draughts::Position as search::Game>::start(&draughts::Rules::default()),
        draughts::Evaluator::new(draughts::Evaluation::Patterns(draughts::Patterns::built_in().into()), None),
        10..50;
    morris:
        <morris::Position as search::Game>::start(&morris::Rules::STANDARD),
        morris::Evaluator::default(),
        20..60;
    neighbours:
        <neighbours::Position as search::Game>::start(&neighbours::Rules::default()),
        neighbours::Evaluator::new(neighbours::tuning::weights(neighbours::Set::Two)),
        25..60;
    breakthrough:
        <breakthrough::Position as search::Game>::start(&breakthrough::Rules::new(5).unwrap()),
        breakthrough::Evaluator { races: false, ..breakthrough::Evaluator::default() },
        6..24;
}

/// Black is to repeat the first position of the game for the first time.
fn before_a_repetition() -> (Root<::morris::Position>, Limits) {
    let start =
        ::morris::Position::read(&::morris::Rules::STANDARD, "w.....w./.w...w.w/b.b.b.b. w 0 0 0 -").unwrap();
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
        last_line(&mut AlphaBeta::new(config, ::morris::Evaluator::default()), &root, &limits).score
    };
    assert_eq!(value(Repetition::Any), Score::DRAW);
    // Once in the game and once in the tree is not yet three times.
    assert_ne!(value(Repetition::TreeOnce), Score::DRAW);
}

#[test]
fn a_forced_end_of_the_best_line_does_not_end_the_others() {
    let fen = "ww....w./..bb...b/........ w 0 0 0 -";
    let position = ::morris::Position::read(&::morris::Rules::STANDARD, fen).unwrap();
    let mut search = AlphaBeta::new(Config::default(), ::morris::Evaluator::default());
    // Six moves close a mill and win at once.
    search.common.multipv = 7;
    let line = last_line(&mut search, &Root::new(position), &Limits::depth(8));
    assert_eq!((line.multipv, line.depth), (7, 8));
}

/// Points of White in a game of Neighbours between two levels, from some random moves on.
fn weak_game(levels: [&str; 2], seed: u64) -> f64 {
    let mut engines = levels.map(|level| {
        let mut engine = ::neighbours::Neighbours::new();
        engine.set("Skill Level", level).unwrap();
        engine
    });
    let start = ::neighbours::Position::start(&::neighbours::Rules::default());
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
    let start = ::neighbours::Position::start(&::neighbours::Rules::default());
    let mut lesser = 0;
    for seed in 0..20 {
        let root = open_walk(&start, 4, &mut Random::new(seed));
        let mut engine = ::neighbours::Neighbours::new();
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
