//! Fixed positions searched to a fixed depth: a checksum of behaviour and a measure of speed.

use search::{Bench, Control, Game};

use crate::{Morris, Position, Rules};

const DEPTH: u32 = 16;

const POSITIONS: [&str; 8] = [
    "......../......../........ w 9 9 0 -",
    "...w..../.b....../........ w 8 8 2 -",
    "w.b.ww../.bw..b../b...w.b. w 3 4 0 -",
    "..wb...w/.bw...b./b.w..... b 4 5 1 -",
    "wb.bw.wb/.w.bw.b./bw..b.w. w 0 0 0 -",
    "ww.wb.../..wb..b./w..bb... b 0 0 12 -",
    "w.wb.b../.w.b..w./.b..w.b. w 0 0 6 -",
    "ww...w../...bb.b./....b... w 0 0 0 -",
];

/// Runs the bench with a fresh engine that asks no database.
pub(crate) fn run(control: &Control) -> Bench {
    let positions = POSITIONS.map(|fen| Position::read(&Rules::default(), fen).expect("a legal position"));
    search::bench::run(&mut Morris::alone(), &positions, DEPTH, control)
}
