//! The programs: everything behind the binary `quintet`.
//!
//! | question | file |
//! |---|---|
//! | which games are there, and what is special about each? | `games.rs`, `games/` |
//! | how are weights learned from games? | `learn.rs` |
//! | what was published, and does it hold? | `lab.rs`, `lab/` |
//! | which large things can be built on the user's machine? | `build.rs` |
//! | what do endgame databases know of a position? | `probe.rs` |
//! | how is an engine driven, whatever it speaks? | `driver.rs` |
//! | how do programs see any game? | `referee.rs` |
//! | was the work at fault, or what was asked for? | `misuse.rs` |
//! | how are games kept as text? | `record.rs`, `record/` |
//! | can results be written there? | `place.rs` |
//! | how far is a long job? | `progress.rs` |
//! | how do engines meet? | `matches.rs` |
//! | how good were the moves? | `analysis.rs`, `analyse.rs` |
//! | how does one play in the browser? | `serve.rs` |
//! | how does an engine play over the network? | `join.rs` |

pub mod analyse;
pub mod analysis;
pub mod build;
pub mod driver;
pub mod games;
pub mod join;
pub mod lab;
pub mod learn;
pub mod matches;
pub mod misuse;
pub mod place;
pub mod probe;
pub mod progress;
pub mod record;
pub mod referee;
pub mod serve;
