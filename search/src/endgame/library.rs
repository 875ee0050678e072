//! The units that lie in a directory, and building those that are missing.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::verify::verify;
use super::{FileError, Format, Observer, Space, Table, Value, file, solve};

/// Why a build or a check ended early; what was finished before stays.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file cannot be used or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The unit needs longer distances than a table can hold.
    #[error("unit {unit}: {why}")]
    TooDeep {
        /// Its label.
        unit: String,
        /// The limit.
        why: solve::TooDeep,
    },
    /// Somebody else builds in this directory.
    #[error("another build is at work in {}; it holds {BUILDER}", directory.display())]
    Taken {
        /// The directory.
        directory: PathBuf,
    },
    /// A unit comes before this one and is not there.
    #[error("unit {unit} needs {missing}, which is not built")]
    Missing {
        /// The unit asked for.
        unit: String,
        /// What it needs.
        missing: String,
    },
    /// A table is in the other format.
    #[error("unit {unit} was built without distances; build the others with --wdl, or delete it")]
    Mixed {
        /// Its label.
        unit: String,
    },
    /// A table is wrong though its checksums are right.
    #[error("unit {unit}: the value of state {index} does not follow from its moves")]
    Wrong {
        /// Its label.
        unit: String,
        /// The state.
        index: u64,
    },
}

/// The file that the builder of a directory holds.
const BUILDER: &str = "builder.lock";

/// The right to build in a directory: of one at a time, until it is dropped or its program ends in whatever way.
pub struct Builder {
    _lock: File,
}

impl Builder {
    /// Takes the right, if nobody has it.
    pub fn new(directory: &Path) -> Result<Builder, BuildError> {
        let path = directory.join(BUILDER);
        let failed = |error: &dyn ToString| FileError { path: path.clone(), why: error.to_string() };
        // It stays when it is no longer held: one who deletes it would let two builders hold two files.
        let lock = File::options().create(true).write(true).truncate(false).open(&path);
        let lock = lock.map_err(|error| failed(&error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Builder { _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(BuildError::Taken { directory: directory.to_owned() }),
            Err(TryLockError::Error(error)) => Err(failed(&error).into()),
        }
    }
}

/// All tables of a space that a directory holds.
pub struct Library<S> {
    space: S,
    directory: PathBuf,
    tables: Vec<Option<Table>>,
}

impl<S: Space> Library<S> {
    /// Opens what is there; the files that had to be refused come with it, by name.
    pub fn open(space: S, directory: &Path) -> (Library<S>, Vec<FileError>) {
        let mut refused = Vec::new();
        let tables = (0..space.units())
            .map(|unit| {
                Table::open(directory, &space, unit).map_err(|error| refused.push(error)).ok().flatten()
            })
            .collect();
        (Library { space, directory: directory.to_owned(), tables }, refused)
    }

    /// The space it belongs to.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// The table of a unit, if it is there.
    pub fn table(&self, unit: usize) -> Option<&Table> {
        self.tables[unit].as_ref()
    }

    /// The value of a state, if its unit is there and sound.
    pub fn value(&self, unit: usize, index: u64) -> Option<Value> {
        self.table(unit)?.value(index)
    }

    /// The same, and whether its distance counts.
    pub fn told(&self, unit: usize, index: u64) -> Option<(Value, bool)> {
        let table = self.table(unit)?;
        Some((table.value(index)?, table.format.has_distances()))
    }

    /// The units that are there.
    pub fn present(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.tables.len()).filter(|&unit| self.tables[unit].is_some())
    }

    /// Whether all tables that are there tell distances.
    pub fn has_distances(&self) -> bool {
        self.tables.iter().flatten().all(|table| table.format.has_distances())
    }

    /// The labels of those of some units that are not there.
    pub fn missing(&self, units: impl Iterator<Item = usize>) -> Vec<String> {
        units.filter(|&unit| self.table(unit).is_none()).map(|unit| self.space.label(unit)).collect()
    }

    /// The damage met so far.
    pub fn damage(&self) -> impl Iterator<Item = FileError> + '_ {
        self.tables.iter().flatten().filter_map(Table::damage)
    }

    /// Solves a unit and writes it, unless it is there; whether there was anything to do.
    pub fn build(&mut self, unit: usize, format: Format, observer: Observer<'_>) -> Result<bool, BuildError> {
        // A file that was refused is not overwritten: its owner shall say what becomes of it.
        self.tables[unit] = Table::open(&self.directory, &self.space, unit)?;
        if let Some(table) = self.table(unit) {
            table.check()?;
            return Ok(false);
        }
        self.prepare(unit, format)?;
        let open = self.unpack(&self.space.needs(unit));
        let lower = |unit: usize, index: u64| self.sound(&open, unit, index);
        let values = solve::solve(&self.space, unit, &lower, observer)
            .map_err(|why| BuildError::TooDeep { unit: self.space.label(unit), why })?;
        self.prepare(unit, format)?;
        file::write(&self.directory, &self.space, unit, format, &values)?;
        self.tables[unit] = Table::open(&self.directory, &self.space, unit)?;
        Ok(true)
    }

