//! What the samples of a run add up to.

use std::collections::BTreeMap;

use super::estimate::Estimate;
use super::experiment::Figures;
use super::records::{Head, Sample};
use crate::matches::statistics::Tally;

/// The samples of a run by cell and number.
pub struct Results {
    heads: Vec<Head>,
    cells: BTreeMap<String, BTreeMap<u64, Figures>>,
}

impl Results {
    /// Sorts samples; there is at least one head, that of the run or of its parts.
    pub fn new(heads: Vec<Head>, samples: Vec<Sample>) -> Results {
        let mut cells: BTreeMap<String, BTreeMap<u64, Figures>> = BTreeMap::new();
        for Sample { cell, number, figures } in samples {
            cells.entry(cell).or_default().insert(number, figures);
        }
        Results { heads, cells }
    }

    /// The run, or its parts.
    pub fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// Samples taken.
    pub fn taken(&self) -> u64 {
        self.cells.values().map(|samples| samples.len() as u64).sum()
    }

    /// Samples of one cell.
    pub fn samples(&self, cell: &str) -> usize {
        self.cells.get(cell).map_or(0, BTreeMap::len)
    }

    /// The names of all cells, sorted.
    pub fn cells(&self) -> impl Iterator<Item = &str> {
        self.cells.keys().map(String::as_str)
    }

    /// The names of all figures of a cell.
    pub fn figures(&self, cell: &str) -> Vec<&str> {
        let first = self.cells.get(cell).and_then(|samples| samples.values().next());
        first.into_iter().flat_map(|figures| figures.keys().map(String::as_str)).collect()
    }

    fn column<'a>(&'a self, cell: &str, figure: &'a str) -> impl Iterator<Item = (u64, f64)> + 'a {
        let samples = self.cells.get(cell).into_iter().flatten();
        samples.filter_map(move |(&number, figures)| Some((number, *figures.get(figure)?)))
    }

    /// A figure of every sample, in their order.
    pub fn values(&self, cell: &str, figure: &str) -> Vec<f64> {
        self.column(cell, figure).map(|(_, value)| value).collect()
    }

    /// A figure summed over all samples; none if it was not measured.
    pub fn sum(&self, cell: &str, figure: &str) -> Option<f64> {
        let values = self.values(cell, figure);
        (!values.is_empty()).then(|| values.iter().sum())
    }

    /// The mean of a figure.
    pub fn mean(&self, cell: &str, figure: &str) -> Option<Estimate> {
        Estimate::mean(&self.values(cell, figure))
    }

    /// The mean of a figure over the samples whose number passes.
    pub fn mean_of(&self, cell: &str, figure: &str, passes: impl Fn(u64) -> bool) -> Option<Estimate> {
        let values: Vec<f64> =
            self.column(cell, figure).filter(|&(number, _)| passes(number)).map(|(_, value)| value).collect();
        Estimate::mean(&values)
    }

    /// How many times as large a figure of one cell is as one of another, over the samples that both have.
    pub fn ratio(&self, upper: (&str, &str), lower: (&str, &str)) -> Option<Estimate> {
        let below: BTreeMap<u64, f64> = self.column(lower.0, lower.1).collect();
        let pairs = self.column(upper.0, upper.1).filter_map(|(number, a)| Some((a, *below.get(&number)?)));
        let (above, below): (Vec<f64>, Vec<f64>) = pairs.unzip();
        Estimate::ratio(&above, &below)
    }

    /// The first player's points a game in a cell that plays some; none if no game was played.
    pub fn score(&self, cell: &str) -> Option<Estimate> {
        Estimate::score(&self.tally(cell))
    }

    /// By how much one cell's score is above another's.
    pub fn lead(&self, upper: &str, lower: &str) -> Option<Estimate> {
        Some(self.score(upper)?.minus(self.score(lower)?))
    }

    /// Games won, drawn and lost in a cell that plays some.
    pub fn tally(&self, cell: &str) -> Tally {
        let games = |figure| self.sum(cell, figure).unwrap_or(0.0) as u64;
        Tally { wins: games("won"), draws: games("drawn"), losses: games("lost") }
    }
}
