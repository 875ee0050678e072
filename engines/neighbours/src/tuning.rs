//! Every number and switch of the engine that is a matter of opinion.

use search::alphabeta::{Config, Ordering, Repetition};
use search::learn::games::{Opening, Style};
use search::table::Scheme;

use crate::{Evaluator, Set, Weights};

/// The name of the engine's own evaluation and of its own preset.
pub const DEFAULT: &str = "default";

/// A pass is tried only by a side with at least this many moves.
pub(crate) const PASS_MOBILITY: u64 = 8;

/// Entries of Skoulakis's table.
pub(crate) const THESIS_ENTRIES: usize = 1_000_000;

/// How games are played that the engine learns from.
pub const GAMES: Style = Style {
    opening: Opening { plies: 6, choices: 5, balance: Some(300) },
    lots: 0,
    decided: Some(1000),
    even: None,
    longest: 400,
};

/// The evaluations by their names; the first line of each says how it was learned.
const LEARNED: [(&str, &str); 5] = [
    (DEFAULT, include_str!("../learned/default.txt")),
    ("basic", include_str!("../learned/basic.txt")),
    ("set1", include_str!("../learned/set1.txt")),
    ("set2", include_str!("../learned/set2.txt")),
    ("set3", include_str!("../learned/set3.txt")),
];

/// Hand-set weights of the basic terms, in hundredths of a piece for the whole range of a feature.
const BASIC: [f32; 15] = [
    800.0, -800.0, // pieces
    250.0, -250.0, // moves
    -300.0, 300.0, // alone
    0.0, 0.0, // pairs
    20.0, -20.0, // chain ends
    -40.0, 40.0, // distance from the centre
    -60.0, 60.0, // only enemies around
    0.0,  // plies since a capture
];
/// Of pieces under threat: ours, theirs.
const THREATS: [f32; 2] = [-120.0, 160.0];

/// The hand-set weights of a set: what learned ones are measured by.
pub fn weights(set: Set) -> Weights {
    let mut values = BASIC.to_vec();
    if set != Set::Basic {
        values.extend(THREATS);
    }
    values.resize(set.terms().count(), 0.0);
    Weights::new(set, &values).expect("one finite weight for each term")
}

/// The evaluator of this name: the engine's own or one of Skoulakis's sets; none if there is none.
pub fn evaluator(name: &str) -> Option<Evaluator> {
    let (_, text) = LEARNED.iter().find(|(known, _)| *known == name)?;
    Some(Evaluator::read(text).expect("the file was written by its command"))
}

/// The switches that win matches.
pub fn config() -> Config {
    Config { ..Config::default() }
}

/// The switches of Skoulakis's thesis: PVS, deepening, a table of ten-byte entries whose bounds narrow the window,
/// children ordered by the table, any repetition a draw.
pub fn thesis_config() -> Config {
    Config {
        fail_soft: true,
        pvs: true,
        deepening: true,
        table_cutoffs: true,
        table_narrowing: true,
        scheme: Scheme::Single,
        ordering: Ordering::Children,
        repetition: Repetition::Any,
        ..Config::plain()
    }
}
