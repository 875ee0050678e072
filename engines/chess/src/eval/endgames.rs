//! Endgames that are known: king and pawn against king exactly, and how to drive a bare king to its mate.

use std::sync::LazyLock;

use ::search::{Game, Side, crew};

use crate::attacks::{self, LIGHT, Square, distance, squares};
use crate::position::{Position, Role};

/// A value that says "won, and not by opinion", on top of the material.
const WON: i32 = 4000;

/// Works the table of pawn endings out beside whatever comes next, so that no search has to wait for it.
pub fn prepare() {
    crew::ahead(|| _ = LazyLock::force(&PAWN_ENDINGS));
}

/// What is known of the position without search: its value from White's view.
pub fn known(p: &Position) -> Option<i32> {
    let bare = |side| p.side(side).count_ones() == 1;
    let winner = match (bare(Side::White), bare(Side::Black)) {
        (false, true) => Side::White,
        (true, false) => Side::Black,
        _ => return None,
    };
    let value = against_bare_king(p, winner)?;
    Some(if winner == Side::White { value } else { -value })
}

/// The value for the side whose opponent has nothing but his king.
fn against_bare_king(p: &Position, winner: Side) -> Option<i32> {
    let count = |role| p.count_of(winner, role);
    let (pawns, heavy) = (count(Role::Pawn), count(Role::Queen) + count(Role::Rook));
    let (knights, bishops) = (p.pieces(winner, Role::Knight), p.pieces(winner, Role::Bishop));
    let (king, bare) = (p.king(winner), p.king(!winner));
    let near = 20 * (7 - i32::from(distance(king, bare)));
    if pawns == 1 && heavy == 0 && knights | bishops == 0 {
        return Some(if pawn_wins(p, winner) { WON / 2 + 50 * rank_of_pawn(p, winner) } else { 0 });
    }
    if pawns > 0 {
        return None;
    }
    if heavy > 0 || bishops & LIGHT != 0 && bishops & !LIGHT != 0 || knights.count_ones() > 2 {
        return Some(WON + 1000 * heavy as i32 + 10 * edge(bare) + near);
    }
    if bishops.count_ones() == 1 && knights.count_ones() == 1 {
        // Mate is possible only in a corner of the bishop's colour.
        let light = bishops & LIGHT != 0;
        let corners = if light { [Square(7), Square(56)] } else { [Square(0), Square(63)] };
        let way = corners.map(|corner| steps(corner, bare)).into_iter().min().unwrap_or(0);
        return Some(WON + 40 * (14 - way) + near);
    }
    (heavy == 0 && (knights | bishops).count_ones() <= 2).then_some(0)
}

fn rank_of_pawn(p: &Position, winner: Side) -> i32 {
    squares(p.pieces(winner, Role::Pawn)).map(|s| i32::from(s.seen_by(winner).rank())).max().unwrap_or(0)
}

/// Steps along files and ranks.
fn steps(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file())) + i32::from(a.rank().abs_diff(b.rank()))
}

/// 0 in the centre, more at the edge, most in a corner.
fn edge(square: Square) -> i32 {
    let off = |x: u8| i32::from(if x < 4 { 3 - x } else { x - 4 });
    let (file, rank) = (off(square.file()), off(square.rank()));
    file * file + rank * rank
}

/// Whether king and pawn win against the bare king, by the table.
fn pawn_wins(p: &Position, winner: Side) -> bool {
    let see = |square: Square| square.seen_by(winner);
    let Some(pawn) = squares(p.pieces(winner, Role::Pawn)).next() else { return false };
    PAWN_ENDINGS.wins(see(p.king(winner)), see(pawn), see(p.king(!winner)), p.turn() == winner)
}

/// Every position of white king and pawn against black king that White wins, one bit each.
struct PawnEndings(Vec<u64>);

static PAWN_ENDINGS: LazyLock<PawnEndings> = LazyLock::new(PawnEndings::build);

/// An index of 48 pawns, two sides and the white king; the black king is the bit.
fn slot(king: Square, pawn: Square, white_moves: bool) -> usize {
    (usize::from(pawn.0 - 8) * 2 + usize::from(white_moves)) * 64 + king.index()
}

impl PawnEndings {
    fn wins(&self, king: Square, pawn: Square, bare: Square, white_moves: bool) -> bool {
        self.0[slot(king, pawn, white_moves)] & bare.bit() != 0
    }

