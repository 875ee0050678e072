//! How long a question to the endgame databases takes.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use draughts::endgame::{Database, Endgames};
use draughts::{Position, Variant};
use search::Random;
use search::endgame::Space;

use crate::lab::experiment::{Figures, Size, figures};
use crate::lab::speed::{Pace, Take};

/// Questions to the databases of the data directory.
pub(super) const PROBE: Pace =
    Pace { name: "endgame probe", samples: [0, 1, 5, 5], measure: probed, check: there_are_some };
/// Positions that lie so near to each other are in memory soon.
const NEAR: u64 = 20_000;

fn open() -> Result<Database> {
    let folder = search::data::directory().context("there is no data directory")?.join("endgame");
    Ok(Database::open(Variant::BRAZILIAN, &folder).0)
}

fn there_are_some() -> Result<()> {
    ensure!(open()?.pieces() > 0, "`quintet build endgame draughts` has not been run");
    Ok(())
}

/// Positions of the largest table, anywhere in it and near to each other.
fn probed(take: Take) -> Result<Figures> {
    let (database, endgames) = (open()?, Endgames::new(Variant::BRAZILIAN));
    let largest = database.library().present().max_by_key(|&unit| endgames.states(unit));
    let largest = largest.context("there are no tables")?;
    let (states, count) = (endgames.states(largest), if take.size == Size::Tiny { 100 } else { 200_000 });
    let mut random = Random::new(take.seed);
    let mut ask = |places: u64| -> f64 {
        let start = random.bits() % states;
        let one = |_| endgames.position(largest, (start + random.bits() % places) % states);
        let positions: Vec<Position> = (0..count).map(one).collect();
        let mut nanoseconds = 0.0;
        // The second time they are in memory.
        for _ in 0..2 {
            let begun = Instant::now();
            for position in &positions {
                std::hint::black_box(database.probe(position));
            }
            nanoseconds = begun.elapsed().as_nanos() as f64 / f64::from(count);
        }
        nanoseconds
    };
    Ok(figures([("ns anywhere in the largest table", ask(states)), ("ns near the last one", ask(NEAR))]))
}
