//! The options of the Go engine, one row each, and the words they take.

use std::time::Duration;

use search::mcts::{Amaf, Bias, Choice, Parallel, Select, Widening};
use search::options::{Kind, Options, Setting, Value};
use search::{Engine, Search};

use crate::playout::Style;
use crate::recipes::{Heuristics, Roulette};
use crate::rules::NAMES;
use crate::{Go, tuning};

/// The engine at its best.
pub(crate) const DEFAULT: &str = "default";
/// The program of the source.
pub(crate) const GO_GAME: &str = "GO GAME";

/// Rules that have no name; they cannot be chosen by one.
const CUSTOM: &str = "custom";

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

fn word<T: PartialEq>(words: &Words<T>, value: &T) -> Value {
    let found = words.iter().find(|(_, known)| known == value).unwrap_or(&words[0]);
    Value::Text(found.0.to_owned())
}

fn meaning<T: Copy>(words: &Words<T>, value: &Value) -> T {
    words.iter().find(|(name, _)| *name == value.text()).unwrap_or(&words[0]).1
}

/// All rows, in the order in which they are shown.
pub(crate) fn all() -> Options<Go> {
    let general: Options<Go> = vec![
        Setting {
            name: "Threads",
            kind: Kind::Spin { default: 1, min: 1, max: 1024 },
            help: "search threads",
            get: |e| Value::Spin(e.common.threads as i64),
            set: |e, v| {
                e.common.threads = v.number() as usize;
                e.configure();
                Ok(())
            },
        },
        Setting {
            name: "Tree Memory",
            kind: Kind::Spin { default: tuning::TREE_MEMORY as i64, min: 1, max: 1 << 20 },
            help: "what the search tree may take, in MiB",
            get: |e| Value::Spin(e.memory as i64),
            set: |e, v| e.resize(v.number() as usize),
        },
        Setting {
            name: "Move Time",
            kind: Kind::Spin { default: 5, min: 0, max: 86_400 },
            help: "seconds a move when no time settings came",
            get: |e| Value::Spin(e.move_time.as_secs() as i64),
            set: |e, v| {
                e.move_time = Duration::from_secs(v.number() as u64);
                Ok(())
            },
        },
        Setting {
            name: "Playouts",
            kind: Kind::Spin { default: 0, min: 0, max: 1 << 40 },
            help: "playouts a move instead of time; 0 for no such limit",
            get: |e| Value::Spin(e.playouts as i64),
            set: |e, v| {
                e.playouts = v.number() as u64;
                Ok(())
            },
        },
        Setting {
            name: "Move Overhead",
            kind: Kind::Spin { default: tuning::OVERHEAD.as_millis() as i64, min: 0, max: 5000 },
            help: "milliseconds held back from every time limit",
            get: |e| Value::Spin(e.common.overhead.as_millis() as i64),
            set: |e, v| {
                e.common.overhead = Duration::from_millis(v.number() as u64);
                e.configure();
                Ok(())
            },
        },
        Setting {
            name: "Ponder",
            kind: Kind::Check { default: false },
            help: "think on the opponent's time",
            get: |e| Value::Check(e.common.ponder),
            set: |e, v| {
                e.common.ponder = v.is_on();
                Ok(())
            },
        },
        Setting {
            name: "Rules",
            kind: Kind::Combo { default: "chinese", choices: &NAMES },
            help: "counting, ko and suicide",
            get: |e| Value::Text(e.rules.name().unwrap_or(CUSTOM).to_owned()),
            set: |e, v| {
                let rules = e.rules.with_name(v.text()).ok_or("no such rules")?;
                e.set_rules(rules);
                Ok(())
            },
        },
        Setting {
            name: "Resign",
            kind: Kind::Spin { default: tuning::RESIGN, min: 0, max: 50 },
            help: "resign below this chance to win, in percent; 0 for never",
            get: |e| Value::Spin(e.resign),
            set: |e, v| {
                e.resign = v.number();
                Ok(())
            },
        },
        Setting {
            name: "Resign Move",
            kind: Kind::Spin { default: tuning::RESIGN_MOVE, min: 0, max: 100 },
            help: "never resign before this many moves for every hundred points of the board",
            get: |e| Value::Spin(e.resign_move),
            set: |e, v| {
                e.resign_move = v.number();
                Ok(())
            },
        },
        Setting {
            name: "Skill Level",
            kind: Kind::Spin { default: 20, min: 0, max: 20 },
            help: "20 is full strength, 0 a beginner",
            get: |e| Value::Spin(i64::from(e.common.skill)),
            set: |e, v| {
                e.common.skill = v.number() as u32;
                Ok(())
            },
        },
        Setting {
            name: "Preset",
            kind: Kind::Combo { default: DEFAULT, choices: &[DEFAULT, GO_GAME] },
            help: "all switches at once: the engine at its best, or the program of the source",
            get: |e| Value::Text(e.preset.to_owned()),
            set: |e, v| {
                e.set_preset(v.word(&[DEFAULT, GO_GAME]));
                Ok(())
            },
        },
        Setting {
            name: "Live Graphics",
            kind: Kind::Check { default: false },
            help: "drawings for GoGui on the error stream while thinking",
            get: |e| Value::Check(e.live),
            set: |e, v| {
                e.live = v.is_on();
                Ok(())
            },
        },
        Setting {
            name: "Debug Log File",
            kind: Kind::Text { default: "" },
            help: "write everything heard and said to this file",
            get: |e| Value::Text(e.common.log_file.clone()),
            set: |e, v| {
                e.common.log_file = v.text().to_owned();
                Ok(())
            },
        },
    ];
    general.into_iter().chain(switches()).collect()
}

