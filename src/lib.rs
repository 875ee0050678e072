//! The programs.
//!
//! | question | file |
//! |---|---|
//! | how do programs see any game? | `referee.rs` |
//! | how are games kept as text? | `record.rs` |
//! | how do engines meet? | `matches.rs` |

pub mod matches;
pub mod record;
pub mod referee;
