//! How long a question to the endgame databases takes.

use std::time::Instant;

use anyhow::{Context, Result};
use morris::database::Database;
use morris::{Position, Rules};
use search::Random;

use crate::lab::experiment::{Figures, figures};
use crate::lab::speed::{Pace, Take};

/// Questions to the databases of the data directory.
pub(super) const PROBE: Pace =
    Pace { name: "endgame probe", samples: [0, 1, 5, 5], measure: probed, check: || open().map(|_| ()) };
const PROBES: usize = 50_000;

fn open() -> Result<Database> {
    let folder = Database::default_directory().context("there is no data directory")?;
    Database::open(&Rules::STANDARD, &folder).0.context("`quintet build endgame morris` has not been run")
}

/// Random positions of all tables.
fn probed(take: Take) -> Result<Figures> {
    let (database, mut random) = (open()?, Random::new(take.seed));
    let positions: Vec<Position> = (0..PROBES).map(|_| database.any(&mut random).0).collect();
    let begun = Instant::now();
    for position in &positions {
        std::hint::black_box(database.value(position));
    }
    Ok(figures([("us", begun.elapsed().as_secs_f64() * 1e6 / PROBES as f64)]))
}
