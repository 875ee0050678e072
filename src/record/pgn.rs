//! PGN: seven tags and more, numbered moves with variations, signs and comments in braces, a result.
//!
//! Reading is lenient and leaves the moves themselves to the referee. It takes time in proportion to the text, and no
//! stack, since files come from anywhere. PDN is read by the same reader, in its own [`Dialect`].

use search::Side;

use super::{GameResult, Node, Record, RecordError, comment, unique};
use crate::analysis::Mark;

/// The tags every record begins with, in this order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
/// The words that the standard has for the end of a game; `normal` is every end that a rule or a player makes.
const ENDS: [&str; 8] = [
    "normal",
    "time forfeit",
    "abandoned",
    "adjudication",
    "death",
    "emergency",
    "rules infraction",
    "unterminated",
];
/// Ends of ours that are not normal.
const OTHER_ENDS: [(&str, &str); 7] = [
    ("illegal move", "rules infraction"),
    ("refuses", "rules infraction"),
    ("disconnects", "abandoned"),
    ("stalls", "abandoned"),
    ("resign adjudication", "adjudication"),
    ("draw adjudication", "adjudication"),
    ("maximum number of plies", "adjudication"),
];
/// Lines of moves are broken before they exceed this.
const WIDTH: usize = 80;

/// In what the texts of a family differ.
pub(super) struct Dialect {
    /// The result that a word is, if it is one; the inner none leaves it to the tag.
    pub result: fn(&str) -> Option<Option<GameResult>>,
    /// The signs that end a word, beside blanks.
    pub ends: &'static str,
    /// Signs behind a move that say nothing about it.
    pub dross: &'static [char],
    /// Whether Black's move has its number again where a comment or a variation stands before it.
    pub numbers_anew: bool,
}

const DIALECT: Dialect =
    Dialect { result: |word| word.parse().ok().map(Some), ends: "{();$", dross: &[], numbers_anew: true };

/// Writes a record with an empty line at its end; `first` makes the first move.
pub fn write(record: &Record, first: Side) -> String {
    write_as(&DIALECT, record, first)
}

/// Writes a record in this dialect.
pub(super) fn write_as(dialect: &Dialect, record: &Record, first: Side) -> String {
    let mut out = String::new();
    let result = record.result.to_string();
    for name in ROSTER {
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        let value = if name == "Result" { &result } else { record.tag(name).unwrap_or(unknown) };
        out += &tag(name, value);
    }
    for (name, value) in record.tags.iter().filter(|(name, _)| !ROSTER.contains(&name.as_str())) {
        if name == "Termination" && !ENDS.contains(&value.as_str()) {
            out += &tag(name, termination(value, record.result));
            out += &tag("Reason", value);
        } else {
            out += &tag(name, value);
        }
    }
    out.push('\n');
    out += &wrapped(&Writer::new(dialect, record).words(first));
    out.push_str("\n\n");
    out
}

/// The standard's word for an end.
fn termination(reason: &str, result: GameResult) -> &'static str {
    match OTHER_ENDS.iter().find(|(known, _)| *known == reason) {
        Some((_, word)) => word,
        None if result == GameResult::Open => "unterminated",
        None => "normal",
    }
}

/// A tag ends with its line, so a value has none within it.
fn tag(name: &str, value: &str) -> String {
    let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// What is still to be written.
enum Step {
    /// All that follows a node, which stands after so many plies; whether a move needs its number whoever makes it.
    After(usize, usize, bool),
    /// The variation that begins with a node.
    Variation(usize, usize),
    /// The end of a variation.
    Close,
}

struct Writer<'a> {
    dialect: &'a Dialect,
    record: &'a Record,
    words: Vec<String>,
    /// What stands right before the next word.
    opening: &'static str,
}

impl<'a> Writer<'a> {
    fn new(dialect: &'a Dialect, record: &'a Record) -> Self {
        Writer { dialect, record, words: Vec::new(), opening: "" }
    }

