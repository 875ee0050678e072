//! Hub, version 2, the protocol of the draughts engine Scan and of the programs that drive it.
//!
//! A line is a command and arguments `name=value`; a value with blanks stands in double quotes. What a game
//! writes otherwise here than in UCI comes in through a [`Dialect`]. Hub was made for one board; on others the
//! world disagrees about the order of squares, so a dialect may offer several.
//!
//! | question | file |
//! |---|---|
//! | how are lines read and written? | `line.rs` |
//! | how are scores? | `score.rs` |
//! | how does an engine of ours answer? | `serve.rs` |
//! | how is someone else's engine driven? | `drive.rs` |

#[cfg(feature = "drive")]
pub mod drive;
pub mod line;
pub mod score;
mod serve;

#[cfg(feature = "drive")]
pub use drive::Driver;
pub use line::Line;
pub use serve::{Dialect, Order, serve};
