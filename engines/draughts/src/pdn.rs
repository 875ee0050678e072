//! Records of games in PDN 3, the portable draughts notation: read as other programs write them, and written
//! so that they can read them.
//!
//! Variations, annotation glyphs and clock times are passed over, and comments but for those that say who made a
//! move. A token such as `1-1` may be a result or look like a move; it is a result, because no piece moves to the
//! square it stands on. PDN 3 itself ends games with `*` and tells the result by its tag, so that `*` says nothing
//! about the result.

use std::fmt::Write;

use search::game::{Game, Side};
use search::{MoveError, Outcome, PositionError, Root};

use crate::{Notation, Position, Rules, Square, Variant};

/// A game with its tags.
#[derive(Clone, Debug)]
pub struct Record {
    /// Names and values in their order; without `Result`, `GameType` and `FEN`, which the rest implies.
    pub tags: Vec<(String, String)>,
    /// The start and the moves.
    pub game: Root<Position>,
    /// How it ended; none while it goes on.
    pub result: Option<Verdict>,
    /// Its first moves that were given to the players, not chosen by them.
    pub given: usize,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// White won.
    White,
    /// Black won.
    Black,
    /// Nobody did.
    Draw,
}

impl Verdict {
    /// As our records write it.
    pub fn text(result: Option<Verdict>) -> &'static str {
        match result {
            Some(Verdict::White) => "1-0",
            Some(Verdict::Black) => "0-1",
            Some(Verdict::Draw) => "1/2-1/2",
            None => "*",
        }
    }

    /// Reads a result as chess or as draughts counts points; the outer none: not a result.
    fn read(word: &str) -> Option<Option<Verdict>> {
        match word {
            "1-0" | "2-0" => Some(Some(Verdict::White)),
            "0-1" | "0-2" => Some(Some(Verdict::Black)),
            "1/2-1/2" | "1-1" => Some(Some(Verdict::Draw)),
            "*" | "0-0" => Some(None),
            _ => None,
        }
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        match outcome.winner {
            Some(Side::White) => Verdict::White,
            Some(Side::Black) => Verdict::Black,
            None => Verdict::Draw,
        }
    }
}

/// Why a text is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PdnError {
    /// A tag line that is not `[Name "value"]`.
    #[error("bad tag '{0}'")]
    Tag(String),
    /// A game that we do not play.
    #[error("GameType '{0}' is not a game played here")]
    GameType(String),
    /// A comment or variation without an end.
    #[error("'{0}' is never closed")]
    Open(char),
    /// The start position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move, with its number.
    #[error("move {number}: {error}")]
    Move {
        /// The number as people count.
        number: u32,
        /// What is wrong.
        error: MoveError,
    },
}

/// Reads all games of a file. `rules` are those of games that do not name theirs.
pub fn read(rules: &Rules, text: &str) -> Result<Vec<Record>, PdnError> {
    let rest = text.trim_start_matches('\u{feff}');
    let mut reader = Reader { rest, counts_from_a1: false, comment: "" };
    let mut records = Vec::new();
    while let Some(record) = reader.record(rules)? {
        records.push(record);
    }
    Ok(records)
}

impl Record {
    /// A record of a game, in progress or over.
    pub fn new(tags: Vec<(String, String)>, game: Root<Position>) -> Record {
        let result = game.outcome().map(Verdict::from);
        Record { tags, game, result, given: 0 }
    }

    /// The record as a PDN text.
    pub fn write(&self, notation: Notation) -> String {
        let start = self.game.start();
        let variant = start.rules().variant;
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(text, "[{name} \"{value}\"]").expect("a string takes all");
        };
        self.tags.iter().for_each(|(name, value)| tag(name, value));
        tag("Result", Verdict::text(self.result));
        tag("GameType", &game_type(variant, notation));
        if *start != Position::start(&start.rules()) {
            tag("SetUp", "1");
            tag("FEN", &notation.fen(start));
        }
        text.push('\n');
        text += &wrapped(self.words(notation));
        text.push('\n');
        text
    }

    fn words(&self, notation: Notation) -> Vec<String> {
        let mut words = Vec::new();
        for (i, (position, &m)) in self.game.positions().iter().zip(self.game.moves()).enumerate() {
            match position.turn() {
                Side::White => words.push(format!("{}.", position.number())),
                Side::Black if i == 0 => words.push(format!("{}...", position.number())),
                Side::Black => {}
            }
            words.push(notation.write(position, m));
        }
        words.push(Verdict::text(self.result).to_owned());
        words
    }
}

