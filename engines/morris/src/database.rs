//! The endgame databases that lie on disk, as the engine asks them.

use std::path::{Path, PathBuf};

use search::endgame::{FileError, Library, Space, Value};
use search::{Game, Random, Root};

use crate::endgame::Endgames;
use crate::moves::Move;
use crate::{Position, Rules};

/// The tables of one rule set.
pub struct Database {
    library: Library<Endgames>,
}

impl Database {
    /// The directory that is looked into when the user names none.
    pub fn default_directory() -> Option<PathBuf> {
        search::data::directory().map(|data| data.join("endgame"))
    }

    /// Opens what a directory holds for these rules, with the files that had to be refused; none if nothing fits.
    pub fn open(rules: &Rules, directory: &Path) -> (Option<Database>, Vec<FileError>) {
        let Some(space) = Endgames::new(rules) else { return (None, Vec::new()) };
        let (library, refused) = Library::open(space, directory);
        let found = library.present().next().is_some();
        if found {
            Endgames::prepare();
        }
        (found.then_some(Database { library }), refused)
    }

    /// The number of tables.
    pub fn tables(&self) -> usize {
        self.library.present().count()
    }

    /// The labels of the tables of the moving phase that are not there.
    pub fn missing(&self) -> Vec<String> {
        let space = self.library.space();
        self.library.missing((0..space.units()).filter(|&unit| space.in_hand(unit) == 0))
    }

    /// The damage met so far.
    pub fn damage(&self) -> Vec<FileError> {
        self.library.damage().collect()
    }

    /// The value of a position, if a table knows it.
    pub fn value(&self, position: &Position) -> Option<Value> {
        self.told(position).map(|(value, _)| value)
    }

    /// The same, and whether its distance counts.
    pub fn told(&self, position: &Position) -> Option<(Value, bool)> {
        let space = self.library.space();
        let part = space.find(position)?;
        // Numbering a position takes longer than to see that its table is not there.
        let table = self.library.table(part.0)?;
        Some((table.value(space.state(part, position))?, table.format.has_distances()))
    }

    /// The unit that a position belongs to.
    pub(crate) fn unit(&self, position: &Position) -> Option<usize> {
        self.library.space().find(position).map(|(unit, _)| unit)
    }

    /// A random state of a random table, White to move, and its value.
    pub fn any(&self, random: &mut Random) -> (Position, Value) {
        let space = self.library.space();
        let units: Vec<usize> = self.library.present().collect();
        loop {
            let unit = units[random.below(units.len() as u32) as usize];
            let index = random.bits() % space.states(unit);
            if let Some(value) = self.library.value(unit, index) {
                return (space.position(unit, index), value);
            }
        }
    }

    /// The moves of a drawn root after which most replies lose, if every move's value is known.
    pub(crate) fn traps(&self, root: &Root<Position>) -> Option<Vec<Move>> {
        let position = root.position();
        if self.value(position) != Some(Value::DRAW) {
            return None;
        }
        let mut best = (-1.0, Vec::new());
        for m in root.legal() {
            let next = position.after(m);
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
        let moves = position.list();
        let mut losing = 0;
        for &m in &moves {
            let next = position.after(m);
            losing += usize::from(next.count() > 0 && self.value(&next)?.is_win());
        }
        Some(losing as f64 / moves.len().max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Morris;
    use search::endgame::Format;
    use search::endgame::file::{HEADER, file_name, reseal};
    use search::{Control, Engine, Limits, Search};

    /// How many replies lose against a move, of how many; none if the move gives the draw away.
    fn chances(database: &Database, position: &Position, m: Move) -> Option<(usize, usize)> {
        let next = position.after(m);
        if database.value(&next) != Some(Value::DRAW) {
            return None;
        }
        let replies = next.list();
        let wins = |&&reply: &&Move| {
            let then = next.after(reply);
            then.count() > 0 && database.value(&then).unwrap().is_win()
        };
        Some((replies.iter().filter(wins).count(), replies.len()))
    }

    #[test]
    fn a_drawn_root_is_steered_to_where_most_replies_lose() {
        let directory = tempfile::tempdir().unwrap();
        let (mut library, _) = Library::open(Endgames::new(&Rules::STANDARD).unwrap(), directory.path());
        for unit in 0..2 {
            library.build(unit, Format::Distance, &|_| {}).unwrap();
        }
        let database = Database::open(&Rules::STANDARD, directory.path()).0.unwrap();
        let mut engine = Morris::alone();
        engine.set("EndgamePath", directory.path().to_str().unwrap()).unwrap();
        let mut random = Random::new(5);
        let share = |&(losing, all): &(usize, usize)| losing as f64 / all as f64;
        let mut tried = Vec::new();
        while tried.len() < 60 {
            let (position, value) = database.any(&mut random);
            let root = Root::new(position);
            let found: Vec<_> =
                root.legal().into_iter().map(|m| (m, chances(&database, &position, m))).collect();
            let best = found.iter().filter_map(|(_, c)| c.as_ref().map(share)).fold(0.0, f64::max);
            // Positions where the choice matters: some drawing move leaves fewer chances to err than another.
            if value != Value::DRAW || found.iter().all(|(_, c)| c.as_ref().is_none_or(|c| share(c) == best))
            {
                continue;
            }
            let chosen = engine.think(&root, &Limits::nodes(200), &Control::default(), &mut |_| {});
            let chosen = found.iter().find(|(m, _)| Some(*m) == chosen.best).unwrap();
            assert_eq!(chosen.1.as_ref().map(share), Some(best), "{position}: {found:?}");
            tried.push((root, found, best));
        }
        // A weak player sets no traps.
        engine.set("Skill Level", "0").unwrap();
        let strays = tried.iter().filter(|(root, found, best)| {
            let (chosen, _) = engine.ask(root, &Limits::nodes(200));
            let chosen = found.iter().find(|(m, _)| Some(*m) == chosen.best).unwrap();
            chosen.1.as_ref().map(share) != Some(*best)
        });
        assert_ne!(strays.count(), 0);
        engine.set("Skill Level", "20").unwrap();
        // Who asks for many lines is shown all moves.
        let (root, found, _) = &tried[0];
        engine.set("MultiPV", "256").unwrap();
        let (_, lines) = engine.ask(root, &Limits::depth(1));
        assert_eq!(lines.iter().map(|line| line.multipv).max(), Some(found.len()));
    }
    #[test]
    fn a_database_of_nonsense_with_right_checksums_cannot_stop_the_engine() {
        let directory = tempfile::tempdir().unwrap();
        let (mut library, _) = Library::open(Endgames::new(&Rules::STANDARD).unwrap(), directory.path());
        library.build(0, Format::Distance, &|_| {}).unwrap();
        let path = directory.path().join(file_name(library.space(), 0));
        let mut bytes = std::fs::read(&path).unwrap();
        let mut random = Random::new(4);
        let values = HEADER..bytes.len() - 1000;
        bytes[values].fill_with(|| [0, 1, 2, 3, 255, 252, 253][random.below(7) as usize]);
        reseal(&mut bytes);
        std::fs::write(&path, &bytes).unwrap();
        let (database, refused) = Database::open(&Rules::STANDARD, directory.path());
        assert!(refused.is_empty());
        let database = database.unwrap();
        let mut engine = Morris::alone();
        engine.set("EndgamePath", directory.path().to_str().unwrap()).unwrap();
        for _ in 0..20 {
            let root = Root::new(database.any(&mut random).0);
            let (best, _) = engine.ask(&root, &Limits::depth(5));
            assert_eq!(best.best.is_some(), !root.legal().is_empty());
        }
    }
}
