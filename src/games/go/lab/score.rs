//! Figures 6.7 and 6.8: direct methods of scoring, on the worked positions and on games of which the end is known.
//!
//! A game is scored as our referee would: its last position without the stones that searches find dead. What a method
//! makes of that position, or of an earlier one, is compared with this score.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use go::estimate::Judge;
use go::rules::Komi;
use go::scoring::{METHODS, Method, is_finished};
use go::{Colour, Go, Point, Position, Rules};
use search::walk::open_walk;
use search::{Control, Engine, Game, Limits, Random, Search};

use crate::lab::claim::Claim;
use crate::lab::estimate::number;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;
use crate::learn::chart::{Curve, Upright};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "go-score",
    about: "direct methods of scoring in Go: the worked positions, and how early they know the result",
    source: "Śliwa 2013, 6.3, figures 6.7 and 6.8",
    time: "10 min",
    cells,
    page,
};

/// Figure 6.7: thirteen points of Black, twelve of White, twelve stones each.
const WORKED: &str = "2bw3/1bbw1w1/2bw2w/1b1bww1/b1bbw1w/1b1bww1/3bw2 b - 0 0 0";
const LINES: usize = 9;
/// Moves before the end at which methods are asked.
const BEFORE: [usize; 6] = [0, 10, 20, 30, 40, 50];
/// How dead stones are found before a method is asked.
const JUDGES: [(&str, Option<Judge>); 3] =
    [(UNTOUCHED, None), ("by the rule of GO GAME", Some(Judge::Atari)), (SEARCHED, Some(Judge::Search))];
const UNTOUCHED: &str = "left on";
const SEARCHED: &str = "by search";
/// In the table and the chart, with dead stones found by search.
const SHOWN: [&str; 6] = ["direct", FLOOD, DISTANCE, "zobrist", TERRITORY, COMBINED];
const FLOOD: &str = "flood";
const DISTANCE: &str = "distance";
const TERRITORY: &str = "territory";
const COMBINED: &str = "combined";

const GAMES: &str = "games";
const AGREES: &str = "flood and distance agree";

fn error(method: &str, judge: &str, before: usize) -> String {
    format!("error of {method}, dead {judge}, {before} before")
}

fn winner(method: &str, judge: &str) -> String {
    format!("winner of {method}, dead {judge}")
}

fn agrees(before: usize) -> String {
    format!("{AGREES} {before} before")
}

fn rules(name: &str, size: usize) -> Result<Rules> {
    let rules = Rules::default().with_size(size).and_then(|rules| rules.with_name(name));
    Ok(rules.context("rules that exist")?.with_komi(Komi::new(6.5).context("a komi that exists")?))
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let (games, playouts) = (scale.pick([1, 12, 100, 1_000]), scale.pick([10, 100, 300, 1_000]));
    let lines = scale.pick([5, LINES, LINES, LINES]);
    let scale = *scale;
    Ok(vec![Cell::new(GAMES, games, move |sample| measured(lines, playouts, scale.seed_of(sample)))])
}

/// Plays a game and compares what methods make of its positions with how it ended.
fn measured(lines: usize, playouts: u64, seed: u64) -> Result<Figures> {
    let positions = played(lines, playouts, seed)?;
    let last = positions.last().context("a game has positions")?;
    let truth = Judge::Search.estimate(last).margin;
    let mut figures = BTreeMap::new();
    for before in BEFORE {
        let Some(place) = positions.len().checked_sub(before + 1) else { continue };
        let position = &positions[place];
        let searched = position.without(&Judge::Search.estimate(position).dead);
        figures.insert(agrees(before), f64::from(u8::from(is_finished(&searched))));
        for (name, judge) in JUDGES {
            let cleared = match judge {
                None => position.clone(),
                Some(Judge::Search) => searched.clone(),
                Some(judge) => position.without(&judge.estimate(position).dead),
            };
            for (method, by) in METHODS {
                let found = margin(by, &cleared);
                figures.insert(error(method, name, before), (found - truth).abs());
                if before == 0 {
                    figures
                        .insert(winner(method, name), f64::from(u8::from(found.signum() == truth.signum())));
                }
            }
        }
    }
    Ok(figures)
}

/// Black's points minus White's by a method, komi included. What looks at empty points alone is given the stones.
fn margin(method: Method, position: &Position) -> f64 {
    let (black, white) = method.field(position).counts();
    let stones = match method {
        Method::ExplicitControl | Method::DirectControl => {
            position.number(Colour::Black) as f64 - position.number(Colour::White) as f64
        }
        _ => 0.0,
    };
    black as f64 - white as f64 + stones - position.rules().komi.points()
}

/// All positions of a game of our default engine against itself, after a few random moves.
fn played(lines: usize, playouts: u64, seed: u64) -> Result<Vec<Position>> {
    let mut go = Go::new();
    let start = Position::start(&rules("chinese", lines)?);
    go.set("BoardSize", &lines.to_string())?;
    go.set("Komi", "6.5")?;
    let mut game = open_walk(&start, 4, &mut Random::new(seed));
    let mut positions = vec![game.position().clone()];
    while game.outcome().is_none() {
        let best = go.think(&game, &Limits::nodes(playouts), &Control::default(), &mut |_| {}).best;
        game.play(best.context("a search found no move")?);
        positions.push(game.position().clone());
    }
    Ok(positions)
}

