//! `Debug Log File`: everything heard and said, with the milliseconds since the log was opened.
//!
//! ```text
//! # Quintet Neighbours 0.1.0
//!        0 > setoption name Hash value 64
//!       12 > go depth 3
//!       15 < bestmove a1b2
//! ```
//! It begins with the commands that bring a fresh engine into the state of this one, so what follows `>`
//! replays the session.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::time::Instant;

/// A log file, or nothing.
#[derive(Debug, Default)]
pub struct Log {
    /// Where the log goes; empty for nowhere.
    pub path: String,
    open: Option<(File, Instant)>,
}

impl Log {
    /// Goes where an option says, and says whether that is elsewhere now; where a file cannot be had, log and option stay
    /// as they were.
    pub fn follow(&mut self, option: &mut String, title: &str) -> Result<bool, String> {
        if *option == self.path {
            return Ok(false);
        }
        let wanted = std::mem::replace(option, self.path.clone());
        self.reopen(&wanted, title)
            .map_err(|error| format!("cannot write the log file '{wanted}': {error}"))?;
        *option = wanted;
        Ok(true)
    }

    /// Appends to another file from now on, after a title; an empty path ends the log.
    fn reopen(&mut self, path: &str, title: &str) -> io::Result<()> {
        let mut open = None;
        if !path.is_empty() {
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            writeln!(file, "# {title}")?;
            open = Some((file, Instant::now()));
        }
        *self = Log { path: path.to_owned(), open };
        Ok(())
    }

    /// Writes down what the other side said.
    pub fn heard(&mut self, text: &str) {
        self.note('>', text);
    }

    /// Writes down what we said.
    pub fn said(&mut self, text: &str) {
        self.note('<', text);
    }

    /// A log that can no longer be written is given up, for the game must go on.
    fn note(&mut self, sign: char, text: &str) {
        let Some((file, opened)) = &mut self.open else { return };
        let time = opened.elapsed().as_millis();
        let lines: String = text.lines().map(|line| format!("{time:8} {sign} {line}\n")).collect();
        if file.write_all(lines.as_bytes()).is_err() {
            self.open = None;
        }
    }
}
