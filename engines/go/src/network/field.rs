//! Where the points of a board lie while a network thinks: row by row, with a border that is 0, so that no neighbour
//! has to be looked for. The border's column serves both sides.

/// How many cells are computed at once.
pub(super) const TILE: usize = 4;
/// The size of board for which the network's pools need no correction.
const MIDDLE: i32 = 13;

/// The cells of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    size: usize,
    is_point: Vec<bool>,
}

impl Field {
    /// That of a board.
    pub fn new(size: usize) -> Field {
        let stride = size + 1;
        // What is computed at once may begin with the last point, and looks at the row beyond.
        let last = size * stride + size;
        let mut is_point = vec![false; last + TILE + stride + 1];
        for row in 0..size {
            is_point[(row + 1) * stride + 1..][..size].fill(true);
        }
        Field { size, is_point }
    }

    /// Rows and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Points.
    pub fn area(&self) -> usize {
        self.size * self.size
    }

    /// Points and border.
    pub fn cells(&self) -> usize {
        self.is_point.len()
    }

    /// The cells of the points, row by row from the lower left.
    pub fn points(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |column| (row + 1) * (size + 1) + column + 1))
    }

    /// Runs of cells that cover all points.
    pub fn tiles(&self) -> impl Iterator<Item = usize> + use<> {
        (self.size + 2..(self.size + 1) * (self.size + 1)).step_by(TILE)
    }

    /// Whether the cell is a point.
    #[inline(always)]
    pub fn is_point(&self, cell: usize) -> bool {
        self.is_point[cell]
    }

    /// The cells that a cell looks at, as distances from the first of them, and the distance of that.
    pub fn taps(&self) -> ([usize; 9], usize) {
        let stride = self.size + 1;
        (std::array::from_fn(|tap| tap / 3 * stride + tap % 3), stride + 1)
    }

    /// How much larger than the middle one the board is.
    pub fn tenths(&self) -> i32 {
        self.size as i32 - MIDDLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_in_one_tile_and_has_its_neighbours() {
        for size in [2, 3, 9, 25] {
            let field = Field::new(size);
            let covered: Vec<usize> = field
                .tiles()
                .flat_map(|first| first..first + TILE)
                .filter(|&cell| field.is_point(cell))
                .collect();
            assert_eq!(covered, field.points().collect::<Vec<_>>());
            assert_eq!(covered.len(), size * size);
            let (taps, back) = field.taps();
            let (corner, far) = (covered[0], covered[size * size - 1]);
            let around = |cell: usize| taps.map(|tap| field.is_point(cell - back + tap));
            assert_eq!(around(corner), [false, false, false, false, true, true, false, true, true]);
            assert_eq!(around(far), [true, true, false, true, true, false, false, false, false]);
        }
    }
}
