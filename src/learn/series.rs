//! Games of an engine against itself, added to a file that can be taken up again after any end.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result};
use clap::Args;

use super::{bar, read_shard};

/// Which games to play.
#[derive(Args)]
pub struct Series {
    /// Number of games
    #[arg(long, default_value_t = 1000)]
    pub games: u64,
    /// Seed of the first game; the others follow
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Play only part I of N of the games, counted from 1
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = read_shard)]
    pub shard: (u64, u64),
}

impl Series {
    /// Adds the games that a file lacks, after its first line `heading`.
    ///
    /// `whole` tells the seeds of the games that a text holds and the bytes they take, or why it is refused; what
    /// comes after them is cut off.
    pub fn add_to(
        &self,
        path: &Path,
        heading: &str,
        whole: impl FnOnce(&str) -> Result<(HashSet<u64>, usize)>,
        mut play: impl FnMut(u64) -> String,
    ) -> Result<()> {
        let wrong = || format!("cannot write {}", path.display());
        let open = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = open.with_context(wrong)?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(|| format!("cannot read {}", path.display()))?;
        let (known, length) = whole(&text)?;
        file.set_len(length as u64).with_context(wrong)?;
        file.seek(SeekFrom::End(0)).with_context(wrong)?;
        if length == 0 {
            writeln!(file, "{heading}").with_context(wrong)?;
        }
        let (shard, shards) = self.shard;
        let bar = bar(self.games.div_ceil(shards));
        for game in (shard - 1..self.games).step_by(shards as usize) {
            let seed = self.seed.wrapping_add(game);
            if !known.contains(&seed) {
                // One write a game, so that a break leaves whole games and at most one part of a game behind.
                file.write_all(play(seed).as_bytes()).with_context(wrong)?;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }
}
