//! The program of the source: the shared alpha-beta, which asks for opinions as its payoff function.

use ::search::alphabeta::{AlphaBeta, Config, Ordering};
use ::search::{Eval, Game, Known, MoveList, Noisy, Score};

use crate::eval::Judge;
use crate::moves::{Move, Part, generate};
use crate::position::Position;
use crate::see;

/// Plies of captures that the source follows below its horizon.
const QUIESCENCE: u32 = 6;
/// The depth by which its null move is searched less.
const NULL_MOVE: i32 = 3;

/// A judge as the shared search asks it.
#[derive(Clone)]
pub struct Payoff(pub Judge);

/// The source's player: PVS, deepening, a table, null move, captures below the horizon.
pub fn player(judge: Judge) -> AlphaBeta<Payoff> {
    AlphaBeta::new(config(), Payoff(judge))
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

    fn push(&mut self, before: &Position, _: Move, after: &Position) {
        self.0.push(before, after);
    }

    fn pop(&mut self) {
        self.0.pop();
    }

    fn score(&mut self, p: &Position) -> Score {
        Score(self.0.value(p))
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
