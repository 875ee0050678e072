//! The games of a match as records for people and other programs.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use go::rules::rounded;
use search::Score;

use super::log::{Entry, Head, Move};
use crate::analysis;
use crate::record::{BOOK, Format, Node, Record, Tree};
use crate::referee::{self, Referee};

/// A file of records that grows game by game, in the usual format of its game.
pub struct Archive {
    file: File,
    event: String,
    format: Format,
    referee: Box<dyn Referee>,
    head: Head,
}

impl Archive {
    /// Opens a file to append to, or to write anew.
    pub fn open(path: &Path, anew: bool, event: &str, head: &Head) -> Result<Archive> {
        let referee = referee::open(&head.game, &head.rules)?;
        let format = referee.row().formats[0];
        let mut options = OpenOptions::new();
        let options = if anew { options.write(true).truncate(true) } else { options.append(true) };
        let file =
            options.create(true).open(path).with_context(|| format!("cannot write '{}'", path.display()))?;
        Ok(Archive { file, event: event.to_owned(), format, referee, head: head.clone() })
    }

    /// Appends a game.
    pub fn add(&mut self, entry: &Entry) -> Result<()> {
        let mut record = record(entry, &self.event, &self.head, self.referee.as_mut())?;
        if self.format == Format::Sgf {
            record.set_tag("GC", entry.reason.as_str());
        }
        self.referee.set_up(entry.fen.as_deref())?;
        let text = self.format.write(&record, &*self.referee);
        self.file.write_all(text.as_bytes()).context("cannot write the records")
    }
}

/// A logged game as a record; its moves are written as the game's records have them.
fn record(entry: &Entry, event: &str, head: &Head, referee: &mut dyn Referee) -> Result<Record> {
    let moves: Vec<String> = entry.moves.iter().map(|m| m.text.clone()).collect();
    referee.replay(entry.fen.as_deref(), &moves)?;
    let moves = referee.written().into_iter().zip(&entry.moves);
    let tree = Tree::of_line(moves.map(|(text, m)| Node { text, comment: comment(m), ..Node::default() }));
    let mut record = Record { tree, result: entry.outcome(), ..Record::default() };
    record.set_tag("Event", event);
    record.set_tag("Date", entry.date.as_str());
    record.set_tag("Round", (entry.pair + 1).to_string());
    record.set_tag("White", entry.white.as_str());
    record.set_tag("Black", entry.black.as_str());
    for (name, value) in referee.tags() {
        record.set_tag(name, value);
    }
    if let Some(fen) = &entry.fen {
        record.set_tag("SetUp", "1");
        record.set_tag("FEN", fen.as_str());
    }
    let [white, black] = [&entry.white, &entry.black].map(|name| time_control(&head.limit(name)));
    if white == black {
        record.set_tag("TimeControl", white);
    } else {
        record.set_tag("WhiteTimeControl", white);
        record.set_tag("BlackTimeControl", black);
    }
    record.set_tag("PlyCount", entry.moves.len().to_string());
    record.set_tag("Termination", cause(entry, referee));
    Ok(record)
}

/// What might be spent, as PGN writes it: `40/60+0.5`, `1/2` for two seconds a move, `-` without a clock.
fn time_control(limit: &str) -> String {
    let value = |key: &str| limit.split(' ').find_map(|word| word.strip_prefix(key));
    let base = value("tc=").map(|base| base.strip_suffix("+0").unwrap_or(base).to_owned());
    let fixed = || value("st=").map(|seconds| format!("1/{seconds}"));
    base.or_else(fixed).unwrap_or_else(|| "-".to_owned())
}

/// Why a game ended; by how much, where the board was counted.
fn cause(entry: &Entry, referee: &dyn Referee) -> String {
    match entry.counted().and_then(|dead| referee.margin(dead)).filter(|&margin| margin != 0.0) {
        Some(margin) => format!("by {} points", rounded(margin.abs())),
        None => entry.reason.clone(),
    }
}

/// Score or probability to win, depth and time, as cutechess writes them: `+0.31/12 0.52s`.
pub fn comment(m: &Move) -> String {
    let Some(seconds) = m.seconds else { return BOOK.to_owned() };
    let opinion = m.score.map(points).or(m.value.map(|value| format!("{:.1}%", 100.0 * value)));
    let opinion = opinion.map(|opinion| format!("{opinion}/{} ", m.depth.unwrap_or(0)));
    format!("{}{seconds:.3}s{}", opinion.unwrap_or_default(), growth(m))
}

