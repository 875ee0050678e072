//! The board on which playouts and the tree's descents are played: chains and liberties are kept move by move,
//! nothing is allocated, nothing can be taken back; a playout works on a copy.
//!
//! A chain keeps the number, the sum and the sum of squares of its pseudo-liberties (a liberty counts once for
//! each stone it touches): they are all the same point exactly if number times squares is the sum squared.
//! Every point also keeps the colours of its eight neighbours in 16 bits, from which eyes and patterns are read.

use search::{Random, Side};

use crate::point::{DIAGONALS, Grid, NEIGHBOURS, Point, points};
use crate::{Colour, Position};

/// The pseudo-liberties of a chain in one word: number (12 bits), sum (21 bits), sum of squares (31 bits).
///
/// On the largest board a chain has fewer than 1300 pseudo-liberties below 702, so no field overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ledger(u64);

impl Ledger {
    const EMPTY: Ledger = Ledger(0);

    /// The entry of one liberty.
    #[inline(always)]
    fn of(point: Point) -> Ledger {
        let n = u64::from(point.0);
        Ledger((n * n) << 33 | n << 12 | 1)
    }

    #[inline(always)]
    fn add(&mut self, other: Ledger) {
        self.0 = self.0.wrapping_add(other.0);
    }

    #[inline(always)]
    fn subtract(&mut self, other: Ledger) {
        self.0 = self.0.wrapping_sub(other.0);
    }

    #[inline(always)]
    fn number(self) -> u64 {
        self.0 & 0xfff
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        self.0 >> 12 & 0x1f_ffff
    }

    /// Whether all pseudo-liberties are the same point.
    #[inline(always)]
    fn is_one_point(self) -> bool {
        self.number() * (self.0 >> 33) == self.sum() * self.sum()
    }
}

/// What is known of a chain, kept at its head stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Chain {
    ledger: Ledger,
    stones: u16,
}

/// A few points, without allocation; more than fit are dropped.
#[derive(Clone, Copy, Debug)]
pub struct UpTo<const MOST: usize> {
    points: [Point; MOST],
    count: usize,
}

/// The liberties of a chain, as far as they were asked for.
pub type Liberties = UpTo<8>;

impl<const MOST: usize> UpTo<MOST> {
    /// More than this are dropped.
    pub const MOST: usize = MOST;
    /// None yet.
    pub const EMPTY: UpTo<MOST> = UpTo { points: [Point::NONE; MOST], count: 0 };

    /// Adds a point once.
    pub fn add(&mut self, point: Point) {
        if self.count < MOST && !self.contains(point) {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    /// Whether the point is among them.
    pub fn contains(&self, point: Point) -> bool {
        self.points().contains(&point)
    }

    /// The points.
    pub fn points(&self) -> &[Point] {
        &self.points[..self.count]
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }
}

/// Stones, chains and empty points, quick to play on and quick to copy.
#[derive(Debug)]
pub struct Board {
    size: u8,
    turn: Side,
    passes: u8,
    ko: Point,
    last: [Point; 2],
    stones: [u16; 2],
    /// Stones taken by each side.
    prisoners: [u16; 2],
    cells: Grid<Colour>,
    /// The colours of the neighbours, two bits each: north, east, south, west, then the diagonals from north-east on.
    shapes: Grid<u16>,
    heads: Grid<Point>,
    /// The next stone of the chain, in a ring.
    links: Grid<Point>,
    chains: Grid<Chain>,
    empty: Grid<Point>,
    empty_at: Grid<u16>,
    empty_count: u16,
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Board { ..*self }
    }

    /// Copies what the board uses of its arrays.
    #[inline(always)]
    fn clone_from(&mut self, other: &Self) {
        let size = usize::from(other.size);
        self.cells.copy_rows(&other.cells, size);
        self.shapes.copy_rows(&other.shapes, size);
        self.heads.copy_rows(&other.heads, size);
        self.links.copy_rows(&other.links, size);
        self.chains.copy_rows(&other.chains, size);
        self.empty.copy_rows(&other.empty, size);
        self.empty_at.copy_rows(&other.empty_at, size);
        self.empty_count = other.empty_count;
        (self.size, self.turn, self.passes, self.ko) = (other.size, other.turn, other.passes, other.ko);
        (self.last, self.stones, self.prisoners) = (other.last, other.stones, other.prisoners);
    }
}

impl Board {
    /// The board of a position; `last` are the points played last and before that, [`Point::NONE`] for a pass.
    pub fn new(position: &Position, last: [Point; 2]) -> Board {
        let rules = position.rules();
        let mut board = Board::empty(rules.size());
        for point in points(rules.size()) {
            if let Some(side) = position.at(point).side() {
                board.turn = side;
                board.play(point);
            }
        }
        board.turn = search::Game::turn(position);
        board.ko = position.ko().unwrap_or(Point::NONE);
        board.passes = position.passes().min(2) as u8;
        board.prisoners = [Side::White, Side::Black].map(|side| position.prisoners(side) as u16);
        board.last = last;
        board
    }

