//! The program of Kushnir's thesis: the shared alpha-beta with its switches.

use ::search::alphabeta::{AlphaBeta, Config, Ordering};

use crate::eval::Evaluator;

/// Plies of captures that Queem follows below its horizon.
const QUIESCENCE: u32 = 6;
/// The depth by which its null move is searched less.
const NULL_MOVE: i32 = 3;

/// Kushnir's player: PVS, deepening, a table, null move, captures below the horizon.
pub fn player(evaluator: Evaluator) -> AlphaBeta<Evaluator> {
    AlphaBeta::new(config(), evaluator)
}

/// The switches of Kushnir's thesis.
pub fn config() -> Config {
    Config {
        pvs: true,
        deepening: true,
        aspiration: Some(50),
        table_cutoffs: true,
        table_ordering: true,
        quiescence: Some(QUIESCENCE),
        ordering: Ordering::Heuristic,
        null_move: Some(NULL_MOVE),
        ..Config::plain()
    }
}
