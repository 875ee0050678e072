//! The finished pairs of a match on disk, one a line, so that a match that was stopped can go on.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result, ensure};
use search::learn::Results;

/// A file of results that grows pair by pair.
pub struct Pairs {
    /// The pairs it held when it was opened.
    pub done: Results,
    file: Mutex<File>,
}

impl Pairs {
    /// Opens or begins the record of the match with this title; refuses that of another.
    pub fn open(path: &Path, title: &str) -> Result<Pairs> {
        let text = if path.exists() { fs::read_to_string(path)? } else { String::new() };
        let done = read(&text, title).with_context(|| path.display().to_string())?;
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        if text.is_empty() {
            writeln!(file, "{title}")?;
        } else if !text.ends_with('\n') {
            // The line that a crash cut short must not swallow the next one.
            writeln!(file)?;
        }
        Ok(Pairs { done, file: Mutex::new(file) })
    }

    /// Adds a finished pair. A disk that is full costs the record, not the match.
    pub fn note(&self, pair: usize, results: [i32; 2]) {
        let mut file = self.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let line = format!("{pair} {} {}\n", results[0], results[1]);
        if let Err(error) = file.write_all(line.as_bytes()) {
            // Nor does it matter whether anybody hears of it.
            let _ = writeln!(io::stderr(), "the match record: {error}");
        }
    }
}

/// The pairs of a record; a line that was cut short is played again.
fn read(text: &str, title: &str) -> Result<Results> {
    let first = text.lines().next().unwrap_or(title);
    ensure!(first == title, "holds another match: '{first}' instead of '{title}'");
    Ok(text.split_inclusive('\n').skip(1).filter(|line| line.ends_with('\n')).filter_map(pair).collect())
}

fn pair(line: &str) -> Option<(usize, [i32; 2])> {
    let mut words = line.split_whitespace();
    let pair = words.next()?.parse().ok()?;
    let mut result = || words.next()?.parse().ok().filter(|result| (-1..=1).contains(result));
    Some((pair, [result()?, result()?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_whole_lines_of_its_own_match() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.games");
        let record = Pairs::open(&path, "# a against b").unwrap();
        record.note(0, [1, -1]);
        record.note(2, [0, 1]);
        drop(record);
        fs::write(&path, fs::read_to_string(&path).unwrap() + "5 1").unwrap();
        let record = Pairs::open(&path, "# a against b").unwrap();
        assert_eq!(record.done, Results::from([(0, [1, -1]), (2, [0, 1])]));
        record.note(5, [1, 1]);
        drop(record);
        assert_eq!(Pairs::open(&path, "# a against b").unwrap().done.len(), 3);
        let why = format!("{:#}", Pairs::open(&path, "# a against c").err().unwrap());
        assert!(why.contains("match.games") && why.contains("holds another match"), "{why}");
    }
}
