//! The algorithms of chapters 3 and 4 of the thesis on the same positions: what each costs to the same depth.

use anyhow::Result;
use draughts::Draughts;

use crate::lab::claim::Claim;
use crate::lab::experiment::{Cell, Experiment, Scale};
use crate::lab::page::Page;
use crate::lab::results::Results;
use crate::lab::techniques::{Extent, Setting, Settings};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "draughts-mtd",
    about: "the algorithms of the textbook in draughts, the MTD family among them: nodes and time",
    source: "Beling 2006, chapters 3 and 4",
    time: "10 min",
    cells,
    page,
};

const PRESET: (&str, &str) = ("Preset", "Little Polish");
const fn algorithm(word: &'static str) -> (&'static str, &'static str) {
    ("Algorithm", word)
}

static SETTINGS: Settings = Settings {
    all: &[
        Setting { name: PVS, options: &[PRESET, algorithm("PVS")] },
        Setting { name: "alpha-beta, fail-hard", options: &[PRESET, algorithm("alpha-beta")] },
        Setting { name: "alpha-beta, fail-soft", options: &[PRESET, algorithm("fail-soft")] },
        Setting { name: "one bound", options: &[PRESET, algorithm("one-bound")] },
        Setting { name: "aspiration", options: &[PRESET, algorithm("aspiration")] },
        Setting { name: MTD_F, options: &[PRESET, algorithm("MTD(f)")] },
        Setting { name: SSS, options: &[PRESET, algorithm("SSS*")] },
        Setting { name: DUAL, options: &[PRESET, algorithm("DUAL*")] },
        Setting { name: "MTD-step", options: &[PRESET, algorithm("MTD-step")] },
        Setting { name: "MTD-bi (C*)", options: &[PRESET, algorithm("MTD-bi")] },
        Setting { name: STOPPED, options: &[PRESET, algorithm("MTD(f)"), ("Switch On", "best_move_stop")] },
        Setting { name: ETC, options: &[PRESET, algorithm("PVS"), ("Switch On", "enhanced_cutoffs")] },
        Setting {
            name: "MTD(f), enhanced cutoffs",
            options: &[PRESET, algorithm("MTD(f)"), ("Switch On", "enhanced_cutoffs")],
        },
    ],
    plies: (6, 35),
};

const PVS: &str = "PVS";
const MTD_F: &str = "MTD(f)";
const SSS: &str = "SSS*";
const DUAL: &str = "DUAL*";
const STOPPED: &str = "MTD(f), best move alone";
const ETC: &str = "PVS, enhanced cutoffs";

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let extent = Extent {
        depths: 3..=scale.pick([4, 8, 11, 13]),
        counted: scale.pick([2, 35, 140, 700]),
        timed: scale.pick([0, 10, 35, 140]),
    };
    Ok(SETTINGS.cells::<Draughts>(scale, &extent))
}

fn page(results: &Results, page: &mut Page) {
    page.say(
        "Mean nodes and times over positions after 6 to 40 random moves, with the table, the deepening and the \
         evaluation of the thesis' program and an empty table for each search. The thesis tells of these algorithms \
         without figures of its own.",
    );
    SETTINGS.tell(results, page);
    page.claim(Claim::below(
        "MTD(f) visits fewer nodes than PVS with a table",
        SETTINGS.ratio(results, MTD_F, PVS),
        1.0,
    ));
    page.claim(Claim::below(
        "It is faster, on average by a few percent",
        SETTINGS.time_ratio(results, MTD_F, PVS),
        1.0,
    ));
    page.claim(Claim::below(
        "DUAL* generally visits fewer nodes than SSS*",
        SETTINGS.ratio(results, DUAL, SSS),
        1.0,
    ));
    page.claim(Claim::below(
        "Who wants the best move alone may stop earlier",
        SETTINGS.ratio(results, STOPPED, MTD_F),
        1.0,
    ));
    page.claim(Claim::below(
        "Enhanced transposition cutoffs save nodes",
        SETTINGS.ratio(results, ETC, PVS),
        1.0,
    ));
}
