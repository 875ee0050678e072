//! `match`: two evaluations against each other.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use neighbours::{Neighbours, Rules};
use search::Engine;
use search::learn::Results;

use super::checkpoint::{Checkpoint, hand_set};
use super::pairs::Pairs;
use crate::learn::versus::Versus;
use crate::misuse::Asked;
use crate::place;

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
    let rules = Rules::new(arguments.board_size).context("the board has 4 to 8 rows").asked()?;
    let folder = tempfile::tempdir()?;
    let player = |name: &str, file: &str| player(name, &folder.path().join(file), arguments);
    let (one, other) = (player(first, "first").asked()?, player(second, "second").asked()?);
    let title = arguments.title()?;
    let record = arguments.record.as_deref().map(|path| Pairs::open(path, &title)).transpose().asked()?;
    let done = record.as_ref().map_or_else(Results::new, |record| record.done.clone());
    let note = |pair, results| {
        if let Some(record) = &record {
            record.note(pair, results);
        }
    };
    let players = || (one(), other());
    arguments.versus.play([first, second], &rules, players, done, note)
}

/// What makes a new engine of what was named; the weights of a checkpoint are written to `file`.
fn player(name: &str, file: &Path, arguments: &Arguments) -> Result<impl Fn() -> Neighbours + use<>> {
    let path = Path::new(name);
    let weights = if path.extension().is_some_and(|end| end == "json") {
        Some(Checkpoint::read(path)?.weights()?)
    } else {
        hand_set(name).filter(|_| !path.exists())
    };
    let choice = match weights {
        Some(weights) => {
            place::write(file, weights.to_string())?;
            ("Weights File", file.display().to_string())
        }
        None if path.exists() => ("Weights File", name.to_owned()),
        None => (if name == "Thesis" { "Preset" } else { "Evaluation" }, name.to_owned()),
    };
    // Skoulakis's whole program comes with its own table; its switches alone do not.
    let hash = ("Hash", arguments.hash.to_string());
    let options = match choice.0 {
        "Preset" => vec![hash, choice],
        _ => vec![("Preset", arguments.preset.clone()), hash, choice],
    };
    let engine = move || {
        let mut engine = Neighbours::alone();
        options.iter().try_for_each(|(name, value)| engine.set(name, value)).map(|()| engine)
    };
    engine().map_err(|why| anyhow!("'{name}' is not a player: {why}"))?;
    Ok(move || engine().expect("the options were tried before"))
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
        let player = |name| player(name, &folder.path().join("x"), &line.arguments);
        let why = player("set7").err().unwrap().to_string();
        assert!(why.starts_with("'set7' is not a player"), "{why}");
        assert!(player("Thesis").is_ok() && player("hand-set3").is_ok() && player("hand-set4").is_err());
        assert_eq!(*player("basic").unwrap()().search().config(), tuning::thesis_config());
    }

    #[test]
    fn a_match_limited_by_depth_is_repeatable() {
        let duel = Duel { pairs: 4, opening: 6, limits: [Limits::depth(2), Limits::depth(1)], seed: 3 };
        let players = || (Neighbours::alone(), Neighbours::new());
        let play = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| duel.play(&Rules::default(), players, Results::new(), |_, _| {}))
        };
        let tally = play(1);
        assert_eq!(tally, play(2));
        assert_eq!(tally.games(), 8);
    }
}
