//! Engine against engine, judged by our own rules.
//!
//! | question | file |
//! |---|---|
//! | what did the user ask for? | `args.rs`, `words.rs`, `plan.rs` |
//! | who meets whom, from where, with how much time? | `schedule.rs`, `openings.rs`, `time.rs` |
//! | how is a game played and judged? | `game.rs`, `player.rs`, `adjudication.rs` |
//! | how are many games played? | `runner.rs`, `interrupt.rs`, `progress.rs` |
//! | what is kept? | `log.rs`, `archive.rs` |
//! | what does it all mean? | `standings.rs`, `statistics.rs` |

pub mod adjudication;
pub mod archive;
pub mod args;
pub mod game;
pub mod interrupt;
pub mod log;
pub mod openings;
pub mod plan;
pub mod player;
pub mod progress;
pub mod runner;
pub mod schedule;
pub mod standings;
pub mod statistics;
pub mod time;
pub mod words;

use std::collections::BTreeSet;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;

use archive::Archive;
use args::Flags;
use interrupt::Interrupt;
use log::{Entry, Log};
use plan::Plan;
use progress::{Progress, say};
use standings::Standings;

/// What the user asked for cannot be done.
const BAD_INPUT: u8 = 2;
/// The user pressed Ctrl-C.
const INTERRUPTED: u8 = 130;

/// The whole of `quintet match`, with the words after it.
pub fn main(words: &[String]) -> ExitCode {
    match Flags::read(words).and_then(|flags| Match::prepare(&flags)) {
        Ok(prepared) => prepared.run().unwrap_or_else(|error| fail(&error, ExitCode::FAILURE)),
        Err(error) => fail(&error, ExitCode::from(BAD_INPUT)),
    }
}

/// Says why the program ends; a request for help is no failure.
fn fail(error: &anyhow::Error, code: ExitCode) -> ExitCode {
    if let Some(usage) = error.downcast_ref::<clap::Error>() {
        let _ = usage.print();
        return if usage.use_stderr() { code } else { ExitCode::SUCCESS };
    }
    let _ = writeln!(std::io::stderr(), "quintet match: {error:#}");
    code
}

/// A match whose input is checked.
struct Match {
    plan: Plan,
    interrupt: Interrupt,
    log: Option<Log>,
    archive: Option<Archive>,
    standings: Standings,
    /// Numbers of the games that are played already.
    done: BTreeSet<usize>,
    quiet: bool,
    interval: u64,
}

impl Match {
    fn prepare(flags: &Flags) -> Result<Match> {
        let plan = Plan::new(flags)?;
        let interrupt = Interrupt::default();
        runner::check_options(&plan, &interrupt)?;
        let (log, old) = match &flags.log {
            Some(path) if flags.resume => {
                let (log, old) = Log::resume(path, &plan.head)?;
                (Some(log), old)
            }
            Some(path) => (Some(Log::create(path, &plan.head)?), Vec::new()),
            None => (None, Vec::new()),
        };
        let mut archive = flags
            .pgn
            .as_ref()
            .map(|path| Archive::open(path, flags.resume, &flags.event, plan.referee.another()))
            .transpose()?;
        let mut standings = Standings::new(&plan.head.engines);
        let mut done = BTreeSet::new();
        for entry in old.iter().filter(|entry| done.insert(entry.game)) {
            standings.add(entry, 0);
            archive.as_mut().map_or(Ok(()), |archive| archive.add(entry))?;
        }
        let (quiet, interval) = (flags.quiet, flags.ratinginterval);
        Ok(Match { plan, interrupt, log, archive, standings, done, quiet, interval })
    }

    fn run(mut self) -> Result<ExitCode> {
        let by_user = Interrupt::default();
        let (ring, match_ends) = (by_user.clone(), self.interrupt.clone());
        ctrlc::set_handler(move || {
            ring.raise();
            match_ends.raise();
        })?;
        let sprt = self.plan.sprt.clone();
        if sprt.as_ref().is_some_and(|sprt| self.standings.verdict(sprt).is_some()) {
            self.interrupt.raise();
        }
        let total = self.plan.schedule.slots().count() as u64;
        let progress = Progress::new(self.quiet, self.interval, total, self.standings.games());
        let done = &self.done;
        let slots = self.plan.schedule.slots().filter(|slot| !done.contains(&slot.game));
        let result = runner::run(&self.plan, slots, &self.interrupt, |entry: Entry| {
            self.log.as_mut().map_or(Ok(()), |log| log.append(&entry))?;
            self.archive.as_mut().map_or(Ok(()), |archive| archive.add(&entry))?;
            self.standings.add(&entry, 0);
            progress.game(&entry, &self.standings, sprt.as_ref());
            if sprt.as_ref().is_some_and(|sprt| self.standings.verdict(sprt).is_some()) {
                self.interrupt.raise();
            }
            Ok(())
        });
        progress.finish();
        say(&self.standings.table(sprt.as_ref()));
        result?;
        Ok(if by_user.is_raised() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
    }
}
