//! What probing costs: the table of the thesis' program, and ours (6.5.4, figures 6.4 to 6.6).
//!
//! As there, a position is searched to depth 3, 5, ... by PVS, and the table is emptied for the next position only. The
//! whole key of every entry is kept beside the table, so that an entry of another position is told for what it is.

use anyhow::{Result, anyhow};
use draughts::{Draughts, Position, Rules};
use search::alphabeta::Config;
use search::table::{LOADS, Scheme};
use search::walk::open_walk;
use search::{Control, Engine, Game, Limits, Random, Search};

use crate::lab::claim::Claim;
use crate::lab::estimate::{Estimate, number};
use crate::lab::experiment::{Cell, Experiment, Figures, Scale};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;
use crate::learn::chart::{Curve, Upright};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "draughts-table",
    about: "what probes of the hash table cost in draughts, and how often they take one position for another",
    source: "Beling 2006, 6.5.4, figures 6.4 to 6.6",
    time: "10 min",
    cells,
    page,
};

/// Random moves before a position: the fewest, and how many numbers of them.
const MOVES: (u64, u64) = (6, 35);
/// Positions of the thesis.
const POSITIONS: usize = 35_000;
/// The first depth, the step to the next, and the last one of the thesis.
const DEPTHS: (u32, usize) = (3, 2);
const DEEPEST: u32 = 15;
/// The most places a probe looks at that the pictures show.
const SHOWN: usize = 10;

/// A table: how its entries lie, 2 to which power of them, and the mean number of comparisons that the thesis prints.
struct Trial {
    scheme: Scheme,
    power: u32,
    published: Option<f64>,
}

const TRIALS: [Trial; 6] = [
    Trial { scheme: Scheme::Open, power: 20, published: Some(1.67) },
    Trial { scheme: Scheme::Open, power: 21, published: Some(1.28) },
    Trial { scheme: Scheme::Open, power: 22, published: Some(1.07) },
    Trial { scheme: Scheme::Clustered, power: 20, published: None },
    Trial { scheme: Scheme::Clustered, power: 21, published: None },
    Trial { scheme: Scheme::Clustered, power: 22, published: None },
];

impl Trial {
    fn name(&self) -> String {
        let whose = if self.scheme == Scheme::Open { "double hashing" } else { "ours" };
        format!("{whose}, 2^{}", self.power)
    }
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let scale = *scale;
    let deepest = scale.pick([5, 13, DEEPEST, DEEPEST]);
    let samples = scale.pick([2, MOVES.1, 4 * MOVES.1, POSITIONS as u64]);
    let cell = |trial: &'static Trial| {
        Cell::new(trial.name(), samples, move |sample| count(trial, deepest, &scale, sample))
    };
    Ok(TRIALS.iter().map(cell).collect())
}

const PROBES: &str = "probes";
const LOOKS: &str = "looks";
const MISTAKEN: &str = "mistaken";
const DEPTH: &str = "depth";

fn with_looks(looks: usize) -> String {
    format!("probes with {looks}")
}

/// Figures by load: all probes, and those that found nothing.
const BY_LOAD: [[&str; 2]; 2] = [["probes at", "looks at"], ["misses at", "missing looks at"]];

/// Searches one position to every depth.
fn count(trial: &Trial, deepest: u32, scale: &Scale, sample: u64) -> Result<Figures> {
    let plies = MOVES.0 + sample % MOVES.1;
    let mut random = Random::new(scale.seed_of(sample));
    let root = open_walk(&Position::start(&Rules::default()), plies as usize, &mut random);
    let mut engine = Draughts::bare();
    engine.set("Preset", "Little Polish")?;
    let search = engine.search();
    let config = Config {
        scheme: trial.scheme,
        deepening: false,
        sliding: None,
        fresh_table: false,
        ..search.config().clone()
    };
    search.set_config(config).map_err(|why| anyhow!(why))?;
    search.count_probes(1 << trial.power).map_err(|why| anyhow!(why))?;
    for depth in (DEPTHS.0..=deepest).step_by(DEPTHS.1) {
        search.think(&root, &Limits::depth(depth), &Control::default(), &mut |_| {});
    }
    let census = search.table().census().expect("it counts");
    let mut figures = Figures::new();
    let mut add = |name: String, n: u64| figures.insert(name, n as f64);
    for (looks, &probes) in (1..).zip(&census.by_looks) {
        add(with_looks(looks), probes);
    }
    let all =
        |of: fn(u64, u64) -> u64| (1..).zip(&census.by_looks).map(|(looks, &n)| of(looks, n)).sum::<u64>();
    add(PROBES.to_owned(), all(|_, n| n));
    add(LOOKS.to_owned(), all(|looks, n| looks * n));
    add(MISTAKEN.to_owned(), census.mistaken);
    add(DEPTH.to_owned(), u64::from(deepest));
    for (load, at) in census.by_load.iter().enumerate() {
        let counts = [[at.probes, at.looks], [at.misses, at.missing_looks]];
        for (name, count) in BY_LOAD.as_flattened().iter().zip(counts.as_flattened()) {
            add(format!("{name} {load}"), *count);
        }
    }
    Ok(figures)
}

