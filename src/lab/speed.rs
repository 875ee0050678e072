//! How fast our engines are, on positions reached by random moves.
//!
//! A search that had to wait for a processor, because others used it, is repeated where the system tells.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use search::perft::perft;
use search::walk::open_walk;
use search::{Bound, Control, Engine, Game, Info, Limits, Random, Root};

use super::experiment::{Cell, Experiment, Figures, Scale, Size, figures};
use super::page::{Page, or_dash};
use super::results::Results;
use crate::games::{GAMES, Row};
use crate::matches::plan::find_program;

/// The figures of speed that we state.
pub const EXPERIMENT: Experiment = Experiment {
    name: "speed",
    about: "how fast our engines are: leaves, depths, playouts, what a second thread adds",
    source: "our own figures",
    time: "25 min",
    cells,
    page,
};

/// One thing whose speed is measured.
pub struct Pace {
    /// What is measured.
    pub name: &'static str,
    /// How often, for tiny, quick, usual and full runs.
    pub samples: [u64; 4],
    /// Takes a sample: its figures by what they count.
    pub measure: fn(Take) -> Result<Figures>,
    /// Fails if something is missing that it needs.
    pub check: fn() -> Result<()>,
}

/// A sample to be taken.
#[derive(Clone, Copy)]
pub struct Take {
    /// How much is measured.
    pub size: Size,
    /// Of what is random in it.
    pub seed: u64,
}

impl Take {
    /// A time that is shorter where there is less of it.
    pub fn time(self, seconds: f64) -> Duration {
        let part = [0.001, 0.2, 1.0, 1.0][self.size as usize];
        Duration::from_secs_f64(seconds * part)
    }
}

/// Nothing is needed.
pub fn ready() -> Result<()> {
    Ok(())
}

fn all() -> impl Iterator<Item = (&'static Row, &'static Pace)> {
    GAMES.iter().flat_map(|row| row.lab.speed.iter().map(move |pace| (row, pace)))
}

fn title(row: &Row, pace: &Pace) -> String {
    format!("{}: {}", row.title, pace.name)
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let scale = *scale;
    let cell = |(row, pace): (&'static Row, &'static Pace)| {
        let measure = move |sample| (pace.measure)(Take { size: scale.size, seed: scale.seed_of(sample) });
        Cell::new(title(row, pace), scale.pick(pace.samples), measure).checked(pace.check).optional().timed()
    };
    Ok(all().map(cell).collect())
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "Means over samples, each on a position of its own: one thread unless said otherwise, an empty table for each \
         search. A second thread is measured at depths that take one thread two seconds and more.",
    );
    let rows = all().flat_map(|(row, pace)| {
        let cell = title(row, pace);
        let figures = results.figures(&cell);
        let lines = if figures.is_empty() { vec!["-"] } else { figures };
        let of = |figure: &str| vec![cell.clone(), figure.to_owned(), or_dash(results.mean(&cell, figure))];
        lines.into_iter().map(of).collect::<Vec<_>>()
    });
    page.table(&["measured", "unit", "mean"], rows.collect());
}

/// Leaves a second of the tree of all moves from the start.
pub fn leaves<E: Engine, const DEPTH: u32>(take: Take) -> Result<Figures> {
    let depth = if take.size == Size::Tiny { 2 } else { DEPTH };
    let start = E::Game::start(&E::new().rules());
    let begun = Instant::now();
    let leaves = perft(&start, depth);
    Ok(figures([("million leaves a second", leaves as f64 / begun.elapsed().as_secs_f64() / 1e6)]))
}

/// The depth reached in so many seconds after `FROM` to `TO - 1` random plies.
pub fn depth<E: Engine, const SECONDS: u32, const FROM: u32, const TO: u32>(take: Take) -> Result<Figures> {
    let limits = Limits::move_time(take.time(f64::from(SECONDS)));
    let reached = search(&mut E::new(), &position::<E, FROM, TO>(take.seed), &limits, |_| false);
    Ok(figures([("plies", f64::from(reached.depth))]))
}

