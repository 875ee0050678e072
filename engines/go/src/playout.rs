//! How a game is played out from a leaf of the tree, with more or less knowledge.
//!
//! The heavy playout answers the last move where it stands (Gelly and others 2006; Pachi's Moggy): take and save
//! stones in atari, read ladders, kill eye spaces, follow shapes, and otherwise play at random with some care.

use search::{Random, Side};

use crate::board::Board;
use crate::patterns::is_shape;
use crate::recipes::{self, Heuristics, Memory, Roulette};
use crate::tactics::{self, Few, Reader};
use crate::tuning::{LONGEST_PLAYOUT, Playout};
use crate::{Colour, Point};

/// What playouts know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Nothing: every move that fills no eye is as likely.
    Light,
    /// Everything above.
    Heavy(Playout),
    /// The heuristics of Śliwa's program.
    Heuristics(Heuristics),
    /// A roulette of heuristics.
    Roulette(Roulette),
    /// By urgency.
    Urgency,
    /// In sequence, with diversity.
    Sequence,
}

/// Plays games to their end.
#[derive(Clone, Debug)]
pub struct Simulator {
    /// What it knows.
    pub style: Style,
    reader: Reader,
    memory: Memory,
}

impl Simulator {
    /// A simulator for boards like this one.
    pub fn new(style: Style, board: &Board) -> Simulator {
        let memory = if matches!(style, Style::Roulette(_)) { Memory::new() } else { Memory::default() };
        Simulator { style, reader: Reader::new(board), memory }
    }

    /// Sees what the tree chose before a playout: the moves after `last`, `first` to begin.
    pub fn notice(&mut self, path: &[u16], first: Side, last: Point) {
        if matches!(self.style, Style::Roulette(_)) {
            self.memory.notice(path, first, last);
        }
    }

    /// Plays until both sides pass or the game has become too long, appending the points played.
    pub fn finish(&mut self, board: &mut Board, random: &mut Random, trace: &mut Vec<u16>) {
        self.finish_unless(|| false, board, random, trace);
    }

    /// The same, unless it is given up on the way; whether it was not.
    pub fn finish_unless(
        &mut self,
        gives_up: impl Fn() -> bool,
        board: &mut Board,
        random: &mut Random,
        trace: &mut Vec<u16>,
    ) -> bool {
        let longest = LONGEST_PLAYOUT * (board.size() * board.size()) as u32;
        for _ in 0..longest {
            if board.passes() >= 2 {
                break;
            }
            if gives_up() {
                return false;
            }
            let point = self.choose(board, random);
            board.play(point);
            trace.push(point.0);
        }
        true
    }

    /// The next point, [`Point::NONE`] to pass.
    pub fn choose(&mut self, board: &mut Board, random: &mut Random) -> Point {
        match self.style {
            Style::Light => board.random_point(random, |_, _| true),
            Style::Heavy(playout) => self.answer(&playout, board, random),
            Style::Heuristics(heuristics) => heuristics.choose(board, random),
            Style::Roulette(roulette) => roulette.choose(board, random, &self.memory),
            Style::Urgency => recipes::by_urgency(board, random),
            Style::Sequence => recipes::in_sequence(board, random),
        }
    }

    fn answer(&mut self, playout: &Playout, board: &mut Board, random: &mut Random) -> Point {
        if board.last() != Point::NONE {
            for (chance, find) in [
                (playout.atari, Simulator::ataris as Finder),
                (playout.follow_up, Simulator::follow_ups),
                (playout.ladder, Simulator::ladders),
                (playout.nakade, Simulator::nakade),
                (playout.pattern, Simulator::shapes),
            ] {
                if random.chance(chance) {
                    let mut found = Few::EMPTY;
                    find(self, board, &mut found);
                    let point = pick(&found, playout, board, random);
                    if point != Point::NONE {
                        return point;
                    }
                }
            }
        }
        careful(playout, board, random)
    }

    /// Taking the stone just played, and saving or avenging what it put in atari.
    fn ataris(&mut self, board: &Board, out: &mut Few) {
        let last = board.last();
        if board.in_atari(last) {
            out.add(board.last_liberty(last));
        }
        let own = Colour::of(board.turn());
        for next in tactics::chains_beside(board, last, own) {
            if board.in_atari(next) {
                tactics::counter_captures(board, next, out);
                if self.reader.outruns(board, next) {
                    out.add(board.last_liberty(next));
                }
            }
        }
    }

    /// Taking what the own last move put in atari and the opponent has left there.
    fn follow_ups(&mut self, board: &Board, out: &mut Few) {
        let enemy = Colour::of(!board.turn());
        for next in board.before_last().neighbours() {
            if board.at(next) == enemy && board.in_atari(next) {
                out.add(board.last_liberty(next));
            }
        }
    }

    /// Ladders that work: against the chain just played, or about to work against our own beside it.
    fn ladders(&mut self, board: &Board, out: &mut Few) {
        let last = board.last();
        if board.liberties(last, 3).count() == 2 {
            let point = self.reader.attack(board, last);
            if point != Point::NONE {
                out.add(point);
            }
        }
        let own = Colour::of(board.turn());
        for next in tactics::chains_beside(board, last, own) {
            let liberties = board.liberties(next, 3);
            if liberties.count() == 2 {
                self.defences(board, next, liberties.points(), out);
            }
        }
    }

