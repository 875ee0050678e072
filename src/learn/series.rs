//! Games of an engine against itself, added to a file that can be taken up again after any end.
//!
//! A file is a line that says how its games were played and a record for each, as [`Played`] writes it.

use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use rayon::prelude::*;
use search::Game;
use search::learn::Played;
use search::learn::played::{self, LONGEST};

use super::read_shard;
use crate::misuse::Asked;
use crate::place::open_alone;
use crate::progress::Progress;

/// How every file of games begins.
const HEAD: &[u8] = b"# quintet games 1; ";

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
    /// Adds the games that the file lacks, below a first line that names the command; each seed has its rules. Each
    /// game is written when it is finished, so that a break costs no more than the games under way.
    pub fn play<G: Game, P>(
        &self,
        command: &str,
        rules: impl Fn(u64) -> G::Rules + Sync,
        player: impl Fn() -> P + Sync,
        play: impl Fn(&mut P, u64) -> Played<G> + Sync,
    ) -> Result<()> {
        let name = self.file.display();
        let wrong = || format!("cannot write {name}");
        let heading =
            format!("{}quintet {} {command}", String::from_utf8_lossy(HEAD), env!("CARGO_PKG_VERSION"));
        let (file, known) = self.open(&heading).asked()?;
        let (shard, shards) = self.shard;
        let games = (shard - 1..self.games).step_by(shards as usize);
        let seeds: Vec<u64> =
            games.map(|game| self.seed.wrapping_add(game)).filter(|seed| !known.contains(seed)).collect();
        let progress = Progress::new(seeds.len() as u64, "games", 0);
        let (file, next) = (Mutex::new(file), AtomicUsize::new(0));
        let work = || -> Result<()> {
            let mut player = player();
            while let Some(&seed) = seeds.get(next.fetch_add(1, Relaxed)) {
                let record = play(&mut player, seed).write(&rules(seed));
                progress.inc(1);
                // One write a game: a break leaves whole games and at most one part of a game behind.
                let mut file = file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                file.write_all(&record).with_context(wrong)?;
            }
            Ok(())
        };
        let threads = if self.threads == 0 { rayon::current_num_threads() } else { self.threads };
        let threads = threads.min(seeds.len());
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("a game does not panic"))
        })?;
        progress.finish();
        Ok(())
    }

    /// The file behind its last whole game, and the seeds of the games in it. Nobody else may add to it meanwhile.
    fn open(&self, heading: &str) -> Result<(File, HashSet<u64>)> {
        let name = self.file.display();
        let wrong = || format!("cannot write {name}");
        let mut file = open_alone(&self.file)?;
        // What a device holds may have no end.
        ensure!(file.metadata().with_context(wrong)?.is_file(), "{name} is not a file");
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
        let mut known = HashSet::new();
        let begun = format!("{heading}\n");
        let length = if begun.as_bytes().starts_with(&bytes) {
            0
        } else {
            let found = Found::read(&bytes).with_context(|| name.to_string())?;
            ensure!(
                found.heading == heading,
                "{name}: it holds other games: '{}' instead of '{heading}'",
                found.heading
            );
            known.extend(found.records.iter().filter_map(|record| played::seed(record)));
            bytes.len() - found.cut
        };
        file.set_len(length as u64).with_context(wrong)?;
        file.seek(SeekFrom::End(0)).with_context(wrong)?;
        if length == 0 {
            file.write_all(begun.as_bytes()).with_context(wrong)?;
        }
        Ok((file, known))
    }
}

/// What a file of games holds.
struct Found<'a> {
    /// How its games were played.
    heading: &'a str,
    /// A record for each game.
    records: Vec<&'a [u8]>,
    /// Bytes of a last game that a break left unfinished.
    cut: usize,
}

impl<'a> Found<'a> {
    /// Finds the games in the bytes of a file.
    fn read(mut bytes: &'a [u8]) -> Result<Self> {
        let heading = heading(&mut bytes).context("it does not say how its games were played")?;
        let mut records = Vec::new();
        loop {
            // Files of shards that were put together repeat the heading, whose first letter a length may be.
            if let Some(other) = self::heading(&mut bytes) {
                ensure!(other == heading, "it holds games of '{heading}' and of '{other}'");
            } else if let Some(record) = played::record(bytes) {
                bytes = &bytes[record.len()..];
                records.push(record);
            } else {
                break;
            }
        }
        let cut = bytes.len();
        ensure!(cut < LONGEST, "{cut} bytes behind game {} are no games", records.len());
        Ok(Found { heading, records, cut })
    }
}

