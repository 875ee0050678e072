//! The landing squares of a capture: needed only to read and write moves, so written for clearness.

use search::{Game, Side};

use crate::Position;
use crate::board::{DOWN_LEFT, JUMPS, Square, WAYS, crown_row, first, squares, until};
use crate::moves::Move;

/// Every way to carry out a move: its first square and all landing squares.
pub(crate) fn all(position: &Position, m: Move) -> Vec<Vec<Square>> {
    if !m.is_capture() {
        return vec![vec![m.from, m.to]];
    }
    let mut tracer = Tracer::new(position, m);
    tracer.follow(0, position.kings() & m.from.bit() != 0);
    tracer.found
}

/// The way that is printed: going straight on it lands directly behind the captured piece, and among such
/// ways it has the smallest numbers from the first on.
pub(crate) fn printed(position: &Position, m: Move) -> Vec<Square> {
    let ways = all(position, m);
    let numbers = |way: &&Vec<Square>| way.iter().map(|square| square.number()).collect::<Vec<_>>();
    let is_short = |way: &&Vec<Square>| lands_short(position, way);
    ways.iter().filter(is_short).min_by_key(numbers).cloned().unwrap_or_else(|| vec![m.from, m.to])
}

/// Whether every landing before a jump in the same way is directly behind the piece just taken.
fn lands_short(position: &Position, way: &[Square]) -> bool {
    way.windows(3).all(|three| {
        let [a, b, c] = three else { return true };
        let (before, after) = (way_between(*a, *b), way_between(*b, *c));
        let behind = crate::board::shift(3 - before, b.bit());
        before != after || position.occupied() & behind != 0
    })
}

/// The way from one square of a diagonal to another.
fn way_between(a: Square, b: Square) -> usize {
    let ((row, column), (to_row, to_column)) = (a.row_and_column(), b.row_and_column());
    let vertical = if to_row > row { 0 } else { DOWN_LEFT };
    vertical + usize::from(to_column > column)
}

struct Tracer {
    goal: Move,
    enemy: u32,
    /// Empty squares and that of the moving piece.
    free: u32,
    crown: u32,
    crowns_in_passing: bool,
    way: Vec<Square>,
    found: Vec<Vec<Square>>,
}

impl Tracer {
    fn new(position: &Position, goal: Move) -> Tracer {
        let side: Side = position.turn();
        Tracer {
            goal,
            enemy: position.pieces(!side),
            free: !position.occupied() | goal.from.bit(),
            crown: crown_row(side),
            crowns_in_passing: position.rules().variant.crowns_in_passing,
            way: vec![goal.from],
            found: Vec::new(),
        }
    }

    fn follow(&mut self, captured: u32, is_king: bool) {
        let at = *self.way.last().expect("a way has its first square");
        if captured == self.goal.captured {
            if at == self.goal.to {
                self.found.push(self.way.clone());
            }
            return;
        }
        for way in WAYS {
            let (prey, landings) = if is_king { self.king_jump(at, way) } else { self.man_jump(at, way) };
            if prey & self.goal.captured & !captured == 0 {
                continue;
            }
            for to in squares(landings) {
                self.way.push(to);
                let crowned = self.crowns_in_passing && to.bit() & self.crown != 0;
                self.follow(captured | prey, is_king || crowned);
                self.way.pop();
            }
        }
    }

    fn man_jump(&self, at: Square, way: usize) -> (u32, u32) {
        let (over, land) = JUMPS[way][at.index()];
        (over & self.enemy, land & self.free)
    }

    fn king_jump(&self, at: Square, way: usize) -> (u32, u32) {
        let prey = first(way, crate::board::RAYS[way][at.index()] & !self.free) & self.enemy;
        if prey == 0 {
            return (0, 0);
        }
        (prey, until(way, Square(prey.trailing_zeros() as u8), !self.free))
    }
}
