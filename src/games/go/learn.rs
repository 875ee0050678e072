//! `quintet learn go`: games of the engine against itself, and the strengths of moves that explain its choices.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Args, FromArgMatches, Subcommand};
use go::{Position, Rules, games, learn};
use search::Game;

use crate::learn::series::{self, Series, names};
use crate::learn::{Learn, Own};
use crate::misuse::{Asked, ask};
use crate::place;
use crate::progress::Progress;

/// What `quintet learn` knows of the game.
pub(super) const LEARN: Learn = Learn {
    about: "The strengths of moves in Go",
    own: Some(Own {
        arguments: Task::augment_subcommands,
        run: |matches| run(Task::from_arg_matches(matches)?),
    }),
    shared: None,
};

/// What can be done about the strengths of moves.
#[derive(Subcommand)]
pub enum Task {
    /// Play games against itself and write them to a file
    Games(Generate),
    /// Fit strengths to the games of files
    Fit(Fit),
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
    }
}

fn generate(arguments: &Generate) -> Result<()> {
    let &Generate { size, playouts, ref series } = arguments;
    ask!(playouts > 0, "a move needs at least one playout");
    let rules = games::rules(size).with_context(|| format!("there is no board of size {size}")).asked()?;
    let (start, command) =
        (Position::start(&rules), format!("learn go games --size {size} --playouts {playouts}"));
    series.play(&command, &rules, || (), |(), seed| games::play(&start, seed, playouts))
}

/// The rules that the first line of a file of games tells of.
fn rules(heading: &str) -> Option<Rules> {
    let size = heading.split(" --size ").nth(1)?.split(' ').next()?;
    games::rules(size.parse().ok()?)
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
    format!(
        "# Strengths of moves: quintet learn go fit {} --passes {}\n\
         # quintet {}; {games} games, {} choices; of every tenth game, held back, the strongest move was chosen in\n\
         # {:.1} % and one of the ten strongest in {:.1} %\n",
        names(&arguments.files),
        arguments.passes,
        env!("CARGO_PKG_VERSION"),
        lesson.choices,
        100.0 * lesson.first,
        100.0 * lesson.tenth,
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
        assert!(rules("# quintet 1 learn go games --size 99 --playouts 20").is_none());
    }
}
