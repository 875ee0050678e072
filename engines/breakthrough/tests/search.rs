//! The shared search in Breakthrough.

use breakthrough::{Evaluator, Position, Rules};
use search::Game;

search::techniques!(breakthrough::Breakthrough);

search::equality!(
    Position::start(&Rules::new(5).expect("there is such a board")),
    Evaluator { races: false, ..Evaluator::default() },
    6..24
);
