//! `loop`: games, a training and a match in turn, for as long as nobody ends it.
//!
//! Everything lies in one folder. Each of the three can be taken up where it was left, and a small file says which of
//! them is due, so a kill costs no more than the games under way.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{Args, value_parser};
use serde::{Deserialize, Serialize};

use super::network::{self, Course};
use super::selfplay::{self, Manner};
use crate::learn::series::Series;
use crate::matches::args::Flags;
use crate::matches::interrupt::Interrupt;
use crate::matches::log::Log;
use crate::matches::plan::Plan;
use crate::matches::runner;
use crate::matches::standings::Standings;
use crate::matches::statistics::sprt::Verdict;
use crate::misuse::Asked;
use crate::place;
use crate::progress::say;

/// The file that says how far the loop is.
const STATE: &str = "state.json";
/// Seeds of a generation's games: no other generation has them.
const SEEDS: u64 = 1 << 32;
/// From this score on a network is the better one though the test has not decided.
const CLEAR: f64 = 0.55;
/// The names of the two networks in their match.
const NAMES: [&str; 2] = ["new", "best"];

/// How to go on.
#[derive(Args)]
pub struct Arguments {
    /// The folder of all files; what is there is taken up
    dir: PathBuf,
    /// Generations to make in all; 0 for no end
    #[arg(long, default_value_t = 0)]
    generations: u64,
    /// Games of a generation
    #[arg(long, default_value_t = 2000, value_parser = value_parser!(u64).range(1..))]
    games: u64,
    /// Games of the first one, which playouts guide
    #[arg(long, default_value_t = 2000, value_parser = value_parser!(u64).range(1..))]
    first: u64,
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    course: Course,
    /// The most games of a match
    #[arg(long, default_value_t = 200, value_parser = value_parser!(u64).range(2..))]
    match_games: u64,
    /// Visits a move in a match
    #[arg(long, default_value_t = 200, value_parser = value_parser!(u64).range(1..))]
    match_visits: u64,
    /// The board of a match
    #[arg(long, default_value_t = 9, value_parser = value_parser!(u64).range(2..=25))]
    match_size: u64,
    /// Threads of games and training [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stage {
    Games,
    Training,
    Match,
}

/// How far the loop is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    /// From 0 on.
    generation: u64,
    stage: Stage,
    /// The generation whose network is the best.
    best: Option<u64>,
}

impl State {
    fn read(dir: &Path) -> Result<State> {
        let path = dir.join(STATE);
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).with_context(|| path.display().to_string()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Ok(State { generation: 0, stage: Stage::Games, best: None })
            }
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    fn write(&self, dir: &Path) -> Result<()> {
        place::write(&dir.join(STATE), serde_json::to_string(self)? + "\n")
    }

    fn advance(&mut self) {
        (self.generation, self.stage) = match self.stage {
            Stage::Games => (self.generation, Stage::Training),
            Stage::Training => (self.generation, Stage::Match),
            Stage::Match => (self.generation + 1, Stage::Games),
        };
    }
}

/// Goes on with the loop.
pub fn run(arguments: &Arguments) -> Result<()> {
    let dir = &arguments.dir;
    fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display())).asked()?;
    let mut state = State::read(dir).asked()?;
    while arguments.generations == 0 || state.generation < arguments.generations {
        let number = state.generation;
        match state.stage {
            Stage::Games => {
                say(&format!("generation {number}: {}\n", guide(&state)))?;
                arguments.play(&state)?;
            }
            Stage::Training => {
                say(&format!("generation {number}: training\n"))?;
                arguments.train(&state)?;
            }
            Stage::Match => {
                if arguments.is_better(&state)? {
                    state.best = Some(number);
                }
                let best = state.best.map_or_else(|| "none".to_owned(), |best| best.to_string());
                say(&format!("generation {number}: the best network is that of generation {best}\n"))?;
            }
        }
        state.advance();
        state.write(dir)?;
    }
    Ok(())
}

fn guide(state: &State) -> String {
    let guide = state.best.map(|best| format!("the network of generation {best}"));
    format!("games guided by {}", guide.as_deref().unwrap_or("playouts"))
}

impl Arguments {
    fn file(&self, generation: u64, ending: &str) -> PathBuf {
        self.dir.join(format!("{generation:04}.{ending}"))
    }

