//! What Beling's thesis measured, measured again.
//!
//! | question | file |
//! |---|---|
//! | how many moves does a position have? | `branching.rs` |
//! | how many nodes does each technique save? | `nodes.rs` |
//! | what do the textbook's algorithms cost? | `mtd.rs` |
//! | what does probing its table cost? | `table.rs` |
//! | how strong is what was learned? | `learning.rs` |
//! | what do endgame databases hold, how fast do they answer? | `database.rs`, `probe.rs` |

mod branching;
mod database;
mod learning;
mod mtd;
mod nodes;
mod probe;
mod table;

use draughts::Draughts;

use crate::lab::Lab;
use crate::lab::games::Meeting;
use crate::lab::speed::{Pace, depth, leaves, ready, second_thread};

/// What draughts offers to the lab.
pub(super) const LAB: Lab = Lab {
    experiments: &[
        branching::EXPERIMENT,
        nodes::EXPERIMENT,
        table::EXPERIMENT,
        database::EXPERIMENT,
        mtd::EXPERIMENT,
        learning::EXPERIMENT,
    ],
    presets: &[Meeting {
        name: "default against Little Polish, 10 000 nodes",
        first: &["draughts", "name=default"],
        second: &["draughts", "name=polish", "option.Preset=Little Polish"],
        rest: &["--each", "nodes=10000", "--random-plies", "6", "--balance", "100"],
        above: 0.5,
    }],
    matches: &[Meeting {
        name: "default against Little Polish, 0.1 s a move",
        first: &["draughts", "name=default"],
        second: &["draughts", "name=polish", "option.Preset=Little Polish"],
        rest: &["--each", "st=0.1", "--random-plies", "6", "--balance", "100"],
        above: 0.8,
    }],
    speed: &[
        Pace { name: "perft 10", samples: [1, 1, 5, 5], measure: leaves::<Draughts, 10>, check: ready },
        Pace {
            name: "depth in 5 s from the start",
            samples: [1, 1, 1, 1],
            measure: depth::<Draughts, 5, 0, 1>,
            check: ready,
        },
        Pace {
            name: "depth in 1 s, middle game",
            samples: [1, 3, 20, 20],
            measure: depth::<Draughts, 1, 6, 41>,
            check: ready,
        },
        Pace {
            name: "second thread, middle game",
            samples: [0, 2, 20, 20],
            measure: second_thread::<Draughts, 6, 41>,
            check: ready,
        },
        probe::PROBE,
    ],
};