/// What a search that grows a tree tells beside: playouts, nodes of the tree, moves with their visits and values.
fn growth(m: &Move) -> String {
    let Some(tree) = m.tree else { return String::new() };
    let playouts = m.nodes.unwrap_or(0);
    format!("; {playouts} playouts, {tree} nodes; {}", m.candidates.join(", "))
}

/// Units and hundredths, or moves to a forced end: `+M3`.
fn points(score: i32) -> String {
    match Score(score).plies_to_end() {
        Some(plies) => format!("{}M{}", if plies > 0 { '+' } else { '-' }, plies.unsigned_abs().div_ceil(2)),
        None => analysis::pawns(score),
    }
}

/// This moment in seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The day as records have it, in universal time: `2026.01.31`.
pub fn today() -> String {
    date(now() / 86_400)
}

/// The date of a day counted from the first of 1970.
pub fn date(days: u64) -> String {
    // Hinnant's days_from_civil, backwards: years begin in March, so that the leap day comes last.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (400 * era + year + month / 10, (month + 2) % 12 + 1);
    format!("{year}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::open;

    #[test]
    fn days_are_dated() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(59), "1970.03.01");
        assert_eq!(date(11_016), "2000.02.29");
        assert_eq!(date(20_819), "2027.01.01");
    }

    #[test]
    fn scores_are_written_as_people_read_them() {
        assert_eq!(points(31), "+0.31");
        assert_eq!(points(-105), "-1.05");
        assert_eq!(points(Score::win_in(5).0), "+M3");
        assert_eq!(points(Score::loss_in(4).0), "-M2");
    }

    #[test]
    fn time_controls_are_written_as_pgn_has_them() {
        assert_eq!(time_control("tc=60+0.5"), "60+0.5");
        assert_eq!(time_control("tc=40/60+0 depth=3"), "40/60");
        assert_eq!(time_control("st=0.5 nodes=9"), "1/0.5");
        assert_eq!(time_control("nodes=9"), "-");
    }

    #[test]
    fn a_move_found_by_playouts_tells_what_it_was_found_among() {
        let candidates = vec!["D4 300 0.53".to_owned(), "C3 100 0.50".to_owned()];
        let (tree, nodes) = (Some(900), Some(500));
        let (value, depth, seconds) = (Some(0.53), Some(7), Some(0.25));
        let m = Move { tree, nodes, value, depth, seconds, candidates, ..Move::default() };
        assert_eq!(comment(&m), "53.0%/7 0.250s; 500 playouts, 900 nodes; D4 300 0.53, C3 100 0.50");
    }

    fn entry(result: &str, reason: &str) -> Entry {
        Entry {
            game: 3,
            pair: 1,
            date: "2026.01.31".to_owned(),
            white: "a".to_owned(),
            black: "b".to_owned(),
            result: result.to_owned(),
            reason: reason.to_owned(),
            book: 1,
            seconds: 1.0,
            ..Entry::default()
        }
    }

    /// The text of a game of these moves in a file of its own.
    fn archived(game: &str, rules: &[(&str, &str)], moves: &[&str], entry: Entry) -> String {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games");
        let rules = rules.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let (engines, settings) = (Vec::new(), Vec::new());
        let head = Head { game: game.to_owned(), rules, engines, settings };
        let thought = |text: &&str| Move {
            text: text.to_string(),
            value: Some(0.531),
            depth: Some(7),
            seconds: Some(0.5),
            ..Move::default()
        };
        let moves = moves.iter().map(thought).collect();
        Archive::open(&path, true, "test", &head).unwrap().add(&Entry { moves, ..entry }).unwrap();
        std::fs::read_to_string(&path).unwrap()
    }

    #[test]
    fn chess960_is_named_in_its_records() {
        let moves = ["b1e1", "h8g8"];
        let fen = Some("7k/8/8/8/8/8/8/1K2R3 w E - 0 1".to_owned());
        let begun = Entry { fen, ..entry("*", "x") };
        let text = archived("chess", &[("UCI_Chess960", "true")], &moves, begun);
        assert!(text.contains("[Variant \"Chess960\"]") && text.contains("1. O-O {"), "{text}");
        assert!(!archived("chess", &[], &["e2e4"], entry("*", "x")).contains("Variant"));
    }

    #[test]
    fn draughts_are_archived_as_pdn_with_comments() {
        let text = archived("draughts", &[("Variant", "russian")], &["22-18", "11-15"], entry("1-0", "x"));
        assert!(text.contains("[GameType \"25,W,8,8,A0,0\"]") && !text.contains("Variant"), "{text}");
        // What pydraughts reads: columns and rows, and no number but White's.
        assert!(text.contains("1. c3-d4 {53.1%/7 0.500s} f6-e5 {53.1%/7 0.500s} 1-0"), "{text}");
        let read = Format::Pdn.read(&text).unwrap();
        assert_eq!((read.len(), read[0].moves().len()), (1, 2));
    }

    #[test]
    fn go_is_archived_as_sgf_with_comments_and_its_margin() {
        let rules = [("BoardSize", "5"), ("Komi", "0.5")];
        let dead = Some(vec!["A1".to_owned()]);
        let counted = Entry { dead, ..entry("0-1", "more points") };
        let text = archived("go", &rules, &["C3", "A1", "pass", "pass"], counted);
        assert!(
            text.contains("SZ[5]KM[0.5]RU[chinese]PW[a]PB[b]DT[2026-01-31]EV[test]RO[2]RE[B+24.5]"),
            "{text}"
        );
        assert!(text.contains(";B[cc]C[53.1%/7 0.500s]") && text.contains(";W[]C["), "{text}");
        let read = go::sgf::read(&text, go::Rules::default(), None).unwrap();
        assert_eq!(read.len(), 4);
        let result = |result: &str, reason: &str| {
            let text = archived("go", &rules, &["C3"], entry(result, reason));
            text.split_once("RE[").unwrap().1.split_once(']').unwrap().0.to_owned()
        };
        assert_eq!(result("1-0", "resignation"), "W+R");
        assert_eq!(result("0-1", "time forfeit"), "B+T");
        assert_eq!(result("0-1", "illegal move"), "B+F");
        assert_eq!(result("1/2-1/2", "maximum number of plies"), "0");
        assert_eq!(result("1/2-1/2", "no result by repetition"), "Void");
    }

    #[test]
    fn results_have_no_dust() {
        let counted = |komi: &str, moves: &[&str], result: &str, reason: &str| {
            let rules = [("BoardSize", "5"), ("Komi", komi)];
            archived("go", &rules, moves, entry(result, reason))
        };
        assert!(counted("22.1", &["C3", "pass", "pass"], "0-1", "more points").contains("RE[B+2.9]"));
        assert!(counted("0.3", &["pass", "pass"], "1-0", "more points").contains("RE[W+0.3]"));
        assert!(counted("0", &["pass", "pass"], "1/2-1/2", "equal points").contains("RE[0]"));
    }

    #[test]
    fn an_archived_game_can_be_replayed() {
        let text = |text: &str| Move { text: text.to_owned(), ..Move::default() };
        let thought = Move { score: Some(31), depth: Some(7), seconds: Some(0.5), ..text("a8b7") };
        let entry = Entry { moves: vec![text("a1b2"), thought], ..entry("0-1", "time forfeit") };
        let mut referee = open("neighbours", &[]).unwrap();
        let limits = [("a", "x tc=40/60+0.5 nodes=9"), ("b", "x st=2")];
        let settings = limits.map(|(name, words)| (name.to_owned(), words.to_owned())).to_vec();
        let head = Head { game: "neighbours".to_owned(), rules: Vec::new(), engines: Vec::new(), settings };
        let written = Format::Pgn.write(
            &record(&entry, "test", &head, referee.as_mut()).unwrap(),
            &*open("neighbours", &[]).unwrap(),
        );
        assert!(written.contains("1. a1b2 {book} 1... a8b7 {+0.31/7 0.500s} 0-1"), "{written}");
        let times = "[WhiteTimeControl \"40/60+0.5\"]\n[BlackTimeControl \"1/2\"]";
        assert!(written.contains(times), "{written}");
        let read = Format::Pgn.read(&written).unwrap().remove(0);
        assert_eq!((read.tag("Round"), read.tag("Termination")), (Some("2"), Some("time forfeit")));
        read.replay(referee.as_mut(), usize::MAX).unwrap();
        assert_eq!(referee.moves(), ["a1b2", "a8b7"]);
    }
}
