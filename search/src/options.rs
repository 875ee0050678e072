//! An engine's options: each declared once, with its kind, default, range, help and setter.
//!
//! The announcement, the parser, the range check, the docs table and the board's form all read these rows.

use std::time::Duration;

use crate::Engine;

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
        choices: &'static [&'static str],
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

    /// The value of a combo in the spelling that outlives the text it was read from.
    pub fn word(&self, choices: &[&'static str]) -> &'static str {
        choices.iter().find(|&&choice| choice == self.text()).copied().unwrap_or(choices[0])
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

/// One option of an engine `E`.
pub struct Setting<E: ?Sized> {
    /// As users spell it; case does not matter.
    pub name: &'static str,
    /// Values and default.
    pub kind: Kind,
    /// One line for people.
    pub help: &'static str,
    /// The current value.
    pub get: fn(&E) -> Value,
    /// Sets a value that fits the kind.
    pub set: fn(&mut E, Value) -> Result<(), String>,
}

impl<E: ?Sized> Setting<E> {
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
            log_file: String::new(),
        }
    }
}

/// The rows every UCI engine has.
pub fn common<E: Engine>() -> Options<E> {
    vec![
        Setting {
            name: "Hash",
            kind: Kind::Spin { default: 16, min: 1, max: 33_554_432 },
            help: "size of the hash table in MiB",
            get: |e| Value::Spin(e.common().hash as i64),
            set: |e, v| {
                e.resize(v.number() as usize)?;
                e.common_mut().hash = v.number() as usize;
                Ok(())
            },
        },
        Setting {
            name: "Threads",
            kind: Kind::Spin { default: 1, min: 1, max: 1024 },
            help: "search threads",
            get: |e| Value::Spin(e.common().threads as i64),
            set: |e, v| {
                e.common_mut().threads = v.number() as usize;
                Ok(())
            },
        },
        Setting {
            name: "Clear Hash",
            kind: Kind::Button,
            help: "forget everything learned in this game",
            get: |_| Value::Press,
            set: |e, _| {
                e.forget();
                Ok(())
            },
        },
        Setting {
            name: "Ponder",
            kind: Kind::Check { default: false },
            help: "the engine will be asked to think on the opponent's time",
            get: |e| Value::Check(e.common().ponder),
            set: |e, v| {
                e.common_mut().ponder = v.is_on();
                Ok(())
            },
        },
        Setting {
            name: "MultiPV",
            kind: Kind::Spin { default: 1, min: 1, max: 256 },
            help: "number of lines of play shown",
            get: |e| Value::Spin(e.common().multipv as i64),
            set: |e, v| {
                e.common_mut().multipv = v.number() as usize;
                Ok(())
            },
        },
        Setting {
            name: "Move Overhead",
            kind: Kind::Spin { default: 10, min: 0, max: 5000 },
            help: "milliseconds held back from every time limit",
            get: |e| Value::Spin(e.common().overhead.as_millis() as i64),
            set: |e, v| {
                e.common_mut().overhead = Duration::from_millis(v.number() as u64);
                Ok(())
            },
        },
        Setting {
            name: "Skill Level",
            kind: Kind::Spin { default: 20, min: 0, max: 20 },
            help: "20 is full strength, 0 a beginner",
            get: |e| Value::Spin(i64::from(e.common().skill)),
            set: |e, v| {
                e.common_mut().skill = v.number() as u32;
                Ok(())
            },
        },
        Setting {
            name: "UCI_AnalyseMode",
            kind: Kind::Check { default: false },
            help: "analysis rather than a game",
            get: |e| Value::Check(e.common().analyse),
            set: |e, v| {
                e.common_mut().analyse = v.is_on();
                Ok(())
            },
        },
        Setting {
            name: "Debug Log File",
            kind: Kind::Text { default: "" },
            help: "write everything heard and said to this file",
            get: |e| Value::Text(e.common().log_file.clone()),
            set: |e, v| {
                e.common_mut().log_file = v.text().to_owned();
                Ok(())
            },
        },
    ]
}
