//! `quintet match check`: does an engine speak its protocol well enough to be played? Step by step, pass or fail
//! for each; the positions and moves are those of the engine's own game.
//!
//! | protocol | file |
//! |---|---|
//! | UCI and its dialects: the forty steps of fastchess's compliance check | `uci.rs` |
//! | GTP | `gtp.rs` |
//! | Hub | `hub.rs` |

mod gtp;
mod hub;
mod uci;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use protocol::Process;

use super::Task;
use super::plan::{Contestant, contestant};
use super::words::Words;
use crate::driver::Protocol;
use crate::games::{self, Row};
use crate::progress::say;
use crate::referee::Referee;

/// How long the engine may take to leave.
const FAREWELL: Duration = Duration::from_secs(5);

/// What the user asked for.
#[derive(Debug, Parser)]
#[command(name = "quintet match check", about = "Check whether an engine speaks its protocol", long_about = None)]
#[command(no_binary_name = true)]
struct Flags {
    /// The engine: the name of one of ours, or cmd=PROGRAM; and arg= args= dir= proto=uci|gtp|hub option.NAME=
    #[arg(required = true, value_name = "WORDS")]
    engine: Vec<String>,
    /// The game it plays; not needed for ours
    #[arg(long)]
    game: Option<String>,
    /// Milliseconds the engine may take to start
    #[arg(long, default_value_t = 10_000, value_name = "MS")]
    startup_ms: u64,
    /// Milliseconds the engine may take to answer
    #[arg(long, default_value_t = 60_000, value_name = "MS")]
    ping_ms: u64,
}

/// Reads the words after `check`; the check itself comes when it is run.
pub fn prepare(words: &[String]) -> Result<Task> {
    let flags = Flags::try_parse_from(words)?;
    let row = game_of(flags.game.as_deref(), &flags.engine)?;
    let referee = row.open(&row.quick_rules())?;
    // A check sets its own limits; one is given so that none is missed.
    let mut words = flags.engine;
    words.push("st=1".to_owned());
    let engine = contestant(Words::new("check", &words), row.name)?;
    let [startup, ping] = [flags.startup_ms, flags.ping_ms].map(Duration::from_millis);
    Ok(Box::new(move || Check { engine, referee, startup, ping }.run()))
}

/// The game that was named, or else that of the engine of ours among its words.
pub(super) fn game_of(named: Option<&str>, engine: &[String]) -> Result<&'static Row> {
    let own = || engine.iter().map(String::as_str).find(|word| games::find(word).is_some());
    Ok(games::named(named.or_else(own).context("--game: which game does the engine play?")?)?)
}

/// A check of one engine.
struct Check {
    engine: Contestant,
    referee: Box<dyn Referee>,
    startup: Duration,
    ping: Duration,
}

impl Check {
    /// Runs all steps and prints how each went.
    fn run(self) -> Result<ExitCode> {
        let mut steps = Steps::default();
        match self.engine.protocol {
            Protocol::Uci => uci::run(self, &mut steps),
            Protocol::Gtp => gtp::run(self, &mut steps),
            Protocol::Hub => hub::run(self, &mut steps),
        }
        steps.finish()
    }
}

/// Counts the steps and prints how each went.
#[derive(Debug, Default)]
struct Steps {
    number: usize,
    failed: usize,
}

impl Steps {
    /// What a step brought, if it passed.
    fn report<T>(&mut self, what: &str, result: Result<T>) -> Option<T> {
        self.number += 1;
        // Where this cannot be written, the end cannot either.
        let _ = match &result {
            Ok(_) => say(&format!("Passed step {}: {what}\n", self.number)),
            Err(why) => say(&format!("Failed step {}: {what}: {why:#}\n", self.number)),
        };
        self.failed += usize::from(result.is_err());
        result.ok()
    }

    fn finish(&self) -> Result<ExitCode> {
        if self.failed == 0 {
            say(&format!("Compliant: all {} steps passed\n", self.number))?;
            return Ok(ExitCode::SUCCESS);
        }
        say(&format!("Not compliant: {} of {} steps failed\n", self.failed, self.number))?;
        Ok(ExitCode::FAILURE)
    }
}

/// All lines to the one that is wanted, which comes last.
fn until(
    process: &Process,
    patience: Duration,
    what: &str,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<String>> {
    let deadline = Instant::now() + patience;
    let mut lines = Vec::new();
    loop {
        let heard = process.hear(deadline, what)?;
        ensure!(heard.at <= deadline, "no {what} in time");
        let found = wanted(&heard.text);
        lines.push(heard.text);
        if found {
            return Ok(lines);
        }
    }
}

/// Sees an engine leave that was told to, or whose input has ended.
fn leaves(mut process: Process) -> Result<()> {
    let status = process.leave(FAREWELL).context("it could not be stopped")?;
    ensure!(status.success(), "it exited with {status}");
    Ok(())
}

/// Starts the engine anew and ends its input: it has to leave by itself.
fn leaves_at_end_of_input(engine: &Contestant) -> Result<()> {
    leaves(Process::start(&engine.launch(None))?)
}
