//! Agents: engines that came over the network and wait to be asked to play.

use std::net::{TcpListener, TcpStream};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::games;
use protocol::agent::{self, Introduction};
use protocol::{DriveError, Process};
use serde_json::{Value, json};
use tokio::sync::watch;

/// How long an agent that was asked to play is waited for: it may have left to come again.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often we look whether it came.
const GLANCE: Duration = Duration::from_millis(20);
/// Agents that may wait at once.
const MOST: usize = 200;
/// The longest name.
const LONGEST_NAME: usize = 40;

/// Everybody who waits.
pub struct Agents {
    waiting: Mutex<Vec<Waiting>>,
    /// What an agent must know to be let in, if anything.
    token: Option<String>,
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
    pub fn new(token: Option<String>) -> Self {
        Agents { waiting: Mutex::default(), token, news: watch::channel(()).0 }
    }

    /// Welcomes agents for ever.
    pub fn receive(self: &std::sync::Arc<Self>, listener: TcpListener) {
        let agents = self.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let agents = agents.clone();
                // Who is slow to introduce itself must not keep the others waiting.
                thread::spawn(move || agents.welcome(stream));
            }
        });
    }

    fn welcome(&self, stream: TcpStream) {
        // Who was refused has heard why.
        if let Ok((Introduction { game, name, .. }, stream)) = agent::welcome(stream, |who| self.judge(who)) {
            self.waiting().push(Waiting { game, name, stream });
            self.news.send_replace(());
        }
    }

    fn judge(&self, who: &Introduction) -> Result<(), String> {
        if self.token.is_some() && who.token != self.token {
            return Err("the token is missing or wrong".to_owned());
        }
        if games::find(&who.game).is_none() {
            return Err(format!("there is no game {}", who.game));
        }
        if who.name.len() > LONGEST_NAME || who.name.chars().any(char::is_control) {
            return Err(format!("a name may have at most {LONGEST_NAME} letters"));
        }
        self.drop_who_left();
        let waiting = self.waiting();
        if waiting.len() >= MOST {
            return Err("too many agents are waiting".to_owned());
        }
        Ok(())
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
fn is_there(stream: &TcpStream) -> std::io::Result<bool> {
    stream.set_nonblocking(true)?;
    let looked = stream.peek(&mut [0]);
    stream.set_nonblocking(false)?;
    match looked {
        Ok(read) => Ok(read > 0),
        Err(error) => Ok(error.kind() == std::io::ErrorKind::WouldBlock),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn join(address: &str, game: &str, token: Option<&str>) -> std::io::Result<TcpStream> {
        let mut stream = TcpStream::connect(address)?;
        let token = token.map(str::to_owned);
        agent::introduce(&mut stream, &Introduction { game: game.into(), name: "Ada".into(), token })?;
        Ok(stream)
    }

    #[test]
    fn agents_come_are_taken_and_leave() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let agents = Arc::new(Agents::new(Some("secret".to_owned())));
        agents.receive(listener);
        let error = |token| join(&address, "chess", token).unwrap_err().to_string();
        assert_eq!(error(None), "the token is missing or wrong");
        assert_eq!(error(Some("x")), "the token is missing or wrong");
        assert_eq!(
            join(&address, "halma", Some("secret")).unwrap_err().to_string(),
            "there is no game halma"
        );
        let _first = join(&address, "chess", Some("secret")).unwrap();
        assert!(agents.take("chess", "Ada").is_some());
        assert_eq!(agents.list(), json!([]));
        drop(join(&address, "go", Some("secret")).unwrap());
        let deadline = Instant::now() + Duration::from_secs(60);
        while agents.list() != json!([]) {
            assert!(Instant::now() < deadline);
        }
    }
}
