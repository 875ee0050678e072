//! Games on disk: one file each, written whole and put in place at once, so that a crash or a power cut leaves the
//! state before the last move or after it, never half of it.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use search::Side;
use serde::{Deserialize, Serialize};

use super::clock::GameClock;
use super::seat::Seat;
use crate::place;
use crate::record::{GameResult, Tree};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// 0 for White, 1 for Black, none for a draw.
    pub winner: Option<usize>,
    /// In a few words.
    pub reason: String,
}

impl Ended {
    /// The result of a game that ended so, or goes on.
    pub fn result(ended: Option<&Ended>) -> GameResult {
        let side = |winner| if winner == 0 { Side::White } else { Side::Black };
        ended.map_or(GameResult::Open, |ended| GameResult::of(ended.winner.map(side)))
    }
}

/// Everything that is kept of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Its name in links and on disk.
    pub id: String,
    /// The game played.
    pub game: String,
    /// The day it came to the board, as records write it.
    #[serde(default)]
    pub date: String,
    /// The rules chosen, as name and value.
    pub rules: Vec<(String, String)>,
    /// The FEN it began with; none for the usual start.
    pub fen: Option<String>,
    /// Who plays White and Black.
    pub seats: [Seat; 2],
    /// The times, if there are any.
    pub clock: Option<GameClock>,
    /// Every line that was tried.
    pub tree: Tree,
    /// How it ended, if it did.
    pub result: Option<Ended>,
    /// Engines wait.
    #[serde(default)]
    pub paused: bool,
    /// The stones held for dead, once both sides of a game of Go have passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead: Option<Vec<String>>,
    /// Tags of a record that was loaded.
    #[serde(default)]
    pub tags: Vec<(String, String)>,
}

/// Where the games are.
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
}

impl Store {
    /// Opens the directory, and makes it if it is not there.
    pub fn open(directory: PathBuf) -> Result<Store> {
        fs::create_dir_all(&directory)
            .with_context(|| format!("cannot keep games in {}", directory.display()))?;
        Ok(Store { directory })
    }

    /// Writes a game.
    pub fn save(&self, kept: &Kept) -> Result<()> {
        let path = self.path(&kept.id)?;
        let content = serde_json::to_vec(kept)?;
        place::put(&path, content).with_context(|| format!("cannot save the game in {}", path.display()))
    }

    /// Reads a game; its moves are not checked.
    pub fn load(&self, id: &str) -> Result<Kept> {
        let path = self.path(id)?;
        let text = fs::read(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => anyhow!("there is no game {id}"),
            _ => anyhow!("game {id} is damaged: {error}"),
        })?;
        let kept: Kept = serde_json::from_slice(&text).with_context(|| format!("game {id} is damaged"))?;
        ensure!(kept.id == id, "game {id} is damaged: it calls itself {}", kept.id);
        ensure!(kept.tree.is_sound(), "game {id} is damaged: its moves do not hang together");
        ensure!(
            kept.clock.as_ref().is_none_or(GameClock::is_sound),
            "game {id} is damaged: its clock's times are out of range"
        );
        Ok(kept)
    }

    /// Removes a game.
    pub fn delete(&self, id: &str) -> Result<()> {
        fs::remove_file(self.path(id)?).with_context(|| format!("there is no game {id}"))
    }

    /// The names of all games, the latest first.
    pub fn list(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.directory) else { return Vec::new() };
        let mut games: Vec<_> = entries
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let id = name.strip_suffix(".json").filter(|id| is_name(id))?.to_owned();
                Some((entry.metadata().ok()?.modified().ok()?, id))
            })
            .collect();
        games.sort_by(|a, b| b.cmp(a));
        games.into_iter().map(|(_, id)| id).collect()
    }

    /// Names come from the network: only letters and digits reach the file system.
    fn path(&self, id: &str) -> Result<PathBuf> {
        ensure!(is_name(id), "that is not a game's name");
        Ok(self.directory.join(format!("{id}.json")))
    }
}

fn is_name(id: &str) -> bool {
    !id.is_empty() && id.len() <= 32 && id.bytes().all(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(id: &str) -> Kept {
        let mut tree = Tree::default();
        tree.play("a1b2".into(), "a1b2".into());
        Kept {
            id: id.to_owned(),
            game: "neighbours".to_owned(),
            date: "2026.01.31".to_owned(),
            rules: vec![("BoardSize".into(), "5".into())],
            fen: None,
            seats: [Seat::Human, Seat::Human],
            clock: None,
            tree,
            result: Some(Ended { winner: Some(1), reason: "resignation".into() }),
            paused: false,
            dead: None,
            tags: Vec::new(),
        }
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path().join("games")).unwrap();
        store.save(&kept("abc")).unwrap();
        store.save(&kept("abd")).unwrap();
        assert_eq!(store.load("abc").unwrap(), kept("abc"));
        assert_eq!(store.list().len(), 2);
        store.delete("abc").unwrap();
        assert_eq!(store.list(), ["abd"]);
        assert!(store.load("abc").is_err());
    }

    #[test]
    fn names_lead_nowhere_else() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path().join("games")).unwrap();
        for name in ["", "../x", "a/b", "a.b", "C:x", "ä"] {
            assert!(store.load(name).is_err() && store.delete(name).is_err(), "{name}");
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path().to_owned()).unwrap();
        let whole = serde_json::to_string(&kept("abc")).unwrap();
        for text in [
            "",
            "{}",
            &whole[..whole.len() / 2],
            &whole.replace(
                "\"clock\":null",
                "\"clock\":{\"control\":{\"base\":1,\"increment\":1},\"left\":[1,18446744073709551615]}",
            ),
            &whole.replace("\"parent\":0,\"play\":\"a1b2\"", "\"parent\":5,\"play\":\"a1b2\""),
        ] {
            fs::write(directory.path().join("abc.json"), text).unwrap();
            assert!(store.load("abc").unwrap_err().to_string().contains("damaged"));
        }
    }
}
