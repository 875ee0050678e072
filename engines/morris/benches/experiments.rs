//! Experiments with morris: `cargo bench -p quintet-morris --bench experiments -- tables`, `-- database`, `-- probes`.
//!
//! `tables` plays the games of Wozniak's report again by its rules. Every game starts from the empty board between two
//! players of fixed depth, so that its course and its counts are the same everywhere; only the times differ.
//!
//! `database` plays 100 random won and 100 random drawn positions of the tables that `quintet build endgame morris`
//! made, under standard rules: the engine against the best replies the tables know. `probes` times asking for random
//! ones of their positions.

// A bench speaks to the terminal.
#![allow(clippy::print_stdout)]

#[path = "../tests/support/trial.rs"]
mod trial;

use std::time::{Duration, Instant};

use morris::database::Database;
use morris::{Morris, Position, Rules};
use search::{Engine, Game, Limits, Outcome, Random, Root, Search, Side};
use trial::Trial;

/// How one side plays.
#[derive(Clone, Copy)]
struct Setting {
    algorithm: &'static str,
    /// Techniques beside the algorithm.
    on: &'static str,
    evaluation: &'static str,
    depth: u32,
}

/// What came of a game; nodes and time are the first player's.
struct Played {
    outcome: Outcome,
    turns: usize,
    nodes: u64,
    time: Duration,
    moves: Vec<morris::Move>,
}

/// Deeper min-max takes minutes.
const MIN_MAX_PLIES: u32 = 4;
/// Of each kind.
const DATABASE_POSITIONS: usize = 100;
const PROBES: usize = 100_000;

/// Plies of a step of Wozniak's depth: so counted, nodes are as many as there.
const STEP: u32 = 2;

const RIVAL: Setting = Setting { algorithm: "alpha-beta", on: "", evaluation: "PAWN", depth: 2 * STEP };

fn engine(player: Setting) -> Morris {
    let mut engine = Morris::alone();
    let options = [
        ("Preset", "Seed"),
        ("Algorithm", player.algorithm),
        ("Switch On", player.on),
        ("Evaluation", player.evaluation),
    ];
    for (name, value) in options {
        engine.set(name, value).expect("the option is declared");
    }
    engine
}

fn play(first: Setting, second: Setting) -> Played {
    let mut engines = [engine(first), engine(second)];
    let mut root = Root::new(Position::start(&engines[0].rules()));
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let outcome = loop {
        if let Some(outcome) = root.outcome() {
            break outcome;
        }
        let side = root.position().turn().index();
        let depth = [first.depth, second.depth][side];
        let begun = Instant::now();
        let (best, lines) = engines[side].ask(&root, &Limits::depth(depth));
        if side == 0 {
            nodes += lines.last().map_or(0, |line| line.nodes);
            time += begun.elapsed();
        }
        root.play(best.best.expect("the game is not over"));
    };
    Played { outcome, turns: root.moves().len(), nodes, time, moves: root.moves().to_vec() }
}

fn winner(played: &Played) -> String {
    let name = match played.outcome.winner {
        Some(Side::White) => "P1",
        Some(Side::Black) => "P2",
        None => "draw",
    };
    format!("{name} ({})", played.turns)
}

fn seconds(played: &Played) -> String {
    format!("{:.3}", played.time.as_secs_f64())
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    match words.first().map(String::as_str) {
        None | Some("tables") => tables(),
        Some("database") => database(),
        Some("probes") => probes(),
        Some(other) => {
            println!("'{other}' is not an experiment; the experiments are tables, database and probes");
        }
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
fn database() {
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

/// Wozniak's first table, a step of its depth being so many plies.
fn first_table(plies: u32) {
    let rival = Setting { depth: 2 * plies, ..RIVAL };
    println!("\nTable 1, depth in steps of {plies} plies: the first player's totals of a game against");
    println!("alpha-beta, depth 2, PAWN\n");
    println!("| depth | min-max s | nodes | alpha-beta s | nodes | same moves |\n|---|---|---|---|---|---|");
    for depth in 1..=3 {
        let of = |algorithm| play(Setting { algorithm, depth: depth * plies, ..RIVAL }, rival);
        let pruned = of("alpha-beta");
        let (plain, same) = match depth * plies {
            ..=MIN_MAX_PLIES => {
                let plain = of("minimax");
                let same = if plain.moves == pruned.moves { "yes" } else { "no" };
                (format!("{} | {}", seconds(&plain), plain.nodes), same)
            }
            _ => ("n/a | n/a".to_owned(), "n/a"),
        };
        println!("| {depth} | {plain} | {} | {} | {same} |", seconds(&pruned), pruned.nodes);
    }
}

/// Plays the games of Wozniak's tables.
fn tables() {
    for plies in [1, STEP] {
        first_table(plies);
    }
    for (number, depth) in [(2, 2), (3, 3)] {
        println!("\nTable {number}: winner (turns) at depth {depth}, row first\n");
        println!("| P1 \\ P2 | PAWN | MILL | MOVE |\n|---|---|---|---|");
        for first in ["PAWN", "MILL", "MOVE"] {
            let cells = ["PAWN", "MILL", "MOVE"].map(|second| {
                let player = |evaluation| Setting { evaluation, depth: depth * STEP, ..RIVAL };
                if first == second { "-".to_owned() } else { winner(&play(player(first), player(second))) }
            });
            println!("| {first} | {} |", cells.join(" | "));
        }
    }
    println!("\nTable 4: ordering, depth 2, first player against alpha-beta, depth 2, PAWN\n");
    println!("| evaluation | s | turns | nodes | s ordered | turns | nodes |\n|---|---|---|---|---|---|---|");
    for evaluation in ["PAWN", "MILL", "MOVE"] {
        let of = |on| play(Setting { on, evaluation, ..RIVAL }, RIVAL);
        let (plain, ordered) = (of(""), of("static_ordering"));
        let cells = |played: &Played| format!("{} | {} | {}", seconds(played), winner(played), played.nodes);
        println!("| {evaluation} | {} | {} |", cells(&plain), cells(&ordered));
    }
}
