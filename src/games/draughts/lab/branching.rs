//! How many moves there are, in random games: section 6.5.1 of the thesis.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use anyhow::Result;
use draughts::{Position, Rules, moves};
use search::{Game, MoveList, Random, Root};

use crate::lab::claim::Claim;
use crate::lab::estimate::Estimate;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale};
use crate::lab::page::Page;
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

const CELL: &str = "random games";
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
    let samples = scale.pick([5, 200, 1_000, 1_000]);
    let scale = *scale;
    Ok(vec![Cell::new(CELL, samples, move |sample| Ok(play(games, scale.seed_of(sample))))])
}

/// Plays random games and counts, with moves that have the same result counted once and, as `orders`, each by itself.
fn play(games: u64, seed: u64) -> Figures {
    let mut random = Random::new(seed);
    // What is rare is counted where it does not occur, too.
    let by_ply = (0..PLIES).flat_map(|ply| [format!("moves at {ply}"), format!("positions at {ply}")]);
    let names = by_ply.chain((1..=WIDEST).map(|moves| format!("with {moves}")));
    let mut count: BTreeMap<String, f64> = names.map(|name| (name, 0.0)).collect();
    let mut add = |name: String, n: usize| *count.entry(name).or_default() += n as f64;
    let mut orders = MoveList::new();
    for _ in 0..games {
        let mut game = Root::new(Position::start(&Rules::default()));
        while game.outcome().is_none() {
            let (ply, moves) = (game.moves().len(), game.legal());
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
    let ratio = |upper: &str, lower: &str| results.ratio((CELL, upper), (CELL, lower));
    let with = |moves: usize| format!("with {moves}");
    let share = |moves: usize| ratio(&with(moves), "positions");
    let frequent = (2..=WIDEST).max_by(|&a, &b| {
        let of = |moves| results.sum(CELL, &with(moves)).unwrap_or(0.0);
        of(a).total_cmp(&of(b))
    });
    let by_ply: Vec<(f64, f64)> = (0..PLIES)
        .filter_map(|ply| {
            let reached = format!("positions at {ply}");
            let mean = ratio(&format!("moves at {ply}"), &reached)?;
            (ratio(&reached, "games")?.value >= SHOWN).then_some((ply as f64, mean.value))
        })
        .collect();
    let (branching, orders, length) =
        (ratio("moves", "positions"), ratio("orders", "positions"), ratio("positions", "games"));
    let [before, within, after] =
        PARTS.map(|(part, _)| ratio(&format!("moves in {part}"), &format!("positions in {part}")));
    let row = |what: &str, ours: Option<Estimate>, theirs: &str| {
        vec![what.to_owned(), crate::lab::page::or_dash(ours), theirs.to_owned()]
    };
    page.say(
        "Moves are drawn evenly until a side cannot move or a draw rule ends the game; the thesis names no draw rule. \
         Captures that lead to the same position are one move; the second row counts every way to capture.",
    );
    let frequent_choice = frequent.map(|moves| Estimate::exact(moves as f64));
    page.table(
        &["figure", "measured", "published"],
        vec![
            row("mean number of moves", branching, "5.345"),
            row("the same, every way to capture counted", orders, "-"),
            row("positions with one move", share(1), "more than 1/4"),
            row("most frequent number of moves, where there is a choice", frequent_choice, "7"),
            row("plies of a game", length, "almost 50"),
            row("mean number of moves in plies 0 to 9", before, "less than in plies 10 to 25"),
            row("the same, plies 10 to 25", within, "the most"),
            row("the same, plies 26 to 49", after, "less than in plies 10 to 25"),
        ],
    );
    let published = Estimate { value: 5.345, low: 5.3445, high: 5.3455 };
    page.claim(Claim::equal("A position has 5.345 moves on average", branching, published));
    page.claim(Claim::above("More than a quarter of the moves are forced", share(1), 0.25));
    let seven = Estimate::exact(7.0);
    page.claim(Claim::equal("Where there is a choice, it is most often among 7", frequent_choice, seven));
    for (part, other) in [("before", before), ("after", after)] {
        let bound = other.map_or(f64::NAN, |other| other.high);
        page.claim(Claim::above(
            format!("There are more moves in plies 10 to 25 than {part}"),
            within,
            bound,
        ));
    }
    let distribution =
        (1..=WIDEST).filter_map(|moves| Some((moves as f64, share(moves)?.value * 100.0))).collect();
    let curve = |name: &str, points| vec![Curve { name: name.to_owned(), points }];
    page.chart("Moves by ply", ["ply", "mean number of moves"], Upright::Linear, curve("measured", by_ply));
    let axes = ["number of moves", "% of the positions"];
    page.chart("Positions by their number of moves", axes, Upright::Linear, curve("measured", distribution));
}
