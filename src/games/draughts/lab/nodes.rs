//! What each technique of the thesis' program saves: table 6.2 and figures 6.7 to 6.11.
//!
//! Nodes are counted as there: all iterations, without the root and without what lies below the horizon, which is part
//! of the evaluation; a root move searched `depth - 1` plies deep is depth `depth`.

use anyhow::{Result, anyhow};
use draughts::endgame::Database;
use draughts::{Draughts, Position, Rules, Variant};
use search::alphabeta::{Config, Counters};
use search::walk::open_walk;
use search::{Control, Engine, Game, Limits, Random, Search};

use crate::lab::claim::Claim;
use crate::lab::estimate::{Estimate, number};
use crate::lab::experiment::{Cell, Experiment, Figures, Scale};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;
use crate::learn::chart::{Curve, Upright};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "draughts-nodes",
    about: "the nodes that each technique saves in draughts, by depth and phase",
    source: "Beling 2006, table 6.2, figures 6.7 to 6.11",
    time: "15 min",
    cells,
    page,
};

/// Random moves before a position: the fewest, and how many numbers of them.
const MOVES: (u64, u64) = (6, 35);
/// Positions of the thesis.
const POSITIONS: usize = 8_750;
/// The depths that the thesis prints.
const PRINTED: [u32; 3] = [6, 10, 14];
const SHALLOWEST: u32 = 5;
/// Phases of figure 6.9, in numbers of moves.
const PHASE: u64 = 5;

/// One row of the table: which techniques are on, and the nodes that the thesis prints.
pub(super) struct Setting {
    name: &'static str,
    fail_soft: bool,
    pvs: bool,
    deepening: bool,
    table: bool,
    window: bool,
    database: bool,
    published: Option<[f64; 3]>,
}

const PLAIN: Setting = Setting {
    name: "alpha-beta",
    fail_soft: true,
    pvs: false,
    deepening: false,
    table: false,
    window: false,
    database: false,
    published: Some([1_706.0, 82_428.0, 3_522_847.0]),
};

const SETTINGS: [Setting; 11] = [
    Setting {
        name: "alpha-beta, deepening",
        deepening: true,
        published: Some([2_423.0, 116_790.0, 4_818_576.0]),
        ..PLAIN
    },
    Setting { name: "PVS", pvs: true, published: Some([1_946.0, 87_873.0, 3_537_031.0]), ..PLAIN },
    PLAIN,
    Setting { name: TABLE_SOFT, table: true, published: TABLE_ALONE, ..PLAIN },
    Setting { name: TABLE_HARD, fail_soft: false, table: true, published: TABLE_ALONE, ..PLAIN },
    Setting { name: DEEPENED, deepening: true, table: true, published: DEEPENED_TABLE, ..PLAIN },
    Setting {
        name: DEEPENED_HARD,
        fail_soft: false,
        deepening: true,
        table: true,
        published: DEEPENED_TABLE,
        ..PLAIN
    },
    Setting {
        name: "PVS, deepening, table",
        pvs: true,
        deepening: true,
        table: true,
        published: Some([1_512.0, 29_082.0, 417_349.0]),
        ..PLAIN
    },
    Setting { name: PROGRAM, ..WHOLE },
    Setting { name: INFORMED, database: true, published: Some([1_501.0, 28_683.0, 412_156.0]), ..WHOLE },
    Setting { name: OURS, published: None, ..PLAIN },
];

/// Rows of the table that are tried in two ways.
const TABLE_ALONE: Option<[f64; 3]> = Some([1_374.0, 42_448.0, 1_037_559.0]);
const DEEPENED_TABLE: Option<[f64; 3]> = Some([1_524.0, 29_708.0, 427_175.0]);
const TABLE_SOFT: &str = "alpha-beta, table";
const TABLE_HARD: &str = "alpha-beta, table, fail-hard";
const DEEPENED_HARD: &str = "alpha-beta, deepening, table, fail-hard";
const DEEPENED: &str = "alpha-beta, deepening, table";
const PROGRAM: &str = "PVS, window, table";
const INFORMED: &str = "PVS, window, table, endgames of 5";
/// Today's engine, by none of these switches.
const OURS: &str = "our default";

/// All techniques but the databases.
pub(super) const WHOLE: Setting = Setting {
    name: PROGRAM,
    fail_soft: true,
    pvs: true,
    deepening: true,
    table: true,
    window: true,
    database: false,
    published: Some([1_510.0, 29_043.0, 416_945.0]),
};

/// The pieces of the thesis' databases.
const PIECES: u32 = 5;

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let scale = *scale;
    let deepest = scale.pick([6, 10, 14, 14]);
    let samples = scale.pick([4, 4 * MOVES.1, 4 * MOVES.1, 250 * MOVES.1]);
    let database = database();
    let known = SETTINGS.iter().filter(|setting| !setting.database || database.is_some());
    Ok(known
        .map(|setting| {
            let database = database.clone().filter(|_| setting.database);
            Cell::new(setting.name, samples, move |sample| count(setting, &database, deepest, &scale, sample))
        })
        .collect())
}

