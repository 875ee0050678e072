//! Samples that are games, played by the runner of `quintet match` between engines that run as processes of their own.

use anyhow::Result;

use super::experiment::{Cell, Figures, Scale, Size, figures};
use crate::games::Row;
use crate::matches::args::Flags;
use crate::matches::interrupt::Interrupt;
use crate::matches::log::{Entry, Head};
use crate::matches::plan::Plan;
use crate::matches::runner;
use crate::matches::statistics::Tally;
use crate::record::GameResult;

/// Two engines that meet, in the words of `quintet match`. A sample is a pair of games from one opening with colours
/// swapped.
pub struct Meeting {
    /// What it is about.
    pub name: &'static str,
    /// The words of `--engine` for the first engine.
    pub first: &'static [&'static str],
    /// For the second.
    pub second: &'static [&'static str],
    /// All other words: limits, rules, openings.
    pub rest: &'static [&'static str],
    /// What the first one's points a game should be above.
    pub above: f64,
}

/// How much shorter than stated times are with `--quick`.
pub const HURRY: f64 = 20.0;

impl Meeting {
    /// The cell of so many pairs of games. With `--quick`, times are a part of those stated.
    pub fn cell(&self, row: &Row, pairs: u64, scale: &Scale) -> Cell {
        let quick = scale.size <= Size::Quick;
        let words = [&[row.name, "--engine"], self.first, &["--engine"], self.second, self.rest].concat();
        let words: Vec<String> =
            words.into_iter().map(|word| if quick { hurried(word) } else { word.to_owned() }).collect();
        let is_timed = words.iter().any(|word| word.starts_with("st=") || word.starts_with("tc="));
        let cell = games(self.title(row), pairs, scale, 2, move |_| words.clone(), |_, _| Ok(Figures::new()));
        if is_timed { cell.timed() } else { cell }
    }

    /// The name of its cell.
    pub fn title(&self, row: &Row) -> String {
        format!("{}: {}", row.title, self.name)
    }
}

/// A word of a match with its times shortened.
fn hurried(word: &str) -> String {
    let shorter =
        |text: &str| text.parse().map_or_else(|_| text.to_owned(), |n: f64| (n / HURRY).to_string());
    match word.split_once('=') {
        Some((key @ ("st" | "tc"), times)) => {
            let times: Vec<String> = times.split('+').map(shorter).collect();
            format!("{key}={}", times.join("+"))
        }
        _ => word.to_owned(),
    }
}

/// What is told of a game besides its result.
pub type Tell = fn(&Entry, &Head) -> Result<Figures>;

/// A cell of matches of so many games each, in the words of `quintet match`, which may depend on the sample. Each
/// sample has a seed of its own. The figures are sums over its games: those won, drawn and lost by the first engine,
/// plies, faults, and what else is told.
pub fn games(
    name: String,
    samples: u64,
    scale: &Scale,
    number: u64,
    words: impl Fn(u64) -> Vec<String> + Clone + Send + Sync + 'static,
    tell: Tell,
) -> Cell {
    let scale = *scale;
    let plan = move |sample| -> Result<Plan> {
        let (games, seed) = (number.to_string(), scale.seed_of(sample).to_string());
        let more = ["--games", &games, "--seed", &seed].map(str::to_owned);
        Plan::new(&Flags::read(&[words(sample), more.into()].concat())?)
    };
    let checked = plan.clone();
    let check = move || {
        let plan = checked(0)?;
        runner::check_engines(&plan, &Interrupt::default())
    };
    Cell::new(name, samples, move |sample| play(&plan(sample)?, tell)).checked(check)
}

/// Plays all games of a plan.
fn play(plan: &Plan, tell: Tell) -> Result<Figures> {
    let mut tally = Tally::default();
    let (mut plies, mut faults, mut told) = (0, 0, Figures::new());
    runner::run(plan, plan.schedule.slots(), &Interrupt::default(), |entry| {
        tally.add(half_points(&entry, &plan.head.engines[0]));
        plies += entry.moves.len();
        faults += usize::from(entry.is_fault());
        for (name, value) in tell(&entry, &plan.head)? {
            *told.entry(name).or_default() += value;
        }
        Ok(())
    })?;
    let [won, drawn, lost] = [tally.wins, tally.draws, tally.losses].map(|games| games as f64);
    let results = [("won", won), ("drawn", drawn), ("lost", lost)];
    told.extend(figures(results.into_iter().chain([("plies", plies as f64), ("faults", faults as f64)])));
    Ok(told)
}

/// What a game brought the engine named.
fn half_points(entry: &Entry, name: &str) -> usize {
    match entry.outcome() {
        GameResult::Won(side) if entry.side_of(name) == Some(side) => 2,
        GameResult::Won(_) => 0,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shortened_and_nothing_else() {
        let words = ["st=1", "tc=5+0.05", "tc=inf", "nodes=500", "option.Move Time=5", "--each"];
        let wanted = ["st=0.05", "tc=0.25+0.0025", "tc=inf", "nodes=500", "option.Move Time=5", "--each"];
        assert_eq!(words.map(hurried), wanted);
    }
}
