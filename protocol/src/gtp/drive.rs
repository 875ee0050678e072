//! The other end of GTP: drives someone else's engine. Never blocks for ever, whatever the engine does.

use std::time::{Duration, Instant};

use crate::process::{DriveError, Launch, Process};

/// What an engine answered to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The text after `=`, or after `?` as the error.
    pub result: Result<String, String>,
    /// From writing the command to the end of the answer.
    pub time: Duration,
}

/// A GTP engine in a process of its own.
pub struct Driver {
    process: Process,
    name: String,
    version: String,
    commands: Vec<String>,
}

impl Driver {
    /// Starts an engine and asks for its name and its commands.
    pub fn start(launch: &Launch, patience: Duration) -> Result<Driver, DriveError> {
        Self::greet(Process::start(launch)?, patience)
    }

    /// Takes up an engine that runs and asks for its name and its commands.
    pub fn greet(process: Process, patience: Duration) -> Result<Driver, DriveError> {
        let mut driver =
            Driver { process, name: String::new(), version: String::new(), commands: Vec::new() };
        let deadline = Instant::now() + patience;
        driver.name = driver.ask("name", deadline)?.result.unwrap_or_default();
        driver.version = driver.ask("version", deadline)?.result.unwrap_or_default();
        let known = driver.ask("list_commands", deadline)?.result.unwrap_or_default();
        driver.commands = known.lines().map(|line| line.trim().to_owned()).collect();
        Ok(driver)
    }

    /// As the engine calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version it gives.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Whether it knows a command.
    pub fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// The process, for its number and its error stream.
    pub fn process(&self) -> &Process {
        &self.process
    }

    /// Says a command and waits for the whole answer.
    pub fn ask(&mut self, command: &str, deadline: Instant) -> Result<Answer, DriveError> {
        let begun = Instant::now();
        self.process.say(command);
        let mut reader = Reader::default();
        loop {
            let heard = self.process.hear(deadline, command)?;
            if heard.at > deadline {
                return Err(DriveError::Timeout { what: command.to_owned() });
            }
            if let Some(result) = reader.add(&heard.text) {
                return Ok(Answer { result, time: heard.at.saturating_duration_since(begun) });
            }
        }
    }

    /// Takes leave; an engine that lingers is ended.
    pub fn quit(mut self, grace: Duration) {
        self.process.say("quit");
        self.process.leave(grace);
    }
}

/// Puts the lines of an answer together; noise before it and further blank lines are tolerated.
#[derive(Debug, Default)]
struct Reader {
    is_error: bool,
    lines: Option<Vec<String>>,
}

impl Reader {
    /// Takes a line; the answer once it is complete.
    fn add(&mut self, line: &str) -> Option<Result<String, String>> {
        let line = line.trim_end();
        match &mut self.lines {
            None => {
                let sign = line.chars().next().filter(|c| matches!(c, '=' | '?'))?;
                let text = line[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
                self.is_error = sign == '?';
                self.lines = Some(vec![text.to_owned()]);
                None
            }
            Some(lines) if line.is_empty() => {
                let text = lines.join("\n").trim().to_owned();
                Some(if self.is_error { Err(text) } else { Ok(text) })
            }
            Some(lines) => {
                lines.push(line.to_owned());
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Result<String, String>> {
        let mut reader = Reader::default();
        text.lines().find_map(|line| reader.add(line))
    }

    #[test]
    fn answers_of_every_accent_are_understood() {
        assert_eq!(read("=\n\n"), Some(Ok(String::new())));
        assert_eq!(read("noise\n\n=12 PASS\r\n\r\n"), Some(Ok("PASS".to_owned())));
        assert_eq!(read("= a\nb # c\n\n"), Some(Ok("a\nb # c".to_owned())));
        assert_eq!(read("?3 illegal move\n\n"), Some(Err("illegal move".to_owned())));
        assert_eq!(read("= unfinished\n"), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_silent_engine_is_given_up() {
        let launch = Launch::new("sh").args(["-c", "sleep 60"]);
        let error = Driver::start(&launch, Duration::from_millis(30)).err().unwrap();
        assert_eq!(error, DriveError::Timeout { what: "name".to_owned() });
    }
}