/// Takes a heading from the front.
fn heading<'a>(bytes: &mut &'a [u8]) -> Option<&'a str> {
    let end = bytes.starts_with(HEAD).then(|| bytes.iter().position(|&byte| byte == b'\n'))??;
    let line = bytes.split_off(..=end)?;
    str::from_utf8(&line[..end]).ok()
}

/// Where games were read.
pub struct Origin {
    /// How they were played.
    pub heading: String,
    /// How many there are.
    pub games: usize,
    /// The least and the greatest of their seeds.
    pub seeds: (u64, u64),
    /// Games left out because they were read before.
    pub twice: usize,
    /// Bytes of the file.
    pub bytes: usize,
}

impl Display for Origin {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Origin { heading, games, seeds: (first, last), .. } = self;
        write!(f, "{heading}: {games} games, seeds {first} to {last}")
    }
}

/// Makes something of the newest games of some files, at most so many, played by the rules that `rules` makes of their
/// first lines and seeds, and says where they come from. A game that is found twice counts once.
pub fn visit<G: Game, T: Send>(
    paths: &[PathBuf],
    newest: usize,
    rules: impl Fn(&str, u64) -> Option<G::Rules> + Sync,
    make: impl Fn(Played<G>) -> T + Sync,
) -> Result<(Vec<T>, Vec<Origin>)> {
    let (mut files, mut seen) = (Vec::new(), HashSet::new());
    for path in paths {
        let name = path.display();
        let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        let Found { heading, mut records, cut } = Found::read(&bytes).with_context(|| name.to_string())?;
        if cut > 0 {
            writeln!(io::stderr(), "{name}: the last game is cut; {cut} bytes are left out")?;
        }
        let found = records.len();
        records.retain(|record| seen.insert(played::likeness(record)));
        let twice = found - records.len();
        let records: Vec<Vec<u8>> = records.into_iter().map(<[u8]>::to_vec).collect();
        files.push((name.to_string(), heading.to_owned(), records, twice, bytes.len()));
    }
    let mut left = newest;
    for (.., records, _, _) in files.iter_mut().rev() {
        records.drain(..records.len().saturating_sub(left));
        left -= records.len();
    }
    let (mut all, mut origins) = (Vec::new(), Vec::new());
    for (name, heading, records, twice, bytes) in files {
        let seeds = records.iter().filter_map(|record| played::seed(record));
        origins.push(Origin {
            heading: heading.trim_start_matches("# ").to_owned(),
            games: records.len(),
            seeds: (seeds.clone().min().unwrap_or(0), seeds.max().unwrap_or(0)),
            twice,
            bytes,
        });
        let game = |record: &Vec<u8>| {
            let seed = played::seed(record).unwrap_or_default();
            let rules = rules(&heading, seed);
            let rules = rules.with_context(|| format!("{name}: '{heading}' says nothing of the board"))?;
            let game = Played::read(&rules, record);
            game.map(&make).map_err(|why| anyhow!("{name}: game {seed}: {why}"))
        };
        let games: Vec<T> = records.par_iter().map(game).collect::<Result<_>>()?;
        all.extend(games);
    }
    ensure!(!all.is_empty(), "{}: no games to learn from", names(paths));
    Ok((all, origins))
}

/// The games of some files, and a line about each file.
pub fn read<G: Game>(
    paths: &[PathBuf],
    rules: impl Fn(&str, u64) -> Option<G::Rules> + Sync,
) -> Result<(Vec<Played<G>>, String)> {
    let (games, origins) = visit(paths, usize::MAX, rules, |game| game)?;
    Ok((games, origins.iter().map(|origin| format!("# {origin}\n")).collect()))
}

