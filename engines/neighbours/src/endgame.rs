//! All positions of a board as an endgame space: what a small board needs to be solved from its ends.
//!
//! A unit holds the positions with some number of pieces against some other number, whoever has more; only a
//! capture leaves it. The counter of quiet plies is left out: play without an end is a draw.

use search::combinations::{CHOOSE, rank, unrank};
use search::endgame::{Exit, Space};
use search::squares::{Square, squares};
use search::{Game, Side};

use crate::{Move, Position, Rules, moves};

/// The endgames of one size of board.
pub struct Endgames {
    rules: Rules,
    /// Pieces of the side with more and of the side with fewer, by unit.
    units: Vec<(usize, usize)>,
}

/// The pieces of the side to move and of the other.
type Sides = (u64, u64);

impl Endgames {
    /// All endgames on a board of these rules.
    pub fn new(rules: Rules) -> Endgames {
        let most = rules.size() as usize;
        let mut units: Vec<_> =
            (1..=most).flat_map(|more| (1..=more).map(move |less| (more, less))).collect();
        units.sort_by_key(|&(more, less)| more + less);
        Endgames { rules, units }
    }

    /// The pieces of the side with more and of the side with fewer.
    pub fn pieces(&self, unit: usize) -> (usize, usize) {
        self.units[unit]
    }

    /// Where a position is to be found; none if a side has no pieces.
    pub fn find(&self, position: &Position) -> Option<(usize, u64)> {
        let sides = (position.pieces(position.turn()), position.pieces(!position.turn()));
        (sides.0 != 0 && sides.1 != 0).then(|| self.number(sides))
    }

    /// The placements of so many pieces beside so many that stand.
    fn others(&self, standing: usize, pieces: usize) -> u64 {
        CHOOSE[self.rules.board().count_ones() as usize - standing][pieces]
    }

    /// The states of a unit with the side of more pieces to move.
    fn half(&self, unit: usize) -> u64 {
        let (more, less) = self.units[unit];
        self.others(0, more) * self.others(more, less)
    }

    fn number(&self, (own, other): Sides) -> (usize, u64) {
        let (a, b) = (own.count_ones() as usize, other.count_ones() as usize);
        let pair = (a.max(b), a.min(b));
        let unit = self.units.iter().position(|&known| known == pair).expect("both sides have pieces");
        let board = self.rules.board();
        let index = rank(own, board) * self.others(a, b) + rank(other, board & !own);
        (unit, index + if a < b { self.half(unit) } else { 0 })
    }

    fn sides(&self, unit: usize, index: u64) -> Sides {
        let (more, less) = self.units[unit];
        let half = self.half(unit);
        let (a, b, index) = if index < half { (more, less, index) } else { (less, more, index - half) };
        let board = self.rules.board();
        let own = unrank(index / self.others(a, b), a, board);
        (own, unrank(index % self.others(a, b), b, board & !own))
    }

    fn position(&self, (own, other): Sides) -> Position {
        Position::new(self.rules, [own, other], Side::White, 0)
    }

    /// The pieces after a move, seen by the opponent.
    fn after((own, other): Sides, m: Move) -> Sides {
        (other & !m.to.bit(), own ^ m.from.bit() ^ m.to.bit())
    }
}

impl Space for Endgames {
    fn name(&self) -> String {
        format!("neighbours-{0}x{0}", self.rules.size())
    }

    fn units(&self) -> usize {
        self.units.len()
    }

    fn label(&self, unit: usize) -> String {
        let (more, less) = self.units[unit];
        format!("{more}-{less}")
    }

    fn needs(&self, unit: usize) -> Vec<usize> {
        let (more, less) = self.units[unit];
        let after = [(more.max(less - 1), more.min(less - 1)), (less.max(more - 1), less.min(more - 1))];
        (0..unit).filter(|&lower| after.contains(&self.units[lower])).collect()
    }

    fn states(&self, unit: usize) -> u64 {
        let (more, less) = self.units[unit];
        self.half(unit) * if more == less { 1 } else { 2 }
    }

