//! The ways to find sliding attacks side by side, and perft beside cozy-chess: `cargo bench -p chess`.

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use chess::attacks::Square;
use chess::attacks::sliders::{Fastest, Hyperbola, Magic, RankTable, Sliders};
use chess::{Position, Rules};
use cozy_chess::Board;
use search::Game;
use search::perft::perft;

fn main() {
    sliders();
    perft_beside_cozy_chess();
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
