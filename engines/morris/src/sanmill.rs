//! Reading positions as Sanmill writes them, the program most of the morris world uses.
//!
//! Seventeen fields: board, side, phase, action, men on the board and in hand of White and of Black, removals due
//! to each, four fields of last moves, a mill count, plies since a removal, the move number; more may follow. The
//! rings run from the inside out, each clockwise from the middle of its upper side.

use search::Side;

use crate::board::Point;
use crate::memory::Memory;
use crate::text::read_hand;
use crate::{Position, Rules};

const FIELDS: usize = 17;

/// Whether a text is written in Sanmill's way rather than ours.
pub(crate) fn looks_like(text: &str) -> bool {
    let board = text.split_whitespace().next().unwrap_or("");
    board.contains(['*', 'O', '@', 'X'])
}

/// Reads a position in which a whole turn begins; its last moves are not memory of ours and are ignored.
pub(crate) fn read(rules: Rules, text: &str) -> Result<Position, String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    if fields.len() < FIELDS {
        return Err(format!("{} fields instead of {FIELDS}", fields.len()));
    }
    let men = read_board(fields[0])?;
    let turn = match fields[1] {
        "w" => Side::White,
        "b" => Side::Black,
        other => return Err(format!("the side to move is '{other}', not w or b")),
    };
    if fields[3] == "r" || fields[8] != "0" || fields[9] != "0" {
        return Err("a removal is due: a position must stand at the start of a turn".to_owned());
    }
    for (side, count, set) in [("White", fields[4], men[0]), ("Black", fields[6], men[1])] {
        if count.parse() != Ok(set.count_ones()) {
            return Err(format!("{side} has {} men on the board, not '{count}'", set.count_ones()));
        }
    }
    let hand = [read_hand("White", men[0], Some(fields[5]))?, read_hand("Black", men[1], Some(fields[7]))?];
    let quiet = fields[15].parse().map_err(|_| format!("the count of plies is '{}'", fields[15]))?;
    Ok(Position::new(rules, men, hand, turn, quiet, Memory::default()))
}

fn read_board(board: &str) -> Result<[u32; 2], String> {
    let rings: Vec<&str> = board.split('/').collect();
    if rings.len() != 3 || rings.iter().any(|ring| ring.chars().count() != 8) {
        return Err(format!("'{board}' is not three rings of eight points"));
    }
    let mut men = [0; 2];
    for (ring, number) in rings.iter().zip([2, 1, 0]) {
        for (letter, i) in ring.chars().zip(0..) {
            let point = Point(8 * number + (i + 1) % 8);
            match letter {
                'O' => men[0] |= point.bit(),
                '@' => men[1] |= point.bit(),
                '*' => {}
                other => return Err(format!("'{other}' is not a man")),
            }
        }
    }
    Ok(men)
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Game;

    fn read(fen: &str) -> Result<String, String> {
        Position::read(&Rules::STANDARD, fen).map(|p| p.to_string()).map_err(|e| e.why)
    }

    #[test]
    fn the_start_is_the_start() {
        let start = "********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";
        assert_eq!(read(start), Ok("......../......../........ w 9 9 0 -".to_owned()));
    }

    #[test]
    fn rings_are_turned_into_our_order() {
        let fen = "O*******/*@******/*******O b p p 2 7 1 8 0 0 -1 -1 -1 -1 0 3 2";
        assert_eq!(read(fen), Ok("w......./..b...../.w...... b 7 8 3 -".to_owned()));
    }

    #[test]
    fn what_does_not_fit_is_refused_by_name() {
        let why = |fen: &str| read(fen).unwrap_err();
        assert_eq!(why("********/********/******** w p p"), "4 fields instead of 17");
        assert_eq!(
            why("O*******/********/******** w p r 1 8 0 9 1 0 -1 -1 -1 -1 0 0 1"),
            "a removal is due: a position must stand at the start of a turn"
        );
        assert_eq!(
            why("O*******/********/******** w p p 2 8 0 9 0 0 -1 -1 -1 -1 0 0 1"),
            "White has 1 men on the board, not '2'"
        );
        assert_eq!(why("O*******/***X****/******** w p p 1 8 0 9 0 0 -1 -1 -1 -1 0 0 1"), "'X' is not a man");
        assert_eq!(
            why("O*******/********/******** w p p 1 9 0 9 0 0 -1 -1 -1 -1 0 0 1"),
            "White has 10 men, more than 9"
        );
    }
}
