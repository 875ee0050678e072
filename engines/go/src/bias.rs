//! The heuristic value of a move for progressive bias: what it takes, saves, fights and looks like, the more the nearer
//! it lies to the last moves (Chaslot and others 2007).

use crate::board::{Board, Liberties};
use crate::playout::is_self_atari;
use crate::point::points;
use crate::tactics::Few;
use crate::{Colour, Point};

/// What each part of the value is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// A stone taken.
    pub taken: f32,
    /// A stone saved.
    pub saved: f32,
    /// A liberty of the enemy chains that have fewest.
    pub fight: f32,
    /// The strength of the largest known shape around the move.
    pub shape: f32,
    /// Whether steps along the lines are counted, and not the distance as the crow flies.
    pub by_steps: bool,
}

impl Weights {
    /// Captures weigh most, as published; the numbers were not.
    pub const DEFAULT: Weights = Weights { taken: 2.0, saved: 1.0, fight: 1.0, shape: 1.0, by_steps: false };
}

/// A board with what is found once for all moves.
pub struct Biased<'a> {
    board: &'a Board,
    weights: Weights,
    /// The fewest liberties of an enemy chain.
    fewest: usize,
}

impl<'a> Biased<'a> {
    /// Looks for the weakest enemies.
    pub fn new(board: &'a Board, weights: Weights) -> Biased<'a> {
        let enemy = Colour::of(!board.turn());
        let heads = points(board.size()).filter(|&p| board.at(p) == enemy && board.head(p) == p);
        let fewest = heads.map(|head| liberties(board, head)).min().unwrap_or(0);
        Biased { board, weights, fewest }
    }

    /// `(stones + fight + shape) * sum of (2 d)^-(1.25 + k / 2)` over the k-th last moves, d their distance; `shape`
    /// is the strength of the one around the move.
    pub fn value(&self, point: Point, shape: Option<f32>) -> f32 {
        let shape = self.weights.shape * shape.unwrap_or(0.0);
        (self.stones(point) + self.fight(point) + shape) * self.nearness(point)
    }

    /// The stones that a move takes, and the own ones that it saves.
    fn stones(&self, point: Point) -> f32 {
        let Biased { board, weights, .. } = self;
        let own = Colour::of(board.turn());
        let saves = !is_self_atari(board, point);
        let mut heads = Few::EMPTY;
        for next in point.neighbours() {
            if board.at(next).side().is_some() && board.in_atari(next) {
                heads.add(board.head(next));
            }
        }
        let worth = |&head: &Point| match board.at(head) == own {
            false => weights.taken * board.chain_size(head) as f32,
            true if saves => weights.saved * board.chain_size(head) as f32,
            true => 0.0,
        };
        heads.points().iter().map(worth).sum()
    }

    fn fight(&self, point: Point) -> f32 {
        let enemy = Colour::of(!self.board.turn());
        let is_weakest = |&p: &Point| self.board.at(p) == enemy && liberties(self.board, p) == self.fewest;
        if point.neighbours().iter().any(is_weakest) { self.weights.fight } else { 0.0 }
    }

    fn nearness(&self, point: Point) -> f32 {
        // Powers of 1.75 and 2.25 by roots alone, which are the same on every machine.
        let powers: [fn(f32) -> f32; 2] = [|x| x * x.sqrt() * x.sqrt().sqrt(), |x| x * x * x.sqrt().sqrt()];
        let lasts = [self.board.last(), self.board.before_last()].into_iter().zip(powers);
        let near = |(last, power): (Point, fn(f32) -> f32)| {
            let (x, y) = (point.column().abs_diff(last.column()), point.row().abs_diff(last.row()));
            let distance =
                if self.weights.by_steps { (x + y) as f32 } else { ((x * x + y * y) as f32).sqrt() };
            // A stone taken since may have stood here.
            1.0 / power(2.0 * distance.max(0.5))
        };
        lasts.filter(|(last, _)| *last != Point::NONE).map(near).sum()
    }
}

fn liberties(board: &Board, stone: Point) -> usize {
    board.liberties(stone, Liberties::MOST).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::drawn;

    const ROWS: &str = "O X . . . / . X . . . / . . . . . / . . . X O / . . . . .";

    fn board(lasts: [Point; 2]) -> Board {
        Board::new(&drawn(ROWS, "chinese"), lasts)
    }

    #[test]
    fn taking_near_the_last_move_is_worth_most() {
        let value = |lasts, point, shape| Biased::new(&board(lasts), Weights::DEFAULT).value(point, shape);
        let lasts = [Point::new(0, 4), Point::NONE];
        let takes = value(lasts, Point::new(0, 3), Some(3.0));
        // One stone taken, the last liberty of the weakest chain, and a shape, beside the last move.
        assert!((takes - (2.0 + 1.0 + 3.0) / 2f32.powf(1.75)).abs() < 1e-5, "{takes}");
        assert_eq!(value(lasts, Point::new(3, 4), None), 0.0, "nothing to take, nobody to fight, no shape");
        assert!(value([Point::new(4, 1), Point::new(0, 4)], Point::new(0, 3), Some(3.0)) < takes);
    }

    #[test]
    fn every_weight_counts() {
        // Black saves the stone in the corner or takes the one that threatens it.
        let rows = "X O . . . / . O . . . / X X . . . / . . . . . / . . . . .";
        let value = |weights| {
            let board = Board::new(&drawn(rows, "chinese"), [Point::new(1, 3), Point::NONE]);
            Biased::new(&board, weights).value(Point::new(0, 3), Some(1.0))
        };
        let usual = value(Weights::DEFAULT);
        for weights in [
            Weights { saved: 5.0, ..Weights::DEFAULT },
            Weights { shape: 5.0, ..Weights::DEFAULT },
            Weights { fight: 5.0, ..Weights::DEFAULT },
        ] {
            assert!(value(weights) > usual, "{weights:?}");
        }
        let far = |by_steps| {
            let weights = Weights { by_steps, ..Weights::DEFAULT };
            Biased::new(&board([Point::new(3, 1), Point::NONE]), weights).value(Point::new(0, 3), None)
        };
        assert!(far(true) < far(false));
    }
}
