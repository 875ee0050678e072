//! The endgames of morris: both hands empty, three to nine men a side, no memory of where men came from.
//!
//! A unit holds all placements of so many men of one side and so many of the other, whichever is to move: 28 units
//! from 3-3 to 9-9. Closing a mill leaves the unit for the one with a man less; every other move stays.
//!
//! A state is numbered by the men of its side to move, then by the others; its seat by the men of the side not to
//! move, then by those that move. So all states that quiet moves lead to from a seat, and all seats from which they
//! lead to a state, share the class of the men that stand still and lie in one block of a few thousand numbers.

use search::Side;
use search::endgame::{Exit, Space, Standing};

use crate::board::{self, ALL, POINTS, SYMMETRIES, image, points};
use crate::moves::removable;
use crate::position::{MEN, NoReturn};
use crate::{Position, Rules};
use index::{Block, Form, Index, Kind};

pub(crate) mod index;

const FEWEST: usize = 3;
const MOST: usize = MEN as usize;

/// The endgames under rules without a ban on returning.
pub struct Endgames {
    rules: Rules,
    units: Vec<Unit>,
}

/// One unit: the larger number of men first, and the placements of whoever is to move.
struct Unit {
    men: (usize, usize),
    /// The side to move has the larger number; then the smaller. Only the first if both are equal.
    parts: Vec<Part>,
}

struct Part {
    index: Index,
    /// The number of its first state in the unit.
    offset: u64,
    own: usize,
    /// Where in `parts` the states after a quiet move lie.
    next: usize,
    /// The unit after a removal and the part of it; none if that wins.
    smaller: Option<(usize, usize)>,
}

/// A number taken apart: the first men are the representative of their class, the second stand among them.
struct Placed<'a> {
    part: &'a Part,
    block: Block,
    second: u32,
}

/// The rules as far as these endgames know them; two mills never close at once by sliding or flying.
fn relevant(rules: &Rules) -> Option<Rules> {
    let Rules { remove_any, flying, no_return, .. } = *rules;
    (no_return == NoReturn::Off).then_some(Rules { remove_any, flying, ..Rules::STANDARD })
}

impl Endgames {
    /// The endgames that these rules lead to; none if the rules bar men from returning.
    pub fn new(rules: &Rules) -> Option<Endgames> {
        let rules = &relevant(rules)?;
        let pairs: Vec<(usize, usize)> = (2 * FEWEST..=2 * MOST)
            .flat_map(|sum| (FEWEST..=MOST).map(move |more| (more, sum.saturating_sub(more))))
            .filter(|&(more, less)| more >= less && less >= FEWEST)
            .collect();
        let units = pairs.iter().map(|&(more, less)| Unit::new(more, less, &pairs)).collect();
        Some(Endgames { rules: *rules, units })
    }

    /// Gets ready to number positions, in a thread of its own.
    pub(crate) fn prepare() {
        index::prepare();
    }

    /// The unit of so many men a side, in either order.
    pub fn unit(&self, men: (usize, usize)) -> Option<usize> {
        self.units.iter().position(|unit| unit.men == (men.0.max(men.1), men.0.min(men.1)))
    }

    /// The men a side of a unit, the larger number first.
    pub fn men(&self, unit: usize) -> (usize, usize) {
        self.units[unit].men
    }

    /// Where a position lies, if it is an endgame of this kind.
    pub fn locate(&self, position: &Position) -> Option<(usize, u64)> {
        if position.hand(Side::White) + position.hand(Side::Black) > 0
            || relevant(&position.rules()) != Some(self.rules)
        {
            return None;
        }
        let (own, other) = (position.own(), position.other());
        let men = (own.count_ones() as usize, other.count_ones() as usize);
        let unit = self.unit(men)?;
        let part = self.units[unit].parts.iter().find(|part| part.own == men.0)?;
        Some((unit, part.offset + part.index.of(own, other)))
    }

    /// A position of a state, White to move.
    pub fn position(&self, unit: usize, index: u64) -> Position {
        let state = self.placed(unit, index);
        let men = [state.block.kind.set, state.second];
        Position::new(self.rules, men, [0; 2], Side::White, 0, Default::default())
    }

