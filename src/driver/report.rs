//! What an engine says, in the words of no protocol. Moves are written as our games write them.

use std::time::Duration;

pub use protocol::Report;

/// What a thinking engine says.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// On the way.
    Reports(Vec<Report>),
    /// At the end.
    Best(Best),
}

/// An engine's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Best {
    /// The move; none if it knows no move.
    pub text: Option<String>,
    /// Whether it gives the game up instead of moving.
    pub resigns: bool,
    /// The reply it expects.
    pub ponder: Option<String>,
    /// From the question to the arrival of the answer, by our clock.
    pub time: Duration,
}
