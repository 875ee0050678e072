//! The searches against their oracle, and against themselves.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

use std::fmt::Debug;

use search::alphabeta::{AlphaBeta, Config, Driver, Mtd, Ordering, Repetition};
use search::minimax::Minimax;
use search::table::Scheme;
use search::walk::open_walk;
use search::{Control, Eval, Game, Info, Limits, Random, Root, Score, Search};

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
    config.ordering = orders[random.below(if table { 4 } else { 2 }) as usize];
    if !table && random.below(2) == 1 {
        config.ordering = Ordering::Heuristic;
    }
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
) -> search::Line<G::Move> {
    let mut last = None;
    search.think(root, limits, &Control::default(), &mut |info| {
        if let Info::Line(line) = info {
            last = Some(line.clone());
        }
    });
    last.expect("a search shows a line")
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

/// One line for each game: start position, opinions, and the length of the random games to test in.
macro_rules! equality {
    ($($game:ident: $start:expr, $eval:expr, $plies:expr;)*) => {$(
        mod $game {
            #[test]
            fn every_value_preserving_switch_gives_the_value_of_minimax() {
                super::all_switches_keep_the_value(&$start, $eval, $plies, false);
            }

            #[test]
            fn the_table_keeps_the_value_when_depths_must_match() {
                super::all_switches_keep_the_value(&$start, $eval, $plies, true);
            }

            #[test]
            fn minimax_and_negamax_agree() {
                super::both_textbook_forms_agree(&$start, $eval);
            }

            #[test]
            fn selective_searches_repeat_and_their_lines_are_legal() {
                super::selective_searches_repeat(&$start, $eval);
            }
        }
    )*};
}

/// Kings shut in behind pawns that meet: captures, en passant and few lines that lead back.
const SHUT_IN: &str = "kb6/ppp5/8/8/8/8/PPP5/KB6 w - - 0 1";

equality! {
    chess:
        <chess::Position as search::Game>::read(&chess::Rules::default(), super::SHUT_IN).unwrap(),
        chess::queem::Payoff::new(std::sync::Arc::new(chess::tuning::thesis())),
        0..10;
    morris:
        <morris::Position as search::Game>::start(&morris::Rules::STANDARD),
        morris::Opinions::default(),
        20..60;
    neighbours:
        <neighbours::Position as search::Game>::start(&neighbours::Rules::default()),
        neighbours::Linear::new(neighbours::tuning::weights(neighbours::Set::Two)),
        25..60;
}
