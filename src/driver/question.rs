//! What an engine is asked: a position, and what may be spent on it.

use std::time::Duration;

use search::{Side, TimeLeft};

use super::time::Base;

/// A position to think about.
#[derive(Clone, Debug)]
pub struct Question {
    /// Where the game began; none for the usual start.
    pub fen: Option<String>,
    /// The moves since.
    pub moves: Vec<String>,
    /// Whose move is asked for.
    pub side: Side,
    /// What may be spent.
    pub spend: Spend,
    /// Lines of play wanted; engines that show but one show one.
    pub lines: usize,
    /// An opinion is wanted, not a move: nobody resigns or passes out of politeness.
    pub analyses: bool,
    /// It is the opponent's time until the last of the moves has been played.
    pub ponders: bool,
}

impl Question {
    /// Asks for a move of `side` after these moves.
    pub fn new(fen: Option<String>, moves: Vec<String>, side: Side, spend: Spend) -> Self {
        Question { fen, moves, side, spend, lines: 1, analyses: false, ponders: false }
    }
}

/// What may be spent on a move; several limits may be combined, and without any the engine decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spend {
    /// The clocks of White and Black, if they have one.
    pub clocks: [Option<TimeLeft>; 2],
    /// The mover's clock before the game, for engines that are told it once.
    pub base: Option<Base>,
    /// A fixed time.
    pub move_time: Option<Duration>,
    /// Positions to visit, or playouts to make.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Think until told to stop.
    pub infinite: bool,
    /// After this a move is lost on time, for who waits for it; none if time does not matter.
    pub longest: Option<Duration>,
}

impl Spend {
    /// A fixed time.
    pub fn time(time: Duration) -> Self {
        Spend { move_time: Some(time), ..Spend::default() }
    }
}
