//! All games: beginning, finding, listing and deleting them.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::agents::Agents;
use super::clock::{Control, GameClock};
use super::live::{Handle, Live};
use super::order::{Event, Order};
use super::players::Players;
use super::records;
use super::seat::{LEVELS, Seat, USUAL_LEVEL};
use super::store::{Kept, Store};
use crate::games::{self, GAMES};
use crate::matches::archive::today;
use crate::record::Format;

/// Games open at once before those that nobody needs are closed.
const MANY_OPEN: usize = 200;
/// Games that may be open at once.
const MOST_OPEN: usize = 500;
/// Records that may be read at once: the others wait, so that there are processors left for moves.
const AT_ONCE: usize = 1;
/// How long they wait.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a page asks that concerns no game yet, or several.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Task {
    /// A list of all games.
    Games,
    /// A new game.
    New(Begin),
    /// A game from a text.
    Import {
        /// The game.
        game: String,
        /// A record or a FEN.
        text: String,
    },
    /// The same again with colours changed.
    Rematch {
        /// The game that is over.
        id: String,
    },
    /// Away with a game.
    Delete {
        /// The game.
        id: String,
    },
}

/// How a game begins.
#[derive(Debug, Deserialize)]
pub struct Begin {
    game: String,
    rules: Vec<(String, String)>,
    fen: Option<String>,
    seats: [Seat; 2],
    clock: Option<Control>,
}

/// All games.
pub struct Lobby {
    store: Store,
    players: Arc<Players>,
    open: Mutex<HashMap<String, Handle>>,
    /// For records that are read.
    readers: Arc<Semaphore>,
}

