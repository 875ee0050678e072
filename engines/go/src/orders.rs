//! What an analysis may look at: moves that a side must leave alone, or must choose from, in the first plies of the tree.

use search::Side;

use crate::Move;

/// One order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Whom it binds.
    pub side: Side,
    /// Whether the moves are the only ones allowed, and not the ones forbidden.
    pub allows: bool,
    /// The moves meant.
    pub moves: Vec<Move>,
    /// It holds for so many plies from the root on.
    pub plies: usize,
}

/// All that holds at once; without any, everything is permitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders(pub Vec<Order>);

impl Orders {
    /// Whether the side may make the move so many plies below the root.
    pub fn permit(&self, side: Side, m: Move, ply: usize) -> bool {
        let in_force = || self.0.iter().filter(|order| order.side == side && ply < order.plies);
        let named = |allows| in_force().any(|order| order.allows == allows && order.moves.contains(&m));
        let is_free = !in_force().any(|order| order.allows);
        !named(false) && (is_free || named(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;

    #[test]
    fn orders_bind_one_side_for_some_plies_and_hold_together() {
        let (a, b, c) = (Move::At(Point::new(0, 0)), Move::At(Point::new(1, 0)), Move::Pass);
        let order =
            |allows, moves: &[Move], plies| Order { side: Side::Black, allows, moves: moves.to_vec(), plies };
        let orders = Orders(vec![order(true, &[a], 3), order(true, &[b], 3), order(false, &[b], 1)]);
        let permitted = |ply| [a, b, c].map(|m| orders.permit(Side::Black, m, ply));
        assert_eq!(permitted(0), [true, false, false]);
        assert_eq!(permitted(2), [true, true, false]);
        assert_eq!(permitted(3), [true, true, true]);
        assert!(orders.permit(Side::White, c, 0));
    }
}
