//! A solved unit on disk: a header of text lines, the values, a checksum for each block, a checksum over the rest.
//!
//! A block is checked when it is first touched, so that a large database opens at once and a damaged one never
//! gives a wrong value.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use super::blocks::{self, Codes};
use super::compact::{self, Model};
use super::{Space, Standing, Value, map};

const MAGIC: &str = "quintet endgame ";
const VERSION: &str = "1\n";
/// The bytes before the values.
pub const HEADER: usize = 4096;
const BLOCK: usize = 1 << 16;
const SUM: usize = 8;
/// Before the length of packed values, in the header.
const BYTES: &str = "bytes ";

/// How much is kept of each state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Value and distance, a byte.
    Distance,
    /// Value and distance, two bytes, where some end lies too far away for one.
    Wide,
    /// Value and distance, packed in blocks.
    Packed,
    /// Win, draw or loss, packed as small as can be.
    Wdl,
}

impl Format {
    /// The bytes of a state; none if that depends on the values.
    fn width(self) -> Option<usize> {
        match self {
            Format::Distance => Some(1),
            Format::Wide => Some(2),
            Format::Packed | Format::Wdl => None,
        }
    }

    /// The bytes before packed values, and the most that all can take.
    fn packed(self, states: u64) -> (u64, u64) {
        match self {
            Format::Wdl => (Model::header(states), Model::most(states)),
            _ => (Codes::header(states), Codes::most(states)),
        }
    }

    /// About how many bytes so many states take.
    pub(super) fn about(self, states: u64) -> u64 {
        match self {
            Format::Distance => states,
            Format::Wide => 2 * states,
            Format::Packed => states / 2,
            Format::Wdl => states / 12,
        }
    }

    /// Whether values are packed, so that those who ask for most of them unpack them first.
    pub(super) fn is_packed(self) -> bool {
        self.width().is_none()
    }

    /// Whether distances are kept.
    pub fn has_distances(self) -> bool {
        self != Format::Wdl
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Distance => "distance",
            Format::Wide => "wide",
            Format::Packed => "packed",
            Format::Wdl => "compact",
        })
    }
}

/// Why a file cannot be used or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub why: String,
}

impl FileError {
    fn new(path: &Path, why: impl ToString) -> FileError {
        FileError { path: path.to_owned(), why: why.to_string() }
    }
}

/// How values lie in the bytes of a unit that is packed, as its header tells.
pub(super) trait Packing: Send + Sync {
    /// Where the bytes lie that hold a state's value.
    fn extent(&self, index: u64) -> Range<usize>;
    /// The value of a state, from the bytes of its extent; none if they tell what no value is.
    fn value(&self, extent: &[u8], index: u64) -> Option<Value>;
    /// The values of all states, a byte each, from all bytes.
    fn unpack(&self, bytes: &[u8]) -> Vec<u8>;
}

/// The values of one unit, mapped from its file.
pub struct Table {
    path: PathBuf,
    map: Mmap,
    /// How much it keeps of each state.
    pub format: Format,
    /// The number of states.
    pub states: u64,
    /// Where the values end.
    end: usize,
    /// How packed values are read.
    packing: Option<Box<dyn Packing>>,
    /// For each block: not yet looked at, good, bad.
    checked: Vec<AtomicU8>,
}

/// How many positions are won, drawn and lost, and how far the furthest end is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Positions won for the side to move.
    pub won: u64,
    /// Positions drawn.
    pub drawn: u64,
    /// Positions lost for the side to move.
    pub lost: u64,
    /// States that are images of these positions.
    pub images: u64,
    /// States that no game leads to.
    pub unreachable: u64,
    /// Plies to the furthest end.
    pub deepest: u32,
}

