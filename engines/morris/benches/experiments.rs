//! The tables that `quintet build endgame morris` made, under standard rules: `cargo bench -p quintet-morris --bench
//! experiments -- trial` or `-- probes`.
//!
//! `trial` plays 100 random won and 100 random drawn positions out: the engine against the best replies the tables know.
//! `probes` times asking for random positions.

// A bench speaks to the terminal.
#![allow(clippy::print_stdout)]

#[path = "../tests/support/trial.rs"]
mod trial;

use std::time::Instant;

use morris::database::Database;
use morris::{Morris, Position, Rules};
use search::{Engine, Random};
use trial::Trial;

/// Of each kind.
const DATABASE_POSITIONS: usize = 100;
const PROBES: usize = 100_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    match words.first().map(String::as_str) {
        Some("trial") | None => trial(),
        Some("probes") => probes(),
        Some(other) => println!("'{other}' is not an experiment; the experiments are trial and probes"),
    }
}

/// The tables in the user's directory, or a word on why there are none.
fn tables_there() -> Option<Database> {
    let directory = Database::default_directory().expect("there is a data directory");
    let (database, refused) = Database::open(&Rules::STANDARD, &directory);
    refused.iter().for_each(|error| println!("{error}"));
    if database.is_none() {
        println!("{} holds no tables; `quintet build endgame morris` makes them", directory.display());
    }
    database
}

/// Asks for random positions twice, the second time from memory.
fn probes() {
    let Some(database) = tables_there() else { return };
    let mut random = Random::new(1);
    let positions: Vec<Position> = (0..PROBES).map(|_| database.any(&mut random).0).collect();
    let times: Vec<f64> = positions
        .iter()
        .map(|position| {
            let begun = Instant::now();
            std::hint::black_box(database.value(position));
            begun.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    let mut sorted = times.clone();
    sorted.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let [median, slow] = [2, 100].map(|part| sorted[sorted.len() - 1 - sorted.len() / part]);
    let tables = database.tables();
    println!(
        "{tables} tables, {PROBES} random probes: mean {mean:.2} us, median {median:.2}, 99 % below {slow:.2}"
    );
}

/// Plays database positions out.
fn trial() {
    let Some(database) = tables_there() else { return };
    let begun = Instant::now();
    let trial = Trial::run(&mut Morris::new(), &database, DATABASE_POSITIONS, &mut Random::new(1));
    let (tables, time) = (database.tables(), begun.elapsed());
    println!("{tables} tables, {DATABASE_POSITIONS} won and as many drawn positions, {time:.1?}");
    println!("won positions won: {}", trial.won);
    println!("drawn positions drawn: {}, won: {}", trial.held, trial.gained);
    println!("otherwise: {}", trial.failed.len());
    trial.failed.iter().for_each(|line| println!("{line}"));
}
