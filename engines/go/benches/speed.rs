//! Go's figures of speed, measured: `cargo bench -p quintet-go --bench speed`.
//!
//! Light playouts without a tree, the default search with its tree, a network, and what a second thread adds; run it on an
//! idle machine. Of five trials the best counts.

// A bench speaks to the terminal.
#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use go::network::{Network, Shape};
use go::playout::{Simulator, Style};
use go::policy::{Advisor, Knowledge};
use go::{Board, Go, Point, Position, Rules};
use search::mcts::Policy;
use search::{Control, Engine, Limits, Random, Root, Search};

/// Of each trial.
const TIME: Duration = Duration::from_secs(3);
const TRIALS: usize = 5;
/// Size, the playouts a second that are asked of light playouts and of the default search, and the milliseconds that a
/// network may take for a position.
const BARS: [(usize, f64, f64, f64); 2] = [(9, 120_000.0, 11_000.0, 0.6), (19, 26_000.0, 2_800.0, 3.0)];

fn main() {
    for (size, light_bar, heavy_bar, judge_bar) in BARS {
        let start = Position::empty(Rules::default().with_size(size).expect("a board of this size"));
        let light = best(|| light_playouts(&start));
        println!("{size}x{size} light playouts: {light:.0} a second (bar {light_bar:.0})");
        // In turn, so that what slows the machine down slows both.
        let pairs: Vec<[f64; 2]> =
            (0..TRIALS).map(|_| [1, 2].map(|threads| searched(&start, threads))).collect();
        let [one, two] = [0, 1].map(|i| pairs.iter().map(|pair| pair[i]).fold(0.0, f64::max));
        println!("{size}x{size} default search, one thread: {one:.0} playouts a second (bar {heavy_bar:.0})");
        let judged = best(|| judgements(&start));
        println!(
            "{size}x{size} network of 5 blocks of 32 channels: {judged:.0} evaluations a second, {:.3} ms each (bar {judge_bar:.1})",
            1000.0 / judged
        );
        println!(
            "{size}x{size} two threads: {two:.0} playouts a second, {:.2} times one (bar 1.80)",
            two / one
        );
    }
}

fn best(trial: impl Fn() -> f64) -> f64 {
    (0..TRIALS).map(|_| trial()).fold(0.0, f64::max)
}

/// Playouts a second of the uniform policy, counted at their end, from the empty board.
fn light_playouts(start: &Position) -> f64 {
    let start = Board::new(start, [Point::NONE; 2]);
    let (mut simulator, mut random) = (Simulator::new(Style::Light, &start), Random::new(1));
    let (mut board, mut trace) = (start.clone(), Vec::new());
    let (begun, mut playouts, mut black) = (Instant::now(), 0u64, 0i64);
    while begun.elapsed() < TIME {
        for _ in 0..100 {
            board.clone_from(&start);
            trace.clear();
            simulator.finish(&mut board, &mut random, &mut trace);
            black += i64::from(board.area() > 0);
            playouts += 1;
        }
    }
    // The results are used, so that nobody may leave the counting out.
    assert!(black > 0);
    playouts as f64 / begun.elapsed().as_secs_f64()
}

/// Positions a second that a random network judges, with all that it is shown of them.
fn judgements(start: &Position) -> f64 {
    let shape = Shape::new(5, 32).expect("the shape of shipped networks");
    let network = Arc::new(Network::random(shape, 1));
    let mut root = Root::new(start.clone());
    for text in ["D4", "F6", "C6", "F4", "F3", "G4", "C3"] {
        root.play_text(text).expect("a legal move");
    }
    let mut knowledge = Knowledge::new(Style::Light);
    knowledge.advisor = Some(Advisor::new(network, 0.0, 1));
    let board = knowledge.board(&root);
    let (begun, mut count, mut sum) = (Instant::now(), 0u64, 0.0);
    while begun.elapsed() < TIME {
        sum += knowledge.judged(&board, &[]).map_or(0.0, |said| said.win);
        count += 1;
    }
    assert!(sum > 0.0);
    count as f64 / begun.elapsed().as_secs_f64()
}

/// Playouts a second of the default search from the empty board.
fn searched(start: &Position, threads: usize) -> f64 {
    let mut go = Go::new();
    go.set("Threads", &threads.to_string()).expect("a number of threads");
    let begun = Instant::now();
    go.think(&Root::new(start.clone()), &Limits::move_time(TIME), &Control::default(), &mut |_| {});
    go.search().summary().playouts as f64 / begun.elapsed().as_secs_f64()
}
