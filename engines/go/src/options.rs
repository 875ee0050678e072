//! The options of the Go engine, one row each, and the words they take.

use std::time::Duration;

use search::mcts::Config;
use search::mcts::{Amaf, Bias, Choice, Parallel, Select, Widening};
use search::options::{self, Audience, Declared, Options, Setting, check, choice, spin};
use search::{Engine, Search};

use crate::playout::Style;
use crate::recipes::{Heuristics, Roulette};
use crate::{Go, tuning};

/// The engine at its best.
pub(crate) const DEFAULT: &str = "default";
/// Śliwa's program.
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
        spin("Tree Memory", "memory for the search tree, in MiB", tuning::TREE_MEMORY, 1..=1 << 20)
            .by(|e: &Go| e.memory, Go::resize)
            .meant_for(Audience::Expert),
        spin(
            "Move Time",
            "seconds per move when no time settings were given",
            tuning::MOVE_TIME.as_secs(),
            0..=86_400,
        )
        .by(|e: &Go| e.move_time.as_secs(), |e, seconds| e.move_time = Duration::from_secs(seconds))
        .meant_for(Audience::Protocol),
        spin("Playouts", "playouts per move instead of time; 0 for no limit", 0, 0..=1 << 40)
            .by(|e: &Go| e.playouts, |e, playouts| e.playouts = playouts)
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
        spin(
            "Resign",
            "resign below this chance of winning, in percent; 0 for never",
            tuning::RESIGN,
            0..=50,
        )
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
        check("Live Graphics", "send GoGui's live graphics to the error stream while thinking", false)
            .by(|e: &Go| e.live, |e, on| e.live = on),
        options::log_file(),
    ]
}

/// The switches of the search, for experiments.
fn switches() -> Options<Go> {
    let usual = tuning::config();
    let expansion = usual.expansion;
    vec![
        choice("Playout", "how much playouts know", PLAYOUTS).by(
            |e: &Go| match e.mcts.policy.style {
                Style::Heuristics(_) => Style::Heuristics(Heuristics::ALL),
                style => style,
            },
            |e, style| {
                e.mcts.policy.style = style;
                e.set_heuristics(e.heuristics);
                e.forget();
            },
        ),
        choice(
            "Strategy",
            "what chooses the moves: the search, or the heuristics of GO GAME alone",
            STRATEGIES,
        )
        .by(|e: &Go| e.alone, |e, alone| e.alone = alone),
        heuristic("Attack Heuristic", "the heuristics put enemy chains in atari", |h| &mut h.attack),
        heuristic("Defence Heuristic", "the heuristics save own chains in atari", |h| &mut h.defence),
        heuristic(
            "Squeeze Heuristic",
            "the heuristics take liberties from the enemy chain that has fewest",
            |h| &mut h.squeeze,
        ),
        heuristic("Capture Heuristic", "the heuristics take enemy chains in atari", |h| &mut h.capture),
        growth(
            choice(
                "Selection",
                "the rule by which the search descends; AMAF, priors, bias and First Play act on uct and tuned",
                SELECTIONS,
            ),
            |config| &mut config.select,
        ),
        growth(choice("AMAF", "what a playout's later moves teach about earlier ones", AMAFS), |config| {
            &mut config.amaf
        }),
        hundredths(
            "Exploration",
            "the weight of rarely tried moves, in hundredths; at 0 uct and tuned are the same",
            500,
            |config| &mut config.exploration,
        ),
        first_play(),
        growth(
            spin("Expand After", "visits before a leaf is expanded", expansion.after, 0..=1000),
            |config| &mut config.expansion.after,
        ),
        growth(
            spin(
                "Expand Ahead",
                "plies below the root that are expanded before the first playout",
                expansion.ahead,
                0..=4,
            ),
            |config| &mut config.expansion.ahead,
        ),
        switch(check("Tree Reuse", "keep the tree for the next move", usual.reuse), |config| {
            &mut config.reuse
        }),
        switch(
            spin(
                "Virtual Loss",
                "lost visits that keep other threads off a thread's path",
                usual.virtual_loss,
                0..=100,
            ),
            |config| &mut config.virtual_loss,
        ),
        hundredths("Priors", "how much prior knowledge of moves counts, in percent", 1000, |config| {
            &mut config.priors
        }),
        growth(
            choice("Progressive Bias", "how knowledge is added to a move's value besides the priors", BIASES),
            |config| &mut config.bias,
        ),
        check(
            "Progressive Widening",
            "open the moves of a position one by one, the best by priors first",
            usual.widening.is_some(),
        )
        .by(
            |e: &Go| e.mcts.config.widening.is_some(),
            |e, on| e.regrow(|config| config.widening = on.then(Widening::default)),
        ),
        switch(choice("Final Choice", "which move at the root is played", CHOICES), |config| {
            &mut config.choice
        }),
        switch(choice("Parallel", "how threads share the work", PARALLELS), |config| &mut config.parallel),
    ]
}

/// A switch of the search.
fn switch<T: Copy + 'static>(declared: Declared<T>, of: fn(&mut Config) -> &mut T) -> Setting<Go> {
    declared
        .by(move |e: &Go| *of(&mut e.mcts.config.clone()), move |e, value| *of(&mut e.mcts.config) = value)
}

/// A switch by which trees grow.
fn growth<T: Copy + 'static>(declared: Declared<T>, of: fn(&mut Config) -> &mut T) -> Setting<Go> {
    declared.by(
        move |e: &Go| *of(&mut e.mcts.config.clone()),
        move |e, value| e.regrow(|config| *of(config) = value),
    )
}

/// A factor by which trees grow.
fn hundredths(
    name: &'static str,
    help: &'static str,
    most: i64,
    of: fn(&mut Config) -> &mut f32,
) -> Setting<Go> {
    let get = move |mut config: Config| (*of(&mut config) * 100.0).round() as i64;
    spin(name, help, get(tuning::config()), 0..=most).by(
        move |e: &Go| get(e.mcts.config.clone()),
        move |e, n| e.regrow(|config| *of(config) = n as f32 / 100.0),
    )
}

fn first_play() -> Setting<Go> {
    let help =
        "the value of an unvisited move, in hundredths; 0 to try every move once first; priors replace it";
    let get = |config: &Config| config.first_play.map_or(0, |value| (value * 100.0).round() as i64);
    spin("First Play", help, get(&tuning::config()), 0..=1000).by(
        move |e: &Go| get(&e.mcts.config),
        |e, n| e.regrow(|config| config.first_play = (n > 0).then_some(n as f32 / 100.0)),
    )
}

/// One of the heuristics of Śliwa's program.
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

impl Go {
    /// Changes how trees grow; one that has grown otherwise is of no use.
    fn regrow(&mut self, change: impl FnOnce(&mut Config)) {
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
