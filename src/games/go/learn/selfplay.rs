//! `selfplay`: studied games, from which networks learn.

use std::path::{Path, PathBuf};

use ::go::{Go, Position, Rules, selfplay};
use anyhow::{Context, Result};
use clap::{Args, value_parser};
use search::Engine;
use search::learn::checkpoint;
use selfplay::{Habits, Tables};

use crate::learn::series::{Series, names};
use crate::misuse::Asked;

/// Visits of full and of fast searches that a network guides, and of those by playouts.
const GUIDED: [u64; 2] = [200, 40];
const ALONE: [u64; 2] = [4000, 500];

/// How games are played.
#[derive(Args, Clone)]
pub struct Manner {
    /// Visits of a full search, from which is learned [default: 200, without a network 4000]
    #[arg(long, value_parser = value_parser!(u64).range(1..))]
    full: Option<u64>,
    /// Visits of a fast search [default: 40, without a network 500]
    #[arg(long, value_parser = value_parser!(u64).range(1..))]
    fast: Option<u64>,
    /// How many searches in a hundred are full
    #[arg(long, default_value_t = 25, value_parser = value_parser!(u32).range(1..=100))]
    full_share: u32,
    /// Boards, each with how often it is played
    #[arg(long, default_value = "9:14,7:1,8:1,10:1,11:1,13:2,19:1", value_name = "SIZE:OFTEN,...")]
    sizes: String,
    /// Rules, drawn for each game
    #[arg(long, default_value = "chinese,chinese,chinese,japanese", value_name = "NAMES")]
    rules: String,
    /// Komi in the middle
    #[arg(long, default_value = "6.5")]
    komi: String,
    /// How far it strays, in points
    #[arg(long, default_value = "2.5")]
    spread: String,
    /// End games at this chance of winning, in percent; 0 for never
    #[arg(long, default_value_t = 97, value_parser = value_parser!(u32).range(..=100))]
    decided: u32,
    /// No noise on the probabilities at the root of full searches
    #[arg(long)]
    no_noise: bool,
    /// No visits that the probabilities at the root force
    #[arg(long)]
    no_forced: bool,
}

impl Manner {
    /// The habits of players with a network, or without.
    fn habits(&self, has_network: bool) -> Result<Habits> {
        let Manner { full, fast, full_share, sizes, rules, komi, spread, decided, .. } = self;
        let usual = if has_network { GUIDED } else { ALONE };
        let tables = Tables::read(sizes, rules, komi, spread);
        Ok(Habits {
            visits: [full.unwrap_or(usual[0]), fast.unwrap_or(usual[1])],
            full: *full_share,
            has_noise: !self.no_noise,
            is_forced: !self.no_forced,
            decided: *decided,
            tables: tables.map_err(anyhow::Error::msg)?,
        })
    }
}

/// What to play.
#[derive(Args)]
pub struct Arguments {
    /// The network that guides both sides; without one playouts do
    #[arg(long)]
    pub network: Option<PathBuf>,
    #[command(flatten)]
    pub manner: Manner,
    #[command(flatten)]
    pub series: Series,
}

/// Plays the games that the file lacks.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { network, manner, series } = arguments;
    let habits = manner.habits(network.is_some()).asked()?;
    let player = || -> Result<Go> {
        let mut go = selfplay::player();
        if let Some(path) = network {
            go.set("Network File", &path.to_string_lossy())?;
        }
        Ok(go)
    };
    player().asked()?;
    let command = command(&habits, network.as_deref())?;
    let rules = |seed| habits.tables.rules(seed);
    let player = || player().expect("an engine was set up like this before");
    series.play::<Position, Go>(&command, rules, player, |go, seed| selfplay::play(go, &habits, seed))
}

/// All that a game depends on but its seed, in words; a network is known by its bytes.
fn command(habits: &Habits, network: Option<&Path>) -> Result<String> {
    let Habits { visits: [full, fast], full: share, has_noise, is_forced, decided, tables } = habits;
    let [sizes, rules, komi, spread] = tables.words();
    let network = match network {
        Some(path) => {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            format!(
                " --network {} ({:016x})",
                names(&[path.to_owned()]),
                checkpoint::name([bytes.as_slice()])
            )
        }
        None => String::new(),
    };
    let left_out = [(!has_noise, " --no-noise"), (!is_forced, " --no-forced")];
    let left_out: String = left_out.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).collect();
    Ok(format!(
        "learn go selfplay --sizes {sizes} --rules {rules} --komi {komi} --spread {spread} --full {full} --fast {fast} \
         --full-share {share} --decided {decided}{left_out}{network}"
    ))
}

/// The rules of the game of a seed in a file that begins like this.
pub fn rules(heading: &str, seed: u64) -> Option<Rules> {
    let after = |flag: &str| heading.split_once(flag)?.1.split(' ').next();
    let words = [after(" --sizes ")?, after(" --rules ")?, after(" --komi ")?, after(" --spread ")?];
    let [sizes, rules, komi, spread] = words;
    Some(Tables::read(sizes, rules, komi, spread).ok()?.rules(seed))
}
