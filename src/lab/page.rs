//! The page of an experiment: our figures beside the published ones, what follows from them, and pictures.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::claim::{self, Claim};
use super::experiment::{Experiment, Size};
use super::results::Results;
use crate::learn::chart::{self, Curve, Upright};
use crate::place;

/// The heading above what follows from the figures; the line after it says it in one sentence.
const VERDICT: &str = "## Verdict";
const EXTENSION: &str = "md";

/// A page in the making.
#[derive(Default)]
pub struct Page {
    body: String,
    claims: Vec<Claim>,
    charts: Vec<Chart>,
}

struct Chart {
    title: String,
    axes: [&'static str; 2],
    upright: Upright,
    curves: Vec<Curve>,
}

/// The cells of a row of a table.
pub type Cells = Vec<String>;

impl Page {
    /// Adds a paragraph.
    pub fn say(&mut self, text: &str) {
        self.body += &format!("\n{text}\n");
    }

    /// Adds a table; the first column holds words, the others numbers.
    pub fn table(&mut self, heads: &[&str], rows: Vec<Cells>) {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let heads: Cells = heads.iter().map(|&head| head.to_owned()).collect();
        let rule = format!("|---{}|\n", "|--:".repeat(heads.len().saturating_sub(1)));
        self.body += &format!("\n{}{rule}", line(&heads));
        rows.iter().for_each(|row| self.body += &line(row));
    }

    /// Adds a statement of the source, judged.
    pub fn claim(&mut self, claim: Claim) {
        self.claims.push(claim);
    }

    /// Adds a picture, unless nothing of it was measured.
    pub fn chart(&mut self, title: &str, axes: [&'static str; 2], upright: Upright, curves: Vec<Curve>) {
        let curves: Vec<Curve> = curves.into_iter().filter(|curve| !curve.points.is_empty()).collect();
        if !curves.is_empty() {
            self.charts.push(Chart { title: title.to_owned(), axes, upright, curves });
        }
    }

    /// Writes the page and its pictures into a folder; the page's place and text.
    pub fn write(
        &self,
        folder: &Path,
        experiment: &Experiment,
        results: &Results,
    ) -> Result<(PathBuf, String)> {
        let mut pictures = String::new();
        for (chart, number) in self.charts.iter().zip(1..) {
            let file = match number {
                1 => format!("{}.svg", experiment.name),
                _ => format!("{}-{number}.svg", experiment.name),
            };
            let Chart { title, axes, upright, curves } = chart;
            chart::draw(&folder.join(&file), title, *axes, *upright, curves)?;
            pictures += &format!("\n![{title}]({file})\n");
        }
        let path = file(folder, experiment.name);
        let text = self.text(experiment, results, &pictures);
        place::write(&path, &text)?;
        Ok((path, text))
    }

    fn text(&self, experiment: &Experiment, results: &Results, pictures: &str) -> String {
        let Experiment { name, about, source, .. } = experiment;
        let (body, summary, origin) = (&self.body, claim::summary(&self.claims), origin(results));
        let mut text =
            format!("# {name}\n{}. Source: {source}.\n{body}\n{VERDICT}\n{summary}\n", capital(about));
        if self.claims.len() > 1 {
            let sentences: Vec<String> =
                self.claims.iter().map(|claim| format!("- {}", claim.sentence())).collect();
            text += &format!("\n{}\n", sentences.join("\n"));
        }
        text + &format!("{pictures}\n## How\n{origin}\n")
    }
}

/// Where a figure is missing.
pub fn or_dash<T: ToString>(figure: Option<T>) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| figure.to_string())
}

/// The page of an experiment in a folder.
fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).with_added_extension(EXTENSION)
}

/// The one sentence of a page that was written before; none if there is no page.
pub fn verdict_of(folder: &Path, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file(folder, name)).ok()?;
    let (_, rest) = text.split_once(&format!("{VERDICT}\n"))?;
    rest.lines().next().map(str::to_owned)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Command, seed, version and machine.
fn origin(results: &Results) -> String {
    let heads = results.heads();
    let first = &heads[0];
    let size = match first.size {
        Size::Usual => String::new(),
        size => format!(" --{}", format!("{size:?}").to_lowercase()),
    };
    let mut machines: Vec<&str> = heads.iter().map(|head| head.machine.as_str()).collect();
    machines.dedup();
    let complete = match (results.taken(), first.samples) {
        (taken, samples) if taken < samples => format!(", {taken} of {samples} samples so far"),
        (_, samples) => format!(", {samples} samples"),
    };
    format!(
        "`quintet lab run {}{size} --seed {}`, version {}, begun on {}{complete}; on {}.",
        first.experiment,
        first.seed,
        first.version,
        first.date,
        machines.join("; ")
    )
}
