//! How fast an engine is: `cargo bench --bench engine -- GAME [perft|depth|threads] [perft=PLIES] [time=SECONDS]
//! [PHASE=FROM-TO]...`, each phase of the game named with its plies.
//!
//! Run it on an idle machine. Every line says what it measured; a mean comes with its 95 % interval. A search that had
//! to wait for a processor, because others used it, is repeated where the system tells.

// A bench speaks to the terminal.
#![allow(clippy::print_stdout)]

use std::fmt;
use std::time::{Duration, Instant};

use search::perft::perft;
use search::walk::open_walk;
use search::{Bound, Control, Engine, Game, Info, Limits, Random, Root};

/// How a game is measured; the words of the command line change it.
struct Course {
    /// Depth of the perft from the start.
    perft: u32,
    /// Time for each position of the depth measurement.
    time: Duration,
    /// Where depth and threads are measured.
    phases: Vec<Phase>,
}

/// A part of the game, reached by random moves.
struct Phase {
    name: String,
    /// Lengths of the games.
    plies: std::ops::Range<u32>,
}

/// Positions of a phase.
const POSITIONS: usize = 20;
const PERFTS: usize = 5;
/// A fixed depth counts for the speed of two threads if one thread needs at least this long.
const LONG: Duration = Duration::from_secs(2);
/// A position whose next depth takes one thread longer than this is left for another.
const TOO_LONG: Duration = Duration::from_secs(12);
/// A search is disturbed if it waited for more than this part of its time.
const DISTURBED: f64 = 0.02;
const TRIES: usize = 4;

/// The measurement of the game of a name.
macro_rules! dispatch {
    ($($game:ident $engine:ident $protocol:ident),*) => {
        fn run(game: &str, what: &str, course: &Course) -> bool {
            match game {
                $(stringify!($game) => measure::<$game::$engine>(what, course),)*
                _ => return false,
            }
            true
        }
    };
}

quintet::for_each_game!(dispatch);

const USAGE: &str = "usage: cargo bench --bench engine -- GAME [all|perft|depth|threads] [perft=PLIES] [time=SECONDS] \
                     [PHASE=FROM-TO]...";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let (settings, plain): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.contains('='));
    let course = course(&settings);
    let what = plain.get(1).map_or("all", |word| word.as_str());
    let known = ["all", "perft", "depth", "threads"].contains(&what);
    match (plain.first(), course) {
        (Some(game), Some(course)) if known && run(game, what, &course) => {}
        _ => eprintln!("{USAGE}"),
    }
}

fn course(settings: &[&String]) -> Option<Course> {
    let mut course = Course { perft: 5, time: Duration::from_secs(1), phases: Vec::new() };
    for setting in settings {
        match setting.split_once('=')? {
            ("perft", depth) => course.perft = depth.parse().ok()?,
            ("time", seconds) => course.time = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?,
            (name, plies) => {
                let (from, to) = plies.split_once('-')?;
                let plies = from.parse().ok()?..to.parse().ok()?;
                course.phases.push(Phase { name: name.to_owned(), plies });
            }
        }
    }
    if course.phases.is_empty() {
        course.phases.push(Phase { name: "middle game".to_owned(), plies: 8..40 });
    }
    Some(course)
}

fn measure<E: Engine>(what: &str, course: &Course) {
    let wanted = |part: &str| what == "all" || what == part;
    if wanted("perft") {
        perft_speed::<E>(course);
    }
    if wanted("depth") {
        depth_in_time::<E>(course);
    }
    if wanted("threads") {
        two_threads::<E>(course);
    }
}

fn start<E: Engine>() -> E::Game {
    E::Game::start(&E::new().rules())
}

fn perft_speed<E: Engine>(course: &Course) {
    let mut leaves = 0;
    let speeds: Vec<f64> = (0..PERFTS)
        .map(|_| {
            let begun = Instant::now();
            leaves = perft(&start::<E>(), course.perft);
            leaves as f64 / begun.elapsed().as_secs_f64() / 1e6
        })
        .collect();
    println!(
        "perft {} from the start: {leaves}, {:.0} million leaves a second",
        course.perft,
        Mean::of(&speeds)
    );
}

