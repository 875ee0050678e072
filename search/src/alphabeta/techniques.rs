//! What a user may change about a search by name: its algorithm, and single techniques.
//!
//! An algorithm says how windows lead to a value; it leaves table, order of moves, extensions and leaf search as they
//! are. Minimax looks at everything, so it switches off whatever cuts or reduces.

use super::config::{self, Config, Driver, Mtd, Ordering, Repetition};
use crate::table::Moves;

/// How the value of an iteration is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// As the engine or its preset has it.
    #[default]
    Default,
    /// Every move of every position.
    Minimax,
    /// The same tree in the form with one function, which is how both are written here.
    Negamax,
    /// Branch and bound: only the upper bound is used.
    OneBound,
    /// Alpha-beta that returns values within its window (fail-hard).
    AlphaBeta,
    /// Alpha-beta that returns the best value found.
    FailSoft,
    /// All but the first move are asked only whether they are better.
    Pvs,
    /// Fail-soft alpha-beta in a window around the value of the last iteration.
    Aspiration,
    /// Zero windows alone.
    Mtd(Mtd),
}

/// By how much MTD-step lowers its window: the value of a man.
const STEP: i32 = 100;

impl Algorithm {
    /// The words for them, in the order of the textbooks.
    pub const WORDS: [(&'static str, Algorithm); 13] = [
        ("default", Algorithm::Default),
        ("minimax", Algorithm::Minimax),
        ("negamax", Algorithm::Negamax),
        ("one-bound", Algorithm::OneBound),
        ("alpha-beta", Algorithm::AlphaBeta),
        ("fail-soft", Algorithm::FailSoft),
        ("PVS", Algorithm::Pvs),
        ("aspiration", Algorithm::Aspiration),
        ("MTD(f)", Algorithm::Mtd(Mtd::F)),
        ("SSS*", Algorithm::Mtd(Mtd::Sss)),
        ("DUAL*", Algorithm::Mtd(Mtd::Dual)),
        ("MTD-step", Algorithm::Mtd(Mtd::Step(STEP))),
        ("MTD-bi", Algorithm::Mtd(Mtd::Bi)),
    ];

    /// These switches with this algorithm.
    fn of(self, base: &Config) -> Config {
        let windows = Config {
            driver: Driver::Window,
            best_move_stop: false,
            fail_soft: self != Algorithm::AlphaBeta && self != Algorithm::OneBound,
            one_bound: self == Algorithm::OneBound,
            pvs: self == Algorithm::Pvs,
            aspiration: None,
            sliding: None,
            ..base.clone()
        };
        match self {
            Algorithm::Default => base.clone(),
            Algorithm::Minimax | Algorithm::Negamax => Config {
                driver: Driver::Minimax,
                table_cutoffs: false,
                table_narrowing: false,
                open_cutoffs: false,
                etc: None,
                null_move: None,
                late_move_reductions: false,
                internal_reduction: false,
                futility: None,
                ..windows
            },
            Algorithm::OneBound | Algorithm::AlphaBeta | Algorithm::FailSoft | Algorithm::Pvs => windows,
            Algorithm::Aspiration => aspiring(windows, base),
            // Without memory every window would be searched from scratch.
            Algorithm::Mtd(kind) => {
                Config { driver: Driver::Mtd(kind), table_cutoffs: true, table_ordering: true, ..windows }
            }
        }
    }
}

/// A window around the last value, of the kind and width that the engine has.
fn aspiring(config: Config, base: &Config) -> Config {
    let usual = base.sliding.is_none().then_some(config::USUAL_ASPIRATION);
    Config { deepening: true, aspiration: base.aspiration.or(usual), sliding: base.sliding, ..config }
}

/// A technique that can be switched off and on.
pub struct Technique {
    /// `null_move`.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    is_on: fn(&Config) -> bool,
    /// Turns it; where it needs a number, it takes that of the engine or the usual one.
    turned: fn(Config, bool, &Config) -> Config,
    /// Whether it makes a difference to such a search.
    acts: fn(&Config) -> bool,
}

/// A switch that is a field of the config.
macro_rules! switch {
    ($field:ident, $help:literal, $acts:expr) => {
        Technique {
            name: stringify!($field),
            help: $help,
            is_on: |config| config.$field,
            turned: |config, on, _| Config { $field: on, ..config },
            acts: $acts,
        }
    };
    ($name:literal, $field:ident or $usual:expr, $help:literal, $acts:expr) => {
        Technique {
            name: $name,
            help: $help,
            is_on: |config| config.$field.is_some(),
            turned: |config, on, base| Config { $field: on.then(|| base.$field.unwrap_or($usual)), ..config },
            acts: $acts,
        }
    };
}

/// One of several orders of moves.
macro_rules! ordering {
    ($name:literal, $ordering:expr, $help:literal) => {
        Technique {
            name: $name,
            help: $help,
            is_on: |config| config.ordering == $ordering,
            turned: |config, on, _| Config {
                ordering: if on { $ordering } else { Ordering::Generated },
                ..config
            },
            acts: |_| true,
        }
    };
}

fn always(_: &Config) -> bool {
    true
}

fn windows(config: &Config) -> bool {
    config.driver == Driver::Window
}

/// Whether a value outside its window is used once more, by a table or a second search.
fn asks_again(config: &Config) -> bool {
    config.uses_table() || config.pvs || config.aspiration.is_some() || config.sliding.is_some()
}

fn cuts(config: &Config) -> bool {
    config.driver != Driver::Minimax
}

fn keeps_moves(config: &Config) -> bool {
    config.scheme.moves() != Moves::None
}

fn learns(config: &Config) -> bool {
    cuts(config) && config.ordering == Ordering::Heuristic
}

/// All techniques.
pub const TECHNIQUES: [Technique; 28] = [
    switch!(pvs, "search all but the first move with a zero window first", |c| windows(c) && !c.one_bound),
    Technique {
        name: "aspiration",
        help: "a narrow window around the value of the last iteration",
        is_on: |config| config.aspiration.is_some() || config.sliding.is_some(),
        turned: |config, on, base| {
            if on { aspiring(config, base) } else { Config { aspiration: None, sliding: None, ..config } }
        },
        acts: |config| windows(config) && config.deepening,
    },
    switch!(fail_soft, "return the best value found, not the edge of the window", |c| windows(c)
        && !c.one_bound
        && asks_again(c)),
    switch!(best_move_stop, "end an MTD search once its move is certain", |c| matches!(
        c.driver,
        Driver::Mtd(_)
    )),
    switch!(deepening, "depth 1, 2, 3, ... instead of the wanted depth at once", always),
    switch!(easy_move, "play early when several iterations agree", |c| c.deepening),
    switch!(table_cutoffs, "let the table cut off", always),
    switch!(table_narrowing, "let bounds from the table narrow the window", |c| c.table_cutoffs && cuts(c)),
    switch!(table_leaves, "keep values of the horizon in the table", |c| c.uses_table()),
    switch!(table_ordering, "try the table's move first", keeps_moves),
    switch!(exact_depth, "use only values searched to the very depth wanted", |c| c.table_cutoffs
        || c.etc.is_some()),
    switch!(fresh_table, "empty the table for every search", |c| c.uses_table()),
    switch!("enhanced_cutoffs", etc or config::USUAL_ETC, "look all children up before searching the first", cuts),
    switch!("quiescence", quiescence or config::USUAL_QUIESCENCE, "play captures and the like out below the horizon", always),
    ordering!("static_ordering", Ordering::Static, "order moves by the static value of what they lead to"),
    ordering!(
        "child_ordering",
        Ordering::Children,
        "order moves by the table's value of what they lead to, else at random"
    ),
    ordering!(
        "heuristic_ordering",
        Ordering::Heuristic,
        "order moves by what they gain, and by the three rows that follow"
    ),
    switch!(killers, "prefer quiet moves that caused a cutoff at the same ply", learns),
    switch!(counter_moves, "prefer the move that last refuted the opponent's", learns),
    switch!(history, "prefer moves that were good elsewhere", learns),
    switch!("null_move", null_move or config::USUAL_NULL_MOVE, "let the opponent move twice; if we still fail high, cut", cuts),
    switch!(late_move_reductions, "search late moves less deeply at first", cuts),
    switch!(internal_reduction, "search less deeply where the table knows no move", |c| c.uses_table()
        && keeps_moves(c)),
    switch!("futility", futility or config::USUAL_FUTILITY, "near the horizon, cut when the static value stands well above the window", cuts),
    switch!(forced_extension, "do not count a ply with a single move", always),
    switch!(hanging_extension, "search one ply more at the horizon where something hangs", always),
    Technique {
        name: "any_repetition",
        help: "count any repetition as a draw, also a first one of the game before the search",
        is_on: |config| config.repetition == Repetition::Any,
        turned: |config, on, _| Config {
            repetition: if on { Repetition::Any } else { Repetition::TreeOnce },
            ..config
        },
        acts: always,
    },
    switch!(put_off, "with several threads, put moves off that another one is searching", always),
];

/// Why techniques cannot be switched as wished.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SwitchError {
    /// No technique of this search has the name.
    #[error("no such technique: '{name}' (the techniques are {known})")]
    Unknown {
        /// What was given.
        name: String,
        /// What would have been right.
        known: String,
    },
    /// It is as wished without being named.
    #[error("'{name}' cannot be switched {way}: it is {way} already")]
    Already {
        /// The technique.
        name: String,
        /// `on` or `off`.
        way: &'static str,
    },
    /// Nothing asks for it while the rest is as it is.
    #[error("'{0}' cannot be switched on: it would have no effect")]
    Idle(String),
    /// It stands in both lists.
    #[error("'{0}' cannot be switched both off and on")]
    Both(String),
}

