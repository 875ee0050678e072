//! Positions of few pieces as an endgame space: all of a small board, the endings of a larger one.
//!
//! A unit holds the positions with some number of pieces against some other number, whoever has more; only a
//! capture leaves it. The counter of quiet plies is left out: play without an end is a draw.
//!
//! A state is numbered by the pieces of its side to move, then by the others; its seat by the pieces of the side not to
//! move, then by those that move. So all states that quiet moves lead to from a seat, and all seats from which they lead
//! to a state, share the class of the pieces that stand still and lie in one block of numbers.

use search::endgame::{Exit, Space, Standing};
use search::squares::{Square, squares};
use search::{Game, Side, zobrist};

use crate::{Position, Rules, moves};
use index::{Block, Index, Numbering, SYMMETRIES};

mod index;

/// The endgames of one size of board.
pub struct Endgames {
    rules: Rules,
    numbering: Numbering,
    units: Vec<Unit>,
}

/// One unit and its numbers: the side with more pieces to move, or standing still, then that with fewer. Only one part
/// if both have as many.
struct Unit {
    /// Pieces of the side with more and of the side with fewer.
    pieces: (usize, usize),
    parts: Vec<Part>,
}

/// States with so many pieces to move, and the seats on which as many stand still.
struct Part {
    index: Index,
    /// The number of its first state, and of its first seat.
    offset: u64,
    /// Which part the states of its seats belong to.
    movers: usize,
    /// Where a capture leads from its seats: the unit and the part; none if that wins.
    smaller: Option<(usize, usize)>,
}

impl Endgames {
    /// All endgames on a board of these rules, up to as many pieces as can be numbered.
    pub fn new(rules: Rules) -> Endgames {
        let numbering = Numbering::new(rules);
        let most = numbering.most();
        let mut pairs: Vec<_> =
            (1..=most).flat_map(|more| (1..=more).map(move |less| (more, less))).collect();
        pairs.sort_by_key(|&(more, less)| more + less);
        let units = pairs.iter().map(|&pair| Unit::new(pair, &pairs, &numbering)).collect();
        Endgames { rules, numbering, units }
    }

    /// The pieces of the side with more and of the side with fewer.
    pub fn pieces(&self, unit: usize) -> (usize, usize) {
        self.units[unit].pieces
    }

    /// Where a position is to be found; none if a side has no pieces or too many.
    pub fn find(&self, position: &Position) -> Option<(usize, u64)> {
        let [own, other] = [position.pieces(position.turn()), position.pieces(!position.turn())];
        let (a, b) = (own.count_ones() as usize, other.count_ones() as usize);
        if a.min(b) == 0 || a.max(b) > self.numbering.most() {
            return None;
        }
        let unit = self.units.iter().position(|unit| unit.pieces == (a.max(b), a.min(b)))?;
        let Part { index, offset, .. } = &self.units[unit].parts[usize::from(a < b)];
        (position.rules() == self.rules).then(|| (unit, offset + index.of(&self.numbering, own, other)))
    }

    /// A key that all images of a position under the board's symmetries share.
    pub fn key(&self, position: &Position) -> u64 {
        let [white, black] = [Side::White, Side::Black].map(|side| position.pieces(side));
        let image = |g| (self.numbering.image(g, white), self.numbering.image(g, black));
        let (white, black) = (0..SYMMETRIES).map(image).min().expect("there are some");
        zobrist::mix(white) ^ zobrist::mix(black ^ zobrist::mix(position.turn() as u64 + 1))
    }

    /// A position of a state, White to move.
    pub fn position(&self, unit: usize, state: u64) -> Position {
        let (_, block, second) = self.apart(unit, state);
        Position::new(self.rules, [block.kind.set, second], Side::White, 0)
    }

    /// Takes a number apart: the part it belongs to, the block of the first pieces, and the second ones.
    #[inline(always)]
    fn apart(&self, unit: usize, number: u64) -> (&Part, Block, u64) {
        let part = match &self.units[unit].parts[..] {
            [_, second] if number >= second.offset => second,
            parts => &parts[0],
        };
        let (block, second) = part.index.placement(&self.numbering, number - part.offset);
        (part, block, second)
    }

