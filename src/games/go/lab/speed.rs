//! Table 6.1 and figure 6.9: playouts a second on boards of all sizes with up to eight threads.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use go::{Go, Position};
use search::walk::open_walk;
use search::{Control, Engine, Game, Limits, Random, Root, Search};

use crate::lab::claim::Claim;
use crate::lab::estimate::number;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale, figures};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;
use crate::learn::chart::{Curve, Upright};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "go-speed",
    about: "playouts a second of GO GAME by size of the board and number of threads",
    source: "Śliwa 2013, table 6.1 and figure 6.9",
    time: "20 min",
    cells,
    page,
};

const SIZES: [usize; 8] = [5, 7, 9, 11, 13, 15, 17, 19];
/// Threads, and the least and most playouts a second in thousands on each board.
type Column = (usize, [f64; 8], [f64; 8]);
const PUBLISHED: [Column; 4] = [
    (1, [75.5, 40.1, 19.2, 14.7, 10.7, 10.2, 6.3, 5.8], [105.4, 87.9, 51.5, 38.5, 41.5, 16.3, 11.4, 10.0]),
    (
        2,
        [139.8, 79.7, 36.6, 25.5, 20.5, 14.8, 11.9, 13.0],
        [159.2, 178.6, 93.2, 59.4, 52.9, 43.0, 20.4, 19.6],
    ),
    (
        4,
        [239.4, 138.1, 66.0, 60.9, 34.8, 26.4, 21.0, 16.8],
        [321.0, 252.3, 172.5, 115.3, 144.6, 63.8, 39.7, 36.3],
    ),
    (
        8,
        [299.6, 201.8, 106.7, 71.8, 59.5, 31.6, 38.1, 26.3],
        [523.0, 382.6, 342.5, 132.8, 152.7, 67.5, 52.2, 43.2],
    ),
];
/// Parts of a game at whose ends speed is measured.
const PHASES: usize = 4;
/// Playouts a move by which such a game is found.
const HASTY: u64 = 30;
/// A game is over after so many moves for each point.
const LONGEST: usize = 2;

const LEAST: &str = "least";
const MOST: &str = "most";
const FIRST: &str = "at the start";
const LAST: &str = "at the end";

fn cell_name(size: usize, threads: usize) -> String {
    format!("{size}x{size}, threads {threads}")
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let (games, millis) = (scale.pick([1, 1, 10, 10]), scale.pick([2, 200, 500, 3_000]));
    let sizes = scale.pick([1, 8, 8, 8]);
    let scale = *scale;
    let of = move |size| {
        PUBLISHED.into_iter().map(move |(threads, ..)| {
            let time = Duration::from_millis(millis);
            let measure = move |sample| measured(size, threads, time, scale.seed_of(sample));
            Cell::new(cell_name(size, threads), games, measure).timed()
        })
    };
    Ok(SIZES.into_iter().take(sizes).flat_map(of).collect())
}

/// The least and the greatest speed in the course of a game of GO GAME against itself, and those at its ends.
fn measured(size: usize, threads: usize, time: Duration, seed: u64) -> Result<Figures> {
    let mut go = Go::new();
    let (size, threads) = (size.to_string(), threads.to_string());
    for (name, value) in [("Preset", "GO GAME"), ("BoardSize", &size), ("Move Overhead", "0")] {
        go.set(name, value)?;
    }
    let game = hasty_game(&mut go, seed);
    go.set("Threads", &threads)?;
    let speeds: Vec<f64> = (0..=PHASES)
        .map(|phase| {
            let mut root = Root::new(Position::start(&go.rules()));
            game.moves()[..game.moves().len() * phase / PHASES].iter().for_each(|&m| root.play(m));
            go.forget();
            let begun = Instant::now();
            go.think(&root, &Limits::move_time(time), &Control::default(), &mut |_| {});
            go.search().summary().playouts as f64 / begun.elapsed().as_secs_f64()
        })
        .collect();
    let extreme = |better: fn(f64, f64) -> f64| speeds.iter().copied().reduce(better).context("no speeds");
    let ends = [(FIRST, speeds[0]), (LAST, speeds[PHASES])];
    Ok(figures([(LEAST, extreme(f64::min)?), (MOST, extreme(f64::max)?)].into_iter().chain(ends)))
}

