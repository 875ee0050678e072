//! A match of two players in this process, repeatable when limited by nodes or depth.

use std::time::Duration;

use anyhow::Result;
use clap::{Args, value_parser};
use search::learn::{Duel, Results};
use search::{Game, Limits, Search};

use crate::misuse::ask;
use crate::progress::{Progress, say};

/// How a match is played.
#[derive(Args)]
pub struct Versus {
    /// Games, two from each opening
    #[arg(long, default_value_t = 1000)]
    games: usize,
    /// Plies searched per move
    #[arg(long, group = "limit", value_parser = value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes searched per move [default: 10000]
    #[arg(long, group = "limit", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds per move
    #[arg(long, group = "limit")]
    seconds: Option<f64>,
    /// Random plies before the players take over
    #[arg(long, default_value_t = 6, value_parser = value_parser!(u32).range(..=100))]
    pub opening: u32,
    /// Games at once [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl Versus {
    /// What a move may take, and that in words.
    pub fn limits(&self) -> Result<(Limits, String)> {
        Ok(match (self.depth, self.seconds) {
            (Some(depth), _) => (Limits::depth(depth), format!("depth {depth}")),
            (_, Some(seconds)) => {
                ask!(seconds > 0.0 && seconds < 1e6, "cannot play at {seconds} seconds per move");
                (Limits::move_time(Duration::from_secs_f64(seconds)), format!("{seconds} s"))
            }
            _ => {
                let nodes = self.nodes.unwrap_or(10_000);
                (Limits::nodes(nodes), format!("{nodes} nodes"))
            }
        })
    }

    /// Plays the pairs of games that are not yet done and prints the result; `note` hears of each pair.
    pub fn play<G: Game, S: Search<G>>(
        &self,
        names: [&str; 2],
        rules: &G::Rules,
        players: impl Fn() -> (S, S) + Sync + Send,
        done: Results,
        note: impl Fn(usize, [i32; 2]) + Sync + Send,
    ) -> Result<()> {
        ask!(self.games > 0, "a match needs at least one game");
        let (limits, _) = self.limits()?;
        let pairs = self.games.div_ceil(2);
        let duel = Duel { pairs, opening: self.opening, limits: [limits.clone(), limits], seed: self.seed };
        let progress = Progress::new(2 * pairs as u64, "games", 2 * done.len() as u64);
        let note = |pair, results| {
            progress.inc(2);
            note(pair, results);
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let tally = pool.install(|| duel.play(rules, players, done, note));
        progress.finish();
        say(&format!("{} against {}: {tally}\n", names[0], names[1]))
    }
}
