//! A training on disk: written whole or not at all, read back exactly.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use neighbours::{Set, Weights};
use search::learn::Training;
use serde::{Deserialize, Serialize};

/// Points of the evaluation for the reward of a win.
pub const WIN_POINTS: f64 = 1000.0;

/// What a checkpoint file holds.
#[derive(Serialize, Deserialize)]
pub struct Checkpoint {
    /// The version of the program that wrote it.
    version: String,
    /// The set of terms, by name.
    set: String,
    /// Its terms, in the order of the weights.
    terms: Vec<String>,
    /// The training itself.
    pub training: Training,
}

impl Checkpoint {
    /// A checkpoint of a training of this set.
    pub fn new(set: Set, training: Training) -> Checkpoint {
        Checkpoint {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            set: set.name().to_owned(),
            terms: set.terms().names(),
            training,
        }
    }

    /// Reads a file; names what is wrong with it.
    pub fn read(path: &Path) -> Result<Checkpoint> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let found: Checkpoint = serde_json::from_str(&text)
            .with_context(|| format!("{} is not a checkpoint of a training", path.display()))?;
        found.check().with_context(|| path.display().to_string())?;
        Ok(found)
    }

    /// Writes the file beside its place and moves it there, so that a crash leaves the old one.
    pub fn write(&self, path: &Path) -> Result<()> {
        let beside = path.with_extension("part");
        fs::write(&beside, serde_json::to_string(self)?).with_context(|| beside.display().to_string())?;
        fs::rename(&beside, path).with_context(|| path.display().to_string())
    }

    /// The set of terms.
    pub fn set(&self) -> Set {
        named(&self.set).expect("checked when read")
    }

    /// The weights learned so far, in hundredths of a piece.
    pub fn weights(&self) -> Result<Weights> {
        let points: Vec<f32> = points(self.training.learner().weights());
        Weights::new(self.set(), &points).context("the training has not led to finite weights")
    }

    /// One line that says where the weights come from.
    pub fn origin(&self) -> String {
        let course = self.training.learner().course();
        format!(
            "{} of {} games with {:?}, discount {}, depth {}, seed {}; quintet {}",
            self.training.games(),
            self.training.scheme().games,
            course.method,
            course.discount,
            self.training.scheme().depth,
            self.training.scheme().seed,
            self.version
        )
    }

    fn check(&self) -> Result<()> {
        let Some(set) = named(&self.set) else { bail!("no set of terms is called '{}'", self.set) };
        ensure!(self.terms == set.terms().names(), "the terms are not those of {}", self.set);
        let count = self.training.learner().weights().len();
        ensure!(count == self.terms.len(), "{count} weights for {} terms", self.terms.len());
        Ok(())
    }
}

/// The set of this name.
pub fn named(name: &str) -> Option<Set> {
    Set::ALL.iter().find(|(_, known)| *known == name).map(|&(set, _)| set)
}

/// Weights in units of a win as hundredths of a piece.
pub fn points(weights: &[f64]) -> Vec<f32> {
    weights.iter().map(|w| (w * WIN_POINTS) as f32).collect()
}