    #[inline(always)]
    fn placed(&self, unit: usize, number: u64) -> Placed<'_> {
        let parts = &self.units[unit].parts;
        let part = if parts.len() > 1 && number >= parts[1].offset { &parts[1] } else { &parts[0] };
        let (block, second) = part.index.placement(number - part.offset);
        Placed { part, block, second }
    }

    /// The part of the states that a seat numbered within `part` stands for: there the second men move.
    #[inline(always)]
    fn movers(&self, unit: usize, part: &Part) -> &Part {
        &self.units[unit].parts[part.next]
    }

    fn flies(&self, men: usize) -> bool {
        men == FEWEST && self.rules.flying
    }

    /// Visits every way of the men `own` onto free points: the man's point, and its quiet and its closing targets.
    #[inline(always)]
    fn ways(&self, own: u32, other: u32, mut visit: impl FnMut(u32, u32, u32)) {
        let empty = ALL & !own & !other;
        let flies = self.flies(own.count_ones() as usize);
        for man in points(own).map(|p| p.bit()) {
            let targets = if flies { empty } else { board::neighbours(man) & empty };
            if targets != 0 {
                let closing = board::closers(own & !man) & targets;
                visit(man, targets & !closing, closing);
            }
        }
    }
}

impl Unit {
    fn new(more: usize, less: usize, pairs: &[(usize, usize)]) -> Unit {
        let smaller = |own: usize, other: usize| {
            // After the removal the other side, with a man less, is to move against `own`.
            let men = (own.max(other - 1), own.min(other - 1));
            let unit = pairs.iter().position(|&pair| pair == men)?;
            Some((unit, usize::from(other - 1 < own)))
        };
        let part = |own: usize, other: usize, offset: u64, next: usize| Part {
            index: Index::new(own, other),
            offset,
            own,
            next,
            smaller: smaller(own, other),
        };
        let mut parts = vec![part(more, less, 0, usize::from(more != less))];
        if more != less {
            parts.push(part(less, more, parts[0].index.size(), 0));
        }
        Unit { men: (more, less), parts }
    }
}

impl Space for Endgames {
    fn name(&self) -> String {
        let removal = if self.rules.remove_any { "any" } else { "protected" };
        format!("morris-{removal}-{}", if self.rules.flying { "flying" } else { "sliding" })
    }

    fn units(&self) -> usize {
        self.units.len()
    }

    fn label(&self, unit: usize) -> String {
        let (more, less) = self.units[unit].men;
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
        self.units[unit].parts.iter().map(|part| part.index.size()).sum()
    }

    fn exits(&self, unit: usize, seat: u64, mut visit: impl FnMut(Exit)) -> u32 {
        let Placed { part, block, second: own } = self.placed(unit, seat);
        let other = block.kind.set;
        let mut stays = 0;
        let mut closings = [0; POINTS * FEWEST];
        let mut count = 0;
        self.ways(own, other, |man, quiet, closing| {
            stays += quiet.count_ones();
            for to in points(closing) {
                closings[count] = own ^ man | to.bit();
                count += 1;
            }
        });
        if count == 0 {
            return stays;
        }
        let Some((unit, which)) = self.movers(unit, part).smaller else {
            closings[..count].iter().for_each(|_| visit(Exit::Won));
            return stays;
        };
        let next = &self.units[unit].parts[which];
        for man in points(removable(&self.rules, other)) {
            let Form { class, symmetry } = next.index.form(other & !man.bit());
            let block = next.index.block(class);
            for &own in &closings[..count] {
                visit(Exit::To { unit, index: next.offset + block.number(image(symmetry, own)) });
            }
        }
        stays
    }

    fn steps(&self, unit: usize, seat: u64, mut visit: impl FnMut(u64)) {
        let Placed { part, block, second: own } = self.placed(unit, seat);
        let men = block.pack(own);
        self.ways(own, block.kind.set, |man, quiet, _| {
            for to in points(quiet) {
                visit(part.offset + block.moved(men, man, to.bit()));
            }
        });
    }

    fn unsteps(&self, unit: usize, state: u64, mut visit: impl FnMut(u64)) {
        let Placed { part, block, second: moved } = self.placed(unit, state);
        let empty = ALL & !block.kind.set & !moved;
        let flies = self.flies(moved.count_ones() as usize);
        let men = block.pack(moved);
        // A man in a mill would have closed it.
        for man in points(moved & !board::in_mills(moved)).map(|p| p.bit()) {
            let origins = if flies { empty } else { board::neighbours(man) & empty };
            for origin in points(origins) {
                visit(part.offset + block.moved(men, man, origin.bit()));
            }
        }
    }

    fn seated(&self, unit: usize, seat: u64, mut visit: impl FnMut(u64)) {
        let Placed { part, block, second: own } = self.placed(unit, seat);
        let part = self.movers(unit, part);
        let Form { class, symmetry } = part.index.form(own);
        let (other, states) = (image(symmetry, block.kind.set), part.index.block(class));
        visit(part.offset + states.number(other));
        // Men that are symmetric in themselves have several states of the same placement.
        for g in (1..SYMMETRIES).filter(|g| states.kind.stabiliser >> g & 1 != 0) {
            visit(part.offset + states.number(image(g, other)));
        }
    }

