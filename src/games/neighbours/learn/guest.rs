//! An agent of the network as the learner's opponent. Games that count are announced to it, so that one that
//! learns itself plays its best in them.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use neighbours::{Position, Rules};
use protocol::agent::SCHEME;
use protocol::uci::{Driver, Go};
use protocol::{DriveError, Launch};
use search::{Game, Root};

/// How long an agent may take to get ready or to move.
const PATIENCE: Duration = Duration::from_secs(60);

/// An agent that plays one game after the other.
pub struct Guest(Mutex<Conversation>);

struct Conversation {
    driver: Driver,
    /// Plies it may look ahead.
    depth: u32,
    /// Why it plays no more.
    problem: Option<DriveError>,
}

impl Guest {
    /// Waits for an agent at `tcp://HOST:PORT`.
    pub fn await_at(place: &str, rules: Rules, depth: u32) -> Result<Guest> {
        ensure!(place.starts_with(SCHEME), "--agent {place}: it is {SCHEME}HOST:PORT");
        let mut driver = Driver::start(&Launch::new(place), PATIENCE).with_context(|| place.to_owned())?;
        if rules != Rules::default() {
            driver.set("BoardSize", &rules.size().to_string())?;
        }
        Ok(Guest(Mutex::new(Conversation { driver, depth, problem: None })))
    }

    /// Announces a game that counts, or one to learn from.
    pub fn announce(&self, counts: bool) {
        let mut conversation = self.conversation();
        // Only who learns has the option.
        let _ = conversation.driver.set("Match", if counts { "true" } else { "false" });
        let ready = conversation.driver.new_game(PATIENCE);
        conversation.problem = conversation.problem.take().or(ready.err());
    }

    /// Fails if the agent has left.
    pub fn check(&self) -> Result<()> {
        self.conversation().problem.clone().map_or(Ok(()), |problem| Err(problem).context("the agent"))
    }

    fn conversation(&self) -> MutexGuard<'_, Conversation> {
        self.0.lock().expect("no holder of the lock panics")
    }

    /// Its move; after it has left, [`Guest::check`] says so, and the game is thrown away.
    pub fn answer(&self, root: &Root<Position>) -> Result<<Position as Game>::Move> {
        let mut conversation = self.conversation();
        if let Some(problem) = &conversation.problem {
            return Err(problem.clone().into());
        }
        let moves = root.positions().iter().zip(root.moves());
        let moves: Vec<String> = moves.map(|(here, &m)| here.write(m)).collect();
        let depth = Some(i64::from(conversation.depth));
        let driver = &mut conversation.driver;
        driver.position(Some(&root.start().to_string()), &moves);
        driver.go(&Go { depth, ..Go::default() });
        let answer = driver.answer(Instant::now() + PATIENCE, |_| {});
        let answer = answer.inspect_err(|error| conversation.problem = Some(error.clone()))?;
        let text = answer.best.unwrap_or_default();
        let found = root.position().parse(&text).ok().filter(|m| root.legal().contains(m));
        if found.is_none() {
            conversation.problem = Some(DriveError::Garbage { line: text });
        }
        found.context("the agent has no move")
    }
}
