//! PDN, the portable draughts notation: PGN with results, numbers of squares and careless habits of its own.
//!
//! A token such as `1-1` may be a result or look like a move; it is a result, because no piece moves to the square it
//! stands on. PDN 3 itself ends games with `*` and tells the result by its tag, so that `*` says nothing about it.
//!
//! Squares are written by column and row: that is how people in Brazil and Russia name them, and pydraughts takes them
//! in no other way.

use draughts::{Notation, Position, Rules, Square};
use search::{Game, Side};

use super::pgn::{Dialect, read_as, write_as};
use super::{GameResult, Record, RecordError, unique};

/// What PDN writes otherwise. Older programs mark a forced move with an asterisk.
/// Some readers take any number for White's.
const DIALECT: Dialect = Dialect { result, ends: "{}()[];$%", dross: &['+', '#', '*'], numbers_anew: false };

/// The tags that decide how the game is read.
const DECIDING: [&str; 2] = ["GameType", "FEN"];

/// Reads all records of a text.
pub(super) fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    let mut records = read_as(&DIALECT, text)?;
    records.iter_mut().for_each(settle);
    Ok(records)
}

/// Writes a record with an empty line at its end; `first` makes the first move.
pub(super) fn write(record: &Record, first: Side) -> String {
    let mut record = record.clone();
    for node in record.tree.nodes_mut() {
        node.text =
            with_squares(&node.text, Square::from_number, |square| Notation::Algebraic.square(square));
    }
    let start = record.tag("FEN").and_then(|fen| Position::read(&Rules::default(), fen).ok());
    if let Some(start) = start {
        record.set_tag("FEN", Notation::Algebraic.fen(&start));
    }
    write_as(&DIALECT, &record, first)
}

/// A result as chess or as draughts counts points; the inner none says nothing about it.
fn result(word: &str) -> Option<Option<GameResult>> {
    match word {
        "2-0" => Some(Some(GameResult::Won(Side::White))),
        "0-2" => Some(Some(GameResult::Won(Side::Black))),
        "1-1" => Some(Some(GameResult::Drawn)),
        "*" | "0-0" => Some(None),
        _ => word.parse().ok().map(Some),
    }
}

/// Gives tags and moves the form that referees know.
fn settle(record: &mut Record) {
    // An empty value and a question mark say that nothing is known.
    let is_deciding = |name: &str| DECIDING.into_iter().find(|known| known.eq_ignore_ascii_case(name));
    record.tags.retain(|(name, value)| is_deciding(name).is_none() || !["", "?"].contains(&value.trim()));
    for (name, _) in &mut record.tags {
        if let Some(known) = is_deciding(name) {
            *name = known.to_owned();
        }
    }
    record.tags = unique(std::mem::take(&mut record.tags));
    let counts_from_a1 = record.tag("GameType").is_some_and(counts_from_a1);
    for node in record.tree.nodes_mut() {
        node.text = if counts_from_a1 { renumbered(&node.text) } else { node.text.to_ascii_lowercase() };
    }
}

/// Whether the long form of a GameType places square 1 in the lower left corner: `26,W,8,8,A0,0`.
fn counts_from_a1(game_type: &str) -> bool {
    game_type.split(',').nth(4).is_some_and(|notation| notation.trim().ends_with('0'))
}

/// A move by numbers from a1 = 1 on with our numbers; anything else as it is.
fn renumbered(word: &str) -> String {
    let from_a1 = |n: u8| (1..=32).contains(&n).then(|| Square(n - 1));
    with_squares(word, from_a1, |square| square.number().to_string()).to_ascii_lowercase()
}