    /// The moves with their numbers, signs, comments and variations, and the result.
    fn words(mut self, first: Side) -> Vec<String> {
        self.say(comment::words(&self.record.tree.nodes()[0]));
        let continuations = self.record.tree.continuations();
        let mut steps = vec![Step::After(0, first.index(), true)];
        while let Some(step) = steps.pop() {
            match step {
                Step::After(at, ply, fresh) => {
                    let Some((&main, others)) = continuations[at].split_first() else { continue };
                    let said = self.say_before(main);
                    let commented = self.play(main, ply, fresh || said && self.dialect.numbers_anew);
                    let variations = others.iter().rev().map(|&id| Step::Variation(id, ply));
                    let is_apart = commented || !others.is_empty();
                    steps.push(Step::After(main, ply + 1, is_apart && self.dialect.numbers_anew));
                    steps.extend(variations);
                }
                Step::Variation(id, ply) => {
                    self.opening = "(";
                    self.say_before(id);
                    let commented = self.play(id, ply, true);
                    let fresh = commented && self.dialect.numbers_anew;
                    steps.extend([Step::Close, Step::After(id, ply + 1, fresh)]);
                }
                Step::Close => self.close(),
            }
        }
        self.push(self.record.result.to_string());
        self.words
    }

    /// Writes a move; whether a comment follows it.
    fn play(&mut self, id: usize, ply: usize, fresh: bool) -> bool {
        let node = &self.record.tree.nodes()[id];
        if ply.is_multiple_of(2) {
            self.push(format!("{}.", ply / 2 + 1));
        } else if fresh {
            self.push(format!("{}...", ply / 2 + 1));
        }
        self.push(format!("{}{}", node.text, node.mark.map_or("", Mark::sign)));
        node.glyphs.iter().for_each(|glyph| self.push(format!("${glyph}")));
        self.say(comment::words(node))
    }

    /// Writes what was said before a move, if there was anything: a variation on the board may have become the main line.
    fn say_before(&mut self, id: usize) -> bool {
        self.say(self.record.tree.nodes()[id].before.split_whitespace().map(str::to_owned).collect())
    }

    /// Writes a comment in its braces, if there is one; one with a brace in it takes the rest of a line.
    fn say(&mut self, mut words: Vec<String>) -> bool {
        let Some(last) = words.len().checked_sub(1) else { return false };
        if words.iter().any(|word| word.contains('}')) {
            self.push(format!("; {}\n", words.join(" ")));
        } else {
            words[0].insert(0, '{');
            words[last].push('}');
            words.into_iter().for_each(|word| self.push(word));
        }
        true
    }

    fn close(&mut self) {
        match self.words.last_mut() {
            Some(word) if !word.ends_with('\n') => word.push(')'),
            _ => self.push(")".to_owned()),
        }
    }

    fn push(&mut self, word: String) {
        self.words.push(std::mem::take(&mut self.opening).to_owned() + &word);
    }
}

/// Words in lines; one that ends its line says so.
fn wrapped(words: &[String]) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        column = if word.ends_with('\n') { 0 } else { column + word.len() };
    }
    out
}

/// Reads all records of a text.
pub fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    read_as(&DIALECT, text)
}

/// Reads all records of a text in this dialect.
pub(super) fn read_as(dialect: &Dialect, text: &str) -> Result<Vec<Record>, RecordError> {
    let mut reader = Reader {
        dialect,
        rest: text,
        line: 1,
        records: Vec::new(),
        current: None,
        at: 0,
        open: Vec::new(),
        said: None,
    };
    while reader.step()? {}
    reader.finish()?;
    Ok(reader.records)
}

struct Reader<'a> {
    dialect: &'a Dialect,
    rest: &'a str,
    line: usize,
    records: Vec<Record>,
    current: Option<Record>,
    /// The node that was read last in the line at hand.
    at: usize,
    /// The variations begun: the node to return to, and the line of the bracket.
    open: Vec<(usize, usize)>,
    /// Where a variation has begun and its first move has not come: what was said before it.
    said: Option<String>,
}

impl<'a> Reader<'a> {
    /// Reads one tag, comment or word; false at the end of the text.
    fn step(&mut self) -> Result<bool, RecordError> {
        let skip = self.rest.len() - self.rest.trim_start().len();
        self.take(skip);
        let Some(first) = self.rest.chars().next() else { return Ok(false) };
        match first {
            '[' if self.open.is_empty() => self.tag()?,
            '{' => {
                let line = self.line;
                let end = self.rest.find('}').ok_or_else(|| unclosed(line, '{'))?;
                let text = self.take(end + 1);
                self.comment(&text[1..end]);
            }
            ';' => {
                let text = self.rest_of_line();
                self.comment(&text[1..]);
            }
            '%' if self.open.is_empty() || self.dialect.ends.contains('%') => drop(self.rest_of_line()),
            '(' => self.open(),
            ')' => self.close(),
            '$' => self.glyph(),
            _ => self.word()?,
        }
        Ok(true)
    }

