//! `quintet learn go`: games of the engine against itself, and the strengths of moves that explain its choices.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, FromArgMatches, Subcommand};
use go::games::{self, Played};
use go::learn;

use crate::learn::series::Series;
use crate::learn::{Learn, bar};

/// What `quintet learn` knows of the game.
pub(super) const LEARN: Learn = Learn {
    about: "The strengths of moves in Go",
    arguments: Task::augment_subcommands,
    run: |matches| run(Task::from_arg_matches(matches)?),
};

/// What can be done about the strengths of moves.
#[derive(Subcommand)]
pub enum Task {
    /// Play games and append them to a file; games already in it are not played again
    Generate(Generate),
    /// Fit strengths to the games of files
    Fit(Fit),
}

/// Which games to play.
#[derive(Args)]
pub struct Generate {
    /// Where to write the games, one per line
    file: PathBuf,
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
    /// The games
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
        Task::Generate(arguments) => generate(&arguments),
        Task::Fit(arguments) => fit(&arguments),
    }
}

fn generate(arguments: &Generate) -> Result<()> {
    let &Generate { ref file, size, playouts, ref series } = arguments;
    ensure!(playouts > 0, "a move needs at least one playout");
    ensure!(games::rules(size).is_some(), "there is no board of size {size}");
    let play = |seed| games::play(size, seed, playouts).expect("the board exists").write() + "\n";
    series.add_to(file, &heading(arguments), |text| whole_games(arguments, text), play)
}

/// The first line of a file of games: how they were played, each with its own seed.
fn heading(arguments: &Generate) -> String {
    let Generate { size, playouts, .. } = arguments;
    format!("# quintet {} learn go generate --size {size} --playouts {playouts}", env!("CARGO_PKG_VERSION"))
}

/// The seeds of the games in the whole lines of a file, all played as these will be, and the bytes they take.
fn whole_games(arguments: &Generate, text: &str) -> Result<(HashSet<u64>, usize)> {
    if text.is_empty() {
        return Ok((HashSet::new(), 0));
    }
    let path = &arguments.file;
    let (heading, games) = read_games(text, path)?;
    ensure!(
        heading == self::heading(arguments),
        "{} holds other games: {heading}; use another file",
        path.display()
    );
    Ok((games.iter().map(|game| game.seed).collect(), whole_lines(text).len()))
}

fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The text without what a break left of its last line.
fn whole_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
}

/// The heading of a file and its whole games.
fn read_games<'a>(text: &'a str, path: &Path) -> Result<(&'a str, Vec<Played>)> {
    let mut lines = whole_lines(text).lines();
    let heading = lines.next().filter(|line| line.starts_with("# quintet "));
    let heading =
        heading.with_context(|| format!("{} does not say how its games were played", path.display()))?;
    let game =
        |(i, line)| Played::read(line).map_err(|why| anyhow!("{} line {}: {why}", path.display(), i + 2));
    // Files of shards that were put together repeat it.
    let games = lines.enumerate().filter(|&(_, line)| line != heading);
    Ok((heading, games.map(game).collect::<Result<_>>()?))
}

fn fit(arguments: &Fit) -> Result<()> {
    ensure!(arguments.passes > 0, "strengths need at least one pass over the games");
    let (mut played, mut sources) = (Vec::new(), String::new());
    for file in &arguments.files {
        let text = read_text(file)?;
        let (heading, games) = read_games(&text, file)?;
        let seeds = games.iter().map(|game| game.seed);
        let (first, last) = (seeds.clone().min().unwrap_or(0), seeds.max().unwrap_or(0));
        sources += &format!("{heading}: {} games, seeds {first} to {last}\n", games.len());
        played.extend(games);
    }
    let bar = bar(arguments.passes as u64);
    let lesson = learn::fit(&played, arguments.passes, &mut |pass, confidence| {
        bar.set_position(pass as u64);
        bar.set_message(format!("mean probability {confidence:.4}"));
    });
    bar.finish_and_clear();
    ensure!(lesson.choices > 0, "the games contain no moves to learn from");
    let text = header(arguments, played.len(), &lesson) + &sources + &lesson.text;
    fs::write(&arguments.out, text).with_context(|| format!("cannot write {}", arguments.out.display()))
}

fn header(arguments: &Fit, games: usize, lesson: &learn::Lesson) -> String {
    let names = arguments.files.iter().filter_map(|file| file.file_name()).map(|name| name.to_string_lossy());
    format!(
        "# Strengths of moves: quintet learn go fit {} --passes {}\n\
         # quintet {}; {games} games, {} choices; of every tenth game, held back, the strongest move was chosen in\n\
         # {:.1} % and one of the ten strongest in {:.1} %\n",
        names.collect::<Vec<_>>().join(" "),
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

    fn task(file: &Path, games: u64) -> Generate {
        let series = Series { games, seed: 1, shard: (1, 1) };
        Generate { file: file.to_owned(), size: 5, playouts: 20, series }
    }

    #[test]
    fn games_are_played_once_and_teach() {
        let folder = tempfile::tempdir().unwrap();
        let (file, out) = (folder.path().join("games.txt"), folder.path().join("strengths.txt"));
        generate(&task(&file, 2)).unwrap();
        let first = fs::read_to_string(&file).unwrap();
        generate(&task(&file, 10)).unwrap();
        let all = fs::read_to_string(&file).unwrap();
        assert!(all.starts_with(&first) && all.lines().count() == 11, "{all}");
        fs::write(&file, &all[..all.len() - 3]).unwrap();
        generate(&task(&file, 10)).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), all);
        let (heading, games) = all.split_once('\n').unwrap();
        fs::write(&file, format!("{heading}\n{games}{heading}\n")).unwrap();
        fit(&Fit { files: vec![file], out: out.clone(), passes: 3 }).unwrap();
        let text = fs::read_to_string(out).unwrap();
        assert!(
            text.starts_with("# Strengths of moves: quintet learn go fit games.txt --passes 3"),
            "{text}"
        );
        assert!(
            text.contains("learn go generate --size 5 --playouts 20: 10 games, seeds 1 to 10\n"),
            "{text}"
        );
        go::strengths::Strengths::read(&text).unwrap();
    }

    #[test]
    fn wrong_files_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.txt");
        let refused = |text: &str| {
            fs::write(&file, text).unwrap();
            generate(&task(&file, 2)).unwrap_err().to_string()
        };
        let why = refused(&(heading(&task(&file, 2)) + "\n5 1 0 C3\n5 2 0 Z9\n"));
        assert!(why.contains("games.txt line 3") && why.contains("Z9"), "{why}");
        let why = refused("5 1 0 C3\n");
        assert!(why.contains("games.txt does not say"), "{why}");
        let other = heading(&Generate { playouts: 30, ..task(&file, 2) });
        let why = refused(&(other.clone() + "\n5 1 0 C3\n"));
        assert!(why.contains("holds other games") && why.contains(&other), "{why}");
        let none = Fit { files: vec![folder.path().join("none")], out: file, passes: 1 };
        assert!(fit(&none).unwrap_err().to_string().contains("none"));
        let new = folder.path().join("new.txt");
        let why = generate(&Generate { size: 26, ..task(&new, 1) }).unwrap_err().to_string();
        assert!(why.contains("size 26") && !new.exists(), "{why}");
        let series = Series { games: 2, seed: u64::MAX, shard: (1, 1) };
        generate(&Generate { series, ..task(&new, 2) }).unwrap();
    }
}
