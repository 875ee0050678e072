//! The figures an engine is held to, measured: `cargo bench --bench bars -- GAME [perft|depth|threads]`.
//!
//! Run it on an idle machine; every line says what it measured.

// A bench speaks to the terminal.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use search::perft::perft;
use search::walk::open_walk;
use search::{Control, Engine, Game, Info, Limits, Random, Root};

/// How one game is measured.
struct Course {
    /// Depth of the perft from the start.
    perft: u32,
    /// Time for each position of the depth measurement.
    time: Duration,
    /// Lengths of the random games that lead to middle-game positions.
    plies: std::ops::Range<u32>,
}

const POSITIONS: usize = 20;
/// A fixed depth counts for the speed of two threads if one thread needs at least this long.
const LONG: Duration = Duration::from_secs(2);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let what = words.get(1).map_or("all", String::as_str);
    match words.first().map(String::as_str) {
        Some("neighbours") => {
            let course = Course { perft: 7, time: Duration::from_secs(2), plies: 8..40 };
            measure::<neighbours::Neighbours>(&course, what);
        }
        _ => eprintln!("usage: cargo bench --bench bars -- neighbours [perft|depth|threads]"),
    }
}

fn measure<E: Engine>(course: &Course, what: &str) {
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

fn perft_speed<E: Engine>(course: &Course) {
    let start = E::Game::start(&E::new().rules());
    let best = (0..3)
        .map(|_| {
            let begun = Instant::now();
            let leaves = perft(&start, course.perft);
            leaves as f64 / begun.elapsed().as_secs_f64() / 1e6
        })
        .fold(0.0, f64::max);
    println!("perft {} from the start: {best:.0} million leaves a second (best of three)", course.perft);
}

/// The start and random middle-game positions.
fn positions<E: Engine>(course: &Course) -> Vec<Root<E::Game>> {
    let start = E::Game::start(&E::new().rules());
    let mut random = Random::new(2026);
    let mut roots = vec![Root::new(start.clone())];
    for _ in 0..POSITIONS {
        let length = course.plies.start + random.below(course.plies.end - course.plies.start);
        roots.push(open_walk(&start, length as usize, &mut random));
    }
    roots
}

/// The depth reached, the nodes searched and the time taken.
fn search<E: Engine>(engine: &mut E, root: &Root<E::Game>, limits: &Limits) -> (u32, u64, Duration) {
    let (mut depth, mut nodes) = (0, 0);
    engine.forget();
    let begun = Instant::now();
    engine.think(root, limits, &Control::default(), &mut |info| {
        if let Info::Line(line) = info {
            (depth, nodes) = (line.depth, line.nodes);
        }
    });
    (depth, nodes, begun.elapsed())
}

fn depth_in_time<E: Engine>(course: &Course) {
    let mut engine = E::new();
    let limits = Limits::move_time(course.time);
    let reach = |engine: &mut E, root: &Root<E::Game>| search(engine, root, &limits).0;
    let mut depths: Vec<u32> = positions::<E>(course).iter().map(|root| reach(&mut engine, root)).collect();
    let from_start = depths[0];
    depths.sort_unstable();
    let median = depths[depths.len() / 2];
    println!("depth in {:?}: {from_start} from the start, median {median} of {depths:?}", course.time);
}

fn two_threads<E: Engine>(course: &Course) {
    let mut engine = E::new();
    let (mut speed, mut time) = (Vec::new(), Vec::new());
    for root in positions::<E>(course).iter().skip(1) {
        let mut run = |threads: &str, limits: &Limits| {
            engine.set("Threads", threads).expect("every engine has the option");
            search(&mut engine, root, limits)
        };
        let half = Limits::move_time(LONG / 2);
        let (one, two) = (run("1", &half), run("2", &half));
        speed.push((two.1 as f64 / two.2.as_secs_f64()) / (one.1 as f64 / one.2.as_secs_f64()));
        // The first depth that takes one thread long enough.
        for depth in one.0.. {
            let limits = Limits { move_time: Some(LONG * 15), ..Limits::depth(depth) };
            let (reached, _, alone) = run("1", &limits);
            if reached < depth {
                break;
            }
            if alone >= LONG {
                time.push(alone.as_secs_f64() / run("2", &limits).2.as_secs_f64());
                break;
            }
        }
    }
    println!("two threads: {:.2} times the nodes a second", geometric_mean(&speed));
    println!("two threads: {} fixed depths reached {:.2} times as fast", time.len(), geometric_mean(&time));
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}
