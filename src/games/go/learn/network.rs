//! `network`: a network learned from studied games.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ::go::Position;
use ::go::network::Shape;
use ::go::training::{Agreement, Lesson, NAMES, PARTS, Plan, Training, lessons, whole};
use anyhow::{Context, Result, ensure};
use clap::Args;
use search::learn::Played;

use crate::learn::chart::{self, Curve, Upright};
use crate::learn::network::{is_kept_out, kept};
use crate::learn::series::{self, names};
use crate::misuse::{Asked, ask};
use crate::place;
use crate::progress::{Progress, say};

/// How a network is learned.
#[derive(Args, Clone)]
pub struct Course {
    /// Residual blocks
    #[arg(long, default_value_t = 5)]
    blocks: usize,
    /// Channels of each, a multiple of 16
    #[arg(long, default_value_t = 32)]
    channels: usize,
    /// Passes over the positions
    #[arg(long, default_value_t = 4)]
    passes: usize,
    /// Positions between two steps
    #[arg(long, default_value_t = 128)]
    batch: usize,
    /// How far the first steps go
    #[arg(long, default_value_t = 0.002)]
    rate: f32,
    /// By what part, times the rate, every number shrinks in a step
    #[arg(long, default_value_t = 0.02)]
    decay: f32,
    /// The share of the game's result in what is to be said of the win; the rest is what the search said
    #[arg(long, default_value_t = 0.7)]
    result: f32,
    /// Learn from the newest games only, so many
    #[arg(long, default_value_t = 50_000)]
    window: usize,
}

/// What to learn from.
#[derive(Args)]
pub struct Arguments {
    /// Files of games from `selfplay`, the newest last
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Where to write the network
    #[arg(long)]
    pub out: PathBuf,
    #[command(flatten)]
    pub course: Course,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; the same number learns the same network [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
    /// Where the training is kept after every pass [default: the network's name with .training]
    #[arg(long)]
    pub checkpoint: Option<PathBuf>,
    /// The checkpoint of a training from whose end to go on with these games
    #[arg(long)]
    pub from: Option<PathBuf>,
    /// Draw the losses
    #[arg(long)]
    pub svg: Option<PathBuf>,
}

impl Arguments {
    fn plan(&self) -> Result<Plan> {
        let Course { blocks, channels, passes, batch, rate, decay, result, .. } = self.course;
        let shape = Shape::new(blocks, channels);
        let shape = shape
            .with_context(|| format!("there is no network of {blocks} blocks of {channels} channels"))?;
        let workers = if self.threads == 0 { rayon::current_num_threads() } else { self.threads };
        let plan = Plan { shape, passes, batch, rate, decay, result, seed: self.seed, workers };
        plan.check()?;
        Ok(plan)
    }

