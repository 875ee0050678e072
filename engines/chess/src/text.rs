//! How positions and moves of chess are written.
//!
//! FEN with four to six fields; castling rights as in X-FEN (`KQkq`, or the file of an inner rook) and
//! as in Shredder-FEN (`HAha`). Rights and en-passant squares that the board or the rules contradict are
//! dropped; a board that no game can have is refused with its reason.

use std::fmt::{self, Write as _};

use ::search::game::{Game, MoveError, PositionError, Side};
use ::search::squares::{self, Square, squares};

use crate::moves::{Kind, Move};
use crate::position::{Castle, Position, Role, Rules};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const LETTERS: &str = "pnbrqk";

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |role| f.write_char(letter(Side::Black, role)))
    }
}

fn letter(side: Side, role: Role) -> char {
    let small = LETTERS.as_bytes()[role.index()] as char;
    if side == Side::White { small.to_ascii_uppercase() } else { small }
}

/// The piece a letter stands for.
pub(crate) fn piece(letter: char) -> Option<(Side, Role)> {
    let role = Role::ALL[LETTERS.find(letter.to_ascii_lowercase())?];
    Some((if letter.is_ascii_uppercase() { Side::White } else { Side::Black }, role))
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = squares::write_board(8, |square| self.letter(square));
        let turn = if self.turn() == Side::White { 'w' } else { 'b' };
        let target = self.en_passant().map_or("-".to_owned(), |square| square.to_string());
        write!(f, "{board} {turn} {} {target} {} {}", rights(self), self.quiet(), self.number())
    }
}

impl Position {
    /// The piece on a square as FEN writes it.
    pub fn letter(&self, square: Square) -> Option<char> {
        Some(letter(self.side_on(square)?, self.role_on(square)?))
    }
}

/// The castling field: files in Chess960, else `KQkq`.
fn rights(position: &Position) -> String {
    let mut out = String::new();
    for castle in Castle::ALL {
        if let Some(rook) = position.castle_rook(castle) {
            let usual = if castle.is_short() { 'K' } else { 'Q' };
            let name = if position.rules().chess960 { (b'A' + rook.file()) as char } else { usual };
            out.push(if castle.side() == Side::White { name } else { name.to_ascii_lowercase() });
        }
    }
    if out.is_empty() { "-".to_owned() } else { out }
}

/// The rook furthest from the king on the side and rank of a castling.
fn outermost_rook(position: &Position, castle: Castle) -> Option<Square> {
    let king = position.king(castle.side());
    let rank = crate::attacks::rank_of(king);
    let rooks = position.pieces(castle.side(), Role::Rook) & rank;
    if castle.is_short() {
        squares(rooks).filter(|&rook| rook > king).last()
    } else {
        squares(rooks).find(|&rook| rook < king)
    }
}

/// The position games start from.
pub(crate) fn start(rules: Rules) -> Position {
    read(rules, START).expect("the start is a position")
}

/// Reads a FEN; the counters may be missing and may exceed their limits.
pub(crate) fn read(rules: Rules, text: &str) -> Result<Position, PositionError> {
    read_fields(rules, text).map_err(|why| PositionError::new(text, why))
}

/// Reads a FEN that does not say of which game it is: of Chess960 if ordinary chess would drop some of its rights.
pub fn read_either(text: &str) -> Result<Position, PositionError> {
    let usual = read(Rules::default(), text)?;
    let shuffled = read(Rules { chess960: true }, text)?;
    Ok(if usual.same(&shuffled) { usual } else { shuffled })
}

