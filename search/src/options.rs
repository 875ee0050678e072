//! An engine's options and a game's rules: each declared once, with its kind, default, range, help and setter.
//!
//! The announcement, the parser, the range check, the docs table and the board's form all read these rows.

mod declared;
mod shared;
mod techniques;

use std::fmt::Debug;
use std::ops::Deref;

use crate::{Engine, Game};

pub use declared::{Declared, Done, Number, button, check, choice, combo, spin, text};
pub use shared::{
    Common, NO_BOOK, common, complete, endgame_path, log_file, network_file, overhead, own_book, preset,
    skill, threads, weights_file,
};
pub use techniques::{algorithm, switch_off, switch_on, techniques};

/// What values an option takes, and the one it starts with.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Check {
        /// At the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// At the start.
        default: i64,
        /// The least allowed.
        min: i64,
        /// The most allowed.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// At the start.
        default: &'static str,
        /// All that are allowed.
        choices: Vec<&'static str>,
    },
    /// Any text, also none.
    Text {
        /// At the start.
        default: &'static str,
    },
    /// An action.
    Button,
}

impl std::fmt::Display for Kind {
    /// The values it takes, for people.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Check { .. } => f.write_str("true, false"),
            Kind::Spin { min, max, .. } => write!(f, "{min} to {max}"),
            Kind::Combo { choices, .. } => f.write_str(&choices.join(", ")),
            Kind::Text { .. } => f.write_str("text"),
            Kind::Button => f.write_str("button"),
        }
    }
}

/// A value that fits an option's kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of a check.
    Check(bool),
    /// Of a spin, within its range.
    Spin(i64),
    /// Of a combo or a text; a combo's word is spelled as declared when it is set.
    Text(String),
    /// Of a button.
    Press,
}

impl Value {
    /// The value of a check.
    pub fn is_on(&self) -> bool {
        matches!(self, Value::Check(true))
    }

    /// The value of a spin.
    pub fn number(&self) -> i64 {
        if let Value::Spin(n) = self { *n } else { 0 }
    }

    /// The value of a combo or text.
    pub fn text(&self) -> &str {
        if let Value::Text(text) = self { text } else { "" }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Check(on) => write!(f, "{on}"),
            Value::Spin(n) => write!(f, "{n}"),
            Value::Text(text) => f.write_str(text),
            Value::Press => Ok(()),
        }
    }
}

/// Why an option keeps its old value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("no such option: '{0}'")]
    Unknown(String),
    /// No rule of the game has this name.
    #[error("no such rule: '{name}' (the rules are {known})")]
    Rule {
        /// What was given.
        name: String,
        /// What would have been right.
        known: String,
    },
    /// The value does not fit the kind or range.
    #[error("option {name}: '{value}' is not {wanted}")]
    Value {
        /// The option.
        name: String,
        /// What was given.
        value: String,
        /// What would have been right.
        wanted: String,
    },
    /// The value fits, but could not be carried out.
    #[error("option {name}: {why}")]
    Failed {
        /// The option.
        name: String,
        /// What went wrong.
        why: String,
    },
}

/// Whom an option is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Whoever plays against the engine; the board's form offers it.
    Player,
    /// Whoever looks after files and memory, or experiments.
    Expert,
    /// The program that drives the engine.
    Protocol,
}

/// What is declared of an option, whatever has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// As users spell it; case does not matter.
    pub name: &'static str,
    /// Values and default.
    pub kind: Kind,
    /// One line for people.
    pub help: &'static str,
    /// Whom it is for.
    pub audience: Audience,
}

/// One option of an engine, or one rule of a game.
pub struct Setting<E> {
    field: Field,
    get: Get<E>,
    set: Set<E>,
}

type Get<E> = Box<dyn Fn(&E) -> Value>;
type Set<E> = Box<dyn Fn(&mut E, Value) -> Result<(), String>>;

impl<E> Deref for Setting<E> {
    type Target = Field;

    fn deref(&self) -> &Field {
        &self.field
    }
}

impl<E> Setting<E> {
    /// The same option for others.
    pub fn meant_for(self, audience: Audience) -> Self {
        Setting { field: Field { audience, ..self.field }, ..self }
    }

    /// The current value.
    pub fn get(&self, from: &E) -> Value {
        (self.get)(from)
    }
}

impl Field {
    /// Whether this is its name: case does not matter, and blanks may be `_` where words must not hold any.
    pub fn is_called(&self, name: &str) -> bool {
        let spelled = |name: &str| name.replace('_', " ").to_ascii_lowercase();
        spelled(self.name) == spelled(name)
    }

