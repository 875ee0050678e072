//! The bench of an alpha-beta engine: fixed positions to a fixed depth, counted and timed.

use std::time::Instant;

use crate::{Bench, Control, Engine, Game, Info, Limits, Root};

/// Searches each position, given by its FEN, with an engine that has forgotten the one before.
///
/// # Panics
/// If a text is no position under the default rules.
pub fn run<E: Engine>(mut engine: E, fens: &[&str], depth: u32, control: &Control) -> Bench {
    let begun = Instant::now();
    let mut nodes = 0;
    for fen in fens {
        let position = E::Game::read(&Default::default(), fen).expect("a legal position");
        engine.forget();
        let mut last = 0;
        engine.think(&Root::new(position), &Limits::depth(depth), control, &mut |info| {
            if let Info::Line(line) = info {
                last = line.nodes;
            }
        });
        nodes += last;
    }
    Bench { nodes, time: begun.elapsed(), remarks: Vec::new() }
}
