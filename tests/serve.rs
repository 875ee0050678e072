//! The board's server from outside, as a page sees it.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

#[path = "support/server.rs"]
mod server;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use protocol::agent::{self, Introduction};
use serde_json::{Value, json};
use tungstenite::Message;

use server::{PATIENCE, Page, Server};

/// A program that is ended with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn humans() -> Value {
    json!([{ "kind": "human" }, { "kind": "human" }])
}

fn against_engine() -> Value {
    json!([{ "kind": "human" }, { "kind": "engine", "level": 0, "limit": { "nodes": 200 } }])
}

#[test]
fn an_engine_answers_and_undo_takes_both_moves_back() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let id = page.begin("neighbours", against_engine());
    assert_eq!(page.ask("play", json!({ "id": id, "node": 0, "at": 0, "move": "a1b2" }))["type"], "done");
    let game = page.wait(&id, |game| game["at"] == 2);
    assert_eq!(game["nodes"][1]["text"], "a1b2");
    assert_eq!(page.ask("undo", json!({ "id": id, "at": 2 }))["type"], "done");
    assert_eq!(page.state(&id)["at"], 0);
    assert_eq!(page.ask("redo", json!({ "id": id, "at": 0 }))["type"], "done");
    assert_eq!(page.state(&id)["at"], 2);
}

#[test]
fn what_endgame_databases_know_comes_with_the_position() {
    let data = tempfile::tempdir().unwrap();
    let words = ["build", "endgame", "neighbours", "--set", "BoardSize=4", "--up-to", "2,2", "--data"];
    let built = Command::new(env!("CARGO_BIN_EXE_quintet")).args(words).arg(data.path()).output().unwrap();
    assert!(built.status.success(), "{built:?}");
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let id = page.begin_with("neighbours", json!([["BoardSize", "4"]]), json!("b3/b3/4/ww2 w 0"), humans());
    let position = page.state(&id)["position"].clone();
    let known = &position["known"];
    assert!(
        known["value"].as_str().is_some_and(|value| value == "draw" || value.contains(" in ")),
        "{position}"
    );
    assert_eq!(known["moves"].as_array().unwrap().len(), position["legal"].as_array().unwrap().len());
    // The best move keeps the value, seen from the other side.
    let [best, value] = [0, 1].map(|at| known["moves"][0][at].as_str().unwrap().to_owned());
    let first = known["value"].as_str().unwrap().to_owned();
    assert!(value.starts_with(&first), "{position}");
    let played = page.ask("play", json!({ "id": id, "node": 0, "at": 0, "move": best }));
    assert_eq!(played["type"], "done");
    if let Some(after) = page.state(&id)["position"]["known"]["value"].as_str() {
        assert!(after == "draw" || after != first, "{first}, then {after}");
    }
    // The whole board is too large for these tables.
    let start = page.begin_with("neighbours", json!([["BoardSize", "4"]]), Value::Null, humans());
    assert!(page.state(&start)["position"]["known"].is_null());
}

#[test]
fn players_change_in_mid_game_and_two_pages_see_the_same() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let (mut page, mut other) = (Page::open(&server), Page::open(&server));
    let id = page.begin("neighbours", humans());
    other.state(&id);
    page.ask("play", json!({ "id": id, "node": 0, "at": 0, "move": "a1b2" }));
    let mut news = other.hear();
    while news["at"] != 1 {
        news = other.hear();
    }
    assert_eq!(news["type"], "game");
    page.ask(
        "seat",
        json!({ "id": id, "side": 1, "seat": { "kind": "engine", "level": 0, "limit": { "nodes": 100 } } }),
    );
    page.wait(&id, |game| game["at"] == 2);
    let refused =
        page.ask("seat", json!({ "id": id, "side": 1, "seat": { "kind": "installed", "name": "sh" } }));
    assert_eq!(refused["type"], "error");
}