    fn tag(&mut self) -> Result<(), RecordError> {
        // A tag after moves begins the next game, even where the result is missing.
        if self.current.as_ref().is_some_and(|record| record.tree.nodes().len() > 1) {
            self.finish()?;
        }
        let line = self.line;
        let text = self.take(tag_length(self.rest)).trim();
        let (name, value) = read_tag(text)
            .ok_or_else(|| RecordError::At { line, why: Box::new(RecordError::Tag(text.to_owned())) })?;
        let result = self.dialect.result;
        let record = self.record();
        if name == "Result" {
            record.result = result(value.trim()).flatten().unwrap_or_default();
        } else {
            record.tags.push((name.to_owned(), value));
        }
        Ok(())
    }

    /// What is said about the last move, or before the first one; a variation may stand between two comments.
    fn comment(&mut self, text: &str) {
        // What stands between two games belongs to neither.
        let Some(record) = &mut self.current else { return };
        let said = self.said.as_mut().unwrap_or(&mut record.tree.nodes_mut()[self.at].comment);
        comment::add(said, text);
    }

    /// A variation replaces the move before it.
    fn open(&mut self) {
        self.take(1);
        self.open.push((self.at, self.line));
        let at = self.at;
        self.at = self.record().tree.nodes()[at].parent;
        self.said = Some(String::new());
    }

    fn close(&mut self) {
        self.take(1);
        if let Some((at, _)) = self.open.pop() {
            self.at = at;
        }
        self.said = None;
    }

    /// A number that stands for a sign such as `!`.
    fn glyph(&mut self) {
        self.take(1);
        let end = self.rest.find(|c: char| !c.is_ascii_digit());
        if let Ok(glyph) = self.take(end.unwrap_or(self.rest.len())).parse() {
            self.mark(Mark::of_glyph(glyph), Some(glyph));
        }
    }

    /// Marks the last move; a sign that is no mark, or a second one, is kept by its number.
    fn mark(&mut self, mark: Option<Mark>, glyph: Option<u8>) {
        let at = self.at;
        if at == 0 || self.said.is_some() {
            return;
        }
        let node = &mut self.record().tree.nodes_mut()[at];
        match mark.filter(|_| node.mark.is_none()) {
            Some(mark) => node.mark = Some(mark),
            None => node.glyphs.extend(glyph),
        }
    }

    /// A move, a number or the result.
    fn word(&mut self) -> Result<(), RecordError> {
        // A stray sign that begins nothing is a word of its own.
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        let end = self.rest.find(|c: char| c.is_whitespace() || self.dialect.ends.contains(c));
        let word = self.take(end.unwrap_or(self.rest.len()).max(first));
        if let Some(result) = (self.dialect.result)(word) {
            return if self.open.is_empty() { self.end(result) } else { Ok(()) };
        }
        // Numbers may touch their move: `1.e4`, `1...e5`.
        let word = match word.trim_start_matches(|c: char| c.is_ascii_digit()) {
            rest if rest.starts_with('.') => rest.trim_start_matches('.'),
            _ => word,
        };
        let text = word.trim_end_matches(|c| "!?".contains(c) || self.dialect.dross.contains(&c));
        let sign = word[text.len()..].trim_matches(self.dialect.dross);
        let is_number = text.bytes().all(|c| c.is_ascii_digit());
        if !is_number && text != "e.p." {
            self.play(text);
        }
        self.mark(Mark::of_sign(sign), None);
        Ok(())
    }

    fn play(&mut self, text: &str) {
        let (parent, before) = (self.at, self.said.take().unwrap_or_default());
        let node = Node { parent, text: text.to_owned(), before, ..Node::default() };
        self.at = self.record().tree.add(node);
    }

    fn end(&mut self, result: Option<GameResult>) -> Result<(), RecordError> {
        let record = self.record();
        record.result = result.unwrap_or(record.result);
        self.finish()
    }

    fn rest_of_line(&mut self) -> &'a str {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.take(end)
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn record(&mut self) -> &mut Record {
        let line = self.line;
        self.current.get_or_insert_with(|| Record { line, ..Record::default() })
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        if let Some(&(_, line)) = self.open.first() {
            return Err(unclosed(line, '('));
        }
        self.at = 0;
        let Some(record) = self.current.take() else { return Ok(()) };
        let mut record = Record { tags: unique(record.tags), ..record };
        record.tree.nodes_mut().iter_mut().for_each(comment::obey);
        // Our reason says more than the standard's word.
        if let Some(place) = record.tags.iter().position(|(name, _)| name == "Reason") {
            let (_, reason) = record.tags.remove(place);
            record.set_tag("Termination", reason);
        }
        self.records.push(record);
        Ok(())
    }
}

