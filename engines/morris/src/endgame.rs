//! The endgames of morris, and the placing phase that leads to them: three to nine men a side, no memory of where men
//! came from.
//!
//! A unit of the moving phase holds all placements of so many men of one side and so many of the other, whichever is
//! to move: 28 units from 3-3 to 9-9. Closing a mill leaves the unit for the one with a man less; every other move
//! stays. A unit of the placing phase holds the positions with so many men on the board and in hand of the side to
//! move and of the other, as games from the empty board lead to; every move leaves it for one with a man less in hand.
//!
//! A state is numbered by the men of its side to move, then by the others; its seat by the men of the side not to
//! move, then by those that move. So all states that quiet moves lead to from a seat, and all seats from which they
//! lead to a state, share the class of the men that stand still and lie in one block of a few thousand numbers.

use search::endgame::{Exit, Space, Standing};
use search::{Game, Side};

use crate::board::{self, ALL, POINTS, SYMMETRIES, image, points};
use crate::moves::removable;
use crate::position::{MEN, NoReturn};
use crate::{Position, Rules};
use index::{Block, Form, Index, Kind};

pub(crate) mod index;

const FEWEST: usize = 3;
const MOST: usize = MEN as usize;
/// In place of a unit where there is none.
const NOWHERE: u16 = u16::MAX;

/// The endgames under rules without a ban on returning.
pub struct Endgames {
    rules: Rules,
    units: Vec<Unit>,
    /// The unit and part of so many men, by the digits of [`Men::number`], or `NOWHERE`.
    numbers: Vec<u16>,
}

/// Men of the side to move and of the other, on the board and in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Men {
    board: [usize; 2],
    hand: [usize; 2],
}

/// One unit and its numbers.
struct Unit {
    /// Of the part of its states that comes first.
    men: Men,
    /// In the moving phase the side with more men to move, then that with fewer; otherwise only one part.
    states: Vec<Numbers>,
    seats: Vec<Seats>,
}

/// A run of numbers within a unit.
#[derive(Clone, Copy)]
struct Numbers {
    index: Index,
    /// The first of them.
    offset: u64,
}

/// A part of a unit: the unit's number and the part's.
type Part = (usize, usize);

/// Seats on which the same side of the unit stands still.
struct Seats {
    numbers: Numbers,
    /// Which of the states they stand for.
    movers: usize,
    /// Where placing a man leads that closes no mill; none in the moving phase, where such moves stay.
    placed: Option<Part>,
    /// Where removing a man leads; none if that wins.
    smaller: Option<Part>,
}

/// The rules as far as these endgames know them; two mills never close at once by sliding or flying.
fn relevant(rules: &Rules) -> Option<Rules> {
    let Rules { remove_any, flying, no_return, .. } = *rules;
    (no_return == NoReturn::Off).then_some(Rules { remove_any, flying, ..Rules::STANDARD })
}

impl Men {
    fn of(position: &Position) -> Men {
        let (us, them) = (position.turn(), !position.turn());
        Men {
            board: [position.own(), position.other()].map(|men| men.count_ones() as usize),
            hand: [us, them].map(|side| position.hand(side) as usize),
        }
    }

    fn number(self) -> usize {
        let Men { board: [own, other], hand: [own_hand, other_hand] } = self;
        [own_hand, other_hand, own, other].iter().fold(0, |number, &digit| number * (MOST + 1) + digit)
    }

    /// Of a side, on the board and in hand.
    fn total(self, side: usize) -> usize {
        self.board[side] + self.hand[side]
    }

    fn is_placing(self) -> bool {
        self.hand[0] > 0
    }

    /// What the other side finds after a move that removes so many men; none if it has lost.
    fn after(self, removed: usize) -> Option<Men> {
        let placed = usize::from(self.is_placing());
        let Men { board: [own, other], hand: [own_hand, other_hand] } = self;
        let left = other.checked_sub(removed)?;
        let next = Men { board: [left, own + placed], hand: [other_hand, own_hand - placed] };
        (next.total(0) >= FEWEST).then_some(next)
    }