    fn standing(&self, unit: usize, state: u64) -> Standing {
        let Placed { part, block, second } = self.placed(unit, state);
        let Kind { set: first, stabiliser } = block.kind;
        let number = state - part.offset;
        let images = (1..SYMMETRIES).filter(|g| stabiliser >> g & 1 != 0);
        if images.into_iter().any(|g| block.number(image(g, second)) < number) {
            return Standing::Image;
        }
        // Every closing of mills has taken a man from the other side.
        let room = |own: u32, other: u32| board::closings(own) + other.count_ones() <= u32::from(MEN);
        if room(first, second) && room(second, first) { Standing::Own } else { Standing::Unreachable }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Game;
    use search::endgame::{Library, Value};

    #[test]
    fn moves_and_ways_back_match_one_to_one() {
        let space = Endgames::new(&Rules::STANDARD).unwrap();
        for men in [(3, 3), (4, 3), (4, 4), (5, 3)] {
            let unit = space.unit(men).unwrap();
            let mut forwards: Vec<(u64, u64)> = Vec::new();
            let mut backwards: Vec<(u64, u64)> = Vec::new();
            // A sample of the states: all that an eleventh part of them can reach, and the ways back into it.
            let chosen = |state: u64| search::zobrist::mix(state).is_multiple_of(11);
            for number in 0..space.states(unit) {
                space.steps(unit, number, |next| {
                    if chosen(next) {
                        forwards.push((number, next));
                    }
                });
                if chosen(number) {
                    space.unsteps(unit, number, |before| backwards.push((before, number)));
                }
            }
            forwards.sort_unstable();
            backwards.sort_unstable();
            assert!(forwards == backwards, "{men:?}: {} {}", forwards.len(), backwards.len());
        }
    }

    /// A name that all images of a state share.
    fn class(space: &Endgames, unit: usize, index: u64) -> (u32, u32) {
        let position = space.position(unit, index);
        let men = (position.men(Side::White), position.men(Side::Black));
        (0..SYMMETRIES).map(|g| (image(g, men.0), image(g, men.1))).min().unwrap()
    }

    #[test]
    fn moves_of_states_are_the_moves_of_positions() {
        const WON: (u32, u32) = (0, 0);
        for rules in [Rules::STANDARD, Rules { remove_any: true, flying: false, ..Rules::STANDARD }] {
            let space = Endgames::new(&rules).unwrap();
            for seed in 0..20_000 {
                let unit = seed as usize % space.units();
                let seat = search::zobrist::mix(seed) % space.states(unit);
                let mut states = Vec::new();
                space.seated(unit, seat, |state| states.push(state));
                let position = space.position(unit, states[seed as usize % states.len()]);
                let mut found = Vec::new();
                let stays = space.exits(unit, seat, |exit| match exit {
                    Exit::Won => found.push(WON),
                    Exit::To { unit, index } => found.push(class(&space, unit, index)),
                });
                let leaving = found.len();
                space.steps(unit, seat, |index| found.push(class(&space, unit, index)));
                assert_eq!(found.len(), leaving + stays as usize);
                let moves = position.list();
                let mut expected: Vec<_> = moves
                    .iter()
                    .map(|&m| {
                        let next = position.after(m);
                        space.locate(&next).map_or(WON, |(unit, index)| class(&space, unit, index))
                    })
                    .collect();
                // A mill against three men wins whichever it removes.
                if space.men(unit).1 == 3 || space.men(unit).0 == 3 {
                    found.dedup_by(|a, b| *a == WON && *a == *b);
                    expected.sort_unstable();
                    expected.dedup_by(|a, b| *a == WON && *a == *b);
                }
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "{position}");
            }
        }
    }

    #[test]
    fn the_smallest_unit_is_solved_and_proven() {
        let directory = tempfile::tempdir().unwrap();
        let (mut library, _) = Library::open(Endgames::new(&Rules::STANDARD).unwrap(), directory.path());
        library.build(0, search::endgame::Format::Distance, &|_| {}).unwrap();
        library.verify(0, &|_| {}).unwrap();
        // White flies into a mill at once.
        let position = Position::read(&Rules::STANDARD, "ww...w../b...b.../......b. w 0 0 0 -").unwrap();
        let (unit, index) = library.space().locate(&position).unwrap();
        assert_eq!(library.value(unit, index), Value::after(1));
    }
}
