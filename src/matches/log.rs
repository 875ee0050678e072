//! The memory of a match: one line of JSON for the match and one for each game, only ever appended and
//! flushed, so that a broken match goes on where it stopped and the parts of a match can be merged.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use search::Side;
use serde::{Deserialize, Serialize};

use super::archive;
use super::game::Played;
use super::openings::Opening;
use super::standings::FAULTS;
use crate::driver::player::{Answer, Thought};
use crate::place::open_alone;
use crate::record::GameResult;

/// How every file begins.
const BEGINNING: &[u8] = b"{\"match\":";

/// What all games of a match have in common. Two logs with equal heads are parts of one match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The game as users name it.
    pub game: String,
    /// Its rules, name and value.
    pub rules: Vec<(String, String)>,
    /// The engines' names, the first one being the one tested.
    pub engines: Vec<String>,
    /// Everything else that decides the games: name and value.
    pub settings: Vec<(String, String)>,
}

impl Head {
    /// What an engine might spend, as the flags write it.
    pub fn limit(&self, engine: &str) -> String {
        let words = self.settings.iter().find(|(name, _)| name == engine).map_or("", |(_, words)| words);
        let is_limit =
            |word: &&str| ["tc=", "byoyomi=", "st=", "nodes="].iter().any(|key| word.starts_with(key));
        words.split_whitespace().filter(is_limit).collect::<Vec<_>>().join(" ")
    }
}

/// One game that was played to its end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number in the match, from 1.
    pub game: usize,
    /// The pair it belongs to, from 0.
    pub pair: usize,
    /// The day it ended: `2026.01.31`.
    pub date: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// A rule of the game, or what a player did wrong.
    pub reason: String,
    /// The position it began with; none for the usual start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Whether Black made the first move.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub black_first: bool,
    /// Moves that belong to the opening.
    pub book: usize,
    /// All moves.
    pub moves: Vec<Move>,
    /// Seconds spent on a last answer that was not played: one that was illegal or late, or gave the game up.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unplayed: Option<f64>,
    /// Seconds from the first question to the last answer.
    pub seconds: f64,
    /// When the record was written, in seconds since 1970.
    #[serde(default)]
    pub ended: u64,
    /// Stones taken off as dead before counting.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub dead: Option<Vec<String>>,
    /// What White and Black said about their own settings.
    #[serde(skip_serializing_if = "nothing_said", default)]
    pub settings: [Vec<(String, String)>; 2],
    /// Memory the machine had left at the end, in MB, where it tells.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub free_memory: Option<u64>,
    /// The illegal or late move that lost the game, and what else was odd about answers, if the match was strict.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub remarks: Vec<String>,
}

fn nothing_said(settings: &[Vec<(String, String)>; 2]) -> bool {
    settings.iter().all(Vec::is_empty)
}

/// One move with what its player thought of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Move {
    /// As protocols write it.
    pub text: String,
    /// Hundredths of the game's unit, or plies to a forced end from ±32000, from the mover's view.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<i32>,
    /// Plies looked ahead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u32>,
    /// Positions visited.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
    /// The mover's probability to win.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<f64>,
    /// Nodes of the tree kept.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tree: Option<u64>,
    /// Moves considered, the best first: `D4 120 0.531`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub candidates: Vec<String>,
    /// Seconds by the runner's clock.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seconds: Option<f64>,
}

impl Move {
    /// A move of the opening.
    pub fn book(text: &str) -> Move {
        Move { text: text.to_owned(), ..Move::default() }
    }

    /// A move that its player thought about.
    pub fn new(text: String, answer: &Answer) -> Move {
        let Thought { score, depth, nodes, value, tree, time } = answer.thought;
        let (score, seconds) = (score.map(|score| score.0), Some(rounded(time)));
        Move { text, score, depth, nodes, value, tree, candidates: answer.candidates.clone(), seconds }
    }

    /// What the player spent on it; none for a move of the opening.
    pub fn time(&self) -> Option<Duration> {
        self.seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default())
    }
}

/// Memory the machine can still give, in MB; none where it does not say.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib / 1024)
}

/// Seconds to the microsecond.
fn rounded(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e6
}

