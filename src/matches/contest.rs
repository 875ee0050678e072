//! A whole match: plays what is left of it, keeps what was played, and says how it stands.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::archive::Archive;
use super::args::Flags;
use super::interrupt::Interrupt;
use super::log::{Entry, Log};
use super::plan::Plan;
use super::plot::Plot;
use super::progress::Progress;
use super::runner;
use super::standings::Standings;
use crate::place;
use crate::progress::say;

/// The exit code after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// A match whose input is checked.
pub struct Contest {
    plan: Plan,
    interrupt: Interrupt,
    /// Numbers of the games that are over.
    done: BTreeSet<usize>,
    books: Books,
    progress: Progress,
}

/// Everything that is kept of the games.
struct Books {
    log: Option<Log>,
    archive: Option<Archive>,
    plot: Option<(PathBuf, Plot)>,
    standings: Standings,
    remarks: usize,
}

impl Contest {
    /// Checks what the user asked for and opens the files.
    pub fn prepare(flags: &Flags) -> Result<Contest> {
        let plan = Plan::new(flags)?;
        let records = flags.records()?;
        place::check_all(&[
            ("--log", flags.log.as_deref()),
            ("--records", records.as_deref()),
            ("--plot", flags.plot.as_deref()),
        ])?;
        let interrupt = Interrupt::default();
        runner::check_engines(&plan, &interrupt)?;
        let (log, old) = match &flags.log {
            Some(path) if flags.resume => {
                let (log, old) = Log::resume(path, &plan.head)?;
                (Some(log), old)
            }
            Some(path) => (Some(Log::create(path, &plan.head)?), Vec::new()),
            None => (None, Vec::new()),
        };
        let archive = records
            .as_ref()
            .map(|path| Archive::open(path, !old.is_empty(), &flags.event, &plan.head))
            .transpose()?;
        let plot = flags.plot.clone().map(|path| (path, Plot::default()));
        let standings = Standings::new(&plan.head.engines);
        let mut books = Books { log, archive, plot, standings, remarks: 0 };
        let mut done = BTreeSet::new();
        for entry in old.iter().filter(|entry| done.insert(entry.game)) {
            books.count(entry)?;
        }
        let total = plan.schedule.slots().count() as u64;
        let progress = Progress::new(flags.quiet, flags.ratinginterval, total, done.len() as u64);
        Ok(Contest { plan, interrupt, done, books, progress })
    }

    /// Plays the games that are left and prints the table.
    pub fn run(self) -> Result<ExitCode> {
        let Contest { plan, interrupt, done, mut books, progress } = self;
        let by_user = Interrupt::default();
        let (user, all) = (by_user.clone(), interrupt.clone());
        ctrlc::set_handler(move || {
            user.raise();
            all.raise();
        })?;
        let sprt = plan.sprt.as_ref();
        let decided = |standings: &Standings| {
            sprt.is_some_and(|sprt| standings.verdict(sprt).is_some())
                || plan.target.is_some_and(|target| standings.is_above(target))
        };
        let left = plan.schedule.slots().filter(|slot| !done.contains(&slot.game));
        let result = if decided(&books.standings) {
            Ok(())
        } else {
            runner::run(&plan, left, &interrupt, |entry| {
                books.keep(&entry)?;
                progress.game(&entry, &books.standings, sprt);
                if decided(&books.standings) {
                    interrupt.raise();
                }
                Ok(())
            })
        };
        progress.finish();
        let against_target = plan.target.map(|target| books.standings.against_target(target));
        let told = say(&(books.standings.table(sprt) + &against_target.unwrap_or_default()));
        result?;
        if let Some((path, plot)) = &books.plot {
            plot.write(path, &plan.head.engines)?;
        }
        told?;
        let faulty = plan.oversight.strict && (books.remarks > 0 || books.standings.has_faults());
        Ok(match (by_user.is_raised(), faulty) {
            (true, _) => ExitCode::from(INTERRUPTED),
            (_, true) => ExitCode::FAILURE,
            _ => ExitCode::SUCCESS,
        })
    }
}

impl Books {
    /// Keeps a game that has just ended; the log first, since the rest can be made from it.
    fn keep(&mut self, entry: &Entry) -> Result<()> {
        self.log.as_mut().map_or(Ok(()), |log| log.append(entry))?;
        self.count(entry)
    }

    fn count(&mut self, entry: &Entry) -> Result<()> {
        self.standings.add(entry, 0);
        self.remarks += entry.remarks.len();
        if let Some((_, plot)) = &mut self.plot {
            plot.add(&self.standings);
        }
        self.archive.as_mut().map_or(Ok(()), |archive| archive.add(entry))
    }
}