    /// What a chain with two liberties can do against a ladder, if there is one.
    fn defences(&mut self, board: &Board, stone: Point, liberties: &[Point], out: &mut Few) {
        if self.reader.attack(board, stone) == Point::NONE {
            return;
        }
        tactics::counter_captures(board, stone, out);
        for &point in liberties {
            if board.is_legal(point) && tactics::prospect(board, point).liberties > 2 {
                out.add(point);
            }
        }
    }

    /// The vital point of an eye space that the last move left its side; the other side's begin elsewhere.
    fn nakade(&mut self, board: &Board, out: &mut Few) {
        for next in board.last().neighbours() {
            if board.at(next) == Colour::Empty {
                let point = tactics::nakade(board, next, !board.turn());
                if point != Point::NONE {
                    out.add(point);
                }
            }
        }
    }

    /// Shapes around the last move, or else around the one before.
    fn shapes(&mut self, board: &Board, out: &mut Few) {
        for centre in [board.last(), board.before_last()] {
            if centre == Point::NONE || !out.points().is_empty() {
                continue;
            }
            for next in centre.neighbours().into_iter().chain(centre.diagonals()) {
                if board.at(next) == Colour::Empty && is_shape(board.shape(next)) {
                    out.add(next);
                }
            }
        }
    }
}

type Finder = fn(&mut Simulator, &Board, &mut Few);

/// One of the points found, at random, that is legal and no folly; [`Point::NONE`] if there is none.
fn pick(found: &Few, playout: &Playout, board: &Board, random: &mut Random) -> Point {
    let points = found.points();
    if points.is_empty() {
        return Point::NONE;
    }
    let start = random.below(points.len() as u32) as usize;
    for i in 0..points.len() {
        let point = points[(start + i) % points.len()];
        if board.is_legal(point)
            && !board.is_eye(point, board.turn())
            && !(is_self_atari(board, point) && random.chance(playout.refuse_suggested))
        {
            return point;
        }
    }
    Point::NONE
}

/// A random point that seldom gives stones away.
fn careful(playout: &Playout, board: &mut Board, random: &mut Random) -> Point {
    // One draw for the whole search: the random number of the board's own choice must not be used twice.
    let refuses = random.chance(playout.refuse_random);
    board.random_point(random, |board, point| !(refuses && is_self_atari(board, point)))
}

/// Whether the stone would stand in atari and give something away; a single one that takes something, as in a ko,
/// does not.
#[inline(always)]
pub fn is_self_atari(board: &Board, point: Point) -> bool {
    // Two empty neighbours are two liberties.
    board.empty_neighbours(point) < 2 && board.stands_in_atari(point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::points;
    use crate::tactics::Prospect;
    use crate::text::drawn;
    use crate::tuning::PLAYOUT;
    use crate::{Position, Rules};

    const STYLES: [Style; 6] = [
        Style::Light,
        Style::Heavy(PLAYOUT),
        Style::Heuristics(Heuristics::ALL),
        Style::Roulette(Roulette::PUBLISHED),
        Style::Urgency,
        Style::Sequence,
    ];

    #[test]
    fn playouts_end_with_every_point_decided() {
        for size in [2, 5, 9, 13] {
            let position = Position::empty(Rules::default().with_size(size).unwrap());
            let start = Board::new(&position, [Point::NONE; 2]);
            for style in STYLES {
                let (mut simulator, mut random) = (Simulator::new(style, &start), Random::new(5));
                for _ in 0..20 {
                    let (mut board, mut trace) = (start.clone(), Vec::new());
                    simulator.finish(&mut board, &mut random, &mut trace);
                    assert!(trace.len() <= 3 * size * size && !trace.is_empty());
                    assert!(board.passes() == 2 || trace.len() == 3 * size * size);
                }
            }
        }
    }

    #[test]
    fn taking_in_a_ko_is_no_self_atari() {
        let position = drawn(". X O . . / X . X O . / . X O . . / O O . . . / X . . O .", "chinese");
        let board = |turn| Board::new(&position.clone().with_turn(turn), [Point::NONE; 2]);
        assert!(!is_self_atari(&board(Side::White), Point::new(1, 3)));
        assert!(is_self_atari(&board(Side::Black), Point::new(1, 0)));
    }

    #[test]
    fn self_ataris_are_those_that_counting_liberties_finds() {
        let position = Position::empty(Rules::default().with_size(9).unwrap());
        let mut random = Random::new(11);
        for _ in 0..5 {
            let mut board = Board::new(&position, [Point::NONE; 2]);
            for _ in 0..200 {
                for point in points(9).filter(|&point| board.is_legal(point)) {
                    let expected = match tactics::prospect(&board, point) {
                        Prospect { stones: 1, taken: 1.., .. } => false,
                        Prospect { liberties, .. } => liberties < 2,
                    };
                    assert_eq!(is_self_atari(&board, point), expected, "{point:?}");
                }
                let point = board.random_point(&mut random, |_, _| true);
                board.play(point);
            }
        }
    }

    #[test]
    fn heavy_playouts_save_what_stands_in_atari() {
        // White has just put the two stones in atari; running out gains liberties.
        let rows = ". . . . . / . O O . . / O X X . . / . O O . . / . . . . .";
        let position = drawn(rows, "chinese");
        let mut board = Board::new(&position, [Point::new(2, 1), Point::NONE]);
        let mut simulator = Simulator::new(Style::Heavy(Playout { atari: 256, ..PLAYOUT }), &board);
        let mut random = Random::new(3);
        assert_eq!(simulator.choose(&mut board, &mut random), Point::new(3, 2));
    }
}
