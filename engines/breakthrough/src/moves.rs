//! Which moves there are. All men of a side move at once, as bits in a word.

use search::squares::squares;
use search::{Game, MoveList, Side, Square};

use crate::Position;

/// One man a row ahead, taking what stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the man stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

/// The squares straight ahead of a set, for a side that moves upwards.
#[inline(always)]
pub(crate) fn straight(set: u64) -> u64 {
    set << 8
}

/// The squares diagonally ahead of a set, for a side that moves upwards: what it attacks.
#[inline(always)]
pub(crate) fn diagonal(set: u64) -> u64 {
    set << 7 & NOT_H | set << 9 & NOT_A
}

/// The squares diagonally behind a set, for a side that moves upwards: where its protectors stand.
#[inline(always)]
pub(crate) fn behind(set: u64) -> u64 {
    set >> 9 & NOT_H | set >> 7 & NOT_A
}

/// The squares to the right of a set.
#[inline(always)]
pub(crate) fn beside(set: u64) -> u64 {
    set << 1 & NOT_A
}

/// Where the men of the side to move can go, each with the way there.
#[inline(always)]
fn targets(position: &Position) -> [(u64, i32); 3] {
    let side = position.turn();
    let (own, board) = (position.men(side), position.rules().board());
    let (free, landing) = (board & !position.occupied(), board & !own);
    match side {
        Side::White => {
            [(own << 7 & NOT_H & landing, 7), (own << 8 & free, 8), (own << 9 & NOT_A & landing, 9)]
        }
        Side::Black => {
            [(own >> 9 & NOT_H & landing, -9), (own >> 8 & free, -8), (own >> 7 & NOT_A & landing, -7)]
        }
    }
}

/// Appends the legal moves that end on one of these squares.
pub(crate) fn generate(position: &Position, within: u64, out: &mut MoveList<Move>) {
    if position.has_won(!position.turn()) {
        return;
    }
    for (set, way) in targets(position) {
        let targets = squares(set & within);
        out.extend(targets.map(|to| Move { from: Square((i32::from(to.0) - way) as u8), to }));
    }
}

/// The number of legal moves.
pub(crate) fn count(position: &Position) -> u64 {
    if position.has_won(!position.turn()) {
        return 0;
    }
    targets(position).iter().map(|(set, _)| u64::from(set.count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn moves(fen: &str) -> Vec<String> {
        let mut list = Vec::new();
        Position::read(&Rules::default(), fen).unwrap().moves(&mut list);
        let mut moves: Vec<_> = list.iter().map(|m| format!("{m}")).collect();
        moves.sort();
        moves
    }

    #[test]
    fn a_man_goes_straight_or_diagonally_ahead() {
        assert_eq!(moves("8/b7/8/8/8/3w4/8/8 w"), ["d3c4", "d3d4", "d3e4"]);
        assert_eq!(moves("8/8/8/3b4/8/8/8/w7 b"), ["d5c4", "d5d4", "d5e4"]);
    }

    #[test]
    fn men_take_diagonally_only() {
        assert_eq!(moves("8/8/8/8/2bbb3/3w4/8/8 w"), ["d3c4", "d3e4"]);
        assert_eq!(moves("8/8/8/8/3b4/2www3/8/8 b"), ["d4c3", "d4e3"]);
    }

    #[test]
    fn own_men_are_in_the_way() {
        assert_eq!(
            moves("8/b7/8/8/2w1w3/3w4/8/8 w"),
            ["c4b5", "c4c5", "c4d5", "d3d4", "e4d5", "e4e5", "e4f5"]
        );
    }

    #[test]
    fn no_man_leaves_the_board_at_its_side() {
        assert_eq!(moves("8/8/b6b/8/8/w6w/8/8 w"), ["a3a4", "a3b4", "h3g4", "h3h4"]);
        assert_eq!(moves("8/8/b6b/8/8/w6w/8/8 b"), ["a6a5", "a6b5", "h6g5", "h6h5"]);
    }

    #[test]
    fn squares_behind_are_those_from_which_one_attacks() {
        for square in 0..64 {
            let from = squares(behind(1 << square)).fold(0, |all, square| all | square.bit());
            let seen = squares(!0).filter(|from| diagonal(from.bit()) >> square & 1 != 0);
            assert_eq!(seen.fold(0, |all, from| all | from.bit()), from);
        }
    }
}
