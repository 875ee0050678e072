//! What is kept of an experiment: one line of JSON for the run and one for each sample, only ever appended, so that an
//! interrupted run goes on where it stopped and the parts of a run can be put together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::experiment::{Figures, Size};
use crate::place::open_alone;

/// How every file begins.
const BEGINNING: &[u8] = b"{\"run\":";
const EXTENSION: &str = "jsonl";

/// What all samples of a run have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The experiment.
    pub experiment: String,
    /// The version of this program.
    pub version: String,
    /// Of everything random.
    pub seed: u64,
    /// How much is measured.
    pub size: Size,
    /// Samples of the whole run, all parts together.
    pub samples: u64,
    /// The day it began.
    pub date: String,
    /// The machine it began on.
    pub machine: String,
}

impl Head {
    /// What keeps the samples of two runs apart, in words.
    pub fn difference(&self, other: &Head) -> Option<String> {
        let sizes = [self.size, other.size].map(|size| format!("{size:?}").to_lowercase());
        let seeds = [self.seed, other.seed].map(|seed| seed.to_string());
        let samples = [self.samples, other.samples].map(|samples| samples.to_string());
        let pairs = [
            ("experiment", [&self.experiment, &other.experiment]),
            ("version", [&self.version, &other.version]),
            ("seed", [&seeds[0], &seeds[1]]),
            ("size", [&sizes[0], &sizes[1]]),
            ("number of samples", [&samples[0], &samples[1]]),
        ];
        let (name, [mine, theirs]) = pairs.into_iter().find(|(_, [a, b])| a != b)?;
        Some(format!("its {name} is {mine}, not {theirs}"))
    }
}

/// One sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The cell it belongs to.
    pub cell: String,
    /// Its number there, from 0.
    pub number: u64,
    /// What was measured.
    pub figures: Figures,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Run(Head),
    Sample(Sample),
}

/// A file that samples are appended to.
#[derive(Debug)]
pub struct Records {
    file: File,
}

impl Records {
    /// Goes on with the file of this run and returns what it holds; begins it if there is none. A file of another run
    /// is not touched.
    pub fn open(path: &Path, head: &Head) -> Result<(Records, Vec<Sample>)> {
        let mut file = open_alone(path)?;
        let found = fs::read(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        if !found.contains(&b'\n') {
            // Nothing, or a head torn by a kill.
            let is_ours = BEGINNING.starts_with(&found) || found.starts_with(BEGINNING);
            ensure!(is_ours, "'{}' holds no samples", path.display());
            file.set_len(0)?;
            let mut records = Records { file };
            records.write(&Line::Run(head.clone()))?;
            return Ok((records, Vec::new()));
        }
        let (old, samples, whole) = read(path, found)?;
        if let Some(difference) = old.difference(head) {
            bail!(
                "'{}' was measured otherwise: {difference}; finish it so, or name another folder with --out",
                path.display()
            );
        }
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Records { file }, samples))
    }

    /// Appends a sample.
    pub fn append(&mut self, sample: &Sample) -> Result<()> {
        self.write(&Line::Sample(sample.clone()))
    }

    fn write(&mut self, line: &Line) -> Result<()> {
        let text = serde_json::to_string(line)? + "\n";
        self.file.write_all(text.as_bytes()).context("cannot write the samples")
    }
}

/// The file of a part of a run.
pub fn file(folder: &Path, experiment: &str, (part, parts): (u64, u64)) -> PathBuf {
    let name = match parts {
        1 => experiment.to_owned(),
        _ => format!("{experiment}.{part}-of-{parts}"),
    };
    folder.join(name).with_added_extension(EXTENSION)
}

