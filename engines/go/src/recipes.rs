//! Other ways to choose a playout's move, as the literature describes them: simple heuristics in a fixed order, a
//! roulette of heuristics, urgencies, and answers in sequence.

use search::{Random, Side};

use crate::board::Board;
use crate::features::line;
use crate::patterns::is_shape;
use crate::point::{CELLS, points};
use crate::tactics::{self, Few};
use crate::{Colour, Point, PointSet};

/// Tells the points that a heuristic finds for chains, which are given by their heads.
type Find = fn(&Board, &[Point], &mut dyn FnMut(Point));

/// The five heuristics of Śliwa's program, tried in this order; each can be switched off but the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heuristics {
    /// Put an enemy chain in atari.
    pub attack: bool,
    /// Save an own chain in atari.
    pub defence: bool,
    /// Take a liberty of the enemy chain that has fewest.
    pub squeeze: bool,
    /// Take an enemy chain in atari.
    pub capture: bool,
    /// Whether chains are looked for on the whole board, and not only beside the last two moves.
    pub everywhere: bool,
}

impl Heuristics {
    /// All of them, as playouts use them.
    pub const ALL: Heuristics =
        Heuristics { attack: true, defence: true, squeeze: true, capture: true, everywhere: false };

    /// The point to play; [`Point::NONE`] to pass.
    pub fn choose(&self, board: &mut Board, random: &mut Random) -> Point {
        let point = if self.everywhere { self.anywhere(board, random) } else { self.nearby(board, random) };
        if point == Point::NONE { board.random_point(random, |_, _| true) } else { point }
    }

    /// What the heuristics find beside the last two moves; playouts come here, so nothing is allocated.
    fn nearby(&self, board: &Board, random: &mut Random) -> Point {
        let mut heads = Few::EMPTY;
        for centre in [board.last(), board.before_last()].into_iter().filter(|&p| p != Point::NONE) {
            for point in std::iter::once(centre).chain(centre.neighbours()) {
                if board.at(point).side().is_some() {
                    heads.add(board.head(point));
                }
            }
        }
        for find in self.finders() {
            let mut found = Few::EMPTY;
            find(board, heads.points(), &mut |point| found.add(point));
            let point = any_legal(found.points(), board, random);
            if point != Point::NONE {
                return point;
            }
        }
        Point::NONE
    }

    /// What they find on the whole board, however many chains it has.
    fn anywhere(&self, board: &Board, random: &mut Random) -> Point {
        let is_head = |point: Point| board.at(point).side().is_some() && board.head(point) == point;
        let heads: Vec<Point> = points(board.size()).filter(|&point| is_head(point)).collect();
        for find in self.finders() {
            let mut found = PointSet::default();
            find(board, &heads, &mut |point| {
                found.insert(point);
            });
            let point = any_legal(&found.iter().collect::<Vec<_>>(), board, random);
            if point != Point::NONE {
                return point;
            }
        }
        Point::NONE
    }

    /// Those that are switched on, in their order.
    fn finders(&self) -> impl Iterator<Item = Find> {
        let all: [(bool, Find); 4] = [
            (self.attack, attacks),
            (self.defence, defences),
            (self.squeeze, squeezes),
            (self.capture, captures),
        ];
        all.into_iter().filter(|(on, _)| *on).map(|(_, find)| find)
    }
}

fn enemies<'a>(board: &'a Board, chains: &'a [Point]) -> impl Iterator<Item = Point> + 'a {
    let enemy = Colour::of(!board.turn());
    chains.iter().copied().filter(move |&stone| board.at(stone) == enemy)
}

fn attacks(board: &Board, chains: &[Point], tell: &mut dyn FnMut(Point)) {
    for stone in enemies(board, chains) {
        let liberties = board.liberties(stone, 3);
        if liberties.count() == 2 {
            liberties.points().iter().for_each(|&point| tell(point));
        }
    }
}

fn defences(board: &Board, chains: &[Point], tell: &mut dyn FnMut(Point)) {
    let own = Colour::of(board.turn());
    for &stone in chains.iter().filter(|&&stone| board.at(stone) == own && board.in_atari(stone)) {
        let mut captures = Few::EMPTY;
        tactics::counter_captures(board, stone, &mut captures);
        captures.points().iter().for_each(|&point| tell(point));
        let liberty = board.last_liberty(stone);
        if board.is_legal(liberty) && tactics::prospect(board, liberty).liberties > 1 {
            tell(liberty);
        }
    }
}