#[test]
fn a_game_lost_on_time_goes_on_after_an_undo() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let clock = json!({ "base": 100, "increment": 0 });
    let details =
        json!({ "game": "neighbours", "rules": [], "fen": null, "seats": humans(), "clock": clock });
    let id = page.ask("new", details)["id"].as_str().unwrap().to_owned();
    page.ask("play", json!({ "id": id, "node": 0, "at": 0, "move": "a1b2" }));
    let game = page.wait(&id, |game| game["result"]["reason"] == "time");
    assert_eq!(game["clock"]["left"], json!([100, 0]));
    assert_eq!(page.ask("undo", json!({ "id": id, "at": 1 }))["type"], "done");
    let game = page.state(&id);
    assert_eq!((&game["result"], &game["clock"]["left"]), (&Value::Null, &json!([100, 100])));
}

#[test]
fn after_a_crash_every_game_is_there_to_its_last_move() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let id = page.begin("neighbours", humans());
    page.ask("play", json!({ "id": id, "node": 0, "at": 0, "move": "a1b2" }));
    page.ask("play", json!({ "id": id, "node": 1, "at": 1, "move": "a8b7" }));
    page.ask("play", json!({ "id": id, "node": 0, "at": 2, "move": "h1g2" }));
    let before = page.state(&id);
    drop(server);
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let after = page.state(&id);
    assert_eq!((&after["nodes"], &after["at"]), (&before["nodes"], &before["at"]));
    assert_eq!(after["nodes"].as_array().unwrap().len(), 4);
}

#[test]
fn a_damaged_game_is_listed_as_damaged_and_can_be_deleted() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let whole = page.begin("neighbours", humans());
    std::fs::write(data.path().join("games/half.json"), "{\"id\":\"half\",\"ga").unwrap();
    let games = page.ask("games", json!({}))["games"].clone();
    let list = games.as_array().unwrap();
    let found = |id: &str| list.iter().find(|game| game["id"] == id).unwrap();
    assert_eq!((list.len(), &found(&whole)["damaged"]), (2, &Value::Null));
    let why = found("half")["damaged"].as_str().unwrap();
    assert!(why.starts_with("game half is damaged: EOF"), "{why}");
    assert_eq!(found("half")["file"], "games/half.json");
    assert_eq!(page.ask("watch", json!({ "id": "half" }))["text"], why);
    assert_eq!(page.ask("delete", json!({ "id": "half" }))["type"], "done");
    assert_eq!(page.ask("games", json!({}))["games"].as_array().unwrap().len(), 1);
}

#[test]
fn a_hint_keeps_nobody_waiting() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let id = page.begin("neighbours", humans());
    let hint = page.post("hint", json!({ "id": id, "node": 0 }));
    assert_eq!(page.ask("look", json!({ "id": id, "node": 0 }))["position"]["node"], 0);
    assert_eq!(page.answer(hint)["type"], "hint");
}

#[test]
fn a_game_outlives_the_engine_it_was_played_with() {
    let data = tempfile::tempdir().unwrap();
    let engines = data.path().join("engines.toml");
    std::fs::write(&engines, "[[engine]]\nname = \"X\"\ngame = \"neighbours\"\ncommand = \"x\"\n").unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let seats = json!([{ "kind": "human" }, { "kind": "installed", "name": "X" }]);
    let id = page.begin("neighbours", seats.clone());
    drop(server);
    std::fs::remove_file(&engines).unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    page.ask("play", json!({ "id": id, "node": 0, "at": 0, "move": "a1b2" }));
    let game = page.state(&id);
    assert_eq!(game["problem"], "X cannot go on: engines.toml has no engine X for Neighbours");
    page.ask("seat", json!({ "id": id, "side": 1, "seat": { "kind": "human" } }));
    assert_eq!(page.ask("play", json!({ "id": id, "node": 1, "at": 1, "move": "a8b7" }))["type"], "done");
    let details = json!({ "game": "neighbours", "rules": [], "fen": null, "seats": seats, "clock": null });
    assert_eq!(page.ask("new", details)["type"], "error");
}

