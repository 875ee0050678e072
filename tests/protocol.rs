//! The engines from outside, as graphical programs and runners drive them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Cursor};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use protocol::testing::Partner;
use protocol::uci::{self, Driver, Go};
use protocol::{Launch, Process};
use quintet::driver::Protocol;
use quintet::games;
use search::Engine;

const PATIENCE: Duration = Duration::from_secs(60);

macro_rules! uci_engines {
    ($($game:ident $engine:ident $protocol:ident),*) => { $(uci_engines!(@ $game $engine $protocol);)* };
    (@ $game:ident $engine:ident uci) => {
        mod $game {
            type Engine = ::$game::$engine;

            #[test]
            fn conversations_go_as_written_in_memory() {
                super::play_all::<Engine>(stringify!($game), super::in_memory::<Engine>);
            }

            #[test]
            fn conversations_go_as_written_with_the_program() {
                super::play_all::<Engine>(stringify!($game), || super::program(stringify!($game)));
            }

            #[test]
            fn every_answer_follows_a_line_with_its_move_and_score() {
                super::answers_are_scored::<Engine>();
            }

            /// Runners that record nodes read the last line before the answer.
            #[test]
            fn the_last_line_counts_the_whole_search() {
                let said = super::perform::<Engine>(&["go nodes 3001"]);
                let last = said.lines().rev().nth(1).unwrap_or_default();
                assert!(last.contains(" nodes 3001 ") && last.contains(" pv "), "{last}");
            }

            #[test]
            fn the_driver_plays_with_the_program() {
                super::drive(stringify!($game));
            }
        }
    };
    (@ $game:ident $engine:ident $other:ident) => {};
}

quintet::for_each_game!(uci_engines);

fn launch(game: &str) -> Launch {
    Launch::new(env!("CARGO_BIN_EXE_quintet")).args(["engine", game])
}

fn in_memory<E: Engine>() -> Partner {
    Partner::in_memory(|input, output| uci::serve(E::new(), input, output).expect("memory does not fail"))
        .expect("a pipe can be had")
}

fn program(game: &str) -> Partner {
    Partner::start(&launch(game)).expect("our own program starts")
}

fn perform<E: Engine>(commands: &[&str]) -> String {
    let commands: Vec<String> = commands.iter().map(|&command| command.to_owned()).collect();
    let mut output = Vec::new();
    uci::perform(E::new(), &commands, &mut output).expect("memory does not fail");
    String::from_utf8(output).expect("all output is text")
}

/// What an engine says to these lines of input.
fn converse<E: Engine>(lines: &[&str]) -> String {
    let mut output = Vec::new();
    uci::serve(E::new(), Cursor::new(lines.join("\n")), &mut output).expect("memory does not fail");
    String::from_utf8(output).expect("all output is text")
}

/// Plays the conversations that every UCI engine must master, those about presets if it has any, and those of the game.
fn play_all<E: Engine>(game: &str, partner: impl Fn() -> Partner) {
    let presets = E::options().iter().any(|row| row.name == "Preset");
    let mut played = 0;
    for folder in ["uci", game].into_iter().chain(presets.then_some("preset")) {
        let folder = Path::new("tests/data/transcripts").join(folder);
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            let transcript = std::fs::read_to_string(&path).expect("a transcript is text");
            if let Err(error) = partner().play(&transcript) {
                panic!("{}, {error}", path.display());
            }
            played += 1;
        }
    }
    assert!(played > 10, "only {played} transcripts were found");
}