    /// All that a game can lead to, in an order in which every move leads back: the moving phase from 3-3 on, the side
    /// with more men to move, then the placing phase from its end to the empty board.
    fn all() -> impl Iterator<Item = Men> {
        let moving = (2 * FEWEST..=2 * MOST)
            .flat_map(|sum| (FEWEST..=MOST).map(move |more| [more, sum.saturating_sub(more)]))
            .filter(|&[more, less]| more >= less && less >= FEWEST)
            .map(|board| Men { board, hand: [0; 2] });
        // Before the last man is placed, before the last but one, ...
        let hands = (1..=MOST).flat_map(|hand| [[hand, hand - 1], [hand; 2]]);
        moving.chain(hands.flat_map(Men::placing))
    }

    fn placing(hand: [usize; 2]) -> impl Iterator<Item = Men> {
        let placed = hand.map(|hand| MOST - hand);
        // Who places men closes no mill with the first two.
        let fewest = [0, 1].map(|side| placed[side].saturating_sub(placed[1 - side].saturating_sub(2)));
        let boards = (fewest[0]..=placed[0])
            .flat_map(move |own| (fewest[1]..=placed[1]).map(move |other| [own, other]));
        boards.map(move |board| Men { board, hand }).filter(|men| men.total(0).min(men.total(1)) >= FEWEST)
    }
}

impl Endgames {
    /// The endgames that these rules lead to; none if the rules bar men from returning.
    pub fn new(rules: &Rules) -> Option<Endgames> {
        let mut space = Endgames {
            rules: *relevant(rules).as_ref()?,
            units: Vec::new(),
            numbers: vec![NOWHERE; (MOST + 1).pow(4)],
        };
        for men in Men::all() {
            let number = space.units.len();
            space.numbers[men.number()] = 2 * number as u16;
            let turned = Men { board: [men.board[1], men.board[0]], ..men };
            if !men.is_placing() && turned != men {
                space.numbers[turned.number()] = 2 * number as u16 + 1;
            }
            let unit = Unit::new(men, &space);
            space.units.push(unit);
        }
        Some(space)
    }

    /// Gets ready to number positions, in a thread of its own.
    pub(crate) fn prepare() {
        index::prepare();
    }

    /// The unit of the moving phase with so many men a side, in either order.
    pub fn unit(&self, men: (usize, usize)) -> Option<usize> {
        let men = Men { board: [men.0, men.1], hand: [0; 2] };
        (men.board.iter().all(|side| (FEWEST..=MOST).contains(side)))
            .then(|| self.part(men))
            .flatten()
            .map(|(unit, _)| unit)
    }

    /// The men a side of a unit, those in hand included, the larger number first.
    pub fn men(&self, unit: usize) -> (usize, usize) {
        let men = self.units[unit].men;
        let (own, other) = (men.total(0), men.total(1));
        (own.max(other), own.min(other))
    }

    /// The men that both sides of a unit have in hand.
    pub fn in_hand(&self, unit: usize) -> usize {
        self.units[unit].men.hand.iter().sum()
    }

    fn part(&self, men: Men) -> Option<Part> {
        let part = self.numbers[men.number()];
        (part != NOWHERE).then_some((usize::from(part / 2), usize::from(part % 2)))
    }

    /// The part of a position, if it is one of these.
    pub(crate) fn find(&self, position: &Position) -> Option<Part> {
        let part = self.part(Men::of(position))?;
        let rules = position.rules();
        // Placing a man can close two mills at once, which these endgames take for one.
        let is_known =
            relevant(&rules) == Some(self.rules) && !(rules.double_removal && self.in_hand(part.0) > 0);
        is_known.then_some(part)
    }

    /// The state of a position within a part.
    pub(crate) fn state(&self, (unit, part): Part, position: &Position) -> u64 {
        let Numbers { index, offset } = self.units[unit].states[part];
        offset + index.of(position.own(), position.other())
    }

    /// Where a position lies, if it is one of these.
    pub fn locate(&self, position: &Position) -> Option<(usize, u64)> {
        let part = self.find(position)?;
        Some((part.0, self.state(part, position)))
    }

