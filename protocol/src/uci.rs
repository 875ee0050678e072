//! UCI, the Universal Chess Interface, and the dialects of it that our other games speak.
//!
//! The dialects differ only in how positions and moves are written, which is the game's affair.

pub mod command;
pub mod declared;
pub mod drive;
pub mod info;
mod session;
pub mod write;

pub use command::{Command, CommandError, Go};
pub use declared::{Declared, DeclaredKind};
pub use drive::{Driver, Event};
pub use session::{perform, serve};
