//! `glem`: configurations that are frequent in games, with the weights that explain the results best.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use draughts::eval::learned::{Form, Learned, atoms};
use draughts::{Position, moves};
use rayon::prelude::*;
use search::learn::configurations::generate;
use search::learn::{Configuration, Logistic, Played, Samples, Taper};
use search::{Game, Side};

use super::games::SCALE;
use crate::learn::games::read;
use crate::misuse::Asked;
use crate::place;

/// What is learned, and from which games.
#[derive(Args)]
pub struct Arguments {
    /// Where to write the weights, to be played by "Weights File"
    out: PathBuf,
    /// Files of games, as `games` writes them
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Fewest positions in which a configuration must hold
    #[arg(long, default_value_t = 500)]
    least: usize,
    /// Most facts in a configuration
    #[arg(long, default_value_t = 2)]
    longest: usize,
    /// Most positions to learn from
    #[arg(long, default_value_t = 50_000)]
    positions: usize,
}

/// A board as its side to move saw it, and that side's share of the point.
type Seen = (Vec<i8>, f32);

/// Generates, fits and writes.
pub fn run(arguments: &Arguments) -> Result<()> {
    place::check("OUT", &arguments.out)?;
    let (games, _) = read(&arguments.games).asked()?;
    let mut seen: Vec<Seen> = games.iter().flat_map(seen).collect();
    seen.truncate(arguments.positions);
    ensure!(!seen.is_empty(), "there are no positions to learn from");
    // Every tenth position is kept back to see what was learned and not only remembered.
    let (kept, learned): (Vec<_>, Vec<_>) = seen.into_iter().enumerate().partition(|(i, _)| i % 10 == 0);
    let [kept, learned] =
        [kept, learned].map(|part| part.into_iter().map(|(_, seen)| seen).collect::<Vec<Seen>>());
    let boards: Vec<Vec<i8>> = learned.iter().map(|(atoms, _)| atoms.clone()).collect();
    let configurations = generate(&boards, arguments.least, arguments.longest);
    ensure!(!configurations.is_empty(), "no configuration holds in {} positions", arguments.least);
    let logistic = Logistic { scale: SCALE, passes: 60, ..Logistic::default() };
    let weights = logistic.fit(&samples(&learned, &configurations), &vec![0.0; configurations.len()]);
    let (count, loss) = (configurations.len(), logistic.loss(&samples(&kept, &configurations), &weights));
    let Arguments { least, longest, .. } = arguments;
    let remark = format!(
        "quintet learn draughts glem --least {least} --longest {longest}, {} positions; version {}",
        learned.len(),
        env!("CARGO_PKG_VERSION")
    );
    let form = Form::Configurations(configurations.into_iter().zip(weights).collect());
    place::write(&arguments.out, Learned::new(form, &remark).write())?;
    writeln!(
        io::stdout(),
        "{count} configurations from {} positions, loss {loss:.5} on {} others",
        learned.len(),
        kept.len()
    )?;
    Ok(())
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

/// A feature for each configuration, on where it is active.
fn samples(seen: &[Seen], configurations: &[Configuration]) -> Samples {
    let rows: Vec<Vec<(u32, f32)>> = seen
        .par_iter()
        .map(|(atoms, _)| {
            let active = configurations.iter().zip(0..).filter(|(c, _)| c.is_active(atoms));
            active.map(|(_, i)| (i, 1.0)).collect()
        })
        .collect();
    let mut samples = Samples::new(configurations.len(), Taper::None);
    rows.into_iter().zip(seen).for_each(|(row, (_, target))| samples.push(row, 0.0, *target));
    samples
}
