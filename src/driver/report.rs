//! What an engine says, in the words of no protocol. Moves are written as our games write them.

pub use protocol::{Best, Report};

/// What a thinking engine says.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// On the way.
    Reports(Vec<Report>),
    /// At the end.
    Best(Best),
}