    fn empty(size: usize) -> Board {
        let mut board = Board {
            size: size as u8,
            turn: Side::Black,
            passes: 0,
            ko: Point::NONE,
            last: [Point::NONE; 2],
            stones: [0; 2],
            prisoners: [0; 2],
            cells: Grid::filled(Colour::Border),
            shapes: Grid::filled(0),
            heads: Grid::filled(Point::NONE),
            links: Grid::filled(Point::NONE),
            chains: Grid::filled(Chain { ledger: Ledger::EMPTY, stones: 0 }),
            empty: Grid::filled(Point::NONE),
            empty_at: Grid::filled(0),
            empty_count: 0,
        };
        for point in points(size) {
            board.cells[point] = Colour::Empty;
            board.add_empty(point);
        }
        for point in points(size) {
            let around = point.neighbours().into_iter().chain(point.diagonals());
            board.shapes[point] =
                around.enumerate().fold(0, |code, (i, p)| code | (board.cells[p] as u16) << (2 * i));
        }
        board
    }

    /// Rows and columns.
    #[inline(always)]
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// What the cell holds.
    #[inline(always)]
    pub fn at(&self, point: Point) -> Colour {
        self.cells[point]
    }

    /// The side to move.
    #[inline(always)]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// Hands the turn to a side.
    pub fn set_turn(&mut self, side: Side) {
        self.turn = side;
    }

    /// Passes since the last stone.
    #[inline(always)]
    pub fn passes(&self) -> u32 {
        u32::from(self.passes)
    }

    /// The point played last, [`Point::NONE`] for a pass.
    #[inline(always)]
    pub fn last(&self) -> Point {
        self.last[0]
    }

    /// The point played before the last.
    #[inline(always)]
    pub fn before_last(&self) -> Point {
        self.last[1]
    }

    /// The point that may not be retaken at once, [`Point::NONE`] if there is none.
    pub fn ko(&self) -> Point {
        self.ko
    }

    /// The stones of a side on the board.
    #[inline(always)]
    pub fn stones(&self, side: Side) -> u32 {
        u32::from(self.stones[side.index()])
    }

    /// The stones a side has taken.
    pub fn prisoners(&self, side: Side) -> u32 {
        u32::from(self.prisoners[side.index()])
    }

    /// The stones a side has put on the board, those taken since included.
    pub fn placed(&self, side: Side) -> u32 {
        self.stones(side) + self.prisoners(!side)
    }

    /// The number of empty points.
    #[inline(always)]
    pub fn empty_count(&self) -> u32 {
        u32::from(self.empty_count)
    }

    /// The empty points in no particular order.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.empty_count).map(|i| self.empty[Point(i)])
    }

    /// The colours of the eight neighbours: see the field.
    #[inline(always)]
    pub fn shape(&self, point: Point) -> u16 {
        self.shapes[point]
    }

    /// The stone that stands for the whole chain.
    #[inline(always)]
    pub fn head(&self, stone: Point) -> Point {
        self.heads[stone]
    }

    /// The number of stones of the chain.
    #[inline(always)]
    pub fn chain_size(&self, stone: Point) -> u32 {
        u32::from(self.chains[self.heads[stone]].stones)
    }

    /// Whether the chain has a single liberty.
    #[inline(always)]
    pub fn in_atari(&self, stone: Point) -> bool {
        self.chains[self.heads[stone]].ledger.is_one_point()
    }

    /// The liberty of a chain in atari.
    #[inline(always)]
    pub fn last_liberty(&self, stone: Point) -> Point {
        let ledger = self.chains[self.heads[stone]].ledger;
        Point((ledger.sum() / ledger.number()) as u16)
    }

    /// The stones of a chain, this one first.
    pub fn chain_stones(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let mut next = Some(stone);
        std::iter::from_fn(move || {
            let here = next?;
            let following = self.links[here];
            next = (following != stone).then_some(following);
            Some(here)
        })
    }