fn squeezes(board: &Board, chains: &[Point], tell: &mut dyn FnMut(Point)) {
    let count = |stone: Point| board.liberties(stone, crate::board::Liberties::MOST).count();
    if let Some(weakest) = enemies(board, chains).min_by_key(|&stone| count(stone)) {
        let liberties = board.liberties(weakest, crate::board::Liberties::MOST);
        liberties.points().iter().for_each(|&point| tell(point));
    }
}

fn captures(board: &Board, chains: &[Point], tell: &mut dyn FnMut(Point)) {
    for stone in enemies(board, chains).filter(|&stone| board.in_atari(stone)) {
        tell(board.last_liberty(stone));
    }
}

/// A legal point of these at random that fills no eye and does not stand in atari for nothing.
fn any_legal(points: &[Point], board: &Board, random: &mut Random) -> Point {
    let start = if points.is_empty() { 0 } else { random.below(points.len() as u32) as usize };
    let sane = |point: Point| {
        board.is_legal(point)
            && !board.is_eye(point, board.turn())
            && !crate::playout::is_self_atari(board, point)
    };
    let turned = points[start..].iter().chain(&points[..start]).copied();
    turned.into_iter().find(|&point| sane(point)).unwrap_or(Point::NONE)
}

/// The weights of Drake and Uurtamo's roulette (2007), in twentieths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roulette {
    /// A random move.
    pub random: u32,
    /// A move within three steps of the last.
    pub proximity: u32,
    /// A move off the two outer lines.
    pub inside: u32,
    /// The move that the tree chose most often.
    pub best_move: u32,
    /// The reply that the tree chose most often.
    pub best_reply: u32,
    /// Stones on the board up to which all are put on the fourth and fifth lines.
    pub opening: u32,
}

impl Roulette {
    /// The published example.
    pub const PUBLISHED: Roulette =
        Roulette { random: 10, proximity: 4, inside: 3, best_move: 2, best_reply: 1, opening: 0 };
    /// The same with the opening that was published beside it.
    pub const WITH_OPENING: Roulette = Roulette { opening: 8, ..Roulette::PUBLISHED };

    /// The point to play; where the heuristic drawn has none, a random one.
    pub fn choose(&self, board: &mut Board, random: &mut Random, memory: &Memory) -> Point {
        let parts = [self.random, self.proximity, self.inside, self.best_move, self.best_reply];
        let mut ball = random.below(parts.iter().sum::<u32>().max(1));
        let mut drawn = 0;
        while parts.get(drawn).is_some_and(|&part| ball >= part) {
            ball -= parts[drawn];
            drawn += 1;
        }
        let last = board.last();
        let stones = board.stones(Side::Black) + board.stones(Side::White);
        let point = match drawn {
            _ if stones < self.opening => {
                board.random_point(random, |board, p| matches!(line(board, p), 3 | 4))
            }
            1 if last != Point::NONE => board.random_point(random, |_, p| p.distance(last) <= 3),
            2 => board.random_point(random, |board, p| line(board, p) >= 2),
            3 => memory.best_move(board),
            4 => memory.best_reply(board),
            _ => Point::NONE,
        };
        if point == Point::NONE { board.random_point(random, |_, _| true) } else { point }
    }
}

/// What the tree has chosen so far: moves anywhere, and replies to moves.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    moves: Vec<u32>,
    replies: Vec<u32>,
}

impl Memory {
    /// An empty memory of its full size.
    pub fn new() -> Memory {
        Memory { moves: vec![0; 2 * CELLS], replies: vec![0; 2 * CELLS * CELLS] }
    }

    /// Counts the moves of a descent, `side` first.
    pub fn notice(&mut self, path: &[u16], mut side: Side, mut last: Point) {
        for &slot in path {
            let (side_at, slot) = (side.index() * CELLS, usize::from(slot));
            self.moves[side_at + slot] += 1;
            self.replies[(side_at + last.index()) * CELLS + slot] += 1;
            (side, last) = (!side, Point(slot as u16));
        }
    }

    fn best_move(&self, board: &Board) -> Point {
        let start = board.turn().index() * CELLS;
        best(board, |point| self.moves.get(start + point.index()).copied().unwrap_or(0))
    }

    fn best_reply(&self, board: &Board) -> Point {
        let start = (board.turn().index() * CELLS + board.last().index()) * CELLS;
        best(board, |point| self.replies.get(start + point.index()).copied().unwrap_or(0))
    }
}

/// The legal point with the highest count above 0.
fn best(board: &Board, count: impl Fn(Point) -> u32) -> Point {
    let mut found = (0, Point::NONE);
    for point in board.empty_points() {
        let number = count(point);
        if number > found.0 && board.is_legal(point) && !board.is_eye(point, board.turn()) {
            found = (number, point);
        }
    }
    found.1
}

