//! The endgame databases: how many positions they hold, how long wins take, and what they do to a search: table 6.1 and
//! section 6.5.5 of the thesis.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use draughts::endgame::Database;
use draughts::{Draughts, Position, Rules, Variant};
use search::endgame::Standing;
use search::walk::walk;
use search::{Control, Game, Info, Limits, Random, Root, Search, Side};

use super::nodes::{WHOLE, switch};
use crate::lab::claim::Claim;
use crate::lab::estimate::number;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale, figures};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "draughts-database",
    about: "the endgame databases of draughts: sizes, longest wins, and what they do to a search",
    source: "Beling 2006, table 6.1 and 6.5.5",
    time: "3 min, once they are built",
    cells,
    page,
};

const TABLES: &str = "tables";
const SEARCHES: [&str; 2] = ["with databases", "without"];
const NODES: &str = "nodes";
const SCORE: &str = "score";
/// Positions searched have at most so many pieces more than the databases.
const NEAR: u32 = 3;
/// Plies after which a random game that has not come near them is given up.
const LONGEST_WALK: usize = 100;

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let folder = search::data::directory().context("there is no data directory")?.join("endgame");
    let known = open(&folder).pieces();
    ensure!(
        known > 0,
        "'{}' holds no endgames of draughts; `quintet build endgame draughts` makes them",
        folder.display()
    );
    let (depth, samples) = (scale.pick([3, 8, 10, 12]), scale.pick([2, 50, 300, 2_000]));
    let scale = *scale;
    let tables = folder.clone();
    let mut cells = vec![Cell::new(TABLES, 1, move |_| Ok(sizes(&open(&tables))))];
    for name in SEARCHES {
        let database = (name == SEARCHES[0]).then(|| open(&folder));
        cells.push(Cell::new(name, samples, move |sample| {
            let root = near(known, &mut Random::new(scale.seed_of(sample)));
            search(&root, &database, depth)
        }));
    }
    Ok(cells)
}

fn open(folder: &Path) -> Database {
    Database::open(Variant::BRAZILIAN, folder).0
}

/// Positions, values and bytes by number of pieces.
fn sizes(database: &Database) -> Figures {
    let library = database.library();
    let mut found = Figures::new();
    for table in
        library.present().filter_map(|unit| Some((library.space().pieces(unit), library.table(unit)?)))
    {
        let (pieces, table) = table;
        let summary = table.summary(|_| Standing::Own);
        let counts = [
            ("positions", table.states),
            ("won", summary.won),
            ("drawn", summary.drawn),
            ("lost", summary.lost),
            ("bytes", table.size()),
        ];
        for (name, count) in counts {
            *found.entry(format!("{name} {pieces}")).or_default() += count as f64;
        }
        let longest = found.entry(format!("longest {pieces}")).or_default();
        *longest = longest.max(f64::from(summary.deepest));
    }
    found
}

/// A random game that has just come near the databases.
fn near(known: u32, random: &mut Random) -> Root<Position> {
    loop {
        let plies = 1 + random.below(LONGEST_WALK as u32) as usize;
        let game = walk(Position::start(&Rules::default()), plies, random);
        let pieces: u32 =
            [Side::White, Side::Black].map(|side| game.position().pieces(side).count_ones()).iter().sum();
        if game.outcome().is_none() && (known + 1..=known + NEAR).contains(&pieces) {
            return game;
        }
    }
}

fn search(root: &Root<Position>, database: &Option<Database>, depth: u32) -> Result<Figures> {
    let mut engine = Draughts::bare();
    switch(&mut engine, &WHOLE, database)?;
    let search = engine.search();
    let mut score = 0;
    search.think(root, &Limits::depth(depth), &Control::default(), &mut |info| {
        if let Info::Line(line) = info {
            score = line.score.0;
        }
    });
    let counters = search.counters();
    Ok(figures([(NODES, (counters.nodes() - counters.quiescence) as f64), (SCORE, f64::from(score))]))
}

/// The numbers that the thesis gives to placements of so many pieces: 2^2i C(32, i).
fn numbers(pieces: u32) -> f64 {
    (0..pieces).map(|i| 4.0 * f64::from(32 - i) / f64::from(i + 1)).product()
}

fn page(results: &Results, page: &mut Page) {
    let of = |name: &str, pieces: u32| results.sum(TABLES, &format!("{name} {pieces}"));
    let known: Vec<u32> = (2..=32).take_while(|&pieces| of("positions", pieces).is_some()).collect();
    let rows = known.iter().map(|&pieces| {
        let share = |name| {
            let part = of(name, pieces).zip(of("positions", pieces));
            or_dash(part.map(|(part, all)| format!("{:.1}", 100.0 * part / all)))
        };
        let whole = |name| or_dash(of(name, pieces).map(number));
        vec![
            pieces.to_string(),
            number(numbers(pieces).round()),
            whole("positions"),
            whole("bytes"),
            share("won"),
            share("drawn"),
            share("lost"),
            whole("longest"),
        ]
    });
    page.say(
        "The thesis numbers every placement, those with a man on its promotion row or with one side alone included, and \
         keeps a byte for each; here positions alone are numbered, and packed. White is to move, or Black with the \
         colours exchanged.",
    );
    let heads = ["pieces", "numbers, published", "positions", "bytes", "won, %", "drawn, %", "lost, %"];
    page.table(&[heads.as_slice(), &["longest win, plies"]].concat(), rows.collect());
    let [with, without] = SEARCHES;
    let ratio = results.ratio((with, NODES), (without, NODES));
    let pairs = results.values(with, SCORE).into_iter().zip(results.values(without, SCORE));
    let (changed, all) =
        pairs.fold((0, 0), |(changed, all), (a, b)| (changed + usize::from(a != b), all + 1));
    page.say(&format!(
        "In positions with up to {NEAR} pieces more than the databases hold, a search with them has {} times the nodes \
         of one without, and another score in {changed} of {all} positions.",
        or_dash(ratio)
    ));
    page.claim(Claim::below("The databases shrink the trees of searches near them", ratio, 1.0));
}
