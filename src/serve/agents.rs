//! Agents: engines that came over the network and wait to be asked to play.

use std::io::{self, ErrorKind, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use protocol::agent::{self, Introduction};
use protocol::{DriveError, Process};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::door;
use super::token::Token;
use crate::games;

/// How long an agent that was asked to play is waited for: it may have left to come again.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often we look whether it came.
const GLANCE: Duration = Duration::from_millis(20);
/// Agents that may wait at once.
const MOST: usize = 60;
/// The longest name.
const LONGEST_NAME: usize = 40;

/// Everybody who waits.
pub struct Agents {
    waiting: Mutex<Vec<Waiting>>,
    /// What an agent must know to be let in.
    token: Token,
    /// Changes whenever somebody comes or goes.
    news: watch::Sender<()>,
}

struct Waiting {
    game: String,
    name: String,
    stream: TcpStream,
}

impl Agents {
    /// Nobody yet.
    pub fn new(token: Token) -> Self {
        Agents { waiting: Mutex::default(), token, news: watch::channel(()).0 }
    }

    /// Welcomes agents for ever.
    pub async fn receive(self: Arc<Self>, listener: TcpListener) {
        let meet = |stream| {
            let agents = self.clone();
            // Who was refused has heard why, and who left needs not.
            async move { drop(agents.welcome(stream).await) }
        };
        door::receive(listener, agent::INTRODUCTION, meet).await;
    }

    async fn welcome(&self, mut stream: tokio::net::TcpStream) -> io::Result<()> {
        let mut line = Vec::new();
        // Not a byte beyond the line: what follows belongs to the conversation.
        while line.len() < agent::LONGEST && !line.ends_with(b"\n") {
            line.push(stream.read_u8().await?);
        }
        let mut stream = stream.into_std()?;
        let judged = Introduction::read(&String::from_utf8_lossy(&line)).and_then(|who| self.judge(who));
        // A fresh connection takes a line at once, or never.
        stream.write_all(
            judged.as_ref().map_or_else(|why| agent::refusal(why), |_| "ok\n".to_owned()).as_bytes(),
        )?;
        if let Ok(Introduction { game, name, .. }) = judged {
            stream.set_nonblocking(false)?;
            self.waiting().push(Waiting { game, name, stream });
            self.news.send_replace(());
        }
        Ok(())
    }

    fn judge(&self, who: Introduction) -> Result<Introduction, String> {
        if !self.token.opens(who.token.as_deref()) {
            return Err("the token is missing or wrong".to_owned());
        }
        if games::find(&who.game).is_none() {
            return Err(format!("there is no game {}", who.game));
        }
        if who.name.len() > LONGEST_NAME || who.name.chars().any(char::is_control) {
            return Err(format!("a name may have at most {LONGEST_NAME} letters"));
        }
        self.drop_who_left();
        if self.waiting().len() >= MOST {
            return Err("too many agents are waiting".to_owned());
        }
        Ok(who)
    }

    /// Those who wait, as the page reads it; several of one name are one choice.
    pub fn list(&self) -> Value {
        self.drop_who_left();
        let mut names: Vec<_> = self.waiting().iter().map(|w| (w.game.clone(), w.name.clone())).collect();
        names.sort();
        names.dedup();
        json!(names.iter().map(|(game, name)| json!({ "game": game, "name": name })).collect::<Vec<_>>())
    }

    /// Hears when somebody came or went.
    pub fn news(&self) -> watch::Receiver<()> {
        self.news.subscribe()
    }

    /// Takes an agent of this name, and waits a while for it.
    pub fn take(&self, game: &str, name: &str) -> Option<TcpStream> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            self.drop_who_left();
            let mut waiting = self.waiting();
            if let Some(place) = waiting.iter().position(|w| w.game == game && w.name == name) {
                let found = waiting.remove(place).stream;
                drop(waiting);
                self.news.send_replace(());
                return Some(found);
            }
            drop(waiting);
            if Instant::now() > deadline {
                return None;
            }
            thread::sleep(GLANCE);
        }
    }

    /// Takes an agent of this name to talk to.
    pub fn process(&self, game: &str, name: &str) -> Result<Process, DriveError> {
        let why = || "no agent of this name is connected".to_owned();
        let stream = self.take(game, name);
        let stream = stream.ok_or_else(|| DriveError::NotStarted { program: name.to_owned(), why: why() })?;
        Process::with_agent(stream)
    }

    fn drop_who_left(&self) {
        self.waiting().retain(|waiting| is_there(&waiting.stream).unwrap_or(false));
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Waiting>> {
        self.waiting.lock().expect("no holder of the lock panics")
    }
}

/// Whether the other end has not hung up; what it may have said stays to be read.
fn is_there(stream: &TcpStream) -> io::Result<bool> {
    stream.set_nonblocking(true)?;
    let looked = stream.peek(&mut [0]);
    stream.set_nonblocking(false)?;
    match looked {
        Ok(read) => Ok(read > 0),
        Err(error) => Ok(error.kind() == ErrorKind::WouldBlock),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "the-secret-of-this-test";

    fn join(address: &str, game: &str, token: Option<&str>) -> io::Result<TcpStream> {
        let mut stream = TcpStream::connect(address)?;
        let token = token.map(str::to_owned);
        agent::introduce(&mut stream, &Introduction { game: game.into(), name: "Ada".into(), token })?;
        Ok(stream)
    }

    #[test]
    fn agents_come_are_taken_and_leave() {
        let folder = tempfile::tempdir().unwrap();
        let key = folder.path().join("token");
        std::fs::write(&key, SECRET).unwrap();
        let agents = Arc::new(Agents::new(Token::of_file(&key).unwrap()));
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        runtime.spawn(agents.clone().receive(listener));
        let error = |token| join(&address, "chess", token).unwrap_err().to_string();
        assert_eq!(error(None), "the token is missing or wrong");
        assert_eq!(error(Some("x")), "the token is missing or wrong");
        assert_eq!(join(&address, "halma", Some(SECRET)).unwrap_err().to_string(), "there is no game halma");
        let _first = join(&address, "chess", Some(SECRET)).unwrap();
        assert!(agents.take("chess", "Ada").is_some());
        assert_eq!(agents.list(), json!([]));
        drop(join(&address, "go", Some(SECRET)).unwrap());
        let deadline = Instant::now() + Duration::from_secs(60);
        while agents.list() != json!([]) {
            assert!(Instant::now() < deadline);
        }
    }
}
