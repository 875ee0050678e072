//! Figures 5 to 7: where the time of a search goes.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;
use morris::{Morris, Position};
use search::alphabeta::Counters;
use search::walk::open_walk;
use search::{Engine, Game, Limits, Random, Root, Search};

use super::game::RIVAL;
use crate::lab::claim::Claim;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale, figures};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "morris-profile",
    about: "where the time of the report's search goes in morris: building successors, evaluation, the rest",
    source: "Wozniak 2019, figures 5 to 7",
    time: "2 min",
    cells,
    page,
};

/// The parts of a search whose time is measured by themselves.
const PARTS: [&str; 2] = ["successors", "evaluation"];
const WHOLE: &str = "search";
const EVALUATIONS: [&str; 3] = ["PAWN", "MILL", "MOVE"];
/// Random plies before a position.
const PLIES: u32 = 40;
/// How often each part is repeated, so that the clock sees it.
const REPEATED: u32 = 20;

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let samples = scale.pick([2, 20, 100, 400]);
    let scale = *scale;
    let of =
        |evaluation| Cell::new(evaluation, samples, move |sample| measure(evaluation, scale.seed_of(sample)));
    Ok(EVALUATIONS.into_iter().map(|evaluation| of(evaluation).timed()).collect())
}

/// Times a search, and as many expansions and evaluations of the root as it has done of its nodes.
fn measure(evaluation: &'static str, seed: u64) -> Result<Figures> {
    let mut engine = Morris::alone();
    engine.set("Preset", "Seed")?;
    engine.set("Evaluation", evaluation)?;
    let mut random = Random::new(seed);
    let plies = 1 + random.below(PLIES) as usize;
    let root = open_walk(&Position::start(&engine.rules()), plies, &mut random);
    let mut times = [Duration::ZERO; 3];
    for _ in 0..REPEATED {
        let begun = Instant::now();
        engine.think(&root, &Limits::depth(RIVAL.depth), &Default::default(), &mut |_| {});
        times[0] += begun.elapsed();
        let Counters { inner, leaf, .. } = *engine.search().counters();
        times[1] += expanding(&root, inner);
        times[2] += evaluating(&mut engine, &root, leaf);
    }
    let [whole, successors, evaluating] = times.map(|time| time.as_secs_f64());
    Ok(figures([(WHOLE, whole), (PARTS[0], successors), (PARTS[1], evaluating)]))
}

fn expanding(root: &Root<Position>, nodes: u64) -> Duration {
    let begun = Instant::now();
    for _ in 0..nodes {
        for m in root.position().list() {
            black_box(root.position().after(m));
        }
    }
    begun.elapsed()
}

fn evaluating(engine: &mut Morris, root: &Root<Position>, nodes: u64) -> Duration {
    let evaluator = engine.search().eval();
    let begun = Instant::now();
    for _ in 0..nodes {
        black_box(evaluator.value(black_box(root.position())));
    }
    begun.elapsed()
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "Shares of the time of an alpha-beta search of four plies, in positions after up to 40 random moves: building \
         the successors of as many nodes as the search expanded, and evaluating as many as it evaluated. Since \
         alpha-beta builds only the successors it looks at, the first share can exceed the whole.",
    );
    let share = |evaluation, part| Some(results.ratio((evaluation, part), (evaluation, WHOLE))?.times(100.0));
    let row = |evaluation: &'static str| {
        let shares = PARTS.map(|part| or_dash(share(evaluation, part)));
        std::iter::once(evaluation.to_owned()).chain(shares).collect()
    };
    page.table(&["evaluation", "successors, %", "evaluation, %"], EVALUATIONS.map(row).into());
    for evaluation in EVALUATIONS {
        let times = results.ratio((evaluation, PARTS[0]), (evaluation, PARTS[1]));
        page.claim(Claim::above(
            format!("With {evaluation}, building successors takes more time than evaluating"),
            times,
            1.0,
        ));
    }
}
