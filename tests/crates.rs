//! The crates `vampirc-uci` and `gtp`, which compose what we tell other engines: here they read, a second time, what our
//! engines say; and `pgn-reader` and `zstd`, beside which our own reader and packing stay. For each of their known
//! defects one test shows the defect and that it cannot reach a user. A crate that is mended fails its test, and
//! `docs/dependencies.md` can trust it with more.

use std::ffi::OsStr;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::panic::catch_unwind;
use std::path::Path;
use std::process;
use std::time::{Duration, Instant};

use protocol::uci::{self, Command, Declared, Go, info};
use protocol::{Launch, Process, Report, gtp as ours};
use quintet::record::{Format, Record};
use search::{Engine, Game, Score};
use vampirc_uci::{UciInfoAttribute, UciMessage, UciTimeControl, parse_one};

const QUINTET: &str = env!("CARGO_BIN_EXE_quintet");
const PATIENCE: Duration = Duration::from_secs(60);

/// What `vampirc-uci` makes of a line; none if it panics.
fn theirs(line: &str) -> Option<UciMessage> {
    let line = format!("{line}\n");
    catch_unwind(|| parse_one(&line)).ok()
}

fn is_unknown(line: &str) -> bool {
    theirs(line).is_some_and(|message| message.is_unknown())
}

fn command(line: &str) -> Command {
    Command::read(line).expect("it is a command").expect("it is not blank")
}

fn go(line: &str) -> Go {
    match command(line) {
        Command::Go(go) => go,
        other => panic!("{line} is {other:?}"),
    }
}

fn position(line: &str) -> (Option<String>, Vec<String>) {
    match command(line) {
        Command::Position { fen, moves } => (fen, moves),
        other => panic!("{line} is {other:?}"),
    }
}

fn report(line: &str) -> Report {
    info::read(line).expect("it is a report")
}

/// Every line that a session of ours prints, understood by `vampirc-uci` and written back by it.
fn read_twice<E: Engine>(commands: &[&str]) {
    let mut output = Vec::new();
    uci::serve(E::new(), Cursor::new(commands.join("\n")), &mut output).expect("memory does not fail");
    let output = String::from_utf8(output).expect("all output is text");
    assert!(output.lines().any(|line| line.starts_with("bestmove ")), "{output}");
    for line in output.lines() {
        let message = theirs(line).unwrap_or_else(|| panic!("it panics on: {line}"));
        // It leaves empty defaults out.
        assert_eq!(message.to_string(), line.replace("<empty>", ""));
    }
}

#[test]
fn chess_is_understood_by_a_second_reader() {
    read_twice::<chess::Chess>(&[
        "uci",
        "isready",
        "setoption name MultiPV value 2",
        "setoption name Nonsense value 1",
        "go depth 6",
        "ucinewgame",
        "position startpos moves e2e4 e7e5",
        "go nodes 5000",
        "position fen 8/2P5/8/8/8/k7/8/K7 w - - 0 1",
        "go depth 4",
    ]);
}

#[test]
fn neighbours_is_understood_by_a_second_reader() {
    read_twice::<neighbours::Neighbours>(&[
        "uci",
        "isready",
        "setoption name MultiPV value 2",
        "setoption name Nonsense value 1",
        "go depth 6",
        "position fen 8/8/8/8/8/8/8/wb6 w 0",
        "go depth 3",
        "position fen 8/8/8/8/8/1b6/8/wb6 b 0",
        "go nodes 5000",
    ]);
}

#[test]
fn breakthrough_is_understood_by_a_second_reader() {
    read_twice::<breakthrough::Breakthrough>(&["uci", "isready", "go depth 5", "go nodes 3000"]);
}

