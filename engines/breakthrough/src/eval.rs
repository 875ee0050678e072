//! The opinions of the engine: men, their places and their races, and what alpha-beta asks besides.

use search::{Eval, Game, Known, MoveList, Noisy, Score, Side};

use crate::moves::{self, Move, behind, beside, diagonal};
use crate::{Position, Rules, race, tuning};

/// What a side's value is made of.
const TERMS: [&str; 7] = ["men", "place", "protected", "beside", "edge", "guarded", "runner"];

/// The merit of the last move of the game, above that of any capture.
const ARRIVAL: i32 = 1000;
/// Ways to go, and the least difference between the numbers of two squares that are a move apart.
const WAYS: usize = 3;
const LEAST_WAY: u8 = 7;

/// Which evaluation counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Our own.
    Default,
    /// Men only: what the other is measured by.
    Men,
}

/// An evaluation, and whether decided races count as known for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluator {
    /// Which evaluation counts.
    pub evaluation: Evaluation,
    /// Whether a decided race ends a line.
    pub races: bool,
}

impl Default for Evaluator {
    fn default() -> Self {
        Evaluator { evaluation: Evaluation::Default, races: true }
    }
}

impl Evaluator {
    /// Men only, and no races.
    pub fn men() -> Evaluator {
        Evaluator { evaluation: Evaluation::Men, races: false }
    }

    /// The value in hundredths of a man from the side to move.
    pub fn value(&self, position: &Position) -> Score {
        if self.evaluation == Evaluation::Men {
            let men = |side| position.men(side).count_ones() as i32;
            return Score(tuning::MAN * (men(position.turn()) - men(!position.turn())));
        }
        if let Some(plies) = race::decided(position).and_then(Score::plies_to_end) {
            return Score((Score::OPINION.0 - plies.abs()) * plies.signum());
        }
        let sum = |side| points(position, side).iter().sum::<i32>();
        Score(sum(position.turn()) - sum(!position.turn()) + tuning::TEMPO).opinion()
    }

    /// A table of what the value is made of.
    pub fn explain(&self, position: &Position) -> String {
        let mut out = format!("{:<10} {:>6} {:>6} {:>7}\n", "term", "us", "them", "points");
        let (us, them) = (points(position, position.turn()), points(position, !position.turn()));
        let shown = if self.evaluation == Evaluation::Men { 1 } else { TERMS.len() };
        for i in 0..shown {
            out += &format!("{:<10} {:>6} {:>6} {:>7}\n", TERMS[i], us[i], them[i], us[i] - them[i]);
        }
        if self.evaluation == Evaluation::Default {
            out += &format!("{:<10} {:>6} {:>6} {:>7}\n", "tempo", tuning::TEMPO, 0, tuning::TEMPO);
            if let Some(plies) = race::decided(position).and_then(Score::plies_to_end) {
                let who = if plies > 0 { "won" } else { "lost" };
                out += &format!("race: {who} in {} plies\n", plies.abs());
            }
        }
        out
    }
}

/// The points of a side, term by term.
fn points(position: &Position, side: Side) -> [i32; TERMS.len()] {
    let rules = position.rules();
    let (own, other) = position.seen_by(side);
    let count = |set: u64| (set & own).count_ones() as i32;
    let guarded = diagonal(own & rules.row(Side::White, 0)) & rules.board();
    let runner = race::runner(rules, (own, other), side == position.turn(), u32::from(rules.size()) - 1);
    [
        tuning::MAN * count(own),
        place(rules, own),
        tuning::PROTECTED * count(diagonal(own)),
        tuning::BESIDE * count(beside(own)),
        tuning::EDGE * count(rules.edges()),
        tuning::GUARDED * guarded.count_ones() as i32,
        runner.map_or(0, |moves| tuning::RUNNER[moves as usize]),
    ]
}

fn place(rules: Rules, own: u64) -> i32 {
    let row = |moves: usize| own & rules.row(Side::Black, moves as u8);
    (1..rules.size() as usize).map(|moves| tuning::PLACE[moves] * row(moves).count_ones() as i32).sum()
}

