//! The board's server and a page without a browser, for tests and benches.

// Helpers of tests fail by panicking, as tests do; not every user needs all of them.
#![allow(clippy::unwrap_used, dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A running server; it is killed like a crash would.
pub struct Server {
    pub child: Child,
    pub address: String,
    /// Where agents come, if they may.
    pub agents: Option<String>,
}

impl Server {
    pub fn start(data: &Path) -> Server {
        Server::start_with(data, &[])
    }

    pub fn start_with(data: &Path, flags: &[&str]) -> Server {
        Server::run(Command::new(env!("CARGO_BIN_EXE_quintet")), data, flags)
    }

    /// Starts the server by a command that ends with the program.
    pub fn run(mut command: Command, data: &Path, flags: &[&str]) -> Server {
        command.args(["serve", "--port", "0", "--data"]).arg(data).args(flags).stdout(Stdio::piped());
        let child = command.spawn().unwrap();
        let mut server = Server { child, address: String::new(), agents: None };
        for line in BufReader::new(server.child.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            if let Some(place) = line.strip_prefix("Agents: ") {
                server.agents = Some(place.to_owned());
            }
            if let Some(link) = line.strip_prefix("Board: http://") {
                server.address = link.split('/').next().unwrap().to_owned();
                return server;
            }
        }
        panic!("the server ended before it began");
    }

    /// Its engines, on systems that tell.
    pub fn engines(&self) -> usize {
        let parent = |entry: std::fs::DirEntry| {
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse::<u32>().ok()
        };
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes.filter_map(parent).filter(|parent| *parent == self.child.id()).count()
    }

    /// The status of a request, whatever follows it.
    pub fn status(&self, path: &str, headers: &str) -> String {
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
pub struct Page {
    pub socket: WebSocket<MaybeTlsStream<TcpStream>>,
    number: u64,
    /// What the server said first.
    pub hello: Value,
}

impl Page {
    pub fn open(server: &Server) -> Page {
        let request = format!("ws://{}/socket", server.address).into_client_request().unwrap();
        let (socket, _) = tungstenite::connect(request).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        let mut page = Page { socket, number: 0, hello: Value::Null };
        page.hello = page.hear();
        assert_eq!(page.hello["type"], "hello");
        page
    }

    pub fn hear(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// Puts a question and waits for its answer; news that come before it are not kept.
    pub fn ask(&mut self, what: &str, details: Value) -> Value {
        let number = self.post(what, details);
        self.answer(number)
    }

    /// Puts a question; the number of the answer to come.
    pub fn post(&mut self, what: &str, mut details: Value) -> u64 {
        self.number += 1;
        details["do"] = json!(what);
        details["reply"] = json!(self.number);
        self.socket.send(Message::text(details.to_string())).unwrap();
        self.number
    }

    /// Waits for the answer of this number.
    pub fn answer(&mut self, number: u64) -> Value {
        loop {
            let message = self.hear();
            if message["reply"] == json!(number) {
                return message;
            }
        }
    }

    pub fn begin(&mut self, game: &str, seats: Value) -> String {
        self.begin_with(game, json!([]), Value::Null, seats)
    }

    pub fn begin_with(&mut self, game: &str, rules: Value, fen: Value, seats: Value) -> String {
        let details = json!({ "game": game, "rules": rules, "fen": fen, "seats": seats, "clock": null });
        let answer = self.ask("new", details);
        answer["id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    pub fn state(&mut self, id: &str) -> Value {
        self.ask("watch", json!({ "id": id }))["game"].clone()
    }

    /// Waits until a game is as wanted.
    pub fn wait(&mut self, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
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
