//! The endgames of morris: both hands empty, three to nine men a side, no memory of where men came from.
//!
//! A unit holds all placements of so many men of one side and so many of the other, whichever is to move: 28 units
//! from 3-3 to 9-9. Closing a mill leaves the unit for the one with a man less; every other move stays.

use search::Side;
use search::endgame::{Exit, Space};

use crate::board::{self, ALL, POINTS, SYMMETRIES, image, points};
use crate::moves::removable;
use crate::position::{MEN, NoReturn};
use crate::{Position, Rules};
use index::{Form, Index, Kind};

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

/// A state taken apart: the side to move's men are the representative of their class.
struct State<'a> {
    part: &'a Part,
    class: usize,
    own: Kind,
    other: u32,
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
        let state = self.state(unit, index);
        let men = [state.own.set, state.other];
        Position::new(self.rules, men, [0; 2], Side::White, 0, Default::default())
    }

    fn state(&self, unit: usize, index: u64) -> State<'_> {
        let parts = &self.units[unit].parts;
        let part = if parts.len() > 1 && index >= parts[1].offset { &parts[1] } else { &parts[0] };
        let (class, other) = part.index.placement(index - part.offset);
        State { part, class, own: part.index.kind(class), other }
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

    fn exits(&self, unit: usize, index: u64, mut visit: impl FnMut(Exit)) -> u32 {
        let State { part, own, other, .. } = self.state(unit, index);
        let mut stays = 0;
        let mut closings = [0; POINTS * FEWEST];
        let mut count = 0;
        self.ways(own.set, other, |man, quiet, closing| {
            stays += quiet.count_ones();
            for to in points(closing) {
                closings[count] = own.set ^ man | to.bit();
                count += 1;
            }
        });
        if count == 0 {
            return stays;
        }
        let Some((unit, which)) = part.smaller else {
            closings[..count].iter().for_each(|_| visit(Exit::Won));
            return stays;
        };
        let next = &self.units[unit].parts[which];
        for man in points(removable(&self.rules, other)) {
            let Form { class, symmetry } = next.index.form(other & !man.bit());
            let kind = next.index.kind(class);
            for &own in &closings[..count] {
                let number = next.index.number(class, kind, image(symmetry, own));
                visit(Exit::To { unit, index: next.offset + number });
            }
        }
        stays
    }

    fn steps(&self, unit: usize, index: u64, mut visit: impl FnMut(u64)) {
        let State { part, own, other, .. } = self.state(unit, index);
        let next = &self.units[unit].parts[part.next];
        // All moves lead to the same class of the opponent's men, so the board is turned once.
        let Form { class, symmetry } = next.index.form(other);
        let kind = next.index.kind(class);
        let own = image(symmetry, own.set);
        self.ways(own, kind.set, |man, quiet, _| {
            for to in points(quiet) {
                visit(next.offset + next.index.number(class, kind, own ^ man | to.bit()));
            }
        });
    }

    fn unsteps(&self, unit: usize, index: u64, mut visit: impl FnMut(u64)) {
        let State { part, class, own, other } = self.state(unit, index);
        let before = &self.units[unit].parts[part.next];
        if own.stabiliser == 1 {
            return self.back(before, own.set, other, |number, _| visit(before.offset + number));
        }
        // The side to move's men are symmetric: of the forms that lie before this one some lead to a sister.
        let mut numbers = Vec::new();
        self.back(before, own.set, other, |number, turned| {
            let (mover, waiting) = turned;
            let form = part.index.form(waiting);
            debug_assert_eq!(form.class, class);
            if image(form.symmetry, mover) == other {
                numbers.push(number);
            }
        });
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().for_each(|number| visit(before.offset + number));
    }
}

impl Endgames {
    /// Visits each form of each placement from which the men `moved` could have come by a quiet move, with the
    /// men that moved (as they stand now) and those that wait, both turned as in that form.
    #[inline(always)]
    fn back(&self, before: &Part, waiting: u32, moved: u32, mut visit: impl FnMut(u64, (u32, u32))) {
        let empty = ALL & !waiting & !moved;
        let flies = self.flies(before.own);
        // A man in a mill would have closed it.
        for man in points(moved & !board::in_mills(moved)).map(|p| p.bit()) {
            let origins = if flies { empty } else { board::neighbours(man) & empty };
            for origin in points(origins) {
                let Form { class, symmetry } = before.index.form(moved ^ man | origin.bit());
                let kind = before.index.kind(class);
                for g in (0..SYMMETRIES).filter(|g| kind.stabiliser >> g & 1 != 0) {
                    let turned = image(g, image(symmetry, waiting));
                    let number = before.index.number(class, kind, turned);
                    visit(number, (image(g, image(symmetry, moved)), turned));
                }
            }
        }
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
            for state in 0..space.states(unit) {
                space.steps(unit, state, |next| {
                    if chosen(next) {
                        forwards.push((state, next));
                    }
                });
                if chosen(state) {
                    space.unsteps(unit, state, |before| backwards.push((before, state)));
                }
            }
            forwards.sort_unstable();
            backwards.sort_unstable();
            assert!(forwards == backwards, "{men:?}: {} {}", forwards.len(), backwards.len());
        }
    }

    #[test]
    fn moves_of_states_are_the_moves_of_positions() {
        for rules in [Rules::STANDARD, Rules { remove_any: true, flying: false, ..Rules::STANDARD }] {
            let space = Endgames::new(&rules).unwrap();
            for seed in 0..20_000 {
                let unit = seed as usize % space.units();
                let state = search::zobrist::mix(seed) % space.states(unit);
                let position = space.position(unit, state);
                let mut found = Vec::new();
                let stays = space.exits(unit, state, |exit| match exit {
                    Exit::Won => found.push((usize::MAX, 0)),
                    Exit::To { unit, index } => found.push((unit, index)),
                });
                let leaving = found.len();
                space.steps(unit, state, |index| found.push((unit, index)));
                assert_eq!(found.len(), leaving + stays as usize);
                let mut moves = Vec::new();
                position.moves(&mut moves);
                let mut expected: Vec<_> = moves
                    .iter()
                    .map(|&m| {
                        let mut next = position;
                        next.play(m);
                        space.locate(&next).unwrap_or((usize::MAX, 0))
                    })
                    .collect();
                // A mill against three men wins whichever it removes.
                if space.men(unit).1 == 3 || space.men(unit).0 == 3 {
                    found.dedup_by(|a, b| a.0 == usize::MAX && *a == *b);
                    expected.sort_unstable();
                    expected.dedup_by(|a, b| a.0 == usize::MAX && *a == *b);
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