/// Every move with a chance in proportion to its urgency: captures, escapes, shapes (Bouzy 2005).
pub fn by_urgency(board: &mut Board, random: &mut Random) -> Point {
    let mut total = 0;
    let mut weighed = [(Point::NONE, 0u32); crate::point::MAX_SIZE * crate::point::MAX_SIZE];
    let mut count = 0;
    for point in board.empty_points() {
        if board.is_legal(point) && !board.is_eye(point, board.turn()) {
            total += urgency(board, point);
            weighed[count] = (point, total);
            count += 1;
        }
    }
    if total == 0 {
        return Point::NONE;
    }
    let ball = random.below(total);
    let place = weighed[..count].partition_point(|&(_, sum)| sum <= ball);
    weighed[place].0
}

fn urgency(board: &Board, point: Point) -> u32 {
    let in_atari = |side: Side| -> u32 {
        let chains = tactics::chains_beside(board, point, Colour::of(side));
        chains.filter(|&stone| board.in_atari(stone)).map(|stone| board.chain_size(stone)).sum()
    };
    let mut saved = in_atari(board.turn());
    if saved > 0 && crate::playout::is_self_atari(board, point) {
        saved = 0;
    }
    1 + 15 * u32::from(is_shape(board.shape(point))) + 50 * saved + 100 * in_atari(!board.turn())
}

/// Draws of a wide empty place before any move will do.
const TRIES: u32 = 10;

/// A shape beside the last move, else a place with nothing around it, else anything (Gelly 2006; Chaslot 2009).
pub fn in_sequence(board: &mut Board, random: &mut Random) -> Point {
    if board.last() != Point::NONE {
        let mut found = Few::EMPTY;
        for next in board.last().neighbours() {
            if board.at(next) == Colour::Empty && is_shape(board.shape(next)) {
                found.add(next);
            }
        }
        let point = any_legal(found.points(), board, random);
        if point != Point::NONE {
            return point;
        }
    }
    for _ in 0..TRIES {
        let point = board.random_point(random, |_, _| true);
        // No stone among the eight neighbours: every pair of bits is empty or border.
        let code = board.shape(point);
        if point == Point::NONE || (code ^ code >> 1) & 0x5555 == 0 {
            return point;
        }
    }
    board.random_point(random, |_, _| true)
}

#[cfg(test)]
mod tests {
    use search::{Control, Engine, Limits, Search};

    use super::*;
    use crate::text::drawn;
    use crate::{Go, Kifu, Move, Position, Rules};

    fn board(rows: &str, last: Point) -> Board {
        Board::new(&drawn(rows, "chinese"), [last, Point::NONE])
    }

    #[test]
    fn the_five_heuristics_come_in_their_order() {
        let everywhere = Heuristics { everywhere: true, ..Heuristics::ALL };
        let mut random = Random::new(1);
        // White's chain of two has two liberties: attacking it comes before taking the stone in the corner.
        let mut both = board("O X . . . / . . . . . / . X O . . / . X O X . / . . X . .", Point::NONE);
        let point = everywhere.choose(&mut both, &mut random);
        assert!([Point::new(3, 2), Point::new(2, 3)].contains(&point), "{point}");
        let only_capture = Heuristics { attack: false, defence: false, squeeze: false, ..everywhere };
        assert_eq!(only_capture.choose(&mut both, &mut random), Point::new(0, 3));
    }

    /// All switched off, on the whole board.
    const NOTHING: Heuristics =
        Heuristics { attack: false, defence: false, squeeze: false, capture: false, everywhere: true };

    #[test]
    fn a_capture_is_found_behind_any_number_of_chains() {
        let mut position = Position::empty(Rules::default());
        for (column, row) in (0..60).map(|n| (n % 10 * 2, n / 10 * 2)) {
            position.set(Point::new(column, row), Colour::White);
        }
        position.set(Point::new(0, 18), Colour::White);
        position.set(Point::new(1, 18), Colour::Black);
        let mut board = Board::new(&position, [Point::NONE; 2]);
        let capture = Heuristics { capture: true, ..NOTHING };
        assert_eq!(capture.choose(&mut board, &mut Random::new(1)), Point::new(0, 17));
    }

