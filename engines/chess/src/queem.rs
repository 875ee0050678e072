//! The program of the source: the shared alpha-beta with the payoff function of `eval/thesis.rs`.

use std::sync::Arc;

use ::search::alphabeta::{AlphaBeta, Config, Ordering};
use ::search::{Eval, Game, Known, MoveList, Noisy, Score, Side};

use crate::eval::thesis::{self, Tables};
use crate::moves::{Move, Part, generate};
use crate::position::Position;
use crate::see;

/// Plies of captures that the source follows below its horizon.
const QUIESCENCE: u32 = 6;
/// The depth by which its null move is searched less.
const NULL_MOVE: i32 = 3;

/// The payoff function as the shared search asks it.
#[derive(Clone)]
pub struct Payoff(Arc<Tables>);

impl Payoff {
    /// A payoff function with these tables.
    pub fn new(tables: Arc<Tables>) -> Payoff {
        Payoff(tables)
    }
}

/// The source's player: PVS, deepening, a table, null move, captures below the horizon.
pub fn player(tables: Arc<Tables>) -> AlphaBeta<Payoff> {
    AlphaBeta::new(config(), Payoff::new(tables))
}

/// The switches of the source.
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

impl Eval<Position> for Payoff {
    fn enter(&mut self, _: &Position) {}

    fn push(&mut self, _: &Position, _: Move, _: &Position) {}

    fn pop(&mut self) {}

    fn score(&mut self, p: &Position) -> Score {
        let white = thesis::value(p, &self.0);
        Score(if p.turn() == Side::White { white } else { -white }).opinion()
    }

    fn noisy(&mut self, p: &Position, out: &mut MoveList<Move>) -> Noisy {
        if p.in_check() {
            p.moves(out);
            return Noisy::Forced;
        }
        generate(p, Part::Noisy, out);
        out.sort_by_key(|&m| std::cmp::Reverse(self.merit(p, m)));
        Noisy::Optional
    }

    fn merit(&mut self, p: &Position, m: Move) -> i32 {
        let prize = p.captured(m).map_or(0, see::value) + m.promotion().map_or(0, see::value);
        let attacker = p.role_on(m.from()).map_or(0, |role| role.index() as i32);
        if prize == 0 { 0 } else { 10 * prize - attacker }
    }

    fn slot(&self, p: &Position, m: Move) -> usize {
        let role = p.role_on(m.from()).map_or(0, |role| role.index());
        role * 64 + m.to().index()
    }

    fn slots(&self) -> usize {
        6 * 64
    }

    fn pass(&self, p: &Position) -> Option<Position> {
        (!p.in_check() && p.has_pieces(p.turn())).then(|| p.passed())
    }

    fn known(&mut self, _: &Position) -> Option<Known> {
        None
    }
}
