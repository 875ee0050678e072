//! `tune`: the numbers of a search moved by many fast games, whatever the game.
//!
//! What is kept is a table in OpenBench's form, below lines that say what was played; it is also what can be begun with.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, value_parser};
use rayon::prelude::*;
use search::learn::Spsa;
use search::learn::games::{contest, open};
use search::learn::spsa::{Part, Question};
use search::tunable::Tunables;
use search::{Game, Limits, Random, Side};

use super::games::Author;
use super::network::kept;
use crate::misuse::{Asked, ask};
use crate::place;
use crate::progress::{Progress, say};

/// The table of each player, in MiB.
const HASH: usize = 4;
/// Pairs that are asked of the same numbers, so that they can be played at once; it belongs to what is repeatable.
const BATCH: u64 = 16;

/// An engine whose search has numbers to tune.
pub trait Tuned: Author {
    /// The numbers.
    type Numbers: Tunables;

    /// Searches by these.
    fn set_numbers(&mut self, numbers: Self::Numbers);
}

/// Which numbers to tune, and how.
#[derive(Args)]
pub struct Arguments {
    /// The file that keeps the numbers; the same command goes on where it was ended
    #[arg(required_unless_present = "list")]
    file: Option<PathBuf>,
    /// Print the numbers there are with their ranges, as OpenBench wants them, and do nothing
    #[arg(long, conflicts_with = "file")]
    list: bool,
    /// Tune only the numbers of this file, from its values: lines of name, int or float, value, least, most, distance
    /// and rate at the end
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Pairs of games in all
    #[arg(long, default_value_t = 20_000, value_parser = value_parser!(u64).range(1..))]
    pairs: u64,
    /// Nodes per move, about: no iteration is begun after two thirds of them
    #[arg(long, default_value_t = 5000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games at once [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Seed of the openings and of the directions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Tunes until all pairs are played.
pub fn run<E: Tuned>(game: &str, arguments: &Arguments) -> Result<()> {
    let Some(file) = &arguments.file else {
        let table: String = E::Numbers::ROWS.iter().map(|row| format!("{}\n", Part::of(row))).collect();
        return say(&table);
    };
    place::check("FILE", file)?;
    let parts = parts::<E::Numbers>(arguments)?;
    let &Arguments { pairs, nodes, seed, .. } = arguments;
    let command = format!(
        "# quintet {} learn {game} tune --pairs {pairs} --nodes {nodes} --seed {seed}",
        env!("CARGO_PKG_VERSION")
    );
    let mut spsa = Spsa { parts, pairs, done: 0, seed };
    if let Some(bytes) = kept(file)? {
        let found = resume(&command, &spsa, &String::from_utf8_lossy(&bytes));
        spsa = found.with_context(|| format!("{} holds another tuning", file.display())).asked()?;
    }
    let progress = Progress::new(pairs, "pairs", spsa.done);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build()?;
    while spsa.done < pairs {
        let questions: Vec<Question> =
            (spsa.done..pairs.min(spsa.done + BATCH)).map(|pair| spsa.ask(pair)).collect();
        let results: Vec<i32> = pool.install(|| {
            let asked = (spsa.done..).zip(&questions).collect::<Vec<_>>().into_par_iter();
            let players = || [(); 2].map(|()| player::<E>());
            let play = |players: &mut [E; 2], (pair, question): (u64, &Question)| {
                let difference = pair_of(players, &spsa, question, nodes, seed.wrapping_add(pair));
                progress.inc(1);
                difference
            };
            asked.map_init(players, play).collect()
        });
        questions.iter().zip(results).for_each(|(question, result)| spsa.tell(question, result));
        place::write(file, table(&command, &spsa))?;
    }
    progress.finish();
    for part in &spsa.parts {
        say(&format!("{}, {}\n", part.name, part.whole()))?;
    }
    Ok(())
}

/// The numbers to tune where they begin.
fn parts<N: Tunables>(arguments: &Arguments) -> Result<Vec<Part>> {
    let Some(path) = &arguments.inputs else { return Ok(N::ROWS.iter().map(Part::of).collect()) };
    let text = fs::read_to_string(path).with_context(|| path.display().to_string()).asked()?;
    let mut parts = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let part = Part::read(line);
        ask!(part.is_some(), "{}: '{line}' is not a name, int or float, and five numbers", path.display());
        parts.extend(part);
    }
    ask!(!parts.is_empty(), "{}: no numbers to tune", path.display());
    for part in &parts {
        let name = &part.name;
        let row = N::ROWS.iter().find(|row| row.name == name);
        ask!(row.is_some(), "{}: no number is called '{name}' (--list prints them)", path.display());
        let range = row.map(|row| &row.range).expect("it was asked for");
        let fits = range.contains(&part.least) && range.contains(&part.most);
        let (least, most) = (range.start(), range.end());
        ask!(
            fits,
            "{}: {name} can be {least} to {most}, not {} to {}",
            path.display(),
            part.least,
            part.most
        );
        let once = parts.iter().filter(|other| other.name == *name).count() == 1;
        ask!(once, "{}: {name} stands there twice", path.display());
    }
    Ok(parts)
}

