//! PGN: seven tags and more, numbered moves, comments in braces, a result.
//!
//! Reading is lenient: variations, annotation signs, `;` comments and `%` lines are skipped, and the moves
//! themselves are left to the referee.

use super::{GameResult, Record, RecordError, RecordMove};

/// The tags every record begins with, in this order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
/// Lines of moves are broken before they exceed this.
const WIDTH: usize = 80;

/// Writes a record with an empty line at its end; `black_first` if Black made the first move.
pub fn write(record: &Record, black_first: bool) -> String {
    let mut out = String::new();
    let result = record.result.to_string();
    for name in ROSTER {
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        let value = if name == "Result" { &result } else { record.tag(name).unwrap_or(unknown) };
        out += &tag(name, value);
    }
    for (name, value) in record.tags.iter().filter(|(name, _)| !ROSTER.contains(&name.as_str())) {
        out += &tag(name, value);
    }
    out.push('\n');
    out += &wrapped(&words(record, black_first));
    out.push_str("\n\n");
    out
}

fn tag(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The moves with their numbers and comments, and the result.
fn words(record: &Record, black_first: bool) -> Vec<String> {
    let mut words = said(&record.comment);
    let mut after_comment = true;
    for (m, ply) in record.moves.iter().zip(usize::from(black_first)..) {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        } else if after_comment {
            words.push(format!("{}...", ply / 2 + 1));
        }
        words.push(m.text.clone());
        after_comment = !m.comment.is_empty();
        words.extend(said(&m.comment));
    }
    words.push(record.result.to_string());
    words
}

/// A comment in its braces, if there is one.
fn said(comment: &str) -> Vec<String> {
    if comment.is_empty() {
        return Vec::new();
    }
    format!("{{{}}}", comment.replace('}', ")")).split_whitespace().map(str::to_owned).collect()
}

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
        column += word.len();
    }
    out
}

/// Reads all records of a text.
pub fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    // Editors of Windows begin a file with a mark of its encoding.
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = Reader { rest: text, line: 1, records: Vec::new(), current: None };
    while reader.step()? {}
    reader.finish();
    Ok(reader.records)
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    records: Vec<Record>,
    current: Option<Record>,
}

impl<'a> Reader<'a> {
    /// Reads one tag, comment or word; false at the end of the text.
    fn step(&mut self) -> Result<bool, RecordError> {
        let skip = self.rest.len() - self.rest.trim_start().len();
        self.take(skip);
        let Some(first) = self.rest.chars().next() else { return Ok(false) };
        match first {
            '[' => self.tag()?,
            '{' => self.comment()?,
            ';' | '%' => self.skip_line(),
            '(' => self.variation()?,
            '$' => self.annotation(),
            _ => self.word(),
        }
        Ok(true)
    }

    fn tag(&mut self) -> Result<(), RecordError> {
        // A tag after moves begins the next game, even where the result is missing.
        if self.current.as_ref().is_some_and(|r| !r.moves.is_empty()) {
            self.finish();
        }
        let line = self.line;
        let text = self.take(tag_length(self.rest)).trim();
        let (name, value) = read_tag(text)
            .ok_or_else(|| RecordError::At { line, why: Box::new(RecordError::Tag(text.to_owned())) })?;
        let record = self.record();
        if name == "Result" {
            record.result = value.parse().unwrap_or_default();
        }
        record.set_tag(name, value);
        Ok(())
    }

