//! How few leaves a search can do with: Knuth and Moore's analysis, as section 5.1 of the thesis tells it.

use anyhow::{Result, anyhow};
use search::alphabeta::{Algorithm, AlphaBeta, Choice, Config};
use search::theory::critical::{self, Leaves, Shape};
use search::theory::{Order, Uniform};
use search::{Game, Limits, Root, Search};

use crate::lab::claim::Claim;
use crate::lab::estimate::number;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale, figures};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;
use crate::learn::chart::{Curve, Upright};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "chess-critical",
    about: "the leaves of uniform trees that minimax, one-bound pruning, alpha-beta and PVS examine, by the order of moves",
    source: "Kushnir, 5.1, theorem 1 and corollary 2",
    time: "1 min",
    cells,
    page,
};

/// Trees by their branching and depth, from small to large.
const TREES: [(u32, u32); 10] =
    [(2, 4), (3, 4), (4, 4), (5, 4), (6, 4), (6, 5), (6, 6), (6, 7), (10, 5), (12, 6)];

/// What the formula says of a kind of search, by branching and depth.
type Formula = fn(u64, u64) -> u64;

const SEARCHES: [(&str, Algorithm, Formula); 4] = [
    (MINIMAX, Algorithm::Minimax, |branching, depth| critical::all_leaves(branching, depth as u32)),
    ("one bound", Algorithm::OneBound, |branching, depth| {
        critical::one_bound_leaves(branching, depth as u32)
    }),
    (ALPHA_BETA, Algorithm::FailSoft, |branching, depth| critical::critical_leaves(branching, depth as u32)),
    ("PVS", Algorithm::Pvs, |branching, depth| critical::critical_leaves(branching, depth as u32)),
];
const MINIMAX: &str = "minimax";
const ALPHA_BETA: &str = "alpha-beta";

const ORDERS: [(&str, Order); 3] =
    [(BEST, Order::Best), ("random", Order::Random), ("best last", Order::Worst)];
const BEST: &str = "best first";

const LEAVES: &str = "leaves";
const VALUE: &str = "value";

fn cell_name(search: &str, order: &str, (branching, depth): (u32, u32)) -> String {
    format!("{search}, {order}, {branching}^{depth}")
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let (trees, seeds) = (scale.pick([2, 8, 10, 10]), scale.pick([2, 5, 20, 100]));
    let scale = *scale;
    let mut cells = Vec::new();
    for &tree in &TREES[..trees] {
        for (search, algorithm, _) in SEARCHES {
            for (order_name, order) in ORDERS {
                // Minimax does not care.
                if search == MINIMAX && order != Order::Best {
                    continue;
                }
                cells.push(Cell::new(cell_name(search, order_name, tree), seeds, move |sample| {
                    count(algorithm, order, tree, scale.seed_of(sample))
                }));
            }
        }
    }
    Ok(cells)
}

fn count(algorithm: Algorithm, order: Order, (branching, depth): (u32, u32), seed: u64) -> Result<Figures> {
    let mut search = AlphaBeta::new(Config::plain(), Leaves);
    search
        .choose::<Uniform>(Choice { algorithm, ..Choice::default() })
        .map_err(|why| anyhow!("{algorithm:?}: {why}"))?;
    let root = Root::new(Uniform::start(&Shape { branching, order, seed }));
    let (_, lines) = search.ask(&root, &Limits::depth(depth));
    let value = lines.last().map_or(f64::NAN, |line| f64::from(line.score.0));
    Ok(figures([(LEAVES, search.counters().leaf as f64), (VALUE, value)]))
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "Every position of a tree has the same number of moves; their values are made so that the best one is known. \
         Trees of a kind differ in the values of their leaves. Where the best move always comes first, alpha-beta \
         examines the critical leaves, b^ceil(d/2) + b^floor(d/2) - 1, and no search can do with fewer.",
    );
    let mean = |search, order, tree| results.mean(&cell_name(search, order, tree), LEAVES);
    let measured: Vec<(u32, u32)> =
        TREES.into_iter().filter(|&tree| mean(MINIMAX, BEST, tree).is_some()).collect();
    let mut rows = Vec::new();
    let (mut agreeing, mut compared, mut right, mut valued) = (0, 0, 0, 0);
    for &(branching, depth) in &measured {
        for (search, _, formula) in SEARCHES {
            let predicted = formula(branching.into(), depth.into()) as f64;
            let leaves = results.values(&cell_name(search, BEST, (branching, depth)), LEAVES);
            agreeing += leaves.iter().filter(|&&count| count == predicted).count();
            compared += leaves.len();
            for (order, _) in ORDERS {
                let values = results.values(&cell_name(search, order, (branching, depth)), VALUE);
                right += values.iter().filter(|&&value| value == 0.0).count();
                valued += values.len();
            }
            let of = |order| or_dash(mean(search, order, (branching, depth)));
            let tree = format!("{branching} moves, {depth} plies");
            let [best, random, last] = ORDERS.map(|(order, _)| of(order));
            rows.push(vec![tree, search.to_owned(), number(predicted), best, random, last]);
        }
    }
    page.table(&["tree", "search", "formula", "best first", "random order", "best last"], rows);
    page.claim(Claim::all("With the best move first every count is that of the formula", agreeing, compared));
    page.claim(Claim::all("Whatever the order, the value is that of minimax", right, valued));
    let Some(&largest) = measured.last() else { return };
    let times = results.ratio(
        (&cell_name(ALPHA_BETA, "best last", largest), LEAVES),
        (&cell_name(ALPHA_BETA, BEST, largest), LEAVES),
    );
    page.claim(Claim::above("The order of moves decides what alpha-beta saves", times, 1.0));
    // Trees of six moves are there by every depth.
    let curve = |name: &str, search: &'static str, order: &'static str| Curve {
        name: name.to_owned(),
        points: measured
            .iter()
            .filter(|(branching, _)| *branching == 6)
            .filter_map(|&tree| Some((f64::from(tree.1), mean(search, order, tree)?.value)))
            .collect(),
    };
    let mut curves = vec![curve("minimax", MINIMAX, BEST)];
    curves.extend(ORDERS.map(|(order, _)| curve(&format!("alpha-beta, {order}"), ALPHA_BETA, order)));
    page.chart("Leaves of trees of six moves", ["plies", "leaves"], Upright::Logarithmic, curves);
}
