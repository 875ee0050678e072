//! The Go Text Protocol, version 2: commands in, one answer each, in order.
//!
//! | question | file |
//! |---|---|
//! | how is a line read, how is an answer written? | `command.rs` |
//! | what must a player offer? | `player.rs` |
//! | how does a session go? | `session.rs` |
//! | how much time is there? | `clocks.rs` |

pub mod clocks;
pub mod command;
pub mod drive;
pub mod player;
pub mod session;

pub use clocks::Clocks;
pub use command::Command;
pub use player::{Player, Remark, Reply, Think};
pub use session::{perform, serve};
