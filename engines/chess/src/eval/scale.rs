//! How much of an endgame's advantage can be had: the share of the endgame's value that counts.

use ::search::Side;

use crate::position::{Position, Role};

/// The whole value counts.
pub const FULL: i32 = 64;
const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;

/// The share of the endgame's value that the side ahead can hope for.
pub fn share(p: &Position, ahead: Side) -> i32 {
    let pawns = p.count_of(ahead, Role::Pawn) as i32;
    let pieces = |side| non_pawn_points(p, side);
    if pawns == 0 {
        // Without pawns a minor piece more wins nothing.
        let edge = pieces(ahead) - pieces(!ahead);
        if edge <= 3 {
            return if pieces(ahead) <= 3 {
                0
            } else if pieces(!ahead) <= 3 {
                4
            } else {
                14
            };
        }
    }
    if opposite_bishops(p) {
        let only_bishops = pieces(Side::White) == 3 && pieces(Side::Black) == 3;
        return if only_bishops { 16 + 3 * pawns.min(8) } else { (30 + 4 * pawns).min(FULL) };
    }
    (40 + 6 * pawns).min(FULL)
}

/// The pieces but pawns in the beginner's points.
fn non_pawn_points(p: &Position, side: Side) -> i32 {
    let count = |role| p.count_of(side, role) as i32;
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}

/// Whether each side has one bishop and they never meet.
fn opposite_bishops(p: &Position) -> bool {
    let (white, black) = (p.pieces(Side::White, Role::Bishop), p.pieces(Side::Black, Role::Bishop));
    white.count_ones() == 1 && black.count_ones() == 1 && (white & LIGHT == 0) != (black & LIGHT == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use ::search::Game;

    fn white(fen: &str) -> i32 {
        share(&Position::read(&Rules::default(), fen).unwrap(), Side::White)
    }

    #[test]
    fn a_minor_piece_alone_wins_nothing() {
        assert_eq!(white("4k3/8/8/8/8/8/8/N3K3 w - - 0 1"), 0);
        assert!(white("4k1n1/8/8/8/8/8/8/R3K3 w - - 0 1") < FULL / 4);
        assert!(white("4k3/8/8/8/8/8/8/R3K3 w - - 0 1") > FULL / 2);
    }

    #[test]
    fn opposite_bishops_and_few_pawns_draw() {
        let opposite = white("4k1b1/8/8/8/8/8/PP6/2B1K3 w - - 0 1");
        let equal = white("4kb2/8/8/8/8/8/PP6/2B1K3 w - - 0 1");
        assert!(opposite < equal, "{opposite} {equal}");
    }
}
