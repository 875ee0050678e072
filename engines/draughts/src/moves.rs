//! Which moves there are. Steps go by shifts of whole sets; captures by a walk along tables that
//! allocates nothing.
//!
//! A move is its result: the same piece ending on the same square after taking the same pieces is one
//! move, in whatever order it took them. Captured pieces leave the board when the move is over, so
//! until then they block, and none is jumped twice (the Turkish strike).

use search::{Game, MoveList, Side};

use crate::board::{
    ACROSS, DOWN_LEFT, JUMPS, RAYS, Square, UP_LEFT, WAYS, crown_row, first, shift, squares, until,
};
use crate::position::MOST_PIECES;
use crate::{Position, Variant};

/// One turn of one piece: a step, or a whole chain of captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it ends, possibly where it began.
    pub to: Square,
    /// Whether a man becomes a king.
    pub crowns: bool,
    /// The squares of the pieces taken, as bits.
    pub captured: u32,
}

impl Move {
    /// Whether it takes a piece.
    pub fn is_capture(&self) -> bool {
        self.captured != 0
    }
}

/// Shorter chains cannot reach the same result in two ways: two orders of the same pieces need a way back
/// to the line they began on, which takes a third turn, and a man's way back takes a fourth.
const SHORTEST_TWIN: u32 = 3;

/// Appends the legal moves of the side to move.
pub(crate) fn generate(position: &Position, out: &mut MoveList<Move>) {
    if !captures(position, out) {
        steps(position, out);
    }
}

/// Appends the captures of the side to move, if there are any, and says so.
pub fn captures(position: &Position, out: &mut MoveList<Move>) -> bool {
    let start = out.len();
    Walk::new(position, List { out, start, piece: start, twins: false }).run()
}

/// Appends the legal moves, each order of capture as a move of its own, as some programs count them.
pub fn orders(position: &Position, out: &mut MoveList<Move>) {
    let start = out.len();
    if !Walk::new(position, List { out, start, piece: start, twins: true }).run() {
        steps(position, out);
    }
}

/// The number of legal moves.
pub(crate) fn count(position: &Position) -> u64 {
    let mut walk = Walk::new(position, Tally { count: 0, piece: 0, doubtful: false });
    if let Some(count) = walk.count_single_jumps() {
        return if count == 0 { count_steps(position) } else { count };
    }
    if !walk.run() {
        return count_steps(position);
    }
    if walk.sink.doubtful {
        let mut list = MoveList::new();
        captures(position, &mut list);
        return list.len() as u64;
    }
    walk.sink.count
}

/// Whether the side to move can take something.
pub fn can_capture(position: &Position) -> bool {
    let walk = Walk::new(position, Tally { count: 0, piece: 0, doubtful: false });
    walk.jumpers() != 0
        || squares(walk.kings).any(|king| WAYS.iter().any(|&way| walk.prey(king, way).is_some()))
}

/// The two ways in which a side's men step.
fn forward(side: Side) -> [usize; 2] {
    match side {
        Side::White => [UP_LEFT, UP_LEFT + 1],
        Side::Black => [DOWN_LEFT, DOWN_LEFT + 1],
    }
}

fn steps(position: &Position, out: &mut MoveList<Move>) {
    let side = position.turn();
    let (own, free, crown) = (position.pieces(side), !position.occupied(), crown_row(side));
    let men = own & !position.kings();
    out.reserve(2 * MOST_PIECES as usize);
    for way in forward(side) {
        for to in squares(shift(way, men) & free) {
            let from = Square(JUMPS[3 - way][to.index()].0.trailing_zeros() as u8);
            out.push(Move { from, to, crowns: to.bit() & crown != 0, captured: 0 });
        }
    }
    for from in squares(own & position.kings()) {
        for way in WAYS {
            let targets = squares(until(way, from, !free));
            out.extend(targets.map(|to| Move { from, to, crowns: false, captured: 0 }));
        }
    }
}

#[inline(always)]
fn count_steps(position: &Position) -> u64 {
    let side = position.turn();
    let (own, free) = (position.pieces(side), !position.occupied());
    let men = own & !position.kings();
    let mut total: u32 = forward(side).into_iter().map(|way| (shift(way, men) & free).count_ones()).sum();
    for king in squares(own & position.kings()) {
        total += WAYS.iter().map(|&way| until(way, king, !free).count_ones()).sum::<u32>();
    }
    u64::from(total)
}

/// What receives the captures found. `clear` comes when a longer chain makes all earlier ones illegal.
trait Sink {
    fn next_piece(&mut self);
    fn clear(&mut self);
    fn push(&mut self, m: Move, length: u32);
}

/// Keeps the moves.
struct List<'a> {
    out: &'a mut MoveList<Move>,
    start: usize,
    /// Where the moves of the piece at hand begin.
    piece: usize,
    /// Keep moves of the same result apart.
    twins: bool,
}

