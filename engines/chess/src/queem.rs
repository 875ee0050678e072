//! The program of Kushnir's thesis: the shared alpha-beta with its switches.
//!
//! The thesis prints the code of PVS and of the evaluation. It describes quiescence, null move, stored results,
//! aspiration, deepening and the sorting of moves without a number; the numbers here are choices.

use ::search::alphabeta::{AlphaBeta, Config, Ordering};

use crate::eval::Evaluator;

/// Plies of captures followed below the horizon: chosen, for the thesis says only that there is a limit.
const QUIESCENCE: u32 = 6;
/// The depth by which the null move is searched less: chosen, and usual at the time.
const NULL_MOVE: i32 = 3;
/// How far the window reaches to both sides of the last value: chosen.
const ASPIRATION: i32 = 50;

/// Kushnir's player: PVS, deepening, aspiration, a table, null move, captures first and below the horizon.
pub fn player(evaluator: Evaluator) -> AlphaBeta<Evaluator> {
    AlphaBeta::new(config(), evaluator)
}

/// The switches of Kushnir's thesis.
pub fn config() -> Config {
    Config {
        pvs: true,
        deepening: true,
        aspiration: Some(ASPIRATION),
        table_cutoffs: true,
        table_ordering: true,
        quiescence: Some(QUIESCENCE),
        ordering: Ordering::Heuristic,
        null_move: Some(NULL_MOVE),
        ..Config::plain()
    }
}
