//! Life without two eyes, where whoever begins is taken.

use search::Side;

use crate::{Board, Colour, Point, PointSet, Position, life, tactics};

/// A chain in seki has at most this many liberties; neutral points at the border of two territories leave more.
pub const LIBERTIES: usize = 2;

/// The chains held by a point that both sides touch and neither can fill without standing in atari; dead stones must
/// be taken off first.
pub fn seki(position: &Position) -> PointSet {
    let board = Board::new(position, [Point::NONE; 2]);
    let mut seki = PointSet::default();
    for (colour, other) in [(Colour::Black, Colour::White), (Colour::White, Colour::Black)] {
        let (safe, _) = life::unconditional(position, colour);
        let holds = |point: Point| {
            !position.region(point, other).1.is_empty()
                && [Side::Black, Side::White].into_iter().all(|side| !stands(&board, point, side))
        };
        // Who can fill a liberty and stand has a way out.
        let is_stuck = |point: Point| !stands(&board, point, colour.side().expect("the colour of stones"));
        for chain in position.chains(colour) {
            let few = chain.liberties.len() <= LIBERTIES;
            let stuck = || chain.liberties.iter().all(is_stuck) && chain.liberties.iter().any(holds);
            if few && chain.stones.is_disjoint(&safe) && stuck() {
                seki.union(&chain.stones);
            }
        }
    }
    seki
}

/// Whether a stone of the side would stand here with more than one liberty.
fn stands(board: &Board, point: Point, side: Side) -> bool {
    let mut board = board.clone();
    board.set_turn(side);
    board.is_legal(point) && tactics::prospect(&board, point).liberties > 1
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::text::drawn;

    /// In the corner White has an eye and Black has one, and the point between them is neither's to fill.
    pub(crate) const CORNER: &str = ". X . O . O X . X / X X O O O O X X . / O O O X X X X . X / X X X X . X X X X / \
                          . X . X X X . X . / X X X X X X X X X / O O O O O O O O O / . O . O O O . O O / \
                          O O O . O . O O .";

    #[test]
    fn both_sides_are_found() {
        let found: Vec<String> = seki(&drawn(CORNER, "chinese")).iter().map(|p| p.to_string()).collect();
        assert_eq!(found.join(" "), "A7 B7 C7 A8 B8 C8 D8 E8 F8 B9 D9 F9");
    }

    #[test]
    fn eyes_in_seki_are_area_but_no_territory() {
        let none = PointSet::default();
        // Elsewhere Black has 8 eyes and White 6; there are 34 stones against 30.
        for (rules, margin) in [("japanese", 8.0 - 6.0), ("chinese", 34.0 + 9.0 - 30.0 - 7.0)] {
            let position = drawn(CORNER, rules);
            assert_eq!(position.margin_without(&none) + position.compensation(), margin, "{rules}");
        }
    }

    #[test]
    fn a_neutral_point_between_two_territories_is_no_seki() {
        let rows = ". . . X . O . / . . . X O . . / . . . X O . . / . . . X O . . / . . . X O . . / \
                    . . . X O . . / . . . X O . .";
        assert!(seki(&drawn(rows, "japanese")).is_empty());
    }
}