/// Files without their directories, which mean nothing elsewhere.
pub fn names(files: &[PathBuf]) -> String {
    let names = files.iter().filter_map(|file| file.file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use search::Random;
    use search::testing::{Pile, Size};
    use search::walk::open_walk;

    const RULES: Size = Size(60);

    fn series(file: &Path, games: u64, shard: (u64, u64)) -> Series {
        Series { file: file.to_owned(), games, seed: 5, threads: 1, shard }
    }

    /// A file after random games were played into it.
    fn played(series: &Series, command: &str) -> Result<Vec<u8>> {
        let play = |_: &mut (), seed| {
            Played::opened(seed, &open_walk(&Pile::start(&RULES), 9, &mut Random::new(seed)))
        };
        series.play(command, |_| RULES, || (), play)?;
        Ok(fs::read(&series.file)?)
    }

    fn read_file(file: PathBuf) -> Result<(Vec<Played<Pile>>, String)> {
        read(&[file], |_, _| Some(RULES))
    }

    #[test]
    fn a_run_goes_on_where_it_was_ended() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let whole = played(&series(&file("whole"), 3, (1, 1)), "learn").unwrap();
        assert_eq!(Found::read(&whole).unwrap().records.len(), 3);
        for cut in [0, 2, 20, whole.len() - 5] {
            fs::write(file("cut"), &whole[..cut]).unwrap();
            assert_eq!(played(&series(&file("cut"), 3, (1, 1)), "learn").unwrap(), whole);
        }
        let why = format!("{:#}", played(&series(&file("whole"), 4, (1, 1)), "relearn").unwrap_err());
        assert!(why.contains("whole: it holds other games"), "{why}");
        assert_eq!(fs::read(file("whole")).unwrap(), whole);
        for text in ["dear diary\n".as_bytes(), &[&whole[..], &[0xff; LONGEST]].concat()] {
            fs::write(file("other"), text).unwrap();
            assert!(played(&series(&file("other"), 3, (1, 1)), "learn").is_err());
            assert_eq!(fs::read(file("other")).unwrap(), text);
        }
    }

    #[test]
    fn two_processes_do_not_write_to_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let series = series(&folder.path().join("shared"), 3, (1, 1));
        let holder = File::create(&series.file).unwrap();
        holder.lock().unwrap();
        let why = format!("{:#}", played(&series, "learn").unwrap_err());
        assert!(why.contains("shared': another process"), "{why}");
        drop(holder);
        assert!(played(&series, "learn").is_ok());
    }

    #[test]
    fn parts_put_together_are_the_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let part = |i, n| played(&series(&file(&format!("{i} of {n}")), 5, (i, n)), "learn").unwrap();
        fs::write(file("together"), [part(1, 2), part(2, 2)].concat()).unwrap();
        part(1, 1);
        let sorted = |name| {
            let (mut games, origins) = read_file(file(name)).unwrap();
            games.sort_by_key(|game| game.seed);
            (games, origins)
        };
        assert_eq!(sorted("together"), sorted("1 of 1"));
        assert!(sorted("together").1.ends_with(" learn: 5 games, seeds 5 to 9\n"));
        let twice = [file("1 of 2"), file("1 of 1")];
        assert_eq!(read::<Pile>(&twice, |_, _| Some(RULES)).unwrap().0.len(), 5);
    }

    #[test]
    fn of_many_games_the_newest_are_taken() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        played(&series(&file("old"), 3, (1, 1)), "learn").unwrap();
        played(&Series { seed: 50, ..series(&file("new"), 4, (1, 1)) }, "learn").unwrap();
        let paths = [file("old"), file("new")];
        let seeds = |newest| {
            let made = visit::<Pile, u64>(&paths, newest, |_, _| Some(RULES), |game| game.seed).unwrap();
            (made.0, made.1.iter().map(|origin| origin.games).collect::<Vec<_>>())
        };
        assert_eq!(seeds(5), (vec![7, 50, 51, 52, 53], vec![1, 4]));
        assert_eq!(seeds(2), (vec![52, 53], vec![0, 2]));
        assert_eq!(seeds(100).0.len(), 7);
    }

    #[test]
    fn wrong_files_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games");
        let refused = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            format!("{:#}", read_file(file.clone()).unwrap_err())
        };
        let why = refused(b"# quintet\n");
        assert!(why.contains("games: it does not say"), "{why}");
        fs::remove_file(&file).unwrap();
        let mut whole = played(&series(&file, 3, (1, 1)), "learn").unwrap();
        *whole.last_mut().unwrap() ^= 1;
        let why = refused(&whole);
        assert!(why.contains("games: game 7: "), "{why}");
        let heading = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        assert!(refused(&whole[..heading + 9]).contains("games: no games"));
        let other = [&whole[..], HEAD, b"another\n"].concat();
        assert!(refused(&other).contains("another"));
        fs::remove_file(&file).unwrap();
        assert!(format!("{:#}", read_file(file).unwrap_err()).contains("games"));
    }

    #[test]
    fn a_cut_file_is_read_up_to_the_cut() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games");
        let whole = played(&series(&file, 3, (1, 1)), "learn").unwrap();
        fs::write(&file, &whole[..whole.len() - 1]).unwrap();
        assert_eq!(read_file(file).unwrap().0.len(), 2);
    }
}
