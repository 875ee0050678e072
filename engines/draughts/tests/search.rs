//! The shared search in draughts.

use draughts::{Evaluation, Evaluator, Patterns, Position, Rules};
use search::Game;

search::techniques!(draughts::Draughts);

search::equality!(
    Position::start(&Rules::default()),
    Evaluator { evaluation: Evaluation::Patterns(Patterns::built_in().into()), database: None },
    10..50
);
