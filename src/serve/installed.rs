//! The user's own engines: `engines.toml` in the data directory. Commands come from there and nowhere else.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use protocol::Launch;
use serde::Deserialize;

use crate::driver::Protocol;
use crate::games;

/// One engine of the file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Installed {
    /// As the board shows it.
    pub name: String,
    /// The game it plays.
    pub game: String,
    /// The program.
    command: PathBuf,
    /// Its arguments.
    #[serde(default)]
    args: Vec<String>,
    /// The directory it runs in.
    #[serde(default)]
    directory: Option<PathBuf>,
    /// What it speaks.
    #[serde(default)]
    protocol: Option<Protocol>,
    /// Options to set.
    #[serde(default)]
    options: BTreeMap<String, toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    engine: Vec<Installed>,
}

impl Installed {
    /// How to start it.
    pub fn launch(&self) -> Launch {
        Launch { dir: self.directory.clone(), ..Launch::new(&self.command).args(self.args.clone()) }
    }

    /// What it speaks: as the file says, else what our own engine of the game speaks.
    pub fn protocol(&self) -> Protocol {
        let usual = games::find(&self.game).map(|row| row.protocols[0]);
        self.protocol.or(usual).unwrap_or_default()
    }

    /// Options as name and value.
    pub fn options(&self) -> Vec<(String, String)> {
        let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.options.iter().map(|(name, value)| (name.clone(), text(value))).collect()
    }
}

/// Reads the file; there need not be one.
pub fn read(path: &Path) -> Result<Vec<Installed>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    parse(&text).with_context(|| path.display().to_string())
}

fn parse(text: &str) -> Result<Vec<Installed>> {
    let engines = toml::from_str::<File>(text)?.engine;
    for engine in &engines {
        ensure!(games::find(&engine.game).is_some(), "engine {}: no such game: {}", engine.name, engine.game);
    }
    Ok(engines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_read_with_their_options() {
        let text = "[[engine]]\nname = \"Other\"\ngame = \"neighbours\"\ncommand = \"other\"\nargs = [\"-x\"]\n\
                    options = { Hash = 64, Style = \"wild one\", Book = true }\n";
        let engines = parse(text).unwrap();
        let launch = engines[0].launch();
        assert_eq!((launch.program.to_str(), launch.args), (Some("other"), vec!["-x".to_owned()]));
        let options = engines[0].options();
        let pairs: Vec<_> = options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(pairs, [("Book", "true"), ("Hash", "64"), ("Style", "wild one")]);
    }

    #[test]
    fn an_engine_speaks_what_its_game_is_played_over_unless_the_file_says_otherwise() {
        let protocol = |game: &str, more: &str| {
            let text = format!("[[engine]]\nname = \"X\"\ngame = \"{game}\"\ncommand = \"x\"\n{more}");
            parse(&text).unwrap()[0].protocol()
        };
        assert_eq!((protocol("go", ""), protocol("chess", "")), (Protocol::Gtp, Protocol::Uci));
        assert_eq!(protocol("draughts", "protocol = \"hub\"\n"), Protocol::Hub);
    }

    #[test]
    fn mistakes_are_named_and_a_missing_file_is_none() {
        assert!(read(Path::new("no/such/file")).unwrap().is_empty());
        let wrong = parse("[[engine]]\nname = \"X\"\ngame = \"halma\"\ncommand = \"x\"\n").unwrap_err();
        assert_eq!(wrong.to_string(), "engine X: no such game: halma");
        assert!(parse("[[engine]]\nname = \"X\"\ngame = \"neighbours\"\ncomand = \"x\"\n").is_err());
    }
}
