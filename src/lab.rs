//! `quintet lab`: experiments that measure again what others published, and what our own tables say.
//!
//! | question | file |
//! |---|---|
//! | what is an experiment? | `experiment.rs` |
//! | how are its samples taken, and kept? | `runner.rs`, `records.rs`; `games.rs` lets engines meet, `techniques.rs` compares settings |
//! | what do they add up to? | `results.rs`, `estimate.rs` |
//! | what follows, and how is it shown? | `claim.rs`, `page.rs` |
//!
//! What one game is asked stands in its room, `src/games/<game>/lab/`, one file an experiment; what all are asked, in
//! `presets.rs`, `strength.rs` and `speed.rs`.

pub mod claim;
pub mod estimate;
pub mod experiment;
pub mod games;
pub mod page;
pub mod presets;
pub mod records;
pub mod results;
pub mod runner;
pub mod speed;
pub mod strength;
pub mod techniques;

use std::fmt::Write;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use protocol::program;

use crate::games::GAMES;
use crate::learn::read_shard;
use crate::matches::archive;
use crate::matches::contest::INTERRUPTED;
use crate::matches::interrupt::Interrupt;
use crate::misuse::told;
use crate::place;
use crate::progress::say;
use experiment::{Cell, Experiment, Scale, Size};
use games::Meeting;
use page::Page;
use records::{Head, Records, Sample};
use results::Results;
use runner::Wanted;
use speed::Pace;

/// The arguments of `quintet lab`.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Name the experiments
    List,
    /// Measure, and write what was found as a page; an interrupted run goes on
    Run(Run),
    /// Write the pages of what was measured, and an index of them
    Report(Report),
}

#[derive(Args)]
struct Run {
    /// The experiment; `quintet lab list` names them
    name: String,
    /// Three minutes at most on two cores
    #[arg(long, group = "extent")]
    quick: bool,
    /// As much as was published
    #[arg(long, group = "extent")]
    full: bool,
    /// Only to see whether it works
    #[arg(long, group = "extent", hide = true)]
    tiny: bool,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where samples and page go [default: lab in the data directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Take only part I of N of the samples; `report` puts the parts together
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = read_shard)]
    shard: (u64, u64),
    /// Samples at once; timed ones are always taken alone [default: one per core]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Leave out what depends on the machine's speed
    #[arg(long)]
    counts: bool,
}

#[derive(Args)]
struct Report {
    /// The experiments [default: all that were measured]
    names: Vec<String>,
    /// Where the samples are [default: lab in the data directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Where the pages go [default: to the samples]
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,
}

/// What a game offers to the lab.
pub struct Lab {
    /// Its own experiments.
    pub experiments: &'static [Experiment],
    /// Our default against the preset of the game's source, for `presets`.
    pub presets: &'static [Meeting],
    /// The matches whose results we state, for `strength`.
    pub matches: &'static [Meeting],
    /// What we say of its engine's speed, for `speed`.
    pub speed: &'static [Pace],
}

impl Lab {
    /// For a game without any.
    pub const NOTHING: Lab = Lab { experiments: &[], presets: &[], matches: &[], speed: &[] };
}

/// Of all games.
const COMMON: &[Experiment] = &[presets::EXPERIMENT, strength::EXPERIMENT, speed::EXPERIMENT];

/// All experiments.
pub fn experiments() -> impl Iterator<Item = &'static Experiment> {
    GAMES.iter().flat_map(|row| row.lab.experiments).chain(COMMON)
}

/// The whole of `quintet lab`.
pub fn main(arguments: &Arguments) -> ExitCode {
    let prepared = match &arguments.task {
        Task::List => Ok(Work::Say(list())),
        Task::Run(wanted) => prepare(wanted).map(Box::new).map(Work::Run),
        Task::Report(wanted) => report(wanted).map(Work::Say),
    };
    let done = match prepared {
        Ok(Work::Say(text)) => say(&text).map(|()| ExitCode::SUCCESS),
        Ok(Work::Run(prepared)) => prepared.run(),
        Err(error) => return program::refuse(&told(&error)),
    };
    done.unwrap_or_else(|error| program::fail(&told(&error)))
}

/// What is left to be done once the input is checked.
enum Work {
    Say(String),
    Run(Box<Prepared>),
}

fn list() -> String {
    let widest = experiments().map(|experiment| experiment.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for Experiment { name, about, source, time, .. } in experiments() {
        let _ = writeln!(out, "{name:widest$}  {about}\n{:widest$}  {time}; {source}", "");
    }
    out
}

fn named(name: &str) -> Result<&'static Experiment> {
    let found = experiments().find(|experiment| experiment.name == name);
    found.with_context(|| format!("there is no experiment '{name}'; quintet lab list names them"))
}

/// Where samples are kept.
fn folder(given: Option<&Path>) -> Result<PathBuf> {
    let found = given.map(Path::to_owned).or_else(|| Some(search::data::directory()?.join("lab")));
    found.context("no data directory; name a folder with --out")
}

