//! Small shapes that are worth a look: a move in the middle of three by three points.
//!
//! The shapes are those that Gelly, Wang, Munos and Teytaud gave MoGo (2006): hane, cut, and moves at the edge.
//! They are expanded once into a bit for every arrangement of the eight neighbours.

use std::sync::LazyLock;

use crate::shapes::turn;

/// Rows of three; the move is the middle. `X` and `O` are stones of unequal colour, `x` is anything but `X`,
/// `o` anything but `O`, `.` an empty point, `#` off the board, `?` anything.
const SHAPES: [[&[u8; 3]; 3]; 13] = [
    // Hane.
    [b"XOX", b"...", b"???"],
    [b"XO.", b"...", b"?.?"],
    [b"XO?", b"X..", b"x.?"],
    [b".O.", b"X..", b"..."],
    // Cuts.
    [b"XO?", b"O.o", b"?o?"],
    [b"XO?", b"O.X", b"???"],
    [b"?X?", b"O.O", b"ooo"],
    [b"OX?", b"o.O", b"???"],
    // At the edge.
    [b"X.?", b"O.?", b"###"],
    [b"OX?", b"X.O", b"###"],
    [b"?X?", b"x.O", b"###"],
    [b"?XO", b"x.x", b"###"],
    [b"?OX", b"X.O", b"###"],
];

/// The neighbours in the order of their bits in a shape's code, as steps to the east and to the north.
const AROUND: [(i32, i32); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];

/// One bit for every arrangement of neighbours, coded as [`crate::Board::shape`] does.
static WORTHY: LazyLock<Vec<u64>> = LazyLock::new(expand);

/// Expands the shapes, if nobody has asked for one yet.
pub fn make() {
    LazyLock::force(&WORTHY);
}

/// Whether the neighbours of an empty point make one of the shapes, for either side to move.
#[inline(always)]
pub fn is_shape(code: u16) -> bool {
    WORTHY[usize::from(code >> 6)] >> (code & 63) & 1 != 0
}

fn expand() -> Vec<u64> {
    let mut worthy = vec![0; 1 << 10];
    for shape in SHAPES {
        for symmetry in 0..8 {
            for colours in [[1, 2], [2, 1]] {
                let choices = AROUND.map(|step| allowed(cell(shape, turn(step, symmetry)), colours));
                fill(&mut worthy, &choices, 0, 0);
            }
        }
    }
    worthy
}

fn cell(shape: [&[u8; 3]; 3], (east, north): (i32, i32)) -> u8 {
    shape[(1 - north) as usize][(1 + east) as usize]
}

/// The cell codes a letter stands for, as bits; `colours` are those of `X` and `O`.
fn allowed(letter: u8, [x, o]: [u8; 2]) -> u8 {
    match letter {
        b'X' => 1 << x,
        b'O' => 1 << o,
        b'x' => 0b1111 & !(1 << x),
        b'o' => 0b1111 & !(1 << o),
        b'.' => 0b0001,
        b'#' => 0b1000,
        _ => 0b1111,
    }
}

/// Sets the bit of every arrangement that the choices allow from neighbour `next` on.
fn fill(worthy: &mut [u64], choices: &[u8; 8], next: usize, code: u16) {
    if next == choices.len() {
        worthy[usize::from(code >> 6)] |= 1 << (code & 63);
        return;
    }
    for colour in (0..4).filter(|colour| choices[next] >> colour & 1 != 0) {
        fill(worthy, choices, next + 1, code | colour << (2 * next));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::drawn;
    use crate::{Board, Point};

    fn middle(rows: &str) -> bool {
        let board = Board::new(&drawn(rows, "chinese"), [Point::NONE; 2]);
        is_shape(board.shape(Point::new(1, 1)))
    }

    #[test]
    fn hane_and_cut_are_shapes_in_every_direction_and_colour() {
        for rows in [
            ". . . . / X O X . / . . . . / . . . .",
            ". . . . / O . . . / X . . . / O . . .",
            ". . . . / O X O . / . . . . / . . . .",
            ". . . . / X O . . / O . X . / . . . .",
        ] {
            assert!(middle(rows), "{rows}");
        }
        assert!(!middle(". . . . / . . . . / . . . . / . . . ."));
        assert!(!middle(". . . . / X X X . / . . . . / . . . ."));
    }

    #[test]
    fn the_edge_has_shapes_of_its_own() {
        let board = Board::new(&drawn(". . . . / . . . . / . X . . / . O . .", "chinese"), [Point::NONE; 2]);
        assert!(is_shape(board.shape(Point::new(2, 0))));
        assert!(!is_shape(board.shape(Point::new(3, 3))));
    }
}