    /// Where the training is kept.
    pub fn checkpoint(&self) -> PathBuf {
        self.checkpoint.clone().unwrap_or_else(|| self.out.with_added_extension("training"))
    }
}

/// Learns a network, or goes on with it, and writes it.
pub fn run(arguments: &Arguments) -> Result<()> {
    let checkpoint = arguments.checkpoint();
    let svg = arguments.svg.as_deref();
    place::check_all(&[
        ("--out", Some(&arguments.out)),
        ("--checkpoint", Some(&checkpoint)),
        ("--svg", svg),
    ])?;
    ask!(arguments.course.window > 0, "--window: at least one game");
    let plan = arguments.plan().asked()?;
    let from = arguments.from.as_deref().map(read_bytes).transpose().asked()?;
    let (learned, others, origin) = read(&arguments.files, arguments.course.window).asked()?;
    let said = format!("{} positions to learn from, {} kept out", learned.len(), others.len());
    say(&format!("{said}\n"))?;
    let command = command(arguments, &plan);
    let mut training = Training::new(plan, &learned, from.as_deref()).asked()?;
    if let Some(bytes) = kept(&checkpoint)? {
        training.resume(&bytes).with_context(|| checkpoint.display().to_string()).asked()?;
    }
    while !training.is_done() {
        pass(&mut training, learned.len(), &others)?;
        place::write(&checkpoint, training.write())?;
    }
    let network = training.weights.network().context("the numbers have grown too large for whole ones")?;
    let compared = compared(&training.agreement(&network, &others));
    say(&format!("{compared}\n"))?;
    let version = env!("CARGO_PKG_VERSION");
    let told = format!("quintet {version} {command}\n{said}\n{compared}\n{origin}");
    place::write(&arguments.out, network.write(&told))?;
    svg.map_or(Ok(()), |path| draw(path, &training.losses))
}

fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The lessons of the newest games, those kept out, and a line about each file.
fn read(files: &[PathBuf], window: usize) -> Result<(Vec<Lesson>, Vec<Lesson>, String)> {
    let lesson = |game: Played<Position>| (is_kept_out(game.seed), lessons(&game));
    let (games, origins) = series::visit(files, window, super::selfplay::rules, lesson)?;
    let (mut learned, mut others) = (Vec::new(), Vec::new());
    for (is_kept_out, lessons) in games {
        if is_kept_out { others.extend(lessons) } else { learned.extend(lessons) }
    }
    ensure!(!learned.is_empty(), "{}: no positions to learn from", names(files));
    ensure!(!others.is_empty(), "{}: too few games to keep some out", names(files));
    Ok((learned, others, origins.iter().map(|origin| format!("{origin}\n")).collect()))
}

/// The command in the words that decide what is learned.
fn command(arguments: &Arguments, plan: &Plan) -> String {
    let Plan { shape, passes, batch, rate, decay, result, seed, workers } = plan;
    let from = arguments.from.iter().map(|from| format!(" --from {}", names(std::slice::from_ref(from))));
    format!(
        "learn go network {} --blocks {} --channels {} --passes {passes} --batch {batch} --rate {rate} --decay {decay} \
         --result {result} --window {} --seed {seed} --threads {workers}{}",
        names(&arguments.files),
        shape.blocks,
        shape.channels,
        arguments.course.window,
        from.collect::<String>(),
    )
}

fn in_words(losses: &[f64; PARTS]) -> String {
    let parts: Vec<String> =
        NAMES.iter().zip(losses).map(|(name, loss)| format!("{name} {loss:.4}")).collect();
    format!("{:.4} ({})", whole(losses), parts.join(", "))
}

fn compared(agreement: &Agreement) -> String {
    let Agreement { losses: [learned, whole], same, difference } = agreement;
    format!(
        "loss on positions kept out {} as learned, {} in whole numbers; the same best stone in {:.1} %, chances to win \
         differ by {difference:.4} at most",
        in_words(learned),
        in_words(whole),
        100.0 * same,
    )
}

fn pass(training: &mut Training<'_>, positions: usize, others: &[Lesson]) -> Result<()> {
    let number = training.losses.len() + 1;
    let (progress, begun) = (Progress::new(positions as u64, "positions", 0), Instant::now());
    progress.note(format!("pass {number}"));
    training.pass(others, |positions| progress.inc(positions as u64))?;
    progress.finish();
    let rate = positions as f64 / begun.elapsed().as_secs_f64();
    let [own, other] = &training.losses[number - 1];
    let (own, other) = (in_words(own), in_words(other));
    say(&format!("pass {number}: loss {own}, kept out {other}, {rate:.0} positions/s\n"))
}

fn draw(path: &Path, losses: &[[[f64; PARTS]; 2]]) -> Result<()> {
    let curve = |name: String, value: &dyn Fn(&[[f64; PARTS]; 2]) -> f64| Curve {
        name,
        points: (1..).map(f64::from).zip(losses.iter().map(value)).collect(),
    };
    let parts = NAMES.iter().enumerate();
    let of_parts = parts.map(|(part, name)| curve(format!("{name}, kept out"), &|losses| losses[1][part]));
    let wholes = [("learned from", 0), ("kept out", 1)];
    let wholes = wholes.map(|(name, which)| curve(name.to_owned(), &|losses| whole(&losses[which])));
    let curves: Vec<Curve> = wholes.into_iter().chain(of_parts).collect();
    chart::draw(path, "Losses", ["passes", "loss"], Upright::Linear, &curves)
}