#[test]
fn a_game_is_saved_loaded_and_set_up() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let id = page.begin("neighbours", humans());
    page.ask("play", json!({ "id": id, "node": 0, "at": 0, "move": "a1b2" }));
    let record = page.ask("export", json!({ "id": id, "format": "pgn" }));
    let loaded = page.ask("import", json!({ "game": "neighbours", "text": record["text"] }));
    let copy = loaded["id"].as_str().unwrap();
    assert_eq!(page.state(copy)["nodes"][1]["text"], "a1b2");
    let letters = format!("w{}b", ".".repeat(62));
    let composed = page.ask("compose", json!({ "id": id, "letters": letters, "turn": 1 }));
    assert_eq!(composed["fen"], "7b/8/8/8/8/8/8/w7 b 0");
    let refused = page.ask("import", json!({ "game": "neighbours", "text": "1. z9z9" }));
    assert_eq!(refused["type"], "error");
}

#[test]
fn nonsense_is_answered_and_leaves_the_server_serving() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let id = page.begin("neighbours", humans());
    let nonsense = [
        "",
        "{",
        "[]",
        "null",
        "{\"do\":7}",
        "{\"do\":\"play\"}",
        "{\"do\":\"undo\",\"id\":\"x\"}",
        "{\"do\":\"new\",\"game\":\"halma\"}",
        "{\"do\":\"watch\",\"id\":\"../../etc/passwd\"}",
        "{\"do\":\"look\",\"id\":\"x\",\"node\":-1}",
        "\u{0}",
    ];
    for text in nonsense.iter().cycle().take(2000) {
        page.socket.send(Message::text(*text)).unwrap();
        assert_eq!(page.hear()["type"], "error", "{text}");
    }
    let far = page.ask("look", json!({ "id": id, "node": u64::MAX }));
    assert_eq!(far["type"], "error");
    assert_eq!(page.state(&id)["at"], 0);
}

#[test]
fn strangers_and_unknown_paths_are_turned_away() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let own = format!("Host: {}\r\n", server.address);
    assert_eq!(server.status("/", &own), "200");
    assert_eq!(server.status("/page/main.js", &own), "200");
    for path in ["/page/none.js", "/page/../serve.rs", "/page/..%2f..%2fCargo.toml", "/etc/passwd"] {
        assert_eq!(server.status(path, &own), "404", "{path}");
    }
    assert_eq!(server.status("/", "Host: example.org\r\n"), "403");
    let foreign = format!("{own}{UPGRADE}Origin: http://example.org\r\n");
    assert_eq!(server.status("/socket", &foreign), "403");
}

#[test]
fn an_order_for_another_moment_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let id = page.begin("neighbours", humans());
    page.ask("play", json!({ "id": id, "node": 0, "at": 0, "move": "a1b2" }));
    for (what, details) in [
        ("undo", json!({ "id": id, "at": 0 })),
        ("redo", json!({ "id": id, "at": 2 })),
        ("play", json!({ "id": id, "node": 1, "at": 0, "move": "a8b7" })),
        ("play", json!({ "id": id, "node": 0, "at": 0, "move": "h1g2" })),
    ] {
        let answer = page.ask(what, details);
        assert_eq!(answer["text"], "the game has moved on", "{what}");
    }
    let game = page.state(&id);
    assert_eq!((&game["at"], game["nodes"].as_array().unwrap().len()), (&json!(1), 2));
}

#[test]
fn a_finished_game_of_go_is_counted_with_its_dead_stones() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let fen = "5/bbbbb/5/wwwww/1b3 b - 0 0 0";
    let id = page.begin_with("go", json!([["BoardSize", "5"], ["Komi", "0.5"]]), json!(fen), humans());
    for at in 0..2 {
        page.ask("play", json!({ "id": id, "node": at, "at": at, "move": "pass" }));
    }
    let game = page.state(&id);
    assert_eq!((&game["counting"]["dead"], &game["result"]), (&json!(["B1"]), &Value::Null));
    assert_eq!(game["counting"]["margin"], -0.5);
    page.ask("mark", json!({ "id": id, "spot": "C2" }));
    assert_eq!(page.state(&id)["counting"]["dead"].as_array().unwrap().len(), 6);
    assert_eq!(page.ask("mark", json!({ "id": id, "spot": "A3" }))["type"], "error");
    page.ask("mark", json!({ "id": id, "spot": "C2" }));
    drop(server);
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let counting = page.state(&id)["counting"].clone();
    assert_eq!((&counting["dead"], counting["owners"].as_array().unwrap().len()), (&json!(["B1"]), 25));
    assert_eq!(page.ask("agree", json!({ "id": id }))["type"], "done");
    let result = page.state(&id)["result"].clone();
    assert_eq!((&result["winner"], &result["reason"]), (&json!(0), &json!("by 0.5 points")));
    page.ask("undo", json!({ "id": id, "at": 2 }));
    assert_eq!(page.state(&id)["result"], Value::Null);
}

