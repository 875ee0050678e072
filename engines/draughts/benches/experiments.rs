//! How fast the engine is: `cargo bench -p quintet-draughts --bench experiments -- depth|probe [N]`.
//!
//! `depth N`: how deep the engine sees from the start in N seconds on one thread. `probe N`: the time of N questions to
//! the databases of the data directory, put once and then again.

// A bench speaks to the terminal.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use draughts::endgame::{Database, Endgames};
use draughts::{Draughts, Position, Rules, Variant};
use search::endgame::Space;
use search::{Control, Game, Info, Limits, Random, Root, Search};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number = |default: u64| words.get(1).map_or(default, |word| word.parse().expect("a number"));
    match words.first().map(String::as_str) {
        Some("depth") => depth(Duration::from_secs(number(5))),
        Some("probe") => probe(number(1_000_000)),
        _ => println!("depth SECONDS or probe N"),
    }
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
