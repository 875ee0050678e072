//! `match`: two evaluations against each other, repeatable when limited by nodes or depth.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use neighbours::{Neighbours, Rules};
use search::learn::Duel;
use search::{Engine, Limits};

use super::checkpoint::Checkpoint;
use crate::learn::bar;

/// Who plays, and how.
#[derive(Args)]
pub struct Arguments {
    /// A weight file, a checkpoint, an evaluation of the engine (default, basic, set1, set2, set3) or Thesis
    first: String,
    /// Its opponent, likewise
    second: String,
    /// Games, two from each opening
    #[arg(long, default_value_t = 1000)]
    games: usize,
    /// Plies searched a move
    #[arg(long, group = "limit")]
    depth: Option<u32>,
    /// Nodes searched a move [default: 10000]
    #[arg(long, group = "limit")]
    nodes: Option<u64>,
    /// Seconds a move
    #[arg(long, group = "limit")]
    seconds: Option<f64>,
    /// Random plies before the players take over
    #[arg(long, default_value_t = 6)]
    opening: u32,
    /// Rows and columns of the board
    #[arg(long, default_value_t = 8)]
    board_size: u8,
    /// Size of each table in MiB
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// Games at the same time [default: one a core]
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Where the openings come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Arguments {
    fn limits(&self) -> Result<Limits> {
        Ok(match (self.depth, self.seconds) {
            (Some(depth), _) => Limits::depth(depth),
            (_, Some(seconds)) => {
                ensure!(seconds > 0.0 && seconds < 1e6, "{seconds} seconds a move cannot be played");
                Limits::move_time(Duration::from_secs_f64(seconds))
            }
            _ => Limits::nodes(self.nodes.unwrap_or(10_000)),
        })
    }
}

/// Plays the match and prints its result.
pub fn run(arguments: &Arguments) -> Result<()> {
    let rules = Rules::new(arguments.board_size).context("the board has 4 to 8 rows")?;
    let folder = tempfile::tempdir()?;
    let first = Player::new(&arguments.first, &folder.path().join("first"), arguments.hash)?;
    let second = Player::new(&arguments.second, &folder.path().join("second"), arguments.hash)?;
    let limits = arguments.limits()?;
    let pairs = arguments.games.div_ceil(2);
    let duel =
        Duel { pairs, opening: arguments.opening, limits: [limits.clone(), limits], seed: arguments.seed };
    let bar = bar(2 * pairs as u64);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build()?;
    let tally = pool.install(|| duel.play(&rules, || (first.engine(), second.engine()), || bar.inc(2)));
    bar.finish_and_clear();
    writeln!(io::stdout(), "{} against {}: {tally}", arguments.first, arguments.second)?;
    Ok(())
}

/// The options that make an engine out of what was named.
struct Player {
    options: [(&'static str, String); 2],
}

impl Player {
    /// Refuses what cannot be made a player; the weights of a checkpoint are written to `file`.
    fn new(name: &str, file: &Path, hash: usize) -> Result<Player> {
        let hash = ("Hash", hash.to_string());
        let path = PathBuf::from(name);
        let choice = if path.extension().is_some_and(|end| end == "json") {
            std::fs::write(file, Checkpoint::read(&path)?.weights()?.to_string())?;
            ("Weights File", file.display().to_string())
        } else if path.exists() {
            ("Weights File", name.to_owned())
        } else if name == "Thesis" {
            ("Preset", name.to_owned())
        } else {
            ("Evaluation", name.to_owned())
        };
        let player = Player { options: [hash, choice] };
        player.try_engine().map_err(|why| anyhow!("'{name}' is no player: {why}"))?;
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

    #[test]
    fn unknown_players_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let why = Player::new("set7", &folder.path().join("x"), 1).err().unwrap().to_string();
        assert!(why.starts_with("'set7' is no player"), "{why}");
        assert!(Player::new("Thesis", &folder.path().join("x"), 1).is_ok());
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
