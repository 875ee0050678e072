//! Engine against engine, refereed by our own rules.
//!
//! | question | file |
//! |---|---|
//! | what did the user ask for? | `args.rs`, `words.rs`, `plan.rs` |
//! | who meets whom, and from where? | `schedule.rs`, `openings.rs` |
//! | how is a game played and judged? | `game.rs`, `adjudication.rs`, `scrutiny.rs` |
//! | how are many games played? | `contest.rs`, `runner.rs`, `interrupt.rs`, `progress.rs` |
//! | what is kept? | `log.rs`, `archive.rs`, `csv.rs` |
//! | what does it all mean? | `standings.rs`, `statistics.rs`, `report.rs`, `plot.rs` |
//! | what else can be asked of an engine? | `check.rs`, `check/`, `suite.rs`, `suite/` |

pub mod adjudication;
pub mod archive;
pub mod args;
pub mod check;
pub mod contest;
pub mod csv;
pub mod game;
pub mod interrupt;
pub mod log;
pub mod openings;
pub mod plan;
pub mod plot;
pub mod progress;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod scrutiny;
pub mod standings;
pub mod statistics;
pub mod suite;
pub mod words;

use std::process::ExitCode;

use anyhow::Result;
use protocol::program::{self, WRONG_USE};

use args::Flags;
use contest::Contest;

use crate::misuse::told;

/// The whole of `quintet match`, with the words after it.
pub fn main(words: &[String]) -> ExitCode {
    match prepare(words) {
        Ok(task) => task().unwrap_or_else(|error| fail(&error, ExitCode::FAILURE)),
        Err(error) => fail(&error, ExitCode::from(WRONG_USE)),
    }
}

/// What is to be done, once the input is checked.
pub type Task = Box<dyn FnOnce() -> Result<ExitCode>>;

fn prepare(words: &[String]) -> Result<Task> {
    let (command, rest) = words.split_first().map_or(("", words), |(word, rest)| (word.as_str(), rest));
    match command {
        "report" => report::prepare(rest),
        "check" => check::prepare(rest),
        "suite" => suite::prepare(rest),
        _ => {
            let contest = Contest::prepare(&Flags::read(words)?)?;
            Ok(Box::new(|| contest.run()))
        }
    }
}

/// Says why the program ends; a request for help is no failure.
fn fail(error: &anyhow::Error, code: ExitCode) -> ExitCode {
    match error.downcast_ref::<clap::Error>() {
        Some(usage) => {
            // With nobody listening there is nothing left to do.
            let _ = usage.print();
            if usage.use_stderr() { code } else { ExitCode::SUCCESS }
        }
        None => {
            program::fail(&format!("quintet match: {}", told(error)));
            code
        }
    }
}
