//! Engines that come over the network: an agent connects, says who it is, and is from then on spoken to as a
//! child process would be.
//!
//! ```text
//! agent: agent <game> <name> [token]
//! ours:  ok                          or: error <why>
//! ```

use std::io::{self, ErrorKind, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, TryRecvError};

/// How an engine's place says that it comes over the network.
pub const SCHEME: &str = "tcp://";
/// The longest introduction.
const LONGEST: usize = 400;
/// How long an agent may take to introduce itself.
const INTRODUCTION: Duration = Duration::from_secs(10);
/// How long an agent is waited for.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often we look whether somebody came.
const GLANCE: Duration = Duration::from_millis(10);

/// What an agent says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Introduction {
    /// The game it plays.
    pub game: String,
    /// How it wants to be called.
    pub name: String,
    /// What lets it in where not everybody may come.
    pub token: Option<String>,
}

impl Introduction {
    /// Reads `agent <game> <name> [token]`; the error is what to answer.
    pub fn read(line: &str) -> Result<Introduction, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [first, game, name, token @ ..] = words.as_slice() else {
            return Err("expected: agent <game> <name> [token]".to_owned());
        };
        if *first != "agent" || token.len() > 1 {
            return Err("expected: agent <game> <name> [token]".to_owned());
        }
        Ok(Introduction {
            game: (*game).to_owned(),
            name: (*name).to_owned(),
            token: token.first().map(|token| (*token).to_owned()),
        })
    }
}

/// Hears an agent's first line and answers it; `judge` says why it is not wanted, if it is not.
pub fn welcome(
    mut stream: TcpStream,
    judge: impl Fn(&Introduction) -> Result<(), String>,
) -> io::Result<(Introduction, TcpStream)> {
    stream.set_read_timeout(Some(INTRODUCTION))?;
    let line = first_line(&mut stream)?;
    match Introduction::read(&line).and_then(|introduction| judge(&introduction).map(|()| introduction)) {
        Ok(introduction) => {
            stream.write_all(b"ok\n")?;
            stream.set_read_timeout(None)?;
            Ok((introduction, stream))
        }
        Err(why) => {
            stream.write_all(format!("error {why}\n").as_bytes())?;
            Err(io::Error::new(ErrorKind::PermissionDenied, why))
        }
    }
}

/// Introduces an agent; comes back when it was welcomed.
pub fn introduce(stream: &mut TcpStream, introduction: &Introduction) -> io::Result<()> {
    let Introduction { game, name, token } = introduction;
    let token = token.as_deref().map(|token| format!(" {token}")).unwrap_or_default();
    stream.write_all(format!("agent {game} {name}{token}\n").as_bytes())?;
    match first_line(stream)?.trim() {
        "ok" => Ok(()),
        "" => Err(ErrorKind::UnexpectedEof.into()),
        answer => {
            let why = answer.strip_prefix("error ").unwrap_or(answer).to_owned();
            Err(io::Error::new(ErrorKind::PermissionDenied, why))
        }
    }
}

/// Reads one line and not a byte beyond it: what follows belongs to the conversation.
fn first_line(stream: &mut TcpStream) -> io::Result<String> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < LONGEST && io::Read::read(stream, &mut byte)? == 1 && byte != *b"\n" {
        line.push(byte[0]);
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
}

/// Waits at an address for the next agent, whatever it plays: who waits has said to which game it invites.
pub(crate) fn wait_for(address: &str, halt: &Receiver<()>) -> io::Result<TcpStream> {
    let deadline = Instant::now() + PATIENCE;
    let mut listener = None;
    loop {
        if halt.try_recv() == Err(TryRecvError::Disconnected) {
            return Err(ErrorKind::Interrupted.into());
        }
        if Instant::now() > deadline {
            return Err(io::Error::new(ErrorKind::TimedOut, "no agent connected"));
        }
        match try_once(&mut listener, address) {
            Ok(Some(stream)) => return Ok(stream),
            Ok(None) => thread::sleep(GLANCE),
            Err(error) => return Err(error),
        }
    }
}

/// One look whether somebody came; none if not, or not rightly.
fn try_once(listener: &mut Option<TcpListener>, address: &str) -> io::Result<Option<TcpStream>> {
    let listening = match listener {
        Some(listening) => listening,
        // Another game of ours may be waiting at the same place: it is our turn after it.
        None => match TcpListener::bind(address) {
            Ok(bound) => {
                bound.set_nonblocking(true)?;
                listener.insert(bound)
            }
            Err(error) if error.kind() == ErrorKind::AddrInUse => return Ok(None),
            Err(error) => return Err(error),
        },
    };
    match listening.accept() {
        Ok((stream, _)) => {
            stream.set_nonblocking(false)?;
            // Whoever does not introduce itself was no agent; another may come.
            Ok(welcome(stream, |_| Ok(())).ok().map(|(_, stream)| stream))
        }
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Launch, Process};

    fn free_address() -> String {
        TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
    }

    fn connect(address: &str) -> TcpStream {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            match TcpStream::connect(address) {
                Ok(stream) => return stream,
                Err(error) => assert!(Instant::now() < deadline, "{error}"),
            }
            thread::sleep(GLANCE);
        }
    }

    #[test]
    fn introductions_are_read() {
        let read = |line: &str| Introduction::read(line);
        let wanted = Introduction { game: "chess".into(), name: "Ada".into(), token: Some("x".into()) };
        assert_eq!(read("agent chess Ada x\r"), Ok(wanted));
        assert_eq!(read("agent go Bob").unwrap().token, None);
        for line in ["", "agent", "agent chess", "GET / HTTP/1.1", "agent a b c d"] {
            assert_eq!(read(line), Err("expected: agent <game> <name> [token]".to_owned()), "{line}");
        }
    }

    #[test]
    fn an_agent_is_spoken_to_as_a_program() {
        let address = free_address();
        let there = address.clone();
        let agent = thread::spawn(move || {
            let mut stream = connect(&there);
            let me = Introduction { game: "chess".into(), name: "Ada".into(), token: None };
            introduce(&mut stream, &me).unwrap();
            stream.write_all(b"hello\n").unwrap();
            let line = first_line(&mut stream).unwrap();
            (line, first_line(&mut stream).unwrap())
        });
        let mut process = Process::start(&Launch::new(format!("{SCHEME}{address}"))).unwrap();
        let heard = process.hear(Instant::now() + Duration::from_secs(60), "greeting").unwrap();
        assert_eq!(heard.text, "hello");
        process.say("quit");
        process.leave(Duration::ZERO);
        assert_eq!(agent.join().unwrap(), ("quit".to_owned(), String::new()));
    }

    #[test]
    fn who_is_not_wanted_hears_why() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let agent = thread::spawn(move || {
            let me = Introduction { game: "halma".into(), name: "Ada".into(), token: None };
            introduce(&mut connect(&address), &me).unwrap_err().to_string()
        });
        let stream = listener.accept().unwrap().0;
        assert!(welcome(stream, |who| Err(format!("nobody plays {}", who.game))).is_err());
        assert_eq!(agent.join().unwrap(), "nobody plays halma");
    }
}