/// The names of a list that a user wrote, separated by commas or blanks.
pub fn names(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split([',', ' ']).filter(|name| !name.is_empty())
}

/// What a user changed about the search of an engine or preset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Techniques switched off, as the user wrote them.
    pub off: String,
    /// Techniques switched on.
    pub on: String,
}

impl Choice {
    /// The switches chosen so; `idle` names the techniques that mean nothing in this game.
    pub(super) fn of(&self, base: &Config, idle: &[&str]) -> Result<Config, SwitchError> {
        let plain = self.algorithm.of(base);
        let mut config = plain.clone();
        for technique in named(&self.off, idle)? {
            let name = technique.name.to_owned();
            if names(&self.on).any(|on| on == name) {
                return Err(SwitchError::Both(name));
            }
            if !(technique.is_on)(&plain) {
                return Err(SwitchError::Already { name, way: "off" });
            }
            config = (technique.turned)(config, false, base);
        }
        let on = named(&self.on, idle)?;
        for technique in &on {
            if (technique.is_on)(&plain) {
                return Err(SwitchError::Already { name: technique.name.to_owned(), way: "on" });
            }
            config = (technique.turned)(config, true, base);
        }
        // One order replaces another, and some techniques need others.
        match on.iter().find(|technique| !(technique.is_on)(&config) || !(technique.acts)(&config)) {
            Some(technique) => Err(SwitchError::Idle(technique.name.to_owned())),
            None => Ok(config),
        }
    }
}

