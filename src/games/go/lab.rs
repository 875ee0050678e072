//! What Śliwa's thesis measured, measured again, and what it describes without figures.
//!
//! | question | file |
//! |---|---|
//! | how strong is GO GAME, and what of it is due to what? | `gnugo.rs`, `uct.rs`, `choice.rs`; `tournament.rs` plays their games |
//! | how fast is it, and how fast our default? | `speed.rs`, `pace.rs` |
//! | what is each method worth against plain UCT? | `amaf.rs`, `parallel.rs`, `playouts.rs`; `contest.rs` compares them |
//! | what do methods of scoring know? | `score.rs` |

mod amaf;
mod choice;
mod contest;
mod gnugo;
mod pace;
mod parallel;
mod playouts;
mod score;
mod speed;
mod tournament;
mod uct;

use crate::lab::Lab;
use crate::lab::games::Meeting;

const OURS: &[&str] = &["go", "name=default"];
/// GNU Go decides for itself how long to think, and about dead stones where the two disagree.
const GNU_GO: &[&str] = &["cmd=gnugo", GNU_GO_WORDS, "tc=inf"];
const GNU_GO_WORDS: &str = "args=--mode gtp --level 10 --chinese-rules --positional-superko";
/// UCT as it was published, with uniform playouts.
const UCT: &[&str] = &[
    "go",
    "name=uct",
    "option.Playout=light",
    "option.AMAF=off",
    "option.Priors=0",
    "option.Exploration=71",
    "option.Expand After=1",
];

/// The words of a match against GNU Go on a board of this size.
const fn against(size: &'static str) -> [&'static str; 6] {
    ["--referee", "cmd=gnugo", GNU_GO_WORDS, "--rules", size, "Komi=6.5"]
}

/// What Go offers to the lab.
pub(super) const LAB: Lab = Lab {
    experiments: &[
        speed::EXPERIMENT,
        gnugo::EXPERIMENT,
        uct::EXPERIMENT,
        choice::EXPERIMENT,
        amaf::EXPERIMENT,
        parallel::EXPERIMENT,
        playouts::EXPERIMENT,
        score::EXPERIMENT,
    ],
    presets: &[Meeting {
        name: "default against GO GAME on 9x9, 500 playouts",
        first: OURS,
        second: &["go", "name=GO GAME", "option.Preset=GO GAME"],
        rest: &["--each", "nodes=500", "--random-plies", "4", "--rules", "BoardSize=9", "Komi=6.5"],
        above: 0.5,
    }],
    matches: &[
        Meeting {
            name: "against GNU Go on 9x9, 1 s a move",
            first: &["go", "name=default", "st=1"],
            second: GNU_GO,
            rest: &against("BoardSize=9"),
            above: 0.95,
        },
        Meeting {
            name: "against GNU Go on 13x13, 2 s a move",
            first: &["go", "name=default", "st=2"],
            second: GNU_GO,
            rest: &against("BoardSize=13"),
            above: 0.8,
        },
        Meeting {
            name: "against GNU Go on 19x19, 4 s a move",
            first: &["go", "name=default", "st=4"],
            second: GNU_GO,
            rest: &against("BoardSize=19"),
            above: 0.55,
        },
        Meeting {
            name: "with two threads against GNU Go on 9x9, 3 s a move",
            first: &["go", "name=default", "option.Threads=2", "st=3"],
            second: GNU_GO,
            rest: &against("BoardSize=9"),
            above: 0.96,
        },
        Meeting {
            name: "two threads against one on 9x9, 0.5 s a move",
            first: &["go", "name=two", "option.Threads=2"],
            second: OURS,
            rest: &["--each", "st=0.5", "--random-plies", "4", "--rules", "BoardSize=9", "Komi=6.5"],
            above: 0.5,
        },
        Meeting {
            name: "default against plain UCT on 9x9, 1 s a move",
            first: OURS,
            second: UCT,
            rest: &["--each", "st=1", "--random-plies", "4", "--rules", "BoardSize=9", "Komi=6.5"],
            above: 0.85,
        },
    ],
    speed: pace::SPEED,
};
