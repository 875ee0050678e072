//! The only mouth of a session: writes whole lines at once, keeps the log, remembers what it said last.

use std::io::{self, Write};

use super::log::Log;

/// Writes to whoever drives us.
pub struct Voice<W: Write> {
    output: W,
    /// Whether a line of play was the last thing said.
    pub scored: bool,
    /// What is heard and said is written down here.
    pub log: Log,
}

impl<W: Write> Voice<W> {
    /// A voice without a log.
    pub fn new(output: W) -> Self {
        Voice { output, scored: false, log: Log::default() }
    }

    /// Says one or several lines.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        self.put(&format!("{text}\n"))
    }

    /// Says a text with all its line ends.
    pub fn put(&mut self, text: &str) -> io::Result<()> {
        self.scored = false;
        self.log.said(text);
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    /// Says a line of play.
    pub fn say_line(&mut self, text: &str) -> io::Result<()> {
        self.say(text)?;
        self.scored = true;
        Ok(())
    }
}
