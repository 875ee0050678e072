//! The switches of the search, so that experiments and play use the same code.

use ::search::alphabeta::techniques::{SwitchError, names};

/// A switch as experiments name it.
pub struct Switch {
    /// `null_move`.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Where it is.
    pub field: fn(&mut Config) -> &mut bool,
}

macro_rules! switches {
    ($($name:ident: $help:literal,)*) => {
        /// Every switch, all on by default.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Config {
            $(#[doc = $help] pub $name: bool,)*
        }

        impl Default for Config {
            fn default() -> Config {
                Config { $($name: true,)* }
            }
        }

        impl Config {
            /// All switches.
            pub const SWITCHES: &'static [Switch] =
                &[$(Switch { name: stringify!($name), help: $help, field: |c| &mut c.$name },)*];
        }
    };
}

switches! {
    aspiration: "a narrow window around the value of the last iteration",
    table_cutoffs: "let the table cut off",
    killers: "prefer quiet moves that caused a cutoff at the same ply",
    butterfly_history: "prefer moves that were good elsewhere, whatever came before",
    capture_history: "prefer captures that were good elsewhere",
    continuation_history: "prefer moves that were good after the same moves",
    correction_history: "correct the static value by what searches of similar positions found",
    null_move: "let the opponent move twice; if we still fail high, cut",
    late_move_reductions: "search late moves less deeply at first",
    late_move_pruning: "near the horizon, leave out late quiet moves",
    futility: "near the horizon, leave out quiet moves that cannot reach the window",
    reverse_futility: "near the horizon, cut when the static value stands well above the window",
    razoring: "near the horizon, drop into quiescence when the static value stands far below the window",
    exchange_pruning: "leave out moves that lose material",
    check_extension: "search positions in check one ply deeper",
    singular_extension: "search more deeply a move that is better than all others",
    internal_reduction: "search less deeply where the table knows no move",
    probcut: "cut when a good capture beats the window by a margin in a shallower search",
    quiescence_checks: "give checks in the first ply of quiescence",
    mate_distance: "narrow the window to what the shortest mate can give",
    upcoming_repetition: "see a repetition one ply before it happens",
}

impl Config {
    /// The switches with these techniques off. As all are on by default, none can be switched on.
    pub fn switched(off: &str, on: &str) -> Result<Config, SwitchError> {
        let mut config = Config::default();
        for name in names(off).chain(names(on)) {
            if !config.turn(name, false) {
                let known: Vec<&str> = Config::SWITCHES.iter().map(|switch| switch.name).collect();
                return Err(SwitchError::Unknown { name: name.to_owned(), known: known.join(", ") });
            }
        }
        match names(on).next().map(str::to_owned) {
            Some(name) if names(off).any(|off| off == name) => Err(SwitchError::Both(name)),
            Some(name) => Err(SwitchError::Already { name, way: "on" }),
            None => Ok(config),
        }
    }

    /// Turns one switch; says whether the name is known.
    pub fn turn(&mut self, name: &str, on: bool) -> bool {
        let known = Config::SWITCHES.iter().find(|switch| switch.name == name);
        known.inspect(|switch| *(switch.field)(self) = on).is_some()
    }
}
