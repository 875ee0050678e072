//! Section 4.4: what playouts know, each kind in plain UCT against uniform playouts.

use anyhow::Result;

use super::contest::{Contest, Method};
use crate::lab::experiment::{Cell, Experiment, Scale};
use crate::lab::page::Page;
use crate::lab::results::Results;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "go-playouts",
    about: "what playouts know, each kind against uniform playouts in Go",
    source: "Śliwa 2013, 4.4",
    time: "30 min",
    cells,
    page,
};

/// Playouts of a kind.
const fn kind(name: &'static str, options: &'static [&'static str]) -> Method {
    Method { name, options, is_praised: true }
}

const CONTEST: Contest = Contest {
    methods: &[
        kind("GO GAME's heuristics in playouts", &["option.Playout=heuristics"]),
        kind("the roulette of Drake and Uurtamo", &["option.Playout=roulette"]),
        kind("the same and an opening", &["option.Playout=roulette-opening"]),
        kind("urgency", &["option.Playout=urgency"]),
        kind("sequences", &["option.Playout=sequence"]),
        kind("our default playouts", &["option.Playout=heavy"]),
    ],
    is_threaded: false,
};

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    Ok(CONTEST.cells(scale))
}

fn page(results: &Results, page: &mut Page) {
    CONTEST.tell(results, page);
    page.say(
        "The thesis holds that knowledge makes playouts better and slower, and prints no comparison. Its opening is \
         made for 19x19: on 9x9 the fourth and fifth lines are the middle of the board.",
    );
}
