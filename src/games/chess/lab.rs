//! What is measured of chess.

mod critical;
mod generators;
mod groups;
mod heuristics;
mod speed;
mod theory;

use crate::lab::Lab;
use crate::lab::games::Meeting;

const OURS: &[&str] = &["chess", "name=quintet"];
const QUEEM: &[&str] = &["chess", "name=queem", "option.Preset=Queem"];
const GNU_CHESS: &[&str] = &["cmd=gnuchess", "arg=--uci"];
/// Games against other people's engines.
const TOURNAMENT: &[&str] =
    &["--each", "tc=5+0.05", "option.Hash=64", "--random-plies", "8", "--balance", "100"];
/// Games between our own.
const FAST: &[&str] = &["--each", "tc=1+0.01", "--random-plies", "8", "--balance", "100"];

/// What chess offers to the lab.
pub(super) const LAB: Lab = Lab {
    experiments: &[
        heuristics::EXPERIMENT,
        generators::EXPERIMENT,
        critical::EXPERIMENT,
        theory::EXPERIMENT,
        groups::EXPERIMENT,
    ],
    presets: &[
        Meeting {
            name: "default against Queem, 10 000 nodes",
            first: OURS,
            second: QUEEM,
            rest: &["--each", "nodes=10000", "--random-plies", "8", "--balance", "100"],
            above: 0.5,
        },
        Meeting {
            name: "gnuchess against Queem, five plies",
            first: GNU_CHESS,
            second: QUEEM,
            rest: &["--each", "depth=5", "--random-plies", "8", "--balance", "100"],
            above: 0.5,
        },
    ],
    matches: &[
        Meeting {
            name: "against gnuchess, 5 s + 0.05 s",
            first: OURS,
            second: GNU_CHESS,
            rest: TOURNAMENT,
            above: 0.85,
        },
        Meeting {
            name: "against Glaurung on one thread, 5 s + 0.05 s",
            first: OURS,
            second: &["cmd=glaurung", "option.Threads=1"],
            rest: TOURNAMENT,
            above: 0.8,
        },
        Meeting {
            name: "against Toga II, 5 s + 0.05 s",
            first: OURS,
            second: &["cmd=toga2"],
            rest: TOURNAMENT,
            above: 0.6,
        },
        Meeting {
            name: "against Ethereal, 5 s + 0.05 s",
            first: OURS,
            second: &["cmd=ethereal-chess"],
            rest: TOURNAMENT,
            above: 0.4,
        },
        // 150 Elo are a score of 0.703.
        Meeting {
            name: "against Kushnir's evaluation, 1 s + 0.01 s",
            first: OURS,
            second: &["chess", "name=thesis", "option.Evaluation=thesis"],
            rest: FAST,
            above: 0.703,
        },
    ],
    speed: speed::SPEED,
};
