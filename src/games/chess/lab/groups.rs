//! What groups of techniques and a second thread are worth in games of our chess engine against itself.

use anyhow::Result;

use super::OURS;
use crate::games::Row;
use crate::lab::experiment::{Cell, Experiment, Scale};
use crate::lab::games::Meeting;
use crate::lab::page::Page;
use crate::lab::results::Results;
use crate::lab::strength;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "chess-groups",
    about: "what groups of techniques and a second thread are worth in games of chess",
    source: "our own figures",
    time: "20 h",
    cells,
    page,
};

/// Only the result counts, so games end when both sides agree on it.
const REST: &[&str] = &[
    "--each",
    "tc=1+0.01",
    "--random-plies",
    "8",
    "--balance",
    "100",
    "--resign",
    "movecount=3",
    "score=500",
    "--draw",
    "movenumber=35",
    "movecount=6",
    "score=10",
];

/// The default against itself without some techniques.
const fn without(name: &'static str, second: &'static [&'static str]) -> Meeting {
    Meeting { name, first: OURS, second, rest: REST, above: 0.5 }
}

static GROUPS: [Meeting; 7] = [
    without("against itself without null move", &["chess", "name=less", "option.Switch Off=null_move"]),
    without(
        "against itself without table cutoffs",
        &["chess", "name=less", "option.Switch Off=table_cutoffs"],
    ),
    without(
        "against itself without late move reductions",
        &["chess", "name=less", "option.Switch Off=late_move_reductions"],
    ),
    without(
        "against itself without killers and histories",
        &[
            "chess",
            "name=less",
            "option.Switch Off=killers butterfly_history capture_history continuation_history correction_history",
        ],
    ),
    without(
        "against itself without pruning",
        &[
            "chess",
            "name=less",
            "option.Switch Off=late_move_pruning futility reverse_futility razoring exchange_pruning probcut \
             internal_reduction",
        ],
    ),
    without(
        "against itself without extensions and the rest",
        &[
            "chess",
            "name=less",
            "option.Switch Off=check_extension singular_extension quiescence_checks aspiration mate_distance \
             upcoming_repetition",
        ],
    ),
    Meeting {
        name: "two threads against one",
        first: &["chess", "name=quintet", "option.Threads=2"],
        second: &["chess", "name=one"],
        rest: REST,
        above: 0.5,
    },
];

fn all() -> impl Iterator<Item = (&'static Row, &'static Meeting)> {
    GROUPS.iter().map(|meeting| (&super::super::ROW, meeting))
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let pairs = scale.pick([0, 2, 200, 200]);
    Ok(all().map(|(row, meeting)| meeting.cell(row, pairs, scale)).collect())
}

fn page(results: &Results, page: &mut Page) {
    page.say(&strength::terms(results));
    strength::table(results, page, all());
}
