//! `show`: the weights of a training as a table, and their way there as curves.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use search::learn::Log;

use super::checkpoint::{Checkpoint, WIN_POINTS};
use crate::learn::chart::{self, Curve, Upright};
use crate::progress::say;

/// What to show.
#[derive(Args)]
pub struct Arguments {
    /// The training
    checkpoint: PathBuf,
    /// Also plot the weights and their changes as NAME-weights.svg and NAME-changes.svg
    #[arg(long, value_name = "NAME")]
    svg: Option<PathBuf>,
}

/// Prints the table and draws the curves.
pub fn run(arguments: &Arguments) -> Result<()> {
    let checkpoint = Checkpoint::read(&arguments.checkpoint)?;
    say(&table(&checkpoint)?)?;
    if let Some(name) = &arguments.svg {
        draw(&checkpoint, name)?;
    }
    Ok(())
}

fn table(checkpoint: &Checkpoint) -> Result<String> {
    let weights = checkpoint.weights()?;
    let training = &checkpoint.training;
    let mut out = format!("{}\n", checkpoint.origin());
    out += &format!(
        "{} moves, {} matches, {} promotions\n\n",
        training.learner.moves,
        training.log.trials.len(),
        training.log.promotions()
    );
    out += &format!("{:<56} {:>9}\n", "term", "weight");
    for (name, weight) in weights.set().terms().names().iter().zip(weights.values()) {
        out += &format!("{name:<56} {weight:>9.1}\n");
    }
    Ok(out)
}

fn draw(checkpoint: &Checkpoint, name: &Path) -> Result<()> {
    let log = &checkpoint.training.log;
    let beside = |what: &str| {
        let stem = name.file_name().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        name.with_file_name(format!("{stem}-{what}.svg"))
    };
    let names = checkpoint.set().terms().names();
    let weights: Vec<Curve> =
        names.into_iter().enumerate().map(|(i, name)| weight_curve(log, i, name)).collect();
    chart::draw(&beside("weights"), "Weights", ["moves learned from", "weight"], Upright::Linear, &weights)?;
    let points = log.periods.iter().map(|period| (period.moves as f64, period.change)).collect();
    let changes = Curve { name: "sum of changes".to_owned(), points };
    chart::draw(
        &beside("changes"),
        "Changes of the weights",
        ["moves learned from", "change"],
        Upright::Linear,
        &[changes],
    )
}

fn weight_curve(log: &Log, index: usize, name: String) -> Curve {
    let points =
        log.periods.iter().map(|period| (period.moves as f64, period.weights[index] * WIN_POINTS)).collect();
    Curve { name, points }
}
