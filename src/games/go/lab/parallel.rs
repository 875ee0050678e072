//! Chapter 5: how two threads share the work, each way against plain UCT on one.

use anyhow::Result;

use super::contest::{Contest, Equal, Method, cell_name};
use crate::lab::claim::Claim;
use crate::lab::estimate::Estimate;
use crate::lab::experiment::{Cell, Experiment, Scale};
use crate::lab::page::Page;
use crate::lab::results::Results;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "go-parallel",
    about: "leaf, root and tree parallelisation and their locks, two threads against one in Go",
    source: "Śliwa 2013, chapter 5",
    time: "40 min",
    cells,
    page,
};

/// Two threads with these options.
const fn two(name: &'static str, options: &'static [&'static str]) -> Method {
    Method { name, options, is_praised: true }
}

const CONTEST: Contest = Contest {
    methods: &[
        two(LEAF, &["option.Threads=2", "option.Parallel=leaf"]),
        two(
            "leaf, given up when lost",
            &["option.Threads=2", "option.Parallel=leaf", "option.Leaf Abort=true"],
        ),
        two(ROOT, &["option.Threads=2", "option.Parallel=root"]),
        two(GLOBAL, &["option.Threads=2", "option.Parallel=global-lock"]),
        two(LOCAL, &["option.Threads=2", "option.Parallel=local-locks"]),
        two(TREE, &["option.Threads=2", "option.Parallel=tree"]),
        two(UNMARKED, &["option.Threads=2", "option.Parallel=tree", "option.Virtual Loss=0"]),
    ],
    is_threaded: true,
};
const LEAF: &str = "leaf";
const ROOT: &str = "root";
const GLOBAL: &str = "tree, global lock";
const LOCAL: &str = "tree, local locks";
const TREE: &str = "tree without locks";
const UNMARKED: &str = "tree without locks or visit markers";

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    Ok(CONTEST.cells(scale))
}

fn page(results: &Results, page: &mut Page) {
    CONTEST.tell(results, page);
    page.say(
        "Playouts are those of both threads together, so with equal playouts a way to share them can only lose \
         strength. The thesis says that it tried these ways, and prints no comparison.",
    );
    let lead = |one, other| results.lead(&cell_name(one, Equal::Time), &cell_name(other, Equal::Time));
    for other in [LEAF, GLOBAL, LOCAL] {
        let what = format!("Root parallelisation is the most effective way: more than {other}, equal time");
        page.claim(Claim::above(what, lead(ROOT, other), 0.0));
    }
    page.claim(Claim::above("Markers of visits help, equal time", lead(TREE, UNMARKED), 0.0));
    let speed = |name| CONTEST.speed(results, name);
    let waits = speed(LEAF).zip(speed(ROOT)).map(|(leaf, root)| Estimate::exact(leaf / root));
    page.claim(Claim::below(
        "Leaf parallelisation waits for the slowest: its playouts, in parts of root's",
        waits,
        1.0,
    ));
    let blocked = speed(GLOBAL).zip(speed(LOCAL)).map(|(global, local)| Estimate::exact(global / local));
    page.claim(Claim::below("A global lock costs playouts, in parts of those with local ones", blocked, 1.0));
}
