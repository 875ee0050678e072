//! What can be built for nine men's morris.

use std::path::Path;

use anyhow::{Context, Result};
use morris::endgame::Endgames;
use search::endgame::{Library, Space};

use super::{Extent, Job, Settings, build_all};

/// Builds or verifies the endgames within an extent.
pub(super) fn endgame(directory: &Path, extent: &Extent, rules: &Settings, job: Job) -> Result<()> {
    let space = space(rules)?;
    let (most, least) = extent.up_to.map_or((9, 9), |(a, b)| (a.max(b), a.min(b)));
    let units: Vec<usize> = (0..space.units())
        .filter(|&unit| {
            let (more, less) = space.men(unit);
            more <= most && less <= least && extent.men.is_none_or(|men| more + less <= men)
        })
        .collect();
    build_all(space, directory, &units, job)
}

/// States what the databases say of the start position, or which of them are missing to know it.
#[allow(clippy::print_stdout)]
pub(super) fn solve(directory: &Path, rules: &Settings) -> Result<()> {
    let (library, refused) = Library::open(space(rules)?, directory);
    if let Some(error) = refused.into_iter().next() {
        return Err(error.into());
    }
    let missing: Vec<String> = (0..library.space().units())
        .filter(|&unit| library.table(unit).is_none())
        .map(|unit| library.space().label(unit))
        .collect();
    if !missing.is_empty() {
        println!("unknown: {} of 28 endgame tables are missing ({})", missing.len(), missing.join(" "));
    }
    Ok(())
}

fn space(rules: &Settings) -> Result<Endgames> {
    Endgames::new(&rules.rules::<morris::Morris>()?)
        .context("endgames are known only without a ban on returning (NoReturn off)")
}
