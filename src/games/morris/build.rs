//! What can be built for nine men's morris.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Error, Result, ensure};
use morris::database::Database;
use morris::endgame::Endgames;
use morris::{Position, solve};
use search::endgame::Space;
use search::{Game, Score};

use crate::build::{Extent, Job, Settings, build_all, sound};

/// MiB of hash table for solving the placing phase.
const MEMORY: usize = 1024;

/// Builds or verifies the endgames within an extent.
pub(super) fn endgame(directory: &Path, extent: &Extent, rules: &Settings, job: Job) -> Result<()> {
    let space = space(rules)?;
    let units: Vec<usize> = (0..space.units()).filter(|&unit| extent.holds(space.men(unit))).collect();
    ensure!(!units.is_empty(), "endgames have three to nine men a side");
    build_all(space, directory, &units, job)
}

/// States the value of the start position, or which databases are missing to know it.
#[allow(clippy::print_stdout)]
pub(super) fn solve(directory: &Path, settings: &Settings) -> Result<()> {
    let rules = settings.rules()?;
    space(settings)?;
    let Some(database) = sound(Database::open(&rules, directory))? else {
        println!("unknown: {} holds no endgame tables for these rules", directory.display());
        return Ok(());
    };
    let missing = database.missing();
    if !missing.is_empty() {
        println!("unknown: {} endgame tables are missing: {}", missing.len(), missing.join(" "));
        return Ok(());
    }
    let begun = Instant::now();
    let score = solve::value(Position::start(&rules), Arc::new(database), MEMORY).map_err(Error::msg)?;
    let winner = match score {
        Score::DRAW => "a draw",
        score if score > Score::DRAW => "won for White",
        _ => "won for Black",
    };
    println!(
        "the start position is {winner} (score {score}), found in {:.0} s",
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}

fn space(rules: &Settings) -> Result<Endgames> {
    Endgames::new(&rules.rules()?)
        .context("endgames are known only without a ban on returning (NoReturn off)")
}
