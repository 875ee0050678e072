//! Settings of an engine side by side: what each costs to a fixed depth, on the same positions after random moves.

use std::ops::RangeInclusive;
use std::time::Instant;

use anyhow::{Context, Result};
use search::walk::open_walk;
use search::{Engine, Game, Limits, Random};

use super::estimate::Estimate;
use super::experiment::{Cell, Figures, Scale, figures};
use super::page::{Page, or_dash};
use super::results::Results;
use crate::learn::chart::{Curve, Upright};

/// What is set of an engine, in this order.
pub struct Setting {
    /// As the page calls it.
    pub name: &'static str,
    /// Options and their values.
    pub options: &'static [(&'static str, &'static str)],
}

/// Settings to be compared; what the others cost is told in parts of the first one.
pub struct Settings {
    /// Each by its name.
    pub all: &'static [Setting],
    /// Random plies before a position: the fewest, and how many numbers of them.
    pub plies: (u64, u64),
}

/// How much is measured.
pub struct Extent {
    /// The depths searched to, each with an empty table.
    pub depths: RangeInclusive<u32>,
    /// Positions whose nodes are counted.
    pub counted: u64,
    /// Positions whose search to the greatest depth is timed.
    pub timed: u64,
}

/// Nodes to a depth.
fn nodes(depth: u32) -> String {
    format!("nodes {depth}")
}

fn timed(name: &str) -> String {
    format!("{name}, timed")
}

const MILLISECONDS: &str = "ms";

impl Settings {
    /// Two cells for each setting: one counts, one has a clock.
    pub fn cells<E: Engine>(&'static self, scale: &Scale, extent: &Extent) -> Vec<Cell> {
        let (scale, deepest) = (*scale, *extent.depths.end());
        let of = |setting: &'static Setting| {
            let depths = extent.depths.clone();
            let count = move |sample| -> Result<Figures> {
                let search =
                    |depth| Ok((nodes(depth), self.search::<E>(setting, depth, &scale, sample)?.0 as f64));
                depths.clone().map(search).collect()
            };
            let time = move |sample| {
                Ok(figures([(MILLISECONDS, self.search::<E>(setting, deepest, &scale, sample)?.1 * 1000.0)]))
            };
            [
                Cell::new(setting.name, extent.counted, count),
                Cell::new(timed(setting.name), extent.timed, time).timed(),
            ]
        };
        self.all.iter().flat_map(of).collect()
    }

    /// The nodes and the seconds that a setting takes for a position.
    fn search<E: Engine>(
        &self,
        setting: &Setting,
        depth: u32,
        scale: &Scale,
        sample: u64,
    ) -> Result<(u64, f64)> {
        let mut engine = E::new();
        for &(name, value) in setting.options {
            engine.set(name, value).with_context(|| setting.name)?;
        }
        engine.warm_up();
        let plies = self.plies.0 + sample % self.plies.1;
        let start = E::Game::start(&engine.rules());
        let game = open_walk(&start, plies as usize, &mut Random::new(scale.seed_of(sample)));
        let begun = Instant::now();
        engine.ask(&game, &Limits::depth(depth));
        let seconds = begun.elapsed().as_secs_f64();
        let counters = engine.counters().with_context(|| format!("{} counts nothing", setting.name))?;
        Ok((counters.nodes(), seconds))
    }

    /// The depths that were searched to.
    pub fn depths(&self, results: &Results) -> Vec<u32> {
        let first = self.all[0].name;
        (1..=30).filter(|&depth| results.sum(first, &nodes(depth)).is_some()).collect()
    }

    /// How many times as many nodes one setting visits as another, to the greatest depth.
    pub fn ratio(&self, results: &Results, upper: &str, lower: &str) -> Option<Estimate> {
        let deepest = nodes(self.depths(results).last().copied()?);
        results.ratio((upper, &deepest), (lower, &deepest))
    }

    /// How many times as long one setting takes as another.
    pub fn time_ratio(&self, results: &Results, upper: &str, lower: &str) -> Option<Estimate> {
        results.ratio((&timed(upper), MILLISECONDS), (&timed(lower), MILLISECONDS))
    }

    /// A row for each setting, and their nodes by depth as curves.
    pub fn tell(&self, results: &Results, page: &mut Page) {
        let depths = self.depths(results);
        let Some(&deepest) = depths.last() else { return };
        let first = self.all[0].name;
        let heads =
            [format!("nodes to depth {deepest}"), format!("in parts of {first}"), "milliseconds".to_owned()];
        let rows = self.all.iter().map(|setting| {
            vec![
                setting.name.to_owned(),
                or_dash(results.mean(setting.name, &nodes(deepest))),
                or_dash(self.ratio(results, setting.name, first)),
                or_dash(results.mean(&timed(setting.name), MILLISECONDS)),
            ]
        });
        let heads: Vec<&str> = std::iter::once("search").chain(heads.iter().map(String::as_str)).collect();
        page.table(&heads, rows.collect());
        let curve = |setting: &Setting| {
            let mean =
                |&depth: &u32| Some((f64::from(depth), results.mean(setting.name, &nodes(depth))?.value));
            Curve { name: setting.name.to_owned(), points: depths.iter().filter_map(mean).collect() }
        };
        let curves = self.all.iter().map(curve).collect();
        page.chart("Nodes by depth", ["depth", "nodes"], Upright::Logarithmic, curves);
    }
}
