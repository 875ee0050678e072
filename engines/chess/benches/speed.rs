//! How fast the engine is: `cargo bench -p quintet-chess --bench speed -- [sliders] [perft] [bench] [threads [SECONDS POSITIONS]]`.
//!
//! `sliders`: the ways to find sliding attacks side by side; `perft`: beside cozy-chess; `bench`: nodes a second of the
//! engine's own bench; `threads`: what a second thread adds on positions that take one thread some seconds.

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use chess::attacks::Square;
use chess::attacks::sliders::{Fastest, Hyperbola, Magic, RankTable, Sliders};
use chess::{Chess, Position, Rules};
use cozy_chess::Board;
use search::perft::perft;
use search::{Bound, Control, Engine, Game, Info, Limits, Root, Search};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let wants = |name: &str| words.is_empty() && name != "threads" || words.iter().any(|word| word == name);
    if wants("sliders") {
        sliders();
    }
    if wants("perft") {
        perft_beside_cozy_chess();
    }
    if wants("bench") {
        let found = Chess::new().bench(&Control::default());
        let rate = found.nodes as f64 / found.time.as_secs_f64();
        println!(
            "bench {} nodes {:.0} ms {rate:.0} nodes a second",
            found.nodes,
            found.time.as_secs_f64() * 1e3
        );
    }
    if wants("threads") {
        let numbers: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
        let (seconds, positions) = match numbers[..] {
            [seconds, positions, ..] => (seconds, positions),
            _ => (3, 30),
        };
        second_thread(Duration::from_secs(seconds as u64), positions);
    }
}

/// Depth, time and nodes of the first iteration that ends after `least`, or of the one that reaches `depth`.
fn search(p: &Position, threads: usize, least: Duration, depth: u32) -> (u32, f64, u64) {
    let mut engine = Chess::new();
    engine.set("Hash", "64").expect("a small table can be had");
    engine.set("Threads", &threads.to_string()).expect("a number of threads");
    let control = Control::default();
    let mut reached = None;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    engine.think(&Root::new(*p), &limits, &control, &mut |info| {
        if let Info::Line(line) = info
            && reached.is_none()
            && line.bound == Bound::Exact
            && (line.time >= least || line.depth >= depth)
        {
            reached = Some((line.depth, line.time.as_secs_f64(), line.nodes));
            control.stop();
        }
    });
    reached.expect("an iteration ends")
}

/// Nodes a second and time to the same depth with two threads, compared with one.
fn second_thread(least: Duration, positions: usize) {
    let (mut rates, mut times) = (Vec::new(), Vec::new());
    for p in chess::openings::openings(positions, 11) {
        let (depth, one, one_nodes) = search(&p, 1, least, 100);
        let (_, two, two_nodes) = search(&p, 2, Duration::MAX, depth);
        rates.push((two_nodes as f64 / two) / (one_nodes as f64 / one));
        times.push(one / two);
        println!(
            "depth {depth}: {one:.2} s alone, {two:.2} s with two, {:.2} times the nodes a second",
            rates[rates.len() - 1]
        );
    }
    let mean = |ratios: &[f64]| (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
    println!(
        "two threads: nodes a second {:.2}, time to depth {:.2} (geometric means)",
        mean(&rates),
        mean(&times)
    );
}

fn time_of<S: Sliders>() {
    let started = Instant::now();
    let (mut occupied, mut sum) = (0x00ff_1234_5678_ff00u64, 0u64);
    const ROUNDS: u64 = 20_000_000;
    for i in 0..ROUNDS {
        let from = Square((i & 63) as u8);
        sum = sum.wrapping_add(S::rook(from, occupied) ^ S::bishop(from, occupied));
        occupied = occupied.rotate_left(7) ^ i;
    }
    black_box(sum);
    let each = started.elapsed().as_secs_f64() * 1e9 / ROUNDS as f64;
    println!("{:24} {each:6.2} ns for a queen", S::NAME);
}

fn sliders() {
    time_of::<Fastest>();
    time_of::<Magic>();
    time_of::<RankTable>();
    time_of::<Hyperbola>();
}

fn cozy_perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn perft_beside_cozy_chess() {
    let start = Position::start(&Rules::default());
    let rate = |name: &str, count: &dyn Fn() -> u64| {
        let started = Instant::now();
        let nodes = count();
        let seconds = started.elapsed().as_secs_f64();
        println!("{name:12} {nodes} nodes {:.0} ms {:.1} Mnps", seconds * 1e3, nodes as f64 / seconds / 1e6);
        seconds
    };
    let ours = rate("quintet", &|| perft(&start, 6));
    let theirs = rate("cozy-chess", &|| cozy_perft(&Board::default(), 6));
    println!("ratio {:.2}", theirs / ours);
}