/// A run whose input is checked and whose records are open.
struct Prepared {
    experiment: &'static Experiment,
    cells: Vec<Cell>,
    folder: PathBuf,
    wanted: Wanted,
    records: Records,
    old: Vec<Sample>,
}

fn prepare(run: &Run) -> Result<Prepared> {
    let experiment = named(&run.name)?;
    let size = match (run.tiny, run.quick, run.full) {
        (true, ..) => Size::Tiny,
        (_, true, _) => Size::Quick,
        (.., true) => Size::Full,
        _ => Size::Usual,
    };
    let cells = (experiment.cells)(&Scale { size, seed: run.seed })
        .with_context(|| format!("{} cannot be run here", experiment.name))?;
    let samples = cells.iter().map(|cell| cell.samples).sum();
    let cells = possible(cells).with_context(|| format!("{} cannot be run here", experiment.name))?;
    let folder = folder(run.out.as_deref())?;
    fs::create_dir_all(&folder).with_context(|| format!("--out: cannot create '{}'", folder.display()))?;
    let head = Head {
        experiment: experiment.name.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: run.seed,
        size,
        samples,
        date: archive::today(),
        machine: machine(),
    };
    let (records, old) = Records::open(&records::file(&folder, experiment.name, run.shard), &head)?;
    let concurrency = run.concurrency.map_or_else(cores, NonZero::get);
    let wanted = Wanted { shard: run.shard, concurrency, counts: run.counts };
    Ok(Prepared { experiment, cells, folder, wanted, records, old })
}

/// The cells that have what they need; fails if one is missing something without which the run makes no sense.
fn possible(cells: Vec<Cell>) -> Result<Vec<Cell>> {
    let mut kept = Vec::new();
    for cell in cells {
        match cell.check() {
            Err(why) if cell.optional => eprintln!("{} is left out: {why:#}", cell.name),
            checked => {
                checked.with_context(|| cell.name.clone())?;
                kept.push(cell);
            }
        }
    }
    Ok(kept)
}

impl Prepared {
    fn run(mut self) -> Result<ExitCode> {
        let interrupt = Interrupt::default();
        let by_user = interrupt.clone();
        ctrlc::set_handler(move || by_user.raise())?;
        let is_done = runner::run(self.cells, &self.old, &self.wanted, &mut self.records, &interrupt)?;
        if !is_done {
            say("interrupted; the same command goes on\n")?;
            return Ok(ExitCode::from(INTERRUPTED));
        }
        if self.wanted.shard.1 > 1 {
            say("this part is done; quintet lab report puts all parts together\n")?;
            return Ok(ExitCode::SUCCESS);
        }
        let written = write_page(self.experiment, &self.folder, &self.folder)?;
        let (path, text) = written.context("the samples have gone")?;
        say(&format!("{text}\nPage: {}\n", path.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the page of an experiment; none if there are no samples of it.
fn write_page(experiment: &Experiment, samples: &Path, pages: &Path) -> Result<Option<(PathBuf, String)>> {
    let Some((heads, samples)) = records::gather(samples, experiment.name)? else { return Ok(None) };
    let results = Results::new(heads, samples);
    let mut page = Page::default();
    (experiment.page)(&results, &mut page);
    page.write(pages, experiment, &results).map(Some)
}

/// Writes the pages asked for and the index of all that are there; says what was written.
fn report(wanted: &Report) -> Result<String> {
    let chosen: Vec<&Experiment> = match wanted.names.as_slice() {
        [] => experiments().collect(),
        names => names.iter().map(|name| named(name)).collect::<Result<_>>()?,
    };
    let samples = folder(wanted.out.as_deref())?;
    ensure!(samples.is_dir(), "'{}' holds no samples; quintet lab run takes some", samples.display());
    let pages = wanted.pages.as_ref().unwrap_or(&samples);
    fs::create_dir_all(pages).with_context(|| format!("--pages: cannot create '{}'", pages.display()))?;
    let mut out = String::new();
    for experiment in chosen {
        match write_page(experiment, &samples, pages)? {
            Some((path, _)) => out += &format!("{}\n", path.display()),
            None => ensure!(
                wanted.names.is_empty(),
                "'{}' holds no samples of {}",
                samples.display(),
                experiment.name
            ),
        }
    }
    ensure!(!out.is_empty(), "'{}' holds no samples; quintet lab run takes some", samples.display());
    let index = pages.join("README.md");
    place::write(&index, index_of(pages))?;
    Ok(out + &format!("{}\n", index.display()))
}

fn index_of(pages: &Path) -> String {
    let mut out = "# Experiments\nWritten by `quintet lab report`.\n\n".to_owned();
    out += "| experiment | what | source | verdict |\n|---|---|---|---|\n";
    for Experiment { name, about, source, .. } in experiments() {
        if let Some(verdict) = page::verdict_of(pages, name) {
            let _ = writeln!(out, "| [{name}]({name}.md) | {about} | {source} | {verdict} |");
        }
    }
    out
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Processor, cores and system.
fn machine() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.map_or(std::env::consts::ARCH, |(_, name)| name);
    format!("{name}, {} cores, {}", cores(), std::env::consts::OS)
}