/// What a second thread adds at a depth that takes one thread two seconds and more.
pub fn second_thread<E: Engine, const FROM: u32, const TO: u32>(take: Take) -> Result<Figures> {
    let (long, longest) = (take.time(2.0), take.time(12.0));
    let mut engine = E::new();
    for attempt in 0..ATTEMPTS {
        let root = position::<E, FROM, TO>(take.seed.wrapping_add(attempt << 32));
        engine.set("Threads", "1")?;
        let one = search(&mut engine, &root, &Limits::move_time(longest), |reached| reached.time >= long);
        if one.time < long {
            // Its next depth takes too long, or there is none.
            continue;
        }
        engine.set("Threads", "2")?;
        let two = search(&mut engine, &root, &Limits::depth(one.depth), |_| false);
        ensure!(two.depth == one.depth, "two threads did not reach depth {}", one.depth);
        let times = one.time.as_secs_f64() / two.time.as_secs_f64();
        let nodes = two.speed() / one.speed();
        return Ok(figures([("times the nodes a second", nodes), ("times as fast to a depth", times)]));
    }
    Ok(Figures::new())
}

/// Positions tried for one that takes long enough.
const ATTEMPTS: u64 = 50;
/// A search is disturbed if it waited for more than this part of its time.
const DISTURBED: f64 = 0.02;
const TRIES: usize = 4;

fn position<E: Engine, const FROM: u32, const TO: u32>(seed: u64) -> Root<E::Game> {
    let mut random = Random::new(seed);
    let plies = FROM + random.below(TO - FROM);
    open_walk(&E::Game::start(&E::new().rules()), plies as usize, &mut random)
}

/// A depth, and what it took to reach it.
#[derive(Clone, Copy)]
struct Reached {
    depth: u32,
    nodes: u64,
    time: Duration,
}

impl Reached {
    fn speed(self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64()
    }
}

/// How long this thread has waited for a processor that others had; zero where the system does not tell.
fn waited() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').nth(1).and_then(|nanos| nanos.parse().ok()).unwrap_or(0))
}

/// The depth whose end was shown last: the limits end the search, or `enough` does. Of searches that were disturbed the
/// last one counts.
fn search<E: Engine>(
    engine: &mut E,
    root: &Root<E::Game>,
    limits: &Limits,
    enough: impl Fn(Reached) -> bool,
) -> Reached {
    let mut search = || {
        let before = waited();
        let reached = search_once(engine, root, limits, &enough);
        let is_disturbed = (waited() - before).as_secs_f64() > DISTURBED * reached.time.as_secs_f64();
        (reached, is_disturbed)
    };
    let mut last = search();
    for _ in 1..TRIES {
        if !last.1 {
            break;
        }
        last = search();
    }
    last.0
}

fn search_once<E: Engine>(
    engine: &mut E,
    root: &Root<E::Game>,
    limits: &Limits,
    enough: &impl Fn(Reached) -> bool,
) -> Reached {
    let control = Control::default();
    let mut last = Reached { depth: 0, nodes: 0, time: Duration::ZERO };
    engine.forget();
    let begun = Instant::now();
    engine.think(root, limits, &control, &mut |info| {
        if let Info::Line(line) = info
            && line.bound == Bound::Exact
            && line.depth > last.depth
            && !control.stopped()
        {
            last = Reached { depth: line.depth, nodes: line.nodes, time: begun.elapsed() };
            if enough(last) {
                control.stop();
            }
        }
    });
    last
}

/// Whether there is a program of this name.
pub fn there_is(program: &str) -> Result<()> {
    find_program(program, None).map(|_| ()).with_context(|| format!("{program}: no such program"))
}

/// What a program says that is given these words, and the seconds it takes.
pub fn said(program: &Path, words: &[&str]) -> Result<(String, f64)> {
    let name = || program.display().to_string();
    let begun = Instant::now();
    let output = Command::new(program).args(words).stdin(Stdio::null()).output().with_context(name)?;
    let seconds = begun.elapsed().as_secs_f64();
    ensure!(output.status.success(), "{} {} failed", name(), words.join(" "));
    let both = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok((both.concat(), seconds))
}
