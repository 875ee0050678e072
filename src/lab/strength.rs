//! How strong our engines are against other people's and against themselves with something less.

use anyhow::Result;

use super::claim::Claim;
use super::experiment::{Cell, Experiment, Scale, Size};
use super::games::{HURRY, Meeting};
use super::page::{Page, or_dash};
use super::results::Results;
use crate::games::{GAMES, Row};

/// Every match whose result we state.
pub const EXPERIMENT: Experiment = Experiment {
    name: "strength",
    about: "our engines against peers at tournament limits",
    source: "our own targets",
    time: "20 h",
    cells,
    page,
};

fn all() -> impl Iterator<Item = (&'static Row, &'static Meeting)> {
    GAMES.iter().flat_map(|row| row.lab.matches.iter().map(move |meeting| (row, meeting)))
}

fn cells(scale: &Scale) -> Result<Vec<Cell>> {
    let pairs = scale.pick([0, 1, 25, 100]);
    let of = |(row, meeting): (&Row, &Meeting)| {
        // Who minds no clock cannot be hurried.
        let pairs = if scale.size <= Size::Quick && meeting.second.contains(&"tc=inf") { 0 } else { pairs };
        meeting.cell(row, pairs, scale).optional()
    };
    Ok(all().map(of).collect())
}

fn page(results: &Results, page: &mut Page) {
    page.say(&terms(results));
    table(results, page, all());
}

/// What a page says of how its games were played.
pub fn terms(results: &Results) -> String {
    let times = match results.heads()[0].size {
        Size::Tiny | Size::Quick => {
            format!("Times are {HURRY} times shorter than the rows say, and who minds no clock is left out")
        }
        _ => "Times a move or a game are those of the row".to_owned(),
    };
    format!(
        "Games in pairs from one opening with colours swapped, one game at a time. {times}; what is above the target \
         with 95 % confidence is met."
    )
}

/// Adds the results of matches, each with the score it should reach.
pub fn table(
    results: &Results,
    page: &mut Page,
    meetings: impl Iterator<Item = (&'static Row, &'static Meeting)>,
) {
    let mut rows = Vec::new();
    for (row, meeting) in meetings {
        let title = meeting.title(row);
        let tally = results.tally(&title);
        let score = results.score(&title);
        let games = score.map(|_| format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses));
        let percent = or_dash(score.map(|score| score.times(100.0)));
        let faults = or_dash(results.sum(&title, "faults"));
        rows.push(vec![title.clone(), meeting.rest.join(" "), or_dash(games), percent, faults]);
        page.claim(Claim::above(title, score.map(|score| score.times(100.0)), meeting.above * 100.0));
    }
    page.table(&["match", "limits", "result", "score, %", "lost by a fault"], rows);
}
