//! `quintet build`: what is too large to ship is built on the user's machine, and can be resumed after any end.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use search::Rulebook;
use search::endgame::file::Summary;
use search::endgame::{Builder, FileError, Format, Library, Progress, Space, Standing};

use crate::games::{self, Choices, Row};
use crate::misuse::{Asked, ask};
use crate::place;
use crate::probe::Oracle;
use crate::progress::say;
use plan::Plan;

mod plan;
mod room;

/// The most states of a table that keeps its distances in a copy for players.
const MOST_DISTANCES: u64 = 1 << 28;

/// Builds endgames within an extent.
pub type BuildEndgame = fn(&Path, &Extent, &Settings, Job) -> Result<()>;
/// Compares endgames with a solver that shares nothing but the rules.
pub type Compare = fn(&Path, &Extent, &Settings) -> Result<()>;
/// Builds a book from records: where it goes, the plies counted, the least a move must have won.
pub type BuildBook = fn(&[PathBuf], &Path, usize, u32) -> Result<()>;
/// States the value of the start position, as far as an effort leads.
pub type Solve = fn(&Path, &Settings, Effort) -> Result<()>;

/// Opens the databases, to ask them about positions.
pub type Consult = fn(&Path, &Settings) -> Result<Box<dyn Oracle>>;

/// What can be built for a game, and asked of it.
pub struct Build {
    /// Endgame databases.
    pub endgame: Option<BuildEndgame>,
    /// A check of them by another solver.
    pub compare: Option<Compare>,
    /// Opening books.
    pub book: Option<BuildBook>,
    /// The value of the game.
    pub solve: Option<Solve>,
    /// What the databases know of positions.
    pub consult: Option<Consult>,
}

impl Build {
    /// For a game without any.
    pub const NOTHING: Build = Build { endgame: None, compare: None, book: None, solve: None, consult: None };
}

/// The arguments of `quintet build`.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    task: Task,
    /// The data directory [default: $QUINTET_DATA, or the platform's]
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Task {
    /// Solve endgames, smallest first; finished ones are kept and not built again
    Endgame {
        #[arg(help = which(|row| row.build.endgame.is_some()))]
        game: String,
        #[command(flatten)]
        extent: Extent,
        /// Keep win, draw and loss only, packed as small as can be
        #[arg(long)]
        wdl: bool,
        /// Only these tables, by their names; several machines share a build so, and copy the files together
        #[arg(long, value_name = "TABLES", value_delimiter = ',')]
        only: Vec<String>,
        /// Print what is to be built, its size and how long it will take, and build nothing
        #[arg(long, conflicts_with_all = ["verify", "report"])]
        dry_run: bool,
        /// Write what is built into another directory, packed as small as can be; distances in small tables only
        #[arg(long, value_name = "DIR", conflicts_with_all = ["dry_run", "verify", "report"])]
        shrink: Option<PathBuf>,
        /// Check every stored value against the values one move ahead
        #[arg(long)]
        verify: bool,
        #[arg(long, help = compared())]
        compare: bool,
        /// Print the sizes, counts and longest wins of the tables built
        #[arg(long)]
        report: bool,
        #[command(flatten)]
        rules: Settings,
    },
    /// Make an opening book from our own games
    Book {
        #[arg(help = which(|row| row.build.book.is_some()))]
        game: String,
        /// Game records, as `quintet match` writes them
        #[arg(required = true)]
        records: Vec<PathBuf>,
        /// Where to write the book
        #[arg(long)]
        out: PathBuf,
        /// Moves counted in each game
        #[arg(long, default_value_t = 16)]
        plies: usize,
        /// Half points a move must have won to be kept
        #[arg(long, default_value_t = 2)]
        least: u32,
    },
    /// Tell the value of the start position, or what is missing to find it
    Solve {
        #[arg(help = which(|row| row.build.solve.is_some()))]
        game: String,
        #[command(flatten)]
        effort: Effort,
        #[command(flatten)]
        rules: Settings,
    },
}

/// What a search for the value of a game may take.
#[derive(Args, Clone, Copy, Debug)]
pub struct Effort {
    /// MiB of the search's table, when it begins [default: 1024]
    #[arg(long, value_name = "MIB")]
    pub memory: Option<usize>,
    /// Stop after so long and tell what is known; where the search goes on for ever otherwise
    #[arg(long, value_name = "MINUTES")]
    pub minutes: Option<u64>,
}

/// How far to go.
#[derive(Args, Clone, Debug, Default)]
pub struct Extent {
    /// At most this many pieces for each side, in games whose tables are divided by side
    #[arg(long, value_name = "W,B", value_parser = pair)]
    pub up_to: Option<(usize, usize)>,
    /// At most this many pieces on the board
    #[arg(long, alias = "men", value_name = "N")]
    pub pieces: Option<usize>,
    /// Also the phase in which men are placed, as far as at least N are in hand, in games that have one
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1")]
    pub placing: Option<usize>,
}

