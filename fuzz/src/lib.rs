//! What is done with the bytes of a fuzzer: one function for each target, which panics where a reader breaks a promise.
//!
//! The first byte of an input says, as a letter, which reader the rest is for; an input without a reader does nothing.
//! This file and its modules know nothing of libFuzzer: `tests/seeds.rs` has them as a module of its own and replays the
//! seeds and the regressions.

mod learned;
mod logs;
mod positions;
mod records;
mod tables;
mod talk;

use std::fs;
use std::path::PathBuf;

use search::Random;

/// A target: its name, and what is done with an input.
pub type Target = (&'static str, fn(&[u8]));

/// All targets by name.
pub const TARGETS: [Target; 5] = [
    ("records", records::run),
    ("positions", positions::run),
    ("learned", learned::run),
    ("logs", logs::run),
    ("talk", talk::run),
];

/// The letter of a reader and what it shall read.
fn split(data: &[u8]) -> Option<(char, &[u8])> {
    data.split_first().map(|(&first, rest)| (char::from(first), rest))
}

/// Random numbers that depend on nothing but the input.
fn random(data: &[u8]) -> Random {
    Random::new(xxhash_rust::xxh3::xxh3_64(data))
}

/// A folder of this thread for readers that want files; it goes with the thread.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("the machine gives a temporary folder"))
    }

    /// A file in it with these bytes, whatever it held before.
    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).expect("the temporary folder takes files");
        path
    }
}

thread_local! {
    static FOLDER: Folder = Folder::new();
}

/// Calls `read` with a file that holds these bytes.
fn in_file<T>(name: &str, bytes: &[u8], read: impl FnOnce(PathBuf) -> T) -> T {
    FOLDER.with(|folder| read(folder.file(name, bytes)))
}
