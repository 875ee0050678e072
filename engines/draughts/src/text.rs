//! How positions and moves of draughts are written.
//!
//! FEN: `W:W21,22,K29:B1,2` with squares numbered b8 = 1 to g1 = 32, then `:H` plies since a capture or a
//! man's move and `:F` the move's number where they are not 0 and 1, and `:E` plies since the ending arose
//! where the draw code counts them and they differ from `H`. Moves: `22-18`, `22x15`, `22x15x8`.

use std::fmt::{self, Write};

use search::game::{Game, MoveError, PositionError, Side};

use crate::board::{Square, squares};
use crate::moves::Move;
use crate::paths;
use crate::position::{Counters, MOST_PIECES};
use crate::{Position, Rules};

/// How squares are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Notation {
    /// By number: `22-18`.
    #[default]
    Numeric,
    /// By column and row: `c3-b4`.
    Algebraic,
}

impl Notation {
    /// A square in this notation.
    pub fn square(self, square: Square) -> String {
        match self {
            Notation::Numeric => square.number().to_string(),
            Notation::Algebraic => {
                let (row, column) = square.row_and_column();
                format!("{}{}", char::from(b'a' + column), row + 1)
            }
        }
    }

    /// A legal move in this notation; the path is given when several moves share its ends.
    pub fn write(self, position: &Position, m: Move) -> String {
        if !m.is_capture() {
            return format!("{}-{}", self.square(m.from), self.square(m.to));
        }
        let legal = position.list();
        let is_unique = legal.iter().filter(|other| other.from == m.from && other.to == m.to).count() < 2;
        let way = if is_unique { vec![m.from, m.to] } else { paths::printed(position, m) };
        way.into_iter().map(|square| self.square(square)).collect::<Vec<_>>().join("x")
    }

    /// A FEN in this notation.
    pub fn fen(self, position: &Position) -> String {
        let mut text = String::from(letter(position.turn()));
        for side in [Side::White, Side::Black] {
            let mut pieces: Vec<Square> = squares(position.pieces(side)).collect();
            pieces.sort_by_key(|square| square.number());
            let king = |square: &Square| if position.kings() & square.bit() != 0 { "K" } else { "" };
            let pieces: Vec<_> = pieces.iter().map(|s| format!("{}{}", king(s), self.square(*s))).collect();
            write!(text, ":{}{}", letter(side), pieces.join(",")).expect("a string takes all");
        }
        for (name, value, usual) in [
            ('H', position.quiet(), 0),
            ('F', position.number(), 1),
            ('E', position.ending(), if is_counted(position) { position.quiet() } else { 0 }),
        ] {
            if value != usual {
                write!(text, ":{name}{value}").expect("a string takes all");
            }
        }
        text
    }
}

fn letter(side: Side) -> &'static str {
    if side == Side::White { "W" } else { "B" }
}

fn is_counted(position: &Position) -> bool {
    position.rules().draws.ending_limit(position).is_some()
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Notation::Numeric.fen(self))
    }
}

/// Reads a FEN.
pub(crate) fn read(rules: Rules, text: &str) -> Result<Position, PositionError> {
    read_fields(rules, text).map_err(|why| PositionError::new(text, why))
}

fn read_fields(rules: Rules, text: &str) -> Result<Position, String> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut fields = compact.strip_suffix('.').unwrap_or(&compact).split(':');
    let turn = match fields.next().unwrap_or("") {
        "" => return Err("it is empty".to_owned()),
        "W" => Side::White,
        "B" => Side::Black,
        other => return Err(format!("the side to move is '{other}', not W or B")),
    };
    let mut sets = [None, None];
    let mut counters = Counters { quiet: 0, ending: None, number: 1 };
    for field in fields {
        let mut letters = field.chars();
        let name = letters.next().ok_or("a field is empty")?;
        let rest = letters.as_str();
        match name {
            'W' | 'B' => {
                let slot = &mut sets[usize::from(name == 'B')];
                if slot.replace(read_pieces(rest)?).is_some() {
                    return Err(format!("'{name}' is given twice"));
                }
            }
            'H' => counters.quiet = read_count(rest, field)?,
            'F' => counters.number = read_count(rest, field)?,
            'E' => counters.ending = Some(read_count(rest, field)?.min(u8::MAX.into()) as u8),
            _ => return Err(format!("'{field}' is not a field")),
        }
    }
    let [Some(white), Some(black)] = sets else {
        let missing = if sets[0].is_none() { "White" } else { "Black" };
        return Err(format!("{missing}'s pieces are missing"));
    };
    let position = Position::new(rules, [white.0, black.0], white.1 | black.1, turn, counters);
    check(&position)?;
    Ok(position)
}

