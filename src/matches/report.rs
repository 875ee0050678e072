//! `quintet match report`: the table of one or several logs, such as the shards of a match.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;

use super::Task;
use super::archive::Archive;
use super::csv;
use super::log::{self, Contents, Head};
use super::plan;
use super::plot::Plot;
use super::standings::Standings;
use super::statistics::sprt::Sprt;
use crate::driver::Protocol;
use crate::games;
use crate::place;
use crate::progress::say;

/// What the user asked for.
#[derive(Debug, Parser)]
#[command(name = "quintet match report", about = "Merge the logs of matches and print their table", long_about = None)]
#[command(no_binary_name = true)]
struct Flags {
    /// Files written by --log
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The test to be judged: elo0= elo1= alpha= beta= model=
    #[arg(long, num_args = 1.., value_name = "WORDS")]
    sprt: Option<Vec<String>>,
    /// Write the games to this file: SGF for Go, PDN for draughts, PGN for the others
    #[arg(long, visible_alias = "records", aliases = ["pgnout", "sgf", "pdn"], value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Go: write a row per game with the 22 fields of the tournament module of GO GAME to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Plot the running score with its error to this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// Reads the files that the words after `report` name.
pub fn prepare(words: &[String]) -> Result<Task> {
    let flags = Flags::try_parse_from(words)?;
    let sprt = flags.sprt.as_deref().map(plan::sprt).transpose()?;
    let outputs =
        [("--pgn", flags.pgn.as_deref()), ("--csv", flags.csv.as_deref()), ("--plot", flags.plot.as_deref())];
    place::check_all(&outputs)?;
    for (flag, path) in outputs.into_iter().filter_map(|(flag, path)| Some((flag, path?))) {
        let is_log = flags.files.iter().any(|file| place::is_same(file, path));
        ensure!(!is_log, "{flag}: '{}' is one of the logs to read", path.display());
    }
    let logs = flags.files.iter().map(|path| log::read(path)).collect::<Result<Vec<_>>>()?;
    let played: BTreeSet<&str> = logs.iter().map(|log| log.head.game.as_str()).collect();
    ensure!(played.len() == 1, "the files are from several games: {}", Vec::from_iter(played).join(", "));
    let engines = merge(&logs).names.len();
    ensure!(sprt.is_none() || engines == 2, "--sprt: a test needs exactly two engines, not {engines}");
    let over_gtp = |log: &Contents| {
        games::find(&log.head.game).is_some_and(|row| row.protocols.contains(&Protocol::Gtp))
    };
    ensure!(
        flags.csv.is_none() || logs.iter().all(over_gtp),
        "--csv: its columns hold what GTP engines tell about their games"
    );
    Ok(Box::new(move || report(&flags, sprt.as_ref(), &logs)))
}

/// Prints the table and writes the files asked for.
fn report(flags: &Flags, sprt: Option<&Sprt>, logs: &[Contents]) -> Result<ExitCode> {
    let merged = merge(logs);
    let mut standings = Standings::new(&merged.names);
    let mut plot = Plot::default();
    for (entry, source) in &merged.entries {
        standings.add(entry, *source);
        plot.add(&standings);
    }
    if let Some(path) = &flags.pgn {
        // Each match has rules of its own.
        for (number, head) in merged.heads.iter().enumerate() {
            let mut archive = Archive::open(path, number == 0, "quintet match", head)?;
            let mut own = merged.entries.iter().filter(|(_, source)| *source == number);
            own.try_for_each(|(entry, _)| archive.add(entry))?;
        }
    }
    if let Some(path) = &flags.csv {
        let rows = merged.entries.iter().map(|(entry, source)| csv::row(entry, merged.heads[*source]));
        let rows = rows.collect::<Result<Vec<_>>>()?;
        csv::write(path, &rows).with_context(|| format!("cannot write '{}'", path.display()))?;
    }
    if let Some(path) = &flags.plot {
        plot.write(path, &merged.names)?;
    }
    say(&standings.table(sprt))?;
    Ok(ExitCode::SUCCESS)
}

/// The games of several logs, each once.
struct Merged<'a> {
    names: Vec<String>,
    /// The matches.
    heads: Vec<&'a Head>,
    /// With the number of the match they belong to.
    entries: Vec<(&'a log::Entry, usize)>,
}

fn merge(logs: &[Contents]) -> Merged<'_> {
    let mut merged = Merged { names: Vec::new(), heads: Vec::new(), entries: Vec::new() };
    let mut seen = BTreeSet::new();
    for log in logs {
        let known = merged.heads.iter().position(|head| **head == log.head);
        let source = known.unwrap_or_else(|| {
            merged.heads.push(&log.head);
            merged.heads.len() - 1
        });
        for name in &log.head.engines {
            if !merged.names.contains(name) {
                merged.names.push(name.clone());
            }
        }
        let fresh = log.entries.iter().filter(|entry| seen.insert((source, entry.game)));
        merged.entries.extend(fresh.map(|entry| (entry, source)));
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::game::{Ending, Played};
    use crate::matches::log::{Entry, Log};
    use crate::matches::openings::Opening;
    use std::time::Duration;

    fn head(seed: &str) -> Head {
        let text = |text: &str| text.to_owned();
        Head {
            game: text("neighbours"),
            rules: Vec::new(),
            engines: vec![text("a"), text("b")],
            settings: vec![(text("seed"), text(seed))],
        }
    }

    fn entry(game: usize) -> Entry {
        let played = Played {
            black_first: false,
            plies: Vec::new(),
            unplayed: None,
            ending: Ending::draw("agreed"),
            time: Duration::ZERO,
            remarks: Vec::new(),
            dead: None,
            settings: [Vec::new(), Vec::new()],
            unfit: [false; 2],
        };
        Entry::new(game, (game - 1) / 2, ["a", "b"], &Opening::default(), &played)
    }

    #[test]
    fn shards_are_merged_and_no_game_counts_twice() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, seed: &str, games: &[usize]| {
            let path = dir.path().join(name);
            let mut log = Log::create(&path, &head(seed)).unwrap();
            games.iter().for_each(|&game| log.append(&entry(game)).unwrap());
            log::read(&path).unwrap()
        };
        let logs = [write("1", "7", &[1, 2, 5]), write("2", "7", &[3, 4, 5]), write("3", "8", &[1, 2])];
        let merged = merge(&logs);
        let seen: Vec<_> = merged.entries.iter().map(|(entry, source)| (*source, entry.game)).collect();
        assert_eq!(seen, [(0, 1), (0, 2), (0, 5), (0, 3), (0, 4), (1, 1), (1, 2)]);
        assert_eq!(merged.names, ["a", "b"]);
    }

    #[test]
    fn games_are_recorded_by_the_rules_of_their_own_match() {
        let dir = tempfile::tempdir().unwrap();
        let logs = ["0.5", "9.5"].map(|komi| {
            let path = dir.path().join(komi);
            let rules = vec![("Komi".to_owned(), komi.to_owned())];
            let head = Head { game: "go".to_owned(), rules, ..head("7") };
            Log::create(&path, &head).unwrap().append(&entry(1)).unwrap();
            log::read(&path).unwrap()
        });
        let path = dir.path().join("games.sgf");
        let pgn = Some(path.clone());
        let flags = Flags { files: Vec::new(), sprt: None, pgn, csv: None, plot: None };
        report(&flags, None, &logs).unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!((text.matches("KM[0.5]").count(), text.matches("KM[9.5]").count()), (1, 1), "{text}");
    }
}
