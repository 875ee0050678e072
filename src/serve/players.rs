//! Everybody who can be asked to play: our engines, the user's engines, agents from the network.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use protocol::{Launch, Process};

use super::agents::Agents;
use super::installed::Installed;
use super::seat::{LEVELS, Seat};
use crate::driver::{Engine, Message};
use crate::games::Row;

/// Everybody who can be asked to play.
pub struct Players {
    /// This program, which is every one of our engines.
    program: PathBuf,
    /// The user's engines.
    pub installed: Vec<Installed>,
    /// Those who came over the network.
    pub agents: Arc<Agents>,
}

impl Players {
    /// Our engines are `program engine GAME`.
    pub fn new(program: PathBuf, installed: Vec<Installed>, agents: Arc<Agents>) -> Self {
        Players { program, installed, agents }
    }

    /// Whether a seat names a player of this game, set up as users may set it up.
    pub fn check(&self, entry: &Row, seat: &Seat) -> Result<()> {
        match seat {
            Seat::Human => {}
            Seat::Engine { level, options, .. } => {
                ensure!(*level < LEVELS.len(), "there is no level {level}");
                for (name, value) in options {
                    entry.check_option(name, value)?;
                }
            }
            Seat::Installed { name, .. } => {
                self.installed_engine(entry, name)?;
            }
            Seat::Agent { .. } => {}
        }
        Ok(())
    }

    /// Starts the engine of a seat.
    pub fn start(
        &self,
        entry: &Row,
        seat: &Seat,
        rules: &[(String, String)],
        tell: impl Fn(Message) + Send + 'static,
    ) -> Result<Engine> {
        Ok(match seat {
            Seat::Engine { level, options, .. } => {
                let skill = LEVELS.get(*level).map_or(20, |level| level.skill);
                let mut all = options.clone();
                all.push(("Skill Level".to_owned(), skill.to_string()));
                all.extend(entry.rule_options(rules));
                self.ours(entry, all, tell)
            }
            Seat::Installed { name, .. } => {
                let engine = self.installed_engine(entry, name)?;
                let options = [rules, engine.options().as_slice()].concat();
                let launch = engine.launch();
                Engine::start(move || Process::start(&launch), engine.protocol(), options, tell)
            }
            Seat::Agent { name, .. } => {
                let (agents, game, name) = (self.agents.clone(), entry.name, name.clone());
                let options = entry.rule_options(rules);
                Engine::start(move || agents.process(game, &name), entry.protocols[0], options, tell)
            }
            Seat::Human => anyhow::bail!("a human needs no engine"),
        })
    }

    /// Starts our engine at full strength.
    pub fn adviser(
        &self,
        entry: &Row,
        rules: &[(String, String)],
        tell: impl Fn(Message) + Send + 'static,
    ) -> Engine {
        self.ours(entry, entry.rule_options(rules), tell)
    }

    fn ours(
        &self,
        entry: &Row,
        options: Vec<(String, String)>,
        tell: impl Fn(Message) + Send + 'static,
    ) -> Engine {
        let launch = Launch::new(&self.program).args(["engine", entry.name]);
        Engine::start(move || Process::start(&launch), entry.protocols[0], options, tell)
    }

    fn installed_engine(&self, entry: &Row, name: &str) -> Result<&Installed> {
        self.installed
            .iter()
            .find(|engine| engine.name == name && engine.game == entry.name)
            .with_context(|| format!("engines.toml has no engine {name} for {}", entry.title))
    }
}