    /// Up to `most` liberties of the chain.
    pub fn liberties(&self, stone: Point, most: usize) -> Liberties {
        let mut found = Liberties::EMPTY;
        for member in self.chain_stones(stone) {
            for next in member.neighbours() {
                if self.cells[next] == Colour::Empty {
                    found.add(next);
                    if found.count == most.min(Liberties::MOST) {
                        return found;
                    }
                }
            }
        }
        found
    }

    /// Whether some neighbour is empty.
    #[inline(always)]
    pub fn touches_empty(&self, point: Point) -> bool {
        let code = self.shapes[point];
        (code | code >> 1) & 0x55 != 0x55
    }

    /// The number of empty neighbours.
    #[inline(always)]
    pub fn empty_neighbours(&self, point: Point) -> u32 {
        let code = self.shapes[point];
        4 - ((code | code >> 1) & 0x55).count_ones()
    }

    /// Whether a side's stones and the edge fill all four neighbours.
    #[inline(always)]
    pub fn is_enclosed(&self, point: Point, side: Side) -> bool {
        let mask = if side == Side::Black { 0x55 } else { 0xaa };
        self.shapes[point] & mask == mask
    }

    /// Whether the point is a single eye of the side that its diagonals do not spoil.
    #[inline(always)]
    pub fn is_eye(&self, point: Point, side: Side) -> bool {
        if !self.is_enclosed(point, side) {
            return false;
        }
        let corners = self.shapes[point] >> 8;
        let (low, high) = (corners & 0x55, corners >> 1 & 0x55);
        let enemy = if side == Side::Black { high & !low } else { low & !high };
        let edge = u32::from(low & high != 0);
        enemy.count_ones() + edge < 2
    }

    /// Whether the side to move may put a stone here; suicide is never allowed on this board.
    #[inline(always)]
    pub fn is_legal(&self, point: Point) -> bool {
        self.is_legal_for(self.turn, point)
    }

    /// Whether a side might, were it to move.
    #[inline(always)]
    pub fn is_legal_for(&self, side: Side, point: Point) -> bool {
        if self.cells[point] != Colour::Empty || point == self.ko {
            return false;
        }
        self.touches_empty(point) || self.breathes(side, point)
    }

    /// Whether a stone here, with no empty neighbour, takes something or joins a chain that keeps a liberty.
    #[inline(always)]
    fn breathes(&self, side: Side, point: Point) -> bool {
        let own = Colour::of(side);
        point.neighbours().into_iter().any(|next| {
            let colour = self.cells[next];
            colour != Colour::Border && self.in_atari(next) != (colour == own)
        })
    }

    /// Whether a stone of the side to move on a legal point would have a single liberty with what it joins. Of the
    /// points that it frees one counts, two or more are enough; one alone is enough for a stone that joins nothing.
    #[inline(always)]
    pub fn stands_in_atari(&self, point: Point) -> bool {
        let own = Colour::of(self.turn);
        let mut ledger = Ledger::EMPTY;
        let mut seen = [Point::NONE; 4];
        let (mut taken, mut joins) = (0, false);
        for (i, next) in point.neighbours().into_iter().enumerate() {
            let colour = self.cells[next];
            if colour == Colour::Empty {
                ledger.add(Ledger::of(next));
                continue;
            }
            let head = self.heads[next];
            let is_new = !seen.contains(&head);
            seen[i] = head;
            let chain = self.chains[head];
            if colour == own {
                joins = true;
                // The chain counts the point once for each of its stones beside it.
                ledger.subtract(Ledger::of(point));
                ledger.add(if is_new { chain.ledger } else { Ledger::EMPTY });
            } else if colour != Colour::Border && is_new && chain.ledger.is_one_point() {
                taken += chain.stones;
            }
        }
        match taken {
            0 => ledger.is_one_point(),
            1 => joins && ledger == Ledger::EMPTY,
            _ => false,
        }
    }

    /// Makes a legal move of the side to move, [`Point::NONE`] for a pass.
    #[inline(always)]
    pub fn play(&mut self, point: Point) {
        self.ko = Point::NONE;
        self.last = [point, self.last[0]];
        if point == Point::NONE {
            self.passes += 1;
        } else {
            self.passes = 0;
            self.put(point);
        }
        self.turn = !self.turn;
    }

