//! The programs of the five works against ours of today and against peers, with the same number of nodes or plies.

use anyhow::Result;

use super::experiment::{Cell, Experiment, Scale};
use super::page::Page;
use super::results::Results;
use super::strength;
use crate::games::{GAMES, Row};

/// Each preset against the default and, where there is one, a peer; Go's meets GNU Go in an experiment of its own.
pub const EXPERIMENT: Experiment = Experiment {
    name: "presets",
    about: "our engines and peers against the presets that play as the five works' programs did",
    source: "none: the works' programs did not meet ours",
    time: "10 min",
    cells,
    page,
};

fn all() -> impl Iterator<Item = (&'static Row, &'static super::games::Meeting)> {
    GAMES.iter().flat_map(|row| row.lab.presets.iter().map(move |meeting| (row, meeting)))
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let pairs = scale.pick([1, 2, 50, 200]);
    Ok(all().map(|(row, meeting)| meeting.cell(row, pairs, scale).optional()).collect())
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "Games in pairs from one opening with colours swapped, our default or a peer first. Engines are limited by nodes or \
         depth, so that the games are the same on every machine.",
    );
    strength::table(results, page, all());
}