/// The tag's long form: variant, first mover, board, notation with the corner of its first square, no inversion.
pub fn game_type(variant: Variant, notation: Notation) -> String {
    let notation = match notation {
        Notation::Numeric => "N2",
        Notation::Algebraic => "A0",
    };
    format!("{},W,8,8,{notation},0", variant.game_type)
}

/// Words in lines that fit a narrow page.
fn wrapped(words: Vec<String>) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for word in words {
        let blank = if width == 0 { 0 } else { 1 };
        if width + blank + word.len() > 79 {
            text.push('\n');
            width = 0;
        } else if blank == 1 {
            text.push(' ');
            width += 1;
        }
        text += &word;
        width += word.len();
    }
    text.push('\n');
    text
}

struct Reader<'a> {
    rest: &'a str,
    /// Whether numbers of squares begin at a1 in the game at hand.
    counts_from_a1: bool,
    /// What was said last where blanks and the like were passed; empty for nothing.
    comment: &'a str,
}

impl<'a> Reader<'a> {
    fn record(&mut self, rules: &Rules) -> Result<Option<Record>, PdnError> {
        let mut tags = Vec::new();
        while self.skip()?.starts_with('[') {
            tags.push(self.tag()?);
        }
        if tags.is_empty() && self.rest.is_empty() {
            return Ok(None);
        }
        // An empty value and a question mark say that nothing is known.
        let mut take = |name: &str| {
            let at = tags.iter().position(|(tag, _): &(String, String)| tag.eq_ignore_ascii_case(name));
            at.map(|at| tags.remove(at).1).filter(|value| !["", "?"].contains(&value.trim()))
        };
        let game_type = take("GameType");
        let variant = game_type.as_deref().map_or(Ok(rules.variant), variant_of)?;
        self.counts_from_a1 = game_type.is_some_and(|text| counts_from_a1(&text));
        let rules = Rules { variant, ..*rules };
        let start = match take("FEN") {
            Some(fen) => Position::read(&rules, &fen)?,
            None => Position::start(&rules),
        };
        take("SetUp");
        let tagged = take("Result").and_then(|text| Verdict::read(text.trim())).flatten();
        let mut record = Record { tags, game: Root::new(start), result: tagged, given: 0 };
        if let Some(result) = self.moves(&mut record)? {
            record.result = Some(result);
        }
        Ok(Some(record))
    }

    /// Plays the moves up to the result, which it returns, or to `*`, or else to the next game's tags.
    fn moves(&mut self, record: &mut Record) -> Result<Option<Verdict>, PdnError> {
        let game = &mut record.game;
        loop {
            let rest = self.skip()?;
            // Runners mark the moves they made for the players so, random ones too.
            if self.comment.trim() == "book" && record.given + 1 == game.moves().len() {
                record.given += 1;
            }
            if rest.is_empty() || rest.starts_with('[') {
                return Ok(None);
            }
            let word = self.word();
            if let Some(result) = Verdict::read(word) {
                return Ok(result);
            }
            // Older programs mark a forced move with an asterisk.
            let word = without_number(word).trim_end_matches(['!', '?', '+', '#', '*']);
            if !word.is_empty() {
                let number = game.position().number();
                let word = if self.counts_from_a1 { renumbered(word) } else { word.to_ascii_lowercase() };
                game.play_text(&word).map_err(|error| PdnError::Move { number, error })?;
            }
        }
    }