#[test]
fn games_begin_where_the_form_says() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let rules = json!([["UCI_Chess960", "true"], ["Chess960 number", "0"]]);
    let id = page.begin_with("chess", rules, Value::Null, humans());
    assert!(page.state(&id)["position"]["fen"].as_str().unwrap().starts_with("bbqnnrkr/"));
    let rules = json!([["BoardSize", "9"], ["Handicap", "3"]]);
    let id = page.begin_with("go", rules, Value::Null, humans());
    let game = page.state(&id);
    let stones = game["position"]["letters"].as_str().unwrap().matches('b').count();
    assert_eq!((stones, &game["position"]["turn"]), (3, &json!(0)));
}

#[test]
fn an_agent_joins_plays_and_comes_again() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start_with(data.path(), &["--agents", "0"]);
    let place = server.agents.clone().unwrap();
    let refused = Command::new(env!("CARGO_BIN_EXE_quintet"))
        .args(["join", &place, "--game", "halma", "--", env!("CARGO_BIN_EXE_quintet"), "engine", "chess"])
        .output()
        .unwrap();
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no such game: 'halma'"));
    let _agent = Running(
        Command::new(env!("CARGO_BIN_EXE_quintet"))
            .args(["join", &place, "--game", "neighbours", "--name", "Ada", "--"])
            .args([env!("CARGO_BIN_EXE_quintet"), "engine", "neighbours"])
            .spawn()
            .unwrap(),
    );
    wait_for_agent(&server);
    let mut page = Page::open(&server);
    let seat = json!({ "kind": "agent", "name": "Ada", "limit": { "nodes": 100 } });
    let id = page.begin("neighbours", json!([{ "kind": "human" }, seat]));
    page.ask("play", json!({ "id": id, "node": 0, "at": 0, "move": "a1b2" }));
    let game = page.wait(&id, |game| game["at"] == 2 || !game["problem"].is_null());
    assert_eq!((&game["at"], &game["names"][1]), (&json!(2), &json!("Ada (network)")));
    page.ask("resign", json!({ "id": id }));
    wait_for_agent(&server);
}

