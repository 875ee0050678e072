//! The endgame databases that lie on disk, as the engine asks them.

use std::path::Path;

use search::endgame::{FileError, Library};
use search::{Known, Score};

use crate::endgame::Endgames;
use crate::position::QUIET_LIMIT;
use crate::{Position, Rules};

/// The tables of one size of board.
pub struct Database {
    library: Library<Endgames>,
    /// The most pieces of any table.
    pieces: u32,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Database of up to {} pieces", self.pieces)
    }
}

impl Database {
    /// Opens what a directory holds for these rules, with the files that had to be refused; none if nothing fits.
    pub fn open(rules: Rules, directory: &Path) -> (Option<Database>, Vec<FileError>) {
        let (library, refused) = Library::open(Endgames::new(rules), directory);
        let pieces = |unit| {
            let (more, less) = library.space().pieces(unit);
            (more + less) as u32
        };
        let most = library.present().map(pieces).max();
        (most.map(|pieces| Database { library, pieces }), refused)
    }

    /// The number of tables.
    pub fn tables(&self) -> usize {
        self.library.present().count()
    }

    /// The damage met so far.
    pub fn damage(&self) -> Vec<FileError> {
        self.library.damage().collect()
    }

    /// What it says of a position. The tables know no limit of quiet plies: of an end that may come too late for it, or
    /// at an unknown time, they say nothing.
    pub fn probe(&self, position: &Position) -> Option<Known> {
        if position.occupied().count_ones() > self.pieces {
            return None;
        }
        let (unit, index) = self.library.space().find(position)?;
        let (value, exact) = self.library.told(unit, index)?;
        match value.plies() {
            None => Some(Known::Draw),
            Some(plies) if !exact || position.quiet() + plies > QUIET_LIMIT => None,
            Some(plies) if value.is_win() => Some(Known::Value(Score::win_in(plies))),
            Some(plies) => Some(Known::Value(Score::loss_in(plies))),
        }
    }
}
