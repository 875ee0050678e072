//! Random and mutated lines against the real programs: no panic, no hang, no lost answer.
//!
//! `scripts/fuzz-protocol` runs the same with a million lines.

mod hub;
mod lines;
mod uci;

use std::time::{Duration, Instant};

use protocol::{Launch, Process};

use lines::Lines;

/// Lines between two questions whether the engine is still there.
const BATCH: u64 = 50;
/// How long a question may remain unanswered, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// How many lines are said.
fn length() -> u64 {
    setting("QUINTET_FUZZ_LINES", 3000)
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What would fill the machine, or write files of random names.
fn is_dangerous(option: &str, value: &str) -> bool {
    let number = value.parse::<i64>().unwrap_or(0);
    match option.to_ascii_lowercase().replace('-', " ").as_str() {
        "hash" => number > 64,
        "threads" => number > 4,
        "debug log file" => true,
        _ => false,
    }
}

/// The line to one of our programs.
struct Wire {
    process: Process,
    /// The last lines said, to find a culprit by.
    said: Vec<Vec<u8>>,
}

impl Wire {
    fn new(words: &[&str]) -> Self {
        let launch = Launch::new(env!("CARGO_BIN_EXE_quintet")).args(words.iter().copied());
        let process = Process::start(&launch).expect("our own program starts");
        Wire { process, said: Vec::new() }
    }

    fn say(&mut self, line: Vec<u8>) {
        self.process.say(&line);
        self.said.push(line);
    }

    /// The next line; `owed` says what else is waited for.
    fn hear(&self, owed: &str) -> String {
        let heard = self.process.hear(Instant::now() + PATIENCE, "answer").unwrap_or_else(|error| {
            let said: Vec<_> = self.said.iter().map(|line| String::from_utf8_lossy(line)).collect();
            panic!("{error}, {owed} owed after {said:#?}")
        });
        heard.text
    }

    fn end(mut self) {
        let status = self.process.leave(PATIENCE).expect("a child can be waited for");
        assert!(status.success(), "{status}: {:?}", self.process.complaints());
    }
}

/// The positions of a file below `tests/data/fuzz`.
fn positions(name: &str) -> Vec<String> {
    let path = format!("tests/data/fuzz/{name}.txt");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}
