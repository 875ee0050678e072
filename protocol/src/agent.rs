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
/// The longest introduction, in bytes.
pub const LONGEST: usize = 400;
/// How long an agent may take to introduce itself, from its first byte to its last.
pub const INTRODUCTION: Duration = Duration::from_secs(10);
/// How long an agent is waited for.
const PATIENCE: Duration = Duration::from_secs(120);
/// Bytes a second that an agent is listened to: enough for an analysis of a whole board ten times a second.
const PACE: u32 = 4 << 20;
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

/// What an agent sends, at a pace that leaves the processor to others: who sends faster has to wait.
pub(crate) struct Paced<R> {
    stream: R,
    /// When everything heard so far has been paid for.
    paid: Instant,
}

impl<R> Paced<R> {
    pub(crate) fn new(stream: R) -> Self {
        Paced { stream, paid: Instant::now() }
    }

    /// Takes note of what was heard `now`; how long to wait before the next.
    fn pay(&mut self, bytes: usize, now: Instant) -> Duration {
        self.paid = self.paid.max(now) + Duration::from_secs(1) * bytes as u32 / PACE;
        self.paid - now
    }
}

impl<R: io::Read> io::Read for Paced<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.stream.read(bytes)?;
        thread::sleep(self.pay(length, Instant::now()));
        Ok(length)
    }
}

/// Hears an agent's first line and answers it.
fn welcome(mut stream: TcpStream) -> io::Result<TcpStream> {
    let line = first_line(&mut stream, INTRODUCTION)?;
    match Introduction::read(&line) {
        Ok(_) => {
            stream.write_all(b"ok\n")?;
            stream.set_read_timeout(None)?;
            Ok(stream)
        }
        Err(why) => {
            stream.write_all(refusal(&why).as_bytes())?;
            Err(io::Error::new(ErrorKind::PermissionDenied, why))
        }
    }
}

/// What an agent hears that is not wanted.
pub fn refusal(why: &str) -> String {
    format!("error {why}\n")
}

/// Introduces an agent; comes back when it was welcomed.
pub fn introduce(stream: &mut TcpStream, introduction: &Introduction) -> io::Result<()> {
    let Introduction { game, name, token } = introduction;
    let token = token.as_deref().map(|token| format!(" {token}")).unwrap_or_default();
    stream.write_all(format!("agent {game} {name}{token}\n").as_bytes())?;
    let answer = first_line(stream, PATIENCE)?;
    stream.set_read_timeout(None)?;
    match answer.trim() {
        "ok" => Ok(()),
        "" => Err(ErrorKind::UnexpectedEof.into()),
        answer => {
            let why = answer.strip_prefix("error ").unwrap_or(answer).to_owned();
            Err(io::Error::new(ErrorKind::PermissionDenied, why))
        }
    }
}

/// Reads one line, within so much time in all, and not a byte beyond it: what follows belongs to the conversation.
fn first_line(stream: &mut TcpStream, patience: Duration) -> io::Result<String> {
    let deadline = Instant::now() + patience;
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < LONGEST {
        let left = deadline.saturating_duration_since(Instant::now());
        // No time at all would mean to wait for ever.
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        if io::Read::read(stream, &mut byte)? == 0 || byte == *b"\n" {
            break;
        }
        line.push(byte[0]);
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
}

/// Whether agents can be waited for at `tcp://HOST:PORT`; if not, why. Who waits there already will be gone in time.
pub fn check(place: &str) -> Result<(), String> {
    let address = place.strip_prefix(SCHEME).ok_or_else(|| format!("expected {SCHEME}HOST:PORT"))?;
    match TcpListener::bind(address) {
        Err(error) if error.kind() != ErrorKind::AddrInUse => Err(error.to_string()),
        _ => Ok(()),
    }
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
            Ok(welcome(stream).ok())
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
            let mut line = || first_line(&mut stream, Duration::from_secs(60)).unwrap();
            (line(), line())
        });
        let mut process = Process::start(&Launch::new(format!("{SCHEME}{address}"))).unwrap();
        let heard = process.hear(Instant::now() + Duration::from_secs(60), "greeting").unwrap();
        assert_eq!(heard.text, "hello");
        process.say("quit");
        process.leave(Duration::ZERO);
        assert_eq!(agent.join().unwrap(), ("quit".to_owned(), String::new()));
    }

    #[test]
    fn a_place_where_nobody_can_wait_is_refused() {
        assert_eq!(check("127.0.0.1:0"), Err("expected tcp://HOST:PORT".to_owned()));
        for place in ["", "x", "x:y", ":", "127.0.0.1", "127.0.0.1:99999", "192.0.2.1:9000"] {
            assert!(check(&format!("{SCHEME}{place}")).is_err(), "{place}");
        }
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        assert_eq!(check(&format!("{SCHEME}{}", taken.local_addr().unwrap())), Ok(()));
        assert_eq!(check("tcp://127.0.0.1:0"), Ok(()));
    }

    #[test]
    fn who_does_not_introduce_itself_hears_why() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut stranger = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        stranger.write_all(b"GET / HTTP/1.1\r\n").unwrap();
        assert!(welcome(listener.accept().unwrap().0).is_err());
        let heard = first_line(&mut stranger, Duration::from_secs(60)).unwrap();
        assert_eq!(heard, "error expected: agent <game> <name> [token]");
    }

    #[test]
    fn an_introduction_byte_by_byte_has_one_deadline() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut slow = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let sender = thread::spawn(move || {
            // Until nobody listens any more, or the line is full.
            while slow.write_all(b"x").is_ok() {
                thread::sleep(Duration::from_millis(1));
            }
        });
        let mut stream = listener.accept().unwrap().0;
        let heard = first_line(&mut stream, Duration::from_millis(50));
        assert!(heard.is_err(), "{heard:?}");
        drop(stream);
        sender.join().unwrap();
    }

    #[test]
    fn a_flood_of_an_agent_is_heard_at_a_walking_pace() {
        let now = Instant::now();
        let mut paced = Paced { stream: std::io::empty(), paid: now };
        let mebibyte = 1 << 20;
        assert_eq!(paced.pay(mebibyte, now), Duration::from_millis(250));
        assert_eq!(paced.pay(2 * mebibyte, now), Duration::from_millis(750));
        let later = now + Duration::from_secs(9);
        assert_eq!(paced.pay(0, later), Duration::ZERO, "silence is not saved up");
    }
}