/// The techniques of a list.
fn named(text: &str, idle: &[&str]) -> Result<Vec<&'static Technique>, SwitchError> {
    const ALL: &[Technique] = &TECHNIQUES;
    let known = || ALL.iter().filter(|technique| !idle.contains(&technique.name));
    let find = |name: &str| known().find(|technique| technique.name == name);
    let unknown = |name: &str| SwitchError::Unknown {
        name: name.to_owned(),
        known: known().map(|technique| technique.name).collect::<Vec<_>>().join(", "),
    };
    names(text).map(|name| find(name).ok_or_else(|| unknown(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(algorithm: Algorithm, off: &str, on: &str) -> Choice {
        Choice { algorithm, off: off.to_owned(), on: on.to_owned() }
    }

    /// Why a choice for the usual switches is refused in a game without passes.
    fn why(choice: Choice) -> String {
        choice.of(&Config::default(), &["null_move"]).unwrap_err().to_string()
    }

    #[test]
    fn words_are_refused_by_name() {
        let default = Algorithm::Default;
        let unknown = why(choice(default, "killers, magic", ""));
        assert!(unknown.starts_with("no such technique: 'magic' (the techniques are pvs, "), "{unknown}");
        let idle = why(choice(default, "", "null_move"));
        assert!(
            idle.starts_with("no such technique: 'null_move'") && !idle.contains(", null_move"),
            "{idle}"
        );
        for (algorithm, off, on, wanted) in [
            (default, "futility", "", "'futility' cannot be switched off: it is off already"),
            (default, "", "pvs", "'pvs' cannot be switched on: it is on already"),
            (default, "pvs", "pvs", "'pvs' cannot be switched both off and on"),
            (
                default,
                "",
                "best_move_stop",
                "'best_move_stop' cannot be switched on: it would have no effect",
            ),
            (Algorithm::AlphaBeta, "pvs", "", "'pvs' cannot be switched off: it is off already"),
            (Algorithm::Minimax, "", "futility", "'futility' cannot be switched on: it would have no effect"),
            (
                Algorithm::Mtd(Mtd::F),
                "",
                "aspiration",
                "'aspiration' cannot be switched on: it would have no effect",
            ),
        ] {
            assert_eq!(why(choice(algorithm, off, on)), wanted);
        }
    }

    #[test]
    fn one_order_of_moves_replaces_another() {
        let config = choice(Algorithm::Default, "", "static_ordering").of(&Config::default(), &[]).unwrap();
        assert_eq!(config.ordering, Ordering::Static);
        let both = choice(Algorithm::Default, "", "static_ordering child_ordering");
        assert_eq!(both.of(&Config::default(), &[]), Err(SwitchError::Idle("static_ordering".to_owned())));
        let off = choice(Algorithm::Default, "heuristic_ordering", "").of(&Config::default(), &[]).unwrap();
        assert_eq!(off.ordering, Ordering::Generated);
    }

    #[test]
    fn an_algorithm_leaves_what_it_does_not_speak_of() {
        let base = Config { sliding: Some(50), aspiration: None, quiescence: Some(32), ..Config::default() };
        let of = |algorithm, off, on| choice(algorithm, off, on).of(&base, &[]).unwrap();
        assert_eq!(of(Algorithm::Default, "", ""), base);
        assert_eq!(of(Algorithm::Pvs, "", ""), Config { sliding: None, ..base.clone() });
        assert_eq!(of(Algorithm::Pvs, "", "aspiration"), base, "the engine has a window of its own kind");
        assert_eq!(of(Algorithm::Default, "aspiration pvs", ""), of(Algorithm::FailSoft, "", ""));
        let plain = Config::plain();
        assert_eq!(
            Choice { algorithm: Algorithm::AlphaBeta, ..Choice::default() }.of(&plain, &[]),
            Ok(plain)
        );
    }

    #[test]
    fn names_of_techniques_are_distinct() {
        let mut names: Vec<&str> = TECHNIQUES.iter().map(|technique| technique.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
