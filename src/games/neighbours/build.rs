//! What can be built for Neighbours: the exact values of small boards.

use std::path::Path;

use anyhow::Result;
use neighbours::endgame::Endgames;
use neighbours::{Position, Rules};
use search::Game;
use search::endgame::{Library, Space};

use super::proof;
use crate::build::{Effort, Extent, Job, Settings, build_all, sound};
use crate::misuse::ask;
use crate::probe::{Oracle, oracle};
use crate::progress::say;

/// Builds or verifies the endgames within an extent.
pub(super) fn endgame(directory: &Path, extent: &Extent, rules: &Settings, job: Job) -> Result<()> {
    extent.without_placing()?;
    let space = Endgames::new(rules.rules()?);
    let units: Vec<usize> = (0..space.units()).filter(|&unit| extent.holds(space.pieces(unit))).collect();
    ask!(!units.is_empty(), "endgames have at least one piece a side");
    build_all(space, directory, &units, job)
}

/// States what the databases say of the start position and of each of its moves; where they do not reach so far, a search
/// looks for a win.
pub(super) fn solve(directory: &Path, rules: &Settings, effort: Effort) -> Result<()> {
    let rules: Rules = rules.rules()?;
    let library = sound(Library::open(Endgames::new(rules), directory))?;
    let start = Position::start(&rules);
    let Some(found) = value(&library, &start) else {
        return proof::seek(&library, &start, directory, effort);
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

/// The tables, to be asked about positions.
pub(super) fn consult(directory: &Path, rules: &Settings) -> Result<Box<dyn Oracle>> {
    let rules: Rules = rules.rules()?;
    let library = sound(Library::open(Endgames::new(rules), directory))?;
    Ok(oracle(rules, move |position| {
        let (unit, index) = library.space().find(position)?;
        library.told(unit, index)
    }))
}

fn value(library: &Library<Endgames>, position: &Position) -> Option<String> {
    let (unit, index) = library.space().find(position)?;
    library.value(unit, index).map(|value| format!("{value:?}"))
}
