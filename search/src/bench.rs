//! The bench of an alpha-beta engine: fixed positions to a fixed depth, counted and timed.

use std::time::Instant;

use crate::{Bench, Control, Game, Info, Limits, Root, Search};

/// Searches each position with an engine that has forgotten the one before.
pub fn run<G: Game>(engine: &mut dyn Search<G>, positions: &[G], depth: u32, control: &Control) -> Bench {
    let begun = Instant::now();
    let mut nodes = 0;
    for position in positions {
        engine.forget();
        let mut last = 0;
        let root = Root::new(position.clone());
        engine.think(&root, &Limits::depth(depth), control, &mut |info| {
            if let Info::Line(line) = info {
                last = line.nodes;
            }
        });
        nodes += last;
    }
    Bench { nodes, time: begun.elapsed(), remarks: Vec::new() }
}
