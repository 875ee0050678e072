//! Table 6.2, figures 6.10 and 6.11: GO GAME against GNU Go on boards of all sizes.

use anyhow::Result;

use super::tournament::{
    BLACK_CAPTURED, BLACK_PASSED_FIRST, BLACK_RESIGNED, Limit, MARGIN, MOVES, WHITE_CAPTURED,
    WHITE_PASSED_FIRST, WHITE_RESIGNED, against_gnugo, terms,
};
use crate::lab::claim::Claim;
use crate::lab::estimate::{Estimate, number};
use crate::lab::experiment::{Cell, Experiment, Scale};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;
use crate::learn::chart::{Curve, Upright};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "go-gnugo",
    about: "GO GAME against GNU Go on eight boards: wins, margins, lengths, captures",
    source: "Śliwa 2013, table 6.2, figures 6.10 and 6.11",
    time: "60 min",
    cells,
    page,
};

const SIZES: [usize; 8] = [5, 7, 9, 11, 13, 15, 17, 19];
const LIMIT: Limit = Limit { playouts: 2_000, seconds: 3 };
/// Games on a board, which the thesis does not say: all its percentages are those of so many.
const GAMES: usize = 40;
/// White's wins in percent.
const WHITE_WINS: [f64; 8] = [100.0, 88.0, 98.0, 88.0, 68.0, 65.0, 75.0, 38.0];

/// What is printed of each board beside the wins: the figure, in percent or not, and the means of the thesis.
const ENDS: [(&str, [f64; 8]); 4] = [
    (BLACK_RESIGNED, [90.0, 30.0, 3.0, 10.0, 25.0, 38.0, 25.0, 62.0]),
    (WHITE_RESIGNED, [0.0; 8]),
    (BLACK_PASSED_FIRST, [10.0, 70.0, 98.0, 90.0, 75.0, 63.0, 75.0, 38.0]),
    (WHITE_PASSED_FIRST, [0.0; 8]),
];
const RANGES: [(&str, [[f64; 8]; 3]); 4] = [
    (
        MARGIN,
        [
            [0.5; 8],
            [8.5, 17.5, 31.5, 33.5, 56.5, 47.5, 59.5, 96.5],
            [4.7, 7.9, 12.2, 12.0, 13.4, 16.2, 15.6, 23.6],
        ],
    ),
    (
        MOVES,
        [
            [7.0, 24.0, 28.0, 42.0, 68.0, 82.0, 138.0, 178.0],
            [30.0, 62.0, 74.0, 115.0, 182.0, 239.0, 258.0, 341.0],
            [14.0, 38.0, 49.2, 84.7, 124.6, 160.4, 199.0, 277.7],
        ],
    ),
    (
        BLACK_CAPTURED,
        [
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0],
            [2.0, 13.0, 11.0, 14.0, 13.0, 10.0, 18.0, 20.0],
            [0.28, 1.93, 1.13, 1.75, 3.78, 3.6, 5.03, 7.25],
        ],
    ),
    (
        WHITE_CAPTURED,
        [
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 3.0],
            [6.0, 11.0, 10.0, 22.0, 31.0, 31.0, 30.0, 62.0],
            [1.2, 3.1, 2.1, 4.2, 9.7, 12.8, 12.7, 26.3],
        ],
    ),
];

fn cell_name(size: usize) -> String {
    format!("{size}x{size}")
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let cell = |size: usize| {
        let quick = if size <= 9 { 4 } else { 1 };
        let tiny = u64::from(size <= 7);
        let games = scale.pick([tiny, if size <= 15 { quick } else { 0 }, 50, 50]);
        against_gnugo(cell_name(size), &[], size, LIMIT.hurried(scale), games, scale)
    };
    Ok(SIZES.into_iter().map(cell).collect())
}