fn unclosed(line: usize, open: char) -> RecordError {
    RecordError::At { line, why: Box::new(RecordError::Unclosed(open)) }
}

/// The length of the tag that a text begins with: to the first bracket behind the quotation mark that ends its value,
/// since several tags may share a line; the whole line if there is none.
fn tag_length(text: &str) -> usize {
    let (mut is_open, mut is_closed, mut is_escaped) = (false, false, false);
    for (at, c) in text.char_indices() {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => (is_closed, is_escaped) = (false, true),
            '"' => (is_open, is_closed) = (true, is_open),
            ']' if is_closed => return at + 1,
            _ => is_closed &= c.is_whitespace(),
        }
    }
    text.len()
}

/// Name and value of `[Name "value"]`.
fn read_tag(text: &str) -> Option<(&str, String)> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, value) = inside.split_once(char::is_whitespace)?;
    let quoted = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::new();
    let mut letters = quoted.chars();
    while let Some(c) = letters.next() {
        value.push(if c == '\\' { letters.next()? } else { c });
    }
    Some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Tree;

    fn record(texts: &[&str]) -> Record {
        let moves = texts.iter().map(|t| Node { text: t.to_string(), ..Node::default() });
        let mut record =
            Record { tree: Tree::of_line(moves), result: GameResult::Won(Side::Black), ..Record::default() };
        for name in &ROSTER[..6] {
            record.set_tag(name, "a \"b\" \\ ]");
        }
        record
    }

    fn texts(record: &Record) -> Vec<&str> {
        record.moves().into_iter().map(|m| m.text.as_str()).collect()
    }

    #[test]
    fn ends_are_told_in_the_words_of_the_standard_and_in_ours() {
        for (reason, word) in
            [("checkmate", "normal"), ("disconnects", "abandoned"), ("time forfeit", "time forfeit")]
        {
            let mut record = record(&["a1b2"]);
            record.set_tag("Termination", reason);
            let written = write(&record, Side::White);
            assert!(written.contains(&format!("[Termination \"{word}\"]")), "{written}");
            assert_eq!(read(&written).unwrap()[0].tags, record.tags);
        }
        let mut open = Record { result: GameResult::Open, ..record(&["a1b2"]) };
        open.set_tag("Termination", "adjourned");
        assert!(write(&open, Side::White).contains("[Termination \"unterminated\"]\n[Reason \"adjourned\"]"));
    }

    #[test]
    fn a_tag_of_two_lines_is_written_in_one() {
        let mut record = record(&["a1b2"]);
        record.set_tag("Site", "here\r\nthere");
        assert_eq!(read(&write(&record, Side::White)).unwrap()[0].tag("Site"), Some("here  there"));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut first = record(&["a1b2", "h8g7", "a2b1"]);
        first.tree.nodes_mut()[0].comment = "played at night".to_owned();
        first.tree.nodes_mut()[2].comment = "+0.31/12 0.5s".to_owned();
        first.set_tag("FEN", "8/8 w 0");
        let second = Record { result: GameResult::Open, ..record(&[]) };
        let third = record(&["d6-d5xb4"; 60]);
        for side in [Side::White, Side::Black] {
            let text: String = [&first, &second, &third].iter().map(|r| write(r, side)).collect();
            assert!(text.lines().all(|line| line.len() <= WIDTH));
            let back = read(&text).unwrap();
            assert_eq!(back.len(), 3);
            for (read, written) in back.iter().zip([&first, &second, &third]) {
                assert_eq!(*read, Record { line: read.line, ..written.clone() });
            }
        }
    }

    #[test]
    fn whole_trees_are_read_back_as_written() {
        let text = "[Event \"x\"]\n\n{before {all [%eval 0.2]} 1. e4!? $14 {[%eval 0.31,12] [%clk 0:01:02] good}\n\
                    ({or} 1. d4 d5 (1... Nf6!! {[%eval #-3]} 2. c4 (2. Nf3)) (1... f5?!) 2. c4)\n\
                    (1. c4 ; so } said\n) 1... e5 $1 $2 $255 {[%emt 0:00:05.25] [%csl Ga1]} 2. Nf3 1/2-1/2\n\
                    \n[Event \"y\"]\n1. d4 ( ) (?) *\n";
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let records = read(&text).unwrap();
            let nodes = records[0].tree.nodes();
            assert_eq!((records.len(), nodes.len(), nodes[0].score), (2, 12, Some(20)));
            assert_eq!((nodes[2].before.as_str(), nodes[9].comment.as_str()), ("or", "so } said"));
            assert_eq!((nodes[10].mark, nodes[10].glyphs.as_slice()), (Some(Mark::Good), &[2, 255][..]));
            let written: String = records.iter().map(|record| write(record, Side::White)).collect();
            let again = read(&written).unwrap();
            for (read, written) in again.iter().zip(&records) {
                assert_eq!((&read.tree, read.result), (&written.tree, written.result));
            }
            let thrice: String = again.iter().map(|record| write(record, Side::White)).collect();
            assert_eq!(thrice, written);
        }
    }

    #[test]
    fn variations_are_written_as_people_read_them() {
        let record = read("1. e4 (1. d4 {x} d5) (1. c4) e5 (1... c5 2. Nf3) 2. Nf3 *").unwrap().remove(0);
        let text = write(&record, Side::White);
        let moves = "1. e4 (1. d4 {x} 1... d5) (1. c4) 1... e5 (1... c5 2. Nf3) 2. Nf3 *";
        assert!(text.ends_with(&format!("\n\n{moves}\n\n")), "{text}");
    }

    #[test]
    fn foreign_records_are_read() {
        let text = "% escape\n[Event \"x\"]\n\n1.e4 {good} (1. d4) {and sound} e5!? $1 \
                    (1... c5 {a ) b} (1... d5)) 2. Nf3 ; rest\n2... Nc6 1/2-1/2\n[Event \"y\"]\n1. d4\n[Event \"z\"]\n*";
        let records = read(text).unwrap();
        let moves = records.iter().map(|record| texts(record).join(" "));
        assert_eq!(moves.collect::<Vec<_>>(), ["e4 e5 Nf3 Nc6", "d4", ""]);
        assert_eq!((records[0].result, records[1].line), (GameResult::Drawn, 6));
        assert_eq!(records[0].moves()[0].comment, "good and sound");
        assert_eq!(records[0].moves()[2].comment, "rest");
    }

    #[test]
    fn careless_records_are_read() {
        let text = "\u{feff}[Event \"The \"Big\" [Open]\"] [FEN \"8/8 w 0\" ]\r\n\r\n\
                    1.e4$1$14 (1. d4 ; closed :)\n d5) 1...d5 2. exd6 e.p. $3{yes} 1-0";
        let records = crate::record::Format::Pgn.read(text).unwrap();
        assert_eq!(texts(&records[0]), ["e4", "d5", "exd6"]);
        assert_eq!(records[0].moves()[2].comment, "yes");
        assert_eq!(records[0].tag("Event"), Some("The \"Big\" [Open]"));
        assert_eq!(records[0].tag("FEN"), Some("8/8 w 0"));
        let two = read("1. e4 (1. d4 1-0 45% [x]) e5 * 1. d4 0-1").unwrap();
        assert_eq!(two.iter().map(texts).collect::<Vec<_>>(), [vec!["e4", "e5"], vec!["d4"]]);
    }

    #[test]
    fn bad_text_is_refused_with_its_line() {
        assert_eq!(read("[Event \"x\"]\n[Oops]\n").unwrap_err().to_string(), "line 2: '[Oops]' is not a tag");
        assert_eq!(read("\n1. e4 {no end").unwrap_err().to_string(), "line 2: '{' is never closed");
        assert_eq!(read("1. e4 (e5").unwrap_err().to_string(), "line 1: '(' is never closed");
    }

    /// A reader that counts anything once for each other thing would take minutes.
    #[test]
    fn large_and_deep_records_take_time_in_proportion_and_no_stack() {
        let tags: String = (0..70_000).map(|n| format!("[T{n} \"x\"]")).collect();
        let same = "[T \"x\"]\n".repeat(70_000);
        let deep = format!("1. e4 {}{} *", "(1. d4 ".repeat(100_000), ")".repeat(100_000));
        let wide = format!("1. e4 {} *", "(1. d4) ".repeat(100_000));
        let said = format!("1. e4 {} {{{}}} *", "{[%eval}".repeat(70_000), "[%eval 1]".repeat(70_000));
        for text in [tags + "*", same + "*", deep, wide, said] {
            let read = read(&text).unwrap().remove(0);
            assert!(write(&read, Side::White).len() > 100);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "[\\[\\]\"{}();%$1-9.a-h! \\\\\n*/-]{0,60}") {
            if let Ok(records) = read(&text) {
                for record in &records {
                    proptest::prop_assert!(record.tree.is_sound());
                    let _ = write(record, Side::White);
                }
            }
        }
    }
}
