//! The shared search in draughts.

use draughts::{Evaluation, Evaluator, Patterns, Position, Rules};
use search::Game;

search::techniques!(draughts::Draughts);

search::equality!(
    Position::start(&Rules::default()),
    Evaluator::new(Evaluation::Patterns(Patterns::built_in().into())),
    10..50
);
