//! Static exchange evaluation: what a series of captures on one square is worth, without searching it.

use ::search::{Game, Side};

use crate::attacks::{self, first};
use crate::moves::{Kind, Move};
use crate::position::{Position, Role};

/// What an exchange counts for each piece, in hundredths of a pawn; the king cannot be exchanged.
pub const VALUES: [i32; 6] = [100, 420, 420, 650, 1250, 0];

/// What a piece counts in an exchange.
#[inline]
pub fn value(role: Role) -> i32 {
    VALUES[role.index()]
}

/// Whether the exchange begun by a move gains at least `threshold` for the side that moves.
pub fn gains(p: &Position, m: Move, threshold: i32) -> bool {
    if m.kind() == Kind::Castle {
        return threshold <= 0;
    }
    let (from, to) = (m.from(), m.to());
    let mut balance = p.captured(m).map_or(0, value) - threshold;
    let mut next = p.role_on(from).unwrap_or(Role::Pawn);
    if let Some(promotion) = m.promotion() {
        balance += value(promotion) - value(Role::Pawn);
        next = promotion;
    }
    if balance < 0 {
        return false;
    }
    // If even the loss of the moving piece leaves enough, nothing can go wrong.
    balance -= value(next);
    if balance >= 0 {
        return true;
    }

    let mut occupied = p.occupied() ^ from.bit() | to.bit();
    if m.kind() == Kind::EnPassant {
        occupied ^= crate::attacks::Square(to.0 ^ 8).bit();
    }
    let queens = p.role(Role::Queen);
    let diagonal = p.role(Role::Bishop) | queens;
    let straight = p.role(Role::Rook) | queens;
    let mut attackers = p.attackers(to, occupied) & occupied;
    let us = p.turn();
    let mut side: Side = !us;
    loop {
        let own = attackers & p.side(side);
        if own == 0 {
            break;
        }
        let (role, taker) = least(p, own);
        // The king may take last only.
        if role == Role::King && attackers & p.side(!side) != 0 {
            break;
        }
        occupied ^= taker;
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook(to, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;
        balance = -balance - 1 - value(role);
        if balance >= 0 {
            break;
        }
    }
    // Whoever must take next and cannot, or does not want to, has lost the exchange.
    side != us
}

/// The least valuable piece of a set that is not empty, and its square as a bit.
fn least(p: &Position, set: u64) -> (Role, u64) {
    let role = Role::ALL.into_iter().find(|&role| p.role(role) & set != 0).unwrap_or(Role::King);
    (role, first(p.role(role) & set).bit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    /// The exact gain, by trying thresholds.
    fn gain(fen: &str, text: &str) -> i32 {
        let position = Position::read(&Rules::default(), fen).unwrap();
        let m = position.parse(text).unwrap();
        (-2000..=2000).rev().find(|&t| gains(&position, m, t)).unwrap()
    }

    #[test]
    fn exchanges_are_counted_to_their_end() {
        assert_eq!(gain("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"), 100);
        let crowd = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1";
        assert_eq!(gain(crowd, "d3e5"), 100 - 420);
    }

    #[test]
    fn the_king_takes_only_what_is_not_defended() {
        assert_eq!(gain("8/8/8/3k4/4p3/8/4R3/4K3 w - - 0 1", "e2e4"), 100 - 650);
        assert_eq!(gain("8/8/8/3k4/4p3/8/4R3/K3R3 w - - 0 1", "e2e4"), 100);
    }

    #[test]
    fn promotions_and_captures_en_passant_count() {
        assert_eq!(gain("8/P7/8/8/8/8/8/k6K w - - 0 1", "a7a8q"), 1250 - 100);
        assert_eq!(gain("8/8/8/3pP3/8/8/8/k6K w - d6 0 1", "e5d6"), 100);
    }
}
