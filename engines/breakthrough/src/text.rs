//! How positions and moves of Breakthrough are written.
//!
//! FEN: ranks from the top, `w`, `b` and counts of empty squares; the side to move.

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
        let board = squares::write_board(self.rules().size(), |square| letter(self, square));
        write!(f, "{board} {}", if self.turn() == Side::White { 'w' } else { 'b' })
    }
}

fn letter(position: &Position, square: Square) -> Option<char> {
    let stands = |side| position.men(side) & square.bit() != 0;
    match (stands(Side::White), stands(Side::Black)) {
        (true, _) => Some('w'),
        (_, true) => Some('b'),
        _ => None,
    }
}

/// Reads a FEN.
pub(crate) fn read(rules: Rules, text: &str) -> Result<Position, PositionError> {
    let refuse = |why: String| PositionError::new(text, why);
    let mut fields = text.split_whitespace();
    let board = fields.next().ok_or_else(|| refuse("it is empty".to_owned()))?;
    let men = read_board(rules, board).map_err(refuse)?;
    let turn = match fields.next() {
        Some("w") => Side::White,
        Some("b") => Side::Black,
        other => return Err(refuse(format!("the side to move is '{}', not w or b", other.unwrap_or("")))),
    };
    if let Some(extra) = fields.next() {
        return Err(refuse(format!("'{extra}' follows the side to move")));
    }
    let position = Position::new(rules, men, turn);
    if position.has_won(turn) {
        return Err(refuse(format!("{turn} is to move and has won already")));
    }
    Ok(position)
}

fn read_board(rules: Rules, board: &str) -> Result<[u64; 2], String> {
    let size = rules.size();
    let side = |letter| match letter {
        'w' => Ok(Side::White),
        'b' => Ok(Side::Black),
        other => Err(format!("'{other}' is not a man")),
    };
    let mut men = [0; 2];
    for (square, side) in squares::read_board(size, board, side)? {
        men[side.index()] |= square.bit();
    }
    for (side, set) in [Side::White, Side::Black].iter().zip(men) {
        if set.count_ones() > 2 * u32::from(size) {
            return Err(format!("{side} has {} men, more than {}", set.count_ones(), 2 * size));
        }
    }
    Ok(men)
}

/// Reads a move such as `a2b3`.
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
    squares::picture(position.rules().size(), |square| letter(position, square))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww w";

    #[test]
    fn the_start_is_written_as_promised() {
        assert_eq!(Position::start(&Rules::default()).to_string(), START);
        let small = Position::start(&Rules::new(5).unwrap());
        assert_eq!(small.to_string(), "bbbbb/bbbbb/5/wwwww/wwwww w");
    }

    #[test]
    fn bad_positions_are_refused_by_name() {
        let why = |fen: &str| Position::read(&Rules::default(), fen).unwrap_err().why;
        assert_eq!(why(""), "it is empty");
        assert_eq!(why("8/8/8 w"), "3 ranks instead of 8");
        assert_eq!(why("8/8/8/8/8/8/8/7x w"), "'x' is not a man");
        assert_eq!(why("8/8/8/8/8/8/8/7 w"), "rank 1 has 7 files instead of 8");
        assert_eq!(why("8/8/8/8/8/8/8/wwwwwwwww w"), "rank 1 has 9 files instead of 8");
        let endless = format!("{}/8/8/8/8/8/8/8 w", "8".repeat(33));
        assert_eq!(why(&endless), "rank 8 has 255 files instead of 8");
        assert_eq!(why("8/b7/8/8/8/w7/wwwwwwww/wwwwwwww w"), "White has 17 men, more than 16");
        assert_eq!(why("8/b7/8/8/8/8/8/w7"), "the side to move is '', not w or b");
        assert_eq!(why("8/b7/8/8/8/8/8/w7 w 0"), "'0' follows the side to move");
    }

    #[test]
    fn nobody_moves_after_his_own_victory() {
        let why = |fen: &str| Position::read(&Rules::default(), fen).unwrap_err().why;
        assert_eq!(why("w7/7b/8/8/8/8/8/8 w"), "White is to move and has won already");
        assert_eq!(why("8/8/8/8/8/8/b7/8 b"), "Black is to move and has won already");
        assert_eq!(why("8/8/8/8/8/8/8/8 w"), "White is to move and has won already");
        assert!(Position::read(&Rules::default(), "w7/7b/8/8/8/8/8/8 b").is_ok());
    }

    #[test]
    fn moves_are_refused_with_a_reason() {
        let start = Position::start(&Rules::default());
        assert_eq!(start.parse("a2b3").unwrap().to_string(), "a2b3");
        assert_eq!(start.parse("a2a4"), Err(MoveError::Illegal("a2a4".to_owned())));
        assert_eq!(start.parse("a2i3"), Err(MoveError::Syntax("a2i3".to_owned())));
        assert_eq!(start.parse("0000"), Err(MoveError::Syntax("0000".to_owned())));
    }

    #[test]
    fn the_board_is_drawn() {
        let picture = Position::start(&Rules::new(5).unwrap()).picture();
        assert_eq!(
            picture,
            "5  b b b b b\n4  b b b b b\n3  . . . . .\n2  w w w w w\n1  w w w w w\n   a b c d e\n"
        );
    }
}