impl Sink for List<'_> {
    fn next_piece(&mut self) {
        self.piece = self.out.len();
    }

    fn clear(&mut self) {
        self.out.truncate(self.start);
        self.piece = self.start;
    }

    fn push(&mut self, m: Move, length: u32) {
        if self.twins || length < SHORTEST_TWIN || !self.out[self.piece..].contains(&m) {
            self.out.push(m);
        }
    }
}

/// Counts the moves; doubtful if some of them may be twins.
struct Tally {
    count: u64,
    /// The count before the piece at hand.
    piece: u64,
    doubtful: bool,
}

impl Sink for Tally {
    fn next_piece(&mut self) {
        self.piece = self.count;
    }

    fn clear(&mut self) {
        (self.count, self.piece, self.doubtful) = (0, 0, false);
    }

    fn push(&mut self, _: Move, length: u32) {
        self.doubtful |= length >= SHORTEST_TWIN && self.count > self.piece;
        self.count += 1;
    }
}

/// A walk through all chains of captures of one side.
struct Walk<S: Sink> {
    sink: S,
    variant: Variant,
    men: u32,
    kings: u32,
    enemy: u32,
    /// Empty squares; that of the piece at hand is one of them while it moves.
    free: u32,
    crown: u32,
    /// Where the piece at hand began.
    from: Square,
    /// The most pieces taken so far.
    longest: u32,
}

impl<S: Sink> Walk<S> {
    #[inline(always)]
    fn new(position: &Position, sink: S) -> Self {
        let side = position.turn();
        let own = position.pieces(side);
        Walk {
            sink,
            variant: position.rules().variant,
            men: own & !position.kings(),
            kings: own & position.kings(),
            enemy: position.pieces(!side),
            free: !position.occupied(),
            crown: crown_row(side),
            from: Square(0),
            longest: 0,
        }
    }

    /// Finds all captures; false if there are none.
    #[inline(always)]
    fn run(&mut self) -> bool {
        let jumpers = self.jumpers();
        if jumpers | self.kings == 0 {
            return false;
        }
        for from in squares(jumpers) {
            self.lift(from);
            self.man(from, 0, 0);
            self.free &= !from.bit();
        }
        for from in squares(self.kings) {
            self.lift(from);
            for way in WAYS {
                self.king(from, way, 0, 0);
            }
            self.free &= !from.bit();
        }
        self.longest > 0
    }

    /// The men that can take something.
    #[inline(always)]
    fn jumpers(&self) -> u32 {
        let [a, b, c, d] = self.takers(self.men, self.free);
        a | b | c | d
    }

    /// Those of a set of men that can take a piece in each way and land on one of the free squares.
    #[inline(always)]
    fn takers(&self, men: u32, free: u32) -> [u32; 4] {
        std::array::from_fn(|way| men & shift(3 - way, self.enemy & shift(3 - way, free)))
    }

    /// The number of captures, if nothing but single jumps of men is possible.
    #[inline(always)]
    fn count_single_jumps(&self) -> Option<u64> {
        let takers = self.takers(self.men, self.free);
        let all = takers[0] | takers[1] | takers[2] | takers[3];
        if all | self.kings == 0 {
            return Some(0);
        }
        // A square left behind is free for the second jump; back over the piece just taken there is none.
        let landings: [u32; 4] = std::array::from_fn(|way| shift(way, shift(way, takers[way])));
        let second = self.takers(!0, self.free | all);
        let goes_on = WAYS.iter().any(|&way| {
            let onward = second[way] | second[ACROSS[way][0]] | second[ACROSS[way][1]];
            landings[way] & onward != 0
        });
        let crown = if self.variant.crowns_in_passing { self.crown } else { 0 };
        let reached = landings[0] | landings[1] | landings[2] | landings[3];
        if goes_on || self.kings != 0 || reached & crown != 0 {
            return None;
        }
        Some(takers.iter().map(|set| u64::from(set.count_ones())).sum())
    }

    fn lift(&mut self, from: Square) {
        self.from = from;
        self.free |= from.bit();
        self.sink.next_piece();
    }

    /// Goes on with a man that has taken `length` pieces.
    fn man(&mut self, at: Square, captured: u32, length: u32) {
        let mut goes_on = false;
        for jumps in &JUMPS {
            let (over, land) = jumps[at.index()];
            if over & self.enemy & !captured == 0 || land & self.free == 0 {
                continue;
            }
            goes_on = true;
            let to = Square(land.trailing_zeros() as u8);
            if self.variant.crowns_in_passing && land & self.crown != 0 {
                self.crowned(to, captured | over, length + 1);
            } else {
                self.man(to, captured | over, length + 1);
            }
        }
        if !goes_on {
            self.stop(at, at.bit() & self.crown != 0, captured, length);
        }
    }

    /// Goes on as a king with a man crowned in passing.
    fn crowned(&mut self, at: Square, captured: u32, length: u32) {
        let mut goes_on = false;
        for way in WAYS {
            goes_on |= self.king(at, way, captured, length);
        }
        if !goes_on {
            self.stop(at, true, captured, length);
        }
    }