fn read_fields(rules: Rules, text: &str) -> Result<Position, String> {
    let mut fields = text.split_whitespace();
    let board = fields.next().ok_or("it is empty")?;
    let mut position = read_board(rules, board)?;
    match fields.next() {
        Some("w") => {}
        Some("b") => position.set_turn(Side::Black),
        other => return Err(format!("the side to move is '{}', not w or b", other.unwrap_or(""))),
    }
    check_pieces(&position)?;
    read_rights(&mut position, fields.next().unwrap_or("-"))?;
    let target = fields.next().unwrap_or("-");
    let (quiet, number) = (read_counter(fields.next(), 0)?, read_counter(fields.next(), 1)?);
    if let Some(extra) = fields.next() {
        return Err(format!("'{extra}' follows the move number"));
    }
    position.set_counters(quiet, number);
    if target != "-" {
        let square = Square::read(8, target).ok_or_else(|| format!("the en-passant square is '{target}'"))?;
        read_en_passant(&mut position, square);
    }
    position.look_at_king();
    Ok(position)
}

fn read_board(rules: Rules, board: &str) -> Result<Position, String> {
    let mut position = Position::empty(rules);
    let read = |letter| piece(letter).ok_or_else(|| format!("'{letter}' is not a piece"));
    for (square, (side, role)) in squares::read_board(8, board, read)? {
        position.put(side, role, square);
    }
    Ok(position)
}

fn check_pieces(position: &Position) -> Result<(), String> {
    for side in [Side::White, Side::Black] {
        match position.count_of(side, Role::King) {
            0 => return Err(format!("{side} has no king")),
            1 => {}
            n => return Err(format!("{side} has {n} kings")),
        }
        if position.side(side).count_ones() > 16 {
            return Err(format!("{side} has {} pieces, more than 16", position.side(side).count_ones()));
        }
        if position.count_of(side, Role::Pawn) > 8 {
            return Err(format!("{side} has {} pawns, more than 8", position.count_of(side, Role::Pawn)));
        }
    }
    let ends = crate::attacks::RANK_1 | crate::attacks::RANK_8;
    if let Some(square) = squares(position.role(Role::Pawn) & ends).next() {
        return Err(format!("a pawn stands on {square}"));
    }
    let waiting = !position.turn();
    if position.is_attacked(position.king(waiting), position.turn(), position.occupied()) {
        return Err(format!("{waiting} is in check and {} is to move", position.turn()));
    }
    Ok(())
}

/// Grants the rights that board and rules permit; a right without its king or rook is dropped.
fn read_rights(position: &mut Position, text: &str) -> Result<(), String> {
    if text == "-" {
        return Ok(());
    }
    for letter in text.chars() {
        let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
        let king = position.king(side);
        let [short, long] = Castle::of(side);
        let (castle, rook) = match letter.to_ascii_uppercase() {
            'K' => (short, outermost_rook(position, short)),
            'Q' => (long, outermost_rook(position, long)),
            file @ 'A'..='H' => {
                let rook = Square::at(file as u8 - b'A', king.rank());
                (if rook > king { short } else { long }, Some(rook))
            }
            _ => return Err(format!("'{letter}' is not a castling right")),
        };
        let home = if side == Side::White { 0 } else { 7 };
        let rook = rook.filter(|rook| position.pieces(side, Role::Rook) & rook.bit() != 0);
        if let Some(rook) = rook
            && king.rank() == home
            && (position.rules().chess960 || is_usual_castle(king, rook))
            && position.castle_rook(castle).is_none()
        {
            position.grant(castle, rook);
        }
    }
    Ok(())
}

/// Notes the square if a pawn can have passed it and can legally be taken.
fn read_en_passant(position: &mut Position, target: Square) {
    let us = position.turn();
    if target.seen_by(us).rank() != 5 {
        return;
    }
    let (pawn, origin) = (Square(target.0 ^ 8), Square(target.0 ^ 24));
    let fits = position.pieces(!us, Role::Pawn) & pawn.bit() != 0
        && position.occupied() & (target.bit() | origin.bit()) == 0;
    if fits {
        position.offer_en_passant(target);
    }
}

fn read_counter(field: Option<&str>, missing: u16) -> Result<u16, String> {
    match field {
        None | Some("-") => Ok(missing),
        Some(count) if count.bytes().all(|c| c.is_ascii_digit()) => Ok(count.parse().unwrap_or(u16::MAX)),
        Some(other) => Err(format!("the counter is '{other}', not a number")),
    }
}

