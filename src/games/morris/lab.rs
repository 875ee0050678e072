//! What Wozniak's report measured, measured again.
//!
//! The report says neither what it counts as depth nor how much a mill or a move weighs, nor in which order equal moves
//! are tried. A step of its depth is taken for two plies, a move and its reply: so counted, nodes are as many as there.
//!
//! | question | file |
//! |---|---|
//! | how is a game played? | `game.rs` |
//! | what does alpha-beta save? | `minimax.rs` |
//! | which evaluation wins? | `evaluations.rs` |
//! | what does ordering save? | `order.rs` |
//! | where does the time go? | `profile.rs` |
//! | how fast do endgame databases answer? | `probe.rs` |

mod evaluations;
mod game;
mod minimax;
mod order;
mod probe;
mod profile;

use morris::Morris;

use crate::lab::Lab;
use crate::lab::games::Meeting;
use crate::lab::speed::{Pace, depth, leaves, ready, second_thread};

/// What nine men's morris offers to the lab.
pub(super) const LAB: Lab = Lab {
    experiments: &[minimax::EXPERIMENT, evaluations::EXPERIMENT, order::EXPERIMENT, profile::EXPERIMENT],
    presets: &[Meeting {
        name: "default with 20 000 nodes against Seed at four plies, by its rules",
        first: &["morris", "name=default", "nodes=20000"],
        second: &["morris", "name=Seed", "option.Preset=Seed", "depth=4"],
        rest: &["--rules", "Rules=seed", "--random-plies", "4"],
        above: 0.5,
    }],
    matches: &[Meeting {
        name: "default at 0.1 s a move against Seed at four plies, by its rules",
        first: &["morris", "name=default", "st=0.1"],
        second: &["morris", "name=Seed", "option.Preset=Seed", "depth=4"],
        rest: &["--rules", "Rules=seed", "--random-plies", "4"],
        above: 0.9,
    }],
    speed: &[
        Pace { name: "perft 6", samples: [1, 1, 5, 5], measure: leaves::<Morris, 6>, check: ready },
        Pace {
            name: "depth in 1 s, placing",
            samples: [1, 3, 20, 20],
            measure: depth::<Morris, 1, 2, 14>,
            check: ready,
        },
        Pace {
            name: "depth in 1 s, moving",
            samples: [1, 3, 20, 20],
            measure: depth::<Morris, 1, 18, 40>,
            check: ready,
        },
        Pace {
            name: "second thread, moving",
            samples: [0, 2, 20, 20],
            measure: second_thread::<Morris, 18, 40>,
            check: ready,
        },
        probe::PROBE,
    ],
};
