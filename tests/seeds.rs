//! The seeds and the regressions of the fuzzer, replayed without it.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use targets::TARGETS;

/// The inputs of a target in one of the folders, in the order of their names.
fn inputs(folder: &str, target: &str) -> Vec<PathBuf> {
    let folder = Path::new("fuzz").join(folder).join(target);
    let Ok(entries) = fs::read_dir(&folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    paths
}

#[test]
fn seeds_and_regressions_do_no_harm() {
    // A thread of a reader may panic and nobody ask what became of it.
    static PANICS: AtomicUsize = AtomicUsize::new(0);
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |what| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        report(what);
    }));
    let mut harmful = Vec::new();
    for (name, run) in TARGETS {
        let seeds = inputs("seeds", name);
        assert!(!seeds.is_empty(), "{name} has no seeds");
        for path in seeds.into_iter().chain(inputs("regressions", name)) {
            let bytes = fs::read(&path).expect("the input can be read");
            let before = PANICS.load(Ordering::SeqCst);
            if panic::catch_unwind(|| run(&bytes)).is_err() || PANICS.load(Ordering::SeqCst) > before {
                harmful.push(path);
            }
        }
    }
    assert!(harmful.is_empty(), "{harmful:?}");
}

#[test]
fn every_folder_of_inputs_belongs_to_a_target() {
    for folder in ["fuzz/seeds", "fuzz/regressions"] {
        for entry in fs::read_dir(folder).expect("the folder is there") {
            let name = entry.expect("the folder can be read").file_name();
            assert!(TARGETS.iter().any(|(target, _)| name == *target), "{folder}/{}", name.display());
        }
    }
}
