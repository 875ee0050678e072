//! How positions and moves of morris are written.
//!
//! FEN: the rings from the outside in, each clockwise from its top left point; the side to move; men in hand of
//! White and of Black; plies since a removal; what men remember (`d5:d6`: the man on d5 came from d6).

use std::fmt;

use search::Root;
use search::game::{Game, MoveError, PositionError, Side};

use crate::board::{ALL, POINTS, Point, points};
use crate::memory::Memory;
use crate::moves::{Move, Phase, in_order};
use crate::position::{MEN, NoReturn};
use crate::{Position, Rules, sanmill};

const NAMES: [&str; POINTS] = [
    "a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4", "b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4", "c5",
    "d5", "e5", "e4", "e3", "d3", "c3", "c4",
];

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES[self.index()])
    }
}

impl Point {
    /// Reads the name of a point.
    pub fn read(name: &str) -> Option<Point> {
        NAMES.iter().position(|&n| n == name).map(|i| Point(i as u8))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(from) = self.from {
            write!(f, "{from}-")?;
        }
        write!(f, "{}", self.to)?;
        points(self.taken).try_for_each(|p| write!(f, "x{p}"))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in points(ALL) {
            if point.0 > 0 && point.0.is_multiple_of(8) {
                f.write_str("/")?;
            }
            write!(f, "{}", self.letter(point))?;
        }
        let side = if self.turn() == Side::White { 'w' } else { 'b' };
        write!(f, " {side} {} {} {} ", self.hand(Side::White), self.hand(Side::Black), self.quiet())?;
        if self.memory().men() == 0 {
            return f.write_str("-");
        }
        for (i, point) in points(self.memory().men()).enumerate() {
            let origin = self.memory().origin(point).expect("it is among those that remember");
            write!(f, "{}{point}:{origin}", if i > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl Position {
    fn letter(&self, point: Point) -> char {
        if self.men(Side::White) & point.bit() != 0 {
            'w'
        } else if self.men(Side::Black) & point.bit() != 0 {
            'b'
        } else {
            '.'
        }
    }
}

/// Reads a FEN, ours or Sanmill's; fields after the side to move may be missing.
///
/// Missing hands are empty.
pub(crate) fn read(rules: Rules, text: &str) -> Result<Position, PositionError> {
    let read = if sanmill::looks_like(text) { sanmill::read(rules, text) } else { read_own(rules, text) };
    read.map_err(|why| PositionError::new(text, why))
}

fn read_own(rules: Rules, text: &str) -> Result<Position, String> {
    let mut fields = text.split_whitespace();
    let men = read_board(fields.next().ok_or("it is empty")?)?;
    let turn = match fields.next() {
        Some("w") => Side::White,
        Some("b") => Side::Black,
        other => return Err(format!("the side to move is '{}', not w or b", other.unwrap_or(""))),
    };
    let hand = [read_hand("White", men[0], fields.next())?, read_hand("Black", men[1], fields.next())?];
    let quiet = match fields.next() {
        None => 0,
        Some(count) if count.bytes().all(|c| c.is_ascii_digit()) => count.parse().unwrap_or(u16::MAX),
        Some(other) => return Err(format!("the count of plies is '{other}', not a number")),
    };
    let memory = read_memory(&rules, men, fields.next().unwrap_or("-"))?;
    if let Some(extra) = fields.next() {
        return Err(format!("'{extra}' follows the memory"));
    }
    Ok(Position::new(rules, men, hand, turn, quiet, memory))
}

fn read_board(board: &str) -> Result<[u32; 2], String> {
    let rings: Vec<&str> = board.split('/').collect();
    if rings.len() != 3 {
        return Err(format!("{} rings instead of 3", rings.len()));
    }
    let mut men = [0; 2];
    for (ring, number) in rings.iter().zip(0..) {
        let length = ring.chars().count();
        if length != 8 {
            return Err(format!("ring '{ring}' has {length} points instead of 8"));
        }
        for (letter, i) in ring.chars().zip(0..) {
            match letter {
                'w' => men[0] |= Point(8 * number + i).bit(),
                'b' => men[1] |= Point(8 * number + i).bit(),
                '.' => {}
                other => return Err(format!("'{other}' is not a man")),
            }
        }
    }
    Ok(men)
}

/// Reads a number of men in hand and checks it against those on the board.
pub(crate) fn read_hand(side: &str, men: u32, field: Option<&str>) -> Result<u8, String> {
    let text = field.unwrap_or("0");
    let hand = match text.parse::<u8>() {
        Ok(hand) if hand <= MEN => hand,
        _ => return Err(format!("{side}'s hand is '{text}', not a number from 0 to {MEN}")),
    };
    let total = men.count_ones() + u32::from(hand);
    if total > u32::from(MEN) {
        return Err(format!("{side} has {total} men, more than {MEN}"));
    }
    Ok(hand)
}

fn read_memory(rules: &Rules, men: [u32; 2], text: &str) -> Result<Memory, String> {
    let mut memory = Memory::default();
    if text == "-" {
        return Ok(memory);
    }
    for pair in text.split(',') {
        let points = pair.split_once(':').and_then(|(at, from)| Some((Point::read(at)?, Point::read(from)?)));
        let (at, from) = points.ok_or_else(|| format!("'{pair}' is not a pair of points such as d5:d6"))?;
        if (men[0] | men[1]) & at.bit() == 0 {
            return Err(format!("no man stands on {at} to remember {from}"));
        }
        if at == from || memory.origin(at).is_some() {
            return Err(format!("the memory of the man on {at} makes no sense"));
        }
        memory.note(at, from);
    }
    let most = men.into_iter().map(|side| (memory.men() & side).count_ones()).max().unwrap_or(0);
    match rules.no_return {
        NoReturn::Off => Err(format!("memory '{text}' under rules without a ban on returning")),
        NoReturn::Last if most > 1 => Err(format!("memory '{text}' holds more than one man of a side")),
        _ => Ok(memory),
    }
}

/// Reads a move such as `d6`, `d6-d5` or `d6-d5xb4`; two removals in any order.
pub(crate) fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let m = move_of(text).ok_or_else(|| MoveError::Syntax(text.to_owned()))?;
    let legal = position.list();
    if legal.contains(&m) {
        return Ok(m);
    }
    Err(MoveError::Forbidden { text: text.to_owned(), why: why_not(position, m, &legal) })
}

fn move_of(text: &str) -> Option<Move> {
    let mut parts = text.split('x');
    let way = parts.next()?;
    let (from, to) = match way.split_once('-') {
        Some((from, to)) => (Some(Point::read(from)?), to),
        None => (None, way),
    };
    let mut taken = 0;
    for name in parts {
        let point = Point::read(name)?;
        if taken & point.bit() != 0 {
            return None;
        }
        taken |= point.bit();
    }
    Some(Move { from, to: Point::read(to)?, taken })
}

/// The rule that a well-written move breaks.
fn why_not(position: &Position, m: Move, legal: &[Move]) -> &'static str {
    let others: Vec<u32> =
        legal.iter().filter(|l| l.from == m.from && l.to == m.to).map(|l| l.taken).collect();
    match others.first() {
        Some(&0) => "it closes no mill and removes nothing",
        Some(_) if m.taken & position.own() != 0 => "it removes a man of its own side",
        Some(_) if m.taken & !position.other() != 0 => "no man stands where it removes one",
        Some(one) if m.taken.count_ones() < one.count_ones() => "its mill must remove a man",
        Some(one) if m.taken.count_ones() > one.count_ones() => "it removes too many men",
        Some(_) => "a man in a mill is protected",
        None => why_no_way(position, m),
    }
}

fn why_no_way(position: &Position, m: Move) -> &'static str {
    let occupied = position.own() | position.other();
    match (position.phase(), m.from) {
        (Phase::Lost, _) => "the game is over",
        (Phase::Placing, Some(_)) => "there are men in hand to place",
        (Phase::Moving | Phase::Flying, None) => "there is no man in hand",
        _ if occupied & m.to.bit() != 0 => "a man stands there already",
        (_, Some(from)) if position.own() & from.bit() == 0 => "no man of its own side stands there",
        (_, Some(from)) if position.memory().origin(from) == Some(m.to) => "the man came from there",
        _ => "no line joins the two points",
    }
}

/// Reads moves whose removals may stand apart; if `open`, the last turn may lack them.
pub(crate) fn read_moves(root: &mut Root<Position>, words: &[&str], open: bool) -> Result<(), MoveError> {
    let mut words = words.iter().peekable();
    while let Some(&word) = words.next() {
        let mut turn = word.to_owned();
        while let Some(removal) = words.next_if(|word| word.starts_with('x')) {
            turn += removal;
        }
        let part = if open && words.peek().is_none() { move_of(&turn) } else { None };
        let unfinished = part.map_or_else(Vec::new, |part| finishing(root.position(), part));
        match part {
            Some(part) if !unfinished.is_empty() => {
                let said = split(root.position(), part);
                root.begin(unfinished, said);
            }
            _ => {
                root.play_text(&turn)?;
            }
        }
    }
    Ok(())
}

/// The legal moves that finish a turn said in part: a mill is closed, a removal still open.
fn finishing(position: &Position, part: Move) -> Vec<Move> {
    let mut legal = position.list();
    legal.retain(|m| m.from == part.from && m.to == part.to);
    legal.retain(|m| m.taken & part.taken == part.taken && m.taken != part.taken);
    legal
}

/// A turn with each removal as a word of its own, in an order in which each is legal.
pub(crate) fn split(position: &Position, m: Move) -> Vec<String> {
    let way = Move { taken: 0, ..m };
    let mut removals: Vec<Point> = points(m.taken).collect();
    // Of two men, one may be protected until the other is gone.
    if let [first, second] = removals[..]
        && !in_order(position, first, second)
    {
        removals.reverse();
    }
    std::iter::once(way.to_string()).chain(removals.iter().map(|p| format!("x{p}"))).collect()
}

/// The board as people draw it.
pub(crate) fn picture(position: &Position) -> String {
    const FRAME: [&str; 13] = [
        "7  0-----------1-----------2",
        "   |           |           |",
        "6  |   8-------9-------A   |",
        "   |   |       |       |   |",
        "5  |   |   G---H---I   |   |",
        "   |   |   |       |   |   |",
        "4  7---F---N       J---B---3",
        "   |   |   |       |   |   |",
        "3  |   |   M---L---K   |   |",
        "   |   |       |       |   |",
        "2  |   E-------D-------C   |",
        "   |           |           |",
        "1  6-----------5-----------4",
    ];
    let mut out = String::new();
    for line in FRAME {
        let (label, rest) = line.split_at(1);
        out += label;
        out.extend(rest.chars().map(|c| match c.to_digit(24) {
            Some(i) => position.letter(Point(i as u8)),
            None => c,
        }));
        out.push('\n');
    }
    out += "   a   b   c   d   e   f   g\n";
    out +=
        &format!("   in hand: white {}, black {}\n", position.hand(Side::White), position.hand(Side::Black));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "......../......../........ w 9 9 0 -";

    #[test]
    fn the_start_is_written_as_promised() {
        assert_eq!(Position::start(&Rules::STANDARD).to_string(), START);
        assert_eq!(Position::start(&Rules::SEED).to_string(), START);
        assert_eq!(Position::read(&Rules::SEED, START), Ok(Position::start(&Rules::SEED)));
    }

    #[test]
    fn trailing_fields_may_be_missing() {
        let read = |fen: &str| Position::read(&Rules::STANDARD, fen).unwrap().to_string();
        assert_eq!(read("www...../bbb...../........ b"), "www...../bbb...../........ b 0 0 0 -");
        assert_eq!(read("www...../bbb...../........ b 6 6"), "www...../bbb...../........ b 6 6 0 -");
        assert_eq!(read("www...../bbb...../........ b 0 0 250"), "www...../bbb...../........ b 0 0 250 -");
    }

    #[test]
    fn bad_positions_are_refused_by_name() {
        let why = |fen: &str| Position::read(&Rules::SEED, fen).unwrap_err().why;
        assert_eq!(why(""), "it is empty");
        assert_eq!(why("......../........ w 9 9 0 -"), "2 rings instead of 3");
        assert_eq!(why("......./......../........ w"), "ring '.......' has 7 points instead of 8");
        assert_eq!(why("...x..../......../........ w"), "'x' is not a man");
        assert_eq!(why("......../......../........"), "the side to move is '', not w or b");
        assert_eq!(
            why("......../......../........ w 10 9"),
            "White's hand is '10', not a number from 0 to 9"
        );
        assert_eq!(
            why("......../......../........ w 9 -1"),
            "Black's hand is '-1', not a number from 0 to 9"
        );
        assert_eq!(why("www...../......../........ w 7 9"), "White has 10 men, more than 9");
        assert_eq!(why("bbbbbbbb/bb....../........ w"), "Black has 10 men, more than 9");
        assert_eq!(why("......../......../........ w 9 9 x"), "the count of plies is 'x', not a number");
        assert_eq!(
            why("......../......../........ w 9 9 0 d5"),
            "'d5' is not a pair of points such as d5:d6"
        );
        assert_eq!(why("......../......../........ w 9 9 0 d5:d6"), "no man stands on d5 to remember d6");
        assert_eq!(
            why("w......./......../........ w 8 9 0 a7:a7"),
            "the memory of the man on a7 makes no sense"
        );
        assert_eq!(why("......../......../........ w 9 9 0 - 1"), "'1' follows the memory");
        let off = Position::read(&Rules::STANDARD, "w......./......../........ w 8 9 0 a7:d7").unwrap_err();
        assert_eq!(off.why, "memory 'a7:d7' under rules without a ban on returning");
    }

    #[test]
    fn moves_are_refused_with_a_reason() {
        let placing = Position::read(&Rules::STANDARD, "ww..b.b./bbb...../........ w 1 0 0 -").unwrap();
        let why = |position: &Position, text: &str| match position.parse(text) {
            Err(MoveError::Forbidden { why, .. }) => why,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(why(&placing, "g7"), "its mill must remove a man");
        assert_eq!(why(&placing, "g7xa7"), "it removes a man of its own side");
        assert_eq!(why(&placing, "g7xc4"), "no man stands where it removes one");
        assert_eq!(why(&placing, "g7xb6"), "a man in a mill is protected");
        assert_eq!(why(&placing, "g7xa1xg1"), "it removes too many men");
        assert_eq!(why(&placing, "g4xa1"), "it closes no mill and removes nothing");
        assert_eq!(why(&placing, "a7"), "a man stands there already");
        assert_eq!(why(&placing, "a7-a4"), "there are men in hand to place");
        let moving = Position::read(&Rules::SEED, "w.w.w.w./bbb...../........ w 0 0 0 a7:d7").unwrap();
        assert_eq!(why(&moving, "a4"), "there is no man in hand");
        assert_eq!(why(&moving, "a7-d7"), "the man came from there");
        assert_eq!(why(&moving, "a7-g4"), "no line joins the two points");
        assert_eq!(why(&moving, "b6-b4"), "no man of its own side stands there");
        for text in ["", "x", "a7a4", "a7-", "a7xx", "h8", "a7-a4xb6xb6", "0000", "xb4"] {
            assert_eq!(moving.parse(text), Err(MoveError::Syntax(text.to_owned())));
        }
    }

    #[test]
    fn two_removals_are_read_in_any_order() {
        let double = Rules { double_removal: true, ..Rules::STANDARD };
        let position = Position::read(&double, ".ww...ww/b...b.../........ w 5 5 0 -").unwrap();
        let m = position.parse("a7xf2xb6").unwrap();
        assert_eq!((m, position.write(m)), (position.parse("a7xb6xf2").unwrap(), "a7xb6xf2".to_owned()));
    }

    #[test]
    fn the_board_is_drawn() {
        let position = Position::read(&Rules::STANDARD, "wb....../..b...../.......w w 7 7").unwrap();
        assert!(position.picture().starts_with("7  w-----------b-----------.\n"));
        assert!(position.picture().contains("4  .---.---w       .---.---."));
    }
}
