//! What the sessions of all protocols have in common: one queue of events, one owner of the engine, one writer.
//!
//! | question | file |
//! |---|---|
//! | where is the engine, and what game is before it? | `core.rs` |
//! | what does a search thread do? | `job.rs` |
//! | what waits for its end? | `queue.rs` |
//! | which of its reports are shown? | `reports.rs` |
//! | who writes, and what is written down? | `voice.rs`, `log.rs` |

pub(crate) mod core;
pub(crate) mod job;
pub(crate) mod log;
pub(crate) mod queue;
pub(crate) mod reports;
pub(crate) mod voice;

pub(crate) use core::Core;
pub(crate) use job::{Answer, Event, Job, MoveOf};
pub(crate) use queue::{MOST_WAITING, Queue, Waiting};
pub(crate) use reports::Reports;
pub(crate) use voice::Voice;
