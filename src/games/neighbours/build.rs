//! What can be built for Neighbours: the exact values of small boards.

use std::path::Path;

use anyhow::Result;
use neighbours::endgame::Endgames;
use neighbours::{Position, Rules};
use search::Game;
use search::endgame::{Library, Space};

use crate::build::{Extent, Job, Settings, build_all, sound};
use crate::misuse::{Asked, ask};
use crate::probe;
use crate::progress::say;

/// Builds or verifies the endgames within an extent.
pub(super) fn endgame(directory: &Path, extent: &Extent, rules: &Settings, job: Job) -> Result<()> {
    let space = Endgames::new(rules.rules()?);
    let units: Vec<usize> = (0..space.units()).filter(|&unit| extent.holds(space.pieces(unit))).collect();
    ask!(!units.is_empty(), "endgames have at least one piece a side");
    build_all(space, directory, &units, job)
}

/// States what the databases say of the start position and of each of its moves, or which are missing to know it.
pub(super) fn solve(directory: &Path, rules: &Settings) -> Result<()> {
    let rules: Rules = rules.rules()?;
    let library = sound(Library::open(Endgames::new(rules), directory))?;
    let start = Position::start(&rules);
    let Some(found) = value(&library, &start) else {
        return say("unknown: build the endgames of this board first\n");
    };
    let mut text = format!("{start}: {found}\n");
    let mut moves = Vec::new();
    start.moves(&mut moves);
    for m in moves {
        let mut next = start;
        next.play(m);
        text += &format!("{m}: {} for the opponent\n", value(&library, &next).unwrap_or_default());
    }
    say(&text)
}

/// What the tables tell of a position.
pub(super) fn probe(directory: &Path, rules: &Settings, fen: &str) -> Result<String> {
    let rules: Rules = rules.rules()?;
    let library = sound(Library::open(Endgames::new(rules), directory))?;
    let value = |position: &Position| {
        let (unit, index) = library.space().find(position)?;
        library.value(unit, index)
    };
    probe::tell(&Position::read(&rules, fen).asked()?, value, library.has_distances())
}

fn value(library: &Library<Endgames>, position: &Position) -> Option<String> {
    let (unit, index) = library.space().find(position)?;
    library.value(unit, index).map(|value| format!("{value:?}"))
}