    #[inline(always)]
    fn put(&mut self, point: Point) {
        let (own, enemy) = (Colour::of(self.turn), Colour::of(!self.turn));
        self.remove_empty(point);
        self.recolour(point, own);
        self.stones[self.turn.index()] += 1;
        let entry = Ledger::of(point);
        let mut ledger = Ledger::EMPTY;
        for next in point.neighbours() {
            // No branches: what is no stone has a head that nobody reads.
            let free = if self.cells[next] == Colour::Empty { Ledger::of(next) } else { Ledger::EMPTY };
            ledger.add(free);
            self.chains[self.heads[next]].ledger.subtract(entry);
        }
        self.heads[point] = point;
        self.links[point] = point;
        self.chains[point] = Chain { ledger, stones: 1 };
        let mut taken = 0;
        for next in point.neighbours() {
            if self.cells[next] == own {
                self.merge(point, next);
            } else if self.cells[next] == enemy && self.chains[self.heads[next]].ledger == Ledger::EMPTY {
                taken += self.lift(next);
            }
        }
        if taken > 0 {
            self.prisoners[self.turn.index()] += taken;
            self.stones[(!self.turn).index()] -= taken;
            let chain = &self.chains[self.heads[point]];
            if taken == 1 && chain.stones == 1 && chain.ledger.number() == 1 {
                self.ko = Point(chain.ledger.sum() as u16);
            }
        }
    }

    /// Sets a cell's colour from or to empty, in its own entry and in those of its neighbours.
    #[inline(always)]
    fn recolour(&mut self, point: Point, colour: Colour) {
        let code = (self.cells[point] as u16) ^ (colour as u16);
        self.cells[point] = colour;
        // Seen from its northern neighbour, the point lies in the south.
        for i in 0..4 {
            self.shapes[point.step(NEIGHBOURS[i])] ^= code << (2 * (i ^ 2));
            self.shapes[point.step(DIAGONALS[i])] ^= code << (8 + 2 * (i ^ 2));
        }
    }

    /// Joins two chains of one colour if they are not one already; the larger keeps its head.
    #[inline(always)]
    fn merge(&mut self, a: Point, b: Point) {
        let (mut keep, mut join) = (self.heads[a], self.heads[b]);
        if keep == join {
            return;
        }
        if self.chains[keep].stones < self.chains[join].stones {
            (keep, join) = (join, keep);
        }
        let other = self.chains[join];
        self.chains[keep].stones += other.stones;
        self.chains[keep].ledger.add(other.ledger);
        let mut stone = join;
        loop {
            self.heads[stone] = keep;
            stone = self.links[stone];
            if stone == join {
                break;
            }
        }
        // Rings that exchange their successors become one ring.
        let (next, other) = (self.links[keep], self.links[join]);
        self.links[keep] = other;
        self.links[join] = next;
    }

    /// Takes a chain off the board and returns the number of its stones.
    fn lift(&mut self, first: Point) -> u16 {
        let mut stone = first;
        let mut count = 0;
        loop {
            self.recolour(stone, Colour::Empty);
            self.add_empty(stone);
            self.heads[stone] = Point::NONE;
            count += 1;
            let entry = Ledger::of(stone);
            for next in stone.neighbours() {
                // The chain itself gains too: its count dies with it.
                self.chains[self.heads[next]].ledger.add(entry);
            }
            stone = self.links[stone];
            if stone == first {
                return count;
            }
        }
    }

    #[inline(always)]
    fn add_empty(&mut self, point: Point) {
        self.empty[Point(self.empty_count)] = point;
        self.empty_at[point] = self.empty_count;
        self.empty_count += 1;
    }

    #[inline(always)]
    fn remove_empty(&mut self, point: Point) {
        self.empty_count -= 1;
        let last = self.empty[Point(self.empty_count)];
        let place = self.empty_at[point];
        self.empty[Point(place)] = last;
        self.empty_at[last] = place;
    }

    /// A random legal point that `good` accepts and that fills no eye of the mover; every one is as likely.
    ///
    /// [`Point::NONE`] if there is none. The order of the list of empty points changes.
    #[inline(always)]
    pub fn random_point(&mut self, random: &mut Random, good: impl Fn(&Board, Point) -> bool) -> Point {
        let mut left = self.empty_count;
        while left > 0 {
            let i = random.below(u32::from(left)) as u16;
            let point = self.empty[Point(i)];
            if !self.is_eye(point, self.turn) && self.is_legal(point) && good(self, point) {
                return point;
            }
            // A refused point goes to the back, where it is not drawn again.
            left -= 1;
            let last = self.empty[Point(left)];
            self.empty[Point(left)] = point;
            self.empty[Point(i)] = last;
            self.empty_at[point] = left;
            self.empty_at[last] = i;
        }
        Point::NONE
    }

