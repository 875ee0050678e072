//! Endgame databases: exact values of whole sets of positions, by retrograde analysis.
//!
//! A game cuts its endgames into units that are solved one after the other and numbers the states of each
//! ([`Space`]). Every state is seen from its side to move, so a unit holds the states of both sides; moves either
//! stay in the unit or leave it for one solved before, as captures and promotions do.
//!
//! | question | file |
//! |---|---|
//! | how is a unit solved? | `endgame/solve.rs` |
//! | how do we know that it is right? | `endgame/verify.rs` |
//! | how does it lie on disk? | `endgame/file.rs`, `endgame/map.rs` |
//! | how is it packed? | `endgame/blocks.rs` with distances, `endgame/compact.rs` without |
//! | which units are there, and which come next? | `endgame/library.rs` |
//! | what will a build take? | `endgame/needs.rs` |
//!
//! Stroehlein, "Untersuchungen ueber kombinatorische Spiele", 1970; Gasser, "Solving Nine Men's Morris", 1996.

use std::fmt;

mod blocks;
mod compact;
pub mod file;
pub mod library;
mod map;
pub mod needs;
pub mod solve;
pub mod verify;

pub use file::{FileError, Format, Table};
pub use library::{BuildError, Builder, Library};
pub use needs::Needs;

/// Where a move leads that leaves its unit; seen by the opponent, who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The opponent has lost.
    Won,
    /// A state of a unit solved before.
    To {
        /// The unit.
        unit: usize,
        /// The state's number in it.
        index: u64,
    },
}

/// What a state is among the positions of its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A position of its own.
    Own,
    /// A position that another state stands for as well.
    Image,
    /// No game leads to it.
    Unreachable,
}

/// The endgames of a game under certain rules: units of numbered states and the moves between them.
///
/// A state's moves are looked up by its *seat*: a second number, chosen so that the seats before any one state lie
/// close together. Where a game does not care, the seat is the state's own number. Positions that are one another's
/// images may share states and seats in any way, as long as each seat knows all states of its images, and as many steps
/// lead from a seat to a state as ways back from it to the seat.
pub trait Space: Sync {
    /// The game and its rules, in words that make a file name: `morris-standard`.
    fn name(&self) -> String;
    /// The number of units; a unit's moves leave it only for lower numbers.
    fn units(&self) -> usize;
    /// The unit in words that make a file name: `6-4`.
    fn label(&self, unit: usize) -> String;
    /// The units that moves of this one lead to.
    fn needs(&self, unit: usize) -> Vec<usize>;
    /// The number of states of a unit.
    fn states(&self, unit: usize) -> u64;
    /// The number of seats of a unit.
    fn seats(&self, unit: usize) -> u64 {
        self.states(unit)
    }
    /// The position of a state as people write it.
    fn text(&self, unit: usize, state: u64) -> String;
    /// Visits every move of a seat that leaves the unit, and returns the number of those that stay, at most 250.
    fn exits(&self, unit: usize, seat: u64, visit: impl FnMut(Exit)) -> u32;
    /// Visits the state after every move of a seat that stays in the unit.
    fn steps(&self, unit: usize, seat: u64, visit: impl FnMut(u64));
    /// Visits every seat from which a move that stays in the unit leads to a state, once for each such move.
    fn unsteps(&self, unit: usize, state: u64, visit: impl FnMut(u64));
    /// Visits every state that a seat stands for, images included.
    fn seated(&self, _unit: usize, seat: u64, mut visit: impl FnMut(u64)) {
        visit(seat);
    }
    /// What a state counts as when positions are counted.
    fn standing(&self, _unit: usize, _state: u64) -> Standing {
        Standing::Own
    }
}

/// The value of a state for its side to move, with the distance to the end of the game in plies.
///
/// The loser is always to move at the end, so a win takes an odd number of plies and a loss an even one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(u16);

impl Value {
    /// Nobody can force a win.
    pub const DRAW: Value = Value(u16::MAX);
    /// The side to move has lost already.
    pub const LOST: Value = Value(0);
    /// The side to move wins with its next move; any win where no distances are kept.
    pub const WON: Value = Value(1);
    /// The longest distance that can be told.
    pub const DEEPEST: u16 = u16::MAX - 1;
    /// A draw in one byte.
    const DRAW_BYTE: u8 = u8::MAX;
    /// The longest distance in one byte.
    const DEEPEST_BYTE: u8 = 253;

