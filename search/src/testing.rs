//! Fixtures of tests, here and in the crates above: a game that is solved at a glance, engines set up in a line,
//! tables of move counts.
//!
//! Other crates see it through the feature `testing`, which their tests alone turn on.

pub mod equality;
pub mod minimax;
pub mod network;
pub mod techniques;

use std::fmt;

use crate::{
    Engine, Eval, Game, Known, MoveError, MoveList, Noisy, Outcome, PositionError, Rulebook, Score, Side,
    zobrist,
};

/// A pile from which one, two or three are taken; who takes the last wins: `7 w`.
///
/// Lost for the mover at multiples of four; a pile of a hundred is a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pile {
    /// What is left to take.
    pub left: u8,
    /// Who is to take.
    pub turn: Side,
}

/// The pile at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size(pub u8);

impl Default for Size {
    fn default() -> Self {
        Size(13)
    }
}

impl Rulebook for Size {}

impl fmt::Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.left, if self.turn == Side::White { 'w' } else { 'b' })
    }
}

impl Game for Pile {
    type Rules = Size;
    type Move = u8;

    fn start(rules: &Size) -> Pile {
        Pile { left: rules.0, turn: Side::White }
    }

    fn read(_: &Size, text: &str) -> Result<Pile, PositionError> {
        let refuse = || PositionError::new(text, "not a pile and a side");
        let (left, turn) = text.split_once(' ').ok_or_else(refuse)?;
        let turn = match turn {
            "w" => Side::White,
            "b" => Side::Black,
            _ => return Err(refuse()),
        };
        Ok(Pile { left: left.parse().map_err(|_| refuse())?, turn })
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn key(&self) -> u64 {
        zobrist::mix(u64::from(self.left) * 2 + self.turn.index() as u64)
    }

    fn salt(&self) -> u64 {
        0
    }

    fn same(&self, other: &Pile) -> bool {
        self == other
    }

    fn moves(&self, out: &mut MoveList<u8>) {
        out.extend(1..=self.left.min(3));
    }

    fn pack(&self, m: u8) -> u32 {
        u32::from(m)
    }

    fn play(&mut self, m: u8) {
        self.left -= m;
        self.turn = !self.turn;
    }

    fn irreversible(&self, _: u8) -> bool {
        true
    }

    fn stuck(&self) -> Outcome {
        Outcome::win(!self.turn, "took the last")
    }

    fn drawn(&self, _: usize) -> Option<&'static str> {
        (self.left == 100).then_some("round number")
    }

    fn parse(&self, text: &str) -> Result<u8, MoveError> {
        let m = text.parse().map_err(|_| MoveError::Syntax(text.to_owned()))?;
        if (1..=self.left.min(3)).contains(&m) { Ok(m) } else { Err(MoveError::Illegal(text.to_owned())) }
    }

    fn write(&self, m: u8) -> String {
        m.to_string()
    }

    fn picture(&self) -> String {
        format!("{}\n", "o".repeat(self.left.into()))
    }

    fn flipped(&self) -> Option<Pile> {
        Some(Pile { left: self.left, turn: !self.turn })
    }
}

/// The value of every pile for its mover, in units of a win.
#[derive(Clone)]
pub struct Values(pub Vec<f64>);

impl Eval<Pile> for Values {
    fn score(&mut self, position: &Pile) -> Score {
        Score((self.0[usize::from(position.left)] * 1000.0) as i32)
    }

    fn noisy(&mut self, _: &Pile, _: &mut MoveList<u8>) -> Noisy {
        Noisy::Optional
    }

    fn merit(&mut self, _: &Pile, _: u8) -> i32 {
        0
    }

    fn slot(&self, _: &Pile, m: u8) -> usize {
        m.into()
    }

    fn slots(&self) -> usize {
        4
    }

    fn pass(&self, _: &Pile) -> Option<Pile> {
        None
    }
}

/// Opinions that insist on being told the way: they fail if the position they are asked about is not the one that the
/// moves and passes told to them lead to.
#[derive(Clone)]
pub struct Checked<G, E> {
    eval: E,
    /// The root and the positions below it.
    line: Vec<G>,
}

impl<G: Game, E: Eval<G>> Checked<G, E> {
    /// These opinions before their first root.
    pub fn new(eval: E) -> Self {
        Checked { eval, line: Vec::new() }
    }

