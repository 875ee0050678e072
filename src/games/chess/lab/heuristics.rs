//! What the heuristics of the thesis' program save, alone and together: section 6.5 and its figure.

use anyhow::Result;
use chess::Chess;

use crate::lab::claim::Claim;
use crate::lab::experiment::{Cell, Experiment, Scale};
use crate::lab::page::Page;
use crate::lab::results::Results;
use crate::lab::techniques::{Extent, Setting, Settings};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "chess-heuristics",
    about: "what each heuristic saves in chess, alone and together with the others",
    source: "Kushnir, 6.5, figure 1",
    time: "10 min",
    cells,
    page,
};

const PRESET: (&str, &str) = ("Preset", "Queem");
const ALGORITHM: (&str, &str) = ("Algorithm", "alpha-beta");

static SETTINGS: Settings = Settings {
    all: &[
        Setting {
            name: PLAIN,
            options: &[
                PRESET,
                ALGORITHM,
                ("Switch Off", "deepening table_cutoffs table_ordering heuristic_ordering null_move"),
            ],
        },
        Setting {
            name: SORTED,
            options: &[PRESET, ALGORITHM, ("Switch Off", "deepening table_cutoffs table_ordering null_move")],
        },
        Setting {
            name: "alpha-beta, null move",
            options: &[
                PRESET,
                ALGORITHM,
                ("Switch Off", "deepening table_cutoffs table_ordering heuristic_ordering"),
            ],
        },
        Setting {
            name: "alpha-beta, deepening and table",
            options: &[PRESET, ALGORITHM, ("Switch Off", "heuristic_ordering null_move")],
        },
        Setting {
            name: "PVS, sorted moves",
            options: &[
                PRESET,
                ("Algorithm", "PVS"),
                ("Switch Off", "deepening table_cutoffs table_ordering null_move"),
            ],
        },
        Setting {
            name: "alpha-beta, sorted moves, deepening and table",
            options: &[PRESET, ALGORITHM, ("Switch Off", "null_move")],
        },
        Setting {
            name: "PVS, sorted moves, deepening and table",
            options: &[PRESET, ("Algorithm", "PVS"), ("Switch Off", "null_move")],
        },
        Setting { name: UNSORTED, options: &[PRESET, ("Switch Off", "heuristic_ordering")] },
        Setting { name: "the program without null move", options: &[PRESET, ("Switch Off", "null_move")] },
        Setting { name: "the program without quiescence", options: &[PRESET, ("Switch Off", "quiescence")] },
        Setting { name: PROGRAM, options: &[PRESET] },
    ],
    plies: (6, 30),
};

const PLAIN: &str = "alpha-beta";
const SORTED: &str = "alpha-beta, sorted moves";
const UNSORTED: &str = "the program with unsorted moves";
const PROGRAM: &str = "the program";

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let extent = Extent {
        depths: 1..=scale.pick([2, 3, 4, 5]),
        counted: scale.pick([2, 30, 60, 300]),
        timed: scale.pick([0, 5, 20, 100]),
    };
    Ok(SETTINGS.cells::<Chess>(scale, &extent))
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "Mean nodes and times over positions after 6 to 35 random moves, each searched by Queem's program to a fixed \
         depth with an empty table. Of its experiment the thesis prints neither the numbers of moves nor the depths nor \
         a figure that can be read, only what follows from it.",
    );
    SETTINGS.tell(results, page);
    page.claim(Claim::above(
        "Plain alpha-beta loses substantially to the program: it visits more than twice the nodes",
        SETTINGS.ratio(results, PLAIN, PROGRAM),
        2.0,
    ));
    page.claim(Claim::above(
        "The advantage of sorted moves is visible in alpha-beta",
        SETTINGS.ratio(results, PLAIN, SORTED),
        1.0,
    ));
    page.claim(Claim::above(
        "It is visible in the program, too",
        SETTINGS.ratio(results, UNSORTED, PROGRAM),
        1.0,
    ));
}
