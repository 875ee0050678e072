//! `glem`: configurations that are frequent in games, with the weights whose squeezed sum is nearest to the results.
//!
//! What stands on a square begins with its material worth, so that kings on squares where few were seen are not for
//! nothing.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use draughts::eval::learned::{Form, Learned, atoms};
use draughts::{Position, moves};
use rayon::prelude::*;
use search::learn::configurations::generate;
use search::learn::{Configuration, Configurations, Logistic, Loss, Played, Samples, Taper};
use search::{Game, Side};

use super::games::SCALE;
use crate::learn::games::read;
use crate::misuse::Asked;
use crate::place;
use crate::progress::say;

/// How many samples speak for a weight staying where it begins.
const PULL: f64 = 10.0;
const PASSES: usize = 100;

/// What is learned, and from which games.
#[derive(Args)]
pub struct Arguments {
    /// Where to write the weights, to be played by "Weights File"
    out: PathBuf,
    /// Files of games, as `games` writes them
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Fewest positions in which a configuration must hold
    #[arg(long, default_value_t = 100)]
    least: usize,
    /// Most configurations: they grow by one fact after the other until there are so many
    #[arg(long, default_value_t = 6_000)]
    most: usize,
    /// Most positions to learn from, taken from all games alike
    #[arg(long, default_value_t = 100_000)]
    positions: usize,
}

/// A board as its side to move saw it, and that side's share of the point.
type Seen = (Vec<i8>, f32);

/// Generates, fits and writes.
pub fn run(arguments: &Arguments) -> Result<()> {
    place::check("OUT", &arguments.out)?;
    let (games, _) = read(&arguments.games).asked()?;
    let Arguments { least, most, positions, .. } = *arguments;
    let found = learn(&games, least, most, positions)?;
    let Found { configurations, positions, kept, error } = found;
    let remark = format!(
        "quintet learn draughts glem --least {least} --most {most}, {positions} positions; version {}",
        env!("CARGO_PKG_VERSION")
    );
    let facts = configurations.all().iter().map(|(found, _)| found.facts().len());
    let (count, longest) = (facts.len(), facts.max().unwrap_or(0));
    place::write(&arguments.out, Learned::new(Form::Configurations(configurations), &remark).write())?;
    say(&format!(
        "{count} configurations of up to {longest} facts from {positions} positions, squared error {error:.5} on {kept} \
         others\n"
    ))
}

/// What was found out from games.
pub struct Found {
    /// Configurations with their weights.
    pub configurations: Configurations,
    positions: usize,
    /// Positions of other games, and the mean squared error there.
    kept: usize,
    error: f64,
}

/// Generates configurations and fits their weights.
pub fn learn(games: &[Played<Position>], least: usize, most: usize, positions: usize) -> Result<Found> {
    // Every tenth game is kept back to see what was learned and not only remembered.
    let (kept, learned): (Vec<_>, Vec<_>) = games.iter().enumerate().partition(|(i, _)| i % 10 == 9);
    let [kept, learned] =
        [kept, learned].map(|part| part.into_iter().flat_map(|(_, game)| seen(game)).collect::<Vec<Seen>>());
    ensure!(!learned.is_empty(), "there are no positions to learn from");
    let every = learned.len().div_ceil(positions.max(1));
    let learned: Vec<Seen> = learned.into_iter().step_by(every).collect();
    let boards: Vec<Vec<i8>> = learned.iter().map(|(atoms, _)| atoms.clone()).collect();
    let found = generate(&boards, least, most);
    ensure!(!found.is_empty(), "no configuration holds in {least} positions");
    let configurations = Configurations::new(found.into_iter().map(|found| (found, 0.0)).collect());
    let start: Vec<f64> = configurations.all().iter().map(|(found, _)| worth(found)).collect();
    let logistic =
        Logistic { loss: Loss::Squares, scale: SCALE, pull: PULL, passes: PASSES, ..Logistic::default() };
    let weights = logistic.fit(&samples(&learned, &configurations), &start);
    let error = logistic.loss(&samples(&kept, &configurations), &weights);
    let configurations = configurations.weighted(&weights);
    Ok(Found { configurations, positions: learned.len(), kept: kept.len(), error })
}

fn seen(game: &Played<Position>) -> Vec<Seen> {
    let result = game.result() as f32;
    let mut all = Vec::new();
    game.valued(|root, _, _| {
        let position = root.position();
        if !moves::can_capture(position) {
            let own = if position.turn() == Side::White { result } else { 1.0 - result };
            all.push((atoms(position), own));
        }
    });
    all
}

/// Where a weight begins: a man 100, a king 300, what stands together nothing beside.
fn worth(configuration: &Configuration) -> f64 {
    match configuration.facts() {
        [(_, piece)] => [-300.0, -100.0, 0.0, 100.0, 300.0][(piece + 2) as usize],
        _ => 0.0,
    }
}

/// A feature for each configuration, on where it is active.
fn samples(seen: &[Seen], configurations: &Configurations) -> Samples {
    let rows: Vec<Vec<(u32, f32)>> = seen
        .par_iter()
        .map(|(atoms, _)| configurations.active(atoms).map(|i| (i as u32, 1.0)).collect())
        .collect();
    let mut samples = Samples::new(configurations.all().len(), Taper::None);
    rows.into_iter().zip(seen).for_each(|(row, (_, target))| samples.push(row, 0.0, *target));
    samples
}
