//! An agent of the network as the learner's opponent. Games that count are announced to it, so that one that
//! learns itself plays its best in them.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use neighbours::{Linear, Position, Rules};
use protocol::agent::SCHEME;
use protocol::uci::{Driver, Go};
use protocol::{DriveError, Launch};
use search::alphabeta::AlphaBeta;
use search::{Best, Control, Game, Info, Limits, Root, Search};

/// How long an agent may take to get ready or to move.
const PATIENCE: Duration = Duration::from_secs(60);

/// An agent that plays one game after the other.
#[derive(Clone)]
pub struct Guest(Arc<Mutex<Conversation>>);

struct Conversation {
    driver: Driver,
    /// Why it plays no more.
    problem: Option<DriveError>,
}

impl Guest {
    /// Waits for an agent at `tcp://HOST:PORT`.
    pub fn await_at(place: &str, rules: Rules) -> Result<Guest> {
        ensure!(place.starts_with(SCHEME), "--agent {place}: it is {SCHEME}HOST:PORT");
        let mut driver = Driver::start(&Launch::new(place), PATIENCE).with_context(|| place.to_owned())?;
        if rules != Rules::default() {
            driver.set("BoardSize", &rules.size().to_string())?;
        }
        Ok(Guest(Arc::new(Mutex::new(Conversation { driver, problem: None }))))
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

    fn answer(&self, root: &Root<Position>, depth: Option<u32>) -> Result<<Position as Game>::Move> {
        let mut conversation = self.conversation();
        if let Some(problem) = &conversation.problem {
            return Err(problem.clone().into());
        }
        let moves = root.positions().iter().zip(root.moves());
        let moves: Vec<String> = moves.map(|(here, &m)| here.write(m)).collect();
        let driver = &mut conversation.driver;
        driver.position(Some(&root.start().to_string()), &moves);
        driver.go(&Go { depth: depth.map(i64::from), ..Go::default() });
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

/// Who plays: weights of our own, or a guest.
pub enum Player {
    /// A search with weights.
    Own(AlphaBeta<Linear>),
    /// An agent.
    Guest(Guest),
}

impl Search<Position> for Player {
    fn think(
        &mut self,
        root: &Root<Position>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info<<Position as Game>::Move>),
    ) -> Best<<Position as Game>::Move> {
        match self {
            Player::Own(search) => search.think(root, limits, control, report),
            // A game without its guest is finished anyhow and then thrown away.
            Player::Guest(guest) => {
                let best = guest.answer(root, limits.depth).ok().or_else(|| root.legal().first().copied());
                Best { best, ponder: None }
            }
        }
    }

    fn forget(&mut self) {
        if let Player::Own(search) = self {
            search.forget();
        }
    }
}