/// A counter; one that is too large for its place counts as the largest.
fn read_count(digits: &str, field: &str) -> Result<u16, String> {
    if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
        return Err(format!("'{field}' is not a count"));
    }
    Ok(digits.parse().unwrap_or(u16::MAX))
}

/// The pieces of one colour and the kings among them: `21,22-24,K29`, or nothing.
fn read_pieces(list: &str) -> Result<(u32, u32), String> {
    let (mut pieces, mut kings) = (0, 0);
    for item in list.split(',').filter(|item| !item.is_empty()) {
        let (is_king, range) = item.strip_prefix('K').map_or((false, item), |range| (true, range));
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let (low, high) = (read_square(low)?.number(), read_square(high)?.number());
        if low > high {
            return Err(format!("the range '{item}' runs backwards"));
        }
        for square in (low..=high).filter_map(Square::from_number) {
            if pieces & square.bit() != 0 {
                return Err(format!("square {square} is given twice"));
            }
            pieces |= square.bit();
            kings |= if is_king { square.bit() } else { 0 };
        }
    }
    Ok((pieces, kings))
}

fn read_square(text: &str) -> Result<Square, String> {
    let square = match text.as_bytes() {
        [column @ b'a'..=b'h', row @ b'1'..=b'8'] => Square::at(row - b'1', column - b'a'),
        digits if digits.iter().all(u8::is_ascii_digit) => text.parse().ok().and_then(Square::from_number),
        _ => None,
    };
    square.ok_or_else(|| format!("'{text}' is not a square"))
}

fn check(position: &Position) -> Result<(), String> {
    if let Some(square) = squares(position.pieces(Side::White) & position.pieces(Side::Black)).next() {
        return Err(format!("square {square} holds pieces of both colours"));
    }
    for side in [Side::White, Side::Black] {
        let count = position.pieces(side).count_ones();
        if count > MOST_PIECES {
            return Err(format!("{side} has {count} pieces, more than {MOST_PIECES}"));
        }
        if let Some(square) = squares(position.uncrowned(side)).next() {
            return Err(format!("{side}'s man on {square} should have been crowned"));
        }
    }
    Ok(())
}

/// Writes a legal move.
pub(crate) fn write(position: &Position, m: Move) -> String {
    Notation::Numeric.write(position, m)
}

/// Reads a move: its ends if that is enough, or a path, by numbers or by columns and rows.
pub(crate) fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let (way, is_capture) = words(text).ok_or_else(|| MoveError::Syntax(text.to_owned()))?;
    let mut legal = position.list();
    legal.retain(|m| {
        Some(&m.from) == way.first()
            && Some(&m.to) == way.last()
            && is_capture.is_none_or(|capture| capture == m.is_capture())
    });
    choose(position, &legal, &way).map_err(|error| error(text.to_owned()))
}

/// The one move whose landing squares are these, or else the one that passes these among others.
fn choose(position: &Position, legal: &[Move], way: &[Square]) -> Result<Move, fn(String) -> MoveError> {
    let exact = legal.iter().filter(|m| paths::all(position, **m).iter().any(|path| path == way));
    let passing = legal.iter().filter(|m| paths::all(position, **m).iter().any(|path| passes(path, way)));
    match (exact.collect::<Vec<_>>().as_slice(), passing.collect::<Vec<_>>().as_slice()) {
        ([m], _) | ([], [m]) => Ok(**m),
        ([], []) => Err(MoveError::Illegal),
        _ => Err(MoveError::Ambiguous),
    }
}

/// Whether a path passes the squares in their order.
fn passes(path: &[Square], squares: &[Square]) -> bool {
    let mut rest = path.iter();
    squares.iter().all(|square| rest.any(|landing| landing == square))
}