/// The parts of a run put together: their heads, and each sample once. None if there is none of this experiment.
pub fn gather(folder: &Path, experiment: &str) -> Result<Option<(Vec<Head>, Vec<Sample>)>> {
    let failed = || format!("cannot read '{}'", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(failed)? {
        let name = entry.with_context(failed)?.file_name().to_string_lossy().into_owned();
        let is_part = name.split('.').next() == Some(experiment) && name.ends_with(&format!(".{EXTENSION}"));
        paths.extend(is_part.then(|| folder.join(name)));
    }
    paths.sort();
    let mut heads: Vec<Head> = Vec::new();
    let mut samples = BTreeMap::new();
    for path in paths {
        let bytes = fs::read(&path).with_context(|| format!("cannot read '{}'", path.display()))?;
        let (head, found, _) = read(&path, bytes)?;
        if let Some(difference) = heads.first().and_then(|first| head.difference(first)) {
            bail!("'{}' is no part of the same run: {difference}", path.display());
        }
        heads.push(head);
        samples.extend(found.into_iter().map(|sample| ((sample.number, sample.cell.clone()), sample)));
    }
    Ok((!heads.is_empty()).then(|| (heads, samples.into_values().collect())))
}

/// Head, samples, and the number of bytes that are whole lines; a last line torn by a kill is left out.
fn read(path: &Path, mut bytes: Vec<u8>) -> Result<(Head, Vec<Sample>, u64)> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    bytes.truncate(whole);
    let text = String::from_utf8(bytes).with_context(|| format!("cannot read '{}'", path.display()))?;
    let (mut head, mut samples, mut seen) = (None, Vec::new(), BTreeSet::new());
    for (line, number) in text.lines().zip(1..) {
        let place = || format!("'{}' line {number}", path.display());
        match serde_json::from_str(line).with_context(place)? {
            Line::Run(found) if head.is_none() => head = Some(found),
            Line::Sample(sample) if head.is_some() => {
                if seen.insert((sample.cell.clone(), sample.number)) {
                    samples.push(sample);
                }
            }
            _ => bail!("{}: a run begins with its head and has one", place()),
        }
    }
    let head = head.with_context(|| format!("'{}' holds no samples", path.display()))?;
    Ok((head, samples, whole as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::experiment::figures;

    fn head() -> Head {
        Head {
            experiment: "trial".to_owned(),
            version: "1.0".to_owned(),
            seed: 1,
            size: Size::Quick,
            samples: 4,
            date: "2026.01.31".to_owned(),
            machine: "a machine".to_owned(),
        }
    }

    fn sample(number: u64) -> Sample {
        Sample { cell: "a".to_owned(), number, figures: figures([("x", 0.1 + number as f64)]) }
    }

    #[test]
    fn a_run_goes_on_after_its_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "trial", (1, 1));
        let (mut records, old) = Records::open(&path, &head()).unwrap();
        assert!(old.is_empty());
        records.append(&sample(0)).unwrap();
        records.append(&sample(1)).unwrap();
        drop(records);
        let whole = fs::read(&path).unwrap();
        for cut in 1..20 {
            fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let elsewhere = Head { machine: "another".to_owned(), date: String::new(), ..head() };
            let (mut records, old) = Records::open(&path, &elsewhere).unwrap();
            assert_eq!(old, [sample(0)]);
            records.append(&sample(1)).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn another_run_is_refused_by_name_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "trial", (1, 1));
        Records::open(&path, &head()).unwrap();
        let before = fs::read(&path).unwrap();
        let why = |head: &Head| Records::open(&path, head).unwrap_err().to_string();
        assert!(why(&Head { version: "1.1".to_owned(), ..head() }).contains("its version is 1.0, not 1.1"));
        assert!(why(&Head { seed: 2, ..head() }).contains("its seed is 1, not 2"));
        assert!(why(&Head { size: Size::Full, ..head() }).contains("its size is quick, not full"));
        assert_eq!(fs::read(&path).unwrap(), before);
        for foreign in ["letter", "a\nletter\n"] {
            fs::write(&path, foreign).unwrap();
            assert!(Records::open(&path, &head()).is_err());
            assert_eq!(fs::read_to_string(&path).unwrap(), foreign);
        }
    }

    #[test]
    fn parts_are_put_together_and_count_once() {
        let folder = tempfile::tempdir().unwrap();
        for (part, numbers) in [(1, [0, 2]), (2, [1, 2])] {
            let path = file(folder.path(), "trial", (part, 2));
            let (mut records, _) = Records::open(&path, &head()).unwrap();
            numbers.into_iter().for_each(|number| records.append(&sample(number)).unwrap());
        }
        fs::write(folder.path().join("trial-two.jsonl"), "another experiment").unwrap();
        let (heads, samples) = gather(folder.path(), "trial").unwrap().unwrap();
        assert_eq!((heads.len(), samples), (2, vec![sample(0), sample(1), sample(2)]));
        assert!(gather(folder.path(), "none").unwrap().is_none());
        Records::open(&file(folder.path(), "trial", (1, 3)), &Head { seed: 9, ..head() }).unwrap();
        assert!(gather(folder.path(), "trial").unwrap_err().to_string().contains("its seed is"));
    }
}
