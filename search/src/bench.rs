//! The bench of an alpha-beta engine: fixed positions to a fixed depth, counted and timed.

use std::time::Instant;

use crate::alphabeta::Counters;
use crate::{Bench, Control, Engine, Game, Info, Limits, Root, options};

/// Options that a bench does not obey: its table and its one thread make its number the same everywhere.
const LEFT_ASIDE: [&str; 3] = ["Hash", "Threads", "Debug Log File"];
/// The most nodes of a position with options that may make it endless: minimax sees no end of it.
const MOST_NODES: u64 = 10_000_000;

/// Searches each position, given by its FEN, with a fresh engine that is given the options of another one and forgets
/// each position before the next. Rules with another board have the start position alone.
pub fn run<E: Engine>(given: &E, mut engine: E, fens: &[&str], depth: u32, control: &Control) -> Bench {
    let begun = Instant::now();
    let mut remarks = obey(given, &mut engine, &LEFT_ASIDE);
    let limits = Limits { nodes: (!remarks.is_empty()).then_some(MOST_NODES), ..Limits::depth(depth) };
    let rules = engine.rules();
    let positions: Result<Vec<_>, _> = fens.iter().map(|fen| E::Game::read(&rules, fen)).collect();
    let positions = positions.unwrap_or_else(|_| vec![E::Game::start(&rules)]);
    let (mut nodes, mut cut_short, mut counters) = (0, 0, Counters::default());
    for position in positions {
        engine.forget();
        let mut last = 0;
        engine.think(&Root::new(position), &limits, control, &mut |info| match info {
            Info::Line(line) => last = line.nodes,
            Info::Total(total) => last = total.nodes,
            _ => {}
        });
        nodes += last;
        cut_short += u32::from(last >= MOST_NODES && limits.nodes.is_some());
        counters += engine.counters().unwrap_or(&Counters::default());
    }
    if cut_short > 0 {
        remarks.push(format!("Cut short        : {cut_short} positions, at {MOST_NODES} nodes"));
    }
    if engine.common().counters {
        remarks.extend(counters.to_string().lines().map(str::to_owned));
    }
    Bench { nodes, time: begun.elapsed(), remarks }
}

/// Gives the engine the options of another one, but for some that a bench leaves aside; what is to be said of it.
pub fn obey<E: Engine>(given: &E, engine: &mut E, aside: &[&str]) -> Vec<String> {
    let chosen = options::chosen(given);
    let (idle, mut obeyed): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|(name, _)| aside.contains(name));
    // A file may have vanished since.
    obeyed.retain(|(name, value)| engine.set(name, value).is_ok());
    let list = |options: &[(&str, String)]| {
        let words: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        words.join(", ")
    };
    let mut remarks = Vec::new();
    if !obeyed.is_empty() {
        remarks.push(format!("Options          : {}", list(&obeyed)));
    }
    if !idle.is_empty() {
        remarks.push(format!("Not obeyed       : {}", list(&idle)));
    }
    remarks
}
