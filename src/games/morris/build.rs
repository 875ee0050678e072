//! What can be built for nine men's morris.

use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Error, Result};
use morris::database::Database;
use morris::endgame::Endgames;
use morris::solve::Solved;
use morris::{Position, Rules, solve};
use search::endgame::Space;
use search::{Game, Score, Side};

use crate::build::{Effort, Extent, Job, Settings, build_all, sound};
use crate::misuse::{Asked, ask};
use crate::probe::{Oracle, oracle};
use crate::progress::say;

/// MiB of hash table for solving the placing phase.
const MEMORY: usize = 1024;

/// Builds or verifies the endgames within an extent.
pub(super) fn endgame(directory: &Path, extent: &Extent, rules: &Settings, job: Job) -> Result<()> {
    let space = space(rules)?;
    let double = rules.rules::<Rules>()?.double_removal;
    ask!(
        extent.placing.is_none() || !double,
        "--placing: only where two mills closed at once remove one man"
    );
    let is_meant = |&unit: &usize| {
        let hand = space.in_hand(unit);
        extent.holds(space.men(unit)) && (hand == 0 || extent.placing.is_some_and(|least| hand >= least))
    };
    let units: Vec<usize> = (0..space.units()).filter(is_meant).collect();
    ask!(!units.is_empty(), "endgames have three to nine men a side");
    build_all(space, directory, &units, job)
}

/// States the value of the start position, or which databases are missing to know it.
pub(super) fn solve(directory: &Path, settings: &Settings, effort: Effort) -> Result<()> {
    ask!(effort.minutes.is_none(), "--minutes: this search has an answer only at its end");
    let rules = settings.rules()?;
    space(settings)?;
    let Some(database) = sound(Database::open(&rules, directory))? else {
        return say(&format!("unknown: {} holds no endgame tables for these rules\n", directory.display()));
    };
    let missing = database.missing();
    if !missing.is_empty() {
        let (count, missing) = (missing.len(), missing.join(" "));
        return say(&format!("unknown: {count} endgame tables are missing: {missing}\n"));
    }
    let begun = Instant::now();
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let start = Position::start(&rules);
    let moves = solve::moves(start, Arc::new(database), effort.memory.unwrap_or(MEMORY), threads)
        .map_err(Error::msg)?;
    let value = told(solve::value(&moves), start.turn());
    let seconds = begun.elapsed().as_secs_f64();
    let mut text = format!("the start position is {value}, found in {seconds:.0} s\n");
    for Solved { moves, score, line } in moves {
        let names: Vec<String> = moves.into_iter().map(|m| start.write(m)).collect();
        let mut position = start;
        let line = line.into_iter().map(|m| {
            let text = position.write(m);
            position.play(m);
            text
        });
        let line: Vec<String> = line.collect();
        text += &format!("{}: {}; {}\n", names.join(" "), told(score, start.turn()), line.join(" "));
    }
    say(&text)
}

/// A value from the view of `side`, for people.
fn told(score: Score, side: Side) -> String {
    let winner = if (score > Score::DRAW) == (side == Side::White) { "White" } else { "Black" };
    match score.plies_to_end() {
        _ if score == Score::DRAW => "a draw".to_owned(),
        Some(plies) => format!("won for {winner} in {} plies", plies.abs()),
        None => format!("won for {winner}"),
    }
}

/// The tables, to be asked about positions.
pub(super) fn consult(directory: &Path, settings: &Settings) -> Result<Box<dyn Oracle>> {
    let rules = settings.rules()?;
    space(settings)?;
    let database = sound(Database::open(&rules, directory))?
        .with_context(|| format!("{} holds no endgame tables for these rules", directory.display()))?;
    Ok(oracle(rules, move |position| database.told(position)))
}

fn space(rules: &Settings) -> Result<Endgames> {
    Endgames::new(&rules.rules()?)
        .context("endgames are known only without a ban on returning (NoReturn off)")
        .asked()
}
