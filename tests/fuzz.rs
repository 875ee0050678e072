//! Random and mutated lines against the real programs: no panic, no hang, no lost answer.
//!
//! `scripts/fuzz-protocol` runs the same with a million lines.

use std::time::{Duration, Instant};

use protocol::uci::Command;
use protocol::{Launch, Process};
use search::Random;

/// Lines between two questions whether the engine is still there.
const BATCH: u64 = 50;
/// How long a question may remain unanswered, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(600);
/// Longer than any line that is read.
const GIANT: usize = 2 << 20;

/// Lines to be mutated; `{}` stands for a position of the game.
const SEEDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "debug off",
    "register later",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "flip",
    "help",
    "bench",
    "perft 2",
    "go perft 3",
    "go",
    "go infinite",
    "go depth 3",
    "go nodes 500",
    "go movetime 3",
    "go ponder wtime 20 btime 20 winc 1 binc 1",
    "go wtime 30 btime 30 movestogo 3",
    "go mate 2",
    "go depth 2 searchmoves a1a2 a1b2",
    "position startpos",
    "position startpos moves a1a2 a8a7",
    "position startpos moves a1b2 h8g7 b2b3",
    "position fen {}",
    "position fen {} moves a1a2",
    "setoption name Hash value 1",
    "setoption name Clear Hash",
    "setoption name MultiPV value 3",
    "setoption name Threads value 2",
    "setoption name Skill Level value 5",
    "setoption name Move Overhead value 5",
];

macro_rules! fuzz {
    ($($game:ident $engine:ident $protocol:ident),*) => { $(fuzz!(@ $game $protocol);)* };
    (@ $game:ident uci) => {
        #[test]
        fn $game() {
            super::fuzz(stringify!($game));
        }
    };
    // A mutated line of another protocol is tried with that protocol's session.
    (@ $game:ident $other:ident) => {};
}

mod random_and_mutated_lines_do_no_harm_to {
    quintet::for_each_game!(fuzz);
}

fn fuzz(game: &str) {
    let path = format!("tests/data/fuzz/{game}.txt");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let positions: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let mut lines = Lines { random: Random::new(setting("QUINTET_FUZZ_SEED", 1)), positions: &positions };
    let mut talk = Talk::new(game);
    for n in 1..=setting("QUINTET_FUZZ_LINES", 3000) {
        talk.say(lines.next());
        if n % BATCH == 0 {
            talk.say(b"isready".to_vec());
            // The last search may have no end; those before it were ended by their successors.
            talk.listen(|talk| talk.ready == 0 && talk.answers <= 1);
        }
    }
    talk.say(b"stop".to_vec());
    talk.listen(|talk| talk.ready == 0 && talk.answers == 0);
    talk.end();
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A conversation with the books kept of what is owed to us.
struct Talk {
    process: Process,
    /// The last lines said, to find a culprit by.
    said: Vec<Vec<u8>>,
    ready: i64,
    answers: i64,
}

impl Talk {
    fn new(game: &str) -> Self {
        let launch = Launch::new(env!("CARGO_BIN_EXE_quintet")).args(["engine", game]);
        let process = Process::start(&launch).expect("our own program starts");
        Talk { process, said: Vec::new(), ready: 0, answers: 0 }
    }

    fn say(&mut self, line: Vec<u8>) {
        match Command::read(String::from_utf8_lossy(&line).trim_end_matches('\r')) {
            Ok(Some(command)) if is_dangerous(&command) => return,
            Ok(Some(Command::IsReady)) => self.ready += 1,
            Ok(Some(Command::Go(_))) => self.answers += 1,
            _ => {}
        }
        self.process.say(&line);
        self.said.push(line);
    }

    /// Listens until the books are balanced.
    fn listen(&mut self, done: impl Fn(&Talk) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !done(self) {
            let heard = self.process.hear(deadline, "answer").unwrap_or_else(|error| {
                let said: Vec<_> = self.said.iter().map(|line| String::from_utf8_lossy(line)).collect();
                panic!("{error}, {} ready and {} answers owed after {said:#?}", self.ready, self.answers)
            });
            self.note(&heard.text);
        }
        self.said.clear();
    }

    fn note(&mut self, line: &str) {
        if line == "readyok" {
            self.ready -= 1;
        } else if line.starts_with("bestmove ") {
            self.answers -= 1;
        } else if !line.starts_with("info string ") {
            assert!(!line.contains("readyok") && !line.contains("bestmove"), "two lines in one: {line}");
        }
        assert!(self.ready >= 0 && self.answers >= 0, "an answer nobody asked for: {line}");
    }

    fn end(mut self) {
        let status = self.process.leave(PATIENCE).expect("a child can be waited for");
        assert!(status.success(), "{status}: {:?}", self.process.complaints());
    }
}

/// What would end the conversation, fill the machine, or write files of random names.
fn is_dangerous(command: &Command) -> bool {
    let Command::SetOption { name, value } = command else { return *command == Command::Quit };
    let number = value.parse::<i64>().unwrap_or(0);
    match name.to_ascii_lowercase().as_str() {
        "hash" => number > 64,
        "threads" => number > 4,
        "debug log file" => true,
        _ => false,
    }
}

/// An endless source of lines.
struct Lines<'a> {
    random: Random,
    positions: &'a [&'a str],
}

impl Lines<'_> {
    fn next(&mut self) -> Vec<u8> {
        let mut line = match self.random.below(1000) {
            0 => vec![b'x'; GIANT],
            1..100 => self.noise(),
            _ => self.mutant(),
        };
        line.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
        line
    }

    fn noise(&mut self) -> Vec<u8> {
        (0..self.random.below(80)).map(|_| self.random.bits() as u8).collect()
    }

    fn seed(&mut self) -> String {
        let position = self.pick(self.positions);
        self.pick(SEEDS).replace("{}", position)
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.random.below(texts.len() as u32) as usize]
    }

    /// A proper line with up to three things wrong.
    fn mutant(&mut self) -> Vec<u8> {
        let mut words: Vec<Vec<u8>> = self.seed().split(' ').map(|word| word.as_bytes().to_vec()).collect();
        for _ in 0..self.random.below(4) {
            self.mutate(&mut words);
        }
        let blank: &[u8] = if self.random.chance(16) { b" \t " } else { b" " };
        words.join(blank)
    }

    fn mutate(&mut self, words: &mut Vec<Vec<u8>>) {
        let at = self.random.below(words.len() as u32) as usize;
        match self.random.below(8) {
            0 => words.swap(0, at),
            1 => words.truncate(at + 1),
            2 => words.insert(at, words[at].clone()),
            3 => words[at] = self.seed().into_bytes(),
            4 => words[at] = self.number().into_bytes(),
            5 => words.extend(vec![words[at].clone(); 200]),
            6 => words[at].push(self.random.bits() as u8),
            _ => {
                words[at].pop();
            }
        }
    }

    fn number(&mut self) -> String {
        match self.random.below(6) {
            0 => "0".to_owned(),
            1 => "-1".to_owned(),
            2 => i64::MAX.to_string(),
            3 => "99999999999999999999".to_owned(),
            4 => "1e9".to_owned(),
            _ => self.random.below(300).to_string(),
        }
    }
}
