//! Which moves there are: every empty point but for suicide and the ko, and always the pass.

use search::game::MoveList;

use crate::point::{Point, PointSet, points};
use crate::{Colour, Position};

/// One turn: a stone or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// No stone.
    Pass,
    /// A stone on this point.
    At(Point),
}

impl Move {
    /// The point played on, if any.
    pub fn point(self) -> Option<Point> {
        match self {
            Move::Pass => None,
            Move::At(point) => Some(point),
        }
    }
}

/// Connected stones of one colour and the empty points beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Chain {
    /// The stones.
    pub stones: PointSet,
    /// The empty neighbours.
    pub liberties: PointSet,
}

impl Position {
    /// The points connected to this one that hold the same, and their neighbours that hold `rim`.
    pub fn region(&self, from: Point, rim: Colour) -> (PointSet, PointSet) {
        let (mut inside, mut edge) = (PointSet::default(), PointSet::default());
        let mut pending = [Point::NONE; 25 * 25];
        let mut count = 1;
        pending[0] = from;
        inside.insert(from);
        while count > 0 {
            count -= 1;
            for next in pending[count].neighbours() {
                if self.at(next) == self.at(from) {
                    if inside.insert(next) {
                        pending[count] = next;
                        count += 1;
                    }
                } else if self.at(next) == rim {
                    edge.insert(next);
                }
            }
        }
        (inside, edge)
    }

    /// The chain of the stone on this point.
    pub fn chain(&self, stone: Point) -> Chain {
        let (stones, liberties) = self.region(stone, Colour::Empty);
        Chain { stones, liberties }
    }

    /// All chains of a colour, in the order of their lowest stones.
    pub fn chains(&self, colour: Colour) -> Vec<Chain> {
        let mut seen = PointSet::default();
        let mut chains = Vec::new();
        for point in points(self.rules().size()).filter(|&p| self.at(p) == colour) {
            if !seen.contains(point) {
                let chain = self.chain(point);
                seen.union(&chain.stones);
                chains.push(chain);
            }
        }
        chains
    }

    /// Whether the side to move may put a stone here, by the position alone.
    pub fn is_legal(&self, point: Point) -> bool {
        if self.at(point) != Colour::Empty || self.ko() == Some(point) {
            return false;
        }
        let own = Colour::of(search::Game::turn(self));
        let mut has_own = false;
        for next in point.neighbours() {
            let colour = self.at(next);
            let breathes = match colour {
                Colour::Empty => true,
                Colour::Border => false,
                _ => {
                    has_own |= colour == own;
                    // An enemy chain with this last liberty is taken; an own chain with another one lives.
                    (self.chain(next).liberties.len() == 1) != (colour == own)
                }
            };
            if breathes {
                return true;
            }
        }
        // Suicide of a lone stone would leave the board as it is.
        self.rules().suicide && (has_own || self.rules().ko != crate::Ko::Positional)
    }
}

/// Appends the legal moves of the side to move; none once two passes have ended the game.
pub(crate) fn generate(position: &Position, out: &mut MoveList<Move>) {
    if position.passes() >= 2 {
        return;
    }
    out.extend(points(position.rules().size()).filter(|&p| position.is_legal(p)).map(Move::At));
    out.push(Move::Pass);
}