    fn play(&self, state: &State) -> Result<()> {
        let generation = state.generation;
        let series = Series {
            file: self.file(generation, "games"),
            games: if generation == 0 { self.first } else { self.games },
            seed: self.seed.wrapping_add(generation * SEEDS),
            threads: self.threads,
            shard: (1, 1),
        };
        let network = state.best.map(|best| self.file(best, "network"));
        selfplay::run(&selfplay::Arguments { network, manner: self.manner.clone(), series })
    }

    fn train(&self, state: &State) -> Result<()> {
        let generation = state.generation;
        let training = |generation| self.file(generation, "network.training");
        network::run(&network::Arguments {
            files: (0..=generation).map(|generation| self.file(generation, "games")).collect(),
            out: self.file(generation, "network"),
            course: self.course.clone(),
            seed: self.seed.wrapping_add(generation),
            threads: self.threads,
            checkpoint: None,
            from: generation.checked_sub(1).map(training),
            svg: Some(self.file(generation, "svg")),
        })
    }

    /// Whether the newest network is better than the best one so far, by a match.
    fn is_better(&self, state: &State) -> Result<bool> {
        let Some(best) = state.best else { return Ok(true) };
        let generation = state.generation;
        let network =
            |generation| format!("option.Network File={}", self.file(generation, "network").display());
        let log = self.file(generation, "match.jsonl");
        let threads = if self.threads == 0 { rayon::current_num_threads() } else { self.threads };
        let words = [
            "go",
            "--engine",
            "go",
            &format!("name={}", NAMES[0]),
            &network(generation),
            "--engine",
            "go",
            &format!("name={}", NAMES[1]),
            &network(best),
            "--each",
            &format!("nodes={}", self.match_visits),
            "--rules",
            &format!("BoardSize={}", self.match_size),
            "Komi=6.5",
            "--random-plies",
            "4",
            "--games",
            &self.match_games.to_string(),
            "--concurrency",
            &threads.to_string(),
            "--seed",
            &self.seed.wrapping_add(generation).to_string(),
            "--sprt",
            "elo0=0",
            "elo1=50",
        ]
        .map(str::to_owned);
        let (score, verdict, table) = meet(&words, &log)?;
        say(&table)?;
        Ok(verdict.map_or(score >= CLEAR, |verdict| verdict == Verdict::H1))
    }
}

/// Plays a match, or what its log says is left of it: the score of the first player, the verdict of its test, and the
/// table.
fn meet(words: &[String], path: &Path) -> Result<(f64, Option<Verdict>, String)> {
    let plan = Plan::new(&Flags::read(words)?)?;
    let sprt = plan.sprt.as_ref().context("the match has a test")?;
    let interrupt = Interrupt::default();
    runner::check_engines(&plan, &interrupt)?;
    let (mut log, old) = if path.exists() {
        Log::resume(path, &plan.head)?
    } else {
        (Log::create(path, &plan.head)?, Vec::new())
    };
    let mut standings = Standings::new(&plan.head.engines);
    old.iter().for_each(|entry| standings.add(entry, 0));
    if standings.verdict(sprt).is_none() {
        let left = plan.schedule.slots().filter(|slot| old.iter().all(|entry| entry.game != slot.game));
        runner::run(&plan, left, &interrupt, |entry| {
            log.append(&entry)?;
            standings.add(&entry, 0);
            if standings.verdict(sprt).is_some() {
                interrupt.raise();
            }
            Ok(())
        })?;
    }
    ensure!(!standings.has_faults(), "{}: a game of the match was lost by a fault", path.display());
    let tally = standings.achievement(0).tally();
    Ok((tally.score(), standings.verdict(sprt), standings.table(Some(sprt))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_back_and_a_damaged_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = State::read(folder.path()).unwrap();
        assert_eq!(state, State { generation: 0, stage: Stage::Games, best: None });
        for _ in 0..4 {
            state.advance();
        }
        state.best = Some(0);
        assert_eq!((state.generation, state.stage), (1, Stage::Training));
        state.write(folder.path()).unwrap();
        assert_eq!(State::read(folder.path()).unwrap(), state);
        fs::write(folder.path().join(STATE), "{\"generation\":1}").unwrap();
        assert!(format!("{:#}", State::read(folder.path()).unwrap_err()).contains(STATE));
    }
}
