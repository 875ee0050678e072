//! A training on disk: written whole or not at all, read back exactly.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use neighbours::{Rules, Set, Weights, tuning};
use search::learn::{Method, Opponent, Reply, Training};
use serde::{Deserialize, Serialize};

use crate::misuse::Asked;
use crate::place;

/// Points of the evaluation for the reward of a win.
pub const WIN_POINTS: f64 = 1000.0;

/// Who plays along over the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Away {
    /// The opponent is an agent that comes here.
    Agent(String),
    /// Learner and opponent are led by a server there.
    Server(String),
}

/// What a checkpoint file holds.
#[derive(Serialize, Deserialize)]
pub struct Checkpoint {
    /// The version of the program that wrote it.
    version: String,
    /// The set of terms, by name.
    set: String,
    /// Its terms, in the order of the weights.
    terms: Vec<String>,
    /// Rows and columns of the board.
    #[serde(default = "usual_board")]
    board: u8,
    /// Where its games are led, if not here.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub away: Option<Away>,
    /// The training itself.
    pub training: Training,
}

fn usual_board() -> u8 {
    Rules::EIGHT.size()
}

impl Checkpoint {
    /// A checkpoint of a training of this set by these rules.
    pub fn new(set: Set, rules: Rules, away: Option<Away>, training: Training) -> Checkpoint {
        Checkpoint {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            set: set.name().to_owned(),
            terms: set.terms().names(),
            board: rules.size(),
            away,
            training,
        }
    }

    /// Reads a file; names what is wrong with it.
    pub fn read(path: &Path) -> Result<Checkpoint> {
        let name = || path.display().to_string();
        let text = fs::read_to_string(path).with_context(name).asked()?;
        let found: Result<Checkpoint, _> = serde_json::from_str(&text);
        let found = found.with_context(|| format!("{} is not a training checkpoint", name())).asked()?;
        found.check().with_context(name).asked()?;
        Ok(found)
    }

    /// Writes the file; a crash leaves the old one.
    pub fn write(&self, path: &Path) -> Result<()> {
        place::write(path, serde_json::to_string(self)?)
    }

    /// The set of terms.
    pub fn set(&self) -> Set {
        named(&self.set).expect("checked when read")
    }

    /// The rules of its games.
    pub fn rules(&self) -> Rules {
        Rules::new(self.board).expect("checked when read")
    }

    /// The weights learned so far, in hundredths of a piece.
    pub fn weights(&self) -> Result<Weights> {
        let points: Vec<f32> = points(&self.training.learner.weights);
        Weights::new(self.set(), &points).context("the training did not lead to finite weights")
    }

    /// The command line that leads to these weights once more; the place of the checkpoint is left open.
    pub fn command(&self) -> String {
        let (course, scheme) = (&self.training.learner.course, &self.training.scheme);
        let method = match course.method {
            Method::Td { rate } => format!("td --rate {rate}"),
            Method::TdLambda { rate, lambda } => format!("td-lambda --rate {rate} --lambda {lambda}"),
            Method::Lstd { keep, ridge } => format!("windowed --keep {keep} --ridge {ridge}"),
        };
        let opponent = match (&self.away, scheme.opponent) {
            (Some(Away::Agent(place)), _) => format!("--agent {place}"),
            (Some(Away::Server(place)), _) => format!("--join {place}"),
            (None, Opponent::Copy) => "--opponent copy".to_owned(),
            (None, Opponent::Fixed { depth }) if depth > scheme.depth => "--opponent strong".to_owned(),
            (None, Opponent::Fixed { .. }) => "--opponent weak".to_owned(),
        };
        // A server arranges the games by itself.
        let games = match &self.away {
            Some(Away::Server(_)) => String::new(),
            _ => format!(" --block {} --opening {}", scheme.block, scheme.opening),
        };
        let workers = match &self.away {
            Some(_) => String::new(),
            None => format!(" --workers {}", scheme.workers),
        };
        let reply = if scheme.reply == Reply::Actual { "actual" } else { "predicted" };
        let moves = scheme.moves.map_or_else(String::new, |moves| format!(" --moves {moves}"));
        format!(
            "quintet learn neighbours train FILE --set {} --method {method} --discount {} --period {} --games {}\
             {moves}{games} --depth {} {opponent} --explore {} --reply {reply} --draw {} --board-size {}{workers} \
             --seed {}",
            self.set,
            course.discount,
            course.period,
            scheme.games,
            scheme.depth,
            scheme.exploration.map_or(0.0, |sigmoid| sigmoid.high),
            scheme.draw,
            self.board,
            scheme.seed,
        )
    }

    /// One line that says where the weights come from.
    pub fn origin(&self) -> String {
        format!("`{}`, {} games; quintet {}", self.command(), self.training.games, self.version)
    }

    fn check(&self) -> Result<()> {
        let Some(set) = named(&self.set) else { bail!("no set of terms is called '{}'", self.set) };
        ensure!(self.terms == set.terms().names(), "the terms are not those of {}", self.set);
        ensure!(Rules::new(self.board).is_some(), "no board has {} rows", self.board);
        let count = self.training.learner.weights.len();
        ensure!(count == self.terms.len(), "{count} weights for {} terms", self.terms.len());
        Ok(self.training.check()?)
    }
}

/// The set of this name.
pub fn named(name: &str) -> Option<Set> {
    Set::ALL.iter().find(|(_, known)| *known == name).map(|&(set, _)| set)
}

/// The hand-set weights of this name, such as `hand-set1`.
pub fn hand_set(name: &str) -> Option<Weights> {
    name.strip_prefix("hand-").and_then(named).map(tuning::weights)
}

/// Weights in units of a win as hundredths of a piece.
pub fn points(weights: &[f64]) -> Vec<f32> {
    weights.iter().map(|w| (w * WIN_POINTS) as f32).collect()
}
