//! Reading on the playout board: what a stone would capture, whether it would stand in atari, and ladders.

use search::Side;

use crate::board::{Board, UpTo};
use crate::tuning::{LADDER_BRANCHES, LADDER_MOVES};
use crate::{Colour, Point};

/// As many points as any move has reason to look at.
pub type Few = UpTo<24>;

/// What a stone of the side to move would stand like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// Liberties of its chain, counted up to 3.
    pub liberties: usize,
    /// Stones of its chain.
    pub stones: u32,
    /// Stones taken.
    pub taken: u32,
}

/// What would become of a stone of the side to move on a legal point.
pub fn prospect(board: &Board, point: Point) -> Prospect {
    let own = Colour::of(board.turn());
    let mut out = Prospect { liberties: 0, stones: 1, taken: 0 };
    let mut free = Few::EMPTY;
    let mut chains = Few::EMPTY;
    for next in point.neighbours() {
        match board.at(next) {
            Colour::Empty => free.add(next),
            Colour::Border => {}
            _ if chains.contains(board.head(next)) => {}
            colour => {
                chains.add(board.head(next));
                if colour == own {
                    out.stones += board.chain_size(next);
                    let liberties = board.liberties(next, 4);
                    liberties.points().iter().filter(|&&p| p != point).for_each(|&p| free.add(p));
                } else if board.in_atari(next) {
                    out.taken += board.chain_size(next);
                    free.add(next);
                }
            }
        }
    }
    out.liberties = free.points().len().min(3);
    if out.taken > 1 {
        out.liberties = out.liberties.max(2);
    }
    out
}

/// The points on which enemies of the chain can be taken at once, freeing it.
pub fn counter_captures(board: &Board, stone: Point, out: &mut Few) {
    let enemy = if board.at(stone) == Colour::Black { Colour::White } else { Colour::Black };
    for member in board.chain_stones(stone) {
        for next in member.neighbours() {
            if board.at(next) == enemy && board.in_atari(next) {
                out.add(board.last_liberty(next));
            }
        }
    }
}

/// The chains of a colour beside a point, one stone of each.
pub fn chains_beside(board: &Board, point: Point, colour: Colour) -> impl Iterator<Item = Point> + '_ {
    let around = point.neighbours();
    let is_first =
        move |i: usize| around[..i].iter().all(|&other| board.head(other) != board.head(around[i]));
    (0..around.len()).filter(move |&i| board.at(around[i]) == colour && is_first(i)).map(move |i| around[i])
}

/// Whether a chain that extends to its liberty `to` has three at once, its enemy on the other one, `without`.
fn breaks_out(board: &Board, stone: Point, to: Point, without: Point) -> bool {
    let mut free = Few::EMPTY;
    for next in to.neighbours() {
        if board.at(next) == Colour::Empty && next != without {
            free.add(next);
        } else if board.at(next) == board.at(stone) && board.head(next) != board.head(stone) {
            // Two of five may be those that are played on.
            let liberties = board.liberties(next, 5);
            liberties.points().iter().filter(|&&p| p != to && p != without).for_each(|&p| free.add(p));
        }
    }
    free.points().len() > 2
}

/// Reads ladders on boards of its own.
#[derive(Clone, Debug)]
pub struct Reader {
    boards: Vec<Board>,
}

impl Reader {
    /// A reader for boards like this one.
    pub fn new(board: &Board) -> Reader {
        Reader { boards: vec![board.clone(); LADDER_BRANCHES + 1] }
    }

    /// Whether the mover's chain, in atari, gets away by extending or by taking something.
    pub fn escapes(&mut self, board: &Board, stone: Point) -> bool {
        let mut captures = Few::EMPTY;
        counter_captures(board, stone, &mut captures);
        captures.points().iter().any(|&point| board.is_legal(point)) || self.outruns(board, stone)
    }

    /// Whether the mover's chain, in atari, gets away by extending.
    pub fn outruns(&mut self, board: &Board, stone: Point) -> bool {
        let liberty = board.last_liberty(stone);
        if !board.is_legal(liberty) {
            return false;
        }
        // The common cases need no board.
        match prospect(board, liberty).liberties {
            0 | 1 => false,
            2 => {
                self.boards[0].clone_from(board);
                self.defend(0, stone)
            }
            _ => true,
        }
    }

    /// A point on which its enemy takes a chain of two liberties in a ladder, were it to move, or none.
    pub fn attack(&mut self, board: &Board, stone: Point) -> Point {
        let Some(owner) = board.at(stone).side() else { return Point::NONE };
        let liberties = board.liberties(stone, 3);
        let &[a, b] = liberties.points() else { return Point::NONE };
        for (point, other) in [(a, b), (b, a)] {
            // A board is dear to copy.
            if board.empty_neighbours(other) >= 3
                || !board.is_legal_for(!owner, point)
                || breaks_out(board, stone, other, point)
            {
                continue;
            }
            self.boards[0].clone_from(board);
            self.boards[0].set_turn(!owner);
            self.boards[0].play(point);
            if self.boards[0].in_atari(point) && self.boards[0].chain_size(point) > 2 {
                continue;
            }
            if !self.gets_away(0, stone) {
                return point;
            }
        }
        Point::NONE
    }

    /// Whether the chain, in atari with its owner to move on this level's board, gets away.
    fn gets_away(&mut self, level: usize, stone: Point) -> bool {
        let mut captures = Few::EMPTY;
        counter_captures(&self.boards[level], stone, &mut captures);
        captures.points().iter().any(|&point| self.boards[level].is_legal(point)) || self.defend(level, stone)
    }

