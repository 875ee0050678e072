//! What can be said of a move before it is tried: what it takes, saves and threatens, where it lies, and what is
//! around it. The tree's priors rest on it, and strengths of these features are learned from games.

use std::collections::VecDeque;

use crate::board::Board;
use crate::point::{Grid, points};
use crate::shapes::{RINGS, View};
use crate::strengths::Strengths;
use crate::tactics::{self, Few, Prospect, Reader};
use crate::{Colour, Point};

/// The columns of features: a move has one feature of each, 0 where nothing is to be said.
pub const COLUMNS: [&str; TACTICAL + RINGS] = [
    "capture",
    "escape",
    "ladder",
    "atari",
    "self-atari",
    "line",
    "steps",
    "last",
    "before-last",
    "ring1",
    "ring2",
    "ring3",
    "ring4",
    "ring5",
    "ring6",
];
/// The columns that are not rings of the shape around the move.
pub const TACTICAL: usize = 9;

/// A feature of each column.
pub type Team = [u32; COLUMNS.len()];

/// Distances beyond this count as this.
const FAR: usize = 17;

/// What reading says of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Takes stones: 1 and 2 that could not run, 3 and 4 that could, 5 and 6 beside own stones in danger; the
    /// even ones take several.
    pub capture: u8,
    /// Extends a chain in atari: 1 in vain, 2 to safety, 3 several stones to safety.
    pub escape: u8,
    /// Starts a ladder that works, 1, against several stones, 2; steps out of one, 3, with several, 4.
    pub ladder: u8,
    /// Gives atari without a ladder.
    pub atari: u8,
}

/// A board with everything that its features need, found once for all moves.
pub struct Scene<'a> {
    board: &'a Board,
    marks: Grid<Marks>,
    steps: Grid<u8>,
    view: View,
}