impl Entry {
    /// The entry of a game between the two named.
    pub fn new(game: usize, pair: usize, names: [&str; 2], opening: &Opening, played: &Played) -> Entry {
        Entry {
            game,
            pair,
            date: archive::today(),
            white: names[0].to_owned(),
            black: names[1].to_owned(),
            result: GameResult::of(played.ending.winner).to_string(),
            reason: played.ending.reason.clone(),
            fen: opening.fen.clone(),
            black_first: played.black_first,
            book: opening.moves.len(),
            moves: played.plies.clone(),
            unplayed: played.unplayed.map(rounded),
            seconds: rounded(played.time),
            ended: archive::now(),
            dead: played.dead.clone(),
            settings: played.settings.clone(),
            // Only engines that tell of their memory are interested in the machine's.
            free_memory: Some(()).filter(|()| !nothing_said(&played.settings)).and_then(|()| free_memory()),
            remarks: played.remarks.clone(),
        }
    }

    /// How the game ended.
    pub fn outcome(&self) -> GameResult {
        self.result.parse().unwrap_or_default()
    }

    /// Whether the loser lost by its own fault, not by the game.
    pub fn is_fault(&self) -> bool {
        FAULTS.contains(&self.reason.as_str())
    }

    /// The stones taken off before the board was counted; none if it was not.
    pub fn counted(&self) -> Option<&[String]> {
        let is_counted = matches!(self.reason.as_str(), "more points" | "equal points");
        is_counted.then(|| self.dead.as_deref().unwrap_or_default())
    }

    /// The side of the player named, if it took part.
    pub fn side_of(&self, name: &str) -> Option<Side> {
        if self.white == name { Some(Side::White) } else { (self.black == name).then_some(Side::Black) }
    }
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
enum Line {
    #[serde(rename = "match")]
    Head(Head),
    #[serde(rename = "game")]
    Game(Entry),
}

/// What a file holds.
#[derive(Debug)]
pub struct Contents {
    /// The match.
    pub head: Head,
    /// Its games in the order of their ends.
    pub entries: Vec<Entry>,
    /// Bytes that are whole lines; a torn last line lies beyond.
    whole: u64,
}

/// Reads a file; a last line without its end, torn by a kill, is left out.
pub fn read(path: &Path) -> Result<Contents> {
    let failed = || format!("cannot read '{}'", path.display());
    let mut bytes = std::fs::read(path).with_context(failed)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    // A tear may go through the middle of a letter, so it is cut off before the bytes are taken for text.
    bytes.truncate(whole);
    let text = String::from_utf8(bytes).with_context(failed)?;
    let mut head = None;
    let mut entries = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let place = || format!("'{}' line {number}", path.display());
        match serde_json::from_str(line).with_context(place)? {
            Line::Head(found) if head.is_none() => head = Some(found),
            Line::Head(_) => bail!("{}: a second match begins here", place()),
            Line::Game(_) if head.is_none() => bail!("{}: a game comes before its match", place()),
            Line::Game(entry) => entries.push(entry),
        }
    }
    let head = head.with_context(|| format!("'{}' is not a match log", path.display()))?;
    Ok(Contents { head, entries, whole: whole as u64 })
}

/// A file that games are appended to.
#[derive(Debug)]
pub struct Log {
    file: File,
}

impl Log {
    /// Begins a new file; one that has anything in it is not touched.
    pub fn create(path: &Path, head: &Head) -> Result<Log> {
        if std::fs::metadata(path).is_ok_and(|found| found.len() > 0) {
            bail!("'{}' exists: add --resume to continue it, or name another file", path.display());
        }
        Log { file: open_alone(path)? }.begin(head)
    }

    /// Writes the head in the place of one that was torn; a device cannot be emptied.
    fn begin(mut self, head: &Head) -> Result<Log> {
        if self.file.metadata()?.len() > 0 {
            self.file.set_len(0)?;
        }
        self.write(&Line::Head(head.clone()))?;
        Ok(self)
    }

    /// Goes on with a file of the same match and returns its games; begins it if there is none.
    pub fn resume(path: &Path, head: &Head) -> Result<(Log, Vec<Entry>)> {
        let mut log = Log { file: open_alone(path)? };
        let found = std::fs::read(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        if !found.contains(&b'\n') {
            // Nothing, or a head torn by a kill: no game can be lost. Anything else is not ours.
            let is_ours = BEGINNING.starts_with(&found) || found.starts_with(BEGINNING);
            ensure!(is_ours, "'{}' is not a match log", path.display());
            return Ok((log.begin(head)?, Vec::new()));
        }
        let contents = read(path)?;
        if let Some(difference) = difference(&contents.head, head) {
            bail!("'{}' belongs to another match: {difference}", path.display());
        }
        log.file.set_len(contents.whole)?;
        log.file.seek(SeekFrom::End(0))?;
        Ok((log, contents.entries))
    }

    /// Appends a game.
    pub fn append(&mut self, entry: &Entry) -> Result<()> {
        self.write(&Line::Game(entry.clone()))
    }

    /// One write a line, so that a kill tears at most the last one.
    fn write(&mut self, line: &Line) -> Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes()).context("cannot write the match log")?;
        self.file.flush()?;
        Ok(())
    }
}