    /// The value that lies so many plies from the end; none beyond [`Value::DEEPEST`].
    pub fn after(plies: u32) -> Option<Value> {
        u16::try_from(plies).ok().filter(|&plies| plies <= Value::DEEPEST).map(Value)
    }

    /// The value that a byte tells; none for a byte that no value has.
    pub(crate) fn told(byte: u8) -> Option<Value> {
        match byte {
            Value::DRAW_BYTE => Some(Value::DRAW),
            plies => (plies <= Value::DEEPEST_BYTE).then_some(Value(u16::from(plies))),
        }
    }

    /// The value in one byte; none if it lies too far from the end for that.
    pub(crate) fn byte(self) -> Option<u8> {
        match self {
            Value::DRAW => Some(Value::DRAW_BYTE),
            Value(plies) => u8::try_from(plies).ok().filter(|&plies| plies <= Value::DEEPEST_BYTE),
        }
    }

    pub(crate) fn from_code(code: u16) -> Value {
        Value(code)
    }

    pub(crate) fn code(self) -> u16 {
        self.0
    }

    /// Plies to the end; none for a draw.
    pub fn plies(self) -> Option<u32> {
        (self != Value::DRAW).then_some(u32::from(self.0))
    }

    /// Whether the side to move wins.
    pub fn is_win(self) -> bool {
        self != Value::DRAW && self.0 % 2 == 1
    }

    /// Whether the side to move loses.
    pub fn is_loss(self) -> bool {
        self != Value::DRAW && self.0.is_multiple_of(2)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            None => f.write_str("draw"),
            Some(plies) => write!(f, "{} in {plies}", if self.is_win() { "win" } else { "loss" }),
        }
    }
}

/// What the moves of a state are worth to its side to move, taken together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prospect {
    /// The quickest win.
    win: Option<u32>,
    /// Some move draws.
    draws: bool,
    /// The longest resistance among losing moves; 0 without any.
    resists: u32,
}

impl Prospect {
    /// Adds a move after which the opponent's state has this value.
    pub(crate) fn add(&mut self, reply: Value) {
        match reply.plies() {
            None => self.draws = true,
            Some(plies) if reply.is_loss() => {
                self.win = Some(self.win.map_or(plies + 1, |win| win.min(plies + 1)));
            }
            Some(plies) => self.resists = self.resists.max(plies + 1),
        }
    }

    /// Plies to the end by best play, if these are all the moves; none for a draw.
    pub(crate) fn plies(self) -> Option<u32> {
        match self {
            Prospect { win: Some(plies), .. } => Some(plies),
            Prospect { draws: true, .. } => None,
            Prospect { resists, .. } => Some(resists),
        }
    }
}

/// What a long job is doing, for people to watch.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The unit's label.
    pub unit: String,
    /// In a few words: `looking ahead`, `wins in 7`.
    pub stage: String,
    /// States done in this stage.
    pub done: u64,
    /// States in all.
    pub total: u64,
}

