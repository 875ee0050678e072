//! What Beling's thesis measured, measured again.
//!
//! | question | file |
//! |---|---|
//! | how many moves does a position have? | `branching.rs` |
//! | how many nodes does each technique save? | `nodes.rs` |
//! | what do the textbook's algorithms cost? | `mtd.rs` |
//! | what does probing its table cost? | `table.rs` |
//! | how strong is what was learned? | `learning.rs` |
//! | what do endgame databases hold? | `database.rs` |

mod branching;
mod database;
mod learning;
mod mtd;
mod nodes;
mod table;

use crate::lab::Lab;
use crate::lab::games::Meeting;

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
};
