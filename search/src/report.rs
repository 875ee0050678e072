//! What a search says while it thinks and when it is done: plain data, written as text elsewhere.

use std::time::Duration;

use crate::Score;

/// How a value relates to the truth at the depth reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// The truth is at least this.
    Lower,
    /// The truth is at most this.
    Upper,
}

/// One line of play with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// Plies of nominal depth.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second best.
    pub multipv: usize,
    /// From the side to move.
    pub score: Score,
    /// How sure the score is.
    pub bound: Bound,
    /// Positions visited so far, by all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Used part of the table, per mille.
    pub hashfull: u32,
    /// Database positions met.
    pub database_hits: u64,
    /// The moves, the root's first.
    pub pv: Vec<M>,
}

impl<M> Line<M> {
    /// The line with the figures of the whole search.
    pub fn with_total(self, total: Total) -> Self {
        let Total { nodes, time, hashfull, database_hits } = total;
        Line { nodes, time, hashfull, database_hits, ..self }
    }

    /// The line with a score that can be shown; before a search has found one it is a draw's.
    pub fn scored(self) -> Self {
        let score = if self.score == -Score::INFINITE { Score::DRAW } else { self.score };
        Line { score, ..self }
    }
}

/// What a search has cost in all, which is more than its last line knew if an iteration was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// Positions visited, by all threads.
    pub nodes: u64,
    /// From its beginning to its end.
    pub time: Duration,
    /// Used part of the table, per mille.
    pub hashfull: u32,
    /// Database positions met.
    pub database_hits: u64,
}

/// A root move as a search that counts visits sees it; probabilities are the side to move's.
#[derive(Clone, Debug, PartialEq)]
pub struct Considered<M> {
    /// How often the move was tried.
    pub visits: u64,
    /// The probability to win.
    pub value: f64,
    /// A bound below which the probability is unlikely to lie.
    pub lower: f64,
    /// The move's share in what was thought of all moves before they were tried.
    pub prior: f64,
    /// The moves expected, this one first.
    pub pv: Vec<M>,
    /// How often each of them was tried.
    pub pv_visits: Vec<u64>,
}

/// What a search says while it thinks.
#[derive(Clone, Debug, PartialEq)]
pub enum Info<M> {
    /// A line of play.
    Line(Line<M>),
    /// The root moves of a search that counts visits, the best first.
    Considered(Vec<Considered<M>>),
    /// The root move being looked at and its number from 1.
    Current(M, usize),
    /// The figures of a search that is over.
    Total(Total),
    /// A remark for people.
    Text(String),
}

/// The answer to a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best<M> {
    /// The move to play; none if there is no legal one.
    pub best: Option<M>,
    /// The reply expected.
    pub ponder: Option<M>,
}
