//! What a game must offer to be searched, refereed and spoken about.
//!
//! A position is a value: clone it, `play`, drop it. Opinions about positions live in [`crate::Eval`].

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::Not;

use crate::{History, Rulebook};

/// The moves of one position. A search keeps one list per ply and reuses its memory.
pub type MoveList<M> = Vec<M>;

/// One of the two players, by the colour of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player of the white pieces.
    White,
    /// The player of the black pieces.
    Black,
}

impl Side {
    /// 0 for White, 1 for Black.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Not for Side {
    type Output = Side;

    #[inline]
    fn not(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

impl Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Side::White => "White",
            Side::Black => "Black",
        })
    }
}

/// How a game ended, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The side that won; none for a draw.
    pub winner: Option<Side>,
    /// The rule, in a few words for people: `threefold repetition`.
    pub reason: &'static str,
}

impl Outcome {
    /// A win of `winner` by the rule named.
    pub fn win(winner: Side, reason: &'static str) -> Self {
        Outcome { winner: Some(winner), reason }
    }

    /// A draw by the rule named.
    pub fn draw(reason: &'static str) -> Self {
        Outcome { winner: None, reason }
    }
}

/// A text that is not a position of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad position '{text}': {why}")]
pub struct PositionError {
    /// The text that was refused.
    pub text: String,
    /// What is wrong with it.
    pub why: String,
}

impl PositionError {
    /// Refuses `text` for the reason given.
    pub fn new(text: &str, why: impl Into<String>) -> Self {
        PositionError { text: text.to_owned(), why: why.into() }
    }
}

/// A text that is not a move of the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Not written like a move of this game.
    #[error("'{0}' is not a move")]
    Syntax(String),
    /// Written like a move, but the rules do not allow it here.
    #[error("illegal move '{0}'")]
    Illegal(String),
    /// The same, with the rule that forbids it.
    #[error("illegal move '{text}': {why}")]
    Forbidden {
        /// The move.
        text: String,
        /// The rule, in a few words.
        why: &'static str,
    },
    /// Fits several legal moves.
    #[error("ambiguous move '{0}'")]
    Ambiguous(String),
}

/// A position and the rules of its game; it carries its rules and no heap memory.
///
/// `Display` writes its FEN; `Eq` compares counters too.
pub trait Game: Clone + Eq + Debug + Display + Send + Sync + 'static {
    /// What the user chooses at run time: variant, size, draw codes.
    type Rules: Rulebook;
    /// One whole turn: sides alternate at every `play`.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The position a game starts from.
    fn start(rules: &Self::Rules) -> Self;
    /// Reads a FEN.
    fn read(rules: &Self::Rules, text: &str) -> Result<Self, PositionError>;
    /// The side to move.
    fn turn(&self) -> Side;
    /// Identity for repetition: board, side, rights, memory; no counters.
    fn key(&self) -> u64;
    /// What else the value depends on, such as a counter near its limit; the table's key is `key ^ salt`.
    fn salt(&self) -> u64;
    /// `key` without hashing, for referees.
    fn same(&self, other: &Self) -> bool;
    /// Appends the moves that are legal by the position alone, whatever the draw rules say.
    fn moves(&self, out: &mut MoveList<Self::Move>);
    /// The same moves in a list of their own.
    fn list(&self) -> MoveList<Self::Move> {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list
    }
    /// The number of legal moves; games that can count faster than they list override it.
    fn count(&self) -> u64 {
        self.list().len() as u64
    }
    /// Whether the game so far permits the move: always, in games without a rule such as superko.
    fn allowed(&self, _move: Self::Move, _past: &History) -> bool {
        true
    }
    /// A number distinct among this position's moves and never 0: what table and killers store.
    fn pack(&self, m: Self::Move) -> u32;
    /// Makes a legal move; trusts its caller.
    fn play(&mut self, m: Self::Move);
    /// The position after a legal move.
    fn after(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(m);
        next
    }
    /// Whether no position before the move can recur after it; bounds the scan for repetitions.
    fn irreversible(&self, m: Self::Move) -> bool;
    /// What it means that the side to move has no move.
    fn stuck(&self) -> Outcome;
    /// The draw rule that ends the game here, if any, given how often the same position stood on the
    /// board before. Asked only of positions that have a move.
    fn drawn(&self, earlier: usize) -> Option<&'static str>;
    /// The end of the game, if this is it: first the lack of moves, then counters, then repetition.
    fn outcome(&self, earlier: usize) -> Option<Outcome> {
        if self.count() == 0 {
            return Some(self.stuck());
        }
        self.drawn(earlier).map(Outcome::draw)
    }
    /// Reads one move in any notation the game accepts.
    fn parse(&self, text: &str) -> Result<Self::Move, MoveError>;
    /// Writes a legal move.
    fn write(&self, m: Self::Move) -> String;
    /// The board as a picture of text lines, for people.
    fn picture(&self) -> String;
    /// The same position with the colours of both players exchanged, if the game is symmetric that way.
    fn flipped(&self) -> Option<Self>;
}