fn page(results: &Results, page: &mut Page) {
    if let Err(why) = worked(page) {
        page.claim(Claim::incomparable("The worked positions", why.to_string()));
    }
    page.say(&format!(
        "Games of our default engine against itself on {LINES}x{LINES}, scored by area without the stones that searches \
         find dead in the last position. What each method makes of that position, with stones taken off as dead \
         beforehand in three ways: how often its winner is the same, in percent, and its mean error in points."
    ));
    let mean = |figure: &str| results.mean(GAMES, figure);
    let rows = METHODS.iter().map(|(method, _)| {
        let cells = JUDGES.iter().flat_map(|(judge, _)| {
            let agreement = mean(&winner(method, judge)).map(|mean| number((mean.value * 100.0).round()));
            [or_dash(agreement), or_dash(mean(&error(method, judge, 0)))]
        });
        std::iter::once((*method).to_owned()).chain(cells).collect()
    });
    let heads = ["method", UNTOUCHED, "error", "GO GAME's rule", "error", SEARCHED, "error"];
    page.table(&heads, rows.collect());
    page.say("Mean error in points by moves before the end, stones found dead by search taken off:");
    let rows = METHODS.iter().map(|(method, _)| {
        let cells = BEFORE.iter().map(|&before| or_dash(mean(&error(method, SEARCHED, before))));
        std::iter::once((*method).to_owned()).chain(cells).collect()
    });
    let columns = BEFORE.map(|before| before.to_string());
    page.table(
        &std::iter::once("method").chain(columns.iter().map(String::as_str)).collect::<Vec<_>>(),
        rows.collect(),
    );
    claims(results, page);
    let curves = SHOWN.map(|method| {
        let point = |&before: &usize| Some((before as f64, mean(&error(method, SEARCHED, before))?.value));
        Curve { name: method.to_owned(), points: BEFORE.iter().filter_map(point).collect() }
    });
    page.chart("Error of scoring", ["moves before the end", "points"], Upright::Linear, curves.into());
}

/// Figure 6.7 by all methods, and the number of erosions of figure 6.8.
fn worked(page: &mut Page) -> Result<()> {
    let position = |name| anyhow::Ok(Position::read(&rules(name, 7)?, WORKED)?);
    let area = position("chinese")?;
    page.say(
        "Figure 6.7, komi 6.5: the thesis counts 25 : 30.5 by area and 13 : 18.5 by territory. Points of Black and White \
         by each method, without komi:",
    );
    let rows = METHODS.iter().map(|(name, method)| {
        let (black, white) = method.field(&area).counts();
        vec![(*name).to_owned(), black.to_string(), white.to_string()]
    });
    page.table(&["method", "Black", "White"], rows.collect());
    let margins = [area.margin(), position("japanese")?.margin()];
    let agreeing = margins.iter().filter(|&&margin| margin == -5.5).count();
    page.claim(Claim::all(
        "White wins the worked example by 5.5 points, by area and by territory",
        agreeing,
        2,
    ));
    let undone = (1..=5).filter(|&dilations| is_undone(dilations).unwrap_or(false)).count();
    page.claim(Claim::all(
        "1 + d(d - 1) erosions undo d dilations of a lone stone, for d from 1 to 5",
        undone,
        5,
    ));
    Ok(())
}

fn is_undone(dilations: u32) -> Result<bool> {
    let mut position = Position::empty(rules("chinese", 19)?);
    let middle = Point::new(9, 9);
    position.set(middle, Colour::Black);
    let field = Method::Bouzy(dilations, 1 + dilations * (dilations - 1)).field(&position);
    let lone = Method::Bouzy(0, 0).field(&position);
    Ok(field.counts() == (1, 0) && field.at(middle) == lone.at(middle))
}

fn claims(results: &Results, page: &mut Page) {
    const EARLIER: usize = 20;
    let right = results.mean(GAMES, &winner(FLOOD, JUDGES[1].0));
    page.claim(Claim::above(
        "GO GAME's rule for dead stones finds the winner of most finished games",
        right,
        0.5,
    ));
    let share = |before| results.mean(GAMES, &agrees(before));
    page.claim(Claim::above("Flood fill and distance agree on most finished games", share(0), 0.5));
    page.claim(Claim::below(
        format!("and on few that are not, {EARLIER} moves before the end"),
        share(EARLIER),
        0.5,
    ));
    let times = |upper: String, lower: String| results.ratio((GAMES, &upper), (GAMES, &lower));
    let early = |method| error(method, SEARCHED, EARLIER);
    for other in [FLOOD, DISTANCE, TERRITORY] {
        let what = format!(
            "Morphology with distance for the rest errs less than {other}, {EARLIER} moves before the end"
        );
        page.claim(Claim::below(what, times(early(COMBINED), early(other)), 1.0));
    }
    page.claim(Claim::below(
        format!("Bouzy's 5/21 errs less than the quick 4/13, {EARLIER} moves before the end"),
        times(early(TERRITORY), early("quick")),
        1.0,
    ));
    page.claim(Claim::above(
        format!("Dead stones have to be taken off first: flood fill with them errs more, {EARLIER} moves before the end"),
        times(error(FLOOD, UNTOUCHED, EARLIER), early(FLOOD)),
        1.0,
    ));
}