    /// Adds won positions until no more are found, pawns nearest to promotion first.
    fn build() -> PawnEndings {
        let mut table = PawnEndings(vec![0; 48 * 2 * 64]);
        for rank in (1..7).rev() {
            for pawn in (0..8).map(|file| Square::at(file, rank)) {
                while (0..64).filter(|&king| table.improve(Square(king), pawn)).count() > 0 {}
            }
        }
        table
    }

    /// One round for all black kings at once; says whether anything was added.
    fn improve(&mut self, king: Square, pawn: Square) -> bool {
        if king == pawn {
            return false;
        }
        let (with_white, with_black) = (slot(king, pawn, true), slot(king, pawn, false));
        let mut found = (self.0[with_white], self.0[with_black]);
        for bare in squares(!(king.bit() | pawn.bit() | attacks::king(king))) {
            if attacks::pawn(Side::White, pawn) & bare.bit() == 0 && self.white_wins(king, pawn, bare) {
                found.0 |= bare.bit();
            }
            if self.black_loses(king, pawn, bare) {
                found.1 |= bare.bit();
            }
        }
        let changed = found != (self.0[with_white], self.0[with_black]);
        (self.0[with_white], self.0[with_black]) = found;
        changed
    }

    fn white_wins(&self, king: Square, pawn: Square, bare: Square) -> bool {
        let taken = pawn.bit() | attacks::king(bare) | bare.bit();
        if squares(attacks::king(king) & !taken).any(|to| self.wins(to, pawn, bare, false)) {
            return true;
        }
        let next = Square(pawn.0 + 8);
        if next == king || next == bare {
            return false;
        }
        if next.rank() == 7 {
            // A queen that cannot be taken wins, and stalemate can be avoided by a rook.
            return attacks::king(bare) & next.bit() == 0 || attacks::king(king) & next.bit() != 0;
        }
        if self.wins(king, next, bare, false) {
            return true;
        }
        let double = Square(next.0 + 8);
        pawn.rank() == 1 && double != king && double != bare && self.wins(king, double, bare, false)
    }

    fn black_loses(&self, king: Square, pawn: Square, bare: Square) -> bool {
        let guarded = attacks::king(king) | attacks::pawn(Side::White, pawn);
        let flights = attacks::king(bare) & !guarded;
        if flights == 0 {
            return attacks::pawn(Side::White, pawn) & bare.bit() != 0;
        }
        flights & pawn.bit() == 0 && squares(flights).all(|to| self.wins(king, pawn, to, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn value(fen: &str) -> Option<i32> {
        known(&Position::read(&Rules::default(), fen).unwrap())
    }

    #[test]
    fn the_opposition_decides_king_and_pawn() {
        assert_eq!(value("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1").map(i32::signum), Some(1));
        assert_eq!(value("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1").map(i32::signum), Some(1));
        assert_eq!(value("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"), Some(0));
        assert_eq!(value("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"), Some(0));
        assert_eq!(value("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1").map(i32::signum), Some(1));
        assert_eq!(value("k7/8/K7/P7/8/8/8/8 w - - 0 1"), Some(0));
        assert_eq!(value("8/8/8/8/4p3/4k3/8/4K3 w - - 0 1").map(i32::signum), Some(-1));
    }

    #[test]
    fn the_number_of_won_pawn_endings_is_right() {
        // Positions with either side to move and the pawn on files a to d, as published for such tables.
        let won = |white: bool| -> u32 {
            let mut sum = 0;
            for pawn in (8..56).map(Square).filter(|s| s.file() < 4) {
                for king in 0..64 {
                    sum += PAWN_ENDINGS.0[slot(Square(king), pawn, white)].count_ones();
                }
            }
            sum
        };
        assert_eq!(won(true) + won(false), 111_282);
    }

    #[test]
    fn two_knights_win_nothing_and_a_bishop_and_knight_know_their_corner() {
        assert_eq!(value("4k3/8/8/8/8/8/8/NN2K3 w - - 0 1"), Some(0));
        let right = value("7k/8/8/8/8/8/8/B1N1K3 b - - 0 1").unwrap();
        let wrong = value("k7/8/8/8/8/8/8/B1N1K3 b - - 0 1").unwrap();
        assert!(right > wrong && wrong > WON);
    }
}