fn wait_for_agent(server: &Server) {
    let deadline = Instant::now() + PATIENCE;
    while !Page::open(server).hello["agents"].to_string().contains("Ada") {
        assert!(Instant::now() < deadline, "the agent did not come");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_match_waits_for_its_agent() {
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let _agent = Running(
        Command::new(env!("CARGO_BIN_EXE_quintet"))
            .args(["join", &address, "--game", "neighbours", "--"])
            .args([env!("CARGO_BIN_EXE_quintet"), "engine", "neighbours"])
            .spawn()
            .unwrap(),
    );
    let agent = format!("cmd=tcp://{address}");
    let played = Command::new(env!("CARGO_BIN_EXE_quintet"))
        .args(["match", "neighbours", "-engine", &agent, "name=Ada", "nodes=50"])
        .args(["-engine", "neighbours", "name=Home", "nodes=50", "-games", "2", "-concurrency", "1"])
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&played.stdout).into_owned() + &String::from_utf8_lossy(&played.stderr);
    assert!(played.status.success(), "{text}");
    assert!(text.contains("Ada") && !text.contains("disconnects"), "{text}");
}

/// What `quintet analyse` makes of a file, which stays as it is.
fn analysed(limit: &[&str], file: &Path, before: &[u8]) -> String {
    std::fs::write(file, before).unwrap();
    let status =
        Command::new(env!("CARGO_BIN_EXE_quintet")).arg("analyse").args(limit).arg(file).status().unwrap();
    assert!(status.success());
    assert_eq!(std::fs::read(file).unwrap(), before);
    let ending = file.extension().unwrap();
    std::fs::read_to_string(file.with_extension("analysed").with_added_extension(ending)).unwrap()
}

#[test]
fn a_game_is_analysed_without_a_screen() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("game.pgn");
    let game = b"[White \"A\"]\n\n1. e4 e5 2. Qh5 Ke7 {oh} 3. Qxe5# 1-0\n";
    let text = analysed(&["--nodes", "3000", "--engine", "chess"], &file, game);
    assert!(text.contains("Ke7??") && text.contains("oh}") && text.contains("[White \"A\"]"), "{text}");
    assert!(text.contains("1. e4") && text.contains("1-0") && !text.contains("Termination"), "{text}");
    let text = analysed(&["--nodes", "100"], &file, b"\xef\xbb\xbf[White \"B\"]\n\n1. e4 *\n");
    assert!(text.contains("[White \"B\"]") && text.contains("1. e4"), "{text}");
    let text = analysed(&["--nodes", "100"], &file, b"[White \"Ren\xe9\"]\n\n1. e4 *\n");
    assert!(text.contains("[White \"Ren?\"]") && text.contains("1. e4"), "{text}");
}

#[test]
fn all_games_of_go_are_analysed_and_every_limit_ends() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("games.sgf");
    let games = b"(;GM[1]SZ[5]PB[Ada];B[cc];W[aa])\n(;GM[1]SZ[5]PB[Ben];B[cc])\n";
    for limit in [["--time", "50"], ["--nodes", "200"]] {
        let text = analysed(&limit, &file, games);
        assert!(text.matches(";B[cc]").count() == 2 && text.matches("C[").count() == 3, "{text}");
        assert!(text.contains("PB[Ada]") && text.contains("PB[Ben]"), "{text}");
    }
}

const UPGRADE: &str = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

#[test]
fn other_hosts_need_the_token_and_no_address_has_it() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start_with(data.path(), &["--host", "0.0.0.0", "--agents", "0"]);
    assert!(!server.address.starts_with("0.0.0.0"), "{} leads nowhere", server.address);
    let token = std::fs::read_to_string(data.path().join("token")).unwrap().trim().to_owned();
    assert!(token.len() >= 20);
    let own = format!("Host: {}\r\n", server.address);
    let socket = |path: &str, more: &str| server.status(path, &format!("{own}{UPGRADE}{more}"));
    for more in ["", "Sec-WebSocket-Protocol: quintet\r\n", "Sec-WebSocket-Protocol: quintet, x\r\n"] {
        assert_eq!(socket("/socket", more), "403", "{more}");
    }
    assert_eq!(socket(&format!("/socket?token={token}"), ""), "403", "an address is no place for it");
    assert_eq!(socket("/socket", &format!("Sec-WebSocket-Protocol: quintet, {token}\r\n")), "101");
    assert_eq!(server.status("/token", &own), "401");
    assert_eq!(server.status("/token", &format!("{own}Authorization: Bearer {token}\r\n")), "204");
    let place = server.agents.clone().unwrap();
    let join = |flag: &[&str], variable: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quintet"));
        command.args(["join", &place, "--game", "chess", "--name", "Ada", "--once"]).args(flag).arg("--");
        command.args([env!("CARGO_BIN_EXE_quintet"), "engine", "chess"]).env("QUINTET_TOKEN", variable);
        command.stderr(Stdio::piped());
        command
    };
    let refused = |flag: &[&str], variable: &str| {
        let output = join(flag, variable).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(refused(&["--token", &token], &token).0, Some(2), "a command line is no place for it");
    let (code, why) = refused(&[], "some-other-token");
    assert!(code == Some(1) && why.contains("the token is missing or wrong"), "{why}");
    let known = data.path().join("token").display().to_string();
    for (flag, variable) in [(vec!["--token-file", &known], ""), (vec![], token.as_str())] {
        let mut agent = Running(join(&flag, variable).spawn().unwrap());
        std::thread::sleep(Duration::from_millis(500));
        assert!(agent.0.try_wait().unwrap().is_none(), "it was sent away");
    }
}