impl Lobby {
    /// The games of a store.
    pub fn new(store: Store, players: Arc<Players>) -> Self {
        Lobby { store, players, open: Mutex::default(), readers: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// What every page hears first.
    pub fn hello(&self) -> Value {
        let installed = self.players.installed.iter();
        let games = GAMES.iter().map(|entry| {
            let mut game = entry.describe(self.players.limits.threads());
            let fields = game["engine"].as_array_mut().expect("an engine has a list of options");
            fields.extend(self.players.books.describe(entry));
            game
        });
        json!({
            "type": "hello",
            "version": env!("CARGO_PKG_VERSION"),
            "games": games.collect::<Vec<_>>(),
            "usual_game": GAMES[0].name,
            "levels": LEVELS,
            "usual_level": USUAL_LEVEL,
            "installed": installed.map(|e| json!({ "name": e.name, "game": e.game })).collect::<Vec<_>>(),
            "agents": self.players.agents.list(),
        })
    }

    /// Those who came over the network.
    pub fn agents(&self) -> &Agents {
        &self.players.agents
    }

    /// Does what concerns no single game, where it keeps nobody waiting.
    pub async fn run(self: &Arc<Self>, task: Task) -> Result<Value> {
        let reader = match task {
            Task::Import { .. } => {
                let reader = timeout(PATIENCE, self.readers.clone().acquire_owned()).await;
                Some(reader.context("the board is busy reading other records; try again later")??)
            }
            _ => None,
        };
        let lobby = self.clone();
        spawn_blocking(move || {
            let _reader = reader;
            lobby.carry_out(task)
        })
        .await?
    }

    fn carry_out(&self, task: Task) -> Result<Value> {
        match task {
            Task::Games => Ok(json!({ "type": "games", "games": self.list() })),
            Task::New(begin) => self.begin(begin),
            Task::Import { game, text } => self.import(&game, &text),
            Task::Rematch { id } => self.rematch(&id),
            Task::Delete { id } => self.delete(&id),
        }
    }

    /// The door of a game; it is opened if need be.
    pub async fn handle(self: &Arc<Self>, id: &str) -> Result<Handle> {
        if let Some(door) = self.doors().get(id).filter(|door| !door.inbox.is_closed()) {
            return Ok(door.clone());
        }
        let (lobby, id) = (self.clone(), id.to_owned());
        spawn_blocking(move || lobby.admit(lobby.store.load(&id)?)).await?
    }

    /// Gives an order to a game and waits for the answer.
    pub async fn order(self: &Arc<Self>, id: &str, order: Order) -> Result<Value> {
        // A game may close between its door and the order; then it is opened again.
        for _ in 0..2 {
            let (reply, answer) = oneshot::channel();
            let door = self.handle(id).await?;
            if door.inbox.send(Event::Order(order.clone(), reply)).is_ok()
                && let Ok(answer) = answer.await
            {
                return answer.map_err(anyhow::Error::msg);
            }
        }
        bail!("the game no longer exists")
    }

    fn begin(&self, mut begin: Begin) -> Result<Value> {
        let entry = games::named(&begin.game)?;
        for (name, _) in &begin.rules {
            ensure!(
                entry.choices().iter().any(|choice| choice.name == *name),
                "{} has no rule {name}",
                entry.title
            );
        }
        let chosen = entry.start.as_ref().and_then(|start| start.take(&mut begin.rules));
        let mut referee = entry.open(&begin.rules)?;
        if let (None, Some(start)) = (&begin.fen, &entry.start) {
            begin.fen = (start.position)(&*referee, &begin.rules, chosen.as_deref(), random())?;
        }
        referee.set_up(begin.fen.as_deref())?;
        ensure!(begin.clock.is_none_or(|clock| clock.is_sensible()), "the clock's times are out of range");
        for (side, seat) in begin.seats.iter().enumerate() {
            self.players.check(entry, seat).with_context(|| format!("player {}", side + 1))?;
        }
        self.create(Kept {
            id: new_id(),
            game: begin.game,
            date: today(),
            rules: begin.rules,
            fen: begin.fen.map(|_| referee.fen()),
            seats: begin.seats,
            clock: begin.clock.map(GameClock::new),
            ..Kept::default()
        })
    }

    fn import(&self, game: &str, text: &str) -> Result<Value> {
        // Some records are known by their first letters, whatever game the page shows.
        let known = Format::of_text(text).and_then(|format| games::kept_as(format).next());
        let row = known.map_or_else(|| games::named(game), Ok)?;
        self.create(Kept { id: new_id(), date: today(), ..records::import(row, text)? })
    }

    fn rematch(&self, id: &str) -> Result<Value> {
        let Kept { game, rules, fen, seats: [white, black], clock, .. } = self.store.load(id)?;
        let seats = [black, white];
        self.begin(Begin { game, rules, fen, seats, clock: clock.map(|clock| clock.control) })
    }

    fn create(&self, kept: Kept) -> Result<Value> {
        let id = kept.id.clone();
        self.store.save(&kept)?;
        match self.admit(kept) {
            Ok(_) => Ok(json!({ "type": "created", "id": id })),
            Err(error) => {
                self.store.delete(&id)?;
                Err(error)
            }
        }
    }

    fn admit(&self, kept: Kept) -> Result<Handle> {
        let id = kept.id.clone();
        // A long game takes a moment, in which the other doors must stay open.
        let opened = Live::open(kept, self.store.clone(), self.players.clone())?;
        let mut doors = self.doors();
        doors.retain(|_, door| !door.inbox.is_closed());
        // Two pages that come at once find one game.
        if let Some(door) = doors.get(&id) {
            return Ok(door.clone());
        }
        if doors.len() >= MANY_OPEN {
            for door in doors.values() {
                // It may have closed by itself.
                let _ = door.inbox.send(Event::Rest);
            }
        }
        ensure!(doors.len() < MOST_OPEN, "too many games are open");
        let door = opened.go_on();
        doors.insert(id, door.clone());
        Ok(door)
    }

    fn delete(&self, id: &str) -> Result<Value> {
        // The file goes first: a game that closes takes what it has saved since.
        self.store.delete(id)?;
        if let Some(door) = self.doors().remove(id) {
            // It may have closed by itself.
            let _ = door.inbox.send(Event::Close);
        }
        Ok(json!({ "type": "done" }))
    }

    fn list(&self) -> Vec<Value> {
        let listed =
            |id: &String| self.store.load(id).map_or_else(|why| damaged(id, &why), |kept| summary(&kept));
        self.store.list().iter().map(listed).collect()
    }

    fn doors(&self) -> MutexGuard<'_, HashMap<String, Handle>> {
        self.open.lock().expect("no holder of the lock panics")
    }
}

fn summary(kept: &Kept) -> Value {
    let entry = games::find(&kept.game);
    let state = match &kept.result {
        None => "in progress".to_owned(),
        Some(ended) => match ended.winner {
            None => format!("drawn, {}", ended.reason),
            Some(side) => format!("{} won, {}", ["White", "Black"][side.min(1)], ended.reason),
        },
    };
    json!({
        "id": kept.id,
        "title": entry.map_or(kept.game.as_str(), |entry| entry.title),
        "date": kept.date,
        "names": kept.seats.each_ref().map(|seat| seat.name(entry.map_or("", |entry| entry.engine))),
        "moves": kept.tree.line(kept.tree.at()).len(),
        "state": state,
    })
}

/// A game that cannot be opened; only its user can tell what its file is worth.
fn damaged(id: &str, why: &anyhow::Error) -> Value {
    json!({ "id": id, "damaged": format!("{why:#}"), "file": format!("games/{id}.json") })
}

/// 64 random bits of the system.
pub fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A name nobody guesses: 64 random bits of the system as letters and digits.
pub fn new_id() -> String {
    let mut number = random();
    let mut id = String::new();
    for _ in 0..13 {
        id.push(char::from_digit((number % 36) as u32, 36).expect("it is below 36"));
        number /= 36;
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::books::Books;
    use crate::serve::limits::Limits;
    use crate::serve::token::Token;

    #[test]
    fn a_game_is_opened_once() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path().to_owned()).unwrap();
        let players = Players::new(
            "quintet".into(),
            Vec::new(),
            Arc::new(Agents::new(Token::default())),
            Books::new(directory.path()),
            directory.path().join("endgame"),
            Limits::default(),
        );
        let lobby = Lobby::new(store, Arc::new(players));
        let kept =
            Kept { id: new_id(), ..records::import(games::named("neighbours").unwrap(), "1. a1b2").unwrap() };
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let first = lobby.admit(kept.clone()).unwrap();
            let second = lobby.admit(kept).unwrap();
            assert!(first.inbox.same_channel(&second.inbox));
        });
    }

    #[test]
    fn names_differ_and_fit_the_store() {
        let names: std::collections::HashSet<_> = (0..1000).map(|_| new_id()).collect();
        assert_eq!(names.len(), 1000);
        assert!(names.iter().all(|name| name.len() == 13 && name.bytes().all(|c| c.is_ascii_alphanumeric())));
    }
}
