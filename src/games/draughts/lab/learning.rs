//! The ways to learn of chapter 5 of the thesis and our own, after equally many games: how strong each is against plain
//! material.

use std::sync::Arc;

use anyhow::Result;
use draughts::eval::learned::{Form, Learned};
use draughts::{Draughts, Evaluation, Patterns, Rules};
use search::Limits;
use search::learn::{Duel, Results as Pairs};

use crate::games::draughts::learn::games::{self, ENTRIES};
use crate::games::draughts::learn::samuel::School;
use crate::games::draughts::learn::{glem, perceptron, train};
use crate::lab::claim::Claim;
use crate::lab::estimate::number;
use crate::lab::experiment::{Cell, Experiment, Figures, Scale, figures};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "draughts-learn",
    about: "ways to learn an evaluation of draughts: points against plain material after equally many games",
    source: "Beling 2006, chapter 5",
    time: "30 min",
    cells,
    page,
};

/// Nodes of a move, in training and in the match.
const NODES: u64 = 1000;
/// Random plies before the games of a match.
const OPENING: u32 = 6;

/// A way to learn from so many games, drawn with a seed.
type Method = (&'static str, fn(u64, u64) -> Result<Evaluation>);

const METHODS: [Method; 5] = [
    ("Samuel", samuel),
    ("GLEM", configurations),
    ("TD(lambda)", network),
    ("TD(lambda), 20 times the games", patient_network),
    ("our fit", fit),
];

fn samuel(games: u64, seed: u64) -> Result<Evaluation> {
    let mut school = School::new(16, 0.01);
    (0..games).for_each(|game| school.learn_from_game(game, NODES, seed));
    Ok(patterns(school.rival("")))
}

fn configurations(games: u64, seed: u64) -> Result<Evaluation> {
    let found = glem::learn(&played(games, seed), 100.min(games as usize), 6_000, 100_000)?;
    Ok(learned(Form::Configurations(found.configurations)))
}

fn network(games: u64, seed: u64) -> Result<Evaluation> {
    Ok(learned(Form::Perceptron(perceptron::learn(games, 20, (0.05, 0.7), seed, |_, _| {}))))
}

fn patient_network(games: u64, seed: u64) -> Result<Evaluation> {
    network(20 * games, seed)
}

fn fit(games: u64, seed: u64) -> Result<Evaluation> {
    let (weights, _) = train::fit(&games::samples(&played(games, seed), 0.0));
    Ok(patterns(Patterns::new(&weights, "")))
}

/// Games of plain material against itself.
fn played(games: u64, seed: u64) -> Vec<search::learn::Played<draughts::Position>> {
    games::play(seed << 32..(seed << 32) + games, NODES, None, || {})
}

fn patterns(patterns: Patterns) -> Evaluation {
    Evaluation::Patterns(Arc::new(patterns))
}

fn learned(form: Form) -> Evaluation {
    Evaluation::Learned(Arc::new(Learned::new(form, "")))
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let scale = *scale;
    let (games, samples) = (scale.pick([3, 150, 1_500, 15_000]), scale.pick([1, 4, 8, 20]));
    let pairs = scale.pick([1, 10, 25, 50]);
    let cell = |&(name, learn): &Method| {
        Cell::new(name, samples, move |sample| {
            let seed = scale.seed_of(sample) & u64::from(u32::MAX);
            Ok(contest(&learn(games, seed)?, pairs, seed, games))
        })
    };
    Ok(METHODS.iter().map(cell).collect())
}

const GAMES: &str = "games learned from";
const POINTS: &str = "points";
const PLAYED: &str = "games played";

/// Games of what was learned against material.
fn contest(learned: &Evaluation, pairs: usize, seed: u64, games: u64) -> Figures {
    let limits = [Limits::nodes(NODES), Limits::nodes(NODES)];
    let player = |evaluation: Evaluation| {
        let mut player = Draughts::bare();
        player.search().set_entries(ENTRIES).expect("the table is small");
        player.play_by(evaluation);
        player
    };
    let players = || (player(learned.clone()), player(Evaluation::Material));
    let duel = Duel { pairs, opening: OPENING, limits, seed };
    let tally = duel.play(&Rules::default(), players, Pairs::new(), |_, _| {});
    let [won, drawn, lost] = [tally.wins, tally.draws, tally.losses].map(f64::from);
    let (points, played) = (won + drawn / 2.0, won + drawn + lost);
    let counts = [("won", won), ("drawn", drawn), ("lost", lost), (POINTS, points), (PLAYED, played)];
    figures(counts.into_iter().chain([(GAMES, games as f64)]))
}

fn page(results: &Results, page: &mut Page) {
    let games = results.cells().find_map(|cell| results.values(cell, GAMES).first().copied());
    page.say(&format!(
        "Each method learns anew in every sample, from {} games: Samuel's and TD(lambda) from games of their own, which \
         the method plays while it learns, GLEM and our fit from games of plain material against itself. Then it meets \
         plain material. All play {NODES} nodes a move; TD(lambda) learns by looking one move ahead, and since its games \
         cost next to nothing and the thesis' example played hundreds of thousands, from 20 times as many, too. The \
         thesis describes the methods without figures of its own; they are claimed to be worth something there.",
        or_dash(games.map(number))
    ));
    // Luck in learning is part of it: the error is that of the samples, not of the games.
    let score = |name: &str| results.ratio((name, POINTS), (name, PLAYED));
    let rows = METHODS.iter().map(|&(name, _)| {
        let tally = results.tally(name);
        let counts = [tally.wins, tally.draws, tally.losses].map(|games| games.to_string());
        let score = or_dash(score(name).map(|score| score.times(100.0)));
        [vec![name.to_owned()], counts.to_vec(), vec![score]].concat()
    });
    page.table(&["method", "won", "drawn", "lost", "score, %"], rows.collect());
    for (name, _) in METHODS {
        page.claim(Claim::above(format!("{name} beats plain material"), score(name), 0.5));
    }
}