    /// A position of a state, White to move.
    pub fn position(&self, unit: usize, index: u64) -> Position {
        let unit = &self.units[unit];
        let (_, block, second) = apart(&unit.states, |numbers| *numbers, index);
        let hand = unit.men.hand.map(|men| men as u8);
        Position::new(self.rules, [block.kind.set, second], hand, Side::White, 0, Default::default())
    }

    fn flies(&self, men: usize) -> bool {
        men == FEWEST && self.rules.flying
    }

    /// Visits every way of the men `own` onto free points: the man's point, or none for one from the hand, and its quiet
    /// and its closing targets.
    #[inline(always)]
    fn ways(&self, placing: bool, own: u32, other: u32, mut visit: impl FnMut(u32, u32, u32)) {
        let empty = ALL & !own & !other;
        if placing {
            let closing = board::closers(own) & empty;
            return visit(0, empty & !closing, closing);
        }
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
    fn new(men: Men, space: &Endgames) -> Unit {
        let [own, other] = men.board;
        let numbers = |own, other, offset| Numbers { index: Index::new(own, other), offset };
        // Seats on which the side not to move of so many men stands still.
        let seats = |men: Men, movers, offset| Seats {
            numbers: numbers(men.board[1], men.board[0], offset),
            movers,
            placed: men.after(0).filter(|_| men.is_placing()).and_then(|men| space.part(men)),
            smaller: men.after(1).and_then(|men| space.part(men)),
        };
        let mut unit = Unit { men, states: vec![numbers(own, other, 0)], seats: Vec::new() };
        if men.is_placing() || own == other {
            unit.seats.push(seats(men, 0, 0));
        } else {
            let turned = Men { board: [other, own], ..men };
            let offset = unit.states[0].index.size();
            unit.states.push(numbers(other, own, offset));
            unit.seats = vec![seats(turned, 1, 0), seats(men, 0, offset)];
        }
        unit
    }
}

/// Takes a number apart: which of the parts it belongs to, the block of the first men, who are the representative of
/// their class, and the second men, who stand among them.
#[inline(always)]
fn apart<T>(parts: &[T], numbers: impl Fn(&T) -> Numbers, number: u64) -> (&T, Block, u32) {
    let part = match parts {
        [_, second] if number >= numbers(second).offset => second,
        _ => &parts[0],
    };
    let Numbers { index, offset } = numbers(part);
    let (block, second) = index.placement(number - offset);
    (part, block, second)
}

impl Space for Endgames {
    fn name(&self) -> String {
        let removal = if self.rules.remove_any { "any" } else { "protected" };
        format!("morris-{removal}-{}", if self.rules.flying { "flying" } else { "sliding" })
    }

    fn units(&self) -> usize {
        self.units.len()
    }

    /// Men on the board, `6-4`; in the placing phase those of the side to move first, then those in hand: `4-3+5-5`.
    fn label(&self, unit: usize) -> String {
        let Men { board: [own, other], hand } = self.units[unit].men;
        match hand {
            [0, 0] => format!("{own}-{other}"),
            [own_hand, other_hand] => format!("{own}-{other}+{own_hand}-{other_hand}"),
        }
    }