impl Summary {
    fn with(mut self, (standing, value): (Standing, Value)) -> Summary {
        match standing {
            Standing::Own => {}
            Standing::Image => self.images += 1,
            Standing::Unreachable => self.unreachable += 1,
        }
        if standing != Standing::Own {
            return self;
        }
        match value.plies() {
            None => self.drawn += 1,
            Some(_) if value.is_win() => self.won += 1,
            Some(_) => self.lost += 1,
        }
        self.deepest = self.deepest.max(value.plies().unwrap_or(0));
        self
    }

    fn plus(self, other: Summary) -> Summary {
        Summary {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
            images: self.images + other.images,
            unreachable: self.unreachable + other.unreachable,
            deepest: self.deepest.max(other.deepest),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = (self.won + self.drawn + self.lost).max(1) as f64;
        let share = |part: u64| 100.0 * part as f64 / all;
        let (won, drawn, lost) = (share(self.won), share(self.drawn), share(self.lost));
        write!(f, "{won:.1} % won, {drawn:.1} % drawn, {lost:.1} % lost, at most {} plies", self.deepest)
    }
}

const UNSEEN: u8 = 0;
const GOOD: u8 = 1;
const BAD: u8 = 2;

/// The name of a unit's file.
pub fn file_name<S: Space>(space: &S, unit: usize) -> String {
    format!("{}-{}.qeg", space.name(), space.label(unit))
}

fn header<S: Space>(space: &S, unit: usize, format: Format) -> String {
    let (name, label, states) = (space.name(), space.label(unit), space.states(unit));
    format!("{MAGIC}{VERSION}game {name}\nunit {label}\nstates {states}\nformat {format}\n")
}

impl Table {
    /// Opens the file of a unit; none if there is none. A file that is not what its name says is refused.
    pub fn open<S: Space>(directory: &Path, space: &S, unit: usize) -> Result<Option<Table>, FileError> {
        let path = directory.join(file_name(space, unit));
        // Whoever opens a pipe waits until somebody writes to it.
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(FileError::new(&path, "it is not a file"));
        }
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|error| FileError::new(&path, error))?,
        };
        let map = map::map(&file).map_err(|error| FileError::new(&path, error))?;
        Table::read(path.clone(), map, space, unit).map(Some).map_err(|why| FileError::new(&path, why))
    }

    fn read<S: Space>(path: PathBuf, map: Mmap, space: &S, unit: usize) -> Result<Table, String> {
        let head = map.get(..HEADER).ok_or("it is shorter than its header")?;
        let text = std::str::from_utf8(head).map_err(|_| "it is not an endgame database")?;
        let text = text.trim_end_matches('\0');
        let version = text.strip_prefix(MAGIC).ok_or("it is not an endgame database")?;
        if !version.starts_with(VERSION) {
            let version = version.lines().next().unwrap_or_default();
            return Err(format!("it is of version {version}, which is not ours ({})", VERSION.trim_end()));
        }
        let foreign = || format!("it belongs to something else: {}", text.replace('\n', ", "));
        let (text, packed) = text.split_once(BYTES).unwrap_or((text, ""));
        let format = [Format::Distance, Format::Wide, Format::Packed, Format::Wdl]
            .into_iter()
            .find(|&format| text == header(space, unit, format))
            .ok_or_else(foreign)?;
        let states = space.states(unit);
        let bytes = match format.width() {
            Some(width) => states * width as u64,
            None => packed.trim_end().parse().map_err(|_| foreign())?,
        };
        if format.is_packed() && bytes > format.packed(states).1 {
            return Err(format!("{states} states cannot take {bytes} bytes"));
        }
        let blocks = bytes.div_ceil(BLOCK as u64) as usize;
        let length = (HEADER as u64 + ((blocks + 1) * SUM) as u64).saturating_add(bytes);
        if map.len() as u64 != length {
            return Err(format!("it has {} bytes instead of {length}", map.len()));
        }
        let sums = map.len() - (blocks + 1) * SUM;
        let rest = xxh3_64(&[head, &map[sums..map.len() - SUM]].concat());
        if map[map.len() - SUM..] != rest.to_le_bytes() {
            return Err("its checksum is wrong".to_owned());
        }
        let checked = (0..blocks).map(|_| AtomicU8::new(UNSEEN)).collect();
        let mut table = Table { path, map, format, states, end: sums, packing: None, checked };
        if format.is_packed() {
            table.packing = Some(table.read_packing()?);
        }
        Ok(table)
    }

    fn read_packing(&self) -> Result<Box<dyn Packing>, String> {
        let (states, bytes) = (self.states, self.payload().len() as u64);
        let header = self.format.packed(states).0.min(bytes) as usize;
        if !self.is_good_from(0..header) {
            return Err("its codes are damaged".to_owned());
        }
        let header = &self.payload()[..header];
        Ok(match self.format {
            Format::Wdl => Box::new(Model::read(header, states, bytes)?),
            _ => Box::new(Codes::read(header, states, bytes)?),
        })
    }

    fn payload(&self) -> &[u8] {
        &self.map[HEADER..self.end]
    }

    /// The value of a state; none if its part of the file is damaged or tells what no value is, and none of any once a
    /// file was cut off while it was in use.
    pub fn value(&self, index: u64) -> Option<Value> {
        self.told(index).filter(|_| !map::is_cut())
    }

    fn told(&self, index: u64) -> Option<Value> {
        debug_assert!(index < self.states);
        if let Some(packing) = &self.packing {
            let extent = packing.extent(index);
            let good = self.is_good_from(extent.clone());
            return good.then(|| packing.value(&self.payload()[extent], index))?;
        }
        let wide = self.format == Format::Wide;
        let start = index as usize * if wide { 2 } else { 1 };
        let bytes = &self.payload()[start..];
        self.is_good(start / BLOCK).then(|| match wide {
            true => Some(Value::from_code(u16::from_le_bytes([bytes[0], bytes[1]]))),
            false => Value::told(bytes[0]),
        })?
    }

    /// All values in memory, a byte each, for those who ask for most of them; none where that gains nothing.
    pub(crate) fn unpacked(&self) -> Option<Vec<u8>> {
        self.packing.as_ref().map(|packing| packing.unpack(self.payload()))
    }

    /// The bytes on disk.
    pub fn size(&self) -> u64 {
        self.map.len() as u64
    }

    /// How the values are spread over states that count as told.
    pub fn summary(&self, standing: impl Fn(u64) -> Standing + Sync) -> Summary {
        use rayon::prelude::*;
        let unpacked = self.unpacked();
        let value = |index: u64| match &unpacked {
            Some(bytes) => Value::told(bytes[index as usize]),
            None => self.value(index),
        };
        let values =
            (0..self.states).into_par_iter().filter_map(|index| Some((standing(index), value(index)?)));
        values.fold(Summary::default, Summary::with).reduce(Summary::default, Summary::plus)
    }

    /// The first state that is wanted for its value.
    pub fn find(&self, wanted: impl Fn(u64, Value) -> bool + Sync) -> Option<u64> {
        use rayon::prelude::*;
        let unpacked = self.unpacked();
        let value = |index: u64| match &unpacked {
            Some(bytes) => Value::told(bytes[index as usize]),
            None => self.value(index),
        };
        let is_wanted = |&index: &u64| value(index).is_some_and(|value| wanted(index, value));
        (0..self.states).into_par_iter().find_first(is_wanted)
    }

    /// Checks every block.
    pub fn check(&self) -> Result<(), FileError> {
        use rayon::prelude::*;
        (0..self.checked.len()).into_par_iter().find_any(|&block| !self.is_good(block));
        self.damage().map_or(Ok(()), Err)
    }

    /// The damage met so far, if any.
    pub fn damage(&self) -> Option<FileError> {
        if map::is_cut() && fs::metadata(&self.path).is_ok_and(|found| found.len() < self.size()) {
            return Some(FileError::new(&self.path, "it was cut off while it was in use"));
        }
        let block = self.checked.iter().position(|state| state.load(Relaxed) == BAD)?;
        Some(FileError::new(&self.path, format!("block {block} is damaged")))
    }

    fn is_good_from(&self, bytes: Range<usize>) -> bool {
        (bytes.start / BLOCK..bytes.end.div_ceil(BLOCK)).all(|block| self.is_good(block))
    }

    fn is_good(&self, block: usize) -> bool {
        match self.checked[block].load(Relaxed) {
            GOOD => true,
            BAD => false,
            _ => {
                let good = self.is_sound(block);
                self.checked[block].store(if good { GOOD } else { BAD }, Relaxed);
                good
            }
        }
    }

    /// Whether a block matches its checksum, and each of its bytes, where that is a value, is one.
    fn is_sound(&self, block: usize) -> bool {
        let start = HEADER + block * BLOCK;
        let bytes = &self.map[start..(start + BLOCK).min(self.end)];
        let matches = self.map[self.end + block * SUM..][..SUM] == xxh3_64(bytes).to_le_bytes();
        matches && (self.format != Format::Distance || bytes.iter().all(|&code| Value::told(code).is_some()))
    }
}