/// Random positions of a phase without end, the same in every run.
fn positions<E: Engine>(phase: &Phase) -> impl Iterator<Item = Root<E::Game>> {
    let start = start::<E>();
    let mut random = Random::new(2026);
    let lengths = phase.plies.clone();
    std::iter::repeat_with(move || {
        let length = lengths.start + random.below(lengths.end - lengths.start);
        open_walk(&start, length as usize, &mut random)
    })
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

/// The depth whose end was shown last: the limits end the search, or `enough` does.
fn search<E: Engine>(
    engine: &mut E,
    root: &Root<E::Game>,
    limits: &Limits,
    enough: impl Fn(Reached) -> bool,
) -> Reached {
    for _ in 0..TRIES {
        let before = waited();
        let reached = search_once(engine, root, limits, &enough);
        if (waited() - before).as_secs_f64() <= DISTURBED * reached.time.as_secs_f64() {
            return reached;
        }
    }
    println!("(a search was disturbed {TRIES} times; the figures below are too low)");
    search_once(engine, root, limits, &enough)
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

fn depth_in_time<E: Engine>(course: &Course) {
    let mut engine = E::new();
    let limits = Limits::move_time(course.time);
    let mut depth = |root: &Root<E::Game>| search(&mut engine, root, &limits, |_| false).depth;
    println!("depth in {:?} from the start: {}", course.time, depth(&Root::new(start::<E>())));
    for phase in &course.phases {
        let mut depths: Vec<u32> = positions::<E>(phase).take(POSITIONS).map(|root| depth(&root)).collect();
        depths.sort_unstable();
        let median = depths[(POSITIONS - 1) / 2];
        println!("depth in {:?}, {}: median {median} of {depths:?}", course.time, phase.name);
    }
}

fn two_threads<E: Engine>(course: &Course) {
    let mut engine = E::new();
    let mut run = |threads: &str, root: &Root<E::Game>, limits: &Limits, least: Duration| {
        engine.set("Threads", threads).expect("every engine has the option");
        search(&mut engine, root, limits, |reached| reached.time >= least)
    };
    for phase in &course.phases {
        let mut pairs = Vec::new();
        for root in positions::<E>(phase) {
            let one = run("1", &root, &Limits::move_time(TOO_LONG), LONG);
            if one.time >= LONG {
                pairs.push((one, run("2", &root, &Limits::depth(one.depth), Duration::MAX)));
            }
            if pairs.len() == POSITIONS {
                break;
            }
        }
        let mean = |ratio: fn(Reached, Reached) -> f64| {
            let logs: Vec<f64> = pairs.iter().map(|&(one, two)| ratio(one, two).ln()).collect();
            Mean::of(&logs).exp()
        };
        let speed = mean(|one, two| two.speed() / one.speed());
        let time = mean(|one, two| one.time.as_secs_f64() / two.time.as_secs_f64());
        let work = mean(|one, two| two.nodes as f64 / one.nodes as f64);
        println!("two threads, {}: {speed:.2} times the nodes a second", phase.name);
        println!(
            "two threads, {}: {POSITIONS} depths of {LONG:?} and more reached {time:.2} times as fast, with {work:.2} times the nodes",
            phase.name
        );
    }
}

/// A mean with its 95 % interval.
struct Mean {
    mean: f64,
    low: f64,
    high: f64,
}

impl Mean {
    fn of(values: &[f64]) -> Mean {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        // Student's t for 19 degrees of freedom; a little too small for the five perfts.
        let half = 2.09 * (variance / n).sqrt();
        Mean { mean, low: mean - half, high: mean + half }
    }

    /// The geometric mean, if the values were logarithms.
    fn exp(&self) -> Mean {
        Mean { mean: self.mean.exp(), low: self.low.exp(), high: self.high.exp() }
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(2);
        write!(f, "{:.digits$} ({:.digits$} to {:.digits$})", self.mean, self.low, self.high)
    }
}