    /// Reads a value of this option from text.
    pub fn read(&self, text: &str) -> Result<Value, OptionError> {
        let wrong = |wanted: String| OptionError::Value {
            name: self.name.to_owned(),
            value: text.to_owned(),
            wanted,
        };
        match &self.kind {
            Kind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" => Ok(Value::Check(true)),
                "false" => Ok(Value::Check(false)),
                _ => Err(wrong("true or false".to_owned())),
            },
            Kind::Spin { min, max, .. } => match text.parse::<i64>() {
                Ok(n) if (*min..=*max).contains(&n) => Ok(Value::Spin(n)),
                _ => Err(wrong(format!("a number from {min} to {max}"))),
            },
            Kind::Combo { choices, .. } => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(text))
                .map(|&choice| Value::Text(choice.to_owned()))
                .ok_or_else(|| wrong(format!("one of {}", choices.join(", ")))),
            Kind::Text { .. } if text == "<empty>" => Ok(Value::Text(String::new())),
            Kind::Text { .. } => Ok(Value::Text(text.to_owned())),
            Kind::Button => Ok(Value::Press),
        }
    }

    /// The value the option starts with.
    pub fn default_value(&self) -> Value {
        match &self.kind {
            Kind::Check { default } => Value::Check(*default),
            Kind::Spin { default, .. } => Value::Spin(*default),
            Kind::Combo { default, .. } | Kind::Text { default } => Value::Text((*default).to_owned()),
            Kind::Button => Value::Press,
        }
    }
}

/// All options of an engine, in the order in which it announces them.
pub type Options<E> = Vec<Setting<E>>;

/// The value of a choice that none of its words means, such as a mixture of rules; it cannot be chosen.
pub const CUSTOM: &str = "custom";

/// Sets the row of this name from text; a refused value changes nothing.
pub fn choose<E>(rows: &[Setting<E>], of: &mut E, name: &str, value: &str) -> Result<(), OptionError> {
    let row = rows.iter().find(|row| row.is_called(name));
    let row = row.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
    let value = row.read(value)?;
    // A choice that is made already changes nothing: a preset chosen again leaves what was set after it.
    if matches!(row.kind, Kind::Combo { .. }) && row.get(of) == value {
        return Ok(());
    }
    (row.set)(of, value).map_err(|why| OptionError::Failed { name: row.name.to_owned(), why })
}

/// The options, by name and value, that bring a fresh engine to where this one is, in an order in which it takes them.
pub fn chosen<E: Engine>(engine: &E) -> Vec<(&'static str, String)> {
    let mut rows = E::options();
    // A preset sets other options, so those come after it.
    rows.sort_by_key(|row| row.name != "Preset");
    // What a choice sets may have been set back to its default: another engine follows to see what is left to say.
    let mut follower = E::new();
    let mut chosen = Vec::new();
    for row in rows {
        let value = row.get(engine);
        // A mixture that has no name is told by the rows it is made of.
        if value == row.get(&follower) || row.read(&value.to_string()).is_err() {
            continue;
        }
        if matches!(row.kind, Kind::Combo { .. }) {
            follower.set(row.name, &value.to_string()).expect("it is the value of an engine");
        }
        chosen.push((row.name, value.to_string()));
    }
    chosen
}

/// The rules of a game as a user chooses them, for engine, referee and board alike.
pub trait Rulebook: Clone + Eq + Debug + Default + Send + Sync + 'static {
    /// What can be chosen; a row that sets others stands before them.
    fn rows() -> Options<Self> {
        Options::new()
    }

    /// Changes one of the rules from the user's words; what is refused changes nothing.
    fn choose(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let rows = Self::rows();
        choose(&rows, self, name, value).map_err(|error| match error {
            OptionError::Unknown(name) => {
                let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
                OptionError::Rule { name, known: names.join(", ") }
            }
            other => other,
        })
    }

    /// The default rules with these choices made one after the other.
    fn chosen(choices: &[(String, String)]) -> Result<Self, OptionError> {
        let mut rules = Self::default();
        choices.iter().try_for_each(|(name, value)| rules.choose(name, value))?;
        Ok(rules)
    }
}

/// The rules of a game as options of an engine that plays it.
pub fn rules<E: Engine>() -> Options<E> {
    let lifted = |row: Setting<<E::Game as Game>::Rules>| Setting {
        field: row.field,
        get: Box::new(move |e: &E| (row.get)(&e.rules())),
        set: Box::new(move |e: &mut E, value| {
            let mut rules = e.rules();
            (row.set)(&mut rules, value)?;
            e.set_rules(rules);
            Ok(())
        }),
    };
    <E::Game as Game>::Rules::rows().into_iter().map(lifted).collect()
}
