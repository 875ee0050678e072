//! What can be built for draughts.

use std::path::Path;

use anyhow::{Result, ensure};
use draughts::endgame::{Endgames, MOST_PIECES};
use search::endgame::Space;

use super::{Extent, Job, Settings, build_all};

/// Pieces of the endings that are built unless told otherwise.
const PIECES: usize = 5;

/// Builds or verifies the endgames of so many pieces, of the variant in force.
pub(super) fn endgame(directory: &Path, extent: &Extent, rules: &Settings, job: Job) -> Result<()> {
    let pieces = extent.pieces.unwrap_or(PIECES);
    ensure!(pieces <= MOST_PIECES, "endings of more than {MOST_PIECES} pieces are too many");
    let space = Endgames::new(rules.rules::<draughts::Draughts>()?.variant);
    let units: Vec<usize> = (0..space.units()).filter(|&unit| space.pieces(unit) <= pieces).collect();
    build_all(space, directory, &units, job)
}
