//! The programs: what the binaries in `src/bin` share.
//!
//! | question | file |
//! |---|---|
//! | which games are there, how does an engine's command line read? | `engine.rs` |
//! | how are weights learned from games? | `learn.rs` |
//! | can this machine run this binary? | `cpu.rs` |

pub mod cpu;
pub mod engine;
pub mod learn;
