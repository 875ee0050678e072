//! The programs: what the binaries in `src/bin` share.
//!
//! | question | file |
//! |---|---|
//! | which games are there, how does an engine's command line read? | `engine.rs` |
//! | can this machine run this binary? | `cpu.rs` |

pub mod cpu;
pub mod engine;
