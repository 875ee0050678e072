//! Table 1: what alpha-beta saves, in games whose every move is the same.

use anyhow::Result;

use super::game::{Player, RIVAL, STEP, play};
use crate::lab::claim::Claim;
use crate::lab::estimate::{Estimate, number};
use crate::lab::experiment::{Cell, Experiment, Scale, figures};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;
use crate::learn::chart::{Curve, Upright};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "morris-minimax",
    about: "min-max and alpha-beta in whole games of morris: nodes, and whether they play the same moves",
    source: "Wozniak 2019, table 1",
    time: "1 min",
    cells,
    page,
};

/// Nodes that the report prints for depths 1 to 3, min-max and alpha-beta.
const PUBLISHED: [(Option<f64>, f64); 3] =
    [(Some(3_408.0), 874.0), (Some(949_030.0), 27_492.0), (None, 911_337.0)];
/// The readings of a step of depth.
const READINGS: [(&str, u32); 2] = [("two plies", STEP), ("one ply", 1)];
/// Deeper min-max takes minutes.
const DEEPEST_MINIMAX: u32 = 4;

fn cell_name(reading: &str, depth: usize) -> String {
    format!("depth {depth} in steps of {reading}")
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let deepest = scale.pick([1, 3, 3, 3]);
    let of = |(reading, plies): (&'static str, u32)| {
        (1..=deepest).map(move |depth| {
            let name = cell_name(reading, depth as usize);
            Cell::new(name, 1, move |_| {
                let rival = Player { depth: 2 * plies, ..RIVAL };
                let of = |algorithm| play([Player { algorithm, depth: depth * plies, ..RIVAL }, rival], None);
                let pruned = of("alpha-beta")?;
                let mut found = figures([("alpha-beta", pruned.nodes as f64)]);
                if depth * plies <= DEEPEST_MINIMAX {
                    let plain = of("minimax")?;
                    let is_same = f64::from(u8::from(plain.moves == pruned.moves));
                    found.extend(figures([("min-max", plain.nodes as f64), ("same", is_same)]));
                }
                Ok(found)
            })
        })
    };
    Ok(READINGS.into_iter().flat_map(of).collect())
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "Nodes of the first player over one game against alpha-beta of depth 2, both with PAWN. The report does not say \
         what a step of its depth is; its numbers are those of two plies, a move and its reply.",
    );
    let figure = |reading: &str, depth: usize, name: &str| results.sum(&cell_name(reading, depth), name);
    let rows = READINGS.into_iter().flat_map(|(reading, _)| (1..=3).map(move |depth| (reading, depth)));
    let row = |(reading, depth): (&str, usize)| {
        let of = |name: &str| or_dash(figure(reading, depth, name).map(number));
        let (minimax, alphabeta) = PUBLISHED[depth - 1];
        let same = figure(reading, depth, "same").map(|same| if same > 0.0 { "yes" } else { "no" });
        vec![
            format!("{depth}, {reading} a step"),
            of("min-max"),
            or_dash(minimax.map(number)),
            of("alpha-beta"),
            number(alphabeta),
            or_dash(same),
        ]
    };
    let heads = ["depth", "min-max", "published", "alpha-beta", "published", "same moves"];
    page.table(&heads, rows.map(row).collect());
    let all = || READINGS.into_iter().flat_map(|(reading, _)| (1..=3).map(move |depth| (reading, depth)));
    let same: Vec<f64> = all().filter_map(|(reading, depth)| figure(reading, depth, "same")).collect();
    let agreeing = same.iter().filter(|&&same| same > 0.0).count();
    page.claim(Claim::all("Alpha-beta takes the same decisions as min-max", agreeing, same.len()));
    let saved = |depth| {
        let (plain, pruned) =
            (figure(READINGS[0].0, depth, "min-max")?, figure(READINGS[0].0, depth, "alpha-beta")?);
        Some(Estimate::exact(plain / pruned))
    };
    let published = 949_030.0 / 27_492.0;
    let what =
        format!("Alpha-beta visits {} times fewer nodes at depth 2, within a quarter", number(published));
    let within = Estimate { value: published, low: published * 0.75, high: published * 1.25 };
    page.claim(Claim::equal(what, saved(2), within));
    let curve = |name: &str, point: &dyn Fn(usize) -> Option<f64>| {
        let points = (1..=3).filter_map(|depth| Some((depth as f64, point(depth)?))).collect();
        Curve { name: name.to_owned(), points }
    };
    let steps = READINGS[0].0;
    let curves = vec![
        curve("min-max", &|depth| figure(steps, depth, "min-max")),
        curve("alpha-beta", &|depth| figure(steps, depth, "alpha-beta")),
        curve("min-max, published", &|depth| PUBLISHED[depth - 1].0),
        curve("alpha-beta, published", &|depth| Some(PUBLISHED[depth - 1].1)),
    ];
    page.chart("Nodes of a game", ["depth in steps of two plies", "nodes"], Upright::Logarithmic, curves);
}
