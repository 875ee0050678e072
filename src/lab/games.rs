//! Samples that are games: a sample is a pair of games from one opening with colours swapped, played by the runner of
//! `quintet match` between engines that run as processes of their own.

use std::sync::Arc;

use anyhow::{Context, Result};

use super::experiment::{Cell, Figures, Scale, figures};
use crate::games::Row;
use crate::matches::args::Flags;
use crate::matches::interrupt::Interrupt;
use crate::matches::log::Entry;
use crate::matches::plan::Plan;
use crate::matches::runner;
use crate::matches::statistics::Tally;
use crate::record::GameResult;

/// Two engines that meet, in the words of `quintet match`.
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

impl Meeting {
    /// The cell of so many pairs of games; fails if one of the engines is not there or does not take its options, even
    /// if no game is to be played.
    pub fn cell(&self, row: &Row, pairs: u64, scale: &Scale) -> Result<Cell> {
        let (games, seed) = ((2 * pairs.max(1)).to_string(), scale.seed.to_string());
        let words = [
            &[row.name, "--engine"],
            self.first,
            &["--engine"],
            self.second,
            self.rest,
            &["--games", &games, "--seed", &seed],
        ];
        let words: Vec<String> = words.concat().into_iter().map(str::to_owned).collect();
        let plan = Plan::new(&Flags::read(&words)?).with_context(|| self.title(row))?;
        runner::check_engines(&plan, &Interrupt::default()).with_context(|| self.title(row))?;
        let is_timed = plan.engines.iter().any(|engine| {
            let control = &engine.control;
            control.base.is_some() || control.move_time.is_some() || !control.is_limited()
        });
        let plan = Arc::new(plan);
        let cell = Cell::new(self.title(row), pairs, move |pair| play(&plan, pair));
        Ok(if is_timed { cell.timed() } else { cell })
    }

    /// The name of its cell.
    pub fn title(&self, row: &Row) -> String {
        format!("{}: {}", row.title, self.name)
    }
}

/// Plays one pair of a plan.
fn play(plan: &Plan, pair: u64) -> Result<Figures> {
    let mut tally = Tally::default();
    let (mut plies, mut faults) = (0, 0);
    let slots = plan.schedule.slots().filter(|slot| slot.pair as u64 == pair);
    runner::run(plan, slots, &Interrupt::default(), |entry| {
        tally.add(half_points(&entry, &plan.head.engines[0]));
        plies += entry.moves.len();
        faults += usize::from(entry.is_fault());
        Ok(())
    })?;
    let [won, drawn, lost] = [tally.wins, tally.draws, tally.losses].map(|games| games as f64);
    let counts = [("plies", plies as f64), ("faults", faults as f64)];
    Ok(figures([("won", won), ("drawn", drawn), ("lost", lost)].into_iter().chain(counts)))
}

/// What a game brought the engine named.
fn half_points(entry: &Entry, name: &str) -> usize {
    match entry.outcome() {
        GameResult::Won(side) if entry.side_of(name) == Some(side) => 2,
        GameResult::Won(_) => 0,
        _ => 1,
    }
}