/// Who watches a long job; called from several threads, often.
pub type Observer<'a> = &'a (dyn Fn(&Progress) + Sync);

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A heap of up to `most` stones: take one or two and win by taking the last; or put one stone back up to
    /// the brim, which gives cycles. Unit 1 has a second brim above, whose states may also fall to unit 0.
    pub(crate) struct Heap {
        pub most: u64,
    }

    impl Heap {
        /// The stones of a state: unit 0 holds 0 to `most`, unit 1 holds `most + 1` to `2 * most + 1`.
        fn stones(&self, unit: usize, index: u64) -> u64 {
            index + if unit == 1 { self.most + 1 } else { 0 }
        }

        fn brim(&self, unit: usize) -> u64 {
            self.most + if unit == 1 { self.most + 1 } else { 0 }
        }

        fn floor(&self, unit: usize) -> u64 {
            if unit == 1 { self.most + 1 } else { 0 }
        }
    }

    impl Space for Heap {
        fn name(&self) -> String {
            format!("heap-{}", self.most)
        }

        fn units(&self) -> usize {
            2
        }

        fn label(&self, unit: usize) -> String {
            ["low", "high"][unit].to_owned()
        }

        fn needs(&self, unit: usize) -> Vec<usize> {
            (0..unit).collect()
        }

        fn states(&self, _: usize) -> u64 {
            self.most + 1
        }

        fn text(&self, unit: usize, index: u64) -> String {
            format!("{} stones", self.stones(unit, index))
        }

        fn exits(&self, unit: usize, index: u64, mut visit: impl FnMut(Exit)) -> u32 {
            let stones = self.stones(unit, index);
            let mut stays = 0;
            for take in [1, 2].into_iter().filter(|&take| take <= stones) {
                match stones - take {
                    0 => visit(Exit::Won),
                    left if left < self.floor(unit) => visit(Exit::To { unit: 0, index: left }),
                    _ => stays += 1,
                }
            }
            stays + u32::from(stones > 3 && stones < self.brim(unit))
        }

        fn steps(&self, unit: usize, index: u64, mut visit: impl FnMut(u64)) {
            let stones = self.stones(unit, index);
            for take in [1, 2].into_iter().filter(|&take| take < stones) {
                if stones - take >= self.floor(unit) {
                    visit(index - take);
                }
            }
            if stones > 3 && stones < self.brim(unit) {
                visit(index + 1);
            }
        }

        fn unsteps(&self, unit: usize, index: u64, mut visit: impl FnMut(u64)) {
            let stones = self.stones(unit, index);
            for take in [1, 2].into_iter().filter(|&take| stones > 0 && stones + take <= self.brim(unit)) {
                visit(index + take);
            }
            if stones > 4 && stones > self.floor(unit) {
                visit(index - 1);
            }
        }
    }

    /// A walk of so many steps to the end, each by the other side: the distance of a state is its number.
    pub(crate) struct Walk(pub u64);

    impl Space for Walk {
        fn name(&self) -> String {
            format!("walk-{}", self.0)
        }

        fn units(&self) -> usize {
            1
        }

        fn label(&self, _: usize) -> String {
            "all".to_owned()
        }

        fn needs(&self, _: usize) -> Vec<usize> {
            Vec::new()
        }

        fn states(&self, _: usize) -> u64 {
            self.0 + 1
        }

        fn text(&self, _: usize, index: u64) -> String {
            format!("{index} steps")
        }

        fn exits(&self, _: usize, index: u64, _: impl FnMut(Exit)) -> u32 {
            u32::from(index > 0)
        }

        fn steps(&self, _: usize, index: u64, visit: impl FnMut(u64)) {
            index.checked_sub(1).into_iter().for_each(visit);
        }

        fn unsteps(&self, _: usize, index: u64, visit: impl FnMut(u64)) {
            (index < self.0).then_some(index + 1).into_iter().for_each(visit);
        }
    }

    #[test]
    fn a_value_tells_winner_and_distance() {
        assert!(Value::LOST.is_loss() && !Value::LOST.is_win());
        assert_eq!(Value::after(7).map(|v| (v.is_win(), v.plies())), Some((true, Some(7))));
        assert_eq!(Value::after(u32::from(u16::MAX)), None);
        assert_eq!([253, 254].map(|plies| Value::after(plies).and_then(Value::byte)), [Some(253), None]);
        assert_eq!([253, 254, 255].map(Value::told), [Some(Value(253)), None, Some(Value::DRAW)]);
        assert!(!Value::DRAW.is_win() && !Value::DRAW.is_loss());
        assert_eq!(format!("{:?} {:?}", Value::DRAW, Value(4)), "draw loss in 4");
    }

    #[test]
    fn a_prospect_takes_the_quickest_win_and_the_longest_loss() {
        const DRAW: u16 = Value::DRAW.0;
        let of = |replies: &[u16]| {
            let mut prospect = Prospect::default();
            replies.iter().for_each(|&code| prospect.add(Value(code)));
            prospect.plies()
        };
        assert_eq!(of(&[]), Some(0));
        assert_eq!(of(&[6, 2, DRAW, 9]), Some(3));
        assert_eq!(of(&[DRAW, 9]), None);
        assert_eq!(of(&[3, 9]), Some(10));
    }
}
