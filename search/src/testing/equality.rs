//! The shared search of any game against its oracle, and against itself: a test file of one line for every engine.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

use std::fmt::Debug;

use crate::alphabeta::{AlphaBeta, Config, Driver, Mtd, Ordering, Repetition};
use crate::table::Scheme;
use crate::testing::minimax::Minimax;
use crate::walk::open_walk;
use crate::{Bound, Eval, Game, Limits, Line, Random, Root, Score, Search};

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
        table_narrowing: table && flip(),
        open_cutoffs: table && flip(),
        table_leaves: table && flip(),
        table_ordering: table && flip(),
        fresh_table: table && flip(),
        exact_depth: true,
        ..Config::plain()
    };
    if table && flip() {
        config.etc = Some(2);
    }
    config.aspiration = [None, Some(5), Some(50)][random.below(3) as usize];
    config.sliding = [None, None, Some(5), Some(50)][random.below(4) as usize];
    config.quiescence = QUIESCENCE[random.below(3) as usize];
    let schemes = [Scheme::Clustered, Scheme::Open, Scheme::Single];
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
        if crate::perft::perft(root.position(), DEPTH) > LEAVES || (decided && meets_draw(&mut root, DEPTH)) {
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

/// Any setting of the switches that promise it returns the value of minimax.
pub fn all_switches_keep_the_value<G: Game, E: Eval<G> + Sync>(
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

/// Minimax from White's view and negamax from the mover's are the same value.
pub fn both_textbook_forms_agree<G: Game, E: Eval<G>>(start: &G, mut eval: E) {
    let mut random = Random::new(3);
    for _ in 0..10 {
        let root = open_walk(start, 10 + random.below(20) as usize, &mut random);
        let mut oracle = Minimax::new(&mut eval, 4);
        let negamax = oracle.negamax(&root, 2);
        let minimax = oracle.minimax(&root, 2);
        let white = root.position().turn() == crate::Side::White;
        assert_eq!(if white { minimax } else { -minimax }, negamax);
    }
}

/// Configurations with the techniques that may change values: they must repeat, and their lines must be legal.
pub fn selective_searches_repeat<G: Game, E: Eval<G> + Sync>(start: &G, eval: E)
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
pub fn every_line_has_its_value<G: Game, E: Eval<G> + Sync>(
    start: &G,
    mut eval: E,
    plies: std::ops::Range<u32>,
) {
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
pub fn the_move_that_is_certain_is_best<G: Game, E: Eval<G> + Sync>(
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
pub fn counters_add_up<G: Game, E: Eval<G> + Sync>(start: &G, eval: E) {
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
        if crate::perft::perft(root.position(), 3) > 100 {
            assert_eq!(cutoffs == 0, config.driver == Driver::Minimax, "{counters:?} with {config:?}");
        }
    }
}

/// A search that ends in mid-iteration answers with the line it showed last.
pub fn the_answer_is_the_last_line<G: Game, E: Eval<G> + Sync>(start: &G, eval: E) {
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

/// Holds the shared search to the values of minimax in a game: a start position, an evaluator, and the length of the
/// random games to test in. The evaluator is checked: no search may ask about a position without having told the way
/// to it.
#[macro_export]
macro_rules! equality {
    ($start:expr, $eval:expr, $plies:expr) => {
        #[test]
        fn every_value_preserving_switch_gives_the_value_of_minimax() {
            $crate::testing::equality::all_switches_keep_the_value(
                &$start,
                $crate::testing::Checked::new($eval),
                $plies,
                false,
            );
        }

        #[test]
        fn the_table_keeps_the_value_when_depths_must_match() {
            $crate::testing::equality::all_switches_keep_the_value(
                &$start,
                $crate::testing::Checked::new($eval),
                $plies,
                true,
            );
        }

        #[test]
        fn minimax_and_negamax_agree() {
            $crate::testing::equality::both_textbook_forms_agree(
                &$start,
                $crate::testing::Checked::new($eval),
            );
        }

        #[test]
        fn every_line_of_many_has_the_value_of_minimax() {
            $crate::testing::equality::every_line_has_its_value(
                &$start,
                $crate::testing::Checked::new($eval),
                $plies,
            );
        }

        #[test]
        fn a_search_for_the_move_alone_finds_a_best_one() {
            $crate::testing::equality::the_move_that_is_certain_is_best(
                &$start,
                $crate::testing::Checked::new($eval),
                $plies,
            );
        }

        #[test]
        fn what_is_counted_adds_up() {
            $crate::testing::equality::counters_add_up(&$start, $crate::testing::Checked::new($eval));
        }

        #[test]
        fn the_answer_is_the_line_shown_last() {
            $crate::testing::equality::the_answer_is_the_last_line(
                &$start,
                $crate::testing::Checked::new($eval),
            );
        }

        #[test]
        fn selective_searches_repeat_and_their_lines_are_legal() {
            $crate::testing::equality::selective_searches_repeat(
                &$start,
                $crate::testing::Checked::new($eval),
            );
        }
    };
}
