//! What each technique of the search saves in Neighbours, of Skoulakis's program and of ours: sections 4.1 and 7.1.

use anyhow::{Result, anyhow};
use neighbours::{Neighbours, Position, Rules};
use search::alphabeta::{Config, Ordering};
use search::walk::open_walk;
use search::{Control, Engine, Game, Info, Limits, Random, Root, Search};

use crate::lab::claim::Claim;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale, figures};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "neighbours-search",
    about: "what each technique saves in Neighbours, and how deep two seconds lead",
    source: "Skoulakis 2010, 4.1, 5.3 and 7.1",
    time: "6 min",
    cells,
    page,
};

/// Random plies before a position: the fewest, and how many numbers of them.
const PLIES: (u32, u32) = (8, 32);
/// Limits of the timed cells, in seconds.
const SECONDS: u64 = 2;
const PRESETS: [&str; 2] = [THESIS, "default"];
const THESIS: &str = "Thesis";

/// Takes one technique away; those that a program does not have change nothing of it.
type Without = (&'static str, fn(&mut Config));

const WITHOUT: [Without; 10] = [
    ("nothing", |_| {}),
    (TABLE, |config| {
        config.table_cutoffs = false;
        config.table_ordering = false;
        if config.ordering == Ordering::Children {
            config.ordering = Ordering::Generated;
        }
    }),
    ("table cutoffs", |config| config.table_cutoffs = false),
    ("ordering by the table", |config| {
        config.table_ordering = false;
        if config.ordering == Ordering::Children {
            config.ordering = Ordering::Generated;
        }
    }),
    ("PVS", |config| config.pvs = false),
    ("deepening", |config| config.deepening = false),
    ("aspiration", |config| config.aspiration = None),
    ("killers and counter moves", |config| {
        config.killers = false;
        config.counter_moves = false;
    }),
    ("history", |config| config.history = false),
    ("reductions", |config| {
        config.late_move_reductions = false;
        config.internal_reduction = false;
    }),
];
const TABLE: &str = "the table";

fn cell_name(preset: &str, without: &str) -> String {
    format!("{preset} without {without}")
}

fn timed_name(preset: &str) -> String {
    format!("{preset}, {SECONDS} s")
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let (depth, positions) = (scale.pick([2, 5, 6, 7]), scale.pick([2, 20, 100, 500]));
    let timed = scale.pick([0, 5, 20, 100]);
    let scale = *scale;
    let mut cells = Vec::new();
    for preset in PRESETS {
        for (name, change) in WITHOUT {
            if config(preset)? == changed(preset, change)? && name != WITHOUT[0].0 {
                continue;
            }
            cells.push(Cell::new(cell_name(preset, name), positions, move |sample| {
                count(preset, change, depth, &position(&scale, sample))
            }));
        }
        let reach = move |sample| depth_in_time(preset, &position(&scale, sample));
        cells.push(Cell::new(timed_name(preset), timed, reach).timed());
    }
    Ok(cells)
}

fn engine(preset: &str) -> Result<Neighbours> {
    let mut engine = Neighbours::alone();
    engine.set("Preset", preset)?;
    Ok(engine)
}

fn config(preset: &str) -> Result<Config> {
    Ok(engine(preset)?.search().config().clone())
}

fn changed(preset: &str, change: fn(&mut Config)) -> Result<Config> {
    let mut config = config(preset)?;
    change(&mut config);
    Ok(config)
}

fn position(scale: &Scale, sample: u64) -> Root<Position> {
    let mut random = Random::new(scale.seed_of(sample));
    let plies = PLIES.0 + random.below(PLIES.1);
    open_walk(&Position::start(&Rules::default()), plies as usize, &mut random)
}

fn count(preset: &str, change: fn(&mut Config), depth: u32, root: &Root<Position>) -> Result<Figures> {
    let mut engine = engine(preset)?;
    engine.search().set_config(changed(preset, change)?).map_err(|why| anyhow!(why))?;
    engine.think(root, &Limits::depth(depth), &Control::default(), &mut |_| {});
    Ok(figures([(NODES, engine.search().counters().nodes() as f64)]))
}

const NODES: &str = "nodes";
const DEPTH: &str = "depth";

fn depth_in_time(preset: &str, root: &Root<Position>) -> Result<Figures> {
    let limits = Limits::move_time(std::time::Duration::from_secs(SECONDS));
    let mut reached = 0;
    engine(preset)?.think(root, &limits, &Control::default(), &mut |info| {
        if let Info::Line(line) = info {
            reached = reached.max(line.depth);
        }
    });
    Ok(figures([(DEPTH, f64::from(reached))]))
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "Nodes to a fixed depth with one technique less, in parts of those with all of them, over positions after 8 to \
         39 random plies. The thesis gives no such figures, only what it holds its depth to be due to.",
    );
    let whole = |preset: &str| cell_name(preset, WITHOUT[0].0);
    let times =
        |preset: &str, name: &str| results.ratio((&cell_name(preset, name), NODES), (&whole(preset), NODES));
    let rows = WITHOUT.map(|(name, _)| {
        let of = |preset| or_dash(times(preset, name));
        std::iter::once(name.to_owned()).chain(PRESETS.map(of)).collect()
    });
    page.table(&["without", PRESETS[0], PRESETS[1]], rows.into());
    let depths = PRESETS.map(|preset| results.mean(&timed_name(preset), DEPTH));
    let row = |preset: &str, depth| vec![preset.to_owned(), or_dash(depth)];
    let rows = PRESETS.into_iter().zip(depths).map(|(preset, depth)| row(preset, depth));
    page.table(&["program", "depth in 2 s"], rows.collect());
    page.claim(Claim::above("The table saves nodes in the thesis' program", times(THESIS, TABLE), 1.0));
    let [table, pvs] = [TABLE, "PVS"].map(|name| cell_name(THESIS, name));
    page.claim(Claim::above(
        "More nodes are searched there without the table than without PVS",
        results.ratio((&table, NODES), (&pvs, NODES)),
        1.0,
    ));
    page.claim(Claim::incomparable(
        "It reaches 8 plies in less than 2 s on a typical computer",
        "the computer of 2010 is not named; ours is another",
    ));
}
