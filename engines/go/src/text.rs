//! How positions and moves of Go are written.
//!
//! Moves are GTP vertices. A position is written like a FEN: rows from the top with `b`, `w` and counts of
//! empty points; the side to move; the ko point or `-`; passes; prisoners taken by Black and by White; the number of
//! handicap stones where there are any.

use std::fmt;

use search::game::{Game, MoveError, PositionError, Side};

use crate::point::Point;
use crate::{Colour, Move, Position, Rules};

/// Column letters: I is left out.
const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", COLUMNS[self.column()] as char, self.row() + 1)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Pass => f.write_str("pass"),
            Move::At(point) => point.fmt(f),
        }
    }
}

/// Reads a vertex such as `D4`, in any case; none if it is not on the board.
pub fn read_point(size: usize, text: &str) -> Option<Point> {
    let (&letter, number) = text.as_bytes().split_first()?;
    let column = COLUMNS.iter().position(|c| c.eq_ignore_ascii_case(&letter))?;
    let digits = number.iter().all(u8::is_ascii_digit);
    let row: usize = text.get(1..).filter(|_| digits)?.parse().ok()?;
    (column < size && (1..=size).contains(&row)).then(|| Point::new(column, row - 1))
}

/// Reads a vertex or `pass`.
pub fn read_move(size: usize, text: &str) -> Option<Move> {
    if text.eq_ignore_ascii_case("pass") { Some(Move::Pass) } else { read_point(size, text).map(Move::At) }
}

/// Reads a move that is legal by the position alone.
pub(crate) fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let m = read_move(position.rules().size(), text).ok_or_else(|| MoveError::Syntax(text.to_owned()))?;
    match m {
        Move::At(point) if !position.is_legal(point) => Err(MoveError::Illegal(text.to_owned())),
        _ => Ok(m),
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.rules().size();
        for row in (0..size).rev() {
            write_row(f, (0..size).map(|column| self.at(Point::new(column, row))))?;
            f.write_str(if row > 0 { "/" } else { " " })?;
        }
        let turn = if self.turn() == Side::White { 'w' } else { 'b' };
        let ko = self.ko().map_or("-".to_owned(), |point| point.to_string());
        let taken = [Side::Black, Side::White].map(|side| self.prisoners(side));
        write!(f, "{turn} {ko} {} {} {}", self.passes(), taken[0], taken[1])?;
        if self.handicap() > 0 { write!(f, " {}", self.handicap()) } else { Ok(()) }
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, cells: impl Iterator<Item = Colour>) -> fmt::Result {
    let mut empty = 0;
    for colour in cells {
        if colour == Colour::Empty {
            empty += 1;
            continue;
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        empty = 0;
        f.write_str(if colour == Colour::White { "w" } else { "b" })?;
    }
    if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
}

/// No game counts further.
const MOST: u16 = 9_999;

/// Reads what `Display` writes; the fields after the side may be missing.
pub(crate) fn read(rules: Rules, text: &str) -> Result<Position, PositionError> {
    let refuse = |why: String| PositionError::new(text, why);
    let mut fields = text.split_whitespace();
    let board = fields.next().ok_or_else(|| refuse("it is empty".to_owned()))?;
    let position = read_board(rules, board).map_err(refuse)?;
    let turn = match fields.next() {
        Some("w") => Side::White,
        Some("b") => Side::Black,
        other => return Err(refuse(format!("the side to move is '{}', not b or w", other.unwrap_or("")))),
    };
    let ko = match fields.next() {
        None | Some("-") => None,
        Some(vertex) => {
            let point = read_point(rules.size(), vertex).filter(|&p| position.at(p) == Colour::Empty);
            Some(point.ok_or_else(|| refuse(format!("the ko '{vertex}' is not an empty point")))?)
        }
    };
    let mut number = |what: &str| match fields.next() {
        None => Ok(0),
        Some(count) => {
            let number = count.parse().ok().filter(|&number| number <= MOST);
            number.ok_or_else(|| refuse(format!("the {what} are '{count}', not a number up to {MOST}")))
        }
    };
    let passes = number("passes")?.min(2) as u8;
    let (black, white) = (number("prisoners of Black")?, number("prisoners of White")?);
    let handicap = usize::from(number("handicap stones")?);
    if let Some(extra) = fields.next() {
        return Err(refuse(format!("'{extra}' follows the handicap stones")));
    }
    let mut prisoners = [0; 2];
    (prisoners[Side::Black.index()], prisoners[Side::White.index()]) = (black, white);
    Ok(position.with_turn(turn).with_memory(ko, passes, prisoners).with_handicap(handicap))
}

fn read_board(rules: Rules, board: &str) -> Result<Position, String> {
    let size = rules.size();
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != size {
        return Err(format!("{} rows instead of {size}", rows.len()));
    }
    let mut position = Position::empty(rules);
    for (text, row) in rows.iter().zip((0..size).rev()) {
        let stones = read_row(text)?;
        let width = stones.last().map_or(0, |&(_, end)| end);
        if width != size {
            return Err(format!("row {} has {width} points instead of {size}", row + 1));
        }
        for &(colour, end) in stones.iter().filter(|(colour, _)| *colour != Colour::Empty) {
            position.set(Point::new(end - 1, row), colour);
        }
    }
    if position.is_possible() { Ok(position) } else { Err("a chain has no liberty".to_owned()) }
}

/// The stones and empty runs of a row, each with the column after it.
fn read_row(row: &str) -> Result<Vec<(Colour, usize)>, String> {
    let mut out = Vec::new();
    let mut column = 0;
    let mut rest = row;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (colour, width) = match letter {
            'b' => (Colour::Black, 1),
            'w' => (Colour::White, 1),
            _ if digits > 0 => (Colour::Empty, rest[..digits].parse::<u16>().unwrap_or(u16::MAX).into()),
            other => return Err(format!("'{other}' is not a stone")),
        };
        column += width;
        out.push((colour, column));
        rest = &rest[digits.max(1)..];
    }
    Ok(out)
}