    /// Writes a unit into another directory, in another format, and checks what it wrote against what it has; whether
    /// there was anything to do.
    pub fn shrink(&self, unit: usize, directory: &Path, format: Format) -> Result<bool, BuildError> {
        let label = || self.space.label(unit);
        let table =
            self.table(unit).ok_or_else(|| BuildError::Missing { unit: label(), missing: label() })?;
        if let Some(small) = Table::open(directory, &self.space, unit)? {
            small.check()?;
            return Ok(false);
        }
        table.check()?;
        // Distances that were not kept cannot be told.
        let format = if table.format.has_distances() { format } else { Format::Wdl };
        let open = self.unpack(&[unit]);
        let value = |index: u64| self.sound(&open, unit, index);
        let values: Vec<Value> = (0..table.states).into_par_iter().map(value).collect();
        file::write(directory, &self.space, unit, format, &values)?;
        let small = Table::open(directory, &self.space, unit)?.expect("it was written");
        let outcome = |value: Value| (value.is_win(), value.is_loss());
        let exact = small.format.has_distances();
        let is_kept = |index: u64, told: Value| {
            let value = values[index as usize];
            outcome(told) == outcome(value) && (!exact || told == value)
        };
        match small.find(|index, told| !is_kept(index, told)) {
            Some(index) => Err(BuildError::Wrong { unit: label(), index }),
            None => small.damage().map_or(Ok(true), |error| Err(error.into())),
        }
    }

    /// Checks that every value of a unit follows from those one move ahead.
    pub fn verify(&self, unit: usize, observer: Observer<'_>) -> Result<(), BuildError> {
        let label = self.space.label(unit);
        let table = self
            .table(unit)
            .ok_or_else(|| BuildError::Missing { unit: label.clone(), missing: label.clone() })?;
        table.check()?;
        self.prepare(unit, table.format)?;
        let open = self.unpack(&[self.space.needs(unit), vec![unit]].concat());
        let value = |unit: usize, index: u64| self.sound(&open, unit, index);
        verify(&self.space, unit, table.format.has_distances(), &value, observer)
            .map_err(|index| BuildError::Wrong { unit: label, index })
    }

    /// Everything a unit needs must be there, undamaged, and fit its format.
    fn prepare(&self, unit: usize, format: Format) -> Result<(), BuildError> {
        for need in self.space.needs(unit) {
            let Some(table) = self.table(need) else {
                let (unit, missing) = (self.space.label(unit), self.space.label(need));
                return Err(BuildError::Missing { unit, missing });
            };
            table.check()?;
            if table.format == Format::Wdl && format.has_distances() {
                return Err(BuildError::Mixed { unit: self.space.label(need) });
            }
        }
        Ok(())
    }

    /// The packed ones of some units, unpacked: solving asks for most of their values, in no order.
    fn unpack(&self, units: &[usize]) -> Vec<Option<Vec<u8>>> {
        let mut open: Vec<Option<Vec<u8>>> = self.tables.iter().map(|_| None).collect();
        units.iter().for_each(|&unit| open[unit] = self.table(unit).and_then(Table::unpacked));
        open
    }

    fn sound(&self, open: &[Option<Vec<u8>>], unit: usize, index: u64) -> Value {
        match &open[unit] {
            Some(bytes) => Value::told(bytes[index as usize]),
            None => self.value(unit, index),
        }
        // Its blocks have been checked; should it be cut off now, that is found out before anything is written.
        .unwrap_or(Value::DRAW)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Heap, Walk};
    use super::*;

    fn library(directory: &Path) -> Library<Heap> {
        let (library, refused) = Library::open(Heap { most: 20 }, directory);
        assert!(refused.is_empty());
        library
    }

    #[test]
    fn units_are_built_once_in_order_and_found_again() {
        let directory = tempfile::tempdir().unwrap();
        let mut first = library(directory.path());
        let early = first.build(1, Format::Distance, &|_| {}).unwrap_err();
        assert_eq!(early.to_string(), "unit high needs low, which is not built");
        assert!(first.build(0, Format::Distance, &|_| {}).unwrap());
        let mut second = library(directory.path());
        assert!(!second.build(0, Format::Distance, &|_| {}).unwrap());
        assert!(second.build(1, Format::Distance, &|_| {}).unwrap());
        assert_eq!(second.present().collect::<Vec<_>>(), [0, 1]);
        second.verify(0, &|_| {}).unwrap();
        second.verify(1, &|_| {}).unwrap();
    }

