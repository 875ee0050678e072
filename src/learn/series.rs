//! Games of an engine against itself, added to a file that can be taken up again after any end.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use rayon::prelude::*;
use search::Game;
use search::learn::Played;

use super::{bar, read_shard};

/// How every file of games begins.
const HEAD: &str = "# quintet ";

/// Which games to play.
#[derive(Args)]
pub struct Series {
    /// The file; games already in it are not played again
    pub file: PathBuf,
    /// Number of games
    #[arg(long, default_value_t = 1000)]
    pub games: u64,
    /// Seed of the first game; the others follow
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games at once [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
    /// Play only part I of N of the games, counted from 1
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = read_shard)]
    pub shard: (u64, u64),
}

impl Series {
    /// Adds the games that the file lacks, below a first line that names the command. Each is written when it is
    /// finished, so that a break costs no more than the games under way.
    pub fn play<G: Game, P>(
        &self,
        command: &str,
        player: impl Fn() -> P + Sync + Send,
        play: impl Fn(&mut P, u64) -> Played<G> + Sync + Send,
    ) -> Result<()> {
        let name = self.file.display();
        let wrong = || format!("cannot write {name}");
        let open = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&self.file);
        let mut file = open.with_context(wrong)?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(|| format!("cannot read {name}"))?;
        let heading = format!("{HEAD}{} {command}", env!("CARGO_PKG_VERSION"));
        let (known, length) = finished(&text, &heading).with_context(|| name.to_string())?;
        file.set_len(length as u64).with_context(wrong)?;
        file.seek(SeekFrom::End(0)).with_context(wrong)?;
        if length == 0 {
            writeln!(file, "{heading}").with_context(wrong)?;
        }
        let (shard, shards) = self.shard;
        let games = (shard - 1..self.games).step_by(shards as usize);
        let seeds: Vec<u64> =
            games.map(|game| self.seed.wrapping_add(game)).filter(|seed| !known.contains(seed)).collect();
        let (bar, file) = (bar(seeds.len() as u64), Mutex::new(file));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        pool.install(|| {
            seeds.into_par_iter().try_for_each_init(player, |player, seed| {
                let line = play(player, seed).write() + "\n";
                bar.inc(1);
                // One write a game: a break leaves whole games and at most one part of a game behind.
                let mut file = file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                file.write_all(line.as_bytes()).with_context(wrong)
            })
        })?;
        bar.finish_and_clear();
        Ok(())
    }
}

/// The text without what a break left of its last line.
fn whole_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
}

/// The seeds of the whole games of a file and how many bytes they take. Anything else, or games that were played
/// otherwise than the heading says, are refused.
fn finished(text: &str, heading: &str) -> Result<(HashSet<u64>, usize)> {
    let whole = whole_lines(text);
    if whole.is_empty() && heading.starts_with(text) {
        return Ok((HashSet::new(), 0));
    }
    let mut lines = whole.lines();
    let first = lines.next().unwrap_or_default();
    ensure!(first.starts_with(HEAD), "it holds something other than games");
    ensure!(first == heading, "it holds other games: '{first}' instead of '{heading}'");
    let seed = |line: &str| line.split(' ').next().and_then(|seed| seed.parse().ok());
    Ok((lines.filter_map(seed).collect(), whole.len()))
}

/// Reads the games of some files, each of which began as `start` makes of its first line; and a line about each file.
pub fn read<G: Game>(
    paths: &[PathBuf],
    start: impl Fn(&str) -> Option<G>,
) -> Result<(Vec<Played<G>>, String)> {
    let (mut all, mut origins) = (Vec::new(), String::new());
    for path in paths {
        let (heading, games) = read_one(path, &start).with_context(|| path.display().to_string())?;
        let seeds = games.iter().map(|game| game.seed);
        let (first, last) = (seeds.clone().min().unwrap_or(0), seeds.max().unwrap_or(0));
        origins += &format!("{heading}: {} games, seeds {first} to {last}\n", games.len());
        all.extend(games);
    }
    ensure!(!all.is_empty(), "{}: no games to learn from", names(paths));
    Ok((all, origins))
}