/// The squares of a move's text, and whether its separators say that it captures.
fn words(text: &str) -> Option<(Vec<Square>, Option<bool>)> {
    let mut way = Vec::new();
    let mut capture = None;
    let mut rest = text;
    while !rest.is_empty() {
        if !way.is_empty() {
            let separator = rest.chars().next().filter(|c| "-xX:".contains(*c));
            let is_algebraic = rest.starts_with(|c: char| c.is_ascii_lowercase());
            match separator {
                Some(c) if capture.is_none_or(|was| was == (c != '-')) => capture = Some(c != '-'),
                Some(_) => return None,
                None if is_algebraic => {}
                None => return None,
            }
            rest = &rest[separator.map_or(0, char::len_utf8)..];
        }
        let is_algebraic = rest.starts_with(|c: char| c.is_ascii_lowercase());
        let length = if is_algebraic { 2 } else { rest.bytes().take_while(u8::is_ascii_digit).count() };
        way.push(read_square(rest.get(..length)?).ok()?);
        rest = &rest[length..];
    }
    (way.len() >= 2).then_some((way, capture))
}

/// The board as people draw it.
pub(crate) fn picture(position: &Position) -> String {
    let mut out = String::new();
    for row in (0..8).rev() {
        out += &format!("{} ", row + 1);
        for column in 0..8 {
            let sign = Square::at(row, column).map_or(' ', |square| sign(position, square));
            out.push(' ');
            out.push(sign);
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out += "   a b c d e f g h\n";
    out
}

/// What stands on a square, kings as capitals; a dot for nothing.
pub(crate) fn sign(position: &Position, square: Square) -> char {
    let is_king = position.kings() & square.bit() != 0;
    let of = |side| position.pieces(side) & square.bit() != 0;
    match (of(Side::White), of(Side::Black), is_king) {
        (true, _, false) => 'w',
        (true, _, true) => 'W',
        (_, true, false) => 'b',
        (_, true, true) => 'B',
        _ => '.',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DrawRules, Variant};

    const START: &str = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

    fn position(fen: &str) -> Position {
        Position::read(&Rules::default(), fen).unwrap()
    }

    fn legal(fen: &str) -> Vec<String> {
        let position = position(fen);
        let list = position.list();
        let mut texts: Vec<_> = list.into_iter().map(|m| position.write(m)).collect();
        texts.sort();
        texts
    }

    #[test]
    fn the_start_is_written_as_promised() {
        assert_eq!(Position::start(&Rules::default()).to_string(), START);
    }

    #[test]
    fn every_form_of_fen_is_read() {
        let start = Position::start(&Rules::default());
        for fen in [
            "W:W21-32:B1-12",
            "W:B1-12:W21-32.",
            "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:B1-12:H0:F1",
            "W : W 21-32 : B 1-12",
        ] {
            assert_eq!(position(fen), start, "{fen}");
        }
        assert_eq!(position("B:W:BK1").to_string(), "B:W:BK1");
        assert_eq!(position("W:WK1-3,20:B5:H7:F30").to_string(), "W:WK1,K2,K3,20:B5:H7:F30");
        assert_eq!(position("W:WKa1:BKh8:H3").ending(), 3);
        assert_eq!(position("W:WKa1:BKh8,a5:H3:E8").to_string(), "W:WK29:BK4,13:H3:E8");
    }

    #[test]
    fn bad_positions_are_refused_by_name() {
        let why = |fen: &str| Position::read(&Rules::default(), fen).unwrap_err().why;
        assert_eq!(why(""), "it is empty");
        assert_eq!(why("X:W1:B2"), "the side to move is 'X', not W or B");
        assert_eq!(why("W:W21"), "Black's pieces are missing");
        assert_eq!(why("W:W21:B33"), "'33' is not a square");
        assert_eq!(why("W:W21:Bb7"), "'b7' is not a square");
        assert_eq!(why("W:W21:B1:"), "a field is empty");
        assert_eq!(why("W:W21:B1:Z3"), "'Z3' is not a field");
        assert_eq!(why("W:W21:B1:H-3"), "'H-3' is not a count");
        assert_eq!(why("W:W24-21:B1"), "the range '24-21' runs backwards");
        assert_eq!(why("W:W21,21:B1"), "square 21 is given twice");
        assert_eq!(why("W:W21:B21"), "square 21 holds pieces of both colours");
        assert_eq!(why("W:W21:W22:B1"), "'W' is given twice");
        assert_eq!(why("W:W1:B5"), "White's man on 1 should have been crowned");
        assert_eq!(why("W:W9:B32"), "Black's man on 32 should have been crowned");
        assert_eq!(why("W:W20-32:B1"), "White has 13 pieces, more than 12");
        assert_eq!(position("W:WK1:B5:H99999999").quiet(), u32::from(u16::MAX));
    }

    #[test]
    fn moves_are_read_in_every_form() {
        let start = Position::start(&Rules::default());
        for text in ["22-18", "c3-d4", "c3d4"] {
            assert_eq!(start.parse(text).map(|m| start.write(m)), Ok("22-18".to_owned()), "{text}");
        }
        for text in ["22x18", "22-17x", "22", "", "22-", "0-0", "22-99", "2218", "c3-", "c3d4e5é"] {
            assert!(start.parse(text).is_err(), "{text}");
        }
        assert_eq!(start.parse("22-15"), Err(MoveError::Illegal("22-15".to_owned())));
        assert_eq!(start.parse("e2-e4"), Err(MoveError::Syntax("e2-e4".to_owned())));
    }

    /// The man on c1 takes two pieces on either side of d3, then two more; or it goes round d3.
    /// ```text
    /// 6    .   b   b   .
    /// 5  .   .   .   .
    /// 4    b   b   .   .
    /// 3  .   .   .   .
    /// 2    b   b   .   .
    /// 1  .   w   .   .
    ///    a b c d e f g h
    /// ```
    #[test]
    fn moves_that_share_their_ends_are_written_with_their_path() {
        let fen = "W:W30:B10,11,17,18,25,26";
        assert_eq!(legal(fen), ["30x21x14x7x16", "30x23x14x7x16", "30x30"]);
        assert_eq!(position(fen).parse("30x16"), Err(MoveError::Ambiguous("30x16".to_owned())));
        for text in ["30x21x16", "c1xa3xc5xe7xg5", "c1a3c5e7g5"] {
            assert!(position(fen).parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_king_may_be_sent_by_any_landing_square() {
        // From a1 over b2 and, after any of the free squares of the main road, straight on over g7.
        let king = position("W:WK29:B25,8");
        assert_eq!(legal("W:WK29:B25,8"), ["29x4"]);
        for text in ["29x4", "29x22x4", "29x15x4", "29x11x4", "a1xf6xh8"] {
            assert!(king.parse(text).is_ok(), "{text}");
        }
        assert_eq!(king.parse("29x22"), Err(MoveError::Illegal("29x22".to_owned())));
    }

    #[test]
    fn random_games_round_trip_in_both_notations_under_all_rules() {
        let mut random = search::Random::new(5);
        for draws in [DrawRules::Cbd, DrawRules::Fmjd64, DrawRules::None] {
            for variant in Variant::ALL {
                let rules = Rules { variant, draws };
                let mut position = Position::start(&rules);
                for _ in 0..400 {
                    let list = position.list();
                    if list.is_empty() {
                        position = Position::start(&rules);
                        continue;
                    }
                    for notation in [Notation::Numeric, Notation::Algebraic] {
                        assert_eq!(Position::read(&rules, &notation.fen(&position)), Ok(position));
                        for &m in &list {
                            let text = notation.write(&position, m);
                            assert_eq!(position.parse(&text), Ok(m), "{position} {text}");
                        }
                    }
                    position.play(list[random.below(list.len() as u32) as usize]);
                }
            }
        }
    }

    #[test]
    fn the_board_is_drawn() {
        let picture = position("W:W21,K29:B1,K4").picture();
        assert_eq!(picture.lines().next(), Some("8    b   .   .   B"));
        assert_eq!(picture.lines().nth(7), Some("1  W   .   .   ."));
        assert_eq!(picture.lines().last(), Some("   a b c d e f g h"));
    }
}
