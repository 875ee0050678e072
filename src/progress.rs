//! How far a long job is: a bar where somebody watches, a line now and then where the output is kept; and the one way
//! in which programs print.

use std::io::{self, ErrorKind, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Between two lines at least this passes, and a hundredth of the work.
const PAUSE: Duration = Duration::from_secs(10);

/// A job that consists of so many equal parts.
pub struct Progress {
    bar: ProgressBar,
    /// What the parts are called.
    parts: &'static str,
    told: Mutex<Told>,
}

/// When a line was last told.
struct Told {
    at: Instant,
    done: u64,
}

impl Progress {
    /// A job of `total` parts of which so many are done.
    pub fn new(total: u64, parts: &'static str, done: u64) -> Progress {
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {elapsed}<{eta} {msg}");
        let bar = ProgressBar::new(total).with_style(style.expect("the template is well formed"));
        bar.set_position(done);
        bar.reset_eta();
        Progress { bar, parts, told: Mutex::new(Told { at: Instant::now(), done }) }
    }

    /// So many more parts are done.
    pub fn inc(&self, parts: u64) {
        self.bar.inc(parts);
        self.tell();
    }

    /// So many parts are done altogether.
    pub fn set(&self, done: u64) {
        self.bar.set_position(done);
        self.tell();
    }

    /// What else is to be known of where the job is.
    pub fn note(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Says a line that stays. One that cannot be written must not end the job.
    pub fn say(&self, line: &str) {
        let _ = self.bar.suspend(|| say(&format!("{line}\n")));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self) {
        if !self.bar.is_hidden() {
            return;
        }
        let mut told = self.told.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if !told.is_due(self.bar.position(), self.bar.length().unwrap_or(0), Instant::now()) {
            return;
        }
        let _ = writeln!(io::stderr(), "{}", self.line());
    }

    fn line(&self) -> String {
        let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let (elapsed, left) = (HumanDuration(self.bar.elapsed()), HumanDuration(self.bar.eta()));
        let line = format!("{done} of {total} {} after {elapsed}, about {left} left", self.parts);
        match self.bar.message() {
            message if message.is_empty() => line,
            message => format!("{line}; {message}"),
        }
    }
}

/// Prints to the output. Whoever has closed it wants no more of it, but may want the work done.
pub fn say(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot write the output"),
        _ => Ok(()),
    }
}

impl Told {
    /// Whether it is time for another line; then this is when it was told.
    fn is_due(&mut self, done: u64, total: u64, now: Instant) -> bool {
        let is_due = now >= self.at + PAUSE && done >= self.done + total.div_ceil(100).max(1);
        if is_due {
            *self = Told { at: now, done };
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_rare_and_each_has_something_new() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let mut told = Told { at: begun, done: 0 };
        let due = [(50, 1), (50, 11), (50, 30), (59, 40), (60, 40)];
        let due = due.map(|(done, seconds)| told.is_due(done, 1000, at(seconds)));
        assert_eq!(due, [false, true, false, false, true]);
    }

    #[test]
    fn a_line_says_how_far_it_is_and_what_was_noted() {
        let progress = Progress::new(40, "games", 10);
        progress.note("2 promotions".to_owned());
        progress.set(20);
        let line = progress.line();
        assert!(line.starts_with("20 of 40 games after ") && line.ends_with(" left; 2 promotions"), "{line}");
    }
}