/// Writes a solved unit, with wide distances if need be. Until everything is on disk it bears another name, so a
/// kill, a crash or a full disk leaves no half-written table behind.
pub(crate) fn write<S: Space>(
    directory: &Path,
    space: &S,
    unit: usize,
    format: Format,
    values: &[Value],
) -> Result<(), FileError> {
    let path = directory.join(file_name(space, unit));
    let part = path.with_extension("part");
    let narrow = !format.has_distances() || values.iter().all(|value| value.byte().is_some());
    let format = if narrow { format } else { Format::Wide };
    let written = File::create(&part).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        let header = header(space, unit, format);
        if let Some(width) = format.width() {
            write_to(&mut out, &header, values.chunks(BLOCK / width).map(|block| encode(format, block)))?;
        } else {
            let wdl = format == Format::Wdl;
            let packed = if wdl { compact::pack(values) } else { blocks::pack(&encode(format, values)) };
            let blocks = packed.chunks(BLOCK).map(<[u8]>::to_vec);
            write_to(&mut out, &format!("{header}{BYTES}{}\n", packed.len()), blocks)?;
        }
        out.flush()?;
        out.get_ref().sync_all()
    });
    written.and_then(|()| fs::rename(&part, &path)).map_err(|error| {
        // What is left of the attempt only takes room; the error that matters is the first one.
        let _ = fs::remove_file(&part);
        FileError::new(&part, error)
    })
}

