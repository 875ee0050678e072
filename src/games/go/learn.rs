//! `quintet learn go`: games of the engine against itself, the strengths of moves that explain its choices, and networks.
//!
//! | question | file |
//! |---|---|
//! | how are strengths learned? | here |
//! | which games do networks learn from? | `selfplay.rs` |
//! | how do they learn? | `network.rs` |
//! | how does one generation follow another? | `cycle.rs` |

mod cycle;
mod network;
mod selfplay;

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Args, FromArgMatches, Subcommand};
use go::{Position, Rules, games, learn};
use search::Game;

use crate::learn::games::{self as records, Info};
use crate::learn::series::{self, Series, names};
use crate::learn::{Learn, Own};
use crate::misuse::{Asked, ask};
use crate::place;
use crate::progress::Progress;

/// What `quintet learn` knows of the game.
pub(super) const LEARN: Learn = Learn {
    about: "The strengths of moves in Go, and networks",
    own: Some(Own {
        arguments: Task::augment_subcommands,
        run: |matches| run(Task::from_arg_matches(matches)?),
    }),
    shared: None,
};

/// What can be learned of moves and positions.
#[derive(Subcommand)]
pub enum Task {
    /// Play games against itself and write them to a file
    Games(Generate),
    /// Fit strengths to the games of files
    Fit(Fit),
    /// Play studied games, from which networks learn
    Selfplay(selfplay::Arguments),
    /// Say what files of games hold
    Info(Info),
    /// Learn a network from studied games
    Network(network::Arguments),
    /// Play games, learn a network from them and let a match decide, again and again
    Loop(cycle::Arguments),
}

/// Which games to play.
#[derive(Args)]
pub struct Generate {
    /// Rows of the board
    #[arg(long, default_value_t = 13)]
    size: usize,
    /// Playouts per move
    #[arg(long, default_value_t = 400)]
    playouts: u64,
    #[command(flatten)]
    series: Series,
}

/// What to fit.
#[derive(Args)]
pub struct Fit {
    /// Files of games, as `games` writes them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the strengths
    #[arg(long, default_value = "strengths.txt")]
    out: PathBuf,
    /// Passes over the games
    #[arg(long, default_value_t = 30)]
    passes: usize,
}

/// Does what the command line asks for.
pub fn run(task: Task) -> Result<()> {
    match task {
        Task::Games(arguments) => generate(&arguments),
        Task::Fit(arguments) => fit(&arguments),
        Task::Selfplay(arguments) => selfplay::run(&arguments),
        Task::Info(arguments) => records::info_by::<Position>(&arguments, rules),
        Task::Network(arguments) => network::run(&arguments),
        Task::Loop(arguments) => cycle::run(&arguments),
    }
}

fn generate(arguments: &Generate) -> Result<()> {
    let &Generate { size, playouts, ref series } = arguments;
    ask!(playouts > 0, "a move needs at least one playout");
    let rules = games::rules(size).with_context(|| format!("there is no board of size {size}")).asked()?;
    let (start, command) =
        (Position::start(&rules), format!("learn go games --size {size} --playouts {playouts}"));
    series.play(&command, |_| rules, || (), |(), seed| games::play(&start, seed, playouts))
}

/// The rules of the game of a seed in a file of games that begins like this.
fn rules(heading: &str, seed: u64) -> Option<Rules> {
    let Some((_, size)) = heading.split_once(" --size ") else { return selfplay::rules(heading, seed) };
    games::rules(size.split(' ').next()?.parse().ok()?)
}

fn fit(arguments: &Fit) -> Result<()> {
    ask!(arguments.passes > 0, "strengths need at least one pass over the games");
    let (played, origins) = series::read(&arguments.files, rules).asked()?;
    let progress = Progress::new(arguments.passes as u64, "passes", 0);
    let lesson = learn::fit(&played, arguments.passes, &mut |pass, confidence| {
        progress.note(format!("mean probability {confidence:.4}"));
        progress.set(pass as u64);
    });
    progress.finish();
    ensure!(lesson.choices > 0, "the games contain no moves to learn from");
    let text = header(arguments, played.len(), &lesson) + &origins + &lesson.text;
    place::write(&arguments.out, text)
}

