//! Everybody who can be asked to play: our engines, the user's engines, agents from the network.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use protocol::Launch;

use super::agents::Agents;
use super::installed::Installed;
use super::mind::{Mind, Recipe, Said, Source};
use super::seat::{LEVELS, Seat};
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
        tell: impl Fn(Said) + Send + 'static,
    ) -> Result<Mind> {
        let recipe = match seat {
            Seat::Engine { level, options, .. } => {
                let skill = LEVELS.get(*level).map_or(20, |level| level.skill);
                let mut all = options.clone();
                all.push(("Skill Level".to_owned(), skill.to_string()));
                all.extend(entry.rule_options(rules));
                Recipe { language: entry.protocols[0], source: self.ours(entry), options: all }
            }
            Seat::Installed { name, .. } => {
                let engine = self.installed_engine(entry, name)?;
                let options = [rules, engine.options().as_slice()].concat();
                Recipe { language: engine.language(), source: Source::Program(engine.launch()), options }
            }
            Seat::Agent { name, .. } => {
                let (agents, game) = (self.agents.clone(), entry.name.to_owned());
                let source = Source::Agent { agents, game, name: name.clone() };
                Recipe { language: entry.protocols[0], source, options: entry.rule_options(rules) }
            }
            Seat::Human => anyhow::bail!("a human needs no engine"),
        };
        Ok(Mind::start(recipe, tell))
    }

    /// Starts our engine at full strength.
    pub fn adviser(
        &self,
        entry: &Row,
        rules: &[(String, String)],
        tell: impl Fn(Said) + Send + 'static,
    ) -> Mind {
        let options = entry.rule_options(rules);
        Mind::start(Recipe { language: entry.protocols[0], source: self.ours(entry), options }, tell)
    }

    fn ours(&self, entry: &Row) -> Source {
        Source::Program(Launch::new(&self.program).args(["engine", entry.name]))
    }

    fn installed_engine(&self, entry: &Row, name: &str) -> Result<&Installed> {
        self.installed
            .iter()
            .find(|engine| engine.name == name && engine.game == entry.name)
            .with_context(|| format!("engines.toml has no engine {name} for {}", entry.title))
    }
}
