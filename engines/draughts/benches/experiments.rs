//! What the draughts source measured, measured again: `cargo bench -p quintet-draughts --bench experiments -- nodes|depth|probe [N]`.
//!
//! `nodes N [DEPTH]`: mean nodes to depth 14 over N positions after 6 to 40 random moves, as in table 6.2, for the
//! switches of `Little Polish` and for ours. All iterations are counted; what lies below the horizon is part of the evaluation
//! and is not, nor is the root. `depth N`: how deep the engine sees from the start in N seconds on one thread.
//! `probe N`: the time of N questions to the databases of the data directory, put once and then again.

// A bench speaks to the terminal.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use draughts::endgame::{Database, Endgames};
use draughts::{Draughts, Position, Rules, Variant};
use rayon::prelude::*;
use search::endgame::Space;
use search::walk::open_walk;
use search::{Control, Engine, Game, Info, Limits, Random, Root, Search};

/// Random moves before a position: the fewest, and how many numbers of them.
const MOVES: (usize, usize) = (6, 35);
/// Beling's means at these depths.
const SOURCE: [(u32, u64); 3] = [(6, 1_501), (10, 28_683), (14, 412_156)];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let word = |i: usize, default: u64| words.get(i).map_or(default, |word| word.parse().expect("a number"));
    let number = |default: u64| word(1, default);
    match words.first().map(String::as_str) {
        Some("nodes") => nodes(number(70), word(2, 14) as u32),
        Some("depth") => depth(Duration::from_secs(number(5))),
        Some("probe") => probe(number(1_000_000)),
        _ => println!("nodes N, depth SECONDS or probe N"),
    }
}

fn nodes(count: u64, depth: u32) {
    let mean = |options: &[(&str, &str)]| {
        let total: u64 = (0..count).into_par_iter().map(|i| nodes_of(i, depth, options)).sum();
        total / count.max(1)
    };
    let source = mean(&[("Preset", "Little Polish")]);
    let ours = mean(&[("Evaluation", "default")]);
    println!("Little Polish {source} nodes to depth {depth}");
    if let Some((_, theirs)) = SOURCE.iter().find(|(known, _)| *known == depth) {
        println!("              {:.1} % of Beling's {theirs}", 100.0 * source as f64 / *theirs as f64);
    }
    println!("default       {ours} nodes, {:.1} % of these", 100.0 * ours as f64 / source.max(1) as f64);
}

/// Nodes of the `i`-th position.
fn nodes_of(i: u64, depth: u32, options: &[(&str, &str)]) -> u64 {
    let plies = MOVES.0 + i as usize % MOVES.1;
    let root = open_walk(&Position::start(&Rules::default()), plies, &mut Random::new(i));
    let mut engine = Draughts::bare();
    options.iter().for_each(|(name, value)| engine.set(name, value).expect("the option is declared"));
    engine.think(&root, &Limits::depth(depth), &Control::default(), &mut |_| {});
    let counters = engine.search().counters();
    counters.nodes() - counters.quiescence
}

fn depth(time: Duration) {
    let root = Root::new(Position::start(&Rules::default()));
    Draughts::bare().think(&root, &Limits::move_time(time), &Control::default(), &mut |info| {
        if let Info::Line(line) = info {
            println!("depth {:2} after {:6} ms, {} nodes", line.depth, line.time.as_millis(), line.nodes);
        }
    });
}

fn probe(count: u64) {
    let directory = search::data::directory().expect("a data directory").join("endgame");
    let (database, _) = Database::open(Variant::BRAZILIAN, &directory);
    println!("up to {} pieces in {}", database.pieces(), directory.display());
    let endgames = Endgames::new(Variant::BRAZILIAN);
    let units: Vec<usize> = database.library().present().collect();
    if units.is_empty() {
        return;
    }
    let mut random = Random::new(1);
    let largest = *units.iter().max_by_key(|&&unit| endgames.states(unit)).expect("there is one");
    let mut ask = |places: u64| -> Vec<Position> {
        let states = endgames.states(largest);
        let start = random.bits() % states;
        (0..count).map(|_| endgames.position(largest, (start + random.bits() % places) % states)).collect()
    };
    let wide = ask(endgames.states(largest));
    let near = ask(20_000);
    for (what, positions) in [
        ("anywhere, first", &wide),
        ("anywhere, again", &wide),
        ("20000 states", &near),
        ("20000 states, again", &near),
    ] {
        let begun = Instant::now();
        let known = positions.iter().filter(|position| database.probe(position).is_some()).count();
        let each = begun.elapsed().as_nanos() as f64 / positions.len().max(1) as f64;
        println!("{what}: {each:.0} ns a probe, {known} known");
    }
}