#[test]
fn go_is_understood_by_a_second_reader() {
    let lines = [
        "1 protocol_version",
        "2 name",
        "list_commands",
        "3 boardsize 9",
        "play b d4",
        "quintet-param Playouts 20",
        "4 genmove w",
        "nonsense",
        "5 play b d4",
        "6 time_left b 10 0",
        "7 final_score",
        "8 quit",
    ];
    let console = ::go::gtp::Console::new(::go::Go::new());
    let mut output = Vec::new();
    ours::serve(console, Cursor::new(lines.join("\n")), &mut output).expect("memory does not fail");
    let output = String::from_utf8(output).expect("all output is text");
    let mut parser = gtp::ResponseParser::new();
    for (line, answer) in lines.iter().zip(output.split_inclusive("\n\n")) {
        // It takes no answer without a text.
        if answer.split_whitespace().count() == 1 && answer.starts_with('=') {
            continue;
        }
        parser.feed(answer);
        let read = parser.get_response().unwrap_or_else(|why| panic!("{line}: {why:?}"));
        let number: u32 = line.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0);
        let text = answer.trim_start_matches(|c: char| "=?".contains(c) || c.is_ascii_digit()).trim();
        assert_eq!((read.id_0(), read.text().as_str()), (number, text), "{line}");
        assert_eq!(matches!(read, gtp::Response::Error(_)), answer.starts_with('?'), "{line}");
    }
    assert_eq!(output.matches("\n\n").count(), lines.len(), "{output}");
}

#[test]
fn numbers_beyond_a_byte_do_not_panic() {
    for line in ["go depth 256", "go depth 999", "go movestogo 300", "info depth 300 nodes 1"] {
        assert_eq!(theirs(line), None, "{line}");
    }
    assert_eq!(go("go depth 256").depth, Some(256));
    assert_eq!(go("go depth 999").depth, Some(999));
    assert_eq!(go("go movestogo 300").moves_to_go, Some(300));
    assert_eq!(report("info depth 300 nodes 1").depth, Some(300));
}

#[test]
fn limits_are_not_cut_short() {
    let depth = |line| match theirs(line) {
        Some(UciMessage::Go { search_control: Some(control), .. }) => (control.depth, control.nodes),
        other => panic!("{line} is {other:?}"),
    };
    assert_eq!(depth("go depth 1000").0, Some(100));
    assert_ne!(depth("go nodes 1234567890123456").1, Some(1_234_567_890_123_456));
    assert_eq!(go("go depth 1000").depth, Some(1000));
    assert_eq!(go("go nodes 1234567890123456").nodes, Some(1_234_567_890_123_456));
}

#[test]
fn pondering_keeps_its_clock() {
    let ponders = |line| {
        matches!(theirs(line), Some(UciMessage::Go { time_control: Some(UciTimeControl::Ponder), .. }))
    };
    assert!(ponders("go ponder") && !ponders("go ponder wtime 1000 btime 1000"));
    let read = go("go ponder wtime 1000 btime 1000");
    assert_eq!((read.ponder, read.time), (true, [Some(1000); 2]));
    let read = go("go movetime 50 wtime 1000 btime 1000");
    assert_eq!((read.move_time, read.time), (Some(50), [Some(1000); 2]));
}

#[test]
fn an_unknown_word_hides_nothing_behind_it() {
    let black = match theirs("go wtime 1000 foo btime 500") {
        Some(UciMessage::Go { time_control: Some(UciTimeControl::TimeLeft { black_time, .. }), .. }) => {
            black_time
        }
        _ => None,
    };
    assert_eq!(black, None);
    assert_eq!(go("go wtime 1000 foo btime 500").time, [Some(1000), Some(500)]);
}

#[test]
fn words_of_other_programs_are_understood() {
    for line in ["go perft 5", "joho debug on"] {
        assert!(is_unknown(line), "{line}");
    }
    assert_eq!(command("go perft 5"), Command::Perft(5));
    assert_eq!(command("joho debug on"), Command::Debug(true));
    assert_eq!(go("go rtime 1"), Go::default());
}

#[test]
fn every_fen_is_handed_on() {
    for fen in ["8/8/8/8/8/k7/8/K7 w - -", "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1"] {
        let line = format!("position fen {fen}");
        assert!(is_unknown(&line), "{fen}");
        assert_eq!(position(&line), (Some(fen.to_owned()), Vec::new()));
    }
}

#[test]
fn moves_behind_two_blanks_are_kept() {
    let moves = |line: &str| match theirs(line) {
        Some(UciMessage::Position { moves, .. }) => moves.len(),
        other => panic!("{line} is {other:?}"),
    };
    assert_eq!(moves("position startpos  moves  e2e4"), 0);
    assert_eq!(position("position startpos  moves  e2e4").1, ["e2e4"]);
}

