//! What a search may spend, in one form for the clocks of UCI, GTP and Hub.

use std::time::Duration;

/// The clock of the side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeLeft {
    /// What is left of the main time, or of the current overtime period once that has begun.
    pub left: Duration,
    /// Added for each move made.
    pub increment: Duration,
    /// Moves until `left` is refilled; none for sudden death.
    pub moves_to_go: Option<u32>,
    /// Overtime after the main time.
    pub overtime: Option<Overtime>,
}

/// What follows the main time: `moves` moves in each period of `time`, `periods` periods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overtime {
    /// The length of a period.
    pub time: Duration,
    /// Moves to be made in a period: 1 in Japanese byo-yomi, more in Canadian overtime.
    pub moves: u32,
    /// Periods that may be used up: 1 in Canadian overtime.
    pub periods: u32,
}

/// What a search may spend; the first limit reached ends it. Without any limit it ends by `stop`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The clock of the side to move.
    pub clock: Option<TimeLeft>,
    /// Exactly this long.
    pub move_time: Option<Duration>,
    /// Plies of nominal depth.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Positions visited after which no further iteration is begun.
    pub soft_nodes: Option<u64>,
    /// Stop once a win in this many moves is proven.
    pub mate: Option<u32>,
    /// Never answer before `stop`.
    pub infinite: bool,
    /// The clock starts with `ponderhit`; never answer before it or `stop`.
    pub ponder: bool,
    /// If not empty, the only root moves to consider, packed by [`crate::Game::pack`].
    pub only: Vec<u32>,
}

impl Limits {
    /// A search of fixed depth.
    pub fn depth(depth: u32) -> Self {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A search of fixed effort.
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A search of about so many positions: it finishes the iteration in which it has visited two thirds of them, unless
    /// that takes very long.
    pub fn about_nodes(nodes: u64) -> Self {
        let most = nodes.saturating_mul(8);
        Limits { soft_nodes: Some(nodes - nodes / 3), nodes: Some(most), ..Limits::default() }
    }

    /// A search of fixed time.
    pub fn move_time(time: Duration) -> Self {
        Limits { move_time: Some(time), ..Limits::default() }
    }

    /// Whether the engine must wait for the word of its user before it answers.
    pub fn waits(&self) -> bool {
        self.infinite || self.ponder
    }
}