    fn exits(&self, unit: usize, index: u64, mut visit: impl FnMut(Exit)) -> u32 {
        let sides = self.sides(unit, index);
        let position = self.position(sides);
        let mut captures = Vec::new();
        moves::generate(&position, sides.1, &mut captures);
        for &m in &captures {
            let after = Endgames::after(sides, m);
            visit(if after.0 == 0 {
                Exit::Won
            } else {
                let (unit, index) = self.number(after);
                Exit::To { unit, index }
            });
        }
        position.count() as u32 - captures.len() as u32
    }

    fn steps(&self, unit: usize, index: u64, mut visit: impl FnMut(u64)) {
        let sides = self.sides(unit, index);
        let mut quiet = Vec::new();
        moves::generate(&self.position(sides), !sides.1, &mut quiet);
        for m in quiet {
            visit(self.number(Endgames::after(sides, m)).1);
        }
    }

    fn unsteps(&self, unit: usize, index: u64, mut visit: impl FnMut(u64)) {
        let (own, other) = self.sides(unit, index);
        for to in squares(other) {
            let standing = (own | other) & !to.bit();
            for from in origins(self.rules, standing, to) {
                let before = (other ^ to.bit() ^ from.bit(), own);
                visit(self.number(before).1);
            }
        }
    }
}

/// The squares from which a piece could have come to this one without taking anything, among the others.
fn origins(rules: Rules, others: u64, to: Square) -> Vec<Square> {
    let mut found = Vec::new();
    let (file, rank) = (i32::from(to.0 % 8), i32::from(to.0 / 8));
    let size = i32::from(rules.size());
    for (right, up) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        for steps in 1..size {
            let (x, y) = (file + right * steps, rank + up * steps);
            if !(0..size).contains(&x) || !(0..size).contains(&y) {
                break;
            }
            let square = Square((8 * y + x) as u8);
            if others & square.bit() != 0 {
                break;
            }
            if (moves::around(square.bit()) & others).count_ones() == steps as u32 {
                found.push(square);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn four() -> Endgames {
        Endgames::new(Rules::new(4).unwrap())
    }

    #[test]
    fn every_state_is_found_under_its_number() {
        let space = four();
        for unit in 0..space.units() {
            for index in (0..space.states(unit)).step_by(97) {
                assert_eq!(space.number(space.sides(unit, index)), (unit, index));
            }
        }
        assert_eq!((space.label(0), space.states(0)), ("1-1".to_owned(), 16 * 15));
    }

    #[test]
    fn ways_back_are_the_steps_reversed() {
        let space = four();
        let unit = space.units.iter().position(|&pair| pair == (3, 2)).unwrap();
        let (mut forth, mut back) = (BTreeMap::new(), BTreeMap::new());
        for index in 0..space.states(unit) {
            let mut steps = 0;
            space.steps(unit, index, |next| {
                *forth.entry((index, next)).or_insert(0) += 1;
                steps += 1;
            });
            assert_eq!(space.exits(unit, index, |_| {}), steps);
            space.unsteps(unit, index, |before| *back.entry((before, index)).or_insert(0) += 1);
        }
        assert!(forth == back && !forth.is_empty());
    }

    #[test]
    fn captures_lead_to_units_before() {
        let space = four();
        for unit in 0..space.units() {
            for index in (0..space.states(unit)).step_by(41) {
                space.exits(unit, index, |exit| {
                    if let Exit::To { unit: to, .. } = exit {
                        assert!(to < unit && space.needs(unit).contains(&to));
                    }
                });
            }
        }
    }

    #[test]
    fn the_start_is_found() {
        let start = Position::start(&Rules::new(4).unwrap());
        let (unit, index) = four().find(&start).unwrap();
        assert_eq!(four().label(unit), "4-4");
        assert_eq!(four().sides(unit, index), (start.pieces(Side::White), start.pieces(Side::Black)));
    }
}
