//! The Go engine from outside, as boards and servers drive it.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::time::{Duration, Instant};

use go::gtp::Console;
use protocol::gtp::{self, Command, Reply, Responder, drive::Driver};
use protocol::testing::Partner;
use protocol::{Launch, Process};
use search::{Control, Engine, Random};

fn console() -> Console {
    Console::new(go::Go::new())
}

/// What a console answers in the end.
fn said(console: &mut Console, line: &str) -> String {
    match console.answer(&Command::read(line).unwrap()).unwrap() {
        Reply::Text(text) => text,
        Reply::Think(task, _) => console.think(task, &Control::default(), &mut |_| {}).unwrap(),
    }
}

#[test]
fn conversations_go_as_written() {
    for (name, text) in [
        ("errors", include_str!("data/transcripts/go/errors.txt")),
        ("game", include_str!("data/transcripts/go/game.txt")),
        ("ends of games", include_str!("data/transcripts/go/ends-of-games.txt")),
        ("set-up", include_str!("data/transcripts/go/set-up.txt")),
        ("time", include_str!("data/transcripts/go/time.txt")),
        ("rules", include_str!("data/transcripts/go/rules.txt")),
        ("overlays", include_str!("data/transcripts/go/overlays.txt")),
        ("analysis", include_str!("data/transcripts/go/analysis.txt")),
    ] {
        let partner =
            Partner::in_memory(|input, output| gtp::serve(console(), input, output).unwrap()).unwrap();
        partner.play(text).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

#[test]
fn nobody_ponders_over_a_finished_game() {
    let mut console = console();
    let mut ponders_after = |line: &str| {
        console.answer(&Command::read(line).unwrap()).unwrap();
        console.ponders()
    };
    ponders_after("quintet-param Ponder true");
    assert!(ponders_after("play b d4"));
    assert!(!ponders_after("kgs-game_over"));
    assert!(ponders_after("play w q16"));
    assert!(!ponders_after("cgos-gameover B+Resign"));
    ponders_after("clear_board");
    assert!(ponders_after("play b d4"));
    for line in ["boardsize 9", "komi 99", "quintet-param Playouts 200", "quintet-param Resign_Move 0"] {
        ponders_after(line);
    }
    assert!(ponders_after("play w e5"));
    assert_eq!(said(&mut console, "genmove b"), "resign");
    assert!(!console.ponders());
}

#[test]
fn what_is_told_of_a_move_outlives_the_pondering_after_it() {
    let mut console = console();
    for line in ["boardsize 5", "quintet-param Playouts 50", "genmove b"] {
        said(&mut console, line);
    }
    let told = said(&mut console, "quintet-thought");
    assert!(told.starts_with("playouts 50\n") && told.contains("\nvalue 0."), "{told}");
    let stopped = Control::default();
    stopped.stop();
    console.ponder(&stopped);
    assert_eq!(said(&mut console, "quintet-thought"), told);
    said(&mut console, "quintet-param Strategy heuristics");
    said(&mut console, "genmove w");
    assert_eq!(said(&mut console, "quintet-thought"), "", "nothing was searched");
}

#[test]
fn judgements_take_processor_time() {
    let mut console = console();
    said(&mut console, "boardsize 9");
    let before: f64 = said(&mut console, "cputime").parse().unwrap();
    said(&mut console, "final_score");
    let after: f64 = said(&mut console, "cputime").parse().unwrap();
    assert!(after > before);
}

#[test]
fn nobody_who_leaves_waits_for_a_count() {
    for lines in ["perft 4\nquit\n", "perft 4\n"] {
        let mut output = Vec::new();
        gtp::serve(console(), Cursor::new(lines), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert!(text.starts_with("? perft was stopped\n\n"), "{text}");
    }
}

#[test]
fn words_of_the_command_line_are_answered_without_the_protocols_signs() {
    let mut output = Vec::new();
    let words = ["boardsize 2", "komi 0.5", "perft 2"].map(str::to_owned);
    gtp::perform(console(), &words, &mut output).unwrap();
    let wanted = "\n\nA1: 4\nB1: 4\nA2: 4\nB2: 4\npass: 5\nNodes searched: 21\n";
    assert_eq!(String::from_utf8(output).unwrap(), wanted);
    assert!(gtp::perform(console(), &["play b z9".to_owned()], Vec::new()).is_err());
}

/// `scripts/fuzz-protocol` asks for a million lines.
#[test]
fn go_answers_every_line_once_whatever_it_holds() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (mut left, mut random) =
        (number("QUINTET_FUZZ_LINES", 3000), Random::new(number("QUINTET_FUZZ_SEED", 1)));
    while left > 0 {
        let lines = left.min(3000);
        answers_every_line(lines, &mut random);
        left -= lines;
    }
}

fn answers_every_line(lines: u64, random: &mut Random) {
    let words = [
        "play",
        "b",
        "w",
        "A1",
        "e5",
        "pass",
        "undo",
        "komi",
        "-3.5",
        "boardsize",
        "7",
        "999",
        "showboard",
        "fixed_handicap",
        "2",
        "is_legal",
        "all_legal",
        "time_settings",
        "time_left",
        "0",
        "1e400",
        "gg-undo",
        "gogui-play_sequence",
        "gogui-setup",
        "kgs-rules",
        "kata-set-rules",
        "kata-set-rule",
        "{\"ko\":\"SIMPLE\"}",
        "ko",
        "quintet-visits",
        "quintet-influence",
        "aga",
        "quintet-param",
        "Resign",
        "loadsgf",
        "\u{7}",
        "é",
        "set_free_handicap",
        "gogui-setup_player",
        "known_command",
        "kgs-time_settings",
        "byoyomi",
        "d",
        "12",
        "genmove w",
        "reg_genmove b",
        "kgs-genmove_cleanup",
        "lz-analyze b 1",
        "kata-genmove_analyze w",
        "kata-analyze w",
        "cgos-genmove_analyze b",
        "kata-time_settings",
        "fischer",
        "place_free_handicap",
        "avoid b e5",
        "allow w pass",
        "maxmoves",
        "quintet-candidates",
        "clear_board",
    ];
    // Small boards and short searches, whatever comes.
    let mut said = b"boardsize 5\nquintet-param Playouts 3\n".to_vec();
    let mut asked = 2;
    for _ in 0..lines {
        let line: Vec<&str> =
            (0..1 + random.below(5)).map(|_| words[random.below(words.len() as u32) as usize]).collect();
        let mut line = line.join(" ").into_bytes();
        if random.chance(64) {
            spoil(&mut line, random);
        }
        asked += usize::from(Command::read(&String::from_utf8_lossy(&line)).is_some());
        said.extend(line);
        said.push(b'\n');
    }
    let mut output = Vec::new();
    gtp::serve(console(), Cursor::new(said), &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    let answers = text.split("\n\n").filter(|answer| answer.starts_with(['=', '?'])).count();
    assert_eq!(answers, asked);
}

/// Puts a byte of any kind somewhere, or a carriage return at the end.
fn spoil(line: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(line.len() as u32 + 1) as usize;
    let byte = if at == line.len() { b'\r' } else { random.bits() as u8 };
    line.insert(at, if byte == b'\n' { b' ' } else { byte });
}

#[test]
fn the_driver_plays_with_the_program() {
    let launch = Launch::new(env!("CARGO_BIN_EXE_quintet")).args(["engine", "go"]);
    let mut driver = Driver::greet(Process::start(&launch).unwrap(), Duration::from_secs(30)).unwrap();
    assert!(driver.name == "Quintet Go" && driver.knows("genmove") && !driver.knows("dance"));
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut ask = |command: &str| driver.ask(command, deadline).unwrap().result;
    assert_eq!(ask("boardsize 5"), Ok(String::new()));
    assert_eq!(ask("quintet-param Playouts 50"), Ok(String::new()));
    let vertex = ask("genmove b").unwrap();
    assert_eq!(ask(&format!("play w {vertex}")), Err("illegal move".to_owned()));
    driver.quit(Duration::from_secs(5));
}