/// The databases of as many pieces as the thesis', if they have been built.
fn database() -> Option<Database> {
    let folder = search::data::directory()?.join("endgame");
    let (database, _) = Database::open(Variant::BRAZILIAN, &folder);
    (database.pieces() == PIECES).then_some(database)
}

/// Searches one position to every depth.
fn count(
    setting: &Setting,
    database: &Option<Database>,
    deepest: u32,
    scale: &Scale,
    sample: u64,
) -> Result<Figures> {
    let plies = MOVES.0 + sample % MOVES.1;
    let mut random = Random::new(scale.seed_of(sample));
    let root = open_walk(&Position::start(&Rules::default()), plies as usize, &mut random);
    let mut engine = Draughts::bare();
    if setting.name != OURS {
        switch(&mut engine, setting, database)?;
    }
    let search = engine.search();
    let mut figures = Figures::new();
    for depth in SHALLOWEST..=deepest {
        Search::<Position>::forget(search);
        search.think(&root, &Limits::depth(depth), &Control::default(), &mut |_| {});
        for (kind, nodes) in kinds(search.counters()) {
            figures.insert(format!("{kind} {depth}"), nodes as f64);
        }
    }
    Ok(figures)
}

/// Makes an engine play by a row of the table.
pub(super) fn switch(engine: &mut Draughts, setting: &Setting, database: &Option<Database>) -> Result<()> {
    engine.set("Preset", "Little Polish")?;
    let search = engine.search();
    let config = search.config().clone();
    let window = config.sliding.filter(|_| setting.window);
    let switched = Config {
        fail_soft: setting.fail_soft,
        pvs: setting.pvs,
        deepening: setting.deepening,
        table_cutoffs: setting.table,
        table_ordering: setting.table,
        sliding: window,
        ..config
    };
    search.set_config(switched).map_err(|why| anyhow!(why))?;
    let mut evaluator = search.eval().clone();
    evaluator.database = database.clone();
    search.set_eval(evaluator);
    Ok(())
}

const NODES: &str = "nodes";
const KINDS: [&str; 5] = [EVALUATED, INNER, TABLE, "ended", "database"];
const EVALUATED: &str = "evaluated";
const INNER: &str = "inner";
const TABLE: &str = "table";

