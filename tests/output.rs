//! Programs whose output nobody reads to its end, as `| head` does not, and those whose output finds no room.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What leaves in `DIR` what others look at.
const FIRST: &[&str] = &[
    "build endgame morris --men 6 --data DIR",
    "build endgame draughts --pieces 2 --data DIR",
    "learn breakthrough games DIR/games --games 2 --nodes 10",
    "match neighbours --engine neighbours --engine neighbours --each nodes=10 --rules BoardSize=4 --log DIR/log",
];

/// What prints something.
const COMMANDS: &[&str] = &[
    "engine --help",
    "engine chess d",
    "engine go showboard",
    "build endgame morris --men 6 --data DIR",
    "build endgame morris --men 6 --data DIR --dry-run",
    "build endgame morris --men 6 --data DIR --report",
    "build endgame morris --men 6 --data DIR --verify",
    "build endgame draughts --pieces 2 --data DIR --compare",
    "build solve morris --data DIR",
    "build solve neighbours --minutes 0 --memory 1 --data DIR",
    "build book chess DIR/games.pgn --out DIR/book.bin --least 1",
    "probe draughts W:WK29:BK4 --data DIR",
    "analyse DIR/games.pgn --nodes 10 -o -",
    "match neighbours --engine neighbours --engine neighbours --each nodes=10 --rules BoardSize=4",
    "match report DIR/log",
    "match check neighbours",
    "match suite DIR/suite.epd -- neighbours depth=1",
    "lab list",
    "learn breakthrough info DIR/games",
    "learn neighbours match set1 set1 --games 2 --depth 1",
];

fn run(folder: &Path, words: &str, output: Stdio) -> Output {
    let dir = folder.to_str().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_quintet"));
    command.args(words.split(' ').map(|word| word.replace("DIR", dir))).env("QUINTET_DATA", dir);
    command.stdin(Stdio::null()).stdout(output).stderr(Stdio::piped()).output().unwrap()
}

#[test]
fn an_output_that_is_closed_is_no_failure_and_one_without_room_is() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), "1. e4 e5 1-0\n").unwrap();
    fs::write(folder.path().join("suite.epd"), "8/8/8/8/8/8/8/wb6 w 0 bm a1b1;\n").unwrap();
    for words in FIRST {
        assert!(run(folder.path(), words, Stdio::null()).status.success(), "{words}");
    }
    for words in COMMANDS {
        let (reader, closed) = io::pipe().unwrap();
        drop(reader);
        let output = run(folder.path(), words, closed.into());
        assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = run(folder.path(), words, full.into());
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words}: {complaint}");
        assert!(
            complaint.contains("No space left") && complaint.lines().count() == 1,
            "{words}: {complaint}"
        );
    }
}
