//! What an experiment declares: what varies, what is measured, and what its source says.
//!
//! An experiment is a list of cells, each measured some number of times, and a page made of what was measured. Samples
//! are independent of each other, so they may be taken in any order, on any machine, and again after an interruption.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::page::Page;
use super::results::Results;

/// One experiment.
pub struct Experiment {
    /// As users call it.
    pub name: &'static str,
    /// One line: what is found out.
    pub about: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// How long it takes with neither `--quick` nor `--full`, on two idle cores.
    pub time: &'static str,
    /// What varies; fails if something is missing that it needs.
    pub cells: fn(&Scale) -> Result<Vec<Cell>>,
    /// What was measured beside what the source says.
    pub page: fn(&Results, &mut Page),
}

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// Enough to see that it works.
    Tiny,
    /// Three minutes at most.
    Quick,
    /// Enough to see what there is to see.
    Usual,
    /// As published.
    Full,
}

/// How much is measured, and with which random numbers.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// How much.
    pub size: Size,
    /// Of everything random.
    pub seed: u64,
}

impl Scale {
    /// What fits the size, of values for tiny, quick, usual and full.
    pub fn pick<T: Copy>(&self, values: [T; 4]) -> T {
        values[self.size as usize]
    }

    /// A seed of its own for each sample.
    pub fn seed_of(&self, sample: u64) -> u64 {
        self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(sample)
    }
}

/// What one sample measured, by name.
pub type Figures = BTreeMap<String, f64>;

type Measure = Box<dyn Fn(u64) -> Result<Figures> + Send + Sync>;
type Check = Box<dyn Fn() -> Result<()> + Send + Sync>;

/// One case: the same thing measured several times.
pub struct Cell {
    /// What tells it from the others.
    pub name: String,
    /// How often it is measured.
    pub samples: u64,
    /// Whether the figures depend on how fast the machine is; such samples are taken one at a time.
    pub timed: bool,
    /// Whether the others are measured even if this one cannot be.
    pub optional: bool,
    measure: Measure,
    check: Option<Check>,
}

impl Cell {
    /// A cell whose figures are the same on every machine.
    pub fn new(
        name: impl Into<String>,
        samples: u64,
        measure: impl Fn(u64) -> Result<Figures> + Send + Sync + 'static,
    ) -> Cell {
        let measure = Box::new(measure);
        Cell { name: name.into(), samples, timed: false, optional: false, measure, check: None }
    }

    /// The same, with figures that depend on how fast the machine is.
    pub fn timed(self) -> Cell {
        Cell { timed: true, ..self }
    }

    /// The same, left out where something is missing that it needs.
    pub fn optional(self) -> Cell {
        Cell { optional: true, ..self }
    }

    /// The same, with a look at what it needs before anything is measured.
    pub fn checked(self, check: impl Fn() -> Result<()> + Send + Sync + 'static) -> Cell {
        Cell { check: Some(Box::new(check)), ..self }
    }

    /// Fails if something is missing that it needs.
    pub fn check(&self) -> Result<()> {
        self.check.as_ref().map_or(Ok(()), |check| check())
    }

    /// Takes a sample, by its number from 0.
    pub fn measure(&self, sample: u64) -> Result<Figures> {
        (self.measure)(sample)
    }
}

/// Figures from names and values.
pub fn figures<'a>(pairs: impl IntoIterator<Item = (&'a str, f64)>) -> Figures {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