/// A move by numbers with its squares, which `read` finds, written otherwise; anything else as it is.
fn with_squares(word: &str, read: fn(u8) -> Option<Square>, write: fn(Square) -> String) -> String {
    if word.contains(|c: char| c.is_ascii_alphabetic() && !"xX".contains(c)) {
        return word.to_owned();
    }
    let part = |part: &str| {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (digits, sign) = part.split_at(end);
        let square = digits.parse().ok().and_then(read);
        square.map_or_else(|| digits.to_owned(), write) + sign
    };
    word.split_inclusive(|c: char| !c.is_ascii_digit()).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Format;
    use crate::referee;

    fn one(text: &str) -> Record {
        Format::Pdn.read(text).unwrap().remove(0)
    }

    /// The moves of the main line as our referee writes them, or what is wrong with the record.
    fn moves(text: &str) -> Result<Vec<String>, String> {
        let record = Format::Pdn.read(text).map_err(|error| error.to_string())?.remove(0);
        let row = crate::games::named("draughts").unwrap();
        let rules = record.rules(row).map_err(|error| error.to_string())?;
        let mut referee = row.open(&rules).unwrap();
        record.replay(&mut *referee, usize::MAX).map_err(|error| error.to_string())?;
        Ok(referee.moves())
    }

    #[test]
    fn what_other_programs_write_is_read() {
        let text = "\u{feff}% exported\n[Event \"A \\\"cup\\\"\"]\n[GameType \"26,W,8,8,A0,0\"]\n\n\
            1. c3-d4 {a comment (with brackets} h6-g5 $1 2.b2-c3! ; to the end\n\
            (2. d2-c3 (2. g3-h4) d6-c5) 2... d6-c5 1-1\n\n[Event \"next\"]\n1. 22-18 11-15 2-0";
        let records = Format::Pdn.read(text).unwrap();
        assert_eq!(records.len(), 2);
        assert_eq!((records[0].tag("Event"), records[0].tree.nodes().len()), (Some("A \"cup\""), 8));
        assert_eq!((moves(text).unwrap().len(), records[0].result), (4, GameResult::Drawn));
        assert_eq!((records[1].moves().len(), records[1].result), (2, GameResult::Won(Side::White)));
    }

    #[test]
    fn careless_records_are_read() {
        let moves = |text: &str| moves(text).unwrap().len();
        assert_eq!(moves("1. 22-18$1$14 9-13(?)% to the end\n2. 25-22* 12-16!! *"), 4);
        assert_eq!(moves("1. 22-18 (1. 21-17 {a :) b} 9-13 ; c :)\n(1... 12-16 {d (})) 9-13 *"), 2);
        assert_eq!(moves("[GameType \"?\"]\n[FEN \"\"]\n1. 22-18 9-13 1-1"), 2);
        assert_eq!(moves("1. 22-18 {so} 1... 11-15 {it} 2. 18X11 {goes} *"), 3);
    }

    #[test]
    fn an_asterisk_leaves_the_result_to_its_tag() {
        let results = |text: &str| -> Vec<_> {
            Format::Pdn.read(text).unwrap().into_iter().map(|record| record.result.to_string()).collect()
        };
        let text = "[Result \"2-0\"]\n1. 22-18 *\n[Result \"1/2-1/2\"]\n1. 21-17 *\n1. 22-18 *";
        assert_eq!(results(text), ["1-0", "1/2-1/2", "*"]);
        assert_eq!(results("[Result \"*\"]\n1. 22-18 0-2"), ["0-1"]);
        assert_eq!(results("[Result \"0-1\"]\n1. 22-18"), ["0-1"]);
    }

    #[test]
    fn whole_trees_are_read_back_as_written() {
        let text = "[White \"x\\\\\\\"y\"]\n[GameType \"26\"]\n1. c3-d4 {a {b} (1. a3-b4 b6-a5 (1... h6-g5 $3) 2. b2-c3) \
                    f6-e5?! {[%clk 0:01:02]} 2. d4xf6 2-0\n\n[GameType \"25\"]\n1. a3-b4 *";
        let records = Format::Pdn.read(text).unwrap();
        let written: String = records.iter().map(|record| write(record, Side::White)).collect();
        let again = Format::Pdn.read(&written).unwrap();
        assert_eq!(again.len(), 2);
        for (read, written) in again.iter().zip(&records) {
            assert_eq!((&read.tree, read.result), (&written.tree, written.result));
            assert_eq!(read.tag("GameType"), written.tag("GameType"));
        }
    }

    #[test]
    fn squares_are_written_by_column_and_row_and_numbers_for_white_alone() {
        let text =
            "[FEN \"B:W22,K29:B11:H2:F7\"]\n7... 11-15 {so} (7... 11-16 8. 22-18) 8. 22-17 {it} 15-19 *";
        let written = write(&one(text), Side::Black);
        assert!(written.contains("[FEN \"B:Wc3,Ka1:Bf6:H2:F7\"]"), "{written}");
        let moves = "1... f6-e5 {so} (1... f6-g5 2. c3-d4) 2. c3-b4 {it} e5-f4 *";
        assert!(written.contains(moves), "{written}");
    }

    #[test]
    fn games_of_both_variants_are_read_back_as_written() {
        for seed in 0..30 {
            let variant = ["brazilian", "russian"][seed as usize % 2];
            let rules = [("Variant".to_owned(), variant.to_owned())];
            let mut referee = referee::open("draughts", &rules).unwrap();
            let mut random = search::Random::new(seed);
            for _ in 0..150 {
                let legal = referee.legal();
                let Some(text) = legal.get(random.below(legal.len().max(1) as u32) as usize) else { break };
                referee.play(text).unwrap();
            }
            let node = |text: String| crate::record::Node { text, ..Default::default() };
            let tree = crate::record::Tree::of_line(referee.written().into_iter().map(node));
            let mut record = Record { tree, ..Record::default() };
            referee.tags().into_iter().for_each(|(name, value)| record.set_tag(name, value));
            assert_eq!(moves(&write(&record, Side::White)), Ok(referee.moves()), "{variant}");
        }
    }

    #[test]
    fn moves_that_a_runner_made_are_told_from_those_chosen() {
        let given = |text: &str| one(text).given();
        assert_eq!(given("{book} 1. 22-18 {book} 1... 9-13 { book } 2. 25-22 {+0.31/12} 12-16 {book} *"), 2);
        assert_eq!(given("1. 22-18 9-13 {book} *"), 0);
        assert_eq!(given("1. 22-18 {book}"), 1);
    }

    #[test]
    fn numbers_count_from_the_corner_that_the_game_type_names() {
        let ours = moves("1. 21-17 12-16").unwrap();
        assert_eq!(moves("[GameType \"26,W,8,8,A0,0\"]\n1. 9-13 24-20").unwrap(), ours);
        assert_eq!(moves("[GameType \"26,W,8,8,N2,0\"]\n1. 21-17 12-16").unwrap(), ours);
        assert_eq!(moves("[GameType \"26,W,8,8,A0,0\"]\n1. a3-b4 h6-g5").unwrap(), ours);
    }

    #[test]
    fn a_record_may_begin_anywhere_and_stop_anywhere() {
        assert_eq!(moves("[FEN \"B:WK29:B12:H4:F31\"]\n31... 12-16 *").unwrap(), ["12-16"]);
        assert_eq!(Format::Pdn.read(" \n").unwrap().len(), 0);
        assert!(one("[FEN \"W:WK29:B12\"]").moves().is_empty());
    }

    #[test]
    fn bad_records_name_the_culprit() {
        let error = |text: &str| moves(text).unwrap_err();
        assert_eq!(error("[Event x]"), "line 1: '[Event x]' is not a tag");
        assert_eq!(error("[Event \"x\"\n1. 22-18"), "line 1: '[Event \"x\"' is not a tag");
        assert_eq!(error("[GameType \"20\"]\n1. 32-28"), "GameType '20' is not a game played here");
        assert_eq!(error("1. 22-18 {never"), "line 1: '{' is never closed");
        assert_eq!(error("1. 22-18 11-15 2. 18x9"), "line 1: illegal move '18x9'");
        assert_eq!(error("1. 22-18 ]"), "line 1: ']' is not a move");
        assert_eq!(error("[FEN \"W:W1\"]"), "line 1: bad position 'W:W1': Black's pieces are missing");
    }
}
