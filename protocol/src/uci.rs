//! UCI, the Universal Chess Interface, and the dialects of it that our other games speak.
//!
//! The dialects differ only in how positions and moves are written, which is the game's affair.

pub mod command;
#[cfg(feature = "drive")]
mod compose;
#[cfg(feature = "drive")]
pub mod declared;
#[cfg(feature = "drive")]
pub mod drive;
#[cfg(feature = "drive")]
pub mod info;
mod session;
pub mod write;

pub use command::{Command, CommandError, Go};
#[cfg(feature = "drive")]
pub use declared::{Declared, DeclaredKind};
#[cfg(feature = "drive")]
pub use drive::{Driver, Event};
pub use session::{perform, serve};
