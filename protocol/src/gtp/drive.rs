//! The other end of GTP: drives someone else's engine. Never blocks for ever, whatever the engine does.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::lines::LONGEST;
use crate::process::{DriveError, Process, Stamp};

/// What an engine answered to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The text after `=`, or after `?` as the error.
    pub result: Result<String, String>,
    /// From writing the command to the end of the answer.
    pub time: Duration,
}

/// What an engine says to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line of the answer, on the way.
    Line(String),
    /// The whole answer, at its end.
    Answer(Answer),
}

/// A GTP engine in a process of its own.
pub struct Driver {
    process: Process,
    /// As the engine calls itself.
    pub name: String,
    commands: Vec<String>,
    /// The last command.
    command: String,
    /// Its number, said with it if the engine repeats numbers.
    number: u32,
    numbered: bool,
    /// When it was written.
    begun: Stamp,
    /// What has come of its answer.
    reader: Reader,
}

impl Driver {
    /// Takes up an engine that runs and asks for its name and its commands.
    pub fn greet(process: Process, patience: Duration) -> Result<Driver, DriveError> {
        let mut driver = Driver {
            process,
            name: String::new(),
            commands: Vec::new(),
            command: String::new(),
            number: 0,
            numbered: false,
            begun: Stamp::default(),
            reader: Reader::default(),
        };
        let deadline = Instant::now() + patience;
        driver.name = driver.ask("name", deadline)?.result.unwrap_or_default();
        driver.count(deadline)?;
        let known = driver.ask("list_commands", deadline)?.result.unwrap_or_default();
        driver.commands = known.lines().map(|line| line.trim().to_owned()).collect();
        Ok(driver)
    }

    /// Whether it knows a command.
    pub fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Asks for the version with a number: from here on answers to old commands can be told from those to new
    /// ones if the engine repeats it, as it should.
    fn count(&mut self, deadline: Instant) -> Result<(), DriveError> {
        self.numbered = true;
        self.ask("version", deadline)?;
        self.numbered = self.reader.number.is_some();
        Ok(())
    }

    /// Says a command and waits for the whole answer.
    pub fn ask(&mut self, command: &str, deadline: Instant) -> Result<Answer, DriveError> {
        self.say(command);
        loop {
            match self.next(deadline)? {
                Event::Answer(answer) => return Ok(answer),
                Event::Line(_) if Instant::now() > deadline => return Err(self.timeout()),
                Event::Line(_) => {}
            }
        }
    }

    /// Says a command; listen with [`Driver::next`].
    pub fn say(&mut self, command: &str) {
        self.number += 1;
        let spoken = spoken(command, self.numbered.then_some(self.number));
        self.command = command.to_owned();
        self.reader = Reader::default();
        self.begun = self.process.say_stamped(spoken);
    }

    /// Says a line that has no answer of its own, such as one that ends an analysis.
    pub fn hint(&mut self, line: &str) {
        self.process.say(line);
    }

    /// Waits until `deadline` for what belongs to the answer; what is here already is heard, however late it came.
    pub fn next(&mut self, deadline: Instant) -> Result<Event, DriveError> {
        loop {
            let heard = self.process.hear(deadline, &self.command)?;
            let result = self.reader.add(&heard.text);
            // What is said twice, or too late, belongs to an older command.
            let is_old = self.numbered && self.reader.number.is_some_and(|number| number != self.number);
            match result {
                Some(_) if is_old => self.reader = Reader::default(),
                Some(result) => {
                    return Ok(Event::Answer(Answer { result, time: self.begun.until(heard.at) }));
                }
                None if self.reader.lines.is_some() && !is_old => return Ok(Event::Line(heard.text)),
                None if self.number == 1 => DriveError::unless_understood("GTP", &heard.text)?,
                None => {}
            }
            // A flood must not stretch the time.
            if heard.at > deadline {
                return Err(self.timeout());
            }
        }
    }

    fn timeout(&self) -> DriveError {
        DriveError::Timeout { what: self.command.clone() }
    }

    /// Takes leave; an engine that lingers is ended.
    pub fn quit(&mut self, grace: Duration) {
        self.process.say("quit");
        self.process.leave(grace);
    }
}