    /// Black's points minus White's on a board played to the end, without komi: stones and single eyes.
    #[inline(always)]
    pub fn area(&self) -> i32 {
        let eyes: i32 = self.empty_points().map(|point| self.owner(point)).sum();
        self.stones(Side::Black) as i32 - self.stones(Side::White) as i32 + eyes
    }

    /// The same on any board, every stone alive: regions of empty points count for the side that alone touches them.
    pub fn flooded_area(&self) -> i32 {
        let mut total = self.stones(Side::Black) as i32 - self.stones(Side::White) as i32;
        let mut seen = Grid::filled(false);
        let mut pending = Vec::new();
        for start in self.empty_points() {
            let (mut touched, mut count) = (0, 0);
            pending.push(start);
            while let Some(point) = pending.pop() {
                if std::mem::replace(&mut seen[point], true) {
                    continue;
                }
                count += 1;
                for next in point.neighbours() {
                    match self.cells[next] {
                        Colour::Empty => pending.push(next),
                        Colour::Border => {}
                        colour => touched |= colour as u8,
                    }
                }
            }
            total += [0, count, -count, 0][usize::from(touched)];
        }
        total
    }

    /// 1 if the point is Black's, -1 if it is White's: a stone, or an empty point that only one side touches.
    #[inline(always)]
    pub fn owner(&self, point: Point) -> i32 {
        match self.cells[point] {
            Colour::Black => 1,
            Colour::White => -1,
            _ => {
                let around = self.shapes[point];
                let (low, high) = (around & 0x55, around >> 1 & 0x55);
                i32::from(low & !high != 0 && high & !low == 0)
                    - i32::from(high & !low != 0 && low & !high == 0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Move, Rules};
    use search::Game;

    /// Random games on both boards at once, every point compared with the rules' own board.
    #[test]
    fn it_agrees_with_the_rules_along_random_games() {
        for size in [2, 3, 5, 9, 19, 25] {
            let mut random = Random::new(size as u64);
            for _ in 0..3 {
                let mut position = Position::empty(Rules::default().with_size(size).unwrap());
                let mut board = Board::new(&position, [Point::NONE; 2]);
                for ply in 0..3 * size * size {
                    if ply % 7 == 0 {
                        compare(&position, &board);
                    }
                    let point = board.random_point(&mut random, |_, _| true);
                    board.play(point);
                    position.play(if point == Point::NONE { Move::Pass } else { Move::At(point) });
                    if board.passes() >= 2 {
                        break;
                    }
                }
            }
        }
    }

    fn compare(position: &Position, board: &Board) {
        let mut copy = Board::empty(2);
        copy.clone_from(board);
        for point in points(board.size()) {
            assert_eq!(copy.at(point), position.at(point));
            assert_eq!(copy.is_legal(point), position.is_legal(point), "{point}\n{}", position.picture());
            if position.at(point).side().is_some() {
                let chain = position.chain(point);
                assert_eq!(copy.chain_size(point) as usize, chain.stones.len());
                assert_eq!(copy.in_atari(point), chain.liberties.len() == 1);
                let found = copy.liberties(point, 3);
                assert_eq!(found.count(), chain.liberties.len().min(3));
                assert!(found.points().iter().all(|&p| chain.liberties.contains(p)));
            }
        }
        assert_eq!(copy.prisoners(Side::White), position.prisoners(Side::White));
    }

    #[test]
    fn eyes_are_told_from_false_eyes() {
        let at = |rows: &str, column, row| {
            let board = Board::new(&crate::text::drawn(rows, "chinese"), [Point::NONE; 2]);
            board.is_eye(Point::new(column, row), Side::Black)
        };
        assert!(at(". X . . . / X X . . . / . . . . . / . . . . . / . . . . .", 0, 4));
        assert!(!at(". X . . . / X O . . . / . . . . . / . . . . . / . . . . .", 0, 4));
        assert!(at(". X O . . / X . X . . / . X . . . / . . . . . / . . . . .", 1, 3));
        assert!(!at(". . . . . / . O X O . / . X . X . / . . X . . / . . . . .", 2, 2));
    }
}
