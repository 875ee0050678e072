//! Which moves there are. All pieces with the same number of neighbours move at once, as bits in a word.

use search::squares::squares;
use search::{Game, MoveList, Side, Square};

use crate::Position;

/// One piece to another square, taking what stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

/// North, east, north-east, north-west as left shifts; the four opposite ones are the same to the right.
const SHIFTS: [u32; 4] = [8, 1, 9, 7];
const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
/// What cannot have been reached by stepping over the edge, for left shifts and for right shifts.
const LEFT_SAFE: [u64; 4] = [!0, NOT_A, NOT_A, NOT_H];
const RIGHT_SAFE: [u64; 4] = [!0, NOT_H, NOT_H, NOT_A];
/// With more neighbours than this a piece cannot move: an inner square is never 7 steps from the edge.
const MOST_STEPS: u32 = 6;

/// One set of squares for each of four directions; the compiler makes one instruction of each loop.
type Lanes = [u64; 4];

#[inline(always)]
fn left(sets: Lanes, within: u64) -> Lanes {
    std::array::from_fn(|i| sets[i] << SHIFTS[i] & LEFT_SAFE[i] & within)
}

#[inline(always)]
fn right(sets: Lanes, within: u64) -> Lanes {
    std::array::from_fn(|i| sets[i] >> SHIFTS[i] & RIGHT_SAFE[i] & within)
}

/// The pieces of a set by the number of their neighbours: entry n - 1 holds those with n, up to 6.
#[inline(always)]
pub(crate) fn by_neighbours(set: u64, occupied: u64) -> [u64; MOST_STEPS as usize] {
    let (a, b) = (left([occupied; 4], !0), right([occupied; 4], !0));
    // Full adders turn eight one-bit counts into a three-bit count on every square at once;
    // eight neighbours overflow to 0, and then the piece cannot move either.
    let add = |x: u64, y: u64, z: u64| (x ^ y ^ z, (x & y) | (z & (x ^ y)));
    let (s1, c1) = add(a[0], a[1], a[2]);
    let (s2, c2) = add(a[3], b[0], b[1]);
    let (s3, c3) = (b[2] ^ b[3], b[2] & b[3]);
    let (ones, c4) = add(s1, s2, s3);
    let (t, d1) = add(c1, c2, c3);
    let (twos, d2) = (t ^ c4, t & c4);
    let fours = d1 ^ d2;
    let pick = |n: u32| {
        let bit = |value: u64, on: u32| if on == 0 { !value } else { value };
        set & bit(ones, n & 1) & bit(twos, n & 2) & bit(fours, n & 4)
    };
    [pick(1), pick(2), pick(3), pick(4), pick(5), pick(6)]
}

/// Visits, for each number of steps and each direction, the squares that the pieces `own` can reach and the way there.
#[inline(always)]
pub(crate) fn sweep(board: u64, own: u64, occupied: u64, mut visit: impl FnMut(u64, i32)) {
    let (free, landing) = (board & !occupied, board & !own);
    let [one, two, three, four, five, six] = by_neighbours(own, occupied);
    steps::<1>(one, free, landing, &mut visit);
    steps::<2>(two, free, landing, &mut visit);
    steps::<3>(three, free, landing, &mut visit);
    // Crowds are rare: one look spares three.
    if four | five | six != 0 {
        steps::<4>(four, free, landing, &mut visit);
        steps::<5>(five, free, landing, &mut visit);
        steps::<6>(six, free, landing, &mut visit);
    }
}

/// Moves all pieces of a set `N` squares in every direction over free squares.
#[inline(always)]
fn steps<const N: i32>(set: u64, free: u64, landing: u64, visit: &mut impl FnMut(u64, i32)) {
    if set == 0 {
        return;
    }
    let (mut up, mut down) = ([set; 4], [set; 4]);
    for _ in 1..N {
        (up, down) = (left(up, free), right(down, free));
    }
    (up, down) = (left(up, landing), right(down, landing));
    for i in 0..4 {
        visit(up[i], N * SHIFTS[i] as i32);
        visit(down[i], -N * SHIFTS[i] as i32);
    }
}

/// The squares from which a piece could have come to `to` without taking anything, among the others.
#[inline(always)]
pub(crate) fn origins(board: u64, others: u64, to: u64) -> u64 {
    let free = board & !others;
    let (mut up, mut down, mut found) = ([to; 4], [to; 4], 0);
    for set in by_neighbours(free, others) {
        (up, down) = (left(up, free), right(down, free));
        found |= set & (up[0] | up[1] | up[2] | up[3] | down[0] | down[1] | down[2] | down[3]);
    }
    found
}

#[inline(always)]
fn sweep_of(position: &Position, side: Side, visit: impl FnMut(u64, i32)) {
    sweep(position.rules.board(), position.pieces(side), position.occupied(), visit);
}

