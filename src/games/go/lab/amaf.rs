//! Chapters 3 and 4: rules of descent, AMAF and its relatives, knowledge in the tree, each against plain UCT.

use anyhow::Result;

use super::contest::{Contest, Equal, Method, cell_name};
use crate::lab::claim::Claim;
use crate::lab::estimate::Estimate;
use crate::lab::experiment::{Cell, Experiment, Scale};
use crate::lab::page::Page;
use crate::lab::results::Results;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "go-amaf",
    about: "AMAF, RAVE, other rules of descent and knowledge in the tree against plain UCT in Go",
    source: "Śliwa 2013, 3.4 and 4.1 to 4.3",
    time: "60 min",
    cells,
    page,
};

/// A method that the thesis praises, by its options.
const fn praised(name: &'static str, options: &'static [&'static str]) -> Method {
    Method { name, options, is_praised: true }
}

/// One of which it tells.
const fn told(name: &'static str, options: &'static [&'static str]) -> Method {
    Method { name, options, is_praised: false }
}

const CONTEST: Contest = Contest {
    methods: &[
        praised("AMAF", &["option.AMAF=all"]),
        praised("alpha-AMAF", &["option.AMAF=alpha"]),
        praised("some-first", &["option.AMAF=first"]),
        praised("cutoff", &["option.AMAF=cutoff"]),
        praised("RAVE", &["option.AMAF=rave"]),
        praised("UCT-RAVE", &["option.AMAF=uct-rave"]),
        told("the least error", &["option.AMAF=error", "option.Exploration=0"]),
        praised("UCB1-TUNED", &["option.Selection=tuned"]),
        told("OMC", &["option.Selection=omc"]),
        told("PBBM", &["option.Selection=pbbm"]),
        praised("first play urgency", &["option.First Play=110"]),
        told(LATE, &["option.Expand After=8"]),
        praised("progressive bias of MANGO", &["option.Progressive Bias=mango"]),
        praised("progressive bias of MoGo", &["option.Progressive Bias=mogo"]),
        praised("progressive widening", &["option.Progressive Widening=true", "option.Priors=100"]),
    ],
    is_threaded: false,
};
const LATE: &str = "expansion after 8 visits";

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    Ok(CONTEST.cells(scale))
}

fn page(results: &Results, page: &mut Page) {
    CONTEST.tell(results, page);
    page.say(
        "The thesis describes these methods without figures of its own. Where it leaves a number open, ours is the \
         default of its option. Widening opens moves by priors, so it has them, and their value, too.",
    );
    let score = results.score(&cell_name(LATE, Equal::Playouts));
    let small = Estimate { value: 0.5, low: 0.45, high: 0.55 };
    page.claim(Claim::equal("When leaves are expanded matters little", score, small));
}