fn answers_are_scored<E: Engine>() {
    let commands = [
        "go depth 1",
        "go nodes 1",
        "go movetime 0",
        "go movetime 20",
        "setoption name MultiPV value 2",
        "go depth 3",
        "setoption name Skill Level value 1",
        "go depth 3",
        "go infinite",
        "stop",
        // Ended by `quit`, as by the end of the commands.
        "go infinite",
        "quit",
    ];
    let output = perform::<E>(&commands);
    let lines: Vec<&str> = output.lines().collect();
    let mut answers = 0;
    for (i, line) in lines.iter().enumerate() {
        let Some(answer) = line.strip_prefix("bestmove ") else { continue };
        let best = answer.split(' ').next().expect("an answer names a move");
        assert!(lines[i - 1].starts_with("info ") && lines[i - 1].contains(" score "), "{}", lines[i - 1]);
        let last = lines[..i].iter().rfind(|line| line.contains(" multipv 1 ")).expect("a best line");
        assert!(last.contains(&format!(" pv {best}")), "{last}, but {line}");
        answers += 1;
    }
    assert_eq!(answers, 8);
}

fn drive(game: &str) {
    let process = Process::start(&launch(game)).expect("our own program starts");
    let mut driver = Driver::greet(process, PATIENCE).expect("it introduces itself");
    assert!(driver.name.starts_with("Quintet "), "{}", driver.name);
    assert!(driver.options.iter().any(|option| option.name == "Move Overhead"));
    driver.set("hash", "4").expect("Hash is declared");
    driver.new_game(PATIENCE).expect("it is ready");
    let mut moves = Vec::new();
    for _ in 0..6 {
        driver.position(None, &moves);
        driver.go(&Go { depth: Some(2), ..Go::default() });
        let mut scored = false;
        let answer = driver.answer(Instant::now() + PATIENCE, |report| scored |= report.score.is_some());
        moves.push(answer.expect("it answers").text.expect("the game is not over"));
        assert!(scored);
    }
    driver.go(&Go { ponder: true, time: [Some(100), Some(100)], ..Go::default() });
    driver.ready(PATIENCE).expect("it is ready while it ponders");
    driver.ponder_hit();
    let answer = driver.answer(Instant::now() + PATIENCE, |_| {}).expect("it answers");
    assert!(answer.text.is_some());
    driver.quit(PATIENCE);
}

/// What the program says when started with these arguments, and whether it was content.
fn output(args: &[&str]) -> (String, String, bool) {
    let (said, complained, code) = outcome(args);
    (said, complained, code == Some(0))
}

/// What the program says and complains about when started with these arguments, and its exit code.
fn outcome(args: &[&str]) -> (String, String, Option<i32>) {
    let launch = Launch::new(env!("CARGO_BIN_EXE_quintet")).args(args.iter().copied());
    let mut process = Process::start(&launch).expect("our own program starts");
    process.close();
    let deadline = Instant::now() + PATIENCE;
    let lines: Vec<String> =
        std::iter::from_fn(|| process.hear(deadline, "more").ok()).map(|heard| heard.text).collect();
    let code = process.leave(PATIENCE).and_then(|status| status.code());
    (lines.join("\n"), process.complaints().join("\n"), code)
}

#[test]
fn the_program_explains_itself() {
    let (said, _, content) = output(&["--help"]);
    assert!(content && said.contains("Usage: quintet") && said.contains("engine"), "{said}");
}

#[test]
fn an_unknown_game_is_named_beside_those_there_are() {
    let (said, complained, code) = outcome(&["engine", "halma"]);
    assert!(code == Some(2) && said.is_empty());
    assert!(complained.starts_with("no such game: 'halma' (the games are "), "{complained}");
    assert!(complained.contains("neighbours"), "{complained}");
}