    /// Passes blanks, comments, variations, glyphs and escaped lines; returns what follows.
    fn skip(&mut self) -> Result<&'a str, PdnError> {
        self.comment = "";
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.chars().next() {
                Some('{') => self.comment = self.leave_comment()?,
                Some('(') => self.leave_variation()?,
                Some(';' | '%') => self.leave_line(),
                Some('$') => self.rest = self.rest[1..].trim_start_matches(|c: char| c.is_ascii_digit()),
                _ => return Ok(self.rest),
            }
        }
    }

    /// Passes a comment; returns what it says.
    fn leave_comment(&mut self) -> Result<&'a str, PdnError> {
        let (inside, rest) = self.rest[1..].split_once('}').ok_or(PdnError::Open('{'))?;
        self.rest = rest;
        Ok(inside)
    }

    fn leave_line(&mut self) {
        self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
    }

    /// Passes a variation with those inside it; brackets in its comments are not its own.
    fn leave_variation(&mut self) -> Result<(), PdnError> {
        let mut depth = 0;
        while let Some(c) = self.rest.chars().next() {
            match c {
                '{' => {
                    self.leave_comment()?;
                    continue;
                }
                ';' | '%' => {
                    self.leave_line();
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            self.rest = &self.rest[c.len_utf8()..];
            if depth == 0 {
                return Ok(());
            }
        }
        Err(PdnError::Open('('))
    }

    fn word(&mut self) -> &'a str {
        let is_end = |c: char| c.is_whitespace() || "{}()[];$%".contains(c);
        // A stray sign that begins nothing is a word of its own.
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        let end = self.rest.find(is_end).unwrap_or(self.rest.len()).max(first);
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn tag(&mut self) -> Result<(String, String), PdnError> {
        let line = self.rest.lines().next().unwrap_or("");
        let refuse = || PdnError::Tag(line.to_owned());
        let (name, after) = self.rest[1..].split_once('"').ok_or_else(refuse)?;
        let name = name.trim();
        let mut value = String::new();
        let mut letters = after.char_indices();
        while let Some((at, c)) = letters.next() {
            match c {
                '"' => {
                    let rest = after[at + 1..].trim_start_matches([' ', '\t']);
                    self.rest = rest.strip_prefix(']').ok_or_else(refuse)?;
                    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
                    return if is_name { Ok((name.to_owned(), value)) } else { Err(refuse()) };
                }
                '\\' => value.extend(letters.next().map(|(_, c)| c)),
                '\n' => return Err(refuse()),
                c => value.push(c),
            }
        }
        Err(refuse())
    }
}

fn variant_of(text: &str) -> Result<Variant, PdnError> {
    let number = text.split(',').next().unwrap_or("").trim();
    Variant::ALL
        .into_iter()
        .find(|variant| variant.game_type.to_string() == number)
        .ok_or_else(|| PdnError::GameType(text.to_owned()))
}

/// Whether the long form of a GameType places square 1 in the lower left corner: `26,W,8,8,A0,0`.
fn counts_from_a1(game_type: &str) -> bool {
    game_type.split(',').nth(4).is_some_and(|notation| notation.trim().ends_with('0'))
}

/// A move by numbers from a1 = 1 on with our numbers; anything else as it is.
fn renumbered(word: &str) -> String {
    let parts = word.split_inclusive(|c: char| !c.is_ascii_digit());
    let is_numeric = !word.contains(|c: char| c.is_ascii_alphabetic() && !"xX".contains(c));
    let ours = |digits: &str| {
        let square = digits.parse().ok().filter(|n| (1..=32).contains(n)).map(|n: u8| Square(n - 1));
        square.map_or_else(|| digits.to_owned(), |square| square.number().to_string())
    };
    let part = |part: &str| {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        format!("{}{}", ours(&part[..end]), &part[end..])
    };
    if is_numeric { parts.map(part).collect() } else { word.to_ascii_lowercase() }
}

/// `12.c3-b4` and `12...` without the move's number.
fn without_number(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    match word.as_bytes().get(digits) {
        Some(b'.') => word[digits..].trim_start_matches('.'),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Record {
        read(&Rules::default(), text).unwrap().remove(0)
    }

    fn error(text: &str) -> String {
        read(&Rules::default(), text).unwrap_err().to_string()
    }

    #[test]
    fn what_other_programs_write_is_read() {
        let text = "\u{feff}% exported\n[Event \"A \\\"cup\\\"\"]\n[GameType \"26,W,8,8,A0,0\"]\n\n\
            1. c3-d4 {a comment (with brackets} h6-g5 $1 2.b2-c3! ; to the end\n\
            (2. d2-c3 (2. g3-h4) d6-c5) 2... d6-c5 1-1\n\n[Event \"next\"]\n1. 22-18 11-15 2-0";
        let records = read(&Rules::default(), text).unwrap();
        assert_eq!(records.len(), 2);
        assert_eq!(records[0].tags, [("Event".to_owned(), "A \"cup\"".to_owned())]);
        assert_eq!((records[0].game.moves().len(), records[0].result), (4, Some(Verdict::Draw)));
        assert_eq!((records[1].game.moves().len(), records[1].result), (2, Some(Verdict::White)));
    }

    #[test]
    fn careless_records_are_read() {
        let moves = |text: &str| one(text).game.moves().len();
        assert_eq!(moves("1. 22-18$1$14 9-13(?)% to the end\n2. 25-22* 12-16!! *"), 4);
        assert_eq!(moves("1. 22-18 (1. 21-17 {a :) b} 9-13 ; c :)\n(1... 12-16 {d (})) 9-13 *"), 2);
        assert_eq!(moves("[GameType \"?\"]\n[FEN \"\"]\n1. 22-18 9-13 1-1"), 2);
    }

    #[test]
    fn an_asterisk_leaves_the_result_to_its_tag() {
        let results = |text: &str| -> Vec<_> {
            read(&Rules::default(), text).unwrap().into_iter().map(|record| record.result).collect()
        };
        let text = "[Result \"2-0\"]\n1. 22-18 *\n[Result \"1/2-1/2\"]\n1. 21-17 *\n1. 22-18 *";
        assert_eq!(results(text), [Some(Verdict::White), Some(Verdict::Draw), None]);
        assert_eq!(results("[Result \"*\"]\n1. 22-18 0-2"), [Some(Verdict::Black)]);
    }

    #[test]
    fn records_are_read_back_as_written_in_both_notations() {
        for seed in 0..30 {
            let mut random = search::Random::new(seed);
            let variant = Variant::ALL[seed as usize % 2];
            let start = Position::start(&Rules { variant, ..Rules::default() });
            let mut game = search::walk::walk(start, 150, &mut random);
            if seed % 3 == 0 {
                let middle = game.positions()[game.moves().len() / 2];
                game = search::walk::walk(middle, 100, &mut random);
            }
            let record = Record::new(vec![("White".to_owned(), "x\\\"y".to_owned())], game);
            for notation in [Notation::Numeric, Notation::Algebraic] {
                let text = record.write(notation);
                assert!(text.lines().all(|line| line.len() < 80 || line.starts_with('[')));
                let again = one(&text);
                assert_eq!(again.game.positions(), record.game.positions());
                assert_eq!((&again.tags, again.result), (&record.tags, record.result));
            }
        }
    }

    #[test]
    fn moves_that_a_runner_made_are_told_from_those_chosen() {
        let given = |text: &str| one(text).given;
        assert_eq!(given("{book} 1. 22-18 {book} 1... 9-13 { book } 2. 25-22 {+0.31/12} 12-16 {book} *"), 2);
        assert_eq!(given("1. 22-18 9-13 {book} *"), 0);
        assert_eq!(given("1. 22-18 {book}"), 1);
    }

    #[test]
    fn numbers_count_from_the_corner_that_the_game_type_names() {
        let moves = |text: &str| one(text).game.moves().to_vec();
        let ours = moves("1. 21-17 12-16");
        assert_eq!(moves("[GameType \"26,W,8,8,A0,0\"]\n1. 9-13 24-20"), ours);
        assert_eq!(moves("[GameType \"26,W,8,8,N2,0\"]\n1. 21-17 12-16"), ours);
        assert_eq!(moves("[GameType \"26,W,8,8,A0,0\"]\n1. a3-b4 h6-g5"), ours);
    }

    #[test]
    fn a_record_may_begin_anywhere_and_stop_anywhere() {
        let record = one("[FEN \"B:WK29:B12:H4:F31\"]\n31... 12-16 *");
        assert_eq!((record.game.moves().len(), record.result), (1, None));
        assert!(record.write(Notation::Numeric).contains("\n31... 12-16 *\n"));
        assert_eq!(one("[Result \"0-1\"]\n1. 22-18").result, Some(Verdict::Black));
        assert_eq!(read(&Rules::default(), " \n").unwrap().len(), 0);
        assert_eq!(one("[FEN \"W:WK29:B12\"]").game.start().to_string(), "W:WK29:B12");
    }

    #[test]
    fn bad_records_name_the_culprit() {
        assert_eq!(error("[Event x]"), "bad tag '[Event x]'");
        assert_eq!(error("[Event \"x\"\n1. 22-18"), "bad tag '[Event \"x\"'");
        assert_eq!(error("[GameType \"20\"]\n1. 32-28"), "GameType '20' is not a game played here");
        assert_eq!(error("1. 22-18 {never"), "'{' is never closed");
        assert_eq!(error("1. 22-18 11-15 2. 18x9"), "move 2: illegal move '18x9'");
        assert_eq!(error("1. 22-18 ]"), "move 1: ']' is not a move");
        assert_eq!(error("[FEN \"W:W1\"]"), "bad position 'W:W1': Black's pieces are missing");
    }
}