    /// Visits every move of the pieces `own`: where the piece goes, and all of them afterwards.
    #[inline(always)]
    fn moves(&self, own: u64, other: u64, mut visit: impl FnMut(u64, u64)) {
        moves::sweep(self.rules.board(), own, own | other, |targets, way| {
            for to in squares(targets) {
                let from = Square((i32::from(to.0) - way) as u8);
                visit(to.bit(), own ^ from.bit() | to.bit());
            }
        });
    }
}

impl Unit {
    fn new((more, less): (usize, usize), pairs: &[(usize, usize)], numbering: &Numbering) -> Unit {
        // Who is to move after a capture has a piece less and stands against those that made it.
        let smaller = |captured: usize, standing: usize| {
            let left = captured - 1;
            let pair = (left.max(standing), left.min(standing));
            Some((pairs.iter().position(|&known| known == pair)?, usize::from(left < standing)))
        };
        let part = |first: usize, second: usize, offset: u64, movers: usize| Part {
            index: Index::new(numbering, first, second),
            offset,
            movers,
            smaller: smaller(first, second),
        };
        let mut parts = vec![part(more, less, 0, usize::from(more != less))];
        if more != less {
            parts.push(part(less, more, parts[0].index.size(numbering), 0));
        }
        Unit { pieces: (more, less), parts }
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
        let (more, less) = self.units[unit].pieces;
        format!("{more}-{less}")
    }

