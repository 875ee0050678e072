//! `quintet learn chess`: games of the engine against itself, and the numbers that explain their results.

use std::path::{Path, PathBuf};

use ::chess::eval::network::Pieces;
use ::chess::learn::{Curve, Example, Fit, examples};
use ::chess::tuning::search::Numbers;
use ::chess::{Chess, Position, tuning};
use anyhow::Result;
use clap::{Args, FromArgMatches, Subcommand, ValueEnum};
use search::Search;
use search::learn::games::Style;

use crate::learn::games::{self, Author};
use crate::learn::series::names;
use crate::learn::tune::Tuned;
use crate::learn::{Learn, Own, Shared};
use crate::misuse::ask;
use crate::place;
use crate::progress::say;

/// What `quintet learn` knows of the game.
pub(super) const LEARN: Learn = Learn {
    about: "The evaluation of chess",
    own: Some(Own {
        arguments: Task::augment_subcommands,
        run: |matches| run(Task::from_arg_matches(matches)?),
    }),
    shared: Some(Shared::of::<Chess>().with_network::<Pieces>().with_numbers::<Chess>()),
};

impl Author for Chess {
    const STYLE: Style = tuning::GAMES;

    fn player(&mut self) -> &mut dyn Search<Position> {
        self.searcher()
    }
}

impl Tuned for Chess {
    type Numbers = Numbers;

    fn set_numbers(&mut self, numbers: Numbers) {
        self.searcher().set_numbers(numbers);
    }
}

/// What can be done about the numbers of chess.
#[derive(Subcommand)]
pub enum Task {
    /// Fit weights to the quiet positions of games
    Fit(FitArguments),
    /// Learn what a score says about the result
    Chances(ChancesArguments),
}

/// Which numbers to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// The engine's own evaluation
    Default,
    /// The tables of Kushnir's payoff function
    Thesis,
}

/// What to fit.
#[derive(Args)]
pub struct FitArguments {
    /// Files of games, as `games` writes them
    #[arg(required_unless_present = "prior")]
    files: Vec<PathBuf>,
    /// Where to write the weights
    #[arg(long)]
    out: PathBuf,
    /// Write the guess that a fit starts from
    #[arg(long, conflicts_with = "files")]
    prior: bool,
    /// The evaluation they are for
    #[arg(long, value_enum, default_value = "default")]
    evaluation: Kind,
    /// Most passes over the positions
    #[arg(long, default_value_t = 200)]
    passes: usize,
    /// The price of moving a weight, as the number of positions that would vote for its start
    #[arg(long, default_value_t = 30.0)]
    pull: f64,
    /// The share of the game's result in the target; the rest is the search's score
    #[arg(long, default_value_t = 0.5)]
    result: f64,
}

/// Where chances are learned from.
#[derive(Args)]
pub struct ChancesArguments {
    /// Files of games, as `games` writes them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the two numbers of the curve
    #[arg(long)]
    out: PathBuf,
}

/// Does what the command line asks for.
pub fn run(task: Task) -> Result<()> {
    match task {
        Task::Fit(arguments) => fit(&arguments),
        Task::Chances(arguments) => chances(&arguments),
    }
}

/// The quiet positions of all games.
fn read_examples(files: &[PathBuf]) -> Result<Vec<Example>> {
    let (games, _) = games::read(files)?;
    let found: Vec<Example> = games.iter().flat_map(examples).collect();
    ask!(!found.is_empty(), "{}: no positions to learn from", names(files));
    Ok(found)
}

fn fit(arguments: &FitArguments) -> Result<()> {
    ask!((0.0..=1.0).contains(&arguments.result), "--result {} is not in 0..=1", arguments.result);
    ask!(arguments.pull >= 0.0, "--pull {} is below 0", arguments.pull);
    place::check("--out", &arguments.out)?;
    if arguments.prior {
        return write(&arguments.out, "fit --prior", "set by hand", &tuning::prior().write());
    }
    let records = read_examples(&arguments.files)?;
    let fit = Fit { passes: arguments.passes, pull: arguments.pull, result: arguments.result };
    let (text, scale, losses) = match arguments.evaluation {
        Kind::Default => {
            let found = fit.full(&records, &tuning::prior());
            (found.weights.write(), found.scale, found.losses)
        }
        Kind::Thesis => {
            let found = fit.thesis(&records, &tuning::prior_thesis());
            (found.weights.write(), found.scale, found.losses)
        }
    };
    let evaluation = if arguments.evaluation == Kind::Default { "" } else { " --evaluation thesis" };
    let command = format!(
        "fit {}{evaluation} --passes {} --pull {} --result {}",
        names(&arguments.files),
        arguments.passes,
        arguments.pull,
        arguments.result
    );
    let losses = losses.map_or_else(
        || "too few positions to hold any out".to_owned(),
        |[before, after]| format!("loss on held-out positions {before:.5} before, {after:.5} after"),
    );
    let said = format!("scale {scale:.1}, {losses}");
    say(&format!("{} positions, {said}\n", records.len()))?;
    write(&arguments.out, &command, &format!("{} positions, {said}", records.len()), &text)
}

fn chances(arguments: &ChancesArguments) -> Result<()> {
    place::check("--out", &arguments.out)?;
    let records = read_examples(&arguments.files)?;
    let curve = Curve::of(&records);
    say(&format!("{} positions\n{}", records.len(), curve.write()))?;
    let command = format!("chances {}", names(&arguments.files));
    write(&arguments.out, &command, &format!("{} positions", records.len()), &curve.write())
}