#[test]
fn a_bad_move_does_not_leave_half_a_game() {
    let line = "position startpos moves e2e4 zz11";
    assert!(matches!(theirs(line), Some(UciMessage::Position { moves, .. }) if moves.len() == 1));
    assert_eq!(position(line).1, ["e2e4", "zz11"]);
    let mut output = Vec::new();
    let input = format!("{line}\nd\n");
    uci::serve(chess::Chess::new(), Cursor::new(input), &mut output).expect("memory does not fail");
    let output = String::from_utf8(output).expect("all output is text");
    assert!(
        output.contains("zz11") && output.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"),
        "{output}"
    );
}

/// A UCI engine that answers as it is told to.
#[cfg(unix)]
fn answer(said: &str) -> protocol::Best {
    let script = format!("read uci; echo uciok; read go; echo '{said}'; read quit");
    let process = Process::start(&Launch::new("sh").args(["-c", &script])).expect("a shell can be had");
    let mut driver = uci::Driver::greet(process, PATIENCE).expect("it introduces itself");
    driver.go(&Go::default());
    driver.answer(Instant::now() + PATIENCE, |_| {}).expect("it answers")
}

#[cfg(unix)]
#[test]
fn no_move_is_an_answer() {
    for line in ["bestmove (none)", "bestmove 0000"] {
        assert!(is_unknown(line), "{line}");
        assert_eq!(answer(line).text, None, "{line}");
    }
}

#[test]
fn chances_do_not_hide_the_rest_of_a_line() {
    let line = "info score cp 13 wdl 3 5 2 nodes 9 pv e2e4";
    let Some(UciMessage::Info(attributes)) = theirs(line) else { panic!("it is a report") };
    assert!(!attributes.iter().any(|attribute| matches!(attribute, UciInfoAttribute::Nodes(_))));
    let read = report(line);
    assert_eq!((read.wdl, read.nodes, read.pv), (Some([3, 5, 2]), Some(9), vec!["e2e4".to_owned()]));
}

#[test]
fn numbers_of_reports_do_not_wrap() {
    let Some(UciMessage::Info(attributes)) = theirs("info score mate 200") else { panic!("it is a report") };
    let is_wrapped =
        |attribute: &UciInfoAttribute| matches!(attribute, UciInfoAttribute::Score { mate: Some(-56), .. });
    assert!(attributes.iter().any(is_wrapped));
    let score = report("info score mate 200").score.expect("it says one").0;
    assert!(score > Score::DRAW);
    assert_eq!(report("info nodes 1234567890123 hashfull 70000").nodes, Some(1_234_567_890_123));
}

#[test]
fn the_number_of_the_move_under_search_hides_nothing() {
    assert_eq!(report("info currmove e2e4 currmovenumber 3 nodes 7").nodes, Some(7));
}

#[test]
fn names_of_options_may_begin_like_keywords() {
    for line in ["setoption name ValueScale value 3", "option name My Type Thing type check default true"] {
        assert!(is_unknown(line), "{line}");
    }
    let set = Command::SetOption { name: "ValueScale".to_owned(), value: "3".to_owned() };
    assert_eq!(command("setoption name ValueScale value 3"), set);
    let declared = Declared::read("option name My Type Thing type check default true");
    assert_eq!(declared.map(|option| option.name), Some("My Type Thing".to_owned()));
}

#[cfg(unix)]
#[test]
fn a_button_is_pressed_without_a_value() {
    let message = UciMessage::SetOption { name: "Clear Hash".to_owned(), value: None };
    assert_eq!(message.to_string(), "setoption name Clear Hash value <empty>");
    let script = "read uci; echo option name Clear Hash type button; echo uciok; read line; echo \"$line\" >&2; \
                  [ \"$line\" = 'setoption name Clear Hash' ] || exit; read ready; echo readyok; read quit";
    let process = Process::start(&Launch::new("sh").args(["-c", script])).expect("a shell can be had");
    let mut driver = uci::Driver::greet(process, PATIENCE).expect("it introduces itself");
    driver.set("Clear Hash", "").expect("it has the button");
    driver.ready(PATIENCE).expect("the button came without a value");
}