/// A game of little thought, up to the passes that end it.
fn hasty_game(go: &mut Go, seed: u64) -> Root<Position> {
    let start = Position::start(&go.rules());
    let longest = LONGEST * start.rules().area();
    let mut game = open_walk(&start, 2, &mut Random::new(seed));
    while game.outcome().is_none() && game.moves().len() < longest {
        match go.think(&game, &Limits::nodes(HASTY), &Control::default(), &mut |_| {}).best {
            Some(best) => game.play(best),
            None => break,
        }
    }
    while game.moves().last() == Some(&go::Move::Pass) {
        game.undo();
    }
    game
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "Thousands of playouts a second of GO GAME, its whole search included: the least and the most in the course of \
         a game, here at five moments of it, with those of the thesis in brackets. Its machine was a Core i7-2600K with \
         four cores and eight hardware threads.",
    );
    let extreme = |cell: &str, figure, better: fn(f64, f64) -> f64| {
        or_dash(
            results
                .values(cell, figure)
                .into_iter()
                .reduce(better)
                .map(|speed| number((speed / 100.0).round() / 10.0)),
        )
    };
    let rows = SIZES.iter().enumerate().map(|(i, &size)| {
        let cells = PUBLISHED.iter().map(|(threads, least, most)| {
            let cell = cell_name(size, *threads);
            let ours = [extreme(&cell, LEAST, f64::min), extreme(&cell, MOST, f64::max)];
            format!("{} to {} ({} to {})", ours[0], ours[1], number(least[i]), number(most[i]))
        });
        std::iter::once(format!("{size}x{size}")).chain(cells).collect()
    });
    page.table(&["board", "1 thread", "2 threads", "4 threads", "8 threads"], rows.collect());
    for (i, size) in SIZES.into_iter().enumerate() {
        let gain = results.ratio((&cell_name(size, 2), FIRST), (&cell_name(size, 1), FIRST));
        let theirs = number(PUBLISHED[1].1[i] / PUBLISHED[0].1[i]);
        let what =
            format!("Two threads are faster than one on {size}x{size}, {theirs} times there at the start");
        page.claim(Claim::above(what, gain, 1.0));
    }
    let all: Vec<String> = SIZES.into_iter().map(|size| cell_name(size, 1)).collect();
    let mean = |cell: &String, figure| results.mean(cell, figure).map(|mean| mean.value);
    let known: Vec<(f64, f64)> =
        all.iter().filter_map(|cell| mean(cell, FIRST).zip(mean(cell, LAST))).collect();
    let rising = known.iter().filter(|(first, last)| last > first).count();
    page.claim(Claim::all("Playouts are fastest at the end of a game, on every board", rising, known.len()));
    let falling = known.windows(2).filter(|pair| pair[0].0 > pair[1].0).count();
    page.claim(Claim::all("The larger the board, the slower", falling, known.len().saturating_sub(1)));
    page.claim(Claim::incomparable(
        "One thread makes 100 000 playouts a second on 5x5, 10 000 on 19x19",
        "other machines, other code",
    ));
    let curves = PUBLISHED.iter().flat_map(|(threads, least, _)| {
        let ours = SIZES
            .into_iter()
            .filter_map(|size| Some((size as f64, mean(&cell_name(size, *threads), LEAST)? / 1000.0)));
        let theirs = SIZES.map(|size| size as f64).into_iter().zip(*least);
        let words = if *threads == 1 { "thread" } else { "threads" };
        [
            Curve { name: format!("{threads} {words}"), points: ours.collect() },
            Curve { name: format!("{threads} {words}, published"), points: theirs.collect() },
        ]
    });
    page.chart(
        "Speed by size of the board",
        ["lines of the board", "thousands of playouts a second, least"],
        Upright::Logarithmic,
        curves.collect(),
    );
}
