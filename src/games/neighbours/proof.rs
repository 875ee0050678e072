//! Boards too large for tables of all positions: proof-number search down to the tables there are.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result};
use indicatif::HumanCount;
use neighbours::Position;
use neighbours::endgame::Endgames;
use search::endgame::{Builder, Library, Space, Value};
use search::proof::{Numbers, Proof};
use search::{Game, Side};

use crate::build::Effort;
use crate::progress::say;

/// Positions looked at for one side before it is the other's turn.
const SLICE: u64 = 1 << 18;
/// How often what was found is written to disk.
const KEPT: Duration = Duration::from_secs(300);
/// MiB of table unless told otherwise.
const MEMORY: usize = 1024;

/// Looks for a win of either side from the start, as long as the effort allows or until one is found or none is left, and
/// prints what is known. What was found is kept in a file, from which the next call goes on.
pub(super) fn seek(
    library: &Library<Endgames>,
    start: &Position,
    directory: &Path,
    effort: Effort,
) -> Result<()> {
    let space = library.space();
    fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    let _builder = Builder::new(directory)?;
    let path = directory.join(format!("{}.proof", space.name()));
    let mut proof = open(&path, effort.memory.unwrap_or(MEMORY))?;
    let key = |position: &Position| space.key(position);
    let known = |position: &Position, attacker: Side| {
        let (unit, index) = space.find(position)?;
        let value = library.value(unit, index)?;
        Some(value != Value::DRAW && value.is_win() == (position.turn() == attacker))
    };
    let begun = Instant::now();
    let mut kept = begun;
    let mut numbers = [Numbers::OPEN; 2];
    let is_answered = |numbers: &[Numbers; 2]| {
        let [white, black] = [0, 1].map(|side| wins(numbers[side], start.turn().index() == side));
        white == Some(true) || black == Some(true) || (white == Some(false) && black == Some(false))
    };
    let is_over =
        || effort.minutes.is_some_and(|minutes| begun.elapsed() >= Duration::from_secs(60 * minutes));
    let first = proof.nodes;
    loop {
        for side in [Side::White, Side::Black] {
            numbers[side.index()] = proof.attack(start, side, SLICE, &key, &known);
        }
        let is_last = is_answered(&numbers) || is_over();
        if is_last || kept.elapsed() >= KEPT {
            keep(&proof, &path)?;
            kept = Instant::now();
        }
        if is_last {
            break;
        }
    }
    let mut text = String::new();
    for side in [Side::White, Side::Black] {
        text += &format!("{side:?} wins: {}\n", told(numbers[side.index()], start.turn() == side));
    }
    for m in start.list() {
        let next = start.after(m);
        let word = |side: Side| match proof.numbers(&next, side, &key) {
            Some(numbers) => told(numbers, next.turn() == side),
            None => "not looked at".to_owned(),
        };
        text += &format!("{m}: White wins: {}; Black wins: {}\n", word(Side::White), word(Side::Black));
    }
    let (tables, seconds) = (library.present().count(), begun.elapsed().as_secs_f64());
    let (here, all) = (HumanCount(proof.nodes - first), HumanCount(proof.nodes));
    text += &format!(
        "{here} positions in {seconds:.0} s, {all} in all, down to {tables} tables; kept in {}\n",
        path.display()
    );
    say(&text)
}

fn open(path: &Path, memory: usize) -> Result<Proof> {
    match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Proof::new(memory)),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        Ok(file) => Proof::read(&mut BufReader::new(file))
            .map_err(|why| Error::msg(format!("{}: {why}; delete it to begin anew", path.display()))),
    }
}

/// Until everything is on disk the file bears another name, and the one before stays.
fn keep(proof: &Proof, path: &Path) -> Result<()> {
    let part: PathBuf = path.with_extension("part");
    let written = File::create(&part).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        proof.write(&mut out)?;
        out.flush()?;
        out.get_ref().sync_all()
    });
    written.and_then(|()| fs::rename(&part, path)).with_context(|| format!("cannot write {}", part.display()))
}

/// Whether an attacker wins, from the numbers of the side to move.
fn wins(numbers: Numbers, attacks: bool) -> Option<bool> {
    numbers.answer().map(|reached| reached == attacks)
}

fn told(numbers: Numbers, attacks: bool) -> String {
    match wins(numbers, attacks) {
        Some(true) => "proved".to_owned(),
        Some(false) => "refuted".to_owned(),
        None => {
            let (prove, refute) =
                if attacks { (numbers.reach, numbers.fail) } else { (numbers.fail, numbers.reach) };
            format!("unknown, {prove} to prove, {refute} to refute")
        }
    }
}