#[test]
fn records_that_take_long_keep_no_other_page_waiting() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let record = format!("(;SZ[19]AB{})", "[aa]".repeat(340_000));
    let mut page = Page::open(&server);
    let id = page.begin("neighbours", humans());
    let readers: Vec<_> = (0..6)
        .map(|_| {
            let (mut page, record) = (Page::open(&server), record.clone());
            std::thread::spawn(move || page.ask("import", json!({ "game": "go", "text": record })))
        })
        .collect();
    let mut answers = 0;
    while readers.iter().any(|reader| !reader.is_finished()) {
        assert_eq!(page.ask("look", json!({ "id": id, "node": 0 }))["position"]["node"], 0);
        answers += 1;
    }
    for reader in readers {
        assert_eq!(reader.join().unwrap()["type"], "created");
    }
    assert!(answers > 50, "only {answers} answers while records were read");
}

#[test]
fn crowds_that_say_nothing_keep_nobody_out() {
    let data = tempfile::tempdir().unwrap();
    let mut shell = Command::new("sh");
    // Fewer files than visitors.
    shell.args(["-c", "ulimit -n 80 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_quintet")]);
    let server = Server::run(shell, data.path(), &["--agents", "0"]);
    let place = server.agents.clone().unwrap();
    let mut crowd = Vec::new();
    for (address, words) in [(&server.address, "GET / HTTP/1.1\r\nX: "), (&place, "agent chess ")] {
        for _ in 0..150 {
            let mut stream = TcpStream::connect(address).unwrap();
            // Who was sent away cannot speak any more.
            let _ = stream.write_all(words.as_bytes());
            crowd.push(stream);
        }
    }
    assert_eq!(server.status("/", &format!("Host: {}\r\n", server.address)), "200");
    let me = Introduction { game: "chess".into(), name: "Ada".into(), token: None };
    let mut late = TcpStream::connect(&place).unwrap();
    agent::introduce(&mut late, &me).unwrap();
    drop(crowd);
    wait_for_agent(&server);
}

#[test]
fn games_share_the_engines_there_may_be() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start_with(data.path(), &["--engines", "2", "--threads", "1"]);
    let mut page = Page::open(&server);
    let engine = json!({ "kind": "engine", "level": 0, "limit": { "nodes": 50 } });
    let games: Vec<_> = (0..3).map(|_| page.begin("neighbours", json!([engine, engine]))).collect();
    for id in &games {
        let game = page.wait(id, |game| {
            assert!(server.engines() <= 2);
            game["at"].as_u64() >= Some(4) || !game["problem"].is_null()
        });
        assert_eq!(game["problem"], Value::Null);
    }
    let greedy = json!({ "kind": "engine", "level": 0, "options": [["Threads", "1024"]] });
    let refused = page.ask("seat", json!({ "id": games[0], "side": 0, "seat": greedy }));
    assert_eq!(refused["type"], "error");
    assert!(refused["text"].as_str().unwrap().contains("Threads"), "{refused}");
}

#[test]
fn an_engine_stops_thinking_after_its_page_has_left() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start_with(data.path(), &["--unwatched", "1"]);
    let mut page = Page::open(&server);
    let endless = json!({ "kind": "engine", "level": 6, "limit": { "nodes": 1_000_000_000_000_000u64 } });
    let id = page.begin("neighbours", json!([endless, { "kind": "human" }]));
    page.wait(&id, |game| game["thinking"] == true && server.engines() == 1);
    drop(page);
    let deadline = Instant::now() + PATIENCE;
    while server.engines() > 0 {
        assert!(Instant::now() < deadline, "it thinks for nobody");
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut page = Page::open(&server);
    assert_eq!(page.state(&id)["thinking"], true, "it goes on for who comes back");
}