impl<'a> Scene<'a> {
    /// Reads the board.
    pub fn new(board: &'a Board, reader: &mut Reader) -> Scene<'a> {
        Scene { board, marks: marks(board, reader), steps: steps(board), view: View::new(board) }
    }

    /// What reading says of a point.
    pub fn marks(&self, point: Point) -> Marks {
        self.marks[point]
    }

    /// Steps from the last move, where stepping within a chain is free; 0 beyond three.
    pub fn steps(&self, point: Point) -> usize {
        usize::from(self.steps[point])
    }

    /// The shapes around a point, the smallest first, until `see` answers false.
    pub fn shapes(&self, point: Point, see: impl FnMut(crate::shapes::Shape) -> bool) {
        self.view.shapes(point, see);
    }

    /// The features of a move that are not shapes; the columns of rings are 0.
    pub fn team(&self, point: Point) -> Team {
        let board = self.board;
        let marks = self.marks[point];
        let tactical = [
            u32::from(marks.capture),
            u32::from(marks.escape),
            u32::from(marks.ladder),
            u32::from(marks.atari),
            self_atari(board, point),
            line(board, point).min(4) as u32 + 1,
            self.steps(point) as u32,
            far(point, board.last()),
            far(point, board.before_last()),
        ];
        let mut team = [0; COLUMNS.len()];
        team[..TACTICAL].copy_from_slice(&tactical);
        team
    }

    /// How strong a move is by what was learned: 1 if nothing is known.
    pub fn strength(&self, point: Point, strengths: &Strengths) -> f32 {
        self.shape(point, strengths).unwrap_or(1.0) * strengths.tactical(&self.team(point))
    }

    /// The strength of the largest shape around a point that is known.
    pub fn shape(&self, point: Point, strengths: &Strengths) -> Option<f32> {
        let mut shape = None;
        self.view.shapes(point, |seen| {
            let strength = strengths.shape(seen);
            shape = strength.or(shape);
            strength.is_some()
        });
        shape
    }
}

/// 1 for a stone that would stand in atari alone, 2 with others.
fn self_atari(board: &Board, point: Point) -> u32 {
    if board.empty_neighbours(point) >= 2 {
        return 0;
    }
    match tactics::prospect(board, point) {
        Prospect { liberties: 2.., .. } => 0,
        Prospect { stones: 1, .. } => 1,
        _ => 2,
    }
}

/// The line of a point, 0 at the edge.
pub fn line(board: &Board, point: Point) -> usize {
    let (column, row) = point.from_edges(board.size());
    column.min(row)
}

/// The distance of the shapes, from 2 on; 0 without another point.
fn far(point: Point, other: Point) -> u32 {
    if other == Point::NONE {
        return 0;
    }
    let (x, y) = (point.column().abs_diff(other.column()), point.row().abs_diff(other.row()));
    (x + y + x.max(y)).min(FAR) as u32
}

/// Reads every chain with one or two liberties.
fn marks(board: &Board, reader: &mut Reader) -> Grid<Marks> {
    let mut marks = Grid::filled(Marks::default());
    let own = Colour::of(board.turn());
    let mut turned = board.clone();
    turned.set_turn(!board.turn());
    for stone in points(board.size()) {
        let colour = board.at(stone);
        if colour.side().is_none() || board.head(stone) != stone {
            continue;
        }
        let liberties = board.liberties(stone, 3);
        match (liberties.count(), colour == own) {
            (1, true) => own_in_atari(board, reader, stone, &mut marks),
            (1, false) => enemy_in_atari(board, reader.escapes(&turned, stone), stone, &mut marks),
            (2, true) if reader.attack(board, stone) != Point::NONE => {
                own_in_ladder(board, stone, liberties.points(), &mut marks);
            }
            (2, false) => {
                liberties.points().iter().for_each(|&point| marks[point].atari = 1);
                let point = reader.attack(board, stone);
                if point != Point::NONE {
                    raise(&mut marks[point].ladder, 1 + several(board, stone));
                }
            }
            _ => {}
        }
    }
    marks
}

/// 1 if the chain has more than one stone.
fn several(board: &Board, stone: Point) -> u8 {
    u8::from(board.chain_size(stone) > 1)
}

fn raise(mark: &mut u8, to: u8) {
    *mark = (*mark).max(to);
}

fn own_in_atari(board: &Board, reader: &mut Reader, stone: Point, marks: &mut Grid<Marks>) {
    mark_counter_captures(board, stone, marks);
    let out = reader.outruns(board, stone);
    let kind = if out { 2 + several(board, stone) } else { 1 };
    raise(&mut marks[board.last_liberty(stone)].escape, kind);
}

fn mark_counter_captures(board: &Board, stone: Point, marks: &mut Grid<Marks>) {
    let mut captures = Few::EMPTY;
    tactics::counter_captures(board, stone, &mut captures);
    captures.points().iter().for_each(|&point| raise(&mut marks[point].capture, 5 + several(board, stone)));
}

/// A chain that cannot run away need not be taken yet.
fn enemy_in_atari(board: &Board, runs: bool, stone: Point, marks: &mut Grid<Marks>) {
    let kind = if runs { 3 } else { 1 };
    raise(&mut marks[board.last_liberty(stone)].capture, kind + several(board, stone));
}

fn own_in_ladder(board: &Board, stone: Point, liberties: &[Point], marks: &mut Grid<Marks>) {
    mark_counter_captures(board, stone, marks);
    for &point in liberties {
        if tactics::prospect(board, point).liberties > 2 {
            raise(&mut marks[point].ladder, 3 + several(board, stone));
        }
    }
}

/// Steps from the last move, where stepping within a chain is free; 0 beyond three.
fn steps(board: &Board) -> Grid<u8> {
    const BEYOND: u8 = 4;
    let mut steps = Grid::filled(BEYOND);
    let mut queue = VecDeque::new();
    if board.last() != Point::NONE {
        steps[board.last()] = 0;
        queue.push_back(board.last());
    }
    while let Some(point) = queue.pop_front() {
        for next in point.neighbours() {
            let same_chain = board.at(next) == board.at(point) && board.at(next) != Colour::Empty;
            let reached = steps[point] + u8::from(!same_chain);
            // A point first reached by a step may still be nearer along a chain.
            if board.at(next) != Colour::Border && reached < steps[next] {
                steps[next] = reached;
                if same_chain { queue.push_front(next) } else { queue.push_back(next) }
            }
        }
    }
    points(board.size()).for_each(|point| steps[point] %= BEYOND);
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{drawn, read_point};

    fn at(text: &str) -> Point {
        read_point(25, text).unwrap()
    }

    fn marked(rows: &str, text: &str) -> Marks {
        let board = Board::new(&drawn(rows, "chinese"), [Point::NONE; 2]);
        Scene::new(&board, &mut Reader::new(&board)).marks(at(text))
    }

    #[test]
    fn reading_marks_what_is_urgent() {
        // Black to move may take the stone in the corner, which could not run, or the one in the open, which could.
        let corner = "O X . . . / . X . . . / X . . . . / . . . . . / . . . . .";
        assert_eq!(marked(corner, "A4").capture, 1);
        let open = ". . . . . / . X . . . / X O . . . / . X . . . / . . . . .";
        assert_eq!(marked(open, "C3").capture, 3);
        // Two black stones in atari run to safety.
        let run = ". . . . . / . O O . . / O X X . . / . O O . . / . . . . .";
        assert_eq!(marked(run, "D3").escape, 3);
        // A ladder against one stone at the edge.
        let ladder = ". . . . . / . . . . . / . . X . . / . X O . . / . . . . .";
        assert_eq!((marked(ladder, "D2").ladder, marked(ladder, "C1").atari), (1, 1));
    }

    #[test]
    fn steps_run_along_chains() {
        let rows = ". . . . . / . . . . . / . X X X . / . . . . . / . . . . .";
        let board = Board::new(&drawn(rows, "chinese"), [at("B3"), Point::NONE]);
        let scene = Scene::new(&board, &mut Reader::new(&board));
        assert_eq!((scene.steps(at("E3")), scene.steps(at("D5")), scene.steps(at("E1"))), (1, 2, 3));
    }

    #[test]
    fn the_way_along_a_chain_counts_even_where_another_was_found_first() {
        // White's last move touches the chain: all of it is one step away, also where an empty point lies between.
        let rows = ". . . . . / . . . . . / X X X . . / X . . . . / X O . . .";
        let board = Board::new(&drawn(rows, "chinese"), [at("B1"), Point::NONE]);
        let scene = Scene::new(&board, &mut Reader::new(&board));
        assert_eq!([at("B3"), at("C3"), at("D3"), at("B4")].map(|point| scene.steps(point)), [1, 1, 2, 2]);
    }

    #[test]
    fn a_team_names_line_and_distance() {
        let board = Board::new(&drawn(". . . / . X . / . . .", "chinese"), [at("B2"), Point::NONE]);
        let team = Scene::new(&board, &mut Reader::new(&board)).team(at("A1"));
        assert_eq!(team[5..9], [1, 2, 3, 0]);
    }
}
