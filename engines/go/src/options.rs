//! The options of the Go engine, one row each, and the words they take.

use std::time::Duration;

use search::mcts::Config;
use search::mcts::{Amaf, Bias, Choice, Parallel, Select, Widening};
use search::options::{self, Audience, Options, Setting, check, choice, spin};
use search::{Engine, Search};

use crate::playout::Style;
use crate::recipes::{Heuristics, Roulette};
use crate::{Go, tuning};

/// The engine at its best.
pub(crate) const DEFAULT: &str = "default";
/// The program of the source.
pub(crate) const GO_GAME: &str = "GO GAME";

const PRESETS: [&str; 2] = [DEFAULT, GO_GAME];
/// What finds the moves, and whether that is the heuristics alone.
const STRATEGIES: &Words<bool> = &[("search", false), ("heuristics", true)];

/// A switch of the search by its words.
type Words<T> = [(&'static str, T)];

const PLAYOUTS: &Words<Style> = &[
    ("heavy", Style::Heavy(tuning::PLAYOUT)),
    ("light", Style::Light),
    ("heuristics", Style::Heuristics(Heuristics::ALL)),
    ("roulette", Style::Roulette(Roulette::PUBLISHED)),
    ("roulette-opening", Style::Roulette(Roulette::WITH_OPENING)),
    ("urgency", Style::Urgency),
    ("sequence", Style::Sequence),
];
const SELECTIONS: &Words<Select> = &[
    ("uct", Select::Uct),
    ("tuned", Select::Tuned),
    ("omc", Select::Omc),
    ("pbbm", Select::Pbbm),
    ("flat", Select::Flat),
];
const AMAFS: &Words<Amaf> = &[
    ("error", Amaf::MinError(tuning::RAVE)),
    ("off", Amaf::Off),
    ("all", Amaf::All),
    ("rave", Amaf::Rave(tuning::RAVE)),
    ("uct-rave", Amaf::UctRave(tuning::RAVE)),
    ("alpha", Amaf::Alpha(tuning::ALPHA)),
    ("first", Amaf::First(tuning::FIRST_MOVES)),
    ("cutoff", Amaf::Cutoff(tuning::CUTOFF)),
];
const CHOICES: &Words<Choice> = &[
    ("robust", Choice::Robust),
    ("max", Choice::Max),
    ("max-robust", Choice::MaxRobust),
    ("secure", Choice::Secure(tuning::SECURE)),
];
const BIASES: &Words<Bias> = &[("off", Bias::Off), ("mango", Bias::Mango), ("mogo", Bias::Mogo)];
const PARALLELS: &Words<Parallel> = &[
    ("tree", Parallel::Tree),
    ("global-lock", Parallel::GlobalLock),
    ("local-locks", Parallel::LocalLocks),
    ("root", Parallel::Root),
    ("leaf", Parallel::Leaf),
];

/// All rows, in the order in which they are shown.
pub(crate) fn all() -> Options<Go> {
    general().into_iter().chain(options::rules()).chain(playing()).chain(switches()).collect()
}

/// What the search may spend.
fn general() -> Options<Go> {
    vec![
        options::threads(),
        spin("Tree Memory", "what the search tree may take, in MiB", tuning::TREE_MEMORY as i64, 1..=1 << 20)
            .by(|e: &Go| e.memory as i64, |e, mib| e.resize(mib as usize))
            .meant_for(Audience::Expert),
        spin(
            "Move Time",
            "seconds a move when no time settings came",
            tuning::MOVE_TIME.as_secs() as i64,
            0..=86_400,
        )
        .by(
            |e: &Go| e.move_time.as_secs() as i64,
            |e, seconds| e.move_time = Duration::from_secs(seconds as u64),
        )
        .meant_for(Audience::Protocol),
        spin("Playouts", "playouts a move instead of time; 0 for no such limit", 0, 0..=1 << 40)
            .by(|e: &Go| e.playouts as i64, |e, playouts| e.playouts = playouts as u64)
            .meant_for(Audience::Protocol),
        options::overhead(tuning::OVERHEAD),
        check("Ponder", "think on the opponent's time", false)
            .by(|e: &Go| e.common.ponder, |e, on| e.common.ponder = on)
            .meant_for(Audience::Protocol),
    ]
}

/// How to play and how to show it.
fn playing() -> Options<Go> {
    vec![
        spin("Resign", "resign below this chance to win, in percent; 0 for never", tuning::RESIGN, 0..=50)
            .by(|e: &Go| e.resign, |e, percent| e.resign = percent)
            .meant_for(Audience::Protocol),
        spin(
            "Resign Move",
            "never resign before this many moves for every hundred points of the board",
            tuning::RESIGN_MOVE,
            0..=100,
        )
        .by(|e: &Go| e.resign_move, |e, percent| e.resign_move = percent),
        options::skill(),
        options::preset(&PRESETS, |e: &Go| e.preset, Go::set_preset),
        check("Live Graphics", "drawings for GoGui on the error stream while thinking", false)
            .by(|e: &Go| e.live, |e, on| e.live = on),
        options::log_file(),
    ]
}

/// The switches of the search, for experiments.
fn switches() -> Options<Go> {
    let usual = tuning::config();
    vec![
        choice("Playout", "what playouts know", PLAYOUTS).by(|e: &Go| match e.mcts.policy.style {
                Style::Heuristics(_) => Style::Heuristics(Heuristics::ALL),
                style => style,
            }, |e, style| {
                e.mcts.policy.style = style;
                e.set_heuristics(e.heuristics);
                e.forget();
            }),
        choice("Strategy", "what finds the moves: the search, or the heuristics of the source's program alone", STRATEGIES).by(|e: &Go| e.alone, |e, alone| e.alone = alone),
        heuristic("Attack Heuristic", "the heuristics put enemy chains in atari", |h| &mut h.attack),
        heuristic("Defence Heuristic", "the heuristics save own chains in atari", |h| &mut h.defence),
        heuristic(
            "Squeeze Heuristic",
            "the heuristics take liberties of the enemy chain that has fewest",
            |h| &mut h.squeeze,
        ),
        heuristic("Capture Heuristic", "the heuristics take enemy chains in atari", |h| &mut h.capture),
        choice("Selection", "the rule by which the search descends; AMAF, priors, bias and First Play act on uct and tuned", SELECTIONS).by(|e: &Go| e.mcts.config.select, |e, select| e.grow_by(|config| config.select = select)),
        choice("AMAF", "what a playout's later moves teach about earlier ones", AMAFS).by(|e: &Go| e.mcts.config.amaf, |e, amaf| e.grow_by(|config| config.amaf = amaf)),
        spin("Exploration", "the weight of moves that were tried seldom, in hundredths; without it uct and tuned are the same", hundredths(usual.exploration), 0..=500).by(|e: &Go| hundredths(e.mcts.config.exploration), |e, n| e.grow_by(|config| config.exploration = n as f32 / 100.0)),
        spin("First Play", "the value of a move without visits, in hundredths; 0 to try every move once first; priors take its place", usual.first_play.map_or(0, hundredths), 0..=1000).by(|e: &Go| e.mcts.config.first_play.map_or(0, hundredths), |e, n| e.grow_by(|config| config.first_play = (n > 0).then_some(n as f32 / 100.0))),
        spin("Expand After", "visits before a leaf of the tree gets children", usual.expansion.after.into(), 0..=1000).by(|e: &Go| e.mcts.config.expansion.after.into(), |e, visits| e.grow_by(|config| config.expansion.after = visits as u32)),
        spin("Expand Ahead", "plies below the root that get children before the first playout", usual.expansion.ahead.into(), 0..=4).by(|e: &Go| e.mcts.config.expansion.ahead.into(), |e, plies| e.grow_by(|config| config.expansion.ahead = plies as u32)),
        check("Tree Reuse", "whether what was found is kept for the next move", usual.reuse).by(|e: &Go| e.mcts.config.reuse, |e, on| e.mcts.config.reuse = on),
        spin("Virtual Loss", "lost visits that keep other threads from a thread's way", usual.virtual_loss.into(), 0..=100).by(|e: &Go| e.mcts.config.virtual_loss.into(), |e, visits| e.mcts.config.virtual_loss = visits as u32),
        spin("Priors", "how much is thought of moves before they are tried, in percent", hundredths(usual.priors), 0..=1000).by(|e: &Go| hundredths(e.mcts.config.priors), |e, n| e.grow_by(|config| config.priors = n as f32 / 100.0)),
        choice("Progressive Bias", "how knowledge is added to a move's value beside the priors", BIASES).by(|e: &Go| e.mcts.config.bias, |e, bias| e.grow_by(|config| config.bias = bias)),
        check("Progressive Widening", "open the moves of a position one by one, the best by priors first", usual.widening.is_some()).by(|e: &Go| e.mcts.config.widening.is_some(), |e, on| e.grow_by(|config| config.widening = on.then(Widening::default))),
        choice("Final Choice", "which move of the tree is played", CHOICES).by(|e: &Go| e.mcts.config.choice, |e, choice| e.mcts.config.choice = choice),
        choice("Parallel", "how threads share the work", PARALLELS).by(|e: &Go| e.mcts.config.parallel, |e, parallel| e.mcts.config.parallel = parallel),
    ]
}

/// One of the heuristics of the source's program.
fn heuristic(name: &'static str, help: &'static str, of: fn(&mut Heuristics) -> &mut bool) -> Setting<Go> {
    let is_on = move |mut heuristics: Heuristics| *of(&mut heuristics);
    check(name, help, is_on(Heuristics::ALL)).by(
        move |e: &Go| is_on(e.heuristics),
        move |e, on| {
            let mut heuristics = e.heuristics;
            *of(&mut heuristics) = on;
            e.set_heuristics(heuristics);
        },
    )
}

fn hundredths(value: f32) -> i64 {
    (value * 100.0).round() as i64
}

impl Go {
    /// Changes a switch by which trees grow; a tree grown by the old one is of no use.
    fn grow_by(&mut self, change: impl FnOnce(&mut Config)) {
        change(&mut self.mcts.config);
        self.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Kind;

    #[test]
    fn every_word_an_option_offers_can_be_set_and_read() {
        for row in all() {
            let mut go = Go::new();
            if let Kind::Combo { choices, .. } = &row.kind {
                for choice in choices {
                    go.set(row.name, choice).unwrap();
                    assert_eq!(row.get(&go).text(), *choice, "{}", row.name);
                }
            }
        }
    }
}