/// Appends the legal moves of the side to move that end on one of these squares.
pub(crate) fn generate(position: &Position, within: u64, out: &mut MoveList<Move>) {
    sweep_of(position, position.turn(), |targets, way| {
        let targets = squares(targets & within);
        out.extend(targets.map(|to| Move { from: Square((i32::from(to.0) - way) as u8), to }));
    });
}

/// The number of legal moves `side` would have if it were to move.
pub fn count(position: &Position, side: Side) -> u64 {
    let mut total = 0;
    sweep_of(position, side, |targets, _| total += u64::from(targets.count_ones()));
    total
}

/// The number of moves `side` would have if it were to move, and the squares it would reach.
pub(crate) fn mobility(position: &Position, side: Side) -> (u32, u64) {
    let (mut total, mut reach) = (0, 0);
    sweep_of(position, side, |targets, _| {
        total += targets.count_ones();
        reach |= targets;
    });
    (total, reach)
}

/// All that a side could do if it were to move.
pub(crate) struct Survey {
    /// Moves of the pieces with 1, 2, ... 6 neighbours.
    pub moves: [u32; MOST_STEPS as usize],
    /// The squares it could move to, and those where it could take an enemy in the place of its own piece.
    pub cover: u64,
    /// The pieces that have a move.
    pub movers: u64,
}

/// Looks at all moves of `side` at once.
#[inline(always)]
pub(crate) fn survey(position: &Position, side: Side) -> Survey {
    let (board, occupied, own) = (position.rules.board(), position.occupied(), position.pieces(side));
    let free = board & !occupied;
    let mut found = Survey { moves: [0; MOST_STEPS as usize], cover: 0, movers: 0 };
    for (set, steps) in by_neighbours(own, occupied).into_iter().zip(1..) {
        if set == 0 {
            continue;
        }
        let (mut up, mut down) = ([set; 4], [set; 4]);
        for _ in 1..steps {
            (up, down) = (left(up, free), right(down, free));
        }
        (up, down) = (left(up, board), right(down, board));
        for i in 0..4 {
            let (rise, fall) = (up[i] & !own, down[i] & !own);
            found.cover |= up[i] | down[i];
            found.moves[steps as usize - 1] += rise.count_ones() + fall.count_ones();
            found.movers |= rise >> (steps * SHIFTS[i]) | fall << (steps * SHIFTS[i]);
        }
    }
    found
}

/// The squares next to any square of the set.
pub(crate) fn around(set: u64) -> u64 {
    let (a, b) = (left([set; 4], !0), right([set; 4], !0));
    a[0] | a[1] | a[2] | a[3] | b[0] | b[1] | b[2] | b[3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn both(fen: &str) -> (u64, u64) {
        let position = Position::read(&Rules::default(), fen).unwrap();
        (count(&position, Side::White), count(&position, Side::Black))
    }

    #[test]
    fn the_mid_game_figure_of_the_source_has_25_and_21_moves() {
        assert_eq!(both("6b1/6b1/5b2/8/5b2/2w3w1/3ww3/8 w 0"), (25, 21));
    }

    #[test]
    fn the_largest_number_of_moves_is_64() {
        assert_eq!(both("8/bw1wb1wb/8/bw1wb1wb/8/bw1wb3/8/8 w 0"), (64, 49));
    }

    #[test]
    fn a_lone_piece_cannot_move() {
        assert_eq!(both("w7/8/8/8/8/8/8/7b w 0"), (0, 0));
    }

    #[test]
    fn pieces_in_between_block() {
        // The piece on c1 has two neighbours, which stand in its way along the row.
        let position = Position::read(&Rules::default(), "8/8/8/8/8/8/8/1www4 w 0").unwrap();
        let list = position.list();
        let mut from_c1: Vec<_> = list.iter().map(Move::to_string).filter(|m| m.starts_with("c1")).collect();
        from_c1.sort();
        assert_eq!(from_c1, ["c1a3", "c1c3", "c1e3"]);
    }

    #[test]
    fn a_survey_sees_what_the_moves_do() {
        for size in 4..=8 {
            let start = Position::start(&Rules::new(size).unwrap());
            let game = search::walk::walk(start, 80, &mut search::Random::new(u64::from(size)));
            for position in game.positions() {
                let list = position.list();
                let seen = survey(position, position.turn());
                assert_eq!(seen.moves.iter().sum::<u32>() as usize, list.len(), "{position}");
                assert_eq!(seen.movers, list.iter().fold(0, |all, m| all | m.from.bit()), "{position}");
                let reached = seen.cover & !position.pieces(position.turn());
                assert_eq!(reached, list.iter().fold(0, |all, m| all | m.to.bit()), "{position}");
            }
        }
    }
}
