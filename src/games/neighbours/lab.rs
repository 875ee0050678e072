//! What Skoulakis's thesis measured, measured again.
//!
//! | question | file |
//! |---|---|
//! | what does each technique of its search save? | `search.rs` |
//! | which method learns better, which set and scheme? | `learning.rs`, `schemes.rs`; `training.rs` trains for both |

mod learning;
mod schemes;
mod search;
mod training;

use neighbours::Neighbours;

use crate::lab::Lab;
use crate::lab::games::Meeting;
use crate::lab::speed::{Pace, depth, leaves, ready, second_thread};

/// What Neighbours offers to the lab.
pub(super) const LAB: Lab = Lab {
    experiments: &[search::EXPERIMENT, learning::EXPERIMENT, schemes::EXPERIMENT],
    presets: &[Meeting {
        name: "default against Thesis, 10 000 nodes",
        first: &["neighbours", "name=default"],
        second: &["neighbours", "name=thesis", "option.Preset=Thesis"],
        rest: &["--each", "nodes=10000", "--random-plies", "6"],
        above: 0.5,
    }],
    matches: &[Meeting {
        name: "default against Thesis, 0.1 s a move",
        first: &["neighbours", "name=default"],
        second: &["neighbours", "name=thesis", "option.Preset=Thesis"],
        rest: &["--each", "st=0.1", "--random-plies", "6"],
        above: 0.9,
    }],
    speed: &[
        Pace { name: "perft 7", samples: [1, 1, 5, 5], measure: leaves::<Neighbours, 7>, check: ready },
        Pace {
            name: "depth in 2 s, middle game",
            samples: [1, 3, 20, 20],
            measure: depth::<Neighbours, 2, 8, 40>,
            check: ready,
        },
        Pace {
            name: "second thread, middle game",
            samples: [0, 2, 20, 20],
            measure: second_thread::<Neighbours, 8, 40>,
            check: ready,
        },
    ],
};