    /// The chain extends; the attacker tries what keeps it in atari.
    fn defend(&mut self, level: usize, stone: Point) -> bool {
        for _ in 0..LADDER_MOVES {
            let board = &mut self.boards[level];
            let liberty = board.last_liberty(stone);
            if !board.is_legal(liberty) {
                return false;
            }
            board.play(liberty);
            let liberties = board.liberties(stone, 3);
            let &[a, b] = liberties.points() else { return liberties.count() > 2 };
            // Where the next extension would gain three liberties, the attacker must stand himself.
            let works =
                |point: Point, other: Point| board.empty_neighbours(other) < 3 && board.is_legal(point);
            match (works(a, b), works(b, a)) {
                (false, false) => return true,
                (true, false) => board.play(a),
                (false, true) => board.play(b),
                (true, true) => {
                    if level >= LADDER_BRANCHES {
                        return true;
                    }
                    let (lower, upper) = self.boards.split_at_mut(level + 1);
                    upper[0].clone_from(&lower[level]);
                    upper[0].play(a);
                    if !self.gets_away(level + 1, stone) {
                        return false;
                    }
                    self.boards[level].play(b);
                }
            }
            let mut captures = Few::EMPTY;
            counter_captures(&self.boards[level], stone, &mut captures);
            if captures.points().iter().any(|&point| self.boards[level].is_legal(point)) {
                return true;
            }
        }
        true
    }
}

/// The vital point of an eye space of three to six points, if it has one: the point with the most neighbours
/// inside, where that is the shape's centre.
pub fn nakade(board: &Board, inside: Point, owner: Side) -> Point {
    let mut space = Few::EMPTY;
    space.add(inside);
    let mut next = 0;
    while next < space.points().len() {
        for point in space.points()[next].neighbours() {
            match board.at(point) {
                Colour::Empty => space.add(point),
                Colour::Border => {}
                colour if colour == Colour::of(owner) => {}
                _ => return Point::NONE,
            }
        }
        next += 1;
        if space.points().len() > 6 {
            return Point::NONE;
        }
    }
    let inner = |p: Point| p.neighbours().iter().filter(|&&q| space.contains(q)).count();
    let mut degrees = [0; 6];
    space.points().iter().for_each(|&p| degrees[inner(p)] += 1);
    let most = space.points().iter().copied().max_by_key(|&p| inner(p)).unwrap_or(Point::NONE);
    // Three in a row or bent, pyramid four, bulky five, crossed five, rabbity six: one point holds them together.
    let vital = match space.points().len() {
        3 => inner(most) == 2,
        4 => inner(most) == 3,
        5 => inner(most) == 4 || inner(most) == 3 && degrees[2] == 3,
        6 => inner(most) == 4 && degrees[2] == 3,
        _ => false,
    };
    if vital { most } else { Point::NONE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{drawn, read_point};

    fn board(rows: &str, turn: Side) -> Board {
        Board::new(&drawn(rows, "chinese").with_turn(turn), [Point::NONE; 2])
    }

    fn at(text: &str) -> Point {
        read_point(25, text).unwrap()
    }

    #[test]
    fn prospects_count_liberties_and_prisoners() {
        let board = board(". O X . . / O X . . . / . . . . . / . . . . . / . . . . X", Side::Black);
        let look = |text| prospect(&board, at(text));
        assert_eq!(look("A5"), Prospect { liberties: 1, stones: 1, taken: 1 });
        assert_eq!(look("D1"), Prospect { liberties: 3, stones: 2, taken: 0 });
    }

    const LADDER: &str = ". . . . . . . / . . . . . . . / . . . . . . . / . . X X . . . / . X O . . . . / . . X . . . . / . . . . . . .";

    #[test]
    fn a_ladder_works_until_a_stone_stands_in_its_way() {
        let ladder = board(LADDER, Side::White);
        assert!(!Reader::new(&ladder).escapes(&ladder, at("C3")));
        let broken = board(&LADDER.replace("/ . . X . . . . /", "/ . . X . O . . /"), Side::White);
        assert!(Reader::new(&broken).escapes(&broken, at("C3")));
    }

    #[test]
    fn the_right_atari_starts_the_ladder() {
        let open = "/ . . . . . . . / . . X . . . . / . X O . . . . / . . . . . . . / . . . . . . .";
        let open = board(&(". . . . . . . / . . . . . . . ".to_owned() + open), Side::Black);
        assert_eq!(Reader::new(&open).attack(&open, at("C3")), Point::NONE);
        let edge = board(". . . . . / . . . . . / . . X . . / . X O . . / . . . . .", Side::Black);
        assert_eq!(Reader::new(&edge).attack(&edge, at("C2")), at("D2"));
    }

    #[test]
    fn vital_points_of_eye_spaces_are_found() {
        let three = board(". . . O . / O O O O . / . . . . . / . . . . . / . . . . .", Side::Black);
        assert_eq!(nakade(&three, at("A5"), Side::White), at("B5"));
        let four = board(". . . . O / O O O O O / . . . . . / . . . . . / . . . . .", Side::Black);
        assert_eq!(nakade(&four, at("A5"), Side::White), Point::NONE);
        assert_eq!(nakade(&four, at("C1"), Side::White), Point::NONE);
    }
}
