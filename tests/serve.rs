//! The board's server from outside, as a page sees it.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

const PATIENCE: Duration = Duration::from_secs(60);

/// A running server; it is killed like a crash would.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quintet"))
            .args(["serve", "--port", "0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("Board: http://").unwrap().trim_end_matches('/').to_owned();
        Server { child, address }
    }

    /// The status of a request, whatever follows it.
    fn status(&self, path: &str, headers: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\n{headers}\r\n").unwrap();
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap_or("").to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An open page.
struct Page {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    number: u64,
}

impl Page {
    fn open(server: &Server) -> Page {
        let request = format!("ws://{}/socket", server.address).into_client_request().unwrap();
        let (socket, _) = tungstenite::connect(request).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        let mut page = Page { socket, number: 0 };
        assert_eq!(page.hear()["type"], "hello");
        page
    }

    fn hear(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    fn ask(&mut self, what: &str, mut details: Value) -> Value {
        self.number += 1;
        details["do"] = json!(what);
        details["reply"] = json!(self.number);
        self.socket.send(Message::text(details.to_string())).unwrap();
        loop {
            let message = self.hear();
            if message["reply"] == json!(self.number) {
                return message;
            }
        }
    }

    fn begin(&mut self, game: &str, seats: Value) -> String {
        let answer =
            self.ask("new", json!({ "game": game, "rules": [], "fen": null, "seats": seats, "clock": null }));
        answer["id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    fn state(&mut self, id: &str) -> Value {
        self.ask("watch", json!({ "id": id }))["game"].clone()
    }

    /// Waits until a game is as wanted.
    fn wait(&mut self, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let game = self.state(id);
            if wanted(&game) {
                return game;
            }
            assert!(Instant::now() < deadline, "{game}");
            std::thread::sleep(Duration::from_millis(20));
        }
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
    assert_eq!(page.ask("play", json!({ "id": id, "node": 0, "move": "a1b2" }))["type"], "done");
    let game = page.wait(&id, |game| game["at"] == 2);
    assert_eq!(game["nodes"][1]["text"], "a1b2");
    assert_eq!(page.ask("undo", json!({ "id": id }))["type"], "done");
    assert_eq!(page.state(&id)["at"], 0);
    assert_eq!(page.ask("redo", json!({ "id": id }))["type"], "done");
    assert_eq!(page.state(&id)["at"], 2);
}

#[test]
fn players_change_in_mid_game_and_two_pages_see_the_same() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let (mut page, mut other) = (Page::open(&server), Page::open(&server));
    let id = page.begin("neighbours", humans());
    other.state(&id);
    page.ask("play", json!({ "id": id, "node": 0, "move": "a1b2" }));
    let news = other.hear();
    assert_eq!((&news["type"], &news["at"]), (&json!("game"), &json!(1)));
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
fn after_a_crash_every_game_is_there_to_its_last_move() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let id = page.begin("neighbours", humans());
    page.ask("play", json!({ "id": id, "node": 0, "move": "a1b2" }));
    page.ask("play", json!({ "id": id, "node": 1, "move": "a8b7" }));
    page.ask("play", json!({ "id": id, "node": 0, "move": "h1g2" }));
    let before = page.state(&id);
    drop(server);
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let after = page.state(&id);
    assert_eq!((&after["nodes"], &after["at"]), (&before["nodes"], &before["at"]));
    assert_eq!(after["nodes"].as_array().unwrap().len(), 4);
}

#[test]
fn a_game_is_saved_loaded_and_set_up() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let mut page = Page::open(&server);
    let id = page.begin("neighbours", humans());
    page.ask("play", json!({ "id": id, "node": 0, "move": "a1b2" }));
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
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let foreign = format!("{own}{upgrade}Origin: http://example.org\r\n");
    assert_eq!(server.status("/socket", &foreign), "403");
}