    #[test]
    fn attacks_are_made_on_the_whole_board() {
        // Twenty-four white stones between two black ones, each with a liberty above and one below.
        let mut position = Position::empty(Rules::default());
        for (column, row) in (0..24).map(|n| (n % 4 * 4, n / 4 * 3 + 1)) {
            position.set(Point::new(column, row), Colour::Black);
            position.set(Point::new(column + 1, row), Colour::White);
            position.set(Point::new(column + 2, row), Colour::Black);
        }
        let mut board = Board::new(&position, [Point::NONE; 2]);
        let (attack, mut random) = (Heuristics { attack: true, ..NOTHING }, Random::new(1));
        let rows: Vec<usize> = (0..50).map(|_| attack.choose(&mut board, &mut random).row()).collect();
        assert!(rows.iter().any(|&row| row < 5) && rows.iter().any(|&row| row > 13), "{rows:?}");
    }

    #[test]
    fn where_the_game_forbids_what_heuristics_find_another_stone_is_played() {
        // White takes the ko at B4; passes let the board forget it, but not the game.
        let ko = ". X O . . / X . X O . / . X O . . / . . . . . / . . . . .";
        let mut record = Kifu::from_position(drawn(ko, "chinese").with_turn(Side::White));
        for (side, m) in
            [(Side::White, Move::At(Point::new(1, 3))), (Side::Black, Move::Pass), (Side::White, Move::Pass)]
        {
            record.play(side, m).unwrap();
        }
        let root = record.root_for(Side::Black);
        let mut go = Go::new();
        for (name, value) in [
            ("Strategy", "heuristics"),
            ("Attack Heuristic", "false"),
            ("Defence Heuristic", "false"),
            ("Squeeze Heuristic", "false"),
        ] {
            go.set(name, value).unwrap();
        }
        let found = go.think(&root, &Limits::nodes(1), &Control::default(), &mut |_| {}).best.unwrap();
        assert!(found != Move::Pass && root.legal().contains(&found), "{found}");
    }

    #[test]
    fn the_roulette_sums_to_one_and_stays_inside() {
        let wheel = Roulette::PUBLISHED;
        assert_eq!(wheel.random + wheel.proximity + wheel.inside + wheel.best_move + wheel.best_reply, 20);
        let inside = Roulette { random: 0, proximity: 0, inside: 1, best_move: 0, best_reply: 0, opening: 0 };
        let mut empty = board(". . . . . / . . . . . / . . . . . / . . . . . / . . . . .", Point::NONE);
        let mut random = Random::new(1);
        assert_eq!(inside.choose(&mut empty, &mut random, &Memory::default()), Point::new(2, 2));
    }

    #[test]
    fn the_opening_is_played_on_the_fourth_and_fifth_lines() {
        let start = Board::new(&Position::empty(Rules::default()), [Point::NONE; 2]);
        let mut random = Random::new(1);
        for _ in 0..50 {
            let point = Roulette::WITH_OPENING.choose(&mut start.clone(), &mut random, &Memory::default());
            assert!(matches!(line(&start, point), 3 | 4), "{point}");
        }
    }

    #[test]
    fn a_wheel_without_parts_is_random() {
        let nothing =
            Roulette { random: 0, proximity: 0, inside: 0, best_move: 0, best_reply: 0, opening: 0 };
        let mut empty = board(". . . / . . . / . . .", Point::NONE);
        assert_ne!(nothing.choose(&mut empty, &mut Random::new(1), &Memory::default()), Point::NONE);
    }

    #[test]
    fn replies_chosen_by_the_tree_are_remembered() {
        let (a, b) = (Point::new(1, 1), Point::new(3, 3));
        let mut memory = Memory::new();
        // In a long search the reply tried first is not the one chosen most for good.
        for (reply, times) in [(Point::new(2, 2), 66_000), (b, 70_000)] {
            (0..times).for_each(|_| memory.notice(&[a.0, reply.0], Side::White, Point::NONE));
        }
        let mut after = board(". . . . . / . . . . . / . . . . . / . O . . . / . . . . .", a);
        let reply = Roulette { random: 0, proximity: 0, inside: 0, best_move: 0, best_reply: 1, opening: 0 };
        assert_eq!(reply.choose(&mut after, &mut Random::new(1), &memory), b);
    }

    #[test]
    fn urgent_moves_are_drawn_most_often() {
        let mut random = Random::new(1);
        let mut atari = board("O X . . . / . . . . . / . . . . . / . . . . . / . . . . .", Point::NONE);
        let hits = (0..200).filter(|_| by_urgency(&mut atari, &mut random) == Point::new(0, 3)).count();
        assert!(hits > 100, "{hits}");
        // A chain that lies on two sides of the point is taken once.
        let bent = board(". O X . . / O O X . . / X X . . . / . . . . . / . . . . .", Point::NONE);
        assert_eq!(urgency(&bent, Point::new(0, 4)), 1 + 300);
    }
}
