//! How much of an endgame's advantage can be had: the share of the endgame's value that counts.

use ::search::Side;

use crate::attacks::{FILE_A, FILE_H, LIGHT, Square, distance};
use crate::position::{Position, Role};

/// The whole value counts.
pub const FULL: i32 = 64;

/// The share of the endgame's value that these pieces let the side ahead hope for, with `opposite` bishops or others.
pub fn share(p: &Position, ahead: Side, opposite: bool) -> i32 {
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
    if opposite {
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

/// Whether all pawns of the side ahead must promote in a corner that the enemy king holds: no bishop drives him out.
pub fn is_corner_held(p: &Position, ahead: Side) -> bool {
    let pawns = p.pieces(ahead, Role::Pawn);
    let file = match pawns {
        0 => return false,
        _ if pawns & !FILE_A == 0 => 0,
        _ if pawns & !FILE_H == 0 => 7,
        _ => return false,
    };
    let corner = Square::at(file, if ahead == Side::White { 7 } else { 0 });
    let bishops = p.pieces(ahead, Role::Bishop);
    let same_colour = if corner.bit() & LIGHT != 0 { LIGHT } else { !LIGHT };
    p.side(ahead) == pawns | bishops | p.pieces(ahead, Role::King)
        && bishops & same_colour == 0
        && distance(p.king(!ahead), corner) <= 1
}

/// Whether each side has one bishop and they never meet.
pub fn opposite_bishops(p: &Position) -> bool {
    let (white, black) = (p.pieces(Side::White, Role::Bishop), p.pieces(Side::Black, Role::Bishop));
    white.count_ones() == 1 && black.count_ones() == 1 && (white & LIGHT == 0) != (black & LIGHT == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::eval::material::Material;
    use ::search::Game;

    fn white(fen: &str) -> i32 {
        let p = Position::read(&Rules::default(), fen).unwrap();
        Material::of(&p).share(&p, Side::White)
    }

    #[test]
    fn a_minor_piece_alone_wins_nothing() {
        assert_eq!(white("4k3/8/8/8/8/8/8/N3K3 w - - 0 1"), 0);
        assert!(white("4k1n1/8/8/8/8/8/8/R3K3 w - - 0 1") < FULL / 4);
        assert!(white("4k3/8/8/8/8/8/8/R3K3 w - - 0 1") > FULL / 2);
    }

    #[test]
    fn a_rooks_pawn_needs_the_right_bishop() {
        assert_eq!(white("7k/8/8/8/8/8/7P/4KB2 w - - 0 1"), 0);
        assert_eq!(white("7k/8/8/7P/8/8/7P/4K3 w - - 0 1"), 0);
        assert!(white("7k/8/8/8/8/8/7P/4K1B1 w - - 0 1") > 0, "the other bishop takes the corner");
        assert!(white("4k3/8/8/8/8/8/7P/4KB2 w - - 0 1") > 0, "the king is far away");
        assert!(white("7k/8/8/8/8/8/6PP/4KB2 w - - 0 1") > 0, "another pawn promotes elsewhere");
    }

    #[test]
    fn opposite_bishops_and_few_pawns_draw() {
        let opposite = white("4k1b1/8/8/8/8/8/PP6/2B1K3 w - - 0 1");
        let equal = white("4kb2/8/8/8/8/8/PP6/2B1K3 w - - 0 1");
        assert!(opposite < equal, "{opposite} {equal}");
    }
}
