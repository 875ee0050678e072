//! The shared search in chess.

use chess::{Evaluation, Position, Rules, tuning};
use search::Game;

/// Kings shut in behind pawns that meet: captures, en passant and few lines that lead back.
const SHUT_IN: &str = "kb6/ppp5/8/8/8/8/PPP5/KB6 w - - 0 1";

search::techniques!(chess::Chess);

search::equality!(
    Position::read(&Rules::default(), SHUT_IN).expect("it is a position"),
    tuning::evaluator(Evaluation::Thesis),
    0..10
);
