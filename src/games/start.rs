//! Where a game begins that does not begin as usual.

use anyhow::Result;
use search::options::{Audience, Field, Kind};

use super::Choices;
use crate::referee::Referee;

/// The position for the rules in force, the value chosen and a random number; none for the usual start.
pub type Begin = fn(&dyn Referee, &Choices, Option<&str>, u64) -> Result<Option<String>>;

/// A choice of where a game begins, made beside its rules.
pub struct Start {
    /// As users spell it.
    pub name: &'static str,
    /// Values and default.
    pub kind: Kind,
    /// One line for people.
    pub help: &'static str,
    /// Where the game begins.
    pub position: Begin,
}

impl Start {
    /// As the board's form shows it.
    pub fn field(&self) -> Field {
        Field { name: self.name, kind: self.kind.clone(), help: self.help, audience: Audience::Player }
    }

    /// Takes what concerns the start out of the rules chosen.
    pub fn take(&self, rules: &mut Vec<(String, String)>) -> Option<String> {
        rules.extract_if(.., |(name, _)| name == self.name).last().map(|(_, value)| value)
    }
}
