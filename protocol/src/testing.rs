//! Plays a written conversation with an engine and says where the engine leaves it: the form of all
//! protocol tests, in memory or with a process. Other crates see it through the feature `testing`, which their tests
//! alone turn on.
//!
//! ```text
//! # a remark
//! > said to the engine
//! < expected from it, where * stands for any text
//! < ...            any number of lines, until the next expected one comes
//! ! silence 50     nothing comes for so many milliseconds
//! ! close          end of input
//! ```
//! At its end the input is closed, and the engine must leave without another word.

use std::io::{self, BufReader, PipeReader, PipeWriter, Write};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use crate::process::{DriveError, Launch, Process};

/// How long an expected line may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Someone to talk to.
pub enum Partner {
    /// On a thread of this process.
    Memory {
        /// What is said goes here; none once the input is closed.
        input: Option<PipeWriter>,
        /// What is answered comes from here, until the partner has left.
        output: Receiver<String>,
    },
    /// In a process of its own.
    Process(Process),
}

impl Partner {
    /// Runs `serve` on a thread of its own, with a pipe for its input.
    pub fn in_memory<F>(serve: F) -> io::Result<Self>
    where
        F: FnOnce(BufReader<PipeReader>, LineSender) + Send + 'static,
    {
        let (reader, writer) = io::pipe()?;
        let (sender, output) = unbounded();
        let lines = LineSender { sender, line: Vec::new() };
        std::thread::spawn(move || serve(BufReader::new(reader), lines));
        Ok(Partner::Memory { input: Some(writer), output })
    }

    /// Starts a program.
    pub fn start(launch: &Launch) -> Result<Self, DriveError> {
        Process::start(launch).map(Partner::Process)
    }

    /// Plays a transcript to its end; the error names the line and what came instead.
    pub fn play(mut self, transcript: &str) -> Result<(), String> {
        let mut skipping = false;
        for (number, line) in transcript.lines().enumerate() {
            self.step(line, &mut skipping).map_err(|why| format!("line {}: {line}\n{why}", number + 1))?;
        }
        self.close();
        match self.hear(PATIENCE) {
            Err(DriveError::Disconnected { .. }) => self.leave(),
            Ok(_) if skipping => self.leave(),
            Ok(line) => Err(format!("at the end it said: {line}")),
            Err(_) => Err("it did not leave".to_owned()),
        }
    }

    fn step(&mut self, line: &str, skipping: &mut bool) -> Result<(), String> {
        let (sign, text) = line.split_once(' ').unwrap_or((line, ""));
        match sign {
            "" | "#" => Ok(()),
            ">" => self.say(text),
            "<" if text == "..." => {
                *skipping = true;
                Ok(())
            }
            "<" => self.expect(text, std::mem::take(skipping)),
            "!" => self.direct(text),
            _ => Err("not a line of a transcript".to_owned()),
        }
    }

    fn say(&mut self, text: &str) -> Result<(), String> {
        match self {
            Partner::Memory { input: None, .. } => Err("the input is closed".to_owned()),
            Partner::Memory { input: Some(input), .. } => {
                writeln!(input, "{text}").map_err(|e| e.to_string())
            }
            Partner::Process(process) => {
                process.say(text);
                Ok(())
            }
        }
    }

    fn expect(&mut self, pattern: &str, skipping: bool) -> Result<(), String> {
        loop {
            let line = self.hear(PATIENCE).map_err(|error| error.to_string())?;
            if matches(pattern, &line) {
                return Ok(());
            }
            if !skipping {
                return Err(format!("it said: {line}"));
            }
        }
    }

    fn direct(&mut self, text: &str) -> Result<(), String> {
        match text.split_once(' ') {
            None if text == "close" => {
                self.close();
                Ok(())
            }
            Some(("silence", time)) => {
                let time = time.parse().map_err(|_| "not a number of milliseconds")?;
                match self.hear(Duration::from_millis(time)) {
                    Ok(line) => Err(format!("it said: {line}")),
                    Err(_) => Ok(()),
                }
            }
            _ => Err("unknown direction".to_owned()),
        }
    }

    fn hear(&mut self, patience: Duration) -> Result<String, DriveError> {
        let what = "answer";
        match self {
            Partner::Process(process) => Ok(process.hear(Instant::now() + patience, what)?.text),
            Partner::Memory { output, .. } => output.recv_timeout(patience).map_err(|error| match error {
                RecvTimeoutError::Timeout => DriveError::Timeout { what: what.to_owned() },
                RecvTimeoutError::Disconnected => DriveError::Disconnected { complaints: Vec::new() },
            }),
        }
    }

    fn close(&mut self) {
        match self {
            Partner::Memory { input, .. } => *input = None,
            Partner::Process(process) => process.close(),
        }
    }

    /// Waits for the end of a process, which must be a good one.
    fn leave(self) -> Result<(), String> {
        let Partner::Process(mut process) = self else { return Ok(()) };
        match process.leave(PATIENCE) {
            Some(status) if status.success() => Ok(()),
            status => Err(format!("it exited with {status:?}; {}", process.complaints().join("\n"))),
        }
    }
}

/// Whether the text fits the pattern, in which `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, rest)) => text.strip_prefix(head).is_some_and(|tail| {
            tail.char_indices().map(|(at, _)| at).chain([tail.len()]).any(|at| matches(rest, &tail[at..]))
        }),
    }
}

/// A writer that sends whole lines.
pub struct LineSender {
    sender: Sender<String>,
    line: Vec<u8>,
}

impl Write for LineSender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = String::from_utf8_lossy(&self.line).into_owned();
            self.line.clear();
            self.sender.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufRead;

    fn echo() -> Partner {
        Partner::in_memory(|input, mut output| {
            for line in input.lines().map_while(Result::ok) {
                writeln!(output, "you said {line}").unwrap();
            }
        })
        .unwrap()
    }

    #[test]
    fn a_conversation_as_written_passes() {
        echo().play("# one\n> a\n< you said a\n> b\n> c\n< ...\n< *c\n! silence 1\n! close").unwrap();
    }

    #[test]
    fn the_first_deviation_is_reported() {
        assert_eq!(echo().play("> a\n< b").unwrap_err(), "line 2: < b\nit said: you said a");
        assert_eq!(echo().play("> a\n< *a\n> b").unwrap_err(), "at the end it said: you said b");
        assert_eq!(echo().play("! close\n< a").unwrap_err(), "line 2: < a\nthe engine exited");
        assert!(echo().play("> a\n! silence 1000").unwrap_err().ends_with("it said: you said a"));
    }

    #[test]
    #[cfg(unix)]
    fn a_process_must_leave_in_good_order() {
        let shell = |script: &str| Partner::start(&Launch::new("sh").args(["-c", script])).unwrap();
        shell("read x; echo $x").play("> a\n< a").unwrap();
        assert!(shell("echo help >&2; exit 2").play("").unwrap_err().ends_with("help"));
    }

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(matches("a*c", "abbc") && matches("*", "") && matches("*ü*", "xüy"));
        assert!(!matches("a*c", "abcd") && !matches("a", "ab"));
    }
}
