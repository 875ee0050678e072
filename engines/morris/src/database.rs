//! The endgame databases that lie on disk, as the engine asks them.

use std::path::{Path, PathBuf};

use search::endgame::{FileError, Format, Library, Space, Value};
use search::{Game, Root};

use crate::endgame::Endgames;
use crate::moves::Move;
use crate::{Position, Rules};

/// The tables of one rule set.
pub struct Database {
    library: Library<Endgames>,
    distances: bool,
}

impl Database {
    /// The directory that is looked into when the user names none.
    pub fn default_directory() -> Option<PathBuf> {
        search::data::directory().map(|data| data.join("endgame"))
    }

    /// Opens what a directory holds for these rules, with the files that had to be refused; none if nothing fits.
    pub fn open(rules: &Rules, directory: &Path) -> (Option<Database>, Vec<FileError>) {
        // Numbering the placements takes a while, and an engine without tables should start at once.
        if !directory.is_dir() {
            return (None, Vec::new());
        }
        let Some(space) = Endgames::new(rules) else { return (None, Vec::new()) };
        let (library, refused) = Library::open(space, directory);
        let tables = || library.present().filter_map(|unit| library.table(unit));
        let distances = tables().all(|table| table.format() == Format::Distance);
        let found = library.present().next().is_some();
        (found.then_some(Database { library, distances }), refused)
    }

    /// Whether all tables tell distances.
    pub fn has_distances(&self) -> bool {
        self.distances
    }

    /// The number of tables.
    pub fn tables(&self) -> usize {
        self.library.present().count()
    }

    /// The labels of the tables that are not there.
    pub fn missing(&self) -> Vec<String> {
        let space = self.library.space();
        let absent = (0..space.units()).filter(|&unit| self.library.table(unit).is_none());
        absent.map(|unit| space.label(unit)).collect()
    }

    /// The damage met so far.
    pub fn damage(&self) -> Vec<FileError> {
        self.library.damage().collect()
    }

    /// The value of a position, if a table knows it.
    pub fn value(&self, position: &Position) -> Option<Value> {
        let (unit, index) = self.library.space().locate(position)?;
        self.library.value(unit, index)
    }

    /// The moves of a drawn root after which most replies lose, if every move's value is known.
    pub(crate) fn traps(&self, root: &Root<Position>) -> Option<Vec<Move>> {
        let position = root.position();
        if self.value(position) != Some(Value::DRAW) {
            return None;
        }
        let mut best = (-1.0, Vec::new());
        for m in root.legal() {
            let next = after(position, m);
            if next.count() == 0 || self.value(&next)? != Value::DRAW {
                continue;
            }
            let share = self.losing_share(&next)?;
            if share > best.0 {
                best = (share, Vec::new());
            }
            if share == best.0 {
                best.1.push(m);
            }
        }
        (!best.1.is_empty()).then_some(best.1)
    }

    /// How many of the moves lose, of all.
    fn losing_share(&self, position: &Position) -> Option<f64> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let mut losing = 0;
        for &m in &moves {
            let next = after(position, m);
            losing += usize::from(next.count() > 0 && self.value(&next)?.is_win());
        }
        Some(losing as f64 / moves.len().max(1) as f64)
    }
}

fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    next.play(m);
    next
}