    #[test]
    fn a_directory_has_one_builder_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let first = Builder::new(directory.path()).unwrap();
        let why = Builder::new(directory.path()).err().unwrap().to_string();
        assert!(
            why.starts_with("another build is at work in ") && why.ends_with("it holds builder.lock"),
            "{why}"
        );
        drop(first);
        Builder::new(directory.path()).unwrap();
    }

    #[test]
    fn a_build_killed_while_writing_is_taken_up_again() {
        let directory = tempfile::tempdir().unwrap();
        let part = directory.path().join("heap-20-low.part");
        std::fs::write(&part, b"half").unwrap();
        let mut library = library(directory.path());
        assert!(library.build(0, Format::Wdl, &|_| {}).unwrap());
        assert!(!part.exists());
    }

    #[test]
    fn a_refused_file_stays_where_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("heap-20-low.qeg");
        std::fs::write(&path, b"not ours").unwrap();
        let (mut library, refused) = Library::open(Heap { most: 20 }, directory.path());
        assert!(library.build(0, Format::Distance, &|_| {}).is_err());
        assert!(refused[0].to_string().ends_with("heap-20-low.qeg: it is shorter than its header"));
        assert_eq!(std::fs::read(&path).unwrap(), b"not ours");
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        let (_, refused) = Library::open(Heap { most: 20 }, directory.path());
        assert!(refused[0].to_string().ends_with("heap-20-low.qeg: it is not a file"));
    }

    #[test]
    fn distances_cannot_rest_on_tables_without() {
        let directory = tempfile::tempdir().unwrap();
        let mut library = library(directory.path());
        library.build(0, Format::Wdl, &|_| {}).unwrap();
        assert!(matches!(library.build(1, Format::Distance, &|_| {}), Err(BuildError::Mixed { .. })));
        assert!(library.build(1, Format::Wdl, &|_| {}).unwrap());
        library.verify(1, &|_| {}).unwrap();
    }

    #[test]
    fn packed_units_hold_the_values_of_plain_ones() {
        let [plain, packed] = [Format::Distance, Format::Packed].map(|format| {
            let directory = tempfile::tempdir().unwrap();
            let mut library = library(directory.path());
            for unit in [0, 1] {
                library.build(unit, format, &|_| {}).unwrap();
                library.verify(unit, &|_| {}).unwrap();
            }
            [0, 1].map(|unit| (0..21).map(|index| library.value(unit, index)).collect::<Vec<_>>())
        });
        assert_eq!(plain, packed);
        assert!(packed.iter().flatten().all(Option::is_some));
    }

    #[test]
    fn distances_that_fit_no_byte_are_kept_in_two() {
        for (format, kept) in
            [(Format::Distance, Format::Wide), (Format::Packed, Format::Wide), (Format::Wdl, Format::Wdl)]
        {
            let directory = tempfile::tempdir().unwrap();
            let mut library = Library::open(Walk(600), directory.path()).0;
            library.build(0, format, &|_| {}).unwrap();
            library.verify(0, &|_| {}).unwrap();
            let table = library.table(0).unwrap();
            assert_eq!(table.format, kept);
            for plies in [0, 253, 254, 255, 256, 599, 600] {
                let value = table.value(plies).unwrap();
                assert_eq!(value.is_loss(), plies % 2 == 0);
                assert!(!format.has_distances() || value.plies() == Some(plies as u32), "{plies} {value:?}");
            }
        }
        let narrow = tempfile::tempdir().unwrap();
        let mut library = Library::open(Walk(253), narrow.path()).0;
        library.build(0, Format::Distance, &|_| {}).unwrap();
        assert_eq!(library.table(0).unwrap().format, Format::Distance);
    }

    #[test]
    fn a_smaller_copy_tells_who_wins_and_how_soon_only_where_that_is_wanted() {
        let [exact, small] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let mut library = library(exact.path());
        let missing = library.shrink(0, small.path(), Format::Wdl);
        assert!(matches!(missing, Err(BuildError::Missing { .. })));
        library.build(0, Format::Distance, &|_| {}).unwrap();
        library.build(1, Format::Distance, &|_| {}).unwrap();
        for (unit, format) in [(0, Format::Wdl), (1, Format::Packed)] {
            assert!(library.shrink(unit, small.path(), format).unwrap());
            assert!(!library.shrink(unit, small.path(), format).unwrap());
        }
        let copy = self::library(small.path());
        assert!(!copy.has_distances());
        for index in 0..21 {
            let [told, true_] = [copy.value(0, index).unwrap(), library.value(0, index).unwrap()];
            assert_eq!((told.is_win(), told.is_loss()), (true_.is_win(), true_.is_loss()));
            assert_eq!(copy.told(1, index), Some((library.value(1, index).unwrap(), true)));
        }
        // What has no distances has none to keep.
        let smaller = tempfile::tempdir().unwrap();
        assert!(copy.shrink(0, smaller.path(), Format::Packed).unwrap());
        assert_eq!(self::library(smaller.path()).table(0).unwrap().format, Format::Wdl);
    }
}
