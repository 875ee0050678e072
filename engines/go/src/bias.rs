//! The heuristic value of a move for progressive bias: what it takes, saves and looks like, the more the nearer it lies
//! to the last moves (Chaslot and others 2007).

use crate::board::Board;
use crate::patterns::is_shape;
use crate::playout::is_self_atari;
use crate::tactics::Few;
use crate::{Colour, Point};

/// A stone taken is worth so many stones saved.
const TAKEN: f32 = 2.0;

/// `(stones + shape) * sum of (2 d)^-(1.25 + k / 2)` over the k-th last moves, d their distance.
pub fn bias(board: &Board, point: Point) -> f32 {
    let shape = if is_shape(board.shape(point)) { 1.0 } else { 0.0 };
    (stones(board, point) + shape) * nearness(board, point)
}

/// The stones that a move takes, and the own ones that it saves.
fn stones(board: &Board, point: Point) -> f32 {
    let own = Colour::of(board.turn());
    let saves = !is_self_atari(board, point);
    let mut heads = Few::EMPTY;
    for next in point.neighbours() {
        if board.at(next).side().is_some() && board.in_atari(next) {
            heads.add(board.head(next));
        }
    }
    let worth = |&head: &Point| match board.at(head) == own {
        false => TAKEN * board.chain_size(head) as f32,
        true if saves => board.chain_size(head) as f32,
        true => 0.0,
    };
    heads.points().iter().map(worth).sum()
}

fn nearness(board: &Board, point: Point) -> f32 {
    // Powers of 1.75 and 2.25 by roots alone, which are the same on every machine.
    let powers: [fn(f32) -> f32; 2] = [|x| x * x.sqrt() * x.sqrt().sqrt(), |x| x * x * x.sqrt().sqrt()];
    let lasts = [board.last(), board.before_last()].into_iter().zip(powers);
    let near = |(last, power): (Point, fn(f32) -> f32)| {
        let (x, y) = (point.column().abs_diff(last.column()), point.row().abs_diff(last.row()));
        // A stone taken since may have stood here.
        let distance = ((x * x + y * y) as f32).sqrt().max(0.5);
        1.0 / power(2.0 * distance)
    };
    lasts.filter(|(last, _)| *last != Point::NONE).map(near).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::drawn;

    #[test]
    fn taking_near_the_last_move_is_worth_most() {
        let rows = "O X . . . / . X . . . / . . . . . / . . . X O / . . . . .";
        let board = Board::new(&drawn(rows, "chinese"), [Point::new(0, 4), Point::NONE]);
        let takes = bias(&board, Point::new(0, 3));
        // One stone taken and a shape, beside the last move.
        assert!((takes - (TAKEN + 1.0) / 2f32.powf(1.75)).abs() < 1e-5, "{takes}");
        assert_eq!(bias(&board, Point::new(3, 4)), 0.0, "nothing to take and no shape");
        let earlier = Board::new(&drawn(rows, "chinese"), [Point::new(4, 1), Point::new(0, 4)]);
        assert!(bias(&earlier, Point::new(0, 3)) < takes);
    }
}