fn kinds(counters: &Counters) -> [(&'static str, u64); 6] {
    let Counters { inner, leaf, table_cut, terminal, database, .. } = *counters;
    let by_kind = [leaf, inner, table_cut, terminal, database];
    let [a, b, c, d, e] = KINDS;
    [(NODES, by_kind.iter().sum()), (a, leaf), (b, inner), (c, table_cut), (d, terminal), (e, database)]
}

fn page(results: &Results, page: &mut Page) {
    let measured: Vec<&Setting> =
        SETTINGS.iter().filter(|setting| results.samples(setting.name) > 0).collect();
    let Some(first) = measured.first() else { return };
    let nodes = |depth: u32| format!("{NODES} {depth}");
    let depths: Vec<u32> =
        (SHALLOWEST..=30).filter(|&depth| results.sum(first.name, &nodes(depth)).is_some()).collect();
    let deepest = depths.last().copied().unwrap_or(SHALLOWEST);
    page.say(
        "Mean nodes over positions after 6 to 40 random moves, each to every depth with an empty table of 2^21 entries; \
         quiescence is part of the evaluation. The size of the table and the number of the iterations' steps are not \
         printed there. The thesis says that its program is fail-soft and prints its table with a fail-hard search, which \
         keeps the edge of the window instead of the best value: two rows are tried so, too.",
    );
    let shown: Vec<(usize, u32)> = (0..).zip(PRINTED).filter(|&(_, depth)| depth <= deepest).collect();
    let heads: Vec<String> =
        shown.iter().flat_map(|(_, depth)| [format!("depth {depth}"), "published".to_owned()]).collect();
    let heads: Vec<&str> = std::iter::once("techniques").chain(heads.iter().map(String::as_str)).collect();
    let rows = measured.iter().map(|setting| {
        let cell = |&(i, depth): &(usize, u32)| {
            let published = setting.published.map(|published| number(published[i]));
            [or_dash(results.mean(setting.name, &nodes(depth))), or_dash(published)]
        };
        std::iter::once(setting.name.to_owned()).chain(shown.iter().flat_map(cell)).collect()
    });
    page.table(&heads, rows.collect());
    let costs =
        |hard: &str, soft: &str| or_dash(results.ratio((hard, &nodes(deepest)), (soft, &nodes(deepest))));
    page.say(&format!(
        "On the same positions fail-hard takes {} times the nodes with the table alone, {} times with deepening.",
        costs(TABLE_HARD, TABLE_SOFT),
        costs(DEEPENED_HARD, DEEPENED)
    ));
    claims(results, page, &shown);
    let ratio =
        |setting: &Setting, depth| results.ratio((setting.name, &nodes(depth)), (PLAIN.name, &nodes(depth)));
    let curves = |of: &dyn Fn(&Setting, u32) -> Option<f64>| {
        let points = |setting: &Setting| {
            depths.iter().filter_map(|&depth| Some((f64::from(depth), of(setting, depth)?))).collect()
        };
        measured.iter().map(|s| Curve { name: s.name.to_owned(), points: points(s) }).collect::<Vec<_>>()
    };
    let mean = |setting: &Setting, depth| Some(results.mean(setting.name, &nodes(depth))?.value);
    let published = WHOLE
        .published
        .into_iter()
        .flat_map(|values| shown.iter().map(move |&(i, depth)| (depth, values[i])));
    let points = published.map(|(depth, nodes)| (f64::from(depth), nodes)).collect();
    let by_depth = [curves(&mean), vec![Curve { name: format!("{PROGRAM}, published"), points }]].concat();
    page.chart("Nodes by depth", ["depth", NODES], Upright::Logarithmic, by_depth);
    let saved = |setting: &Setting, depth| Some(ratio(setting, depth)?.value);
    page.chart("Nodes in parts of alpha-beta's", ["depth", "part"], Upright::Linear, curves(&saved));
    let phases = measured.iter().map(|setting| {
        let point = |phase: u64| {
            let is_of = |sample: u64| sample % MOVES.1 / PHASE == phase;
            let mean = results.mean_of(setting.name, &nodes(deepest), is_of)?;
            Some(((MOVES.0 + phase * PHASE) as f64 + (PHASE - 1) as f64 / 2.0, mean.value))
        };
        let points = (0..MOVES.1 / PHASE).filter_map(point).collect();
        Curve { name: setting.name.to_owned(), points }
    });
    let title = format!("Nodes to depth {deepest} by phase");
    page.chart(&title, ["moves played", NODES], Upright::Logarithmic, phases.collect());
    let shares = KINDS.map(|kind| {
        let point = |&depth: &u32| Some((f64::from(depth), share(results, kind, depth)?.value * 100.0));
        Curve { name: kind.to_owned(), points: depths.iter().filter_map(point).collect() }
    });
    page.chart(
        &format!("Kinds of nodes: {}", described(results)),
        ["depth", "% of the nodes"],
        Upright::Linear,
        shares.into(),
    );
}

/// Whose kinds of nodes are told: the whole program's, with its databases if there are any.
fn described(results: &Results) -> &'static str {
    [INFORMED, PROGRAM].into_iter().find(|name| results.samples(name) > 0).unwrap_or(PLAIN.name)
}

/// The part of its nodes that are of a kind.
fn share(results: &Results, kind: &str, depth: u32) -> Option<Estimate> {
    let of = described(results);
    results.ratio((of, &format!("{kind} {depth}")), (of, &format!("{NODES} {depth}")))
}

fn claims(results: &Results, page: &mut Page, shown: &[(usize, u32)]) {
    let Some(&(printed, depth)) = shown.last() else { return };
    let nodes = format!("{NODES} {depth}");
    for setting in &SETTINGS {
        let Some(published) = setting.published else { continue };
        let (value, taken) = (published[printed], results.samples(setting.name));
        let what = format!("{} at depth {depth}", setting.name);
        page.claim(match results.mean(setting.name, &nodes) {
            None if setting.database => Claim::incomparable(
                what,
                "`quintet build endgame` has not built the endgames of 5 pieces here",
            ),
            None => Claim::equal(what, None, Estimate::exact(value)),
            Some(ours) => Claim::equal(what, Some(ours), ours.published(value, taken, POSITIONS)),
        });
    }
    let times = |upper: &str, lower: &str| results.ratio((upper, &nodes), (lower, &nodes));
    if depth == PRINTED[2] {
        let shrunk = times(PLAIN.name, DEEPENED);
        page.claim(Claim::above(
            "Table and deepening shrink the tree at depth 14 more than 8.2 times",
            shrunk,
            8.2,
        ));
    }
    let deeper = times(SETTINGS[0].name, PLAIN.name);
    page.claim(Claim::above("Deepening without a table costs nodes", deeper, 1.0));
    let narrower = times(PROGRAM, "PVS, deepening, table");
    page.claim(Claim::below("The window saves nodes", narrower, 1.0));
    let of = described(results);
    let kind = |kind: &str| format!("{kind} {depth}");
    page.claim(Claim::above(
        "More nodes are evaluated leaves than inner nodes",
        results.ratio((of, &kind(EVALUATED)), (of, &kind(INNER))),
        1.0,
    ));
    page.claim(Claim::above(
        "The deeper the tree, the larger the part of its nodes that the table cuts off",
        share(results, TABLE, depth),
        share(results, TABLE, SHALLOWEST).map_or(f64::NAN, |share| share.high),
    ));
}