fn page(results: &Results, page: &mut Page) {
    page.say(&terms(LIMIT, results));
    page.say(&format!(
        "Below each board the thesis' figure follows ours. It does not say how many games it played; all its figures \
         are those of {GAMES} a board."
    ));
    let wins = |size| results.score(&cell_name(size)).map(|score| score.times(100.0));
    let row =
        |name: String, of: &dyn Fn(usize) -> String| std::iter::once(name).chain(SIZES.map(of)).collect();
    let theirs = |published: &[f64; 8]| {
        std::iter::once("published".to_owned()).chain(published.map(number)).collect::<Vec<_>>()
    };
    let mut rows =
        vec![row("White (GO GAME) wins, %".to_owned(), &|size| or_dash(wins(size))), theirs(&WHITE_WINS)];
    for (figure, published) in &ENDS {
        let share =
            |size| results.mean(&cell_name(size), figure).map(|mean| number((mean.value * 100.0).round()));
        rows.extend([row(format!("{figure}, %"), &|size| or_dash(share(size))), theirs(published)]);
    }
    for (figure, [least, most, mean]) in &RANGES {
        let extreme = |size, better: fn(f64, f64) -> f64| {
            or_dash(results.values(&cell_name(size), figure).into_iter().reduce(better).map(number))
        };
        let name = if *figure == MOVES { "moves" } else { figure };
        rows.extend([row(format!("{name}, least"), &|size| extreme(size, f64::min)), theirs(least)]);
        rows.extend([row(format!("{name}, most"), &|size| extreme(size, f64::max)), theirs(most)]);
        rows.extend([
            row(format!("{name}, mean"), &|size| or_dash(results.mean(&cell_name(size), figure))),
            theirs(mean),
        ]);
    }
    page.table(&["", "5x5", "7x7", "9x9", "11x11", "13x13", "15x15", "17x17", "19x19"], rows);
    claims(results, page);
    let curves = |ours: &dyn Fn(usize) -> Option<Estimate>, published: &[f64; 8]| {
        let measured = SIZES.into_iter().filter_map(|size| Some((size as f64, ours(size)?.value))).collect();
        let printed = SIZES.map(|size| size as f64).into_iter().zip(*published).collect();
        vec![
            Curve { name: "measured".to_owned(), points: measured },
            Curve { name: "published".to_owned(), points: printed },
        ]
    };
    let axes = ["lines of the board", "GO GAME's score, %"];
    page.chart("Strength against GNU Go", axes, Upright::Linear, curves(&wins, &WHITE_WINS));
    let moves = |size| results.mean(&cell_name(size), MOVES);
    let axes = ["lines of the board", "moves, mean"];
    page.chart("Length of games", axes, Upright::Linear, curves(&moves, &RANGES[1].1[2]));
}

fn claims(results: &Results, page: &mut Page) {
    for size in &SIZES[..7] {
        let what = format!("GO GAME is the stronger one on {size}x{size}");
        page.claim(Claim::above(what, results.score(&cell_name(*size)), 0.5));
    }
    page.claim(Claim::below("GNU Go is the stronger one on 19x19", results.score(&cell_name(19)), 0.5));
    let all: Vec<String> = SIZES.map(cell_name).into();
    let values =
        |figure: &str| all.iter().flat_map(|cell| results.values(cell, figure)).collect::<Vec<f64>>();
    let captured = Estimate::ratio(&values(WHITE_CAPTURED), &values(BLACK_CAPTURED));
    page.claim(Claim::above("White loses more stones than Black", captured, 1.0));
    let last = values(WHITE_PASSED_FIRST);
    let on_blacks_initiative =
        last.iter().zip(values(WHITE_RESIGNED)).filter(|&(&a, b)| a + b == 0.0).count();
    page.claim(Claim::all("Every game ends on Black's initiative", on_blacks_initiative, last.len()));
    for (size, published) in SIZES.into_iter().zip(RANGES[1].1[2]) {
        let moves = results.mean(&cell_name(size), MOVES);
        let theirs = moves.map(|ours| ours.published(published, results.samples(&cell_name(size)), GAMES));
        let theirs = theirs.unwrap_or(Estimate::exact(published));
        page.claim(Claim::equal(format!("A game on {size}x{size} has {published} moves"), moves, theirs));
    }
}
