//! `quintet build`: what is too large to ship is built on the user's machine, and can be resumed after any end.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Subcommand};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use search::endgame::{Format, Library, Progress, Space};

mod chess;
mod draughts;
mod morris;
mod neighbours;

/// The arguments of `quintet build`.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    task: Task,
    /// The data directory; otherwise $QUINTET_DATA or the platform's
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Task {
    /// Solve endgames, smallest first; what is finished is kept and not built again
    Endgame {
        /// The game: draughts, morris or neighbours
        game: String,
        #[command(flatten)]
        extent: Extent,
        /// Keep win, draw and loss only, in two bits instead of eight (morris, neighbours)
        #[arg(long)]
        wdl: bool,
        /// Prove every value of what is there from the values one move ahead
        #[arg(long)]
        verify: bool,
        /// Compare what is there with a solver that shares nothing but the rules (draughts, up to 4 pieces)
        #[arg(long)]
        compare: bool,
        /// Print a table of sizes, counts and longest wins of what is there
        #[arg(long)]
        report: bool,
        #[command(flatten)]
        rules: Settings,
    },
    /// Count the openings of our own games into a book
    Book {
        /// The game: chess or draughts
        game: String,
        /// Game records, as `quintet match` writes them
        #[arg(required = true)]
        records: Vec<PathBuf>,
        /// Where the book is written
        #[arg(long)]
        out: PathBuf,
        /// Moves of each game that are counted
        #[arg(long, default_value_t = 16)]
        plies: usize,
        /// Half points a move must have won to be kept
        #[arg(long, default_value_t = 2)]
        least: u32,
    },
    /// State the value of the start position, or what is missing to know it
    Solve {
        /// The game: morris, neighbours
        game: String,
        #[command(flatten)]
        rules: Settings,
    },
}

/// How far to go.
#[derive(Args, Clone, Debug, Default)]
struct Extent {
    /// At most so many men of one side and of the other (morris, neighbours)
    #[arg(long, value_name = "W,B", value_parser = pair)]
    up_to: Option<(usize, usize)>,
    /// At most so many men on the board (morris, neighbours)
    #[arg(long, value_name = "N")]
    men: Option<usize>,
    /// At most so many pieces on the board (draughts) [default: 5]
    #[arg(long, value_name = "N")]
    pieces: Option<usize>,
}

/// The rules to build for.
#[derive(Args, Clone, Debug, Default)]
struct Settings {
    /// An option of the engine that changes the rules; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
}

impl Settings {
    /// The rules of an engine with these options.
    fn rules<E: search::Engine>(&self) -> Result<<E::Game as search::Game>::Rules> {
        let mut engine = E::new();
        for setting in &self.settings {
            let (name, value) =
                setting.split_once('=').with_context(|| format!("--set \"{setting}\" lacks its '='"))?;
            engine.set(name.trim(), value.trim())?;
        }
        Ok(engine.rules())
    }
}

fn pair(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once(',').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    numbers.ok_or_else(|| "two numbers such as 6,4 are wanted".to_owned())
}

/// Does what the arguments ask.
pub fn run(arguments: &Arguments) -> Result<()> {
    let data = arguments.data.clone().or_else(search::data::directory);
    let directory = data.context("no data directory; name one with --data")?.join("endgame");
    match &arguments.task {
        Task::Endgame { game, extent, wdl, verify, compare, report, rules } => {
            let format = if *wdl { Format::Wdl } else { Format::Distance };
            let job = Job { format, verify: *verify, report: *report };
            match game.as_str() {
                "draughts" if *compare => draughts::compare(&directory, extent, rules),
                other if *compare => bail!("there is no slow solver of '{other}'; there is one of draughts"),
                "draughts" => draughts::endgame(&directory, extent, rules, job),
                "morris" => morris::endgame(&directory, extent, rules, job),
                "neighbours" => neighbours::endgame(&directory, extent, rules, job),
                other => {
                    bail!("no endgames are known of '{other}'; there are draughts, morris and neighbours")
                }
            }
        }
        Task::Book { game, records, out, plies, least } => match game.as_str() {
            "chess" => chess::book(records, out, *plies, *least),
            "draughts" => draughts::book(records, out, *plies, *least),
            other => bail!("no books are built for '{other}'; there are chess and draughts"),
        },
        Task::Solve { game, rules } => match game.as_str() {
            "morris" => morris::solve(&directory, rules),
            "neighbours" => neighbours::solve(&directory, rules),
            other => bail!("'{other}' cannot be solved; there are morris and neighbours"),
        },
    }
}

/// What to do with each unit.
#[derive(Clone, Copy, Debug)]
struct Job {
    format: Format,
    verify: bool,
    /// Tell what is there instead of building.
    report: bool,
}

/// Builds units in order, or verifies those that are there.
#[allow(clippy::print_stdout)]
fn build_all<S: Space>(space: S, directory: &Path, units: &[usize], job: Job) -> Result<()> {
    std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let (mut library, refused) = Library::open(space, directory);
    if let Some(error) = refused.into_iter().next() {
        return Err(anyhow!(error).context("a file stands in the way; delete it to build it anew"));
    }
    if job.report {
        return report(&library, units);
    }
    let begun = Instant::now();
    let mut done = 0;
    for &unit in units {
        let label = library.space().label(unit);
        let states = library.space().states(unit);
        let (start, bar) = (Instant::now(), bar());
        let watch = |progress: &Progress| show(&bar, progress);
        let worked = if job.verify {
            library.verify(unit, &watch).map(|()| true)
        } else {
            library.build(unit, job.format, &watch)
        };
        bar.finish_and_clear();
        if !worked? {
            println!("{label}: already there");
            continue;
        }
        done += states;
        let seconds = start.elapsed().as_secs_f64();
        let rate = states as f64 / seconds.max(0.001) / 1e6;
        let verb = if job.verify { "verified" } else { "built" };
        let summary = library.table(unit).map(|table| table.summary().to_string()).unwrap_or_default();
        println!("{label}: {verb} {} states in {seconds:.1} s, {rate:.2} M/s; {summary}", HumanCount(states));
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("{} states in {seconds:.1} s, all in {}", HumanCount(done), directory.display());
    Ok(())
}

/// A table of the units that are there.
#[allow(clippy::print_stdout)]
fn report<S: Space>(library: &Library<S>, units: &[usize]) -> Result<()> {
    let (mut states, mut bytes) = (0, 0);
    println!("| unit | states | bytes | won % | drawn % | lost % | longest, plies |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for table in units.iter().filter_map(|&unit| Some((unit, library.table(unit)?))) {
        let (label, table) = (library.space().label(table.0), table.1);
        let summary = table.summary();
        let share = |part: u64| 100.0 * part as f64 / table.states().max(1) as f64;
        let [won, drawn, lost] = [summary.won, summary.drawn, summary.lost].map(share);
        let (count, size) = (table.states(), table.size());
        println!("| {label} | {count} | {size} | {won:.1} | {drawn:.1} | {lost:.1} | {} |", summary.deepest);
        states += count;
        bytes += size;
    }
    println!("| all | {states} | {bytes} | | | | |");
    Ok(())
}

/// A bar on the error stream; nothing is drawn where that is no terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    let style = "{msg:24} [{wide_bar}] {human_pos}/{human_len} {per_sec} {elapsed_precise}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is well formed"));
    bar
}

fn show(bar: &ProgressBar, progress: &Progress) {
    if bar.is_hidden() {
        return;
    }
    bar.set_length(progress.total);
    bar.set_position(progress.done);
    bar.set_message(format!("{} {}", progress.unit, progress.stage));
}