#[test]
fn a_word_that_begins_like_a_command_is_none() {
    assert_eq!(theirs("isreadyfoo"), Some(UciMessage::IsReady));
    assert!(Command::read("isreadyfoo").is_err());
}

/// A GTP engine whose answers to the questions after the introduction are written here.
#[cfg(unix)]
fn gtp_engine(answers: &str) -> ours::drive::Driver {
    let script = format!(
        "say() {{ read line; printf '%b\\n\\n' \"$1\"; }}; say '= A'; say '=2 1'; say '=3 genmove'; {answers}; read quit"
    );
    let process = Process::start(&Launch::new("sh").args(["-c", &script])).expect("a shell can be had");
    ours::drive::Driver::greet(process, PATIENCE).expect("it introduces itself")
}

#[cfg(unix)]
fn asked(driver: &mut ours::drive::Driver, command: &str) -> Result<String, String> {
    driver.ask(command, Instant::now() + PATIENCE).expect("it answers").result
}

#[cfg(unix)]
#[test]
fn answers_without_a_text_are_answers() {
    for text in ["=\n\n", "=1\n\n", "?\n\n"] {
        let mut parser = gtp::ResponseParser::new();
        parser.feed(text);
        assert!(matches!(parser.get_response(), Err(gtp::ResponseError::BadResponse(_))), "{text:?}");
    }
    let mut driver = gtp_engine("say '='; say '=5'; say '?'");
    assert_eq!(asked(&mut driver, "clear_board"), Ok(String::new()));
    assert_eq!(asked(&mut driver, "clear_board"), Ok(String::new()));
    assert_eq!(asked(&mut driver, "clear_board"), Err(String::new()));
}

#[cfg(unix)]
#[test]
fn boards_keep_their_hoshi_and_noise_is_skipped() {
    let mut parser = gtp::ResponseParser::new();
    parser.feed("= a # b\nc\n\n");
    assert_eq!(parser.get_response().map(|read| read.text()), Ok("a c".to_owned()));
    let mut parser = gtp::ResponseParser::new();
    parser.feed("noise\n= D4\n\n");
    assert!(parser.get_response().is_err() && parser.get_response().is_err());
    let mut driver = gtp_engine("say '= a # b\\nc'; say 'noise\\n= D4'");
    assert_eq!(asked(&mut driver, "showboard"), Ok("a # b\nc".to_owned()));
    assert_eq!(asked(&mut driver, "genmove b"), Ok("D4".to_owned()));
}

#[cfg(unix)]
#[test]
fn an_answer_is_taken_when_it_arrives_and_two_at_once_are_two() {
    // The crate's controller sleeps a quarter of its patience between looks: 15 s here. An answer that came along with
    // the one before it is never delivered there.
    let mut driver = gtp_engine("read a; printf '=4 A1\\n\\n=5 B1\\n\\n'; read b");
    let begun = Instant::now();
    assert_eq!(asked(&mut driver, "genmove b"), Ok("A1".to_owned()));
    assert_eq!(asked(&mut driver, "genmove w"), Ok("B1".to_owned()));
    assert!(begun.elapsed() < PATIENCE / 4);
}

#[cfg(unix)]
#[test]
fn whatever_an_engine_calls_a_move_is_handed_on_as_text() {
    let panics = |text: &'static str| catch_unwind(|| gtp::EntityParser::new(text).mv().result()).is_err();
    assert!(panics("b") && panics("b xx"));
    assert_eq!(gtp::EntityParser::new("i5").vertex().result(), Some(vec![gtp::Entity::Vertex((8, 5))]));
    assert_eq!(gtp::EntityParser::new("resign").vertex().result(), None);
    let mut driver = gtp_engine("say '= b'; say '= i5'; say '= resign'");
    for said in ["b", "i5", "resign"] {
        assert_eq!(asked(&mut driver, "genmove b"), Ok(said.to_owned()));
    }
    let start = ::go::Position::start(&::go::Rules::default());
    assert!(start.parse("i5").is_err() && start.parse("j5").is_ok());
}

