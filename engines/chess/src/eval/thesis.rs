//! The payoff function of the source: material, squares, and a king table for each of two phases.
//!
//! A king is in its endgame when its own side has fewer than six pieces, whatever the enemy has.

use ::search::Side;

use crate::attacks::squares;
use crate::position::{Position, Role};

/// Pieces of a side, king and pawns included, below which its king table changes.
const FEW_PIECES: u32 = 6;

/// The tables of the payoff function, squares as White sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// What each kind of piece counts.
    pub values: [i32; 6],
    /// What each square adds for each kind of piece but the king.
    pub places: [[i32; 64]; 5],
    /// The king's squares while its side has many pieces, and when it has few.
    pub king: [[i32; 64]; 2],
}

/// The value from White's view.
pub fn value(p: &Position, tables: &Tables) -> i32 {
    side_value(p, tables, Side::White) - side_value(p, tables, Side::Black)
}

fn side_value(p: &Position, tables: &Tables, side: Side) -> i32 {
    let mut sum = 0;
    for role in &Role::ALL[..5] {
        for square in squares(p.pieces(side, *role)) {
            sum += tables.values[role.index()] + tables.places[role.index()][square.seen_by(side).index()];
        }
    }
    let few = usize::from(p.side(side).count_ones() < FEW_PIECES);
    sum + tables.king[few][p.king(side).seen_by(side).index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, tuning};
    use ::search::Game;

    #[test]
    fn each_king_has_its_own_phase() {
        let tables = tuning::thesis();
        let p = Position::read(&Rules::default(), "rnbqkbnr/pppppppp/8/8/4K3/8/8/8 w kq - 0 1").unwrap();
        let sum = side_value(&p, &tables, Side::White);
        assert_eq!(sum, tables.king[1][p.king(Side::White).index()]);
        let black = side_value(&p, &tables, Side::Black);
        let start = Position::start(&Rules::default());
        assert_eq!(black, side_value(&start, &tables, Side::White));
    }
}