fn header(arguments: &Fit, games: usize, lesson: &learn::Lesson) -> String {
    let predicted = lesson.predicted.map(|shares| shares.map(|share| 100.0 * share)).map_or_else(
        || "too few games to hold any back".to_owned(),
        |[first, tenth]| {
            format!(
                "of every tenth game, held back, the strongest move was chosen in\n\
                 # {first:.1} % and one of the ten strongest in {tenth:.1} %"
            )
        },
    );
    format!(
        "# Strengths of moves: quintet learn go fit {} --passes {}\n\
         # quintet {}; {games} games, {} choices; {predicted}\n",
        names(&arguments.files),
        arguments.passes,
        env!("CARGO_PKG_VERSION"),
        lesson.choices,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn games_teach_strengths_that_say_where_they_come_from() {
        let folder = tempfile::tempdir().unwrap();
        let (file, out) = (folder.path().join("games.txt"), folder.path().join("strengths.txt"));
        let task = |size| {
            let series = Series { file: file.clone(), games: 10, seed: 1, threads: 1, shard: (1, 1) };
            Generate { size, playouts: 20, series }
        };
        assert!(generate(&task(26)).unwrap_err().to_string().contains("size 26") && !file.exists());
        generate(&task(5)).unwrap();
        fit(&Fit { files: vec![file.clone()], out: out.clone(), passes: 3 }).unwrap();
        let text = fs::read_to_string(out).unwrap();
        assert!(
            text.starts_with("# Strengths of moves: quintet learn go fit games.txt --passes 3"),
            "{text}"
        );
        assert!(text.contains("learn go games --size 5 --playouts 20: 10 games, seeds 1 to 10\n"), "{text}");
        go::strengths::Strengths::read(&text).unwrap();
        assert!(
            text.contains("10 games, ") && text.contains(" % and one of the ten strongest in "),
            "{text}"
        );
        assert!(rules("# quintet 1 learn go games --size 99 --playouts 20", 1).is_none());
        assert!(rules("# quintet 1 learn go selfplay", 1).is_none());
    }

    #[test]
    fn studied_games_teach_a_network_that_goes_on_where_it_was_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let learn = |words: &str, rest: &[&str]| {
            let words = std::iter::once("go").chain(words.split(' ')).map(str::to_owned);
            let words: Vec<String> = words.chain(rest.iter().map(|word| (*word).to_owned())).collect();
            let matches = Task::augment_subcommands(clap::Command::new("go")).try_get_matches_from(words)?;
            run(Task::from_arg_matches(&matches)?)
        };
        let games = path("some.games");
        let play = "selfplay --games 40 --sizes 3,4:2 --full 20 --fast 4 --full-share 50 --threads 1";
        learn(play, &[&games]).unwrap();
        let out = path("some.network");
        let train = "network --blocks 1 --channels 16 --passes 2 --batch 8 --threads 1 --window 30";
        learn(train, &[&games, "--out", &out, "--svg", &path("losses.svg")]).unwrap();
        let bytes = fs::read(&out).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        for said in ["learn go network some.games --blocks 1", "in whole numbers", ": 30 games, seeds "] {
            assert!(text.contains(said), "{said}");
        }
        // What is finished is written again as it is.
        fs::remove_file(&out).unwrap();
        learn(train, &[&games, "--out", &out]).unwrap();
        assert_eq!(fs::read(&out).unwrap(), bytes);
        // Games that the network guides are added to no file of others, and stand in their own.
        let why = learn(play, &["--network", &out, &games]).unwrap_err().to_string();
        assert!(why.contains("it holds other games"), "{why}");
        let guided = path("guided.games");
        learn(play, &["--network", &out, &guided]).unwrap();
        let next = path("next.network");
        learn(train, &[&games, &guided, "--out", &next, "--from", &format!("{out}.training")]).unwrap();
        learn("info", &[&games, &guided]).unwrap();
        let why = learn("network --out", &[&out, &path("none.games")]).unwrap_err().to_string();
        assert!(why.contains("none.games"), "{why}");
        let why = learn("selfplay --sizes 99", &[&path("new.games")]).unwrap_err().to_string();
        assert!(why.contains("'99' is not SIZE"), "{why}");
        let why = learn("selfplay --network", &[&games, &path("new.games")]).unwrap_err().to_string();
        assert!(why.contains("some.games: it is no network"), "{why}");
        assert!(!std::path::Path::new(&path("new.games")).exists());
    }
}
