//! The fuzzer: libFuzzer around the target that `QUINTET_FUZZ_TARGET` names.

#![no_main]

use std::env;
use std::sync::OnceLock;

use quintet_fuzz::{TARGETS, Target};

/// The variable that names the target: libFuzzer takes all words of the command line for its own.
const VARIABLE: &str = "QUINTET_FUZZ_TARGET";

static TARGET: OnceLock<Target> = OnceLock::new();

libfuzzer_sys::fuzz_target!(
    init: {
        let name = env::var(VARIABLE).unwrap_or_default();
        let target = TARGETS.into_iter().find(|(known, _)| *known == name);
        let target = target.unwrap_or_else(|| panic!("{VARIABLE}: no target is called '{name}'"));
        TARGET.get_or_init(|| target);
    },
    |data: &[u8]| {
        if let Some((_, run)) = TARGET.get() {
            run(data);
        }
    }
);
