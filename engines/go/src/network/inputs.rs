//! What a network sees of a position: for each point which of some things hold there, and some numbers about all of it.
//! Everything is as the side to move sees it.

use search::Side;

use super::Field;
use crate::playout::is_self_atari;
use crate::point::points;
use crate::tactics::Reader;
use crate::{Board, Colour, Ko, Point, Rules, Scoring};

/// Things that may hold at a point.
pub const PLANES: usize = 20;
/// Numbers about the whole board.
pub const GLOBALS: usize = 8;
/// How many of the last moves are seen.
pub const RECENT: usize = 5;

/// Points of komi that count as 1, and the most that are seen.
const KOMI: f64 = 20.0;
const MOST_KOMI: f64 = 8.0;

/// The planes; those of the liberties, 1, 2, 3 and more, and of the last moves, the latest first, follow one another.
const MASK: usize = 0;
const OWN: usize = 1;
const ENEMY: usize = 2;
const OWN_LIBERTIES: usize = 3;
const ENEMY_LIBERTIES: usize = 6;
const LAST: usize = 9;
/// A stone here would repeat an earlier board.
const BANNED: usize = 14;
/// A stone here would have no liberty.
const BREATHLESS: usize = 15;
/// A stone here would have a single liberty.
const SELF_ATARI: usize = 16;
/// An own chain that is lost in a ladder; one that will be, unless something is done; an enemy chain that can be taken
/// in one.
const LOST: usize = 17;
const THREATENED: usize = 18;
const HUNTED: usize = 19;

/// What is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    size: u8,
    /// For each point, row by row from the lower left, the planes that hold there.
    points: Vec<u32>,
    globals: [f32; GLOBALS],
}

/// What a board does not say by itself.
pub struct Circumstances {
    /// The rules.
    pub rules: Rules,
    /// What White has besides the points on the board.
    pub compensation: f64,
    /// The last moves, the latest first.
    pub recent: [Option<Point>; RECENT],
}

impl View {
    /// Looks at a board; `banned` are the points where a stone would repeat an earlier one.
    pub fn new(
        board: &Board,
        reader: &mut Reader,
        circumstances: &Circumstances,
        banned: impl Fn(Point) -> bool,
    ) -> View {
        let Circumstances { rules, compensation, recent } = circumstances;
        let own = Colour::of(board.turn());
        let ladders = Ladders::new(board, reader);
        let seen = |point: Point| {
            let mut planes = 1 << MASK;
            match board.at(point) {
                Colour::Empty if point == board.ko() || board.is_legal(point) && banned(point) => {
                    planes |= 1 << BANNED;
                }
                Colour::Empty if !board.is_legal(point) => planes |= 1 << BREATHLESS,
                Colour::Empty if is_self_atari(board, point) => planes |= 1 << SELF_ATARI,
                Colour::Empty => {}
                colour => {
                    let (stone, liberties) =
                        if colour == own { (OWN, OWN_LIBERTIES) } else { (ENEMY, ENEMY_LIBERTIES) };
                    let count = board.liberties(point, 3).count().max(1);
                    planes |= 1 << stone | 1 << (liberties + count - 1);
                    planes |= ladders.of(board.head(point)).map_or(0, |plane| 1 << plane);
                }
            }
            planes
        };
        let mut view = View {
            size: board.size() as u8,
            points: points(board.size()).map(seen).collect(),
            globals: [0.0; 8],
        };
        for (back, point) in recent.iter().enumerate() {
            if let Some(point) = point.filter(|&point| point != Point::NONE) {
                view.points[point.row() * board.size() + point.column()] |= 1 << (LAST + back);
            }
        }
        let komi = if board.turn() == Side::White { *compensation } else { -compensation };
        let is = |holds: bool| f32::from(u8::from(holds));
        view.globals = [
            (komi / KOMI).clamp(-MOST_KOMI, MOST_KOMI) as f32,
            Field::new(board.size()).tenths() as f32 / 10.0,
            is(board.passes() > 0),
            is(rules.scoring == Scoring::Territory),
            is(rules.ko == Ko::Simple),
            is(rules.ko == Ko::Situational),
            is(rules.suicide),
            is(rules.all_alive),
        ];
        view
    }

    /// Rows and columns.
    pub fn size(&self) -> usize {
        self.size.into()
    }

    /// The numbers about all of the board.
    pub fn globals(&self) -> [f32; GLOBALS] {
        self.globals
    }

    /// For each point the planes that hold there, a bit each.
    pub fn points(&self) -> &[u32] {
        &self.points
    }

    /// Whether a stone may be put on a place, as far as can be seen.
    pub fn is_free(&self, place: usize) -> bool {
        self.points[place] & (1 << OWN | 1 << ENEMY | 1 << BANNED | 1 << BREATHLESS) == 0
    }

    /// The same board turned or mirrored; see [`turned`].
    pub fn turned(&self, symmetry: usize) -> View {
        let size = self.size();
        let points = (0..size * size).map(|place| self.points[turned(place, size, symmetry)]).collect();
        View { points, ..self.clone() }
    }

    /// Writes what holds at the points of a field, a number for each plane; the border is 0.
    pub fn fill<T: Copy + Default>(&self, field: &Field, to: &mut [T], one: T) {
        to.fill(T::default());
        for (cell, &planes) in field.points().zip(&self.points) {
            let at = &mut to[cell * PLANES..][..PLANES];
            at.iter_mut().enumerate().for_each(|(plane, to)| {
                if planes >> plane & 1 != 0 {
                    *to = one;
                }
            });
        }
    }
}

/// Which place of a board lies at this one after one of its eight symmetries; 0 changes nothing.
pub fn turned(place: usize, size: usize, symmetry: usize) -> usize {
    let (mut row, mut column) = (place / size, place % size);
    if symmetry & 1 != 0 {
        row = size - 1 - row;
    }
    if symmetry & 2 != 0 {
        column = size - 1 - column;
    }
    if symmetry & 4 != 0 {
        std::mem::swap(&mut row, &mut column);
    }
    row * size + column
}

/// What ladders say of chains.
struct Ladders(Vec<(Point, usize)>);

impl Ladders {
    fn new(board: &Board, reader: &mut Reader) -> Ladders {
        let own = Colour::of(board.turn());
        let mut found = Vec::new();
        for head in points(board.size()).filter(|&point| board.at(point).side().is_some()) {
            if board.head(head) != head {
                continue;
            }
            let is_own = board.at(head) == own;
            let plane = if board.in_atari(head) {
                (is_own && !reader.escapes(board, head)).then_some(LOST)
            } else {
                let plane = if is_own { THREATENED } else { HUNTED };
                (reader.attack(board, head) != Point::NONE).then_some(plane)
            };
            found.extend(plane.map(|plane| (head, plane)));
        }
        Ladders(found)
    }

    fn of(&self, head: Point) -> Option<usize> {
        self.0.iter().find(|(known, _)| *known == head).map(|&(_, plane)| plane)
    }
}