/// Writes a move as UCI does: castling as a king's move, in Chess960 as the king taking its rook.
pub(crate) fn write(position: &Position, m: Move) -> String {
    if m.kind() == Kind::Castle && !position.rules().chess960 {
        let castle = Castle::of(position.turn())[usize::from(m.to() < m.from())];
        return format!("{}{}", m.from(), castle.targets().0);
    }
    format!("{m:?}")
}

/// Whether king and rook stand where they do in ordinary chess.
fn is_usual_castle(king: Square, rook: Square) -> bool {
    king.file() == 4 && matches!(rook.file(), 0 | 7)
}

/// Reads a move such as `e2e4` or `e7e8q`; castling in either dialect; also the short notation of game records.
pub(crate) fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let legal = position.list();
    if let Some((from, to, promotion)) = coordinates(text) {
        let exact = |m: &&Move| m.from() == from && m.to() == to && m.promotion() == promotion;
        let castle = |m: &&Move| {
            m.kind() == Kind::Castle
                && m.from() == from
                && promotion.is_none()
                && Castle::of(position.turn())[usize::from(m.to() < m.from())].targets().0 == to
        };
        let found = legal.iter().find(exact).or_else(|| legal.iter().find(castle));
        return found.copied().ok_or_else(|| MoveError::Illegal(text.to_owned()));
    }
    crate::san::parse(position, &legal, text)
}

fn coordinates(text: &str) -> Option<(Square, Square, Option<Role>)> {
    if !text.is_ascii() || !(4..=5).contains(&text.len()) {
        return None;
    }
    let promotion = match text.as_bytes().get(4) {
        None => None,
        Some(&letter) => {
            let (_, role) = piece(letter as char).filter(|(side, _)| *side == Side::Black)?;
            Some(role)
        }
    };
    Some((Square::read(8, &text[..2])?, Square::read(8, &text[2..4])?, promotion))
}

