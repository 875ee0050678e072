//! What a position is worth without search.
//!
//! Three evaluations: [`Evaluator::full`], a weighted sum tapered between middle game and endgame, a network whose
//! inputs are in `network.rs`, and [`thesis::value`], the three terms of Kushnir's thesis. All numbers come from
//! `tuning.rs`.

pub mod endgames;
pub mod material;
pub mod network;
pub mod pawns;
pub mod pieces;
pub mod scale;
pub mod sheet;
pub mod terms;
pub mod thesis;

use std::sync::Arc;

use ::search::network::{Network, Sums};
use ::search::{Eval, Game, MoveList, Noisy, Score, Side};

use crate::attacks::sliders::RankTable;
use crate::moves::{Move, Part, generate_by};
use crate::position::Position;
use crate::see;
use material::Material;
use network::Pieces;
use sheet::{Sheet, Silent, Trace};
use terms::{TERMS, Term, Weights};

/// The phase with all pieces on the board.
pub const PHASE_FULL: i32 = 24;

/// Which evaluation counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// All terms.
    Full,
    /// Material, squares and a two-phase king table.
    Thesis,
}

/// What one search thread thinks of positions.
#[derive(Clone)]
pub struct Evaluator {
    evaluation: Evaluation,
    weights: Arc<Weights>,
    thesis: Arc<thesis::Tables>,
    material: material::Cache,
    pawns: pawns::Cache,
    /// What counts instead, if there is one.
    network: Option<Sums<Pieces>>,
}

impl Evaluator {
    /// An evaluator with these weights.
    pub fn new(evaluation: Evaluation, weights: Arc<Weights>, thesis: Arc<thesis::Tables>) -> Evaluator {
        let (material, pawns) = Default::default();
        Evaluator { evaluation, weights, thesis, material, pawns, network: None }
    }

    /// The same evaluator, but it says what a network says.
    pub fn with_network(self, network: Arc<Network>) -> Evaluator {
        Evaluator { network: Some(Sums::new(network)), ..self }
    }

    /// The full value from White's view, told to `trace` weight by weight.
    pub fn full<T: Trace>(&mut self, p: &Position, trace: &mut T) -> i32 {
        let material = self.material.get(p);
        if !T::LISTENS
            && material.may_be_known
            && let Some(value) = endgames::known(p)
        {
            return value;
        }
        let mut sheet = Sheet::new(p, &self.weights, trace);
        let passed = pawns::judge(&mut sheet, &mut self.pawns);
        pieces::judge(&mut sheet, passed, material.phase);
        sheet.note(p.turn(), Term::Tempo, 0);
        let ahead = if sheet.sum.end() >= 0 { Side::White } else { Side::Black };
        sheet.tapered(material.phase, material.share(p, ahead))
    }

    /// A table of the terms from White's view.
    pub fn explain(&mut self, p: &Position) -> String {
        if self.evaluation == Evaluation::Thesis {
            let heading = format!("{:34} {:>8}\n", "term (White minus Black)", "cp");
            let row = |(name, value)| format!("{name:34} {value:>8}\n");
            return heading + &thesis::terms(p, &self.thesis).map(row).concat();
        }
        if let Some(sums) = &self.network {
            return network::worths(sums.network(), p);
        }
        let mut counts = Counts(vec![0; terms::COUNT]);
        self.full(p, &mut counts);
        let mut out = format!("{:34} {:>8} {:>8}\n", "term (White minus Black)", "mg", "eg");
        for &(term, name, count) in TERMS {
            let sum = |value: fn(terms::Pair) -> i32| -> i32 {
                (0..count).map(|i| counts.0[term.at(i)] * value(self.weights.0[term.at(i)])).sum()
            };
            let (middle, end) = (sum(terms::Pair::middle), sum(terms::Pair::end));
            if (middle, end) != (0, 0) {
                out += &format!("{name:34} {middle:>8} {end:>8}\n");
            }
        }
        let material = Material::of(p);
        let share = |side| 100 * material.share(p, side) / scale::FULL;
        out += &format!("phase {} of {PHASE_FULL}\n", material.phase);
        out += &format!(
            "endgame value scaled to {} % with White ahead, {} % with Black\n",
            share(Side::White),
            share(Side::Black)
        );
        if let Some(value) = endgames::known(p) {
            out += &format!("a known endgame: {value} cp for White\n");
        }
        out
    }
}

impl Eval<Position> for Evaluator {
    const IDLE: &'static [&'static str] = &["hanging_extension"];

    fn enter(&mut self, _root: &Position) {
        if let Some(sums) = &mut self.network {
            sums.enter();
        }
    }

    #[inline]
    fn push(&mut self, before: &Position, _move: Option<Move>, after: &Position) {
        if let Some(sums) = &mut self.network {
            sums.push(before, after);
        }
    }

    #[inline]
    fn pop(&mut self) {
        if let Some(sums) = &mut self.network {
            sums.pop();
        }
    }

    fn score(&mut self, p: &Position) -> Score {
        let white = match (&mut self.network, self.evaluation) {
            (Some(sums), _) => match endgames::known(p) {
                Some(value) => value,
                None => return sums.score(p),
            },
            (None, Evaluation::Thesis) => thesis::value(p, &self.thesis),
            (None, Evaluation::Full) => self.full(p, &mut Silent),
        };
        Score(if p.turn() == Side::White { white } else { -white }).opinion()
    }

    /// Queem alone asks for moves here, and has generators of its own.
    fn moves(&mut self, p: &Position, out: &mut MoveList<Move>) {
        generate_by::<RankTable>(p, Part::All, out);
    }

    fn noisy(&mut self, p: &Position, out: &mut MoveList<Move>) -> Noisy {
        if p.in_check() {
            self.moves(p, out);
            return Noisy::Forced;
        }
        generate_by::<RankTable>(p, Part::Noisy, out);
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
}

/// How often each weight was counted.
pub struct Counts(pub Vec<i32>);

impl Trace for Counts {
    const LISTENS: bool = true;

    fn count(&mut self, index: usize, count: i32) {
        self.0[index] += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, tuning};

    fn value(evaluation: Evaluation, fen: &str) -> i32 {
        let p = Position::read(&Rules::default(), fen).unwrap();
        let mut evaluator = tuning::evaluator(evaluation);
        let first = evaluator.score(&p).0;
        assert_eq!(evaluator.score(&p).0, first, "the cache changes nothing");
        first
    }

    #[test]
    fn both_sides_are_judged_alike() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
        ] {
            for evaluation in [Evaluation::Full, Evaluation::Thesis] {
                let flipped = Position::read(&Rules::default(), fen).unwrap().flipped().unwrap();
                assert_eq!(value(evaluation, fen), value(evaluation, &flipped.to_string()), "{fen}");
            }
        }
    }

    #[test]
    fn material_counts() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for evaluation in [Evaluation::Full, Evaluation::Thesis] {
            assert!(value(evaluation, start).abs() < 60);
            assert!(value(evaluation, &start.replace("RNBQ", "RNB1")) < -500);
        }
    }

    #[test]
    fn a_traced_evaluation_equals_a_silent_one() {
        let p = Position::start(&Rules::default());
        let mut evaluator = tuning::evaluator(Evaluation::Full);
        let mut counts = Counts(vec![0; terms::COUNT]);
        assert_eq!(evaluator.full(&p, &mut counts), evaluator.full(&p, &mut Silent));
    }
}
