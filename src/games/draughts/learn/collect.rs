//! `play`: games of the engine against itself, added to a file that only grows.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use draughts::Patterns;

use super::games::{self, Series};
use super::record::Record;
use crate::learn::{bar, read_shard};

/// How a line can begin.
const RESULTS: [&str; 3] = ["1-0 ", "0-1 ", "1/2-1/2 "];
/// Games between two writes: what an end of the program loses at most.
const BATCH: u64 = 64;

/// Which games are wanted.
#[derive(Args)]
pub struct Arguments {
    /// The file; games already in it are not played again
    out: PathBuf,
    /// Games in all
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    /// Nodes searched per move
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The player's weights [default: the engine's own]
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Play only part I of N of the games, counted from 1
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = read_shard)]
    shard: (u64, u64),
}

/// Plays what is missing.
pub fn run(arguments: &Arguments) -> Result<()> {
    let weights = match &arguments.weights {
        None => Patterns::built_in(),
        Some(path) => read_weights(path)?,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build()?;
    let (part, parts) = arguments.shard;
    let first = (part - 1) * arguments.games / parts;
    let wanted = part * arguments.games / parts - first;
    let mut done = whole_lines(&arguments.out)?;
    let mut out = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&arguments.out)
        .with_context(|| format!("cannot write {}", arguments.out.display()))?;
    let bar = bar(wanted);
    bar.set_position(done);
    while done < wanted {
        let series = Series {
            first: first + done,
            games: BATCH.min(wanted - done),
            nodes: arguments.nodes,
            seed: arguments.seed,
        };
        let records = pool.install(|| games::play(&series, Some(&weights), || bar.inc(1)));
        let lines: String = records.iter().map(|record| record.write() + "\n").collect();
        out.write_all(lines.as_bytes())
            .with_context(|| format!("cannot write {}", arguments.out.display()))?;
        done += series.games;
    }
    bar.finish_and_clear();
    writeln!(io::stdout(), "{done} games in {}", arguments.out.display())?;
    Ok(())
}

/// Reads a file of weights.
pub fn read_weights(path: &Path) -> Result<Patterns> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Patterns::read(&bytes).with_context(|| path.display().to_string())
}

/// Counts the games of a file and cuts off a line that was not finished.
fn whole_lines(path: &Path) -> Result<u64> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        other => other.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let end = text.rfind('\n').map_or(0, |end| end + 1);
    let is_ours = match text[..end].lines().next() {
        Some(line) => Record::read(line).is_ok(),
        // Nothing, or the beginning of a first game.
        None => RESULTS.iter().any(|result| text.starts_with(result) || result.starts_with(&text)),
    };
    ensure!(is_ours, "{} holds something other than games", path.display());
    if end < text.len() {
        File::options().write(true).open(path).and_then(|file| file.set_len(end as u64))?;
    }
    Ok(text[..end].lines().count() as u64)
}

/// Reads all games of some files.
pub fn read_games(paths: &[PathBuf]) -> Result<Vec<Record>> {
    use rayon::prelude::*;
    let mut records = Vec::new();
    for path in paths {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let lines: Vec<&str> = text.lines().collect();
        let read: Result<Vec<Record>> = lines
            .par_iter()
            .enumerate()
            .map(|(i, line)| {
                Record::read(line).with_context(|| format!("{}, line {}", path.display(), i + 1))
            })
            .collect();
        records.extend(read?);
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file after the games of a part were played into it.
    fn played(out: &Path, shard: (u64, u64)) -> Result<String> {
        let out = out.to_owned();
        let arguments = Arguments { out, games: 3, nodes: 40, weights: None, seed: 5, threads: 1, shard };
        run(&arguments)?;
        Ok(fs::read_to_string(&arguments.out)?)
    }

    #[test]
    fn a_run_goes_on_where_it_was_ended() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let whole = played(&file("whole"), (1, 1)).unwrap();
        assert_eq!(whole.lines().count(), 3);
        let cut = whole.find('\n').unwrap() + 20;
        fs::write(file("cut"), &whole[..cut]).unwrap();
        assert_eq!(played(&file("cut"), (1, 1)).unwrap(), whole);
        for cut in [0, 2, 20] {
            fs::write(file("cut"), &whole[..cut]).unwrap();
            assert_eq!(played(&file("cut"), (1, 1)).unwrap(), whole);
        }
        for text in ["dear diary\n", "dear diary"] {
            fs::write(file("other"), text).unwrap();
            assert!(played(&file("other"), (1, 1)).is_err());
            assert_eq!(fs::read_to_string(file("other")).unwrap(), text);
        }
    }

    #[test]
    fn parts_are_the_whole_even_if_they_cannot_be_equal() {
        let folder = tempfile::tempdir().unwrap();
        let part = |i: u64, n: u64| played(&folder.path().join(format!("{i} of {n}")), (i, n)).unwrap();
        assert_eq!(part(1, 2) + &part(2, 2), part(1, 1));
    }
}