    /// The opinions, if they have been told the way to `position`.
    fn at(&mut self, position: &G) -> &mut E {
        let top = self.line.last().expect("a search enters its root first");
        assert!(top == position, "asked about {position} on top of {top}");
        &mut self.eval
    }
}

impl<G: Game, E: Eval<G>> Eval<G> for Checked<G, E> {
    fn enter(&mut self, root: &G) {
        self.line = vec![root.clone()];
        self.eval.enter(root);
    }

    fn push(&mut self, before: &G, m: Option<G::Move>, after: &G) {
        self.at(before).push(before, m, after);
        self.line.push(after.clone());
    }

    fn pop(&mut self) {
        assert!(self.line.len() > 1, "the root is not left");
        self.line.pop();
        self.eval.pop();
    }

    fn score(&mut self, position: &G) -> Score {
        self.at(position).score(position)
    }

    fn moves(&mut self, position: &G, out: &mut MoveList<G::Move>) {
        self.at(position).moves(position, out);
    }

    fn noisy(&mut self, position: &G, out: &mut MoveList<G::Move>) -> Noisy {
        self.at(position).noisy(position, out)
    }

    fn hangs(&mut self, position: &G) -> bool {
        self.at(position).hangs(position)
    }

    fn merit(&mut self, position: &G, m: G::Move) -> i32 {
        self.at(position).merit(position, m)
    }

    fn slot(&self, position: &G, m: G::Move) -> usize {
        self.eval.slot(position, m)
    }

    fn slots(&self) -> usize {
        self.eval.slots()
    }

    fn pass(&self, position: &G) -> Option<G> {
        self.eval.pass(position)
    }

    fn known(&mut self, position: &G) -> Option<Known> {
        self.at(position).known(position)
    }
}

/// An engine with the options of a line such as `BoardSize=4 Evaluation=basic`.
///
/// # Panics
/// If the engine refuses one.
pub fn engine_with<E: Engine>(options: &str) -> E {
    let mut engine = E::new();
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').expect("an option is written Name=value");
        engine.set(name, value).expect("the engine has the option");
    }
    engine
}

/// The rows of a table of move counts, `options; FEN; leaves at depth 1, 2, ...`: engine, FEN and leaves.
///
/// # Panics
/// If the table is not written so, or empty.
pub fn perft_rows<E: Engine>(table: &str) -> Vec<(E, &str, Vec<u64>)> {
    let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let rows: Vec<_> = lines
        .map(|line| {
            let [options, fen, counts] = line.split(';').collect::<Vec<_>>()[..] else {
                panic!("'{line}' does not have three fields");
            };
            let counts = counts.split_whitespace().map(|count| count.parse().expect("a number of leaves"));
            (engine_with(options), fen.trim(), counts.collect())
        })
        .collect();
    assert!(!rows.is_empty(), "the table holds no position");
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opinions that have been told of a pile of 13 and of one that was taken.
    fn told() -> (Checked<Pile, Values>, Pile) {
        let (root, after) = (Pile::start(&Size::default()), Pile { left: 12, turn: Side::Black });
        let mut eval = Checked::new(Values(vec![0.0; 14]));
        eval.enter(&root);
        eval.push(&root, Some(1), &after);
        (eval, after)
    }

    #[test]
    fn checked_opinions_follow_moves_and_passes() {
        let (mut eval, after) = told();
        let passed = Pile { turn: Side::White, ..after.clone() };
        eval.score(&after);
        eval.push(&after, None, &passed);
        eval.score(&passed);
        eval.pop();
        eval.score(&after);
    }

    #[test]
    #[should_panic(expected = "asked about 12 w on top of 12 b")]
    fn checked_opinions_miss_a_pass_that_was_not_told() {
        let (mut eval, after) = told();
        eval.score(&Pile { turn: Side::White, ..after });
    }

    #[test]
    #[should_panic(expected = "asked about 11 w on top of 12 b")]
    fn checked_opinions_miss_a_move_that_was_not_told() {
        let (mut eval, _) = told();
        eval.push(&Pile { left: 11, turn: Side::White }, Some(1), &Pile { left: 10, turn: Side::Black });
    }

    #[test]
    #[should_panic(expected = "asked about 12 b on top of 13 w")]
    fn checked_opinions_miss_a_move_taken_back_too_early() {
        let (mut eval, after) = told();
        eval.pop();
        eval.score(&after);
    }
}
