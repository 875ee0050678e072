//! Fixed positions searched with a fixed number of playouts: a checksum of behaviour and a measure of speed.

use std::time::Instant;

use search::{Bench, Control, Engine, Limits, Root, Search};

use crate::{Go, Kifu, Position, Rules, text};

/// Size, playouts, and the moves that lead to the position, Black first.
const GAMES: [(usize, u64, &str); 5] = [
    (9, 20_000, ""),
    (9, 20_000, "E5 C3 G3 C6 G7 D8 F8 C5 D2"),
    (13, 8_000, "D4 K10 K4 D10 G3 C6 F4 G11 J11 J10 L11"),
    (19, 4_000, ""),
    (19, 4_000, "Q16 D4 Q4 D16 C6 F3 C12 R6 P3 R10 O17 C14 E12 R14 Q13 R13 Q12"),
];

/// Runs the bench with fresh engines.
pub(crate) fn run(control: &Control) -> Bench {
    let begun = Instant::now();
    let mut remarks = Vec::new();
    let mut nodes = 0;
    for (size, playouts, moves) in GAMES {
        let started = Instant::now();
        let mut go = Go::new();
        go.think(&position(size, moves), &Limits::nodes(playouts), control, &mut |_| {});
        let summary = go.search().summary();
        nodes += summary.moves;
        let speed = summary.playouts as f64 / started.elapsed().as_secs_f64();
        remarks.push(format!("{size}x{size}: {} playouts, {speed:.0} playouts/second", summary.playouts));
    }
    Bench { nodes, time: begun.elapsed(), remarks }
}

fn position(size: usize, moves: &str) -> Root<Position> {
    let rules = Rules::default().with_size(size).expect("a size that exists");
    let mut record = Kifu::new(rules);
    for vertex in moves.split_whitespace() {
        let m = text::read_move(size, vertex).expect("a vertex");
        record.play(search::Game::turn(record.position()), m).expect("a legal move");
    }
    record.root().clone()
}