/// Plays the first legal move over the network as long as it is asked, and notes which games count.
fn scripted_agent(address: &str) -> Vec<String> {
    let deadline = Instant::now() + PATIENCE;
    let mut stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(error) => assert!(Instant::now() < deadline, "{error}"),
        }
    };
    let me = Introduction { game: "neighbours".into(), name: "Ada".into(), token: None };
    agent::introduce(&mut stream, &me).unwrap();
    let mut referee = quintet::referee::open("neighbours", &[("BoardSize".into(), "4".into())]).unwrap();
    let mut announced = Vec::new();
    for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
        let answer = match line.split_once(' ').map_or(line.as_str(), |(first, _)| first) {
            "uci" => "option name Match type check default false\noption name BoardSize type spin default 8 min 4 max 8\nuciok\n".to_owned(),
            "isready" => "readyok\n".to_owned(),
            "setoption" => {
                announced.extend(line.strip_prefix("setoption name Match value ").map(str::to_owned));
                String::new()
            }
            "position" => {
                let (fen, moves) = line.split_once(" moves ").unwrap_or((&line, ""));
                referee.set_up(fen.strip_prefix("position fen ")).unwrap();
                moves.split_whitespace().for_each(|m| drop(referee.play(m).unwrap()));
                String::new()
            }
            "go" => format!("bestmove {}\n", referee.legal()[0]),
            _ => String::new(),
        };
        stream.write_all(answer.as_bytes()).unwrap();
    }
    announced
}

#[test]
fn a_learner_and_its_copy_learn_in_games_that_a_server_leads() {
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("weights.json");
    let games = ["--games", "6", "--depth", "1", "--board-size", "4"];
    let mut host = Command::new(env!("CARGO_BIN_EXE_quintet"));
    host.args(["learn", "neighbours", "host", &format!("tcp://{address}"), "--block", "2", "--opening", "1"]);
    let host = host.args(games).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let join = |more: &[&str]| {
        let mut learner = Command::new(env!("CARGO_BIN_EXE_quintet"));
        learner.args(["learn", "neighbours", "train"]).arg(&file).args(["--join", &address]).args(more);
        learner.output().unwrap()
    };
    let learned = join(&[&games[..], &["--reply", "predicted", "--explore", "0.5"]].concat());
    assert!(learned.status.success(), "{}", String::from_utf8_lossy(&learned.stderr));
    let led = host.wait_with_output().unwrap();
    assert!(led.status.success(), "{}", String::from_utf8_lossy(&led.stderr));
    let training: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let training = &training["training"];
    assert_eq!(training["games"], 6);
    // A match after every two games.
    assert_eq!(training["log"]["trials"].as_array().unwrap().len(), 3);
    assert!(training["learner"]["moves"].as_u64().unwrap() > 6);
    let shown = Command::new(env!("CARGO_BIN_EXE_quintet"))
        .args(["learn", "neighbours", "show"])
        .arg(&file)
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains(&format!("--join {address}")) && shown.contains("--explore 0.5"), "{shown}");
    assert!(!shown.contains("--block") && !shown.contains("--opponent"), "{shown}");
    // What the server decides is refused, not ignored.
    let refused = join(&["--block", "7"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn learning_takes_an_agent_and_says_which_games_count() {
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let place = address.clone();
    let agent = std::thread::spawn(move || scripted_agent(&place));
    let data = tempfile::tempdir().unwrap();
    let learned = Command::new(env!("CARGO_BIN_EXE_quintet"))
        .args(["learn", "neighbours", "train"])
        .arg(data.path().join("weights.json"))
        .args(["--games", "2", "--block", "2", "--depth", "1", "--board-size", "4", "--opening", "0"])
        .args(["--agent", &format!("tcp://{address}")])
        .output()
        .unwrap();
    assert!(learned.status.success(), "{}", String::from_utf8_lossy(&learned.stderr));
    assert_eq!(agent.join().unwrap(), ["false", "false", "true", "true"]);
}
