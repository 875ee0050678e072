//! `match`: two evaluations against each other.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use neighbours::{Neighbours, Rules};
use search::Engine;
use search::learn::Results;

use super::checkpoint::{Checkpoint, hand_set};
use super::record::Record;
use crate::learn::versus::Versus;

/// Who plays, and how.
#[derive(Args)]
pub struct Arguments {
    /// A weight file, a checkpoint, an evaluation of the engine (default, basic, set1, set2, set3), hand-set
    /// weights (hand-basic, hand-set1, ...) or Thesis
    first: String,
    /// Its opponent, likewise
    second: String,
    /// The switches both search with, unless one of them is Thesis
    #[arg(long, default_value = "default", value_parser = ["default", "Thesis"])]
    preset: String,
    /// Rows and columns of the board
    #[arg(long, default_value_t = 8)]
    board_size: u8,
    /// Size of each table in MiB
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// Where to keep finished games; an unfinished match is resumed
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    versus: Versus,
}

impl Arguments {
    /// All that decides how the games go, as the first line of their record.
    fn title(&self) -> Result<String> {
        let Versus { opening, seed, .. } = self.versus;
        Ok(format!(
            "# {} against {}, {}, preset {}, opening {opening}, board {}, hash {}, seed {seed}",
            self.first,
            self.second,
            self.versus.limits()?.1,
            self.preset,
            self.board_size,
            self.hash
        ))
    }
}

/// Plays the match and prints its result.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { first, second, .. } = arguments;
    let rules = Rules::new(arguments.board_size).context("the board has 4 to 8 rows")?;
    let folder = tempfile::tempdir()?;
    let player = |name: &str, file: &str| Player::new(name, &folder.path().join(file), arguments);
    let (one, other) = (player(first, "first")?, player(second, "second")?);
    let title = arguments.title()?;
    let record = arguments.record.as_deref().map(|path| Record::open(path, &title)).transpose()?;
    let done = record.as_ref().map_or_else(Results::new, |record| record.done.clone());
    let note = |pair, results| {
        if let Some(record) = &record {
            record.note(pair, results);
        }
    };
    let players = || (one.engine(), other.engine());
    arguments.versus.play([first, second], &rules, players, done, note)
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
    use search::Limits;
    use search::learn::Duel;

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
            pool.install(|| duel.play(&Rules::default(), players, Results::new(), |_, _| {}))
        };
        let tally = play(1);
        assert_eq!(tally, play(2));
        assert_eq!(tally.games(), 8);
    }
}