/// A file of learned numbers: a header that says where they came from, and the numbers.
fn write(out: &Path, command: &str, said: &str, numbers: &str) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let text = format!("# quintet learn chess {command}\n# Quintet {version}; {said}\n{numbers}");
    place::write(out, text)
}

#[cfg(test)]
mod tests {
    use search::Engine;

    use super::*;
    use crate::learn::games::Arguments;
    use crate::learn::series::Series;
    use crate::learn::{network, tune};

    #[test]
    fn games_played_at_once_are_the_games_played_one_by_one() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str| directory.path().join(name);
        let played = |name: &str, nodes: u64, threads: usize| {
            let series = Series { file: file(name), games: 4, seed: 1, threads, shard: (1, 1) };
            let set = vec![("Weights File".to_owned(), file("prior").display().to_string())];
            games::run::<Chess>("chess", &Arguments { nodes, set, series })?;
            let mut games = games::read::<Position>(&[file(name)])?.0;
            games.sort_by_key(|game| game.seed);
            anyhow::Ok(games)
        };
        let prior = Task::augment_subcommands(clap::Command::new("chess"));
        let words =
            ["chess", "fit", "--prior", "--out", &file("prior").display().to_string()].map(str::to_owned);
        run(Task::from_arg_matches(&prior.get_matches_from(words)).unwrap()).unwrap();
        assert_eq!(played("one", 40, 1).unwrap(), played("two", 40, 2).unwrap());
        assert!(played("one", 50, 1).is_err(), "the first line would be wrong");
        assert!(!read_examples(&[file("two")]).unwrap().is_empty());
    }

    #[test]
    fn numbers_are_tuned_alike_by_one_thread_and_by_two() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let tune = |inputs: &str, words: &[&str]| {
            std::fs::write(path("inputs"), inputs).unwrap();
            let command = tune::Arguments::augment_args(clap::Command::new("tune").no_binary_name(true));
            let inputs = path("inputs");
            let plan = ["--inputs", &inputs, "--pairs", "20", "--nodes", "200"];
            let words = plan.iter().chain(words);
            tune::run::<Chess>(
                "chess",
                &tune::Arguments::from_arg_matches(&command.get_matches_from(words)).unwrap(),
            )
        };
        let inputs = "delta, int, 180, 50, 400, 130, 0.1\n\nreduction_base, int, 75, 0, 200, 70, 0.1\n";
        let files = [path("one"), path("two")];
        tune(inputs, &[&files[0], "--threads", "1"]).unwrap();
        tune(inputs, &[&files[1], "--threads", "2"]).unwrap();
        let [one, two] = files.clone().map(|file| std::fs::read_to_string(file).unwrap());
        assert!(one == two && one.contains("\n# 20 pairs done\ndelta, float, "), "{one}");
        for (inputs, named) in [
            ("razor_base, int, 60, 0, 300, 15, 0.5", "one holds another tuning"),
            ("nonsense, int, 1, 0, 2, 1, 0.1", "no number is called 'nonsense'"),
            ("razor_base, int, 1", "'razor_base, int, 1' is not a name"),
            ("razor_base, int, 60, 0, 900, 15, 0.5", "razor_base can be 0 to 300, not 0 to 900"),
            ("delta, int, 60, 50, 90, 15, 0.5\ndelta, int, 60, 50, 90, 15, 0.5", "stands there twice"),
            ("", "no numbers to tune"),
        ] {
            let why = format!("{:#}", tune(inputs, &[&files[0]]).unwrap_err());
            assert!(why.contains(named), "{why}");
        }
    }

    #[test]
    fn games_become_a_network_that_says_where_it_comes_from() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let series = Series { file: file("some.games"), games: 20, seed: 1, threads: 1, shard: (1, 1) };
        games::run::<Chess>("chess", &Arguments { nodes: 30, set: Vec::new(), series }).unwrap();
        let learn = |passes: &str| {
            let command = network::Arguments::augment_args(clap::Command::new("network"));
            let out = ["--out", "first.network", "--svg", "losses.svg"];
            let plan = ["--hidden", "4", "--batch", "256", "--threads", "1", "--passes", passes];
            let words = ["network", "some.games"].into_iter().chain(out).chain(plan);
            let words = words.map(|word| if word.contains('.') { file(word).into() } else { word.into() });
            let matches = command.get_matches_from(words.collect::<Vec<std::ffi::OsString>>());
            network::run::<Pieces>("chess", &network::Arguments::from_arg_matches(&matches).unwrap())
        };
        learn("3").unwrap();
        let bytes = std::fs::read(file("first.network")).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains(" learn chess network some.games --hidden 4 --passes 3 "), "{text}");
        assert!(text.contains(" learn chess games --nodes 30: 20 games, seeds 1 to 20\n"), "{text}");
        assert!(std::fs::read_to_string(file("losses.svg")).unwrap().contains("kept out"));
        Chess::new().set("Network File", file("first.network").to_str().unwrap()).unwrap();
        // The same again has nothing left to do; another plan does not take up its state.
        learn("3").unwrap();
        assert_eq!(std::fs::read(file("first.network")).unwrap(), bytes);
        let why = format!("{:#}", learn("4").unwrap_err());
        assert!(why.contains("first.network.training: it is no checkpoint"), "{why}");
    }
}
