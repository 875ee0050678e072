//! Perft beside cozy-chess, a move generator of its own: `cargo bench -p quintet-chess --bench speed`.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use chess::{Position, Rules};
use cozy_chess::Board;
use search::Game;
use search::perft::perft;

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

fn main() {
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
