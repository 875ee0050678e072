//! Section 6.2: TD against LSTD, under the thesis' scheme and under ours.

use anyhow::{Context, Result};
use neighbours::tuning;
use search::learn::Log;

use super::training::{GAMES, OURS, Scheme, THESIS, score, trained};
use crate::lab::claim::Claim;
use crate::lab::estimate::Estimate;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;
use crate::learn::chart::{Curve, Upright};
use crate::matches::statistics::Tally;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "neighbours-learn",
    about: "TD against windowed LSTD in Neighbours, under the scheme of the thesis and under ours",
    source: "Skoulakis 2010, 6.2, figures 6.1 to 6.3",
    time: "20 min",
    cells,
    page,
};

const SCHEMES: [Scheme; 2] = [THESIS, OURS];
/// The thesis trains its first set.
const SET: &str = "set1";
const LSTD: &str = "--method windowed --keep 0.98";
/// Step sizes of TD: the thesis names none.
const RATES: [&str; 3] = ["0.003", "0.01", "0.03"];
/// Won, drawn and lost by LSTD there.
const PUBLISHED: Tally = Tally { wins: 60, draws: 10, losses: 30 };
/// Points of a learning curve.
const PARTS: usize = 20;

fn method(rate: &str) -> String {
    format!("--method td --rate {rate}")
}

fn score_name(first: &str, second: &str) -> String {
    format!("{first} against {second}")
}

fn td(rate: &str) -> String {
    format!("TD {rate}")
}

const WINDOWED: &str = "LSTD";
const HAND: &str = "hand-set";

fn change_name(learner: &str, part: usize) -> String {
    format!("change of {learner}, part {part:02}")
}

/// Of the second half.
fn late_name(learner: &str) -> String {
    format!("late change of {learner}")
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let (samples, lessons) = (scale.pick([1, 4, 6, 20]), scale.pick([20, 1_000, 20_000, 20_000]));
    let games = scale.pick([4, GAMES, GAMES, GAMES]);
    let scale = *scale;
    let cell = |scheme: Scheme| {
        let words = scheme.words;
        Cell::new(scheme.name, samples, move |sample| measured(words, lessons, games, scale.seed_of(sample)))
    };
    Ok(SCHEMES.into_iter().map(cell).collect())
}

/// Trains once by each method and has what came of it play.
fn measured(scheme: &str, lessons: usize, games: usize, seed: u64) -> Result<Figures> {
    let mut figures = Figures::new();
    let by_hand = tuning::weights(super::super::learn::checkpoint::named(SET).context("a set that exists")?);
    let lstd = trained(SET, &format!("{scheme} {LSTD}"), lessons, seed)?;
    curve(&lstd.log, WINDOWED, &mut figures);
    figures.insert(score_name(WINDOWED, HAND), score(&lstd.weights, &by_hand, games, seed)?);
    for rate in RATES {
        let other = trained(SET, &format!("{scheme} {}", method(rate)), lessons, seed)?;
        curve(&other.log, &td(rate), &mut figures);
        figures.insert(score_name(&td(rate), HAND), score(&other.weights, &by_hand, games, seed)?);
        figures.insert(score_name(WINDOWED, &td(rate)), score(&lstd.weights, &other.weights, games, seed)?);
    }
    Ok(figures)
}

/// The mean change of the weights in a period, in equal parts of the training.
fn curve(log: &Log, learner: &str, figures: &mut Figures) {
    let periods = &log.periods;
    for part in 0..PARTS.min(periods.len()) {
        let own = &periods[periods.len() * part / PARTS..(periods.len() * (part + 1) / PARTS).max(1)];
        if !own.is_empty() {
            let mean = own.iter().map(|period| period.change).sum::<f64>() / own.len() as f64;
            figures.insert(change_name(learner, part), mean);
        }
    }
    let late = &periods[periods.len() / 2..];
    if !late.is_empty() {
        let mean = late.iter().map(|period| period.change).sum::<f64>() / late.len() as f64;
        figures.insert(late_name(learner), mean);
    }
}

fn page(results: &Results, page: &mut Page) {
    page.say(&format!(
        "Each sample is a training of {SET} by each method from the same seed, then matches between what they led to, \
         {GAMES} games two plies deep with the thesis' search, from openings of six random plies. Scores are in percent; \
         their intervals are those of independent trainings, so luck in training is part of them. The thesis trained \
         once; it does not tell TD's rate, so three are tried, nor the discount, here 0.95, nor how much of the past a \
         window keeps, here 0.98."
    ));
    let percent = |scheme: &str, figure: &str| results.mean(scheme, figure).map(|mean| mean.times(100.0));
    let learners: Vec<String> = std::iter::once(WINDOWED.to_owned()).chain(RATES.map(td)).collect();
    for Scheme { name, words } in SCHEMES {
        page.say(&format!("By {name} (`{words}`):"));
        let rows = learners.iter().map(|learner| {
            let against = or_dash(percent(name, &score_name(learner, HAND)));
            vec![learner.clone(), or_dash(percent(name, &score_name(WINDOWED, learner))), against]
        });
        page.table(&["method", "LSTD's score against it", "score against hand-set weights"], rows.collect());
    }
    for Scheme { name, .. } in SCHEMES {
        for rate in RATES {
            let ours = results.mean(name, &score_name(WINDOWED, &td(rate)));
            page.claim(Claim::above(format!("LSTD beats TD of rate {rate} by {name}"), ours, 0.5));
        }
        let hardest = RATES.iter().filter_map(|rate| results.mean(name, &score_name(WINDOWED, &td(rate))));
        let hardest = hardest.min_by(|a, b| a.value.total_cmp(&b.value));
        if let Some(published) = Estimate::score(&PUBLISHED) {
            page.claim(Claim::equal(
                format!("It makes 65 % against the best TD by {name}"),
                hardest,
                published,
            ));
        }
        for rate in RATES {
            let ratio = results.ratio((name, &late_name(WINDOWED)), (name, &late_name(&td(rate))));
            let what =
                format!("LSTD's weights change less in the second half than TD's of rate {rate}, by {name}");
            page.claim(Claim::below(what, ratio, 1.0));
        }
    }
    for Scheme { name, .. } in SCHEMES {
        let curves = learners.iter().map(|learner| {
            let point = |part: usize| {
                let change = results.mean(name, &change_name(learner, part))?;
                Some(((part as f64 + 0.5) * 100.0 / PARTS as f64, change.value))
            };
            Curve { name: learner.clone(), points: (0..PARTS).filter_map(point).collect() }
        });
        let title = format!("Changes of the weights in a period, {name}");
        page.chart(&title, ["% of the training", "sum of changes"], Upright::Logarithmic, curves.collect());
    }
}