impl Eval<Position> for Evaluator {
    const IDLE: &'static [&'static str] = &["hanging_extension", "any_repetition"];

    fn score(&mut self, position: &Position) -> Score {
        self.value(position)
    }

    fn noisy(&mut self, position: &Position, out: &mut MoveList<Move>) -> Noisy {
        let (rules, turn) = (position.rules(), position.turn());
        moves::generate(position, rules.goal(turn), out);
        if !out.is_empty() {
            out.truncate(1);
            return Noisy::Forced;
        }
        // A man about to arrive must be taken, whatever else there is to take.
        let arriving = position.men(!turn) & rules.row(turn, 1);
        if arriving != 0 {
            moves::generate(position, arriving, out);
            return Noisy::Forced;
        }
        moves::generate(position, position.men(!turn), out);
        out.sort_by_key(|&m| -self.merit(position, m));
        Noisy::Optional
    }

    /// To arrive wins; else the nearer an enemy is to its goal, the better to take it, and better still at no cost.
    fn merit(&mut self, position: &Position, m: Move) -> i32 {
        let (rules, turn) = (position.rules(), position.turn());
        if rules.goal(turn) & m.to.bit() != 0 {
            return ARRIVAL;
        }
        if !position.is_capture(m) {
            return 0;
        }
        let (own, other) = position.seen_by(turn);
        let to = if turn == Side::White { m.to.bit() } else { rules.turned(m.to.bit()) };
        let (takers, guards) = ((behind(to) & own).count_ones(), (diagonal(to) & other).count_ones());
        1 + 2 * (i32::from(rules.size()) - to.ilog2() as i32 / 8) + i32::from(takers > guards)
    }

    fn slot(&self, _: &Position, m: Move) -> usize {
        usize::from(m.from.0) * WAYS + usize::from(m.from.0.abs_diff(m.to.0) - LEAST_WAY)
    }

    fn slots(&self) -> usize {
        64 * WAYS
    }

    fn pass(&self, position: &Position) -> Option<Position> {
        let is_over = position.has_won(!position.turn());
        (!is_over).then(|| position.passed())
    }

    fn known(&mut self, position: &Position) -> Option<Known> {
        if self.races { race::decided(position).map(Known::Value) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noisy(fen: &str) -> (Noisy, Vec<String>) {
        let position = Position::read(&Rules::default(), fen).unwrap();
        let mut list = Vec::new();
        let kind = Evaluator::default().noisy(&position, &mut list);
        (kind, list.iter().map(Move::to_string).collect())
    }

    #[test]
    fn the_last_move_of_the_game_is_the_only_noisy_one() {
        let (kind, moves) = noisy("1b6/w7/8/8/3b4/2w5/8/8 w");
        assert_eq!((kind, moves.len()), (Noisy::Forced, 1));
        assert!(moves[0].starts_with("a7"));
    }

    #[test]
    fn a_man_about_to_arrive_must_be_taken() {
        let forced = noisy("8/8/8/8/3b4/2w5/6b1/7w w");
        assert_eq!(forced, (Noisy::Forced, vec!["h1g2".to_owned()]));
        assert_eq!(noisy("8/8/8/8/3b4/2w5/6b1/6w1 w"), (Noisy::Forced, vec![]));
    }

    #[test]
    fn the_foremost_man_is_taken_first() {
        let (kind, moves) = noisy("8/8/8/5b2/1b4w1/w7/8/8 w");
        assert_eq!((kind, moves), (Noisy::Optional, vec!["a3b4".to_owned(), "g4f5".to_owned()]));
    }

    #[test]
    fn every_move_has_a_slot_of_its_own() {
        let game = search::walk::walk(Position::start(&Rules::default()), 200, &mut search::Random::new(1));
        for position in game.positions() {
            let list = position.list();
            let mut slots: Vec<_> = list.iter().map(|&m| Evaluator::default().slot(position, m)).collect();
            slots.sort_unstable();
            slots.dedup();
            assert_eq!(slots.len(), list.len(), "{position}");
            assert!(slots.iter().all(|&slot| slot < Evaluator::default().slots()));
        }
    }

    #[test]
    fn a_decided_race_is_worth_more_than_any_men() {
        let position = Position::read(&Rules::default(), "7b/7b/7b/w7/8/8/8/8 w").unwrap();
        assert_eq!(Evaluator::default().value(&position), Score::OPINION - 5);
        assert_eq!(Evaluator::men().value(&position), Score(-200));
    }
}