/// What is kept of a tuning.
fn table(command: &str, spsa: &Spsa) -> String {
    let rows: String = spsa.parts.iter().map(|part| format!("{part}\n")).collect();
    format!("{command}\n# {} pairs done\n{rows}", spsa.done)
}

/// The tuning that a file has kept, if it is the one that `fresh` begins.
fn resume(command: &str, fresh: &Spsa, text: &str) -> Option<Spsa> {
    let mut lines = text.lines();
    lines.next().filter(|line| *line == command)?;
    let done = lines.next()?.strip_prefix("# ")?.strip_suffix(" pairs done")?.parse().ok()?;
    let parts: Vec<Part> = lines.map(Part::read).collect::<Option<_>>()?;
    let is_same = |(old, new): (&Part, &Part)| Part { value: new.value, ..old.clone() } == *new;
    let fits = parts.len() == fresh.parts.len() && parts.iter().zip(&fresh.parts).all(is_same);
    (fits && done <= fresh.pairs).then(|| Spsa { parts, done, ..fresh.clone() })
}

fn player<E: Tuned>() -> E {
    let mut engine = E::alone();
    engine.resize(HASH).expect("a small table fits");
    engine
}

/// The points of the first setting in a pair of games from one opening, less those of the second.
fn pair_of<E: Tuned>(players: &mut [E; 2], spsa: &Spsa, question: &Question, nodes: u64, seed: u64) -> i32 {
    let start = E::Game::start(&players[0].rules());
    let limits = Limits::about_nodes(nodes);
    for (engine, setting) in players.iter_mut().zip(&question.settings) {
        let mut numbers = E::Numbers::default();
        for (part, &value) in spsa.parts.iter().zip(setting) {
            let row = E::Numbers::ROWS.iter().find(|row| row.name == part.name);
            *(row.expect("every part is a row").field)(&mut numbers) = value;
        }
        engine.set_numbers(numbers);
    }
    let [first, second] = players;
    let opening = open(first.player(), &start, E::STYLE.opening, &limits, &mut Random::new(seed));
    let points = |winner: Option<Side>, own: Side| winner.map_or(0, |side| if side == own { 1 } else { -1 });
    let white = contest([first.player(), second.player()], opening.clone(), &E::STYLE, &limits);
    let black = contest([second.player(), first.player()], opening, &E::STYLE, &limits);
    points(white, Side::White) + points(black, Side::Black)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuning_goes_on_exactly_where_it_was_left() {
        let part = |name: &str, value| Part {
            name: name.to_owned(),
            value,
            least: 0,
            most: 100,
            reach: 5.0,
            rate: 0.002,
        };
        let fresh = Spsa { parts: vec![part("one", 10.0), part("other", 20.0)], pairs: 9, done: 0, seed: 3 };
        let mut begun = fresh.clone();
        (0..4).for_each(|pair| begun.tell(&fresh.ask(pair), 1));
        let kept = table("# the command", &begun);
        assert_eq!(resume("# the command", &fresh, &kept), Some(begun));
        // Neither another command nor other numbers, nor half a file.
        assert_eq!(resume("# another", &fresh, &kept), None);
        let other = Spsa { parts: vec![part("one", 10.0)], ..fresh.clone() };
        assert_eq!(resume("# the command", &other, &kept), None);
        assert_eq!(resume("# the command", &fresh, &kept[..kept.len() - 2]), None);
    }
}