    /// What is said about the last move, or before the first one; a variation may stand between two comments.
    fn comment(&mut self) -> Result<(), RecordError> {
        let text = self.until('{', '}')?;
        // What stands between two games belongs to neither.
        let Some(record) = &mut self.current else { return Ok(()) };
        let comment = match record.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut record.comment,
        };
        for word in text.split_whitespace() {
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.push_str(word);
        }
        Ok(())
    }

    fn variation(&mut self) -> Result<(), RecordError> {
        let (mut depth, line) = (0, self.line);
        while let Some(c) = self.rest.chars().next() {
            match c {
                '{' => {
                    self.until('{', '}')?;
                    continue;
                }
                ';' => {
                    self.skip_line();
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            self.take(c.len_utf8());
            if depth == 0 {
                return Ok(());
            }
        }
        Err(RecordError::At { line, why: Box::new(RecordError::Unclosed('(')) })
    }

    /// A number that stands for a sign such as `!`.
    fn annotation(&mut self) {
        self.take(1);
        let end = self.rest.find(|c: char| !c.is_ascii_digit());
        self.take(end.unwrap_or(self.rest.len()));
    }

    /// A move, a number or the result.
    fn word(&mut self) {
        let end = self.rest.find(|c: char| c.is_whitespace() || "{(;$".contains(c));
        let word = self.take(end.unwrap_or(self.rest.len()));
        if let Ok(result) = word.parse::<GameResult>() {
            self.record().result = result;
            self.finish();
            return;
        }
        // Numbers may touch their move: `1.e4`, `1...e5`.
        let text = match word.trim_start_matches(|c: char| c.is_ascii_digit()) {
            rest if rest.starts_with('.') => rest.trim_start_matches('.'),
            _ => word,
        };
        let text = text.trim_end_matches(['!', '?']);
        let is_number = text.bytes().all(|c| c.is_ascii_digit());
        if !is_number && !matches!(text, ")" | "e.p.") {
            self.record().moves.push(RecordMove { text: text.to_owned(), comment: String::new() });
        }
    }

    /// What stands between the bracket here and its partner.
    fn until(&mut self, open: char, close: char) -> Result<&'a str, RecordError> {
        let line = self.line;
        let Some(end) = self.rest.find(close) else {
            return Err(RecordError::At { line, why: Box::new(RecordError::Unclosed(open)) });
        };
        let inside = &self.take(end)[open.len_utf8()..];
        self.take(close.len_utf8());
        Ok(inside)
    }

    fn skip_line(&mut self) {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.take(end);
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

    fn finish(&mut self) {
        self.records.extend(self.current.take());
    }
}

/// The length of the tag that a text begins with: to the first bracket behind the quotation mark that ends its value,
/// since several tags may share a line; the whole line if there is none.
fn tag_length(text: &str) -> usize {
    let line = &text[..text.find('\n').unwrap_or(text.len())];
    let (mut is_open, mut is_closed, mut is_escaped) = (false, false, false);
    for (at, c) in line.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => (is_closed, is_escaped) = (false, true),
            '"' => (is_open, is_closed) = (true, is_open),
            ']' if is_closed => return at + 1,
            _ => is_closed &= c.is_whitespace(),
        }
    }
    line.len()
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
    use search::Side;

    fn record(texts: &[&str]) -> Record {
        let moves = texts.iter().map(|t| RecordMove { text: t.to_string(), comment: String::new() });
        let mut record =
            Record { moves: moves.collect(), result: GameResult::Won(Side::Black), ..Record::default() };
        for name in ROSTER {
            record.set_tag(name, if name == "Result" { "0-1" } else { "a \"b\" \\ ]" });
        }
        record
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut first = record(&["a1b2", "h8g7", "a2b1"]);
        first.comment = "played at night".to_owned();
        first.moves[1].comment = "+0.31/12 0.5s".to_owned();
        first.set_tag("FEN", "8/8 w 0");
        let second = Record { result: GameResult::Open, ..record(&[]) };
        let third = record(&["d6-d5xb4"; 60]);
        for black_first in [false, true] {
            let text: String = [&first, &second, &third].iter().map(|r| write(r, black_first)).collect();
            assert!(text.lines().all(|line| line.len() <= WIDTH));
            let back = read(&text).unwrap();
            assert_eq!(back.len(), 3);
            for (read, written) in back.iter().zip([&first, &second, &third]) {
                assert_eq!((&read.moves, read.result), (&written.moves, written.result));
                assert_eq!(read.comment, written.comment);
                assert_eq!(read.tag("White"), written.tag("White"));
                assert_eq!(read.tag("FEN"), written.tag("FEN"));
            }
        }
    }

    #[test]
    fn foreign_records_are_read() {
        let text = "% escape\n[Event \"x\"]\n\n1.e4 {good} (1. d4) {and sound} e5!? $1 \
                    (1... c5 {a ) b} (1... d5)) 2. Nf3 ; rest\n2... Nc6 1/2-1/2\n[Event \"y\"]\n1. d4\n[Event \"z\"]\n*";
        let records = read(text).unwrap();
        let moves = |r: &Record| r.moves.iter().map(|m| m.text.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!(records.iter().map(moves).collect::<Vec<_>>(), ["e4 e5 Nf3 Nc6", "d4", ""]);
        assert_eq!((records[0].result, records[1].line), (GameResult::Drawn, 6));
        assert_eq!(records[0].moves[0].comment, "good and sound");
    }

    #[test]
    fn careless_records_are_read() {
        let text = "\u{feff}[Event \"The \"Big\" [Open]\"] [FEN \"8/8 w 0\" ]\r\n\r\n\
                    1.e4$1$14 (1. d4 ; closed :)\n d5) 1...d5 2. exd6 e.p. $3{yes} 1-0";
        let records = read(text).unwrap();
        let moves: Vec<&str> = records[0].moves.iter().map(|m| m.text.as_str()).collect();
        assert_eq!(moves, ["e4", "d5", "exd6"]);
        assert_eq!(records[0].moves[2].comment, "yes");
        assert_eq!(records[0].tag("Event"), Some("The \"Big\" [Open]"));
        assert_eq!(records[0].tag("FEN"), Some("8/8 w 0"));
    }

    #[test]
    fn bad_text_is_refused_with_its_line() {
        assert_eq!(read("[Event \"x\"]\n[Oops]\n").unwrap_err().to_string(), "line 2: '[Oops]' is not a tag");
        assert_eq!(read("\n1. e4 {no end").unwrap_err().to_string(), "line 2: '{' is never closed");
        assert_eq!(read("1. e4 (e5").unwrap_err().to_string(), "line 1: '(' is never closed");
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "[\\[\\]\"{}();%$1-9.a-h \\\\\n*/-]{0,60}") {
            let _ = read(&text);
        }
    }
}