/// The board as people draw it.
pub(crate) fn picture(position: &Position) -> String {
    squares::picture(8, |square| position.letter(square))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str) -> Position {
        Position::read(&Rules::default(), fen).unwrap()
    }

    #[test]
    fn positions_are_written_as_they_were_read() {
        for fen in [
            START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/8/8/3pP3/8/8/8/k6K w - d6 0 12",
            "8/8/8/8/8/8/8/k6K b - - 142 300",
        ] {
            assert_eq!(read(fen).to_string(), fen);
        }
    }

    #[test]
    fn counters_may_be_missing_or_large() {
        assert_eq!(read("8/8/8/8/8/8/8/k6K w - -").quiet(), 0);
        assert_eq!(read("8/8/8/8/8/8/8/k6K w").number(), 1);
        assert_eq!(read("8/8/8/8/8/8/8/k6K w - - 99999999 0").quiet(), u32::from(u16::MAX));
    }

    #[test]
    fn rights_are_read_in_both_dialects() {
        let shuffled = |fen: &str| Position::read(&Rules { chess960: true }, fen).unwrap().to_string();
        let inner = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1";
        let shredder = inner.replace("KQkq", "GBgb");
        assert_eq!((shuffled(inner), shuffled(&shredder)), (shredder.clone(), shredder));
        // An inner rook needs its file in X-FEN too.
        let both = "4k3/8/8/8/8/8/8/1RR1K3 w C - 0 1";
        assert_eq!(shuffled(both), both);
        let usual = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(read(&usual.replace("KQkq", "HAha")).to_string(), usual);
    }

    #[test]
    fn rights_that_only_chess960_has_are_dropped_without_it() {
        for (fen, rights) in [
            ("rnbkqbnr/8/8/8/8/8/8/R2K3R w KQkq - 0 1", "-"),
            ("4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1", "K"),
            ("4k3/8/8/8/8/8/8/R3KR1R w FA - 0 1", "Q"),
        ] {
            assert_eq!(read(fen).to_string().split(' ').nth(2), Some(rights), "{fen}");
            assert!(read_either(fen).unwrap().rules().chess960, "{fen}");
        }
        assert!(!read_either(START).unwrap().rules().chess960);
    }

    #[test]
    fn rights_that_the_board_contradicts_are_dropped() {
        assert_eq!(read("4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1").to_string(), "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        assert_eq!(read("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1").to_string(), "4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
        assert_eq!(read("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1").en_passant(), None);
        assert_eq!(read("4k3/8/8/8/8/8/8/4K3 w - e6 0 1").en_passant(), None);
        assert_eq!(read("4k3/8/8/8/8/8/8/4K3 w - a1 0 1").en_passant(), None);
    }

    #[test]
    fn a_pinned_pawn_cannot_take_en_passant() {
        assert_eq!(read("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1").en_passant(), None);
        assert!(read("8/8/8/3pP2r/8/K7/8/4k3 w - d6 0 1").en_passant().is_some());
    }

    #[test]
    fn impossible_boards_are_refused_by_name() {
        let why = |fen: &str| Position::read(&Rules::default(), fen).unwrap_err().why;
        assert_eq!(why(""), "it is empty");
        assert_eq!(why("8/8/8 w - -"), "3 ranks instead of 8");
        assert_eq!(why("8/8/8/8/8/8/8/k6K9 w - -"), "'9' is not a piece");
        assert_eq!(why("8/8/8/8/8/8/8/k5K w - -"), "rank 1 has 7 files instead of 8");
        assert_eq!(why("8/8/8/8/8/8/8/k7 w - -"), "White has no king");
        assert_eq!(why("8/8/8/8/8/8/8/kk5K w - -"), "Black has 2 kings");
        assert_eq!(why("8/8/8/8/8/8/8/k5PK w - -"), "a pawn stands on g1");
        assert_eq!(why("8/8/8/8/8/8/P7/k6K x - -"), "the side to move is 'x', not w or b");
        assert_eq!(why("8/8/8/8/8/8/8/k1R4K w - -"), "Black is in check and White is to move");
        assert_eq!(why("8/8/8/8/8/8/8/k6K w Z -"), "'Z' is not a castling right");
        assert_eq!(why("8/8/8/8/8/8/8/k6K w - e9"), "the en-passant square is 'e9'");
        assert_eq!(why("8/8/8/8/8/8/8/k6K w - - x"), "the counter is 'x', not a number");
        assert_eq!(why("8/pppp4/pppp4/p7/8/8/8/k6K w - -"), "Black has 9 pawns, more than 8");
    }

    #[test]
    fn castling_is_written_in_the_dialect_and_read_in_both() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (chess960, short, long) in [(false, "e1g1", "e1c1"), (true, "e1h1", "e1a1")] {
            let position = Position::read(&Rules { chess960 }, fen).unwrap();
            for (texts, written) in [(["e1g1", "e1h1", "O-O"], short), (["e1c1", "e1a1", "O-O-O"], long)] {
                for text in texts {
                    assert_eq!(position.write(position.parse(text).unwrap()), written);
                }
            }
        }
    }

    #[test]
    fn moves_are_refused_with_a_reason() {
        let start = Position::start(&Rules::default());
        assert_eq!(start.parse("e2e5"), Err(MoveError::Illegal("e2e5".to_owned())));
        assert_eq!(start.parse("E2E4"), Err(MoveError::Syntax("E2E4".to_owned())));
        assert_eq!(start.parse("e2e4q"), Err(MoveError::Illegal("e2e4q".to_owned())));
        assert_eq!(start.parse("0000"), Err(MoveError::Syntax("0000".to_owned())));
        assert_eq!(start.parse("ä2ä4"), Err(MoveError::Syntax("ä2ä4".to_owned())));
    }

    #[test]
    fn the_board_is_drawn() {
        assert!(Position::start(&Rules::default()).picture().starts_with("8  r n b q k b n r\n7  p"));
    }
}
