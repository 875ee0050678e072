//! The rows that engines have in common.

use std::time::Duration;

use super::{Audience, Done, Options, Setting, button, check, combo, rules, spin, text};
use crate::Engine;

/// What every engine lets its user choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Common {
    /// Size of the table in MiB.
    pub hash: usize,
    /// Search threads.
    pub threads: usize,
    /// The user says that the engine will be asked to ponder.
    pub ponder: bool,
    /// Lines of play shown.
    pub multipv: usize,
    /// Held back from every time limit.
    pub overhead: Duration,
    /// 20 for full strength, 0 for a beginner.
    pub skill: u32,
    /// Analysis rather than a game.
    pub analyse: bool,
    /// Whether each search tells what its nodes were.
    pub counters: bool,
    /// Where the session writes what it hears and says; empty for nowhere.
    pub log_file: String,
}

impl Default for Common {
    fn default() -> Self {
        Common {
            hash: 16,
            threads: 1,
            ponder: false,
            multipv: 1,
            overhead: Duration::from_millis(10),
            skill: 20,
            analyse: false,
            counters: false,
            log_file: String::new(),
        }
    }
}

/// All rows of a UCI engine: what every one has, the rules of its game, and its own.
pub fn complete<E: Engine>(own: Options<E>) -> Options<E> {
    common().into_iter().chain(rules()).chain(own).collect()
}

/// The rows every UCI engine has.
pub fn common<E: Engine>() -> Options<E> {
    let usual = Common::default();
    vec![
        spin("Hash", "size of the hash table in MiB", usual.hash, 1..=33_554_432)
            .by(
                |e: &E| e.common().hash,
                |e, mib| {
                    e.resize(mib)?;
                    e.common_mut().hash = mib;
                    Ok(())
                },
            )
            .meant_for(Audience::Expert),
        threads(),
        button("Clear Hash", "forget everything learned in this game", E::forget),
        check("Ponder", "the engine will be asked to think on the opponent's time", usual.ponder)
            .by(|e: &E| e.common().ponder, |e, on| e.common_mut().ponder = on)
            .meant_for(Audience::Protocol),
        spin("MultiPV", "number of lines of play shown", usual.multipv, 1..=256)
            .by(|e: &E| e.common().multipv, |e, lines| e.common_mut().multipv = lines)
            .meant_for(Audience::Protocol),
        overhead(usual.overhead),
        skill(),
        check("UCI_AnalyseMode", "analysis rather than a game", usual.analyse)
            .by(|e: &E| e.common().analyse, |e, on| e.common_mut().analyse = on)
            .meant_for(Audience::Protocol),
        check(
            "Counters",
            "tell after each search what kinds of nodes it had and which moves cut",
            usual.counters,
        )
        .by(|e: &E| e.common().counters, |e, on| e.common_mut().counters = on)
        .meant_for(Audience::Expert),
        log_file(),
    ]
}

/// `Threads`.
pub fn threads<E: Engine>() -> Setting<E> {
    spin("Threads", "search threads", Common::default().threads, 1..=1024)
        .by(|e: &E| e.common().threads, |e, threads| e.common_mut().threads = threads)
}

/// `Move Overhead`, with so much by default.
pub fn overhead<E: Engine>(default: Duration) -> Setting<E> {
    spin(
        "Move Overhead",
        "milliseconds held back from every time limit",
        default.as_millis() as u64,
        0..=5000,
    )
    .by(
        |e: &E| e.common().overhead.as_millis() as u64,
        |e, milliseconds| e.common_mut().overhead = Duration::from_millis(milliseconds),
    )
    .meant_for(Audience::Expert)
}

/// `Skill Level`.
pub fn skill<E: Engine>() -> Setting<E> {
    let full = Common::default().skill;
    spin("Skill Level", "20 is full strength, 0 a beginner", full, 0..=full)
        .by(|e: &E| e.common().skill, |e, level| e.common_mut().skill = level)
        .meant_for(Audience::Protocol)
}

/// `Debug Log File`.
pub fn log_file<E: Engine>() -> Setting<E> {
    text("Debug Log File", "write all input and output to this file", "")
        .by(|e: &E| e.common().log_file.clone(), |e, path| e.common_mut().log_file = path)
}

/// `Preset`, which sets other options; those set after it override it.
pub fn preset<E, R: Done>(
    words: &'static [&'static str],
    get: impl Fn(&E) -> &'static str + 'static,
    set: impl Fn(&mut E, &'static str) -> R + 'static,
) -> Setting<E> {
    let help = "all switches at once: the engine at its best, or the published program of that name";
    combo("Preset", help, words).by(get, set)
}

/// `Weights File`.
pub fn weights_file<E>(
    get: impl Fn(&E) -> String + 'static,
    set: impl Fn(&mut E, &str) -> Result<(), String> + 'static,
) -> Setting<E> {
    let help = "weights read from a file; overrides Evaluation";
    text("Weights File", help, "").by(get, move |e, path| set(e, &path))
}

/// `Network File`.
pub fn network_file<E>(
    get: impl Fn(&E) -> String + 'static,
    set: impl Fn(&mut E, &str) -> Result<(), String> + 'static,
) -> Setting<E> {
    let help = "a network read from a file; overrides Evaluation";
    text("Network File", help, "").by(get, move |e, path| set(e, &path))
}

/// `EndgamePath`.
pub fn endgame_path<E>(
    get: impl Fn(&E) -> String + 'static,
    set: impl Fn(&mut E, &str) -> Result<(), String> + 'static,
) -> Setting<E> {
    let help = "directory of the endgame databases; empty for the one quintet build uses";
    text("EndgamePath", help, "").by(get, move |e, path| set(e, &path))
}

/// What a game begins with where `OwnBook` is on and no book was given.
pub const NO_BOOK: &str = "OwnBook is on, but Book File names no book";

/// `OwnBook`; boards cannot name the file that it needs.
pub fn own_book<E>(get: impl Fn(&E) -> bool + 'static, set: impl Fn(&mut E, bool) + 'static) -> Setting<E> {
    check("OwnBook", "play the opening from the book", false).by(get, set).meant_for(Audience::Protocol)
}
