//! What can be counted in a position: the fifteen features of Skoulakis's thesis and the two of its cross terms.
//!
//! Skoulakis, "Systematic search and reinforcement learning for the board game Neighbours", 2010, chapter 4.
//! Every feature lies in 0..=1. "Me" is the player who asks, whoever is to move.

use search::Side;

use crate::moves::{around, by_neighbours, mobility};
use crate::position::QUIET_LIMIT;
use crate::{Position, Rules};

/// The number of features.
pub const COUNT: usize = 17;

/// The features by the names of Skoulakis's thesis; the two of one kind stand together, ours first.
pub const NAMES: [&str; COUNT] = [
    "piecesForMe",
    "piecesForOther",
    "movesLeftForMe",
    "movesLeftForOther",
    "alonesForMe",
    "alonesForOther",
    "dualForMe",
    "dualForOther",
    "withOneNextForMe-2*dualForMe",
    "withOneNextForOther-2*dualForOther",
    "medianDistanceForMe",
    "medianDistanceForOther",
    "onlyEnemiesForMe",
    "onlyEnemiesForOther",
    "distanceFromLastEat",
    "threatsForMe",
    "threatsForOther",
];

/// The values of all features, in the order of [`NAMES`].
pub type Features = [f32; COUNT];

/// The features of a position as `me` sees it.
pub fn features(position: &Position, me: Side) -> Features {
    let other = !me;
    let (mine, theirs) = (mobility(position, me), mobility(position, other));
    let size = f32::from(position.rules().size());
    let (a, b) = (counts(position, me), counts(position, other));
    let threatened = |side: Side, reach: u64| (position.pieces(side) & reach).count_ones() as f32 / size;
    let tens = position.quiet().min(QUIET_LIMIT) / 10;
    [
        a.pieces / size,
        b.pieces / size,
        mine.0 as f32 / (8.0 * size),
        theirs.0 as f32 / (8.0 * size),
        a.alone / size,
        b.alone / size,
        a.pairs / (size / 2.0),
        b.pairs / (size / 2.0),
        a.ends / size,
        b.ends / size,
        a.distance,
        b.distance,
        a.surrounded / size,
        b.surrounded / size,
        tens as f32 / 10.0,
        threatened(me, theirs.1),
        threatened(other, mine.1),
    ]
}

/// What one side's pieces look like.
struct Counts {
    pieces: f32,
    alone: f32,
    pairs: f32,
    ends: f32,
    /// The mean distance from the centre, 1 on the edge.
    distance: f32,
    /// Pieces that have neighbours, all of them enemies.
    surrounded: f32,
}

fn counts(position: &Position, side: Side) -> Counts {
    let (own, enemy) = (position.pieces(side), position.pieces(!side));
    let count = |set: u64| set.count_ones() as f32;
    let [with_one, ..] = by_neighbours(own, own | enemy);
    let friends = around(own);
    let paired = count(with_one & around(with_one));
    let pieces = count(own);
    Counts {
        pieces,
        alone: count(own & !around(own | enemy)),
        pairs: paired / 2.0,
        ends: count(with_one) - paired,
        distance: if own == 0 { 0.0 } else { ring_sum(position.rules(), own) / pieces },
        surrounded: count(own & !friends & around(enemy)),
    }
}

/// The summed distances of a set from the centre: 0 on the innermost ring of squares, 1 on the edge.
fn ring_sum(rules: Rules, set: u64) -> f32 {
    let rings = u32::from(rules.size().div_ceil(2)) - 1;
    // A square counts once for each square board around the centre that it lies outside of.
    let sum: u32 = (1..=rings).map(|shrunk| (set & !rules.inner(shrunk)).count_ones()).sum();
    sum as f32 / rings as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Game;

    /// The named features of a position, as counts.
    fn values(fen: &str, names: &[&str]) -> Vec<f32> {
        let position = Position::read(&Rules::default(), fen).unwrap();
        let found = features(&position, position.turn());
        names.iter().map(|name| found[NAMES.iter().position(|n| n == name).unwrap()]).collect()
    }

    #[test]
    fn the_start_position_is_the_same_for_both() {
        let start = features(&Position::start(&Rules::default()), Side::White);
        for pair in start[..14].chunks(2) {
            assert_eq!(pair[0], pair[1]);
        }
        assert_eq!(start[0], 1.0);
        assert_eq!(start[2], 20.0 / 64.0);
        assert_eq!(start[10], 1.0);
    }

    #[test]
    fn lone_pieces_pairs_and_ends_are_told_apart() {
        // a1 b1 are a pair; d4 e4 f4 a chain with two ends; h8 is alone; the black piece on h1 too.
        let fen = "7w/8/8/8/3www2/8/8/ww5b w 30";
        let names =
            ["piecesForMe", "alonesForMe", "dualForMe", "withOneNextForMe-2*dualForMe", "alonesForOther"];
        assert_eq!(values(fen, &names), [6.0 / 8.0, 1.0 / 8.0, 1.0 / 4.0, 2.0 / 8.0, 1.0 / 8.0]);
        assert_eq!(values(fen, &["distanceFromLastEat"]), [0.3]);
    }

    #[test]
    fn threats_and_enemy_neighbours_are_seen_from_both_sides() {
        let fen = "8/8/8/3wb3/8/8/8/8 b 0";
        let names = ["threatsForMe", "threatsForOther", "onlyEnemiesForMe", "onlyEnemiesForOther"];
        assert_eq!(values(fen, &names), [1.0 / 8.0; 4]);
        assert_eq!(values(fen, &["medianDistanceForMe"]), [0.0]);
    }
}
