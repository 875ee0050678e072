//! Everybody who can be asked to play: our engines, the user's engines, agents from the network.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use protocol::{DriveError, Launch, Process};

use super::agents::Agents;
use super::books::{BOOK, Books};
use super::installed::Installed;
use super::limits::Limits;
use super::places::{Place, Places};
use super::seat::{LEVELS, Seat};
use crate::build::Settings;
use crate::driver::{Engine, Message};
use crate::games::{Choices, Row};
use crate::probe::Oracle;
use search::options::Kind;

/// Everybody who can be asked to play.
pub struct Players {
    /// This program, which is every one of our engines.
    program: PathBuf,
    /// The user's engines.
    pub installed: Vec<Installed>,
    /// Those who came over the network.
    pub agents: Arc<Agents>,
    /// What our engines may play openings from.
    pub books: Books,
    /// Where endgame databases lie.
    tables: PathBuf,
    /// Where engines run.
    pub places: Arc<Places>,
    /// What they may spend.
    pub limits: Limits,
}

/// By which our engines are told how much memory they may take.
const TABLES: [&str; 2] = ["Hash", "Tree Memory"];

impl Players {
    /// Our engines are `program engine GAME`.
    pub fn new(
        program: PathBuf,
        installed: Vec<Installed>,
        agents: Arc<Agents>,
        books: Books,
        tables: PathBuf,
        limits: Limits,
    ) -> Self {
        Players { program, installed, agents, books, tables, places: Places::new(limits.engines), limits }
    }

    /// The endgame databases for a game by these rules, if there are any that can be used.
    pub fn oracle(&self, entry: &Row, rules: &Choices) -> Option<Box<dyn Oracle>> {
        entry.build.consult?(&self.tables, &Settings::of(rules)).ok()
    }

    /// Whether a seat names a player of this game, set up as users may set it up.
    pub fn check(&self, entry: &Row, seat: &Seat) -> Result<()> {
        match seat {
            Seat::Human => {}
            Seat::Engine { level, options, .. } => {
                ensure!(*level < LEVELS.len(), "there is no level {level}");
                for (name, value) in options {
                    if name == BOOK {
                        self.books.check(entry, value)?;
                    } else {
                        entry.check_option(name, value, self.limits.threads())?;
                    }
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
        tell: impl Fn(Message) + Clone + Send + 'static,
    ) -> Result<Engine> {
        // A game may have been kept under other limits.
        self.check(entry, seat)?;
        Ok(match seat {
            Seat::Engine { level, options, .. } => {
                let skill = LEVELS.get(*level).map_or(20, |level| level.skill);
                let mut all = self.books.tell(entry, options);
                all.push(("Skill Level".to_owned(), skill.to_string()));
                all.extend(entry.rule_options(rules));
                self.ours(entry, all, tell)
            }
            Seat::Installed { name, .. } => {
                let engine = self.installed_engine(entry, name)?;
                let options = [rules, engine.options().as_slice()].concat();
                Engine::start(self.process(engine.launch()), engine.protocol(), options, tell)
            }
            Seat::Agent { name, .. } => {
                let (agents, game, name) = (self.agents.clone(), entry.name, name.clone());
                let options = entry.rule_options(rules);
                let process = move || Ok((agents.process(game, &name)?, ()));
                Engine::start(process, entry.protocols[0], options, tell)
            }
            Seat::Human => anyhow::bail!("a human needs no engine"),
        })
    }

    /// Starts our engine at full strength.
    pub fn adviser(
        &self,
        entry: &Row,
        rules: &[(String, String)],
        tell: impl Fn(Message) + Clone + Send + 'static,
    ) -> Engine {
        self.ours(entry, entry.rule_options(rules), tell)
    }

    fn ours(
        &self,
        entry: &Row,
        mut options: Vec<(String, String)>,
        tell: impl Fn(Message) + Clone + Send + 'static,
    ) -> Engine {
        let launch = Launch::new(&self.program).args(["engine", entry.name]);
        options.extend(self.tables(entry));
        Engine::start(self.process(launch), entry.protocols[0], options, tell)
    }

    /// Options by which an engine of ours takes no more memory than its share.
    fn tables(&self, entry: &Row) -> Vec<(String, String)> {
        let share = self.limits.table() as i64;
        let fields = (entry.options)().into_iter().filter(|field| TABLES.contains(&field.name));
        let too_much =
            fields.filter(|field| matches!(field.kind, Kind::Spin { default, .. } if default > share));
        too_much.map(|field| (field.name.to_owned(), share.to_string())).collect()
    }

    /// Starts a program once there is a place for it.
    fn process(
        &self,
        launch: Launch,
    ) -> impl FnOnce() -> Result<(Process, Place), DriveError> + Send + 'static {
        let places = self.places.clone();
        move || {
            let program = launch.program.display().to_string();
            let place = places.take().map_err(|why| DriveError::NotStarted { program, why })?;
            Ok((Process::start(&launch)?, place))
        }
    }

    fn installed_engine(&self, entry: &Row, name: &str) -> Result<&Installed> {
        self.installed
            .iter()
            .find(|engine| engine.name == name && engine.game == entry.name)
            .with_context(|| format!("engines.toml has no engine {name} for {}", entry.title))
    }
}
