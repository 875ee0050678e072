//! The Go Text Protocol, version 2: commands in, one answer each, in order.
//!
//! | question | file |
//! |---|---|
//! | how is a line read, how is an answer written? | `command.rs` |
//! | what must an engine offer? | `responder.rs` |
//! | how does a session go? | `session.rs` |
//! | how much time is there? | `clocks.rs` |
//! | how is someone else's engine driven? | `drive.rs` |

pub mod clocks;
pub mod command;
#[cfg(feature = "drive")]
pub mod drive;
pub mod responder;
pub mod session;

pub use clocks::Clocks;
pub use command::Command;
pub use responder::{Remark, Reply, Responder, Think};
pub use session::{perform, serve};
