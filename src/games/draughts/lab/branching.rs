//! How many moves there are, in random games: section 6.5.1 of the thesis.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use anyhow::Result;
use draughts::{DrawRules, Position, Rules, moves};
use search::{Game, MoveList, Random, Root};

use crate::lab::claim::Claim;
use crate::lab::estimate::Estimate;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;
use crate::learn::chart::{Curve, Upright};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "draughts-branching",
    about: "how many moves a position has in random games of draughts",
    source: "Beling 2006, 6.5.1, figures 6.2 and 6.3",
    time: "2 min",
    cells,
    page,
};

/// The rules by which games are drawn, of which the thesis names none; without any they go on to a loss.
const CODES: [(&str, Option<DrawRules>); 4] = [
    ("cbd", Some(DrawRules::Cbd)),
    ("fmjd64", Some(DrawRules::Fmjd64)),
    ("repetition alone", Some(DrawRules::None)),
    ("no draws", None),
];
/// Plies looked at.
const PLIES: usize = 120;
/// Plies are shown that at least this part of the games reaches.
const SHOWN: f64 = 0.001;
/// Choices shown.
const WIDEST: usize = 24;
/// Parts of a game of average length: the thesis has the most moves in the second one.
const PARTS: [(&str, RangeInclusive<usize>); 3] =
    [("plies 0 to 9", 0..=9), ("plies 10 to 25", 10..=25), ("plies 26 to 49", 26..=49)];

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let games = scale.pick([2, 1_000, 10_000, 100_000]);
    let samples = scale.pick([5, 50, 250, 250]);
    let scale = *scale;
    let cell = |(name, draws): (&str, Option<DrawRules>)| {
        Cell::new(name, samples, move |sample| Ok(play(games, draws, scale.seed_of(sample))))
    };
    Ok(CODES.map(cell).into())
}

/// Plays random games and counts, with moves that have the same result counted once and, as `orders`, each by itself.
fn play(games: u64, draws: Option<DrawRules>, seed: u64) -> Figures {
    let rules = Rules { draws: draws.unwrap_or(DrawRules::None), ..Rules::default() };
    let mut random = Random::new(seed);
    // What is rare is counted where it does not occur, too.
    let by_ply = (0..PLIES).flat_map(|ply| [format!("moves at {ply}"), format!("positions at {ply}")]);
    let names = by_ply.chain((1..=WIDEST).map(|moves| format!("with {moves}")));
    let mut count: BTreeMap<String, f64> = names.map(|name| (name, 0.0)).collect();
    let mut add = |name: String, n: usize| *count.entry(name).or_default() += n as f64;
    let mut orders = MoveList::new();
    for _ in 0..games {
        let mut game = Root::new(Position::start(&rules));
        loop {
            let (ply, moves) = (game.moves().len(), game.legal());
            if moves.is_empty() || draws.is_some() && game.outcome().is_some() {
                break;
            }
            orders.clear();
            moves::orders(game.position(), &mut orders);
            add("positions".to_owned(), 1);
            add("moves".to_owned(), moves.len());
            add("orders".to_owned(), orders.len());
            add(format!("with {}", moves.len()), 1);
            if let Some((part, _)) = PARTS.iter().find(|(_, plies)| plies.contains(&ply)) {
                add(format!("moves in {part}"), moves.len());
                add(format!("positions in {part}"), 1);
            }
            if ply < PLIES {
                add(format!("moves at {ply}"), moves.len());
                add(format!("positions at {ply}"), 1);
            }
            game.play(moves[random.below(moves.len() as u32) as usize]);
        }
        add("games".to_owned(), 1);
    }
    count
}

