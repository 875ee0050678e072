//! How an engine talks: both ends of each text protocol. Blind to games, which come in through
//! [`search::Engine`].
//!
//! | question | file |
//! |---|---|
//! | what do the sessions of all protocols have in common? | `session.rs`, `session/` |
//! | how does a UCI session go? | `uci.rs`, `uci/session.rs` |
//! | what may be said to an engine? | `uci/command.rs` |
//! | what does an engine say? | `uci/write.rs` |
//! | how is someone else's engine driven (feature `drive`)? | `process.rs`, `family.rs`, `report.rs`; `uci/drive.rs`, `uci/compose.rs`, `uci/info.rs`, `uci/declared.rs` |
//! | how does a GTP session go? | `gtp.rs` |
//! | how does a Hub session go, and how is a Hub engine driven? | `hub.rs`, `hub/` |
//! | how does an agent introduce itself over the network? | `agent.rs` |
//! | how does an engine's command line read, can this machine run it? | `program.rs`, `cpu.rs` |
//! | how is a file of any encoding read? | `encoding.rs` |
//! | how is a conversation tested? | `testing.rs` |

#[cfg(feature = "drive")]
pub mod agent;
pub mod cpu;
pub mod encoding;
#[cfg(feature = "drive")]
pub mod family;
pub mod gtp;
pub mod hub;
pub mod lines;
#[cfg(feature = "drive")]
pub mod process;
pub mod program;
#[cfg(feature = "drive")]
mod report;
mod session;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod uci;

#[cfg(feature = "drive")]
pub use process::{DriveError, Launch, Process};
#[cfg(feature = "drive")]
pub use report::{Best, LONGEST_LINE, Report};
