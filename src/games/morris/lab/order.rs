//! Table 4: what ordering by static value saves.

use anyhow::Result;

use super::game::{Player, RIVAL, play};
use crate::lab::claim::Claim;
use crate::lab::estimate::{Estimate, number};
use crate::lab::experiment::{Cell, Experiment, Scale, figures};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "morris-order",
    about: "what ordering moves by their static value saves in whole games of morris",
    source: "Wozniak 2019, table 4",
    time: "1 min",
    cells,
    page,
};

/// Evaluation, turns and nodes, and the same when ordered.
const PUBLISHED: [(&str, [f64; 2], [f64; 2]); 3] = [
    ("PAWN", [61.0, 27_492.0], [57.0, 16_457.0]),
    ("MILL", [77.0, 25_665.0], [77.0, 18_186.0]),
    ("MOVE", [31.0, 35_495.0], [29.0, 28_365.0]),
];
const WEIGHTS: [u32; 4] = [1, 3, 9, 27];
/// The orders of moves, with the technique that makes each.
const ORDERS: [(&str, &str); 2] = [("as generated", ""), ("ordered", "static_ordering")];

fn cell_name(evaluation: &str, weight: u32, order: &str) -> String {
    format!("{evaluation}, weight {weight}, {order}")
}

/// The weights that make a difference: PAWN has none.
fn weights(evaluation: &str) -> &'static [u32] {
    if evaluation == "PAWN" { &WEIGHTS[..1] } else { &WEIGHTS }
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let depth = scale.pick([2, RIVAL.depth, RIVAL.depth, RIVAL.depth]);
    let mut cells = Vec::new();
    for (evaluation, ..) in PUBLISHED {
        for &weight in weights(evaluation) {
            for (order, on) in ORDERS {
                cells.push(Cell::new(cell_name(evaluation, weight, order), 1, move |_| {
                    let player = Player { on, evaluation, weight, depth, ..RIVAL };
                    Ok(figures(play([player, RIVAL], None)?.figures()))
                }));
            }
        }
    }
    Ok(cells)
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "One game each at depth 2, four plies, against alpha-beta of the same depth with PAWN; nodes are the first \
         player's. A man weighs 9, a mill or a move as much as the row says, which the report does not print.",
    );
    let figure = |evaluation: &str, weight, order: &str, name: &str| {
        results.sum(&cell_name(evaluation, weight, order), name)
    };
    let mut rows = Vec::new();
    let mut saved = Vec::new();
    for (evaluation, plain, ordered) in PUBLISHED {
        for &weight in weights(evaluation) {
            let mut row = vec![format!("{evaluation}, weight {weight}")];
            for ((order, _), published) in ORDERS.iter().zip([plain, ordered]) {
                for (name, published) in ["turns", "nodes"].into_iter().zip(published) {
                    row.push(or_dash(figure(evaluation, weight, order, name).map(number)));
                    row.push(number(published));
                }
            }
            rows.push(row);
            let [(order, _), (other, _)] = ORDERS;
            let of = |order| figure(evaluation, weight, order, "nodes");
            saved.extend(of(order).zip(of(other)));
        }
    }
    let heads = ["evaluation", "turns", "published", "nodes", "published"];
    let more = ["turns, ordered", "published", "nodes, ordered", "published"];
    page.table(&[heads.as_slice(), &more].concat(), rows);
    let fewer = saved.iter().filter(|(plain, ordered)| ordered < plain).count();
    page.claim(Claim::all("Ordering saves nodes, whatever the weight", fewer, saved.len()));
    let (plain, ordered): (Vec<f64>, Vec<f64>) = saved.into_iter().unzip();
    let nodes = PUBLISHED.map(|(_, plain, ordered)| [plain[1], ordered[1]]);
    let [of_plain, of_ordered] = [0, 1].map(|order| nodes.iter().map(|row| row[order]).sum::<f64>());
    let published = of_ordered / of_plain;
    let what = "Ordering leaves as large a part of the nodes as published";
    page.claim(Claim::equal(what, Estimate::ratio(&ordered, &plain), Estimate::exact(published)));
}
