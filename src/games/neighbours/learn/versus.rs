//! `match`: two evaluations against each other, repeatable when limited by nodes or depth.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use neighbours::{Neighbours, Rules};
use search::learn::{Duel, Results};
use search::{Engine, Limits};

use super::checkpoint::{Checkpoint, hand_set};
use super::record::Record;
use crate::learn::bar;

/// Who plays, and how.
#[derive(Args)]
pub struct Arguments {
    /// A weight file, a checkpoint, an evaluation of the engine (default, basic, set1, set2, set3), hand-set
    /// weights (hand-basic, hand-set1, ...) or Thesis
    first: String,
    /// Its opponent, likewise
    second: String,
    /// Games, two from each opening
    #[arg(long, default_value_t = 1000)]
    games: usize,
    /// Plies searched per move
    #[arg(long, group = "limit")]
    depth: Option<u32>,
    /// Nodes searched per move [default: 10000]
    #[arg(long, group = "limit")]
    nodes: Option<u64>,
    /// Seconds per move
    #[arg(long, group = "limit")]
    seconds: Option<f64>,
    /// The switches both search with, unless one of them is Thesis
    #[arg(long, default_value = "default", value_parser = ["default", "Thesis"])]
    preset: String,
    /// Random plies before the players take over
    #[arg(long, default_value_t = 6)]
    opening: u32,
    /// Rows and columns of the board
    #[arg(long, default_value_t = 8)]
    board_size: u8,
    /// Size of each table in MiB
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// Games at once [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to keep finished games; an unfinished match is resumed
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl Arguments {
    fn check(&self) -> Result<()> {
        ensure!(self.games > 0, "a match needs at least one game");
        ensure!(self.opening <= 100, "an opening of {} plies is longer than 100", self.opening);
        ensure!(self.depth != Some(0) && self.nodes != Some(0), "--depth and --nodes must be at least 1");
        Ok(())
    }

    fn limits(&self) -> Result<Limits> {
        Ok(match (self.depth, self.seconds) {
            (Some(depth), _) => Limits::depth(depth),
            (_, Some(seconds)) => {
                ensure!(seconds > 0.0 && seconds < 1e6, "cannot play at {seconds} seconds per move");
                Limits::move_time(Duration::from_secs_f64(seconds))
            }
            _ => Limits::nodes(self.nodes.unwrap_or(10_000)),
        })
    }

    /// All that decides how the games go, as the first line of their record.
    fn title(&self) -> String {
        let limit = match (self.depth, self.seconds) {
            (Some(depth), _) => format!("depth {depth}"),
            (_, Some(seconds)) => format!("{seconds} s"),
            _ => format!("{} nodes", self.nodes.unwrap_or(10_000)),
        };
        format!(
            "# {} against {}, {limit}, preset {}, opening {}, board {}, hash {}, seed {}",
            self.first, self.second, self.preset, self.opening, self.board_size, self.hash, self.seed
        )
    }
}

/// Plays the match and prints its result.
pub fn run(arguments: &Arguments) -> Result<()> {
    arguments.check()?;
    let rules = Rules::new(arguments.board_size).context("the board has 4 to 8 rows")?;
    let folder = tempfile::tempdir()?;
    let player = |name: &str, file: &str| Player::new(name, &folder.path().join(file), arguments);
    let (first, second) = (player(&arguments.first, "first")?, player(&arguments.second, "second")?);
    let limits = arguments.limits()?;
    let pairs = arguments.games.div_ceil(2);
    let duel =
        Duel { pairs, opening: arguments.opening, limits: [limits.clone(), limits], seed: arguments.seed };
    let record =
        arguments.record.as_deref().map(|path| Record::open(path, &arguments.title())).transpose()?;
    let done = record.as_ref().map_or_else(Results::new, |record| record.done.clone());
    let bar = bar(2 * pairs as u64).with_position(2 * done.len() as u64);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build()?;
    let note = |pair, results| {
        bar.inc(2);
        if let Some(record) = &record {
            record.note(pair, results);
        }
    };
    let tally = pool.install(|| duel.go_on(&rules, || (first.engine(), second.engine()), done, note));
    bar.finish_and_clear();
    writeln!(io::stdout(), "{} against {}: {tally}", arguments.first, arguments.second)?;
    Ok(())
}

/// The options that make an engine out of what was named.
struct Player {
    options: Vec<(&'static str, String)>,
}

impl Player {
    /// Refuses what cannot be made a player; the weights of a checkpoint are written to `file`.
    fn new(name: &str, file: &Path, arguments: &Arguments) -> Result<Player> {
        let path = PathBuf::from(name);
        let choice = if path.extension().is_some_and(|end| end == "json") {
            std::fs::write(file, Checkpoint::read(&path)?.weights()?.to_string())?;
            ("Weights File", file.display().to_string())
        } else if path.exists() {
            ("Weights File", name.to_owned())
        } else if let Some(weights) = hand_set(name) {
            std::fs::write(file, weights.to_string())?;
            ("Weights File", file.display().to_string())
        } else if name == "Thesis" {
            ("Preset", name.to_owned())
        } else {
            ("Evaluation", name.to_owned())
        };
        // The whole program of the source comes with its own table; its switches alone do not.
        let hash = ("Hash", arguments.hash.to_string());
        let options = match choice.0 {
            "Preset" => vec![hash, choice],
            _ => vec![("Preset", arguments.preset.clone()), hash, choice],
        };
        let player = Player { options };
        player.try_engine().map_err(|why| anyhow!("'{name}' is not a player: {why}"))?;
        Ok(player)
    }

    fn try_engine(&self) -> Result<Neighbours, search::OptionError> {
        let mut engine = Neighbours::new();
        self.options.iter().try_for_each(|(name, value)| engine.set(name, value))?;
        Ok(engine)
    }

    fn engine(&self) -> Neighbours {
        self.try_engine().expect("the options were tried before")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use neighbours::tuning;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn unknown_players_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let line = Line::parse_from(["match", "a", "b", "--preset", "Thesis", "--hash", "1"]);
        let player = |name| Player::new(name, &folder.path().join("x"), &line.arguments);
        let why = player("set7").err().unwrap().to_string();
        assert!(why.starts_with("'set7' is not a player"), "{why}");
        assert!(player("Thesis").is_ok() && player("hand-set3").is_ok() && player("hand-set4").is_err());
        assert_eq!(*player("basic").unwrap().engine().search().config(), tuning::thesis_config());
    }

    #[test]
    fn a_match_limited_by_depth_is_repeatable() {
        let duel = Duel { pairs: 4, opening: 6, limits: [Limits::depth(2), Limits::depth(1)], seed: 3 };
        let players = || (Neighbours::new(), Neighbours::new());
        let play = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| duel.play(&Rules::default(), players, || {}))
        };
        let tally = play(1);
        assert_eq!(tally, play(2));
        assert_eq!(tally.games(), 8);
    }
}