/// The first thing in which two matches differ.
fn difference(old: &Head, new: &Head) -> Option<String> {
    if old.game != new.game {
        return Some(format!("game {} there, {} here", old.game, new.game));
    }
    if old.rules != new.rules {
        return Some(format!("rules {:?} there, {:?} here", old.rules, new.rules));
    }
    if old.engines != new.engines {
        return Some(format!("engines {} there, {} here", old.engines.join(", "), new.engines.join(", ")));
    }
    // Some settings are told only where they are used, so places do not correspond.
    let gone = old.settings.iter().find(|setting| !new.settings.contains(setting));
    let (name, _) = gone.or_else(|| new.settings.iter().find(|setting| !old.settings.contains(setting)))?;
    let value = |head: &Head| {
        let found = head.settings.iter().find(|(known, value)| known == name && !value.is_empty());
        found.map_or_else(|| "nothing".to_owned(), |(_, value)| value.clone())
    };
    Some(format!("{name} is {} there, {} here", value(old), value(new)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(seed: &str) -> Head {
        Head {
            game: "neighbours".to_owned(),
            rules: Vec::new(),
            engines: vec!["é".to_owned(), "b".to_owned()],
            settings: vec![("seed".to_owned(), seed.to_owned())],
        }
    }

    fn entry(game: usize) -> Entry {
        Entry {
            game,
            pair: game / 2,
            date: "2026.01.31".to_owned(),
            white: "é".to_owned(),
            black: "b".to_owned(),
            result: "1-0".to_owned(),
            reason: "no legal move".to_owned(),
            fen: None,
            black_first: false,
            book: 1,
            moves: vec![
                Move { text: "a1b2".to_owned(), ..Move::default() },
                Move { text: "a8b7".to_owned(), score: Some(-7), seconds: Some(0.25), ..Move::default() },
            ],
            seconds: 1.5,
            ..Entry::default()
        }
    }

    #[test]
    fn a_torn_line_is_cut_off_and_the_rest_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("m.jsonl");
        let mut log = Log::create(&path, &head("1")).unwrap();
        log.append(&entry(1)).unwrap();
        log.append(&entry(2)).unwrap();
        drop(log);
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let (mut log, entries) = Log::resume(&path, &head("1")).unwrap();
            for game in entries.len() + 1..=2 {
                log.append(&entry(game)).unwrap();
            }
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        assert_eq!(read(&path).unwrap().entries, [entry(1), entry(2)]);
    }

    #[test]
    fn other_matches_are_refused_and_old_files_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("m.jsonl");
        Log::create(&path, &head("1")).unwrap();
        let again = Log::create(&path, &head("1")).unwrap_err().to_string();
        assert!(again.contains("exists: add --resume"));
        let other = Log::resume(&path, &head("2")).unwrap_err().to_string();
        assert!(other.ends_with("belongs to another match: seed is 1 there, 2 here"), "{other}");
        let mut balanced = head("1");
        balanced.settings.insert(0, ("balance".to_owned(), "60".to_owned()));
        let other = Log::resume(&path, &balanced).unwrap_err().to_string();
        assert!(other.ends_with("belongs to another match: balance is nothing there, 60 here"), "{other}");
        std::fs::write(&path, "hello\n").unwrap();
        assert!(format!("{:#}", read(&path).unwrap_err()).contains("line 1"));
        std::fs::write(&path, "notes").unwrap();
        assert!(Log::resume(&path, &head("1")).unwrap_err().to_string().ends_with("is not a match log"));
        assert_eq!(std::fs::read(&path).unwrap(), b"notes");
    }

    #[test]
    fn a_match_in_progress_is_not_resumed_and_can_be_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("m.jsonl");
        let mut log = Log::create(&path, &head("1")).unwrap();
        let second = Log::resume(&path, &head("1"));
        assert!(second.is_err() || cfg!(not(unix)));
        log.append(&entry(1)).unwrap();
        assert_eq!(read(&path).unwrap().entries, [entry(1)]);
    }

    #[test]
    fn thoughts_come_back() {
        let moves = entry(1).moves;
        assert_eq!(moves[0].time(), None);
        assert_eq!((moves[1].score, moves[1].time()), (Some(-7), Some(Duration::from_millis(250))));
    }
}