fn read_one<G: Game>(path: &Path, start: impl Fn(&str) -> Option<G>) -> Result<(String, Vec<Played<G>>)> {
    let text = fs::read_to_string(path)?;
    let mut lines = whole_lines(&text).lines();
    let heading = lines.next().filter(|line| line.starts_with(HEAD));
    let heading = heading.context("it does not say how its games were played")?;
    let start = start(heading).with_context(|| format!("'{heading}' says nothing about the board"))?;
    // Files of shards that were put together repeat the heading.
    let lines: Vec<(usize, &str)> = (2..).zip(lines).filter(|(_, line)| *line != heading).collect();
    let game = |&(number, line): &(usize, &str)| {
        Played::read(start.clone(), line).map_err(|why| anyhow!("line {number}: {why}"))
    };
    Ok((heading.to_owned(), lines.par_iter().map(game).collect::<Result<_>>()?))
}

/// Files without their directories, which mean nothing elsewhere.
pub fn names(files: &[PathBuf]) -> String {
    let names = files.iter().filter_map(|file| file.file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::testing::Pile;
    use search::walk::open_walk;
    use search::{Random, Side};

    fn start(_: &str) -> Option<Pile> {
        Some(Pile { left: 60, turn: Side::White })
    }

    fn series(file: &Path, games: u64, shard: (u64, u64)) -> Series {
        Series { file: file.to_owned(), games, seed: 5, threads: 1, shard }
    }

    /// A file after random games were played into it.
    fn played(series: &Series, command: &str) -> Result<String> {
        let play = |_: &mut (), seed| {
            let start = start("").expect("there is always a pile");
            Played::opened(seed, &open_walk(&start, 9, &mut Random::new(seed)))
        };
        series.play(command, || (), play)?;
        Ok(fs::read_to_string(&series.file)?)
    }

    #[test]
    fn a_run_goes_on_where_it_was_ended() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let whole = played(&series(&file("whole"), 3, (1, 1)), "learn").unwrap();
        assert_eq!(whole.lines().count(), 4);
        for cut in [0, 2, 20, whole.len() - 5] {
            fs::write(file("cut"), &whole[..cut]).unwrap();
            assert_eq!(played(&series(&file("cut"), 3, (1, 1)), "learn").unwrap(), whole);
        }
        let why = format!("{:#}", played(&series(&file("whole"), 4, (1, 1)), "relearn").unwrap_err());
        assert!(why.contains("whole: it holds other games"), "{why}");
        assert_eq!(fs::read_to_string(file("whole")).unwrap(), whole);
        for text in ["dear diary\n", "dear diary"] {
            fs::write(file("other"), text).unwrap();
            assert!(played(&series(&file("other"), 3, (1, 1)), "learn").is_err());
            assert_eq!(fs::read_to_string(file("other")).unwrap(), text);
        }
    }

    #[test]
    fn parts_put_together_are_the_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let part = |i, n| played(&series(&file(&format!("{i} of {n}")), 5, (i, n)), "learn").unwrap();
        fs::write(file("together"), part(1, 2) + &part(2, 2)).unwrap();
        part(1, 1);
        let read = |name| {
            let (mut games, origins) = read(&[file(name)], start).unwrap();
            games.sort_by_key(|game| game.seed);
            (games, origins)
        };
        assert_eq!(read("together"), read("1 of 1"));
        assert!(read("together").1.ends_with(" learn: 5 games, seeds 5 to 9\n"));
    }

    #[test]
    fn wrong_files_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.txt");
        let refused = |text: &str| {
            fs::write(&file, text).unwrap();
            format!("{:#}", read(std::slice::from_ref(&file), start).unwrap_err())
        };
        let why = refused("# quintet\n");
        assert!(why.contains("games.txt: it does not say"), "{why}");
        let why = refused("# quintet 1 learn\n5 1-0\n6 1-0 z9\n");
        assert!(why.contains("games.txt: line 3") && why.contains("z9"), "{why}");
        assert!(refused("# quintet 1 learn\n5 1-").contains("games.txt: no games"));
        fs::remove_file(&file).unwrap();
        assert!(format!("{:#}", read(&[file], start).unwrap_err()).contains("games.txt"));
    }
}
