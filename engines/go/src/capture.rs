//! Whether a chain can be taken at all, read out to the end among its own liberties and those of its enemies.
//!
//! Playouts put stones where nobody would, so that a seki comes to an end in them. Here either side may leave it.

use crate::board::Board;
use crate::tactics::Few;
use crate::tuning::{CAPTURE_BOARDS, CAPTURE_LIBERTIES, CAPTURE_MOVES};
use crate::{Colour, Point};

/// Whether the side to move can take the chain; none if that would take too long to find out.
pub fn can_take(board: &Board, stone: Point) -> Option<bool> {
    Reading { stone, owner: board.at(stone), left: CAPTURE_BOARDS }.falls(board, CAPTURE_MOVES)
}

struct Reading {
    stone: Point,
    owner: Colour,
    left: u32,
}

impl Reading {
    /// Whether the chain falls within so many moves, whoever is to move.
    fn falls(&mut self, board: &Board, moves: u32) -> Option<bool> {
        if board.at(self.stone) != self.owner {
            return Some(true);
        }
        self.left = self.left.checked_sub(1)?;
        if board.liberties(self.stone, CAPTURE_LIBERTIES + 1).count() > CAPTURE_LIBERTIES {
            return Some(false);
        }
        let moves = moves.checked_sub(1)?;
        let attacks = Colour::of(board.turn()) != self.owner;
        for &point in self.candidates(board).points() {
            if board.is_legal(point) && self.falls_after(board, point, moves)? == attacks {
                return Some(attacks);
            }
        }
        // The attacker has to do something, its owner need not.
        if attacks { Some(false) } else { self.falls_after(board, Point::NONE, moves) }
    }

    fn falls_after(&mut self, board: &Board, point: Point, moves: u32) -> Option<bool> {
        let mut next = board.clone();
        next.play(point);
        self.falls(&next, moves)
    }

    /// The liberties of the chain and of the enemies around it that have few themselves.
    fn candidates(&self, board: &Board) -> Few {
        let mut out = Few::EMPTY;
        let mut add = |stone: Point| {
            let liberties = board.liberties(stone, CAPTURE_LIBERTIES + 1);
            if liberties.count() <= CAPTURE_LIBERTIES {
                liberties.points().iter().for_each(|&point| out.add(point));
            }
        };
        add(self.stone);
        let enemy = if self.owner == Colour::Black { Colour::White } else { Colour::Black };
        for member in board.chain_stones(self.stone) {
            member.neighbours().into_iter().filter(|&next| board.at(next) == enemy).for_each(&mut add);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use search::{Random, Side};

    use super::*;
    use crate::playout::{Simulator, Style};
    use crate::point::points;
    use crate::text::{drawn, read_point};
    use crate::{Position, Rules};

    fn taken(rows: &str, stone: &str, first: Side) -> Option<bool> {
        let board = Board::new(&drawn(rows, "chinese").with_turn(first), [Point::NONE; 2]);
        can_take(&board, read_point(25, stone).unwrap())
    }

    #[test]
    fn a_chain_with_a_single_eye_falls() {
        let one = ". X O . . / X X O . . / O O O . . / . . . . . / . . . . .";
        let two = ". . X O . / X X X O . / O O O O . / . . . . . / . . . . .";
        assert_eq!(taken(one, "B5", Side::White), Some(true));
        assert_eq!(taken(two, "C5", Side::White), Some(true));
    }

    #[test]
    fn a_chain_with_two_eyes_does_not() {
        let rows = ". X . X O / X X X X O / O O O O O / . . . . . / . . . . .";
        assert_eq!(taken(rows, "B5", Side::White), Some(false));
    }

    #[test]
    fn whoever_begins_in_a_seki_loses_his_own() {
        let rows = ". X . O . O X / X X O O O O X / O O O X X X X / X X X X . X . / . . . . . . . / \
                    . . . . . . . / . . . . . . .";
        assert_eq!(taken(rows, "B7", Side::White), Some(false));
        assert_eq!(taken(rows, "D7", Side::Black), Some(false));
    }

    #[test]
    fn no_reading_goes_on_for_long() {
        let start = Board::new(&Position::empty(Rules::default().with_size(9).unwrap()), [Point::NONE; 2]);
        let (mut simulator, mut random) = (Simulator::new(Style::Light, &start), Random::new(9));
        let mut answers = [0; 3];
        for _ in 0..40 {
            let mut board = start.clone();
            for _ in 0..70 {
                let point = simulator.choose(&mut board, &mut random);
                board.play(point);
            }
            let enemy = Colour::of(!board.turn());
            for stone in points(9).filter(|&point| board.at(point) == enemy && board.head(point) == point) {
                answers[can_take(&board, stone).map_or(2, usize::from)] += 1;
            }
        }
        assert!(answers.iter().all(|&count| count > 0), "{answers:?}");
    }
}