    fn needs(&self, unit: usize) -> Vec<usize> {
        let mut needs: Vec<usize> =
            self.units[unit].parts.iter().filter_map(|part| part.smaller).map(|(unit, _)| unit).collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    fn states(&self, unit: usize) -> u64 {
        self.units[unit].parts.iter().map(|part| part.index.size(&self.numbering)).sum()
    }

    fn text(&self, unit: usize, state: u64) -> String {
        self.position(unit, state).to_string()
    }

    fn exits(&self, unit: usize, seat: u64, mut visit: impl FnMut(Exit)) -> u32 {
        let (part, block, own) = self.apart(unit, seat);
        let other = block.kind.set;
        let mut stays = 0;
        self.moves(own, other, |to, after| {
            if to & other == 0 {
                stays += 1;
                return;
            }
            visit(part.smaller.map_or(Exit::Won, |(unit, next)| {
                let Part { index, offset, .. } = &self.units[unit].parts[next];
                Exit::To { unit, index: offset + index.of(&self.numbering, other & !to, after) }
            }));
        });
        stays
    }

    fn steps(&self, unit: usize, seat: u64, mut visit: impl FnMut(u64)) {
        let (part, block, own) = self.apart(unit, seat);
        self.moves(own, block.kind.set, |to, after| {
            if to & block.kind.set == 0 {
                visit(part.offset + block.number(after));
            }
        });
    }

    fn unsteps(&self, unit: usize, state: u64, mut visit: impl FnMut(u64)) {
        let (part, block, moved) = self.apart(unit, state);
        for to in squares(moved) {
            let rest = moved ^ to.bit();
            for from in squares(moves::origins(self.rules.board(), block.kind.set | rest, to.bit())) {
                visit(part.offset + block.number(rest | from.bit()));
            }
        }
    }

    fn seated(&self, unit: usize, seat: u64, mut visit: impl FnMut(u64)) {
        let (part, block, own) = self.apart(unit, seat);
        let Part { index, offset, .. } = &self.units[unit].parts[part.movers];
        let (states, symmetry) = index.form(&self.numbering, own);
        let other = self.numbering.image(symmetry, block.kind.set);
        visit(offset + states.number(other));
        // Pieces that are symmetric in themselves have several states of the same placement.
        for g in (1..SYMMETRIES).filter(|g| states.kind.stabiliser >> g & 1 != 0) {
            visit(offset + states.number(self.numbering.image(g, other)));
        }
    }

    fn standing(&self, unit: usize, state: u64) -> Standing {
        let (part, block, second) = self.apart(unit, state);
        let images = (1..SYMMETRIES).filter(|g| block.kind.stabiliser >> g & 1 != 0);
        let mut numbers = images.map(|g| part.offset + block.number(self.numbering.image(g, second)));
        if numbers.any(|number| number < state) { Standing::Image } else { Standing::Own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn four() -> Endgames {
        Endgames::new(Rules::new(4).unwrap())
    }

    #[test]
    fn every_state_is_a_position_and_found_under_its_number_or_that_of_an_image() {
        for space in [4, 8].map(|size| Endgames::new(Rules::new(size).unwrap())) {
            for unit in (0..space.units()).filter(|&unit| space.pieces(unit).0 <= 3) {
                for state in (0..space.states(unit)).step_by(97) {
                    let found = space.find(&space.position(unit, state)).unwrap();
                    assert_eq!(found.0, unit);
                    assert!(found.1 == state || space.apart(unit, state).1.kind.stabiliser != 1);
                }
            }
        }
        assert_eq!((four().label(0), four().states(0)), ("1-1".to_owned(), 3 * 15));
    }

    #[test]
    fn states_that_count_are_the_positions_up_to_symmetry() {
        let space = four();
        let unit = space.units.iter().position(|unit| unit.pieces == (3, 2)).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for state in 0..space.states(unit) {
            let position = space.position(unit, state);
            let pieces = [Side::White, Side::Black].map(|side| position.pieces(side));
            let image = |g| pieces.map(|set| space.numbering.image(g, set));
            let is_new = seen.insert((0..SYMMETRIES).map(image).min());
            assert_eq!(space.standing(unit, state) == Standing::Own, is_new);
        }
    }

    #[test]
    fn ways_back_are_the_steps_reversed() {
        let space = four();
        let unit = space.units.iter().position(|unit| unit.pieces == (3, 2)).unwrap();
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

    /// A name that all images of a state share.
    fn class(space: &Endgames, unit: usize, state: u64) -> Option<[u64; 2]> {
        let position = space.position(unit, state);
        let pieces = [position.turn(), !position.turn()].map(|side| position.pieces(side));
        (0..SYMMETRIES).map(|g| pieces.map(|set| space.numbering.image(g, set))).min()
    }

    #[test]
    fn moves_of_seats_are_the_moves_of_positions() {
        for space in [4, 6, 8].map(|size| Endgames::new(Rules::new(size).unwrap())) {
            let few = (0..space.units()).filter(|&unit| space.pieces(unit).0 <= 4).count();
            for seed in 0..5000 {
                let unit = seed as usize % few;
                let seat = search::zobrist::mix(seed) % space.states(unit);
                let mut states = Vec::new();
                space.seated(unit, seat, |state| states.push(state));
                let position = space.position(unit, states[seed as usize % states.len()]);
                let mut found = Vec::new();
                let stays = space.exits(unit, seat, |exit| match exit {
                    Exit::Won => found.push(None),
                    Exit::To { unit: to, index } => {
                        assert!(to < unit && space.needs(unit).contains(&to));
                        found.push(class(&space, to, index));
                    }
                });
                let leaving = found.len();
                space.steps(unit, seat, |index| found.push(class(&space, unit, index)));
                assert_eq!(found.len(), leaving + stays as usize);
                let moves = position.list();
                let after = |&m: &crate::Move| space.find(&position.after(m));
                let mut expected: Vec<_> = moves
                    .iter()
                    .map(|m| after(m).and_then(|(unit, index)| class(&space, unit, index)))
                    .collect();
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "{position}");
            }
        }
    }

    #[test]
    fn the_start_is_found() {
        let start = Position::start(&Rules::new(4).unwrap());
        let (unit, index) = four().find(&start).unwrap();
        assert_eq!(four().label(unit), "4-4");
        assert_eq!(
            class(&four(), unit, index),
            class(&four(), unit, four().find(&start.flipped().unwrap()).unwrap().1)
        );
    }
}
