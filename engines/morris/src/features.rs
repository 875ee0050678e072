//! What can be counted in a position, as differences between the side to move and the other.

use search::{Game, Side};

use crate::Position;
use crate::board::{self, ALL};
use crate::moves::Phase;

/// The number of features.
pub const COUNT: usize = 9;

/// What each feature counts.
pub const NAMES: [&str; COUNT] = [
    "men",
    "mills",
    "threats",
    "open lines",
    "mobility",
    "blocked men",
    "running mills",
    "crossings",
    "flying",
];

/// The values of all features: what the side to move has more than the other, in the order of [`NAMES`].
pub type Features = [i32; COUNT];

/// Which weights count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Someone has men in hand.
    Placing,
    /// All men are on the board.
    Moving,
    /// Someone may fly.
    Flying,
}

/// The names of the stages, as weight files spell them.
pub const STAGES: [&str; 3] = ["placing", "moving", "flying"];

/// The stage of a position.
pub fn stage(position: &Position) -> Stage {
    if position.hand(Side::White) + position.hand(Side::Black) > 0 {
        Stage::Placing
    } else if position.rules.flying && position.men.iter().any(|men| men.count_ones() <= 3) {
        Stage::Flying
    } else {
        Stage::Moving
    }
}

/// The features of a position as its side to move sees it.
pub fn features(position: &Position) -> Features {
    let (mine, theirs) = (counts(position, position.turn()), counts(position, !position.turn()));
    std::array::from_fn(|i| mine[i] - theirs[i])
}

/// The points where four lines meet, and those where three do.
const CROSSROADS: u32 = 0x00_aa00;
const JUNCTIONS: u32 = 0xaa_00aa;

fn counts(position: &Position, side: Side) -> Features {
    let (own, other) = (position.men(side), position.men(!side));
    let empty = ALL & !own & !other;
    let size = |set: u32| set.count_ones() as i32;
    let milled = board::in_mills(own);
    let open = board::closers(own) & empty;
    let phase = position.phase_of(side);
    let slides = board::slides(own, empty);
    let (threats, mobility) = match phase {
        Phase::Moving => {
            let closing = slides.iter().fold(0, |all, slide| all | slide.closing);
            (size(closing), slides.iter().map(|slide| size(slide.targets)).sum())
        }
        _ => (size(open), size(board::neighbours(own) & empty)),
    };
    // A man that leaves one mill to close another threatens to do so for ever.
    let running = slides.iter().fold(0, |all, slide| all | (slide.back)(slide.closing) & milled);
    [
        size(own) + position.hand(side) as i32,
        size(milled) / 3,
        threats,
        size(open),
        mobility,
        size(own & !board::neighbours(empty)),
        size(running),
        2 * size(own & CROSSROADS) + size(own & JUNCTIONS),
        i32::from(phase == Phase::Flying),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn of(fen: &str) -> Vec<(&'static str, i32)> {
        let position = Position::read(&Rules::STANDARD, fen).unwrap();
        NAMES.into_iter().zip(features(&position)).filter(|&(_, value)| value != 0).collect()
    }

    #[test]
    fn the_start_is_even() {
        assert_eq!(of("......../......../........ w 9 9 0 -"), []);
    }

    #[test]
    fn mills_threats_and_blocked_men_are_seen() {
        // White: mill a7 d7 g7 and a man on d6 that could not close anything; Black: a1, shut in, and others apart.
        let found = of("www...../.w.....b/......b. w 0 0 0 -");
        assert!(found.contains(&("mills", 1)) && found.contains(&("men", 2)), "{found:?}");
        let shut = of("w.....b./......../........ b 0 0 0 -");
        assert!(!shut.iter().any(|(name, _)| *name == "blocked men"), "{shut:?}");
        let shut = of(".....wbw/......../........ b 0 0 0 -");
        assert!(shut.contains(&("blocked men", 1)), "{shut:?}");
    }

    #[test]
    fn a_running_mill_is_a_man_that_closes_as_it_opens() {
        // d7 leaves a7 d7 g7 for d6, closing b6 d6 f6.
        let found = of("www...../w.w...../....bbb. w 0 0 0 -");
        assert!(found.contains(&("running mills", 1)), "{found:?}");
    }
}
