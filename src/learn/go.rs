//! `quintet learn go`: games of the engine against itself, and the strengths of moves that explain its choices.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, Subcommand};
use go::games::{self, Played};
use go::learn;

use super::read_shard;

/// What can be done about the strengths of moves.
#[derive(Subcommand)]
pub enum Task {
    /// Play games and append them to a file; games that it holds are not played again
    Generate(Generate),
    /// Fit strengths to the games of files
    Fit(Fit),
}

/// Which games to play.
#[derive(Args)]
pub struct Generate {
    /// Where the games go, one a line
    file: PathBuf,
    /// Rows of the board
    #[arg(long, default_value_t = 13)]
    size: usize,
    /// Number of games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Seed of the first game; the others follow
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Playouts of each move
    #[arg(long, default_value_t = 400)]
    playouts: u64,
    /// The I-th of N parts of the games, counted from 1
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = read_shard)]
    shard: (u64, u64),
}

/// What to fit.
#[derive(Args)]
pub struct Fit {
    /// The games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the strengths go
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
    ensure!(arguments.playouts > 0, "a move needs at least one playout");
    ensure!(games::rules(arguments.size).is_some(), "there is no board of size {}", arguments.size);
    let (shard, shards) = arguments.shard;
    let known = if arguments.file.exists() { keep_whole_games(&arguments.file)? } else { HashSet::new() };
    let file = OpenOptions::new().create(true).append(true).open(&arguments.file);
    let mut file = file.with_context(|| format!("cannot write {}", arguments.file.display()))?;
    let bar = super::bar(arguments.games.div_ceil(shards));
    for seed in
        (shard - 1..arguments.games).step_by(shards as usize).map(|game| arguments.seed.wrapping_add(game))
    {
        if !known.contains(&(arguments.size, seed)) {
            let game = games::play(arguments.size, seed, arguments.playouts).expect("the board exists");
            // One write a game, so that a break leaves whole lines and at most one part of a line behind.
            file.write_all((game.write() + "\n").as_bytes())?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Cuts off what a break left of an unfinished line; size and seed of the games before it.
fn keep_whole_games(path: &Path) -> Result<HashSet<(usize, u64)>> {
    let text = read_text(path)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    ensure!(whole > 0 || text.is_empty(), "{} holds no whole game", path.display());
    let games = read_lines(&text[..whole], path)?;
    if whole < text.len() {
        let file = OpenOptions::new().write(true).open(path);
        file.and_then(|file| file.set_len(whole as u64))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(games.iter().map(|game| (game.size, game.seed)).collect())
}

fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn read_lines(text: &str, path: &Path) -> Result<Vec<Played>> {
    let line =
        |(i, line)| Played::read(line).map_err(|why| anyhow!("{} line {}: {why}", path.display(), i + 1));
    text.lines().enumerate().map(line).collect()
}

fn fit(arguments: &Fit) -> Result<()> {
    let mut played = Vec::new();
    for file in &arguments.files {
        played.extend(read_lines(&read_text(file)?, file)?);
    }
    let bar = super::bar(arguments.passes as u64);
    let lesson = learn::fit(&played, arguments.passes, &mut |pass, confidence| {
        bar.set_position(pass as u64);
        bar.set_message(format!("mean probability {confidence:.4}"));
    });
    bar.finish_and_clear();
    ensure!(lesson.choices > 0, "the games hold no move to learn from");
    let text = header(arguments, played.len(), &lesson) + &lesson.text;
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
        Generate { file: file.to_owned(), size: 5, games, seed: 1, playouts: 20, shard: (1, 1) }
    }

    #[test]
    fn games_are_played_once_and_teach() {
        let folder = tempfile::tempdir().unwrap();
        let (file, out) = (folder.path().join("games.txt"), folder.path().join("strengths.txt"));
        generate(&task(&file, 2)).unwrap();
        let first = fs::read_to_string(&file).unwrap();
        generate(&task(&file, 10)).unwrap();
        let all = fs::read_to_string(&file).unwrap();
        assert!(all.starts_with(&first) && all.lines().count() == 10, "{all}");
        fs::write(&file, &all[..all.len() - 3]).unwrap();
        generate(&task(&file, 10)).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), all);
        fit(&Fit { files: vec![file], out: out.clone(), passes: 3 }).unwrap();
        let text = fs::read_to_string(out).unwrap();
        assert!(
            text.starts_with("# Strengths of moves: quintet learn go fit games.txt --passes 3"),
            "{text}"
        );
        go::strengths::Strengths::read(&text).unwrap();
    }

    #[test]
    fn wrong_files_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.txt");
        fs::write(&file, "5 1 0 C3\n5 2 0 Z9\n").unwrap();
        let why = generate(&task(&file, 2)).unwrap_err().to_string();
        assert!(why.contains("games.txt line 2") && why.contains("Z9"), "{why}");
        let none = Fit { files: vec![folder.path().join("none")], out: file, passes: 1 };
        assert!(fit(&none).unwrap_err().to_string().contains("none"));
        let new = folder.path().join("new.txt");
        let why = generate(&Generate { size: 26, ..task(&new, 1) }).unwrap_err().to_string();
        assert!(why.contains("size 26") && !new.exists(), "{why}");
        generate(&Generate { seed: u64::MAX, ..task(&new, 2) }).unwrap();
    }
}
