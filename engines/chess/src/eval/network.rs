//! What a network sees of a position: every piece on its square, as either side sees the board, turned so that its own
//! king stands on the files a to d.

use ::search::network::{Inputs, Network, seen};
use ::search::squares::squares;
use ::search::{Game, Score, Side};

use crate::Square;
use crate::moves::Move;
use crate::position::{Position, Role};

/// Plies at the beginning of games that teach nothing.
const EARLY: usize = 16;
/// Positions worth more, in hundredths of a pawn, teach nothing: they are won whatever a network says.
const DECIDED: i32 = 3000;

/// The inputs of chess.
#[derive(Clone)]
pub struct Pieces;

impl Pieces {
    /// The input of a piece as `view` sees it, with squares changed by `turned`.
    #[inline]
    fn input(view: Side, turned: u8, side: Side, role: Role, square: Square) -> usize {
        let whose = if side == view { 0 } else { 6 };
        (whose + role.index()) * 64 + usize::from(square.0 ^ turned)
    }

    /// What turns the board for `view`: its own side comes down, its king to the left.
    #[inline]
    fn turned(p: &Position, view: Side) -> u8 {
        let rows = if view == Side::White { 0 } else { 56 };
        let files = if p.king(view).file() < 4 { 0 } else { 7 };
        rows | files
    }
}

impl Inputs for Pieces {
    type Game = Position;

    const NAME: &'static str = "chess, pieces on squares, king on the left";
    const COUNT: usize = 12 * 64;
    const MOST: usize = 32;
    const BUCKETS: usize = 8;

    fn active(p: &Position, view: Side, mut tell: impl FnMut(usize)) {
        let turned = Pieces::turned(p, view);
        for side in [Side::White, Side::Black] {
            for role in Role::ALL {
                squares(p.pieces(side, role))
                    .for_each(|at| tell(Pieces::input(view, turned, side, role, at)));
            }
        }
    }

    #[inline]
    fn changes(
        before: &Position,
        after: &Position,
        view: Side,
        mut off: impl FnMut(usize),
        mut on: impl FnMut(usize),
    ) -> bool {
        let turned = Pieces::turned(after, view);
        if turned != Pieces::turned(before, view) {
            return false;
        }
        for side in [Side::White, Side::Black] {
            let (old, new) = (before.side(side), after.side(side));
            for at in squares(old & !new) {
                let role = before.role_on(at).expect("a piece stood there");
                off(Pieces::input(view, turned, side, role, at));
            }
            for at in squares(new & !old) {
                let role = after.role_on(at).expect("a piece stands there");
                on(Pieces::input(view, turned, side, role, at));
            }
        }
        true
    }

    #[inline]
    fn bucket(p: &Position) -> usize {
        (p.occupied().count_ones().saturating_sub(2) / 4).min(7) as usize
    }
}

impl ::search::learn::network::Pupil for Pieces {
    const EARLY: usize = EARLY;
    const DECIDED: i32 = DECIDED;

    fn is_quiet(p: &Position, m: Move) -> bool {
        !p.in_check() && !p.is_noisy(m)
    }
}

/// The board with what every piece is worth to White: by how much the value falls without it.
pub fn worths(network: &Network, p: &Position) -> String {
    let white = |score: Score| if p.turn() == Side::White { score.0 } else { -score.0 };
    let bucket = Pieces::bucket(p);
    let [own, other] = seen::<Pieces>(p);
    let whole = white(network.judge(&own, &other, bucket));
    let worth = |at: Square| -> Option<i32> {
        let (side, role) = p.side_on(at).zip(p.role_on(at)).filter(|(_, role)| *role != Role::King)?;
        let [own, other] = [(own.clone(), p.turn()), (other.clone(), !p.turn())].map(|(mut inputs, view)| {
            let input = Pieces::input(view, Pieces::turned(p, view), side, role, at);
            inputs.retain(|&other| other != input);
            inputs
        });
        Some(whole - white(network.judge(&own, &other, bucket)))
    };
    let mut out = "what each piece is worth to White\n".to_owned();
    for row in (0..8).rev() {
        for column in 0..8 {
            let at = Square(8 * row + column);
            let letter = p.letter(at).unwrap_or('.');
            out += &format!("{letter} {:<6}", worth(at).map_or_else(String::new, |worth| worth.to_string()));
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use ::search::testing::network::{carries_sums, network};

    use super::*;
    use crate::Rules;

    fn read(fen: &str) -> Position {
        Position::read(&Rules::default(), fen).unwrap()
    }

    #[test]
    fn sums_carried_along_are_those_made_anew() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p3P1/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/P6P/8/3pP3/8/8/p6p/4K3 w - d6 0 1",
        ] {
            carries_sums::<Pieces>(&read(fen), |p| (!p.in_check()).then(|| p.passed()));
        }
    }

    #[test]
    fn both_sides_see_alike() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ] {
            let sorted = |p: &Position| {
                seen::<Pieces>(p).map(|mut inputs| {
                    inputs.sort_unstable();
                    inputs
                })
            };
            let p = read(fen);
            assert_eq!(sorted(&p), sorted(&p.flipped().unwrap()), "{fen}");
        }
    }

    #[test]
    fn the_board_is_turned_by_the_king() {
        let [left, right] = ["8/8/8/8/8/8/3k1P2/1K6 w - - 0 1", "8/8/8/8/8/8/2P1k3/6K1 w - - 0 1"].map(read);
        assert_eq!(seen::<Pieces>(&left)[0].len(), 3);
        let sorted = |p: &Position| {
            let mut inputs = seen::<Pieces>(p)[0].clone();
            inputs.sort_unstable();
            inputs
        };
        assert_eq!(sorted(&left), sorted(&right));
    }

    #[test]
    fn every_piece_but_the_kings_has_a_worth() {
        let text = worths(&network::<Pieces>(8, 1), &read("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"));
        let words: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
        assert_eq!((words[4], words[5], words[7]), ("K", ".", "R"), "{text}");
        assert!(words[8].parse::<i32>().is_ok() && words.len() == 9, "{text}");
    }
}