/// A command as it is sent, without the end of its line. The words go in as they stand: the crate's numbers are too
/// small for clocks.
fn spoken(command: &str, number: Option<u32>) -> String {
    let mut words = command.split_whitespace();
    let mut built = gtp::Command::new(words.next().unwrap_or_default());
    let words: Vec<gtp::Entity> = words.map(|word| gtp::Entity::String(word.to_owned())).collect();
    if !words.is_empty() {
        built.set_args(&gtp::Entity::List(words));
    }
    if let Some(number) = number {
        built.set_id(number);
    }
    built.to_string().trim_end().to_owned()
}

/// Puts the lines of an answer together; noise before it and further blank lines are tolerated.
#[derive(Debug, Default)]
struct Reader {
    is_error: bool,
    /// The number behind the first sign.
    number: Option<u32>,
    /// The newest of an analysis that has no end.
    lines: Option<VecDeque<String>>,
    bytes: usize,
}

impl Reader {
    /// Takes a line; the answer once it is complete.
    fn add(&mut self, line: &str) -> Option<Result<String, String>> {
        let line = line.trim_end();
        match &mut self.lines {
            None => {
                let sign = line.chars().next().filter(|c| matches!(c, '=' | '?'))?;
                let digits = line[1..].bytes().take_while(u8::is_ascii_digit).count();
                let (number, text) = line[1..].split_at(digits);
                self.is_error = sign == '?';
                self.number = number.parse().ok();
                self.lines = Some(VecDeque::from([text.trim_start().to_owned()]));
                None
            }
            Some(lines) if line.is_empty() => {
                let text = lines.make_contiguous().join("\n").trim().to_owned();
                Some(if self.is_error { Err(text) } else { Ok(text) })
            }
            Some(lines) => {
                self.bytes += line.len() + 1;
                lines.push_back(line.to_owned());
                while self.bytes > LONGEST
                    && let Some(oldest) = lines.pop_front()
                {
                    self.bytes = self.bytes.saturating_sub(oldest.len() + 1);
                }
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_answer_without_end_the_newest_lines_are_kept() {
        let mut reader = Reader::default();
        for line in ["= first"].into_iter().chain(std::iter::repeat_n("x".repeat(1000).as_str(), 2000)) {
            assert_eq!(reader.add(line), None);
        }
        reader.add("play D4");
        let answer = reader.add("").unwrap().unwrap();
        assert!(answer.len() <= LONGEST && answer.ends_with("\nplay D4"), "{} bytes", answer.len());
    }

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

    #[test]
    fn commands_keep_every_digit() {
        assert_eq!(spoken("list_commands", None), "list_commands");
        assert_eq!(spoken("time_left b 16777217.125 0", Some(7)), "7 time_left b 16777217.125 0");
        assert_eq!(spoken("komi -3.5", Some(u32::MAX)), "4294967295 komi -3.5");
    }

    #[cfg(unix)]
    fn start(script: &str, patience: Duration) -> Result<Driver, DriveError> {
        Driver::greet(Process::start(&crate::Launch::new("sh").args(["-c", script]))?, patience)
    }

    #[cfg(unix)]
    #[test]
    fn an_answer_given_twice_is_not_taken_for_the_next() {
        let script = "echo '= A'; echo; echo '=2 1'; echo; echo '=3 play'; echo; echo '=4 D4'; echo; \
                      echo '=4 D4'; echo; echo '=5 E5'; echo; read a; read a; read a; read a; read a";
        let soon = || Instant::now() + Duration::from_secs(60);
        let mut driver = start(script, Duration::from_secs(60)).unwrap();
        assert_eq!(driver.name, "A");
        assert_eq!(driver.ask("genmove b", soon()).unwrap().result, Ok("D4".to_owned()));
        assert_eq!(driver.ask("genmove w", soon()).unwrap().result, Ok("E5".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn a_silent_engine_is_given_up() {
        let error = start("sleep 60", Duration::from_millis(30)).err().unwrap();
        assert_eq!(error, DriveError::Timeout { what: "name".to_owned() });
    }
}