/// The board as people draw it, Black `X` and White `O`.
pub(crate) fn picture(position: &Position) -> String {
    let size = position.rules().size();
    let letters: String = COLUMNS[..size].iter().map(|&c| format!(" {}", c as char)).collect();
    let stars = crate::handicap::stars(size);
    let mut out = format!("  {letters}\n");
    for row in (0..size).rev() {
        out += &format!("{:2}", row + 1);
        for column in 0..size {
            let point = Point::new(column, row);
            out.push(' ');
            out.push(match position.at(point) {
                Colour::Black => 'X',
                Colour::White => 'O',
                _ if stars.contains(&point) => '+',
                _ => '.',
            });
        }
        out += &format!(" {}\n", row + 1);
    }
    let taken = [Side::Black, Side::White].map(|side| position.prisoners(side));
    out + &format!("  {letters}\nBlack has taken {}, White has taken {}\n", taken[0], taken[1])
}

/// A position for tests from rows of `X`, `O` and `.`, the top row first, rows parted by `/`; Black to move.
#[cfg(test)]
pub(crate) fn drawn(rows: &str, rule_set: &str) -> Position {
    let rows: Vec<Vec<&str>> = rows.split('/').map(|row| row.split_whitespace().collect()).collect();
    let rules = Rules::default().with_name(rule_set).and_then(|rules| rules.with_size(rows.len()));
    let mut position = Position::empty(rules.expect("a rule set and a size that exist"));
    for point in crate::point::points(rows.len()) {
        match rows[rows.len() - 1 - point.row()][point.column()] {
            "X" => position.set(point, Colour::Black),
            "O" => position.set(point, Colour::White),
            _ => {}
        }
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nine() -> Rules {
        Rules::default().with_size(9).unwrap()
    }

    #[test]
    fn vertices_leave_out_the_letter_i() {
        let size = 25;
        assert_eq!(read_point(size, "j10").unwrap().to_string(), "J10");
        assert_eq!(read_point(size, "Z25").unwrap(), Point::new(24, 24));
        for wrong in ["i5", "a0", "a26", "", "5", "a", "a+5", "aa5", "é5"] {
            assert_eq!(read_point(size, wrong), None, "{wrong}");
        }
        assert_eq!(read_point(9, "K1"), None);
        assert_eq!(read_move(9, "PASS"), Some(Move::Pass));
    }

    #[test]
    fn positions_come_back() {
        let mut game = search::Root::new(Position::empty(nine()));
        for vertex in ["E5", "D5", "J9", "pass", "pass"] {
            game.play_text(vertex).unwrap();
            let text = game.position().to_string();
            assert_eq!(&Position::read(&nine(), &text).unwrap(), game.position());
        }
        assert_eq!(game.position().to_string(), "8b/9/9/9/3wb4/9/9/9/9 w - 2 0 0");
    }

    #[test]
    fn a_handicap_comes_back() {
        let text = "9/9/2b3b2/9/9/9/9/9/9 w - 0 0 0 2";
        let position = Position::read(&nine(), text).unwrap();
        assert_eq!((position.handicap(), position.to_string().as_str()), (2, text));
    }

    #[test]
    fn bad_positions_are_refused_by_name() {
        let why = |text: &str| Position::read(&nine(), text).unwrap_err().why;
        assert_eq!(why(""), "it is empty");
        assert_eq!(why("9/9 b"), "2 rows instead of 9");
        assert_eq!(why("9/9/9/9/9/9/9/9/8x b"), "'x' is not a stone");
        assert_eq!(why("9/9/9/9/9/9/9/9/99999999999 b"), "row 1 has 65535 points instead of 9");
        assert_eq!(why("9/9/9/9/9/9/9/w8/bw7 b"), "a chain has no liberty");
        assert_eq!(why("9/9/9/9/9/9/9/9/9"), "the side to move is '', not b or w");
        assert_eq!(why("9/9/9/9/9/9/9/9/b8 b A1"), "the ko 'A1' is not an empty point");
        assert_eq!(why("9/9/9/9/9/9/9/9/9 b - 0 0 0 2 1"), "'1' follows the handicap stones");
        let many = "the prisoners of Black are '65535', not a number up to 9999";
        assert_eq!(why("9/9/9/9/9/9/9/9/9 b - 0 65535"), many);
    }
}