/// The bytes of values with their distances.
fn encode(format: Format, values: &[Value]) -> Vec<u8> {
    if format == Format::Wide {
        return values.iter().flat_map(|value| value.code().to_le_bytes()).collect();
    }
    values.iter().map(|value| value.byte().expect("wide values are kept wide")).collect()
}

fn write_to(out: &mut impl Write, header: &str, blocks: impl Iterator<Item = Vec<u8>>) -> io::Result<()> {
    let mut head = header.as_bytes().to_vec();
    head.resize(HEADER, 0);
    out.write_all(&head)?;
    let mut sums = Vec::new();
    for block in blocks {
        out.write_all(&block)?;
        sums.extend(xxh3_64(&block).to_le_bytes());
    }
    out.write_all(&sums)?;
    out.write_all(&xxh3_64(&[head, sums].concat()).to_le_bytes())
}

/// Makes all checksums of a file right again, for tests of files that are wrong nevertheless.
#[cfg(any(test, feature = "testing"))]
pub fn reseal(file: &mut [u8]) {
    let blocks = (file.len() - HEADER - SUM).div_ceil(BLOCK + SUM);
    let (rest, last) = file.split_at_mut(file.len() - SUM);
    let (values, sums) = rest.split_at_mut(rest.len() - blocks * SUM);
    for (block, sum) in values[HEADER..].chunks(BLOCK).zip(sums.chunks_mut(SUM)) {
        sum.copy_from_slice(&xxh3_64(block).to_le_bytes());
    }
    last.copy_from_slice(&xxh3_64(&[&values[..HEADER], sums].concat()).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::super::tests::Heap;
    use super::*;
    use crate::Random;

    const SPACE: Heap = Heap { most: 400_000 };

    fn values() -> Vec<Value> {
        let bytes = (0..SPACE.states(0)).map(|i| [0, 1, 255, 2, 3][(i * i / 7 % 5) as usize]);
        bytes.map(|byte| Value::told(byte).unwrap()).collect()
    }

    /// Writes a file, lets `spoil` have it, and opens what is left.
    fn spoiled(format: Format, spoil: impl Fn(&mut Vec<u8>)) -> Result<Option<Table>, String> {
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), &SPACE, 0, format, &values()).unwrap();
        let path = directory.path().join(file_name(&SPACE, 0));
        let mut bytes = fs::read(&path).unwrap();
        spoil(&mut bytes);
        fs::write(&path, bytes).unwrap();
        Table::open(directory.path(), &SPACE, 0).map_err(|error| error.why)
    }

    #[test]
    fn what_is_written_is_read() {
        for format in [Format::Distance, Format::Wide, Format::Packed, Format::Wdl] {
            let table = spoiled(format, |_| {}).unwrap().unwrap();
            table.check().unwrap();
            for (was, index) in values().into_iter().zip(0..) {
                let is = table.value(index).unwrap();
                assert_eq!((is.is_win(), is.is_loss()), (was.is_win(), was.is_loss()));
                assert!(format == Format::Wdl || is == was);
            }
        }
    }

    #[test]
    fn truncated_foreign_and_corrupt_files_are_refused_by_name() {
        let why = |spoil: &dyn Fn(&mut Vec<u8>)| spoiled(Format::Distance, spoil).err().unwrap();
        assert_eq!(why(&|bytes| bytes.truncate(100)), "it is shorter than its header");
        assert!(why(&|bytes| bytes.truncate(9999)).starts_with("it has 9999 bytes instead of"));
        assert_eq!(why(&|bytes| bytes[0] = b'Q'), "it is not an endgame database");
        assert_eq!(why(&|bytes| bytes[16] = b'2'), "it is of version 2, which is not ours (1)");
        assert!(
            why(&|bytes| bytes[25] = b'x').starts_with("it belongs to something else: quintet endgame 1")
        );
        let last = |bytes: &mut Vec<u8>| *bytes.last_mut().unwrap() ^= 1;
        assert_eq!(why(&last), "its checksum is wrong");
    }

    #[test]
    fn a_damaged_block_gives_no_values_and_is_named() {
        let table = spoiled(Format::Distance, |bytes| bytes[HEADER + BLOCK + 7] ^= 4).unwrap().unwrap();
        assert!(table.value(5).is_some() && table.damage().is_none());
        assert_eq!(table.value(BLOCK as u64 + 9), None);
        assert_eq!(table.damage().unwrap().why, "block 1 is damaged");
        assert!(table.check().is_err());
    }

    #[test]
    fn a_damaged_packed_file_gives_no_wrong_value() {
        let why = |spoil: &dyn Fn(&mut Vec<u8>)| spoiled(Format::Packed, spoil).err().unwrap();
        assert_eq!(why(&|bytes| bytes[HEADER + 9] ^= 1), "its codes are damaged");
        assert!(why(&|bytes| bytes.truncate(9999)).starts_with("it has 9999 bytes instead of"));
        let table = spoiled(Format::Packed, |bytes| bytes[HEADER + BLOCK + 7] ^= 4).unwrap().unwrap();
        let told: Vec<_> = (0..SPACE.states(0)).map(|index| table.value(index)).collect();
        assert!(told.iter().any(Option::is_none));
        assert!(told.iter().zip(values()).all(|(told, value)| told.is_none_or(|told| told == value)));
        assert_eq!(table.damage().unwrap().why, "block 1 is damaged");
    }

    #[test]
    fn right_checksums_over_wrong_offsets_are_refused_at_opening() {
        // The code lengths come first, then five bytes for each block of 256 states.
        let offsets = HEADER + 15 * 256;
        let why = |at: usize, with: &[u8]| {
            let forged = spoiled(Format::Packed, |bytes| {
                bytes[at..at + with.len()].copy_from_slice(with);
                reseal(bytes);
            });
            forged.err().unwrap()
        };
        assert_eq!(why(offsets, &[1]), "the offset of its packed block 0 is wrong");
        assert_eq!(why(offsets + 5 * 7, &[255; 5]), "the offset of its packed block 6 is wrong");
        assert_eq!(why(offsets + 5 * 9, &[0; 5]), "the offset of its packed block 8 is wrong");
        assert_eq!(why(HEADER, &[1; 256]), "its code lengths make no code");
        let whole = spoiled(Format::Packed, |bytes| reseal(bytes)).unwrap().unwrap();
        whole.check().unwrap();
    }

    #[test]
    fn a_length_that_no_states_have_is_refused_before_room_is_made_for_it() {
        let why = spoiled(Format::Packed, |bytes| {
            let text = String::from_utf8(bytes[..HEADER].to_vec()).unwrap();
            let text = format!("{}{BYTES}99999999999999\n", text.split_once(BYTES).unwrap().0);
            bytes[..HEADER].fill(0);
            bytes[..text.len()].copy_from_slice(text.as_bytes());
        });
        assert_eq!(why.err().unwrap(), "400001 states cannot take 99999999999999 bytes");
    }

    #[test]
    fn no_forged_file_causes_a_panic() {
        let mut random = Random::new(7);
        for round in 0..150 {
            let format = [Format::Distance, Format::Packed, Format::Wdl, Format::Wide][round % 4];
            let places: Vec<(u64, u8)> =
                (0..1 + random.below(40)).map(|_| (random.bits(), random.below(256) as u8)).collect();
            let forged = spoiled(format, |bytes| {
                // Everywhere, or in the header of the values.
                let range = if round % 2 == 0 { bytes.len() - HEADER } else { 15 * 256 + 5 * 1563 };
                for &(at, with) in &places {
                    bytes[HEADER + (at % range as u64) as usize] = with;
                }
                reseal(bytes);
            });
            let Ok(Some(table)) = forged else { continue };
            for value in (0..table.states).step_by(61).filter_map(|index| table.value(index)) {
                assert!(value.plies().is_none_or(|plies| Value::after(plies) == Some(value)));
            }
        }
    }

    #[test]
    fn a_code_that_is_no_value_is_not_told() {
        let plain = spoiled(Format::Distance, |bytes| {
            bytes[HEADER + 5] = 254;
            reseal(bytes);
        });
        let table = plain.unwrap().unwrap();
        assert_eq!((table.value(5), table.damage().unwrap().why), (None, "block 0 is damaged".to_owned()));
        // A block begins with a bit and its first value: 254 after any bit.
        let bits = HEADER + Codes::header(SPACE.states(0)) as usize;
        let packed = spoiled(Format::Packed, |bytes| {
            bytes[bits] = 254 << 1;
            bytes[bits + 1] |= 1;
            reseal(bytes);
        });
        assert_eq!(packed.unwrap().unwrap().value(0), None);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing_behind() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let error = write_to(&mut Full, "", [vec![0; BLOCK]].into_iter()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("missing");
        assert!(write(&missing, &SPACE, 0, Format::Distance, &values()).is_err());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
