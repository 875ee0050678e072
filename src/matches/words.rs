//! Flags of cutechess and fastchess: a flag followed by `key=value` words, each read by name.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Result, anyhow, bail};
use clap::ValueEnum;

/// The words after one flag, taken one by one; what is left over is an error.
#[derive(Clone, Debug)]
pub struct Words {
    /// The flag, for messages: `--sprt`, `--engine 2`.
    flag: String,
    list: Vec<(String, Option<String>)>,
}

impl Words {
    /// Splits words at their first `=`.
    pub fn new(flag: impl Into<String>, words: &[String]) -> Self {
        let split = |word: &String| match word.split_once('=') {
            Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
            None => (word.clone(), None),
        };
        Words { flag: flag.into(), list: words.iter().map(split).collect() }
    }

    /// An error about this flag.
    pub fn wrong(&self, what: impl Display) -> anyhow::Error {
        anyhow!("{}: {what}", self.flag)
    }

    /// Refuses this flag unless something holds.
    pub fn ensure(&self, holds: bool, what: impl Display) -> Result<()> {
        if holds { Ok(()) } else { Err(self.wrong(what)) }
    }

    /// The value of a key, the last one if it is given twice.
    pub fn take(&mut self, key: &str) -> Option<String> {
        self.take_all(key).pop()
    }

    /// All values of a key in their order.
    pub fn take_all(&mut self, key: &str) -> Vec<String> {
        self.take_if(|name| name == key).into_iter().map(|(_, value)| value).collect()
    }

    /// Name and value of all keys that begin with `prefix`, without it.
    pub fn take_prefixed(&mut self, prefix: &str) -> Vec<(String, String)> {
        let taken = self.take_if(|name| name.starts_with(prefix));
        taken.into_iter().map(|(name, value)| (name[prefix.len()..].to_owned(), value)).collect()
    }

    /// A value read as `T`; `wanted` says what would have been right.
    pub fn read<T: FromStr>(&mut self, key: &str, wanted: &str) -> Result<Option<T>> {
        self.read_by(key, wanted, |text| text.parse().ok())
    }

    /// A value read by a function.
    pub fn read_by<T>(
        &mut self,
        key: &str,
        wanted: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>> {
        self.take(key)
            .map(|text| read(&text).ok_or_else(|| self.wrong(format!("{key}={text} is not {wanted}"))))
            .transpose()
    }

    /// A value that is one of several words.
    pub fn choice<T: ValueEnum>(&mut self, key: &str, wanted: &str) -> Result<Option<T>> {
        self.read_by(key, wanted, |text| T::from_str(text, false).ok())
    }

    /// Whether a key stands alone or says yes.
    pub fn switch(&mut self, key: &str) -> Result<bool> {
        let alone = self.list.iter().any(|(name, value)| name == key && value.is_none());
        self.list.retain(|(name, value)| name != key || value.is_some());
        let value = self.read_by(key, "true or false", |text| match text {
            "true" | "on" | "1" => Some(true),
            "false" | "off" | "0" => Some(false),
            _ => None,
        })?;
        Ok(value.unwrap_or(alone))
    }

    /// Whether an engine is started anew for every game; `auto` is cutechess's word for no.
    pub fn restart(&mut self) -> Result<bool> {
        for (key, value) in &mut self.list {
            if key == "restart" && value.as_deref() == Some("auto") {
                *value = Some("off".to_owned());
            }
        }
        self.switch("restart")
    }

    /// A file, bare or as `file=`.
    pub fn file(&mut self) -> Option<PathBuf> {
        self.take("file").or_else(|| self.bare()).map(PathBuf::from)
    }

    /// The first word without `=`, if there is one.
    pub fn bare(&mut self) -> Option<String> {
        let place = self.list.iter().position(|(_, value)| value.is_none())?;
        Some(self.list.remove(place).0)
    }

    /// Refuses what nobody took.
    pub fn finish(self) -> Result<()> {
        match self.list.first() {
            None => Ok(()),
            Some((key, Some(value))) => bail!("{}: unknown word '{key}={value}'", self.flag),
            Some((key, None)) => bail!("{}: unknown word '{key}'", self.flag),
        }
    }

    fn take_if(&mut self, wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let (taken, rest) = self.list.drain(..).partition(|(name, value)| wanted(name) && value.is_some());
        self.list = rest;
        let taken: Vec<(String, Option<String>)> = taken;
        taken.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Words {
        Words::new("--sprt", &text.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn keys_are_taken_by_name_and_the_last_wins() {
        let mut w = words("elo0=1 elo0=-2.5 option.Hash=64 option.Move x=a=b ponder");
        assert_eq!(w.read::<f64>("elo0", "a number").unwrap(), Some(-2.5));
        assert_eq!(w.take("x").as_deref(), Some("a=b"));
        assert_eq!(w.take_prefixed("option.")[0], ("Hash".to_owned(), "64".to_owned()));
        assert!(w.switch("ponder").unwrap());
        assert_eq!(w.finish().unwrap_err().to_string(), "--sprt: unknown word 'option.Move'");
    }

    #[test]
    fn bad_values_name_flag_key_and_wish() {
        let error = words("elo0=x").read::<f64>("elo0", "a number").unwrap_err();
        assert_eq!(error.to_string(), "--sprt: elo0=x is not a number");
        assert!(words("ponder=maybe").switch("ponder").is_err());
        assert!(!words("ponder=off").switch("ponder").unwrap());
        assert!(words("restart=on").restart().unwrap() && !words("restart=auto").restart().unwrap());
        assert_eq!(words("min file=a.pgn").file(), words("a.pgn").file());
    }
}
