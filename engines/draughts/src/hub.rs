//! How Hub writes positions and moves: `Wbbbb...` square by square from b8 on, `32-28`, and captures with the
//! squares of the pieces taken, `28x19x23`, in any order.
//!
//! Hub was made for 100 squares; on 64 one client numbers the squares of moves from a1 on although its
//! positions begin at b8, so that order can be chosen.

use protocol::hub::Dialect;
use search::game::{Game, MoveError, PositionError, Side};

use crate::board::squares;
use crate::text::sign;
use crate::{Draughts, Move, Position, Rules, Square};

/// The orders of squares in moves: as people number them, or from a1 = 1 to h8 = 32.
pub const ORDERS: [&str; 2] = ["b8", "a1-moves"];

/// The dialect of draughts.
pub fn dialect() -> Dialect<Draughts> {
    Dialect {
        orders: &ORDERS,
        names: &[("variant", "Variant"), ("draw-rules", "DrawRules"), ("bb-path", "EndgamePath")],
        position: read,
        parse,
        write,
    }
}

fn number(square: Square, order: &str) -> u8 {
    if order == ORDERS[1] { square.0 + 1 } else { square.number() }
}

/// The numbers of the pieces that a move takes, the smallest first.
fn taken(m: Move, order: &str) -> Vec<u8> {
    let mut taken: Vec<u8> = squares(m.captured).map(|square| number(square, order)).collect();
    taken.sort_unstable();
    taken
}

/// Reads a position: the side to move, then one letter for each square.
pub fn read(rules: &Rules, text: &str) -> Result<Position, PositionError> {
    let refuse = |why: String| PositionError::new(text, why);
    let mut letters = text.chars();
    let turn = letters.next().filter(|turn| "WB".contains(*turn));
    let turn = turn.ok_or_else(|| refuse("it does not begin with W or B".to_owned()))?;
    if letters.clone().count() != 32 {
        return Err(refuse(format!("{} squares instead of 32", letters.count())));
    }
    let mut pieces = [Vec::new(), Vec::new()];
    for (letter, number) in letters.zip(1..) {
        match letter {
            'w' => pieces[0].push(format!("{number}")),
            'W' => pieces[0].push(format!("K{number}")),
            'b' => pieces[1].push(format!("{number}")),
            'B' => pieces[1].push(format!("K{number}")),
            'e' => {}
            other => return Err(refuse(format!("'{other}' is not a piece"))),
        }
    }
    let fen = format!("{turn}:W{}:B{}", pieces[0].join(","), pieces[1].join(","));
    Position::read(rules, &fen).map_err(|error| refuse(error.why))
}

/// Writes a position as [`read`] reads it.
pub fn position(position: &Position) -> String {
    let letter = |square: Square| match sign(position, square) {
        '.' => 'e',
        piece => piece,
    };
    let turn = if position.turn() == Side::White { 'W' } else { 'B' };
    std::iter::once(turn).chain((1..=32).filter_map(Square::from_number).map(letter)).collect()
}

/// Writes a legal move.
pub fn write(_: &Position, m: Move, order: &'static str) -> String {
    if !m.is_capture() {
        return format!("{}-{}", number(m.from, order), number(m.to, order));
    }
    let taken = taken(m, order);
    let ends = [number(m.from, order), number(m.to, order)];
    ends.iter().chain(&taken).map(u8::to_string).collect::<Vec<_>>().join("x")
}

/// Reads a move: its ends and, unless they are enough, the pieces taken.
pub fn parse(position: &Position, text: &str, order: &'static str) -> Result<Move, MoveError> {
    let numbers: Option<Vec<u8>> = text.split(['-', 'x']).map(|word| word.parse().ok()).collect();
    let numbers =
        numbers.filter(|numbers| numbers.len() >= 2 && numbers.iter().all(|n| (1..=32).contains(n)));
    let numbers = numbers.ok_or_else(|| MoveError::Syntax(text.to_owned()))?;
    let mut said = numbers[2..].to_vec();
    said.sort_unstable();
    let fits = |m: &Move| {
        number(m.from, order) == numbers[0]
            && number(m.to, order) == numbers[1]
            && text.contains('x') == m.is_capture()
            && (said.is_empty() || taken(*m, order) == said)
    };
    let mut legal = position.list();
    legal.retain(fits);
    match legal[..] {
        [m] => Ok(m),
        [] => Err(MoveError::Illegal(text.to_owned())),
        _ => Err(MoveError::Ambiguous(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::walk::walk;

    #[test]
    fn the_start_begins_at_b8() {
        let start = Position::start(&Rules::default());
        assert_eq!(position(&start), format!("W{}{}{}", "b".repeat(12), "e".repeat(8), "w".repeat(12)));
    }

    #[test]
    fn positions_and_moves_are_read_back_in_both_orders() {
        for seed in 0..10 {
            let game = walk(Position::start(&Rules::default()), 120, &mut search::Random::new(seed));
            for here in game.positions() {
                assert!(read(&Rules::default(), &position(here)).unwrap().same(here));
                let list = here.list();
                for order in ORDERS {
                    assert!(list.iter().all(|&m| parse(here, &write(here, m, order), order) == Ok(m)));
                }
            }
        }
    }

    #[test]
    fn one_client_counts_moves_from_a1() {
        let start = Position::start(&Rules::default());
        let m = start.parse("a3-b4").unwrap();
        assert_eq!(
            (write(&start, m, "b8"), write(&start, m, "a1-moves")),
            ("21-17".to_owned(), "9-13".to_owned())
        );
    }

    #[test]
    fn captures_name_the_pieces_taken() {
        let position = Position::read(&Rules::default(), "W:W30:B10,11,17,18,25,26").unwrap();
        assert!(position.parse("30x16").is_err());
        assert_eq!(parse(&position, "30x16", "b8"), Err(MoveError::Ambiguous("30x16".to_owned())));
        let m = parse(&position, "30x16x25x10x17x11", "b8").unwrap();
        assert_eq!(write(&position, m, "b8"), "30x16x10x11x17x25");
    }

    #[test]
    fn bad_texts_are_refused_by_name() {
        let why = |text: &str| read(&Rules::default(), text).unwrap_err().why;
        assert_eq!(why(""), "it does not begin with W or B");
        assert_eq!(why("Wwb"), "2 squares instead of 32");
        assert_eq!(why(&format!("Wx{}", "e".repeat(31))), "'x' is not a piece");
        assert_eq!(why(&format!("Ww{}", "e".repeat(31))), "White's man on 1 should have been crowned");
        let start = Position::start(&Rules::default());
        for text in ["", "1", "x", "22-", "22-99", "22y18", "22-15"] {
            assert!(parse(&start, text, "b8").is_err(), "{text}");
        }
    }
}
