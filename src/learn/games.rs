//! `games` and `info`: games of an engine against itself, and what files of them hold, whatever the game.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::{Args, value_parser};
use search::learn::Played;
use search::learn::games::{Style, play};
use search::{Engine, Game, Limits, Search, Side};

use super::series::{self, Origin, Series};
use crate::misuse::{Asked, ask};
use crate::progress::say;

/// The table of each player, in MiB: games are short and many.
const HASH: usize = 1;

/// An engine that plays games to learn from.
pub trait Author: Engine {
    /// How it plays them.
    const STYLE: Style;

    /// An engine that plays alike on every machine, whatever databases lie there.
    fn alone() -> Self {
        Self::new()
    }

    /// What plays; it gives values in the unit of the evaluation.
    fn player(&mut self) -> &mut dyn Search<Self::Game>;
}

/// Which games to play.
#[derive(Args)]
pub struct Arguments {
    /// Nodes per move, about: no iteration is begun after two thirds of them
    #[arg(long, default_value_t = 1500, value_parser = value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Set an option of the engine; may be given again
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = read_setting)]
    pub set: Vec<(String, String)>,
    /// Where to, and how many
    #[command(flatten)]
    pub series: Series,
}

/// Which files to look at.
#[derive(Args)]
pub struct Info {
    /// Files of games, as `games` writes them
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

fn read_setting(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    parts.ok_or_else(|| format!("'{text}' is not NAME=VALUE"))
}

/// Plays the games that the file lacks.
pub fn run<E: Author>(game: &str, arguments: &Arguments) -> Result<()> {
    let Arguments { nodes, set, series } = arguments;
    let engine = || -> Result<E> {
        let mut engine = E::alone();
        for (name, value) in set {
            engine.set(name, value)?;
        }
        engine.resize(HASH).map_err(|why| anyhow!("{why}"))?;
        Ok(engine)
    };
    let rules = engine().asked()?.rules();
    ask!(rules == Default::default(), "games to learn from are played by the usual rules");
    let settings: String = set.iter().map(|(name, value)| format!(" --set \"{name}={value}\"")).collect();
    let command = format!("learn {game} games --nodes {nodes}{settings}");
    let (start, limits) = (E::Game::start(&rules), Limits::about_nodes(*nodes));
    let player = || engine().expect("an engine was set up like this before");
    series.play(
        &command,
        |_| rules.clone(),
        player,
        |engine, seed| play(engine.player(), &start, &E::STYLE, &limits, seed),
    )
}

/// Reads the games of some files by the usual rules.
pub fn read<G: Game>(files: &[PathBuf]) -> Result<(Vec<Played<G>>, String)> {
    series::read(files, |_, _| Some(G::Rules::default())).asked()
}

/// What a game counts for.
struct Count {
    winner: Option<Side>,
    plies: usize,
    /// Positions with a value.
    valued: usize,
    /// Positions that were searched in full to be learned from.
    full: usize,
}

/// Says of each file what it holds.
pub fn info<G: Game>(info: &Info) -> Result<()> {
    info_by::<G>(info, |_, _| Some(G::Rules::default()))
}

/// The same for games by the rules that `rules` makes of the first lines and seeds.
pub fn info_by<G: Game>(
    Info { files }: &Info,
    rules: impl Fn(&str, u64) -> Option<G::Rules> + Sync,
) -> Result<()> {
    let count = |game: Played<G>| Count {
        winner: game.winner,
        plies: game.turns.len(),
        valued: game.turns.iter().filter(|(_, value)| value.is_some()).count(),
        full: game
            .study
            .iter()
            .flat_map(|study| &study.thoughts)
            .filter(|thought| !thought.is_empty())
            .count(),
    };
    let (counts, origins) = series::visit(files, usize::MAX, rules, count).asked()?;
    let (mut rest, mut text) = (&counts[..], String::new());
    for (file, origin) in files.iter().zip(&origins) {
        let (games, others) = rest.split_at(origin.games);
        rest = others;
        let (left_out, summary) = (left_out(origin), summary(games, origin.bytes));
        text += &format!("{}: {origin}{left_out}\n    {summary}\n", file.display());
    }
    if files.len() > 1 {
        let bytes = origins.iter().map(|origin| origin.bytes).sum();
        text += &format!("together: {} games\n    {}\n", counts.len(), summary(&counts, bytes));
    }
    say(&text)
}

fn left_out(origin: &Origin) -> String {
    if origin.twice > 0 { format!(", {} others were there before", origin.twice) } else { String::new() }
}

fn summary(games: &[Count], bytes: usize) -> String {
    let won = |side| games.iter().filter(|game| game.winner == side).count();
    let lengths = || games.iter().map(|game| game.plies);
    let (plies, valued): (usize, usize) = (lengths().sum(), games.iter().map(|game| game.valued).sum());
    let mean = |sum: usize, count: usize| sum as f64 / count.max(1) as f64;
    let full: usize = games.iter().map(|game| game.full).sum();
    let full = if full > 0 { format!(", {full} searched in full") } else { String::new() };
    format!(
        "White +{} ={} -{}; {} to {} plies, {:.1} on average; {valued} positions with a value{full}, {:.2} bytes a position",
        won(Some(Side::White)),
        won(None),
        won(Some(Side::Black)),
        lengths().min().unwrap_or(0),
        lengths().max().unwrap_or(0),
        mean(plies, games.len()),
        mean(bytes, plies),
    )
}
