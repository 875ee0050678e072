//! Methods against plain UCT on 9x9: once with equal playouts, and, where there is a clock, with equal time.

use anyhow::Result;

use super::UCT;
use crate::lab::claim::Claim;
use crate::lab::experiment::{Cell, Figures, Scale, figures};
use crate::lab::games;
use crate::lab::page::{Page, or_dash};
use crate::lab::results::Results;
use crate::matches::csv;
use crate::matches::log::{Entry, Head};

/// UCT with something more.
pub(super) struct Method {
    /// As the page calls it.
    pub(super) name: &'static str,
    /// Its options in the words of a match, after those of plain UCT.
    pub(super) options: &'static [&'static str],
    /// Whether the thesis holds it to be better than plain UCT.
    pub(super) is_praised: bool,
}

/// Methods to be compared.
pub(super) struct Contest {
    /// Each by its name.
    pub(super) methods: &'static [Method],
    /// Whether they have threads, so that no game of theirs can be repeated.
    pub(super) is_threaded: bool,
}

/// What both sides may spend on a move.
#[derive(Clone, Copy)]
pub(super) enum Equal {
    Playouts,
    Time,
}

const PLAYOUTS: [u64; 4] = [10, 200, 1_000, 10_000];
/// Seconds a move.
const SECONDS: [f64; 4] = [0.01, 0.02, 0.05, 1.0];

impl Equal {
    fn words(self) -> &'static str {
        match self {
            Equal::Playouts => "equal playouts",
            Equal::Time => "equal time",
        }
    }
}

/// The cell of a method.
pub(super) fn cell_name(method: &str, equal: Equal) -> String {
    format!("{method}, {}", equal.words())
}

const SPEED: [&str; 2] = ["playouts", "seconds"];

impl Contest {
    /// Two cells for each method.
    pub(super) fn cells(&self, scale: &Scale) -> Vec<Cell> {
        let of = |method: &'static Method| {
            let limit = format!("nodes={}", scale.pick(PLAYOUTS));
            let counted = cell(method, Equal::Playouts, limit, scale.pick([1, 1, 50, 200]), scale);
            let limit = format!("st={}", scale.pick(SECONDS));
            let timed = cell(method, Equal::Time, limit, scale.pick([0, 1, 25, 200]), scale).timed();
            [if self.is_threaded { counted.timed() } else { counted }, timed]
        };
        self.methods.iter().flat_map(of).collect()
    }

    /// A row for each method, and what follows for those that the thesis praises.
    pub(super) fn tell(&self, results: &Results, page: &mut Page) {
        let size = results.heads()[0].size;
        let scale = Scale { size, seed: 0 };
        page.say(&format!(
            "Scores in percent against UCT with uniform playouts and the published exploration, on 9x9 with komi 6.5, \
             from pairs of games with colours swapped after four random moves: with {} playouts a move for both, and \
             with {} s.",
            scale.pick(PLAYOUTS),
            scale.pick(SECONDS)
        ));
        let percent = |name: &str, equal| {
            or_dash(results.score(&cell_name(name, equal)).map(|score| score.times(100.0)))
        };
        let rows = self.methods.iter().map(|Method { name, .. }| {
            let speed = self.speed(results, name).map(|speed| (speed / 100.0).round() * 100.0);
            let [playouts, time] = [Equal::Playouts, Equal::Time].map(|equal| percent(name, equal));
            vec![(*name).to_owned(), playouts, time, or_dash(speed)]
        });
        page.table(&["method", "equal playouts", "equal time", "playouts a second"], rows.collect());
        for Method { name, .. } in self.methods.iter().filter(|method| method.is_praised) {
            for equal in [Equal::Playouts, Equal::Time] {
                let what = format!("UCT with {name} beats plain UCT, {}", equal.words());
                page.claim(Claim::above(what, results.score(&cell_name(name, equal)), 0.5));
            }
        }
    }

    /// Playouts a second where both sides have the same time.
    pub(super) fn speed(&self, results: &Results, name: &str) -> Option<f64> {
        let [playouts, seconds] = SPEED.map(|figure| results.sum(&cell_name(name, Equal::Time), figure));
        Some(playouts? / seconds?)
    }
}

fn cell(method: &'static Method, equal: Equal, limit: String, pairs: u64, scale: &Scale) -> Cell {
    let words = move |_| -> Vec<String> {
        let ours = [&["go", "--engine"], UCT, &["name=method"], method.options].concat();
        let rest = ["--each", &limit, "--random-plies", "4", "--rules", "BoardSize=9", "Komi=6.5"];
        let all = [ours.as_slice(), &["--engine"], UCT, &["name=uct"], &rest].concat();
        all.into_iter().map(str::to_owned).collect()
    };
    games::games(cell_name(method.name, equal), pairs, scale, 2, words, told)
}

/// How fast the method was.
fn told(entry: &Entry, head: &Head) -> Result<Figures> {
    let (playouts, seconds) =
        entry.side_of(&head.engines[0]).map_or((0, 0.0), |side| csv::spent(entry, side));
    Ok(figures(SPEED.into_iter().zip([playouts as f64, seconds])))
}
