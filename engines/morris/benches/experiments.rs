//! `cargo bench -p quintet-morris --bench experiments` plays 100 random won and 100 random drawn positions out of the
//! tables that `quintet build endgame morris` made, under standard rules: the engine against the best replies they know,
//! and against random ones.

// A bench speaks to the terminal.
#![allow(clippy::print_stdout)]

#[path = "../tests/support/trial.rs"]
mod trial;

use std::time::Instant;

use morris::database::Database;
use morris::{Morris, Rules};
use search::{Engine, Random};
use trial::{Opponent, Terms, Trial};

/// Of each kind.
const DATABASE_POSITIONS: usize = 100;

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

fn main() {
    let Some(database) = tables_there() else { return };
    for opponent in [Opponent::Best, Opponent::Random] {
        let begun = Instant::now();
        let terms = Terms { each: DATABASE_POSITIONS, nodes: 500, opponent, exact: true };
        let trial = Trial::run(&mut Morris::new(), &database, terms, &mut Random::new(1));
        let (tables, time) = (database.tables(), begun.elapsed());
        println!(
            "{tables} tables, {DATABASE_POSITIONS} won and as many drawn positions, {opponent:?}, {time:.1?}"
        );
        println!("won positions won: {}", trial.won);
        println!("drawn positions drawn: {}, won: {}", trial.held, trial.gained);
        println!("otherwise: {}", trial.failed.len());
        trial.failed.iter().for_each(|line| println!("{line}"));
    }
}
