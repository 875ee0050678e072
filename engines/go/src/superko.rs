//! Boards that may not recur in the tree: those of the game, and those on the way to a node.
//!
//! Playouts know the simple ko only; a search that must see further forbids the repetition where it makes its moves.

use std::sync::Arc;

use search::{Game, Root, Side};

use crate::position::{board_key, side_key, stone_key};
use crate::rules::Ko;
use crate::{Board, Colour, Point, Position};

/// The boards of the game so far.
#[derive(Clone, Debug, Default)]
pub struct Superko {
    rule: Option<Ko>,
    root: Option<Board>,
    /// Sorted.
    game: Arc<Vec<u64>>,
}

/// All boards before one, if a move there can bring one of them back.
pub struct Past<'a> {
    rule: Ko,
    game: &'a [u64],
    path: Vec<u64>,
    /// The stones of the board itself.
    stones: u64,
}

impl Superko {
    /// What the game has seen; `board` is the playouts' board at the root.
    pub fn new(root: &Root<Position>, board: &Board) -> Superko {
        let rule = root.position().rules().ko;
        let key =
            |position: &Position| key(rule, board_key(|p| position.at(p), board.size()), position.turn());
        let mut game: Vec<u64> = root.positions().iter().map(key).collect();
        game.sort_unstable();
        Superko { rule: Some(rule), root: Some(board.clone()), game: Arc::new(game) }
    }

    /// The boards before the one at the end of `path`; none if the side to move has not lost a stone, without which
    /// no move of its own brings a board back.
    pub fn past(&self, board: &Board, path: &[u16]) -> Option<Past<'_>> {
        let rule = self.rule.filter(|&rule| rule != Ko::Simple)?;
        if board.prisoners(!board.turn()) == 0 {
            return None;
        }
        let mut on_the_way = self.root.clone()?;
        let path = path.iter().map(|&slot| {
            on_the_way.play(Point(slot));
            key(rule, stones(&on_the_way), on_the_way.turn())
        });
        Some(Past { rule, path: path.collect(), game: &self.game, stones: stones(board) })
    }
}

impl Past<'_> {
    /// Whether a legal move would bring one of these boards back.
    pub fn forbids(&self, board: &Board, point: Point) -> bool {
        let (side, enemy) = (board.turn(), Colour::of(!board.turn()));
        let takes =
            point.neighbours().into_iter().any(|next| board.at(next) == enemy && board.in_atari(next));
        let after = if takes {
            let mut after = board.clone();
            after.play(point);
            stones(&after)
        } else {
            self.stones ^ stone_key(side, point)
        };
        let after = key(self.rule, after, !side);
        self.path.contains(&after) || self.game.binary_search(&after).is_ok()
    }
}

fn stones(board: &Board) -> u64 {
    board_key(|point| board.at(point), board.size())
}

/// What must not recur: the stones, with the side to move where the rule asks for it.
fn key(rule: Ko, stones: u64, turn: Side) -> u64 {
    if rule == Ko::Situational { stones ^ side_key(turn) } else { stones }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::points;
    use crate::{Move, Rules};
    use search::Random;

    #[test]
    fn the_tree_allows_what_the_rules_allow() {
        let mut forbidden = 0;
        for (seed, name) in (0..300).zip(["chinese", "aga", "japanese"].into_iter().cycle()) {
            let rules = Rules::default().with_name(name).and_then(|rules| rules.with_size(3)).unwrap();
            let mut random = Random::new(seed);
            let mut game = Root::new(Position::start(&rules));
            let mut step = |game: &mut Root<Position>| {
                let stones: Vec<Move> = game.legal().into_iter().filter(|&m| m != Move::Pass).collect();
                let m = if stones.is_empty() {
                    Move::Pass
                } else {
                    stones[random.below(stones.len() as u32) as usize]
                };
                game.play(m);
                m.point().unwrap_or(Point::NONE).0
            };
            (0..seed % 20).for_each(|_| _ = step(&mut game));
            let mut board = Board::new(game.position(), [Point::NONE; 2]);
            let superko = Superko::new(&game, &board);
            let mut path = Vec::new();
            while path.len() < 30 && game.outcome().is_none() {
                let past = superko.past(&board, &path);
                for point in points(3).filter(|&point| board.is_legal(point)) {
                    let repeats = past.as_ref().is_some_and(|past| past.forbids(&board, point));
                    assert_eq!(
                        !repeats,
                        game.legal().contains(&Move::At(point)),
                        "{point} in {}",
                        game.position()
                    );
                    forbidden += usize::from(repeats);
                }
                path.push(step(&mut game));
                board.play(Point(*path.last().unwrap()));
            }
        }
        assert!(forbidden > 50, "only {forbidden} moves were forbidden");
    }
}
