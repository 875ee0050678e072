//! What the board may spend: generous for one household, and an end to everything.

use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;

/// What the user may say about it.
#[derive(Args, Clone, Debug)]
pub struct Limits {
    /// Pages that may be open at once
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = number())]
    pub pages: usize,
    /// Engines that may run at once; a further one waits until another has moved
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = number())]
    pub engines: usize,
    /// Threads that a page may give to an engine [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = number())]
    threads: Option<usize>,
    /// Memory for the tables of all our engines together, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = number())]
    memory: usize,
    /// Seconds after which engines stop thinking about a game that no page shows
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = number())]
    unwatched: usize,
}

/// From 1 to a number that nothing overflows with.
fn number() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=1_000_000)
}

impl Default for Limits {
    /// As the flags have it.
    fn default() -> Self {
        Limits { pages: 600, engines: 24, threads: None, memory: 4096, unwatched: 60 }
    }
}

impl Limits {
    /// Threads that a page may give to an engine.
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from))
    }

    /// The tables of one engine, in MiB.
    pub fn table(&self) -> usize {
        (self.memory / self.engines).max(1)
    }

    /// How long engines think about a game that no page shows.
    pub fn unwatched(&self) -> Duration {
        Duration::from_secs(self.unwatched as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{FromArgMatches, Parser};

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        limits: Limits,
    }

    #[test]
    fn what_is_not_said_is_as_usual() {
        let said = Program::parse_from(["x"]).limits;
        assert_eq!(format!("{said:?}"), format!("{:?}", Limits::default()));
    }

    #[test]
    fn nothing_and_too_much_are_refused() {
        for value in ["0", "-1", "x", "1000001"] {
            let words = ["x".to_owned(), format!("--engines={value}")];
            assert!(
                <Program as clap::CommandFactory>::command().try_get_matches_from(words).is_err(),
                "{value}"
            );
        }
        let matches = <Program as clap::CommandFactory>::command().get_matches_from(["x", "--memory", "10"]);
        assert_eq!(Program::from_arg_matches(&matches).unwrap().limits.table(), 1);
    }
}
