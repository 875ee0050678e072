//! Larger shapes around a move: all cells within a distance, in rings that grow from three by three to nine across.
//!
//! A shape is seen from the side to move, and its eight turned and mirrored forms are one. The distance is that of
//! Stern, Herbrich and Graepel (2006): dx + dy + max(dx, dy).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::board::Board;
use crate::point::points;
use crate::{Colour, Point};

/// The number of rings; the first has the eight neighbours.
pub const RINGS: usize = 6;
/// Cells of the largest shape.
const CELLS: usize = 48;
/// The farthest cell in one direction.
const REACH: usize = 4;
/// The letters of a cell's contents: empty, mover, opponent, off the board.
const LETTERS: [char; 4] = ['.', 'X', 'O', '#'];
/// Cells from one row of a [`View`] to the next.
const ROW: usize = crate::point::MAX_SIZE + 2 * REACH;

/// The contents of the cells of some rings, two bits each, above them a bit that tells how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape(u128);

/// Cells in the order of their rings, as steps to the east and to the north, and where each ring ends.
struct Layout {
    steps: [(i32, i32); CELLS],
    ends: [usize; RINGS],
    /// For each of the eight symmetries the place a cell comes from.
    turned: [[u8; CELLS]; 8],
}

static LAYOUT: std::sync::LazyLock<Layout> = std::sync::LazyLock::new(Layout::new);

fn distance((x, y): (i32, i32)) -> i32 {
    x.abs() + y.abs() + x.abs().max(y.abs())
}

impl Layout {
    fn new() -> Layout {
        let reach = REACH as i32;
        let mut all: Vec<(i32, i32)> = (-reach..=reach)
            .flat_map(|y| (-reach..=reach).map(move |x| (x, y)))
            .filter(|&step| (2..=8).contains(&distance(step)))
            .collect();
        all.sort_by_key(|&step| (distance(step), step));
        let steps: [(i32, i32); CELLS] = all.try_into().expect("forty-eight cells");
        let ends =
            std::array::from_fn(|i| steps.iter().filter(|&&step| distance(step) <= i as i32 + 3).count());
        let place = |step| steps.iter().position(|&s| s == step).expect("symmetric") as u8;
        let turned = std::array::from_fn(|symmetry| steps.map(|(x, y)| place(turn((x, y), symmetry))));
        Layout { steps, ends, turned }
    }
}

/// A step turned and mirrored by one of the eight symmetries.
pub(crate) fn turn((x, y): (i32, i32), symmetry: usize) -> (i32, i32) {
    let (a, b) = if symmetry & 1 == 0 { (x, y) } else { (y, x) };
    (if symmetry & 2 == 0 { a } else { -a }, if symmetry & 4 == 0 { b } else { -b })
}

impl Shape {
    /// The number of rings, from 1.
    pub fn rings(self) -> usize {
        let cells = self.cells();
        1 + LAYOUT.ends.iter().position(|&end| end == cells).expect("a shape ends with a ring")
    }

    fn cells(self) -> usize {
        (127 - self.0.leading_zeros() as usize) / 2
    }

    fn cell(self, i: usize) -> u128 {
        self.0 >> (2 * i) & 3
    }

    /// The shape without its last ring; none of the smallest.
    pub fn smaller(self) -> Option<Shape> {
        let end = *LAYOUT.ends.get(self.rings().checked_sub(2)?)?;
        Some(Shape(self.0 & ((1 << (2 * end)) - 1) | 1 << (2 * end)))
    }

    /// The eight forms of the shape.
    pub fn forms(self) -> [Shape; 8] {
        let cells = self.cells();
        std::array::from_fn(|symmetry| {
            let turned = &LAYOUT.turned[symmetry];
            let code = (0..cells).fold(0, |code, i| code | self.cell(usize::from(turned[i])) << (2 * i));
            Shape(code | 1 << (2 * cells))
        })
    }