fn page(results: &Results, page: &mut Page) {
    let known: Vec<&str> =
        CODES.into_iter().map(|(code, _)| code).filter(|code| results.samples(code) > 0).collect();
    let with = |moves: usize| format!("with {moves}");
    let share = |code: &str, moves: usize| results.ratio((code, &with(moves)), (code, "positions"));
    let frequent = |code: &str| {
        let of = |moves| results.sum(code, &with(moves)).unwrap_or(0.0);
        let most = (2..=WIDEST).max_by(|&a, &b| of(a).total_cmp(&of(b)));
        most.map(|moves| Estimate::exact(moves as f64))
    };
    let branching = |code: &str| results.ratio((code, "moves"), (code, "positions"));
    let part = |code: &str, part: usize| {
        let name = PARTS[part].0;
        results.ratio((code, &format!("moves in {name}")), (code, &format!("positions in {name}")))
    };
    page.say(
        "Moves are drawn evenly until a side cannot move or the game is drawn. The thesis does not say when it is, so \
         four rules are tried: the two codes of our `DrawRules`, the third occurrence of a position alone, and none at \
         all. Captures that lead to the same position are one move; the second row counts every way to capture.",
    );
    let row = |what: &str, ours: &dyn Fn(&str) -> Option<Estimate>, theirs: &str| {
        let cells = CODES.map(|(code, _)| or_dash(ours(code)));
        [what.to_owned()].into_iter().chain(cells).chain([theirs.to_owned()]).collect()
    };
    let heads = CODES.map(|(code, _)| code);
    page.table(
        &[&["figure"], heads.as_slice(), &["published"]].concat(),
        vec![
            row("mean number of moves", &branching, "5.345"),
            row(
                "the same, every way to capture counted",
                &|code| results.ratio((code, "orders"), (code, "positions")),
                "-",
            ),
            row("positions with one move", &|code| share(code, 1), "more than 1/4"),
            row("most frequent number of moves, where there is a choice", &frequent, "7"),
            row("plies of a game", &|code| results.ratio((code, "positions"), (code, "games")), "almost 50"),
            row("mean number of moves in plies 0 to 9", &|code| part(code, 0), "less than in plies 10 to 25"),
            row("the same, plies 10 to 25", &|code| part(code, 1), "the most"),
            row("the same, plies 26 to 49", &|code| part(code, 2), "less than in plies 10 to 25"),
        ],
    );
    let published = Estimate { value: 5.345, low: 5.3445, high: 5.3455 };
    let distance =
        |code: &&str| branching(code).map_or(f64::MAX, |mean| (mean.value - published.value).abs());
    let Some(nearest) = known.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b))) else {
        return;
    };
    page.say(&format!(
        "The claims are judged by the rule whose mean comes nearest to the published one: {nearest}."
    ));
    page.claim(Claim::equal("A position has 5.345 moves on average", branching(nearest), published));
    page.claim(Claim::above("More than a quarter of the moves are forced", share(nearest, 1), 0.25));
    let seven = Estimate::exact(7.0);
    page.claim(Claim::equal("Where there is a choice, it is most often among 7", frequent(nearest), seven));
    let within = part(nearest, 1);
    for (when, other) in [("before", part(nearest, 0)), ("after", part(nearest, 2))] {
        let bound = other.map_or(f64::NAN, |other| other.high);
        let what = format!("There are more moves in plies 10 to 25 than {when}");
        page.claim(Claim::above(what, within, bound));
    }
    let curves = |point: &dyn Fn(&str) -> Vec<(f64, f64)>| {
        known.iter().map(|code| Curve { name: (*code).to_owned(), points: point(code) }).collect()
    };
    let by_ply = |code: &str| -> Vec<(f64, f64)> {
        let mean = |ply: usize| {
            let reached = format!("positions at {ply}");
            let is_shown = results.ratio((code, &reached), (code, "games"))?.value >= SHOWN;
            let mean = results.ratio((code, &format!("moves at {ply}")), (code, &reached))?;
            is_shown.then_some((ply as f64, mean.value))
        };
        (0..PLIES).filter_map(mean).collect()
    };
    let distribution = |code: &str| -> Vec<(f64, f64)> {
        let point = |moves: usize| Some((moves as f64, share(code, moves)?.value * 100.0));
        (1..=WIDEST).filter_map(point).collect()
    };
    page.chart("Moves by ply", ["ply", "mean number of moves"], Upright::Linear, curves(&by_ply));
    let axes = ["number of moves", "% of the positions"];
    page.chart("Positions by their number of moves", axes, Upright::Linear, curves(&distribution));
}
