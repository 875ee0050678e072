//! The other end of GTP: drives someone else's Go engine. Answers are awaited with patience, not for ever.

use std::time::{Duration, Instant};

use crate::process::{DriveError, Launch, Process};

/// What an engine answers to a command.
pub type Answer = Result<String, String>;

/// A GTP engine in a process of its own.
pub struct Driver {
    process: Process,
    name: String,
    commands: Vec<String>,
}

impl Driver {
    /// Starts an engine and asks who it is and what it knows.
    pub fn start(launch: &Launch, patience: Duration) -> Result<Driver, DriveError> {
        let process = Process::start(launch)?;
        let mut driver = Driver { process, name: String::new(), commands: Vec::new() };
        driver.name = driver.ask("name", patience)?.unwrap_or_default();
        let known = driver.ask("list_commands", patience)?.unwrap_or_default();
        driver.commands = known.split_whitespace().map(str::to_owned).collect();
        Ok(driver)
    }

    /// As the engine calls itself; empty if it does not.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it has a command.
    pub fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Gives a command and waits for its answer: the text, or why it was refused.
    pub fn ask(&mut self, command: &str, patience: Duration) -> Result<Answer, DriveError> {
        self.say(command);
        let deadline = Instant::now() + patience;
        let first = loop {
            let line = self.hear(deadline)?;
            if let Some(first) = answer_line(&line) {
                break first;
            }
        };
        let (is_good, mut text) = first;
        loop {
            let line = self.hear(deadline)?;
            if line.trim().is_empty() {
                return Ok(if is_good { Ok(text) } else { Err(text) });
            }
            text.push('\n');
            text += line.trim_end();
        }
    }

    /// Says a line; what comes back is read with [`Driver::hear`].
    pub fn say(&mut self, line: &str) {
        self.process.say(line);
    }

    /// Waits for the next line, empty ones included.
    pub fn hear(&mut self, deadline: Instant) -> Result<String, DriveError> {
        Ok(self.process.hear(deadline, "answer")?.text)
    }

    /// Says goodbye, waits a while for the engine to leave, then ends it.
    pub fn quit(mut self, grace: Duration) {
        self.process.say("quit");
        self.process.leave(grace);
    }
}

/// Whether a line begins an answer: good or not, and its text without the number.
fn answer_line(line: &str) -> Option<(bool, String)> {
    let line = line.trim();
    let (is_good, rest) = match line.strip_prefix('=') {
        Some(rest) => (true, rest),
        None => (false, line.strip_prefix('?')?),
    };
    let text = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    Some((is_good, text.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_from_other_lines() {
        assert_eq!(answer_line("= D4"), Some((true, "D4".to_owned())));
        assert_eq!(answer_line("=12 D4"), Some((true, "D4".to_owned())));
        assert_eq!(answer_line("? illegal move"), Some((false, "illegal move".to_owned())));
        assert_eq!(answer_line("thinking"), None);
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_is_asked_through_its_noise() {
        let script = "while read word rest; do case $word in
            name) printf 'banner\\n= Some Go\\n\\n';;
            list_commands) printf '= name\\nplay\\n\\n';;
            play) printf '? illegal move\\n\\n';;
            quit) printf '=\\n\\n'; exit;;
        esac; done";
        let patience = Duration::from_secs(20);
        let mut driver = Driver::start(&Launch::new("sh").args(["-c", script]), patience).unwrap();
        assert_eq!(driver.name(), "Some Go");
        assert!(driver.knows("play") && !driver.knows("undo"));
        assert_eq!(driver.ask("play b A1", patience).unwrap(), Err("illegal move".to_owned()));
        driver.quit(patience);
    }
}
