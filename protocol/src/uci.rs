//! UCI, the Universal Chess Interface, and the dialects of it that our other games speak.
//!
//! The dialects differ only in how positions and moves are written, which is the game's affair.

pub mod command;
mod job;
mod log;
mod reports;
mod session;
mod voice;
pub mod write;

pub use command::{Command, CommandError, Go};
pub use session::{perform, serve};