#[test]
fn an_engine_explains_its_options_and_version() {
    let (said, _, content) = output(&["engine", "neighbours", "--help"]);
    assert!(content && said.contains("  Move Overhead ") && said.contains("(0 to 5000; 10)"), "{said}");
    let (said, _, _) = output(&["engine", "neighbours", "--version"]);
    assert_eq!(said, format!("Quintet Neighbours {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn options_are_set_from_the_command_line() {
    let (said, _, content) = output(&["engine", "neighbours", "--set", "boardsize = 4", "--set=Hash=1", "d"]);
    assert!(content && said.contains("Fen: bbbb/4/4/wwww w 0"), "{said}");
    let (said, complained, content) = output(&["engine", "neighbours", "--set", "Hash=0", "d"]);
    assert!(!content && said.is_empty());
    assert_eq!(complained, "option Hash: '0' is not a number from 1 to 33554432");
}

#[test]
fn arguments_are_one_command_or_several_in_quotes() {
    let (said, _, _) = output(&["engine", "neighbours", "go", "perft", "2"]);
    assert!(said.ends_with("Nodes searched: 400"), "{said}");
    let (said, _, _) = output(&["engine", "neighbours", "position startpos moves a1a2", "d", "go depth 2"]);
    assert!(said.contains("Fen: bbbbbbbb/8/8/8/8/8/w7/1wwwwwww b 1"), "{said}");
    assert!(said.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{said}");
}

#[test]
fn an_unknown_command_on_the_command_line_is_a_failure() {
    for (game, first, complaint) in [
        ("neighbours", "go depth 1", "unknown command 'foo'; try 'help'"),
        ("go", "boardsize 9", "foo: unknown command"),
    ] {
        let (said, complained, code) = outcome(&["engine", game, first, "foo"]);
        assert_eq!((said.as_str(), complained.as_str(), code), ("", complaint, Some(2)));
    }
    let (said, _, content) = output(&["engine", "chess", "genfens 1 seed 1 book None", "quit"]);
    assert!(content && said.starts_with("info string genfens "), "{said}");
}

/// A script that goes on after such a line gets the answer to another question.
#[test]
fn a_script_ends_at_the_first_line_that_cannot_be_obeyed() {
    for (args, complaint) in [
        (&["chess", "position fen garbage", "go depth 1"][..], "bad position 'garbage': "),
        (&["chess", "setoption name Nope", "go depth 1"], "no such option: 'Nope'"),
        (&["chess", "setoption name Hash value x", "go depth 1"], "option Hash: 'x' is not a number"),
        (&["chess", "position startpos moves e2e5", "go depth 1"], "illegal move 'e2e5'"),
        (&["chess", "go searchmoves e2e5", "d"], "illegal move 'e2e5'"),
        (&["chess", "bench", "16", "1", "4"], "'bench' takes no arguments: '16 1 4'"),
        (&["chess", "go dpeth 3", "d"], "'dpeth' means nothing in 'go dpeth 3'"),
        (&["chess", "genfens 0", "go depth 1"], "genfens: '0' is not a number"),
        (&["chess", "nonsense"], "unknown command 'nonsense'"),
        (&["chess", "--nonsense"], "unknown argument '--nonsense'"),
        (&["chess", "--set", "Nope=1", "d"], "no such option: 'Nope'"),
        (&["chess", "--set", "Debug Log File=no/such", "d"], "cannot write the log file 'no/such': "),
        (&["go", "--set", "Debug Log File=no/such", "name"], "cannot write the log file 'no/such': "),
        (&["go", "play b z9", "genmove w"], "play b z9: invalid color or coordinate"),
        (&["draughts", "hub", "bench"], "hub takes no commands: 'bench'"),
    ] {
        let (said, complained, code) = outcome(&[&["engine"], args].concat());
        assert_eq!((said.as_str(), code), ("", Some(2)), "{args:?} {complained}");
        assert!(complained.starts_with(complaint) && !complained.contains('\n'), "{complained}");
    }
}

#[test]
fn without_a_game_help_is_what_went_wrong_and_otherwise_an_answer() {
    let (said, complained, code) = outcome(&["engine"]);
    assert!(
        said.is_empty() && complained.contains("Usage: quintet engine") && code == Some(2),
        "{complained}"
    );
    let (said, _, code) = outcome(&["engine", "--help"]);
    assert!(said.contains("Usage: quintet engine") && code == Some(0), "{said}");
}

/// The client of the CGOS server cannot write a blank in an option's name.
#[test]
fn an_option_is_set_by_a_name_without_blanks_in_every_engine() {
    for row in games::GAMES {
        let end = if row.protocols.contains(&Protocol::Gtp) { "name" } else { "uci" };
        let (said, complained, code) = outcome(&["engine", row.name, "--set", "Move_Overhead=1000", end]);
        assert!(!said.is_empty() && complained.is_empty() && code == Some(0), "{}: {complained}", row.name);
    }
    let set = ["engine", "go", "--set", "Move_Overhead=1000", "quintet-param Move_Overhead"];
    assert_eq!(outcome(&set).0.trim(), "1000");
}

#[test]
fn draughts_explains_hub_on_either_side_of_the_word() {
    let (help, _, content) = output(&["engine", "draughts", "--help"]);
    assert!(content && help.contains("\n  hub  ") && help.contains("(none)"), "{help}");
    assert_eq!(output(&["engine", "draughts", "hub", "--help"]).0, help);
}

#[test]
fn who_finds_nobody_to_join_says_so_at_once() {
    // An address that was free a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("an address is free");
    let place = listener.local_addr().expect("it has one").to_string();
    drop(listener);
    let program = env!("CARGO_BIN_EXE_quintet");
    let mut agent = Command::new(program)
        .args(["join", &place, "--game", "chess", "--", program, "engine", "chess"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("our own program starts");
    let mut line = String::new();
    let read = BufReader::new(agent.stderr.take().expect("it was piped")).read_line(&mut line);
    agent.kill().expect("it waits");
    agent.wait().expect("it was ended");
    read.expect("it is text");
    assert_eq!(line, format!("nothing listens at {place} yet; trying for two minutes\n"));
}

/// It would come hundreds of times a second.
#[test]
fn an_agent_that_cannot_run_says_so_and_takes_its_time() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("an address is free");
    let place = listener.local_addr().expect("it has one").to_string();
    let program = env!("CARGO_BIN_EXE_quintet");
    let mut agent = Command::new(program)
        .args(["join", &place, "--game", "chess", "--", program, "engine", "chess", "--version"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("our own program starts");
    let (mut stream, _) = listener.accept().expect("it comes");
    std::io::Write::write_all(&mut stream, b"ok\n").expect("it listens");
    let mut line = String::new();
    let read = BufReader::new(agent.stderr.take().expect("it was piped")).read_line(&mut line);
    agent.kill().expect("it waits");
    agent.wait().expect("it was ended");
    read.expect("it is text");
    assert_eq!(line, format!("{program} left {place} before it was asked; trying again\n"));
}

#[test]
fn lesson_14_chess_says_nothing_that_the_protocol_does_not_know() {
    let commands =
        ["uci", "isready", "ucinewgame", "setoption name Hash value 4", "nonsense", "go depth 5", "stop"];
    for line in converse::<::chess::Chess>(&commands).lines() {
        let word = line.split(' ').next().unwrap_or_default();
        assert!(["id", "option", "uciok", "readyok", "info", "bestmove"].contains(&word), "{line}");
    }
}

#[test]
fn every_rank_has_a_move_of_its_own_when_an_iteration_is_broken_off() {
    let after = |line: &str, word: &str| line.split(' ').skip_while(|w| *w != word).nth(1).map(str::to_owned);
    for nodes in [600, 750, 900] {
        let go = format!("go nodes {nodes}");
        let said = perform::<::chess::Chess>(&["setoption name MultiPV value 3", go.as_str()]);
        let ranks: BTreeMap<String, String> =
            said.lines().filter_map(|line| Some((after(line, "multipv")?, after(line, "pv")?))).collect();
        let moves: BTreeSet<&String> = ranks.values().collect();
        assert_eq!((ranks.len(), moves.len()), (3, 3), "{said}");
    }
}
