//! `network`: a network learned from files of games, whatever the game.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use search::Game;
use search::learn::Played;
use search::learn::network::{Agreement, Lessons, Plan, Pupil, Training};
use search::zobrist;

use super::chart::{self, Curve, Upright};
use super::series::{self, names};
use crate::misuse::Asked;
use crate::place;
use crate::progress::{Progress, say};

/// One game in so many is kept out of the training to see how well the network predicts.
const KEPT_OUT: u64 = 20;

/// How a network is learned.
#[derive(Args)]
pub struct Arguments {
    /// Files of games, as `games` writes them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the network
    #[arg(long)]
    out: PathBuf,
    /// Hidden units of each side
    #[arg(long, default_value_t = 128)]
    hidden: usize,
    /// Passes over the positions
    #[arg(long, default_value_t = 20)]
    passes: usize,
    /// Positions between two steps
    #[arg(long, default_value_t = 16384)]
    batch: usize,
    /// How far the first steps go
    #[arg(long, default_value_t = 0.001)]
    rate: f32,
    /// By what part, times the rate, numbers shrink with every step
    #[arg(long, default_value_t = 0.0)]
    decay: f32,
    /// The share of the game's result in the target; the rest is the search's score
    #[arg(long, default_value_t = 0.3)]
    result: f32,
    /// Points at which the odds of winning are e to 1 [default: as the games say]
    #[arg(long)]
    scale: Option<u16>,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; other numbers give slightly other networks [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Where the training is kept after every pass, to be resumed [default: the network's name and .training]
    #[arg(long)]
    checkpoint: Option<PathBuf>,
    /// Draw the losses of all passes to this file
    #[arg(long)]
    svg: Option<PathBuf>,
}

impl Arguments {
    fn plan(&self, lessons: &Lessons) -> Plan {
        let &Arguments { hidden, passes, batch, rate, decay, result, seed, threads, .. } = self;
        let scale = self.scale.unwrap_or_else(|| lessons.scale());
        let workers = if threads == 0 { rayon::current_num_threads() } else { threads };
        Plan { hidden, passes, batch, rate, decay, result, scale, seed, workers }
    }

    fn checkpoint(&self) -> PathBuf {
        self.checkpoint.clone().unwrap_or_else(|| {
            let mut name = self.out.clone().into_os_string();
            name.push(".training");
            name.into()
        })
    }
}

/// Trains, makes the numbers whole, compares both and writes the network.
pub fn run<P: Pupil>(game: &str, arguments: &Arguments) -> Result<()> {
    let checkpoint = arguments.checkpoint();
    let svg = arguments.svg.as_deref();
    place::check_all(&[
        ("--out", Some(&arguments.out)),
        ("--checkpoint", Some(&checkpoint)),
        ("--svg", svg),
    ])?;
    let (learned, others, origin) = read::<P>(&arguments.files).asked()?;
    let plan = arguments.plan(&learned);
    let command = command(game, arguments, &plan);
    let said = format!("{} positions to learn from, {} kept out", learned.len(), others.len());
    say(&format!("{said}, scale {}\n", plan.scale))?;
    let mut training = Training::new::<P>(plan.clone(), &learned).asked()?;
    if let Some(bytes) = kept(&checkpoint)? {
        training.resume(&bytes).with_context(|| checkpoint.display().to_string()).asked()?;
    }
    while !training.is_done() {
        pass(&mut training, &learned, &others)?;
        place::write(&checkpoint, training.write())?;
    }
    let network = training.weights.network::<P>(plan.scale);
    let agreement = Agreement::of(&training.weights, &network, plan.target(), &others);
    let Agreement { losses: [before, after], difference, largest } = agreement;
    let compared = format!(
        "loss on positions kept out {before:.5} as learned, {after:.5} in whole numbers; values differ by {difference:.2} \
         points on average, {largest:.0} at most"
    );
    say(&format!("{compared}\n"))?;
    let version = env!("CARGO_PKG_VERSION");
    let told = format!("quintet {version} {command}\n{said}\n{compared}\n{origin}");
    place::write(&arguments.out, network.write::<P>(&told))?;
    svg.map_or(Ok(()), |path| draw(path, &training.losses))
}

/// What was kept of a training, if it has begun.
pub(crate) fn kept(checkpoint: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(checkpoint) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", checkpoint.display())),
    }
}

/// The positions of some files: to learn from, kept out; and a line about each file.
fn read<P: Pupil>(files: &[PathBuf]) -> Result<(Lessons, Lessons, String)> {
    let rules = |_: &str, _| Some(<P::Game as Game>::Rules::default());
    let lesson = |game: Played<P::Game>| (is_kept_out(game.seed), Lessons::of::<P>(&game));
    let (games, origins) = series::visit(files, usize::MAX, rules, lesson)?;
    let (mut learned, mut others) = (Lessons::default(), Lessons::default());
    for (is_kept_out, lessons) in games {
        if is_kept_out { others.append(&lessons) } else { learned.append(&lessons) }
    }
    ensure!(!learned.is_empty(), "{}: no positions to learn from", names(files));
    ensure!(!others.is_empty(), "{}: too few games to keep some out", names(files));
    Ok((learned, others, origins.iter().map(|origin| format!("{origin}\n")).collect()))
}

/// Whether the game of this seed is kept out, in every training and whatever part of the games is there.
pub(crate) fn is_kept_out(seed: u64) -> bool {
    zobrist::mix(seed).is_multiple_of(KEPT_OUT)
}

/// What the command was, with every number that decides what comes of it.
fn command(game: &str, arguments: &Arguments, plan: &Plan) -> String {
    let Plan { hidden, passes, batch, rate, decay, result, scale, seed, workers } = plan;
    format!(
        "learn {game} network {} --hidden {hidden} --passes {passes} --batch {batch} --rate {rate} --decay {decay} --result {result} \
         --scale {scale} --seed {seed} --threads {workers}",
        names(&arguments.files)
    )
}

/// One pass, and a line about it.
fn pass(training: &mut Training<'_>, learned: &Lessons, others: &Lessons) -> Result<()> {
    let number = training.losses.len() + 1;
    let (progress, begun) = (Progress::new(learned.len() as u64, "positions", 0), Instant::now());
    progress.note(format!("pass {number}"));
    training.pass(others, |positions| progress.inc(positions as u64))?;
    progress.finish();
    let rate = learned.len() as f64 / begun.elapsed().as_secs_f64();
    let [own, other] = training.losses[number - 1];
    say(&format!("pass {number}: loss {own:.5}, kept out {other:.5}, {rate:.0} positions/s\n"))
}

fn draw(path: &Path, losses: &[[f64; 2]]) -> Result<()> {
    let curve = |name: &str, which: usize| Curve {
        name: name.to_owned(),
        points: (1..).map(f64::from).zip(losses.iter().map(|losses| losses[which])).collect(),
    };
    chart::draw(
        path,
        "Losses",
        ["passes", "mean squared error"],
        Upright::Linear,
        &[curve("learned from", 0), curve("kept out", 1)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_games_keeps_some_out() {
        for part in 0..20 {
            let kept_out = (part..200_000).step_by(20).filter(|&seed| is_kept_out(seed)).count();
            assert!((400..600).contains(&kept_out), "{part}: {kept_out}");
        }
    }
}
