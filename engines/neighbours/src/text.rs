//! How positions and moves of Neighbours are written.
//!
//! FEN: ranks from the top, `w`, `b` and counts of empty squares; the side to move; plies since a capture.

use std::fmt;

use search::squares::{self, Square};
use search::{Game, MoveError, PositionError, Side};

use crate::{Move, Position, Rules};

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = squares::write_board(self.rules().size(), |square| self.letter(square));
        write!(f, "{board} {} {}", if self.turn() == Side::White { 'w' } else { 'b' }, self.quiet())
    }
}

impl Position {
    fn letter(&self, square: Square) -> Option<char> {
        if self.pieces(Side::White) & square.bit() != 0 {
            Some('w')
        } else if self.pieces(Side::Black) & square.bit() != 0 {
            Some('b')
        } else {
            None
        }
    }
}

/// Reads a FEN; the counter may be missing and may exceed its limit.
pub(crate) fn read(rules: Rules, text: &str) -> Result<Position, PositionError> {
    let refuse = |why: String| PositionError::new(text, why);
    let mut fields = text.split_whitespace();
    let board = fields.next().ok_or_else(|| refuse("it is empty".to_owned()))?;
    let pieces = read_board(rules, board).map_err(refuse)?;
    let turn = match fields.next() {
        Some("w") => Side::White,
        Some("b") => Side::Black,
        other => return Err(refuse(format!("the side to move is '{}', not w or b", other.unwrap_or("")))),
    };
    let quiet = match fields.next() {
        None => 0,
        Some(count) if count.bytes().all(|c| c.is_ascii_digit()) => count.parse().unwrap_or(u16::MAX),
        Some(other) => return Err(refuse(format!("the count of plies is '{other}', not a number"))),
    };
    if let Some(extra) = fields.next() {
        return Err(refuse(format!("'{extra}' follows the count of plies")));
    }
    Ok(Position::new(rules, pieces, turn, quiet))
}

fn read_board(rules: Rules, board: &str) -> Result<[u64; 2], String> {
    let size = rules.size();
    let side = |letter| match letter {
        'w' => Ok(0),
        'b' => Ok(1),
        other => Err(format!("'{other}' is not a piece")),
    };
    let mut pieces = [0u64; 2];
    for (square, side) in squares::read_board(size, board, side)? {
        pieces[side] |= square.bit();
    }
    for (side, set) in ["White", "Black"].iter().zip(pieces) {
        if set.count_ones() > u32::from(size) {
            return Err(format!("{side} has {} pieces, more than {size}", set.count_ones()));
        }
    }
    Ok(pieces)
}

/// Reads a move such as `a1b2`.
pub(crate) fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let m = squares_of(position.rules(), text).ok_or_else(|| MoveError::Syntax(text.to_owned()))?;
    let legal = position.list();
    legal.contains(&m).then_some(m).ok_or_else(|| MoveError::Illegal(text.to_owned()))
}

fn squares_of(rules: Rules, text: &str) -> Option<Move> {
    let (from, to) = text.split_at_checked(2)?;
    Some(Move { from: Square::read(rules.size(), from)?, to: Square::read(rules.size(), to)? })
}

/// The board as people draw it.
pub(crate) fn picture(position: &Position) -> String {
    squares::picture(position.rules().size(), |square| position.letter(square))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "bbbbbbbb/8/8/8/8/8/8/wwwwwwww w 0";

    #[test]
    fn the_start_is_written_as_promised() {
        assert_eq!(Position::start(&Rules::default()).to_string(), START);
        assert_eq!(Position::start(&Rules::new(4).unwrap()).to_string(), "bbbb/4/4/wwww w 0");
    }

    #[test]
    fn bad_positions_are_refused_by_name() {
        let why = |fen: &str| Position::read(&Rules::default(), fen).unwrap_err().why;
        assert_eq!(why(""), "it is empty");
        assert_eq!(why("8/8/8 w 0"), "3 ranks instead of 8");
        assert_eq!(why("8/8/8/8/8/8/8/7x w 0"), "'x' is not a piece");
        assert_eq!(why("8/8/8/8/8/8/8/7 w 0"), "rank 1 has 7 files instead of 8");
        assert_eq!(why("8/8/8/8/8/8/8/wwwwwwwww w 0"), "rank 1 has 9 files instead of 8");
        let endless = format!("{}/8/8/8/8/8/8/8 w 0", "8".repeat(33));
        assert_eq!(why(&endless), "rank 8 has 255 files instead of 8");
        assert_eq!(why("8/8/8/8/8/8/w7/wwwwwwww w 0"), "White has 9 pieces, more than 8");
        assert_eq!(why("8/8/8/8/8/8/8/8"), "the side to move is '', not w or b");
        assert_eq!(why("8/8/8/8/8/8/8/8 w -1"), "the count of plies is '-1', not a number");
        assert_eq!(why("8/8/8/8/8/8/8/8 w 0 1"), "'1' follows the count of plies");
    }

    #[test]
    fn the_counter_may_be_missing_or_large() {
        let read = |fen: &str| Position::read(&Rules::default(), fen).unwrap().quiet();
        assert_eq!(read("8/8/8/8/8/8/8/8 b"), 0);
        assert_eq!(read("8/8/8/8/8/8/8/8 b 250"), 250);
        assert_eq!(read("8/8/8/8/8/8/8/8 b 99999999999"), u32::from(u16::MAX));
    }

    #[test]
    fn moves_are_refused_with_a_reason() {
        let start = Position::start(&Rules::default());
        assert_eq!(start.parse("a1b2").unwrap().to_string(), "a1b2");
        assert_eq!(start.parse("a1a3"), Err(MoveError::Illegal("a1a3".to_owned())));
        assert_eq!(start.parse("a1i3"), Err(MoveError::Syntax("a1i3".to_owned())));
        assert_eq!(start.parse("0000"), Err(MoveError::Syntax("0000".to_owned())));
    }

    #[test]
    fn the_board_is_drawn() {
        assert!(Position::start(&Rules::default()).picture().starts_with("8  b b b b b b b b\n7  ."));
    }
}