fn page(results: &Results, page: &mut Page) {
    let measured: Vec<&Trial> = TRIALS.iter().filter(|trial| results.samples(&trial.name()) > 0).collect();
    page.say(
        "Places that a probe looks at, an empty one counted, over positions after 6 to 40 random moves, each searched \
         to depth 3, 5, ... by PVS with one table, as in the thesis. There a visit to a node is one access that makes \
         its entry, too; here an entry is made when its node is done, and a place looked at for that is not counted. \
         Entries of double hashing take 8 bytes, ours 16; ours looks at the four entries of a cache line.",
    );
    let mean = |trial: &Trial| results.ratio((&trial.name(), LOOKS), (&trial.name(), PROBES));
    let rows = measured.iter().map(|trial| {
        let sum = |figure| results.sum(&trial.name(), figure);
        vec![
            trial.name(),
            or_dash(mean(trial)),
            or_dash(trial.published.map(number)),
            or_dash(sum(PROBES).map(number)),
            or_dash(sum(MISTAKEN).map(number)),
        ]
    });
    let heads = ["table", "places a probe", "published", "probes", "of them mistaken"];
    page.table(&heads, rows.collect());
    for trial in &measured {
        let Some(published) = trial.published else { continue };
        let name = trial.name();
        let what = format!("{name}: a probe compares {published} keys on average");
        let depth = results.values(&name, DEPTH).first().copied().unwrap_or_default();
        if depth < f64::from(DEEPEST) {
            // The deeper, the fuller.
            let why = format!("searched to depth {depth} alone, in the thesis to {DEEPEST}");
            page.claim(Claim::incomparable(what, why));
            continue;
        }
        let ours = mean(trial);
        let theirs = ours.map_or(Estimate::exact(published), |ours| {
            ours.published(published, results.samples(&name), POSITIONS)
        });
        page.claim(Claim::equal(what, ours, theirs));
    }
    page.claim(mistakes(results, &measured));
    curves(results, page, &measured);
}

/// The thesis met 11 mistakes in 10^10 probes, all of them with 2^20 entries.
fn mistakes(results: &Results, measured: &[&Trial]) -> Claim {
    let (mut probes, mut mistaken) = (0.0, 0.0);
    for trial in measured.iter().filter(|trial| trial.scheme == Scheme::Open) {
        probes += results.sum(&trial.name(), PROBES).unwrap_or(0.0);
        mistaken += results.sum(&trial.name(), MISTAKEN).unwrap_or(0.0);
    }
    let what = "One probe in 10^9 takes another position's entry for its own";
    if mistaken == 0.0 {
        let expected = number(probes * 11.0 / 1e10);
        return Claim::incomparable(
            what,
            format!("none did in {} probes, where {expected} were to be expected", number(probes)),
        );
    }
    // Rare events scatter as the root of their number.
    let rate = Estimate::spread(mistaken, mistaken.sqrt()).times(1e9 / probes);
    Claim::equal(what, Some(rate), Estimate::spread(1.1, 1.1 / 11f64.sqrt()))
}

fn curves(results: &Results, page: &mut Page, measured: &[&Trial]) {
    let curve = |name: String, points: Vec<(f64, f64)>| Curve { name, points };
    let by_looks = measured.iter().map(|trial| {
        let share = |looks: usize| {
            let of_all = results.ratio((&trial.name(), &with_looks(looks)), (&trial.name(), PROBES))?;
            Some((looks as f64, of_all.value * 100.0))
        };
        curve(trial.name(), (1..=SHOWN).filter_map(share).collect())
    });
    let axes = ["places looked at", "% of the probes"];
    page.chart("Probes by the places they look at", axes, Upright::Linear, by_looks.collect());
    let middle = |load: usize| (load as f64 + 0.5) / LOADS as f64;
    let at_load = |[probes, looks]: [&str; 2]| {
        let point = |load: usize| {
            let sum = |name: &str| {
                let of = |trial: &&&Trial| results.sum(&trial.name(), &format!("{name} {load}"));
                measured
                    .iter()
                    .filter(|trial| trial.scheme == Scheme::Open)
                    .filter_map(|t| of(&t))
                    .sum::<f64>()
            };
            let (probes, looks) = (sum(probes), sum(looks));
            (probes > 0.0).then(|| (middle(load) * 100.0, looks / probes))
        };
        (0..LOADS).filter_map(point).collect::<Vec<_>>()
    };
    let [all, missing] = BY_LOAD.map(at_load);
    let reached = missing.last().map_or(0.0, |last| last.0);
    // The least that the bound promises within a twentieth is what it says at its upper end.
    let kept =
        missing.iter().filter(|(load, looks)| *looks <= 1.0 / (1.0 - load / 100.0 - 0.5 / LOADS as f64));
    page.claim(Claim::all(
        "At no load does a probe that finds nothing look at more than 1/(1 - load) places",
        kept.count(),
        missing.len(),
    ));
    let bound = (0..LOADS).map(|load| (middle(load) * 100.0, 1.0 / (1.0 - middle(load))));
    page.chart(
        "Double hashing by load",
        ["% of the entries taken", "places looked at"],
        Upright::Linear,
        vec![
            curve("all probes".to_owned(), all),
            curve("probes that found nothing".to_owned(), missing),
            curve("1/(1 - load)".to_owned(), bound.take_while(|point| point.0 <= reached).collect()),
        ],
    );
}
