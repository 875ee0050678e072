//! Tables 2 and 3: which of the report's evaluations wins, whatever the unknown weight and the order of equal moves.

use anyhow::Result;

use super::game::{Player, RIVAL, STEP, play};
use crate::lab::claim::Claim;
use crate::lab::estimate::Estimate;
use crate::lab::experiment::{Cell, Experiment, Scale, figures};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "morris-eval",
    about: "PAWN, MILL and MOVE against each other in morris, the unknown weight and the order of moves swept",
    source: "Wozniak 2019, tables 2 and 3",
    time: "15 min",
    cells,
    page,
};

/// The depth in steps, the two players, whether the first one won there, and in how many turns.
const GAMES: [(u32, [&str; 2], bool, u32); 8] = [
    (2, ["PAWN", "MILL"], true, 63),
    (2, ["PAWN", "MOVE"], false, 52),
    (2, ["MILL", "PAWN"], true, 77),
    (2, ["MILL", "MOVE"], true, 49),
    (2, ["MOVE", "PAWN"], true, 31),
    (2, ["MOVE", "MILL"], true, 31),
    (3, ["MOVE", "MILL"], true, 21),
    (3, ["MILL", "MOVE"], false, 18),
];
/// The weights tried for a mill and a move, where a man weighs 9.
const WEIGHTS: [u32; 4] = [1, 3, 9, 27];

fn cell_name(depth: u32, [first, second]: [&str; 2], weight: u32) -> String {
    format!("{first} v {second}, depth {depth}, weight {weight}")
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let (shallow, deep) = (scale.pick([1, 6, 50, 200]), scale.pick([0, 0, 12, 50]));
    let scale = *scale;
    let of = move |(depth, names, ..): (u32, [&'static str; 2], bool, u32)| {
        let samples = if depth == 2 { shallow } else { deep };
        WEIGHTS.into_iter().map(move |weight| {
            Cell::new(cell_name(depth, names, weight), samples, move |sample| {
                // The first game is that of the engine's own order of moves.
                let seed = (sample > 0).then(|| scale.seed_of(sample));
                let player = |evaluation| Player { evaluation, weight, depth: depth * STEP, ..RIVAL };
                Ok(figures(play(names.map(player), seed)?.figures()))
            })
        })
    };
    Ok(GAMES.into_iter().flat_map(of).collect())
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "Points of the first player. Depth is in steps of two plies; a man weighs 9, a mill or a move as much as the \
         column says. In all games but the first of each cell, moves of equal value are chosen among at random: the \
         report prints one game of each kind, whose course hangs on the order in which its program generates moves.",
    );
    let score = |depth, names, weight| Estimate::score(&results.tally(&cell_name(depth, names, weight)));
    let rows = GAMES.into_iter().map(|(depth, names, first, turns)| {
        let [one, other] = names;
        let winner = if first { "first" } else { "second" };
        let cells = WEIGHTS.map(|weight| or_dash(score(depth, names, weight)));
        let head = [format!("{one} v {other}, depth {depth}"), format!("{winner} won in {turns}")];
        head.into_iter().chain(cells).collect()
    });
    page.table(&["players", "published", "weight 1", "weight 3", "weight 9", "weight 27"], rows.collect());
    let turns = GAMES.into_iter().map(|(depth, names, _, published)| {
        let of = |weight| or_dash(results.mean(&cell_name(depth, names, weight), "turns"));
        let head = [format!("{} v {}, depth {depth}", names[0], names[1]), published.to_string()];
        head.into_iter().chain(WEIGHTS.map(of)).collect()
    });
    page.say("Turns of a game:");
    page.table(&["players", "published", "weight 1", "weight 3", "weight 9", "weight 27"], turns.collect());
    for (depth, names, first, _) in GAMES {
        let best = WEIGHTS.into_iter().filter_map(|weight| Some((weight, score(depth, names, weight)?)));
        let points = |estimate: &Estimate| if first { estimate.value } else { -estimate.value };
        let best = best.max_by(|a, b| points(&a.1).total_cmp(&points(&b.1)));
        let [one, other] = names;
        let (winner, weight) =
            (if first { one } else { other }, best.map_or(WEIGHTS[0], |(weight, _)| weight));
        let what = format!("{one} v {other} at depth {depth}: {winner} wins, here at weight {weight}");
        let ours = best.map(|(_, estimate)| estimate);
        page.claim(if first { Claim::above(what, ours, 0.5) } else { Claim::below(what, ours, 0.5) });
    }
    page.say(
        "The claims are judged at the weight that favours them most: where even that contradicts, no weight tried \
         explains the published result.",
    );
}
