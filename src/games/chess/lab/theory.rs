//! Kuhn's algorithm on random games: chapters 2 to 4 of the thesis.

use anyhow::Result;
use search::Random;
use search::theory::{Node, NormalForm, Tree};

use crate::lab::claim::Claim;
use crate::lab::estimate::number;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale, figures};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "theory",
    about: "equilibria of random games of several players, by backward induction and by the table of all strategies",
    source: "Kushnir, chapters 2 to 4",
    time: "1 min",
    cells,
    page,
};

/// Kinds of games: their name, players, plies, and whether what one wins another loses.
const KINDS: [(&str, usize, u32, bool); 5] = [
    ("two players", 2, 3, false),
    (OPPOSED, 2, 3, true),
    ("three players", 3, 3, false),
    ("four players", 4, 3, false),
    ("two players, six plies", 2, 6, false),
];
const OPPOSED: &str = "two players, zero sum";
/// Games of a sample.
const GAMES: usize = 100;
/// The largest table that is searched for equilibria.
const SITUATIONS: usize = 4096;

const PLAYED: &str = "games";
const PERFECT: &str = "perfect";
const TABLES: &str = "tables";
const FOUND: &str = "found";
const EQUILIBRIA: &str = "equilibria";
const EMPTY_THREATS: &str = "not in every subgame";
const MINIMAX: &str = "minimax";

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let (samples, scale) = (scale.pick([1, 20, 100, 1000]), *scale);
    let cell = |(name, players, depth, zero_sum): (&'static str, usize, u32, bool)| {
        Cell::new(name, samples, move |sample| Ok(solve(players, depth, zero_sum, scale.seed_of(sample))))
    };
    Ok(KINDS.map(cell).into())
}

fn solve(players: usize, depth: u32, zero_sum: bool, seed: u64) -> Figures {
    let mut random = Random::new(seed);
    let [mut perfect, mut tables, mut found, mut equilibria, mut threats, mut minimax] = [0; 6];
    for _ in 0..GAMES {
        let tree = Tree::new(players, Node::random(players, depth, zero_sum, &mut random));
        let solution = tree.solve();
        perfect += usize::from(tree.is_subgame_perfect(&solution.profile));
        minimax += usize::from(tree.minimax() == solution.payoffs[0][0]);
        let Some(form) = NormalForm::of(&tree).filter(|form| form.situations() <= SITUATIONS) else {
            continue;
        };
        tables += 1;
        let all: Vec<_> = form.equilibria().iter().map(|strategies| form.profile(strategies)).collect();
        let known = all.first().map_or(0, Vec::len);
        found += usize::from(all.iter().any(|profile| profile[..] == solution.profile[..known]));
        equilibria += all.len();
        threats += all.iter().filter(|profile| !tree.is_subgame_perfect(profile)).count();
    }
    figures([
        (PLAYED, GAMES as f64),
        (PERFECT, perfect as f64),
        (TABLES, tables as f64),
        (FOUND, found as f64),
        (EQUILIBRIA, equilibria as f64),
        (EMPTY_THREATS, threats as f64),
        (MINIMAX, minimax as f64),
    ])
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "Random games of up to three choices a turn, solved from their ends; where there are at most 4096 ways to \
         choose all strategies, every one of them is tried, too. An equilibrium that rests on a threat nobody would \
         carry out is none in some subgame.",
    );
    let sum = |kind: &str, figure| results.sum(kind, figure);
    let count = |figure| KINDS.iter().filter_map(|(kind, ..)| sum(kind, figure)).sum::<f64>() as usize;
    let row = |(kind, ..): (&'static str, usize, u32, bool)| {
        let figure = |figure| or_dash(sum(kind, figure).map(number));
        let each = results.ratio((kind, EQUILIBRIA), (kind, TABLES));
        let threats = results.ratio((kind, EMPTY_THREATS), (kind, EQUILIBRIA));
        let threats = threats.map(|share| share.times(100.0));
        vec![
            kind.to_owned(),
            figure(PLAYED),
            figure(PERFECT),
            figure(TABLES),
            or_dash(each),
            or_dash(threats),
        ]
    };
    let heads =
        ["games", "solved", "absolute equilibria", "tables", "equilibria a table", "% of them not absolute"];
    page.table(&heads, KINDS.map(row).into());
    page.claim(Claim::all(
        "Kuhn's algorithm finds an absolute equilibrium of every game",
        count(PERFECT),
        count(PLAYED),
    ));
    page.claim(Claim::all("It is among the equilibria of the table", count(FOUND), count(TABLES)));
    page.claim(Claim::all(
        "For two players of opposed interests it is minimax",
        sum(OPPOSED, MINIMAX).unwrap_or(0.0) as usize,
        sum(OPPOSED, PLAYED).unwrap_or(0.0) as usize,
    ));
}
