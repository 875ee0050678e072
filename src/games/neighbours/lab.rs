//! What is measured of Neighbours.

mod search;

use crate::lab::Lab;
use crate::lab::games::Meeting;

/// What Neighbours offers to the lab.
pub(super) const LAB: Lab = Lab {
    experiments: &[search::EXPERIMENT],
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
};
