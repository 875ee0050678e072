//! Table 6.3: what the tree adds to Monte-Carlo, each against GNU Go on 9x9.

use anyhow::Result;

use super::tournament::{Limit, against_gnugo, terms};
use crate::lab::claim::Claim;
use crate::lab::experiment::{Cell, Experiment, Scale};
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "go-uct",
    about: "UCT and flat Monte-Carlo, each against GNU Go on 9x9",
    source: "Śliwa 2013, table 6.3",
    time: "15 min",
    cells,
    page,
};

/// A strategy, its option, and the games of 50 that it won in the thesis.
type Strategy = (&'static str, &'static [&'static str], u64);
const STRATEGIES: [Strategy; 2] =
    [(UCT, &["option.Selection=uct"], 46), (FLAT, &["option.Selection=flat"], 19)];
const UCT: &str = "UCT";
const FLAT: &str = "Monte-Carlo";
/// Games of the thesis.
const GAMES: u64 = 50;
const LIMIT: Limit = Limit { playouts: 10_000, seconds: 5 };

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let games = scale.pick([1, 4, GAMES, 4 * GAMES]);
    let cell = |(name, options, _): Strategy| {
        against_gnugo(name.to_owned(), options, 9, LIMIT.hurried(scale), games, scale)
    };
    Ok(STRATEGIES.into_iter().map(cell).collect())
}

fn page(results: &Results, page: &mut Page) {
    page.say(&terms(LIMIT, results));
    let rows = STRATEGIES.map(|(name, _, published)| {
        let tally = results.tally(name);
        let games = format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
        let percent = or_dash(results.score(name).map(|score| score.times(100.0)));
        let theirs = format!("+{published} -{}", GAMES - published);
        vec![name.to_owned(), games, percent, theirs, (100 * published / GAMES).to_string()]
    });
    page.table(&["strategy", "games", "score, %", "published", "%"], rows.into());
    page.claim(Claim::above("UCT is the stronger one", results.lead(UCT, FLAT), 0.0));
    page.claim(Claim::above("UCT wins most games", results.score(UCT), 0.5));
    page.claim(Claim::below("Flat Monte-Carlo loses most games", results.score(FLAT), 0.5));
}