impl Extent {
    /// Whether endgames of so many pieces of the stronger and of the weaker side are within it.
    pub fn holds(&self, (more, less): (usize, usize)) -> bool {
        self.up_to.is_none_or(|(a, b)| more <= a.max(b) && less <= a.min(b))
            && self.pieces.is_none_or(|pieces| more + less <= pieces)
    }

    /// Refuses what only concerns a game in which men are placed.
    pub fn without_placing(&self) -> Result<()> {
        ask!(self.placing.is_none(), "--placing: no men are placed in this game");
        Ok(())
    }
}

/// The rules to build for.
#[derive(Args, Clone, Debug, Default)]
pub struct Settings {
    /// A rule of the game; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
}

impl Settings {
    /// These rules of a game.
    pub fn of(rules: &Choices) -> Settings {
        Settings { settings: rules.iter().map(|(name, value)| format!("{name}={value}")).collect() }
    }

    /// The default rules of a game with these changes.
    pub fn rules<R: Rulebook>(&self) -> Result<R> {
        R::chosen(&self.choices()?).asked()
    }

    /// The changes by name and value.
    pub fn choices(&self) -> Result<Vec<(String, String)>> {
        let choice = |setting: &String| {
            let parts = setting.split_once('=').with_context(|| format!("--set \"{setting}\" has no '='"));
            parts.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).asked()
        };
        self.settings.iter().map(choice).collect()
    }
}

fn pair(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once(',').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    numbers.ok_or_else(|| "expected two numbers such as 6,4".to_owned())
}

/// Does what the arguments ask.
pub fn run(arguments: &Arguments) -> Result<()> {
    let directory = directory(arguments.data.as_deref())?;
    match &arguments.task {
        Task::Endgame { game, extent, wdl, only, dry_run, shrink, verify, compare, report, rules } => {
            let format = if *wdl { Format::Wdl } else { Format::Distance };
            let task = match shrink {
                Some(directory) => Work::Shrink(directory.clone()),
                None if *dry_run => Work::Plan,
                None if *verify => Work::Verify,
                None if *report => Work::Report,
                None => Work::Build,
            };
            let job = Job { format, only: only.clone(), work: task };
            if *compare {
                return offered(game, "slow solvers", |row| row.build.compare)?(&directory, extent, rules);
            }
            offered(game, "endgames", |row| row.build.endgame)?(&directory, extent, rules, job)
        }
        Task::Book { game, records, out, plies, least } => {
            let book = offered(game, "books", |row| row.build.book)?;
            place::check("--out", out)?;
            book(records, out, *plies, *least)
        }
        Task::Solve { game, effort, rules } => {
            offered(game, "solutions", |row| row.build.solve)?(&directory, rules, *effort)
        }
    }
}

/// Where the databases lie, in the data directory named or the platform's.
pub fn directory(data: Option<&Path>) -> Result<PathBuf> {
    let data = data.map(Path::to_owned).or_else(search::data::directory);
    Ok(data.context("no data directory; name one with --data")?.join("endgame"))
}

/// What a game offers, or an error that names the games that do.
pub fn offered<T>(game: &str, what: &str, offer: fn(&Row) -> Option<T>) -> Result<T> {
    let others = || games::names(|row| offer(row).is_some());
    offer(games::named(game)?)
        .with_context(|| format!("there are no {what} for {game}, only for {}", others()))
        .asked()
}

/// The help of an argument that names one of the games served.
pub fn which(serves: fn(&Row) -> bool) -> String {
    format!("The game: {}", games::names(serves))
}

fn compared() -> String {
    let games = games::names(|row| row.build.compare.is_some());
    format!("Compare the tables with a slow solver that shares only the rules ({games})")
}

/// What to do with which units.
#[derive(Clone, Debug)]
pub struct Job {
    /// How values are kept.
    pub format: Format,
    /// The labels of the units, if not all are meant.
    pub only: Vec<String>,
    /// What to do with them.
    pub work: Work,
}

/// What to do with a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// Build what is not there.
    Build,
    /// Tell what building would take.
    Plan,
    /// Prove what is there.
    Verify,
    /// Tell what is there.
    Report,
    /// Write a smaller copy of what is there into a directory; without any distances if the format has none.
    Shrink(PathBuf),
}

/// What was opened, unless one of its files had to be refused.
pub fn sound<T>((opened, refused): (T, Vec<FileError>)) -> Result<T> {
    refused.into_iter().next().map_or(Ok(opened), |error| Err(error.into()))
}

