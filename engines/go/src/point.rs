//! Points of the board. Every size shares one layout, so that neighbours and keys are the same on all boards.
//!
//! A row has 26 cells, of which the first is border and serves the row before as its right edge; a row of
//! border lies below and above. Boards smaller than 25x25 use the lower left corner.

use std::ops::{Index, IndexMut};

/// The largest board.
pub const MAX_SIZE: usize = 25;
/// Cells from one row to the next.
pub const STRIDE: usize = MAX_SIZE + 1;
/// All cells with the border, and one more so that every diagonal neighbour of a point exists.
pub const CELLS: usize = STRIDE * (MAX_SIZE + 2) + 1;

/// The four neighbours of a point: north, east, south, west.
pub const NEIGHBOURS: [i16; 4] = [STRIDE as i16, 1, -(STRIDE as i16), -1];
/// The four diagonal neighbours: north-east, south-east, south-west, north-west.
pub const DIAGONALS: [i16; 4] =
    [STRIDE as i16 + 1, 1 - STRIDE as i16, -(STRIDE as i16) - 1, STRIDE as i16 - 1];

/// A point of the board, or a cell of its border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Point(pub u16);

impl Point {
    /// A corner of the border: no point of any board.
    pub const NONE: Point = Point(0);

    /// The point in this column and row, both counted from 0 at the lower left.
    pub const fn new(column: usize, row: usize) -> Point {
        Point(((row + 1) * STRIDE + column + 1) as u16)
    }

    /// Columns from the left edge.
    pub fn column(self) -> usize {
        self.0 as usize % STRIDE - 1
    }

    /// Rows from the lower edge.
    pub fn row(self) -> usize {
        self.0 as usize / STRIDE - 1
    }

    /// The cell index.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell at this distance.
    #[inline(always)]
    pub fn step(self, way: i16) -> Point {
        Point(self.0.wrapping_add_signed(way))
    }

    /// The four neighbours, border cells among them.
    #[inline(always)]
    pub fn neighbours(self) -> [Point; 4] {
        NEIGHBOURS.map(|way| self.step(way))
    }

    /// The four diagonal neighbours, border cells among them.
    #[inline(always)]
    pub fn diagonals(self) -> [Point; 4] {
        DIAGONALS.map(|way| self.step(way))
    }

    /// The distances of its column and row from the nearer edges of a board.
    #[inline(always)]
    pub fn from_edges(self, size: usize) -> (usize, usize) {
        let from_edge = |n: usize| n.min(size - 1 - n);
        (from_edge(self.column()), from_edge(self.row()))
    }

    /// The Manhattan distance to another point.
    pub fn distance(self, other: Point) -> usize {
        self.column().abs_diff(other.column()) + self.row().abs_diff(other.row())
    }
}

/// All points of a board, row by row from the lower left.
pub fn points(size: usize) -> impl Iterator<Item = Point> + Clone {
    (0..size).flat_map(move |row| (0..size).map(move |column| Point::new(column, row)))
}

/// Cells of a [`Grid`]: a power of two, so that a masked index needs no check.
const GRID: usize = 1024;

/// One value for every cell; an index never leaves it.
#[derive(Clone, Copy, Debug)]
pub struct Grid<T>([T; GRID]);

impl<T: Copy> Grid<T> {
    /// The same value everywhere.
    pub const fn filled(value: T) -> Grid<T> {
        Grid([value; GRID])
    }

    /// Takes over the cells that a board of this size uses.
    #[inline(always)]
    pub fn copy_rows(&mut self, other: &Grid<T>, size: usize) {
        let used = STRIDE * (size + 2);
        self.0[..used].copy_from_slice(&other.0[..used]);
    }
}

impl<T> Index<Point> for Grid<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, point: Point) -> &T {
        &self.0[point.index() & (GRID - 1)]
    }
}

impl<T> IndexMut<Point> for Grid<T> {
    #[inline(always)]
    fn index_mut(&mut self, point: Point) -> &mut T {
        &mut self.0[point.index() & (GRID - 1)]
    }
}

const WORDS: usize = CELLS.div_ceil(64);

/// A set of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// Adds a point; false if it was in already.
    pub fn insert(&mut self, point: Point) -> bool {
        let (word, bit) = (&mut self.0[point.index() / 64], 1 << (point.index() % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Takes a point out.
    pub fn remove(&mut self, point: Point) {
        self.0[point.index() / 64] &= !(1 << (point.index() % 64));
    }

    /// Whether the point is in.
    pub fn contains(&self, point: Point) -> bool {
        self.0[point.index() / 64] >> (point.index() % 64) & 1 != 0
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Adds all points of another set.
    pub fn union(&mut self, other: &PointSet) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }

    /// Whether no point is in both.
    pub fn is_disjoint(&self, other: &PointSet) -> bool {
        self.0.iter().zip(other.0).all(|(a, b)| a & b == 0)
    }

    /// The points, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    Point((i * 64) as u16 + bit as u16)
                })
            })
        })
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = PointSet::default();
        points.into_iter().for_each(|point| {
            set.insert(point);
        });
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_rows_come_back() {
        for point in points(25) {
            assert_eq!(Point::new(point.column(), point.row()), point);
            assert!(point.diagonals().iter().all(|p| p.index() < CELLS));
        }
        assert_eq!(points(25).count(), 625);
    }

    #[test]
    fn a_set_lists_what_was_put_in() {
        let some: Vec<Point> = points(19).step_by(7).collect();
        let set: PointSet = some.iter().copied().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), some);
        assert_eq!(set.len(), some.len());
        assert!(!set.contains(Point::new(1, 0)));
    }
}