#[cfg(unix)]
#[test]
fn an_engines_complaints_are_kept_apart() {
    // The crate prints them to our standard output.
    let script =
        "echo '= A'; echo; echo '=2 1'; echo; echo '=3 name'; echo; echo woe >&2; read a; read b; read c";
    let process = Process::start(&Launch::new("sh").args(["-c", script])).expect("a shell can be had");
    let mut driver = ours::drive::Driver::greet(process, PATIENCE).expect("it introduces itself");
    let gone = driver.ask("genmove b", Instant::now() + PATIENCE).expect_err("it has left");
    assert_eq!(gone, protocol::DriveError::Disconnected { complaints: vec!["woe".to_owned()] });
}

#[test]
fn numbers_are_handed_on_as_words() {
    // As numbers they would be rounded; `protocol` tests that every digit of a command is said.
    assert_ne!(gtp::entity(|e| e.f(16_777_217.0)).to_string(), "16777217");
}

/// Collects moves as `pgn-reader` hands them on.
struct Moves;

impl pgn_reader::Visitor for Moves {
    type Tags = ();
    type Movetext = Vec<String>;
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Vec<String>, ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Vec<String>, Vec<String>> {
        ControlFlow::Continue(Vec::new())
    }

    fn san(&mut self, moves: &mut Vec<String>, san: pgn_reader::SanPlus) -> ControlFlow<Vec<String>> {
        moves.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: Vec<String>) -> Vec<String> {
        moves
    }
}

/// The moves of all games of a text, as `pgn-reader` and as we read them.
fn read_by_both(text: &str) -> [Vec<Vec<String>>; 2] {
    let mut reader = pgn_reader::Reader::new(Cursor::new(text));
    let theirs = reader.read_games(&mut Moves).map(|moves| moves.expect("it is PGN")).collect();
    let moves = |record: &Record| record.moves().iter().map(|node| node.text.clone()).collect();
    [theirs, Format::Pgn.read(text).expect("it is PGN").iter().map(moves).collect()]
}

#[test]
fn a_record_of_chess_is_read_alike() {
    let [theirs, ours] =
        read_by_both("[White \"a\"]\n\n1. e4 {c} e5 (1... c5 2. Nf3) 2. O-O-O+ exd8=Q# 1-0\n\n1. d4 *");
    assert_eq!(theirs, ours);
}

#[test]
fn moves_that_chess_does_not_know_are_kept() {
    for (text, moves) in [("1. 22-18 11-15 *", ["22-18", "11-15"]), ("1. d6 d6-d5xb4 *", ["d6", "d6-d5xb4"])]
    {
        let [theirs, ours] = read_by_both(text);
        assert_ne!(theirs, [moves]);
        assert_eq!(ours, [moves]);
    }
}

/// Bytes before the values of an endgame database.
const HEAD: usize = 4096;

#[test]
fn databases_are_smaller_than_by_zstd() {
    let [data, copy] = [(); 2].map(|()| tempfile::tempdir().expect("there is room"));
    let quintet = |more: &[&OsStr]| {
        let words = ["build", "endgame", "morris", "--men", "7", "--data"].map(OsStr::new);
        let done = process::Command::new(QUINTET)
            .args(words)
            .arg(data.path())
            .args(more)
            .output()
            .expect("it starts");
        assert!(done.status.success(), "{done:?}");
    };
    quintet(&[]);
    quintet(&["--wdl".as_ref(), "--shrink".as_ref(), copy.path().as_ref()]);
    let read =
        |folder: &Path| std::fs::read(folder.join("morris-protected-flying-4-3.qeg")).expect("it is built");
    let values = read(&data.path().join("endgame"));
    // A draw, or the plies to the end, whose parity tells the winner.
    let kind = |&value: &u8| if value == u8::MAX { 0 } else { 1 + (value & 1) };
    let kinds: Vec<u8> = values[HEAD..].iter().map(kind).collect();
    // Five in a byte, in blocks of as many values as ours have.
    let bytes = |block: &[u8]| -> Vec<u8> {
        block.chunks(5).map(|few| few.iter().fold(0, |sum, kind| 3 * sum + kind)).collect()
    };
    let packed = |block: &[u8]| zstd::bulk::compress(&bytes(block), 19).expect("memory does not fail").len();
    let theirs: usize = kinds.chunks(1024).map(packed).sum();
    let ours = read(copy.path()).len();
    assert!(ours < theirs, "{ours} bytes against {theirs}");
}