    /// The form that stands for all eight.
    pub fn standard(self) -> Shape {
        self.forms().into_iter().min().expect("eight forms")
    }

    /// The cells as letters, ring after ring.
    pub fn write(self) -> String {
        (0..self.cells()).map(|i| LETTERS[self.cell(i) as usize]).collect()
    }

    /// Reads such letters; none if they are no shape.
    pub fn read(text: &str) -> Option<Shape> {
        // One letter more than fits is enough to see that there are too many.
        let letters: Vec<char> = text.chars().take(CELLS + 1).collect();
        let mut code = 1 << (2 * letters.len());
        for (i, letter) in letters.iter().enumerate() {
            let value = LETTERS.iter().position(|known| known == letter)?;
            code |= (value as u128) << (2 * i);
        }
        LAYOUT.ends.contains(&letters.len()).then_some(Shape(code))
    }
}

/// The board as shapes are read from it: cells from the mover's view with a wide border.
pub struct View {
    cells: [u8; ROW * ROW],
    /// The steps of the layout as differences of places.
    ways: [isize; CELLS],
}

impl View {
    /// The board as its side to move sees it.
    pub fn new(board: &Board) -> View {
        let mut view =
            View { cells: [3; ROW * ROW], ways: LAYOUT.steps.map(|(x, y)| (y * ROW as i32 + x) as isize) };
        let own = Colour::of(board.turn());
        for point in points(board.size()) {
            view.cells[place(point)] = match board.at(point) {
                Colour::Empty => 0,
                colour if colour == own => 1,
                _ => 2,
            };
        }
        view
    }

    /// Calls `see` with the shapes around a point, the smallest first, until it answers false.
    #[inline]
    pub fn shapes(&self, point: Point, mut see: impl FnMut(Shape) -> bool) {
        let here = place(point) as isize;
        let (mut code, mut cell) = (0u128, 0);
        for end in LAYOUT.ends {
            while cell < end {
                code |= u128::from(self.cells[(here + self.ways[cell]) as usize]) << (2 * cell);
                cell += 1;
            }
            if !see(Shape(code | 1 << (2 * end))) {
                break;
            }
        }
    }
}

fn place(point: Point) -> usize {
    (point.row() + REACH) * ROW + point.column() + REACH
}

/// A hasher for shapes: they are numbers already, only their bits must be spread.
#[derive(Default)]
pub struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u128(u128::from(byte) ^ u128::from(self.0)));
    }

    fn write_u128(&mut self, n: u128) {
        let mixed = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (n >> 64) as u64;
        let mixed = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// Something known of shapes.
pub type ShapeMap<T> = HashMap<Shape, T, BuildHasherDefault<Spread>>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::drawn;

    fn seen(rows: &str, point: Point) -> Vec<Shape> {
        let mut found = Vec::new();
        View::new(&Board::new(&drawn(rows, "chinese"), [Point::NONE; 2])).shapes(point, |shape| {
            found.push(shape);
            true
        });
        found
    }

    #[test]
    fn rings_grow_as_the_distance_does() {
        assert_eq!(LAYOUT.ends, [8, 12, 20, 28, 36, 48]);
    }

    #[test]
    fn turned_boards_show_the_same_shape() {
        let a = seen("X . . . . / . O . . . / . . . . . / . . . . . / . . . . .", Point::new(1, 4));
        let b = seen(". . . . . / . . . . . / . . . . . / . O . . . / X . . . .", Point::new(1, 0));
        assert_eq!(a.len(), RINGS);
        for (a, b) in a.iter().zip(&b) {
            assert_eq!(a.standard(), b.standard());
            assert_eq!(Shape::read(&a.write()), Some(*a));
        }
        assert_eq!(a.iter().map(|shape| shape.rings()).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn letters_that_are_no_shape_are_refused() {
        for text in ["", ".......", "........x", "?......."] {
            assert_eq!(Shape::read(text), None, "{text}");
        }
    }
}