/// Does a job with units, in order.
pub fn build_all<S: Space>(space: S, directory: &Path, units: &[usize], job: Job) -> Result<()> {
    let units = chosen(&space, units, &job.only).asked()?;
    let target = if let Work::Shrink(target) = &job.work { target } else { directory };
    for folder in [directory, target] {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    // Two who write the same part would spoil each other's.
    let writes = matches!(job.work, Work::Build | Work::Shrink(_));
    let _builder = writes.then(|| Builder::new(target)).transpose()?;
    let library = sound(Library::open(space, directory));
    let mut library = library.context("a file is in the way; delete it to build again")?;
    if job.work == Work::Report {
        return report(&library, &units);
    }
    if matches!(job.work, Work::Plan | Work::Build) {
        let missing = units.iter().copied().filter(|&unit| library.table(unit).is_none()).collect();
        let plan = Plan::new(library.space(), missing, job.format, directory);
        if job.work == Work::Plan {
            return say(&format!("{plan}\n"));
        }
        plan.check()?;
    }
    let begun = Instant::now();
    let (mut done, mut left) = (0, units.iter().map(|&unit| library.space().states(unit)).sum::<u64>());
    for &unit in &units {
        let label = library.space().label(unit);
        let states = library.space().states(unit);
        let (start, bar) = (Instant::now(), bar());
        let watch = |progress: &Progress| show(&bar, progress);
        let (verb, worked) = match &job.work {
            Work::Verify => ("verified", library.verify(unit, &watch).map(|()| true)),
            Work::Shrink(target) => ("written", library.shrink(unit, target, shrunk(job.format, states))),
            _ => ("built", library.build(unit, job.format, &watch)),
        };
        bar.finish_and_clear();
        left -= states;
        if !worked? {
            say(&format!("{label}: already {verb}\n"))?;
            continue;
        }
        done += states;
        let seconds = start.elapsed().as_secs_f64();
        let rate = states as f64 / seconds.max(0.001) / 1e6;
        let summary = library.table(unit).map(|table| table.summary(|_| Standing::Own).to_string());
        let (count, summary) = (HumanCount(states), summary.unwrap_or_default());
        let left = match left {
            0 => String::new(),
            left => {
                let left = begun.elapsed().mul_f64(left as f64 / done as f64);
                format!("; about {} left", HumanDuration(left))
            }
        };
        say(&format!("{label}: {verb} {count} states in {seconds:.1} s, {rate:.2} M/s; {summary}{left}\n"))?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    say(&format!("{} states in {seconds:.1} s, all in {}\n", HumanCount(done), target.display()))
}

/// How so many states are kept in a copy for players: with distances where these cost little.
fn shrunk(format: Format, states: u64) -> Format {
    if format.has_distances() && states <= MOST_DISTANCES { Format::Packed } else { Format::Wdl }
}

/// The units with these labels, or all.
fn chosen<S: Space>(space: &S, units: &[usize], only: &[String]) -> Result<Vec<usize>> {
    let of = |label: &String| units.iter().copied().find(|&unit| space.label(unit) == *label);
    let unknown = only.iter().find(|&label| of(label).is_none());
    ensure!(unknown.is_none(), "--only: there is no table '{}' here", unknown.map_or("", |label| label));
    let is_meant = |unit: &usize| only.is_empty() || only.contains(&space.label(*unit));
    Ok(units.iter().copied().filter(is_meant).collect())
}

/// A page on the units that are there.
fn report<S: Space>(library: &Library<S>, units: &[usize]) -> Result<()> {
    let space = library.space();
    let (mut states, mut bytes, mut positions) = (0, 0, 0);
    let mut text = format!(
        "# Endgames: {}\n\nWritten by `quintet build endgame` with `--report`. Won, drawn and lost are for the side to move; \
         images\nof a position, and states that no game leads to, are counted apart.\n\n\
         | unit | states | bytes | won % | drawn % | lost % | longest, plies | won | drawn | lost | images | \
         unreachable |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        space.name()
    );
    let mut longest = Vec::new();
    for (unit, table) in units.iter().filter_map(|&unit| Some((unit, library.table(unit)?))) {
        let standing = |state| space.standing(unit, state);
        let Summary { won, drawn, lost, images, unreachable, deepest } = table.summary(standing);
        let all = won + drawn + lost;
        let share = |part: u64| 100.0 * part as f64 / all.max(1) as f64;
        let [won_share, drawn_share, lost_share] = [won, drawn, lost].map(share);
        let (label, count, size) = (space.label(unit), table.states, table.size());
        text += &format!(
            "| {label} | {count} | {size} | {won_share:.1} | {drawn_share:.1} | {lost_share:.1} | {deepest} \
             | {won} | {drawn} | {lost} | {images} | {unreachable} |\n"
        );
        states += count;
        bytes += size;
        positions += all;
        let state =
            table.find(|state, value| value.plies() == Some(deepest) && standing(state) == Standing::Own);
        longest.extend(
            state.filter(|_| table.format.has_distances()).map(|state| (deepest, label, unit, state)),
        );
    }
    text += &format!("| all | {states} | {bytes} | | | | |\n\n{positions} positions, each counted once.\n");
    if !longest.is_empty() {
        text += "\n## The longest wins and losses\n\n`quintet probe` prints the line of best play.\n\n\
                 | unit | plies | the first position of them |\n|---|--:|---|\n";
    }
    for (deepest, label, unit, state) in longest {
        text += &format!("| {label} | {deepest} | `{}` |\n", space.text(unit, state));
    }
    say(&text)
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
