//! What a page may ask of a game, and what reaches a game besides.

use serde::Deserialize;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::seat::Seat;
use crate::driver::Message;
use crate::record::Format;

/// What a page asks of a game.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Order {
    /// Everything, to begin following.
    Watch,
    /// A position of any line.
    Look {
        /// The node.
        node: usize,
    },
    /// A move in a position of any line.
    Play {
        /// The node.
        node: usize,
        /// The move in any notation.
        #[serde(rename = "move")]
        text: String,
        /// Where the page believes the game to stand: an order for another moment is refused.
        at: usize,
    },
    /// Take back; against an engine also its answer.
    Undo {
        /// Where the page believes the game to stand.
        at: usize,
    },
    /// Play again what was taken back.
    Redo {
        /// Where the page believes the game to stand.
        at: usize,
    },
    /// The human gives up.
    Resign,
    /// The human offers a draw.
    Draw,
    /// The draw offered is agreed to.
    Accept,
    /// A stone is dead after all, or alive after all.
    Mark {
        /// The stone.
        spot: String,
    },
    /// The dead stones are agreed on.
    Agree,
    /// Engines wait, or go on.
    Pause,
    /// Another player takes a side.
    Seat {
        /// 0 for White, 1 for Black.
        side: usize,
        /// Who plays it.
        seat: Seat,
    },
    /// A move recommended by our engine.
    Hint {
        /// The node.
        node: usize,
    },
    /// Our engine thinks about a node until told otherwise.
    Think {
        /// The node; none to stop.
        node: Option<usize>,
    },
    /// Our engine looks over the whole game, or stops doing so.
    Sweep,
    /// The game as text.
    Export {
        /// In which form.
        format: Format,
    },
    /// The FEN of a position that was set up by hand.
    Compose {
        /// One letter a spot, `.` for none.
        letters: String,
        /// 0 for White, 1 for Black.
        turn: usize,
    },
}

/// Where the answer to an order goes.
pub type Reply = oneshot::Sender<Result<Value, String>>;

/// Which of a game's engines spoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The player of a side, and its number: a player that was replaced is not listened to.
    Player(usize, u64),
    /// The one who gives hints and analyses.
    Adviser,
}

/// What reaches a game.
pub enum Event {
    /// A page asks something.
    Order(Order, Reply),
    /// An engine speaks; what it thinks on the way has a room in the inbox.
    Engine(Role, Message, Option<OwnedSemaphorePermit>),
    /// A game that nobody watches, and in which nobody thinks, may close; it is on disk.
    Rest,
    /// The game is over for good.
    Close,
}
