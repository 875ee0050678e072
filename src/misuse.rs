//! What is asked for and cannot be: nothing has been done when it is refused, and the exit code says so to scripts.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use anyhow::Result;

use crate::referee::RefereeError;

/// The signs of an error that are shown.
const LONGEST: usize = 2000;

/// An error of whoever wrote the command line.
#[derive(Debug)]
struct Misuse(anyhow::Error);

impl Display for Misuse {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl Error for Misuse {}

/// Where input is looked at, before the work begins.
pub trait Asked<T> {
    /// Makes an error one of whoever asked.
    fn asked(self) -> Result<T>;
}

impl<T, E: Into<anyhow::Error>> Asked<T> for Result<T, E> {
    fn asked(self) -> Result<T> {
        self.map_err(|error| Misuse(error.into()).into())
    }
}

/// [`anyhow::ensure`] for what was asked.
macro_rules! ask {
    ($holds:expr, $($why:tt)+) => {
        let holds = $holds;
        if !holds {
            return $crate::misuse::Asked::asked(Err(anyhow::anyhow!($($why)+)));
        }
    };
}
pub(crate) use ask;

/// What an error says, for people: whatever it quotes from a file, it steers no screen and does not fill it.
pub fn told(error: &anyhow::Error) -> String {
    let plain = |c: char| if c.is_control() && c != '\n' { '?' } else { c };
    format!("{error:#}").chars().map(plain).take(LONGEST).collect()
}

/// Whether the error is one of whoever asked: a game or a rule that there is not, too.
pub fn is_misuse(error: &anyhow::Error) -> bool {
    error.is::<Misuse>() || error.is::<RefereeError>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::{Context, anyhow};

    #[test]
    fn a_mark_outlasts_what_is_said_around_it_and_adds_nothing() {
        let error = Err::<(), _>(anyhow!("inner")).context("middle").asked().context("outer").unwrap_err();
        assert_eq!(format!("{error:#}"), "outer: middle: inner");
        assert!(is_misuse(&error));
        assert!(!is_misuse(&anyhow!("inner")));
    }

    #[test]
    fn what_a_file_holds_is_quoted_harmlessly() {
        assert_eq!(told(&anyhow!("'\u{1b}[2J\0é' is not a tag\nline 2")), "'?[2J?é' is not a tag\nline 2");
        assert_eq!(told(&anyhow!("x".repeat(1 << 20))).len(), LONGEST);
    }
}
