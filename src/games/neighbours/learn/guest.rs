//! An agent of the network as the learner's opponent. Games that count are announced to it, so that one that
//! learns itself plays its best in them.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use neighbours::{Position, Rules};
use protocol::{DriveError, Launch, agent};
use search::{Game, Root};

use crate::driver::player::Driven;
use crate::driver::{MATCH, Occasion, Patience, Player, Protocol, Question, Setup, Spend};
use crate::misuse::Asked;

/// How long an agent may take to get ready or to move.
const PATIENCE: Duration = Duration::from_secs(60);

/// An agent that plays one game after the other.
pub struct Guest(Mutex<Agent>);

struct Agent {
    player: Driven,
    /// Plies it may look ahead.
    depth: u32,
    /// Why it plays no more.
    problem: Option<DriveError>,
}

impl Guest {
    /// Waits for an agent at `tcp://HOST:PORT`.
    pub fn await_at(place: &str, rules: Rules, depth: u32) -> Result<Guest> {
        agent::check(place).map_err(|why| anyhow!("--agent {place}: {why}")).asked()?;
        // Not every game is a match: which ones count is announced to it.
        let setup = Setup::new(Protocol::Uci, Occasion::Board, Vec::new());
        let setup = Setup { patience: Patience::of(PATIENCE), ..setup };
        let mut player = Driven::start(&Launch::new(place), &setup).with_context(|| place.to_owned())?;
        if rules != Rules::default() {
            player.set("BoardSize", &rules.size().to_string())?;
        }
        Ok(Guest(Mutex::new(Agent { player, depth, problem: None })))
    }

    /// Announces a game that counts, or one to learn from.
    pub fn announce(&self, counts: bool) {
        let mut agent = self.agent();
        // Only who learns has the option.
        let _ = agent.player.set(MATCH, if counts { "true" } else { "false" });
        if agent.player.new_game().is_err() && agent.problem.is_none() {
            agent.problem = agent.player.trouble().cloned();
        }
    }

    /// Fails if the agent has left.
    pub fn check(&self) -> Result<()> {
        self.agent().problem.clone().map_or(Ok(()), |problem| Err(problem).context("the agent"))
    }

    fn agent(&self) -> MutexGuard<'_, Agent> {
        self.0.lock().expect("no holder of the lock panics")
    }

    /// Its move; once it has left, [`Guest::check`] says so, and the game is thrown away.
    pub fn answer(&self, root: &Root<Position>) -> Result<<Position as Game>::Move> {
        let mut agent = self.agent();
        if let Some(problem) = &agent.problem {
            return Err(problem.clone().into());
        }
        let moves = root.positions().iter().zip(root.moves());
        let moves: Vec<String> = moves.map(|(here, &m)| here.write(m)).collect();
        let spend = Spend { depth: Some(agent.depth), longest: Some(PATIENCE), ..Spend::default() };
        let question = Question::new(Some(root.start().to_string()), moves, root.position().turn(), spend);
        let answer = agent.player.think(&question);
        agent.problem = agent.player.trouble().cloned();
        let text = answer?.text;
        let found = root.position().parse(&text).ok().filter(|m| root.legal().contains(m));
        if found.is_none() && agent.problem.is_none() {
            agent.problem = Some(DriveError::Garbage { line: text });
        }
        found.context("the agent has no move")
    }
}