    fn needs(&self, unit: usize) -> Vec<usize> {
        let leads = |seats: &Seats| [seats.placed, seats.smaller];
        let mut needs: Vec<usize> =
            self.units[unit].seats.iter().flat_map(leads).flatten().map(|(unit, _)| unit).collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    fn states(&self, unit: usize) -> u64 {
        self.units[unit].states.iter().map(|numbers| numbers.index.size()).sum()
    }

    fn seats(&self, unit: usize) -> u64 {
        self.units[unit].seats.iter().map(|seats| seats.numbers.index.size()).sum()
    }

    fn text(&self, unit: usize, state: u64) -> String {
        self.position(unit, state).to_string()
    }

    fn exits(&self, unit: usize, seat: u64, mut visit: impl FnMut(Exit)) -> u32 {
        let placing = self.units[unit].men.is_placing();
        let (seats, block, own) = self.seat(unit, seat);
        let other = block.kind.set;
        let mut stays = 0;
        let mut closings = [0; POINTS * FEWEST];
        let mut count = 0;
        self.ways(placing, own, other, |man, quiet, closing| {
            match seats.placed {
                None => stays += quiet.count_ones(),
                Some((unit, part)) => {
                    let Numbers { index, offset } = self.units[unit].states[part];
                    let (block, men) = (index.block(block.class()), block.pack(own));
                    for to in points(quiet) {
                        visit(Exit::To { unit, index: offset + block.joined(men, to.bit()) });
                    }
                }
            }
            for to in points(closing) {
                closings[count] = own ^ man | to.bit();
                count += 1;
            }
        });
        if count == 0 {
            return stays;
        }
        let Some((unit, part)) = seats.smaller else {
            closings[..count].iter().for_each(|_| visit(Exit::Won));
            return stays;
        };
        let Numbers { index, offset } = self.units[unit].states[part];
        for man in points(removable(&self.rules, other)) {
            let Form { class, symmetry } = index.form(other & !man.bit());
            let block = index.block(class);
            for &own in &closings[..count] {
                visit(Exit::To { unit, index: offset + block.number(image(symmetry, own)) });
            }
        }
        stays
    }

    fn steps(&self, unit: usize, seat: u64, mut visit: impl FnMut(u64)) {
        if self.units[unit].men.is_placing() {
            return;
        }
        let (seats, block, own) = self.seat(unit, seat);
        let men = block.pack(own);
        self.ways(false, own, block.kind.set, |man, quiet, _| {
            for to in points(quiet) {
                visit(seats.numbers.offset + block.moved(men, man, to.bit()));
            }
        });
    }

    fn unsteps(&self, unit: usize, state: u64, mut visit: impl FnMut(u64)) {
        if self.units[unit].men.is_placing() {
            return;
        }
        let (numbers, block, moved) = apart(&self.units[unit].states, |numbers| *numbers, state);
        let empty = ALL & !block.kind.set & !moved;
        let flies = self.flies(moved.count_ones() as usize);
        let men = block.pack(moved);
        // A man in a mill would have closed it.
        for man in points(moved & !board::in_mills(moved)).map(|p| p.bit()) {
            let origins = if flies { empty } else { board::neighbours(man) & empty };
            for origin in points(origins) {
                visit(numbers.offset + block.moved(men, man, origin.bit()));
            }
        }
    }

    fn seated(&self, unit: usize, seat: u64, mut visit: impl FnMut(u64)) {
        let (seats, block, own) = self.seat(unit, seat);
        let Numbers { index, offset } = self.units[unit].states[seats.movers];
        let Form { class, symmetry } = index.form(own);
        let (other, states) = (image(symmetry, block.kind.set), index.block(class));
        visit(offset + states.number(other));
        // Men that are symmetric in themselves have several states of the same placement.
        for g in (1..SYMMETRIES).filter(|g| states.kind.stabiliser >> g & 1 != 0) {
            visit(offset + states.number(image(g, other)));
        }
    }

    fn standing(&self, unit: usize, state: u64) -> Standing {
        let unit = &self.units[unit];
        let (numbers, block, second) = apart(&unit.states, |numbers| *numbers, state);
        let Kind { set: first, stabiliser } = block.kind;
        let number = state - numbers.offset;
        let images = (1..SYMMETRIES).filter(|g| stabiliser >> g & 1 != 0);
        if images.into_iter().any(|g| block.number(image(g, second)) < number) {
            return Standing::Image;
        }
        // Every closing of mills has taken a man from the other side.
        let [own_hand, other_hand] = unit.men.hand;
        let room = |own: u32, other: u32, hand| {
            board::closings(own) as usize + other.count_ones() as usize + hand <= MOST
        };
        if room(first, second, other_hand) && room(second, first, own_hand) {
            Standing::Own
        } else {
            Standing::Unreachable
        }
    }
}

impl Endgames {
    #[inline(always)]
    fn seat(&self, unit: usize, seat: u64) -> (&Seats, Block, u32) {
        apart(&self.units[unit].seats, |seats| seats.numbers, seat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
                let seat = search::zobrist::mix(seed) % space.seats(unit);
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
                        let place = space.locate(&next);
                        assert_eq!(
                            place.is_none(),
                            next.count() == 0 && next.total(Side::Black) < 3,
                            "{next}"
                        );
                        place.map_or(WON, |(unit, index)| class(&space, unit, index))
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