    /// What a king on a square would take next in one way, and where it could land.
    #[inline(always)]
    fn prey(&self, at: Square, way: usize) -> Option<(Square, u32)> {
        let prey = first(way, RAYS[way][at.index()] & !self.free);
        if prey & self.enemy == 0 {
            return None;
        }
        let prey = Square(prey.trailing_zeros() as u8);
        let landings = until(way, prey, !self.free);
        (landings != 0).then_some((prey, landings))
    }

    /// Goes on with a king in one way; false if it can take nothing there.
    fn king(&mut self, at: Square, way: usize, captured: u32, length: u32) -> bool {
        let Some((prey, landings)) = self.prey(at, way).filter(|(prey, _)| prey.bit() & captured == 0) else {
            return false;
        };
        let (captured, length) = (captured | prey.bit(), length + 1);
        // Straight on, the landing square makes no difference: look once, from the piece just taken.
        let mut goes_on = self.king(prey, way, captured, length);
        for landing in squares(landings) {
            for across in ACROSS[way] {
                goes_on |= self.king(landing, across, captured, length);
            }
        }
        if !goes_on {
            // The walk began as a man if it is one on the board.
            let crowns = self.men & self.from.bit() != 0;
            squares(landings).for_each(|to| self.stop(to, crowns, captured, length));
        }
        true
    }

    fn stop(&mut self, to: Square, crowns: bool, captured: u32, length: u32) {
        if length < self.longest && self.variant.majority {
            return;
        }
        if length > self.longest {
            self.longest = length;
            if self.variant.majority {
                self.sink.clear();
            }
        }
        self.sink.push(Move { from: self.from, to, crowns, captured }, length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn legal(variant: Variant, fen: &str) -> Vec<String> {
        let position = Position::read(&Rules { variant, ..Rules::default() }, fen).unwrap();
        let list = position.list();
        assert_eq!(list.len() as u64, position.count());
        assert_eq!(can_capture(&position), list.iter().any(Move::is_capture));
        let mut texts: Vec<_> = list.into_iter().map(|m| position.write(m)).collect();
        texts.sort();
        texts
    }

    fn brazilian(fen: &str) -> Vec<String> {
        legal(Variant::BRAZILIAN, fen)
    }

    #[test]
    fn men_step_forward_and_capture_both_ways() {
        assert_eq!(brazilian("W:W22:B1"), ["22-17", "22-18"]);
        assert_eq!(brazilian("B:W32:B9"), ["9-13", "9-14"]);
        assert_eq!(brazilian("W:W14:B9,18"), ["14x23", "14x5"]);
    }

    #[test]
    fn a_king_lands_on_any_square_behind() {
        assert_eq!(brazilian("W:WK29:B18"), ["29x11", "29x15", "29x4", "29x8"]);
    }

    #[test]
    fn two_pieces_in_a_row_stop_a_king() {
        assert_eq!(brazilian("W:WK29:B18,15"), ["29-22", "29-25"]);
    }

    #[test]
    fn the_most_pieces_must_be_taken_by_whomever() {
        assert_eq!(brazilian("W:WK29,31:B17,18,26"), ["31x13", "31x15"]);
    }

    /// Round the square d2-d4-f4-f2 the king comes back to e1, but d2 still stands before b4.
    #[test]
    fn captured_pieces_block_until_the_move_is_over() {
        assert_eq!(brazilian("W:WK31:B17,18,19,26,27"), ["31x13", "31x31"]);
    }

    #[test]
    fn both_ways_round_are_one_move() {
        let position = Position::read(&Rules::default(), "W:W31:B18,19,26,27").unwrap();
        let mut list = Vec::new();
        orders(&position, &mut list);
        assert_eq!((list.len(), position.count()), (2, 1));
    }

    #[test]
    fn a_man_passing_the_last_row_stays_a_man() {
        let position = Position::read(&Rules::default(), "W:W9:B6,7").unwrap();
        let list = position.list();
        assert_eq!(list.len(), 1);
        assert_eq!((list[0].crowns, list[0].captured.count_ones()), (false, 2));
    }

    #[test]
    fn a_man_ending_on_the_last_row_is_crowned() {
        let mut position = Position::read(&Rules::default(), "W:W9:B6,20").unwrap();
        position.play(position.parse("9x2").unwrap());
        assert_eq!(position.to_string(), "B:WK2:B20");
    }

    #[test]
    fn in_russian_draughts_the_choice_is_free_and_crowning_is_immediate() {
        assert_eq!(legal(Variant::RUSSIAN, "W:W31:B18,26,27"), ["31x15", "31x24"]);
        assert_eq!(brazilian("W:W31:B18,26,27"), ["31x15"]);
        assert_eq!(legal(Variant::RUSSIAN, "W:W9:B6,7,20"), ["9x11", "9x16"]);
    }

    /// Of the squares behind c3 only e5 lets the king go on, over f4, so it must land there.
    #[test]
    fn a_russian_king_lands_where_it_can_go_on() {
        assert_eq!(legal(Variant::RUSSIAN, "W:WK29:B19,22"), ["29x24", "29x28"]);
    }
}