/// The switches of the search, for experiments.
fn switches() -> Options<Go> {
    vec![
        Setting {
            name: "Playout",
            kind: Kind::Combo {
                default: "heavy",
                choices: &[
                    "heavy",
                    "light",
                    "heuristics",
                    "roulette",
                    "roulette-opening",
                    "urgency",
                    "sequence",
                ],
            },
            help: "what playouts know",
            get: |e| match e.knowledge().style {
                Style::Heuristics(_) => Value::Text("heuristics".to_owned()),
                style => word(PLAYOUTS, &style),
            },
            set: |e, v| {
                e.search().policy.style = meaning(PLAYOUTS, &v);
                e.set_heuristics(e.heuristics);
                e.forget();
                Ok(())
            },
        },
        Setting {
            name: "Strategy",
            kind: Kind::Combo { default: "search", choices: &["search", "heuristics"] },
            help: "what finds the moves: the search, or the heuristics of the source's program alone",
            get: |e| Value::Text(if e.alone { "heuristics" } else { "search" }.to_owned()),
            set: |e, v| {
                e.alone = v.text() == "heuristics";
                Ok(())
            },
        },
        Setting {
            name: "Attack Heuristic",
            kind: Kind::Check { default: true },
            help: "the heuristics put enemy chains in atari",
            get: |e| Value::Check(e.heuristics.attack),
            set: |e, v| {
                e.set_heuristics(Heuristics { attack: v.is_on(), ..e.heuristics });
                Ok(())
            },
        },
        Setting {
            name: "Defence Heuristic",
            kind: Kind::Check { default: true },
            help: "the heuristics save own chains in atari",
            get: |e| Value::Check(e.heuristics.defence),
            set: |e, v| {
                e.set_heuristics(Heuristics { defence: v.is_on(), ..e.heuristics });
                Ok(())
            },
        },
        Setting {
            name: "Squeeze Heuristic",
            kind: Kind::Check { default: true },
            help: "the heuristics take liberties of the enemy chain that has fewest",
            get: |e| Value::Check(e.heuristics.squeeze),
            set: |e, v| {
                e.set_heuristics(Heuristics { squeeze: v.is_on(), ..e.heuristics });
                Ok(())
            },
        },
        Setting {
            name: "Capture Heuristic",
            kind: Kind::Check { default: true },
            help: "the heuristics take enemy chains in atari",
            get: |e| Value::Check(e.heuristics.capture),
            set: |e, v| {
                e.set_heuristics(Heuristics { capture: v.is_on(), ..e.heuristics });
                Ok(())
            },
        },
        Setting {
            name: "Selection",
            kind: Kind::Combo { default: "uct", choices: &["uct", "tuned", "omc", "pbbm", "flat"] },
            help: "the rule by which the search descends; AMAF, priors, bias and First Play act on uct and tuned",
            get: |e| word(SELECTIONS, &e.config().select),
            set: |e, v| {
                e.search().config.select = meaning(SELECTIONS, &v);
                e.forget();
                Ok(())
            },
        },
        Setting {
            name: "AMAF",
            kind: Kind::Combo {
                default: "error",
                choices: &["error", "off", "all", "rave", "uct-rave", "alpha", "first", "cutoff"],
            },
            help: "what a playout's later moves teach about earlier ones",
            get: |e| word(AMAFS, &e.config().amaf),
            set: |e, v| {
                e.search().config.amaf = meaning(AMAFS, &v);
                e.forget();
                Ok(())
            },
        },
        Setting {
            name: "Exploration",
            kind: Kind::Spin { default: 0, min: 0, max: 500 },
            help: "the weight of moves that were tried seldom, in hundredths; without it uct and tuned are the same",
            get: |e| Value::Spin((e.config().exploration * 100.0).round() as i64),
            set: |e, v| {
                e.search().config.exploration = v.number() as f32 / 100.0;
                e.forget();
                Ok(())
            },
        },
        Setting {
            name: "First Play",
            kind: Kind::Spin { default: 0, min: 0, max: 1000 },
            help: "the value of a move without visits, in hundredths; 0 to try every move once first; priors take its place",
            get: |e| Value::Spin(e.config().first_play.map_or(0, |value| (value * 100.0).round() as i64)),
            set: |e, v| {
                e.search().config.first_play = (v.number() > 0).then_some(v.number() as f32 / 100.0);
                e.forget();
                Ok(())
            },
        },
        Setting {
            name: "Expand After",
            kind: Kind::Spin { default: i64::from(tuning::EXPAND_AFTER), min: 0, max: 1000 },
            help: "visits before a leaf of the tree gets children",
            get: |e| Value::Spin(i64::from(e.config().expansion.after)),
            set: |e, v| {
                e.search().config.expansion.after = v.number() as u32;
                e.forget();
                Ok(())
            },
        },
        Setting {
            name: "Expand Ahead",
            kind: Kind::Spin { default: 0, min: 0, max: 4 },
            help: "plies below the root that get children before the first playout",
            get: |e| Value::Spin(i64::from(e.config().expansion.ahead)),
            set: |e, v| {
                e.search().config.expansion.ahead = v.number() as u32;
                e.forget();
                Ok(())
            },
        },
        Setting {
            name: "Tree Reuse",
            kind: Kind::Check { default: true },
            help: "whether what was found is kept for the next move",
            get: |e| Value::Check(e.config().reuse),
            set: |e, v| {
                e.search().config.reuse = v.is_on();
                Ok(())
            },
        },
        Setting {
            name: "Virtual Loss",
            kind: Kind::Spin { default: 1, min: 0, max: 100 },
            help: "lost visits that keep other threads from a thread's way",
            get: |e| Value::Spin(i64::from(e.config().virtual_loss)),
            set: |e, v| {
                e.search().config.virtual_loss = v.number() as u32;
                Ok(())
            },
        },
        Setting {
            name: "Priors",
            kind: Kind::Spin { default: 100, min: 0, max: 1000 },
            help: "how much is thought of moves before they are tried, in percent",
            get: |e| Value::Spin((e.config().priors * 100.0).round() as i64),
            set: |e, v| {
                e.search().config.priors = v.number() as f32 / 100.0;
                e.forget();
                Ok(())
            },
        },
        Setting {
            name: "Progressive Bias",
            kind: Kind::Combo { default: "off", choices: &["off", "mango", "mogo"] },
            help: "how knowledge is added to a move's value beside the priors",
            get: |e| word(BIASES, &e.config().bias),
            set: |e, v| {
                e.search().config.bias = meaning(BIASES, &v);
                e.forget();
                Ok(())
            },
        },
        Setting {
            name: "Progressive Widening",
            kind: Kind::Check { default: false },
            help: "open the moves of a position one by one, the best by priors first",
            get: |e| Value::Check(e.config().widening.is_some()),
            set: |e, v| {
                e.search().config.widening = v.is_on().then(Widening::default);
                e.forget();
                Ok(())
            },
        },
        Setting {
            name: "Final Choice",
            kind: Kind::Combo { default: "robust", choices: &["robust", "max", "max-robust", "secure"] },
            help: "which move of the tree is played",
            get: |e| word(CHOICES, &e.config().choice),
            set: |e, v| {
                e.search().config.choice = meaning(CHOICES, &v);
                Ok(())
            },
        },
        Setting {
            name: "Parallel",
            kind: Kind::Combo {
                default: "tree",
                choices: &["tree", "global-lock", "local-locks", "root", "leaf"],
            },
            help: "how threads share the work",
            get: |e| word(PARALLELS, &e.config().parallel),
            set: |e, v| {
                e.search().config.parallel = meaning(PARALLELS, &v);
                Ok(())
            },
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_an_option_offers_can_be_set_and_read() {
        for row in all() {
            let mut go = Go::new();
            assert_eq!((row.get)(&go), row.default_value(), "{}", row.name);
            if let Kind::Combo { choices, .. } = row.kind {
                for choice in choices {
                    go.set(row.name, choice).unwrap();
                    assert_eq!((row.get)(&go).text(), *choice, "{}", row.name);
                }
            }
        }
    }
}
