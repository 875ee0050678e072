//! An engine's options and a game's rules: each declared once, with its kind, default, range, help and setter.
//!
//! The announcement, the parser, the range check, the docs table and the board's form all read these rows.

use std::fmt::Debug;
use std::ops::{Deref, RangeInclusive};
use std::time::Duration;

use crate::{Engine, Game};

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

/// What a setter answers: nothing if it cannot fail.
pub trait Done {
    /// Why it failed, if it did.
    fn done(self) -> Result<(), String>;
}

impl Done for () {
    fn done(self) -> Result<(), String> {
        Ok(())
    }
}

impl Done for Result<(), String> {
    fn done(self) -> Result<(), String> {
        self
    }
}

/// A type of whole numbers; the range of an option keeps it from overflowing.
pub trait Number: 'static {
    /// As an option has it.
    fn wide(self) -> i64;
    /// From within an option's range.
    fn narrow(n: i64) -> Self;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Number for $number {
            fn wide(self) -> i64 {
                self as i64
            }

            fn narrow(n: i64) -> Self {
                n as $number
            }
        }
    )*};
}

numbers! { u8, u16, i32, u32, i64, u64, usize }

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

/// An option of type `T` that nothing has yet.
pub struct Declared<T> {
    field: Field,
    show: Box<dyn Fn(T) -> Value>,
    read: Box<dyn Fn(Value) -> T>,
}

impl<T: 'static> Declared<T> {
    fn new(
        (name, help): (&'static str, &'static str),
        kind: Kind,
        show: impl Fn(T) -> Value + 'static,
        read: impl Fn(Value) -> T + 'static,
    ) -> Self {
        // Files and actions are nothing for a form.
        let audience = match kind {
            Kind::Text { .. } | Kind::Button => Audience::Expert,
            _ => Audience::Player,
        };
        let field = Field { name, kind, help, audience };
        Declared { field, show: Box::new(show), read: Box::new(read) }
    }

    /// The option as something has it.
    pub fn by<E, R: Done>(
        self,
        get: impl Fn(&E) -> T + 'static,
        set: impl Fn(&mut E, T) -> R + 'static,
    ) -> Setting<E> {
        let Declared { field, show, read } = self;
        let set = move |e: &mut E, value| set(e, read(value)).done();
        Setting { field, get: Box::new(move |e| show(get(e))), set: Box::new(set) }
    }
}

/// A switch.
pub fn check(name: &'static str, help: &'static str, default: bool) -> Declared<bool> {
    Declared::new((name, help), Kind::Check { default }, Value::Check, |value| value.is_on())
}

/// A whole number of a range.
pub fn spin<N: Number>(
    name: &'static str,
    help: &'static str,
    default: N,
    range: RangeInclusive<N>,
) -> Declared<N> {
    let (min, max) = range.into_inner();
    let kind = Kind::Spin { default: default.wide(), min: min.wide(), max: max.wide() };
    Declared::new((name, help), kind, |n: N| Value::Spin(n.wide()), |value| N::narrow(value.number()))
}

/// One of several words, the first by default.
pub fn combo(
    name: &'static str,
    help: &'static str,
    words: &'static [&'static str],
) -> Declared<&'static str> {
    let meant = |value: Value| words.iter().find(|&&word| word == value.text()).unwrap_or(&words[0]);
    let kind = Kind::Combo { default: words[0], choices: words.to_vec() };
    Declared::new((name, help), kind, |word: &str| Value::Text(word.to_owned()), move |value| meant(value))
}

/// What one of several words means, the first by default; [`CUSTOM`] is what none of them means.
pub fn choice<T: Copy + PartialEq>(
    name: &'static str,
    help: &'static str,
    words: &'static [(&'static str, T)],
) -> Declared<T> {
    let choices: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let word = |meaning| words.iter().find(|(_, known)| *known == meaning).map_or(CUSTOM, |(word, _)| word);
    let meaning = |value: Value| words.iter().find(|(word, _)| *word == value.text()).unwrap_or(&words[0]).1;
    let kind = Kind::Combo { default: choices[0], choices };
    Declared::new((name, help), kind, move |meaning| Value::Text(word(meaning).to_owned()), meaning)
}

/// Any text, also none.
pub fn text(name: &'static str, help: &'static str, default: &'static str) -> Declared<String> {
    Declared::new((name, help), Kind::Text { default }, Value::Text, |value| value.to_string())
}

/// An action.
pub fn button<E>(name: &'static str, help: &'static str, press: impl Fn(&mut E) + 'static) -> Setting<E> {
    Declared::new((name, help), Kind::Button, |()| Value::Press, |_| ()).by(|_| (), move |e, ()| press(e))
}

impl Field {
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
    let row = rows.iter().find(|row| row.name.eq_ignore_ascii_case(name));
    let row = row.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
    let value = row.read(value)?;
    // A choice that is made already changes nothing: a preset chosen again leaves what was set after it.
    if matches!(row.kind, Kind::Combo { .. }) && row.get(of) == value {
        return Ok(());
    }
    (row.set)(of, value).map_err(|why| OptionError::Failed { name: row.name.to_owned(), why })
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

/// All rows of a UCI engine: what every one has, the rules of its game, and its own.
pub fn complete<E: Engine>(own: Options<E>) -> Options<E> {
    common().into_iter().chain(rules()).chain(own).collect()
}

/// The rows every UCI engine has.
pub fn common<E: Engine>() -> Options<E> {
    let usual = Common::default();
    vec![
        spin("Hash", "size of the hash table in MiB", usual.hash, 1..=33_554_432)
            .by(
                |e: &E| e.common().hash,
                |e, mib| {
                    e.resize(mib)?;
                    e.common_mut().hash = mib;
                    Ok(())
                },
            )
            .meant_for(Audience::Expert),
        threads(),
        button("Clear Hash", "forget everything learned in this game", E::forget),
        check("Ponder", "the engine will be asked to think on the opponent's time", usual.ponder)
            .by(|e: &E| e.common().ponder, |e, on| e.common_mut().ponder = on)
            .meant_for(Audience::Protocol),
        spin("MultiPV", "number of lines of play shown", usual.multipv, 1..=256)
            .by(|e: &E| e.common().multipv, |e, lines| e.common_mut().multipv = lines)
            .meant_for(Audience::Protocol),
        overhead(usual.overhead),
        skill(),
        check("UCI_AnalyseMode", "analysis rather than a game", usual.analyse)
            .by(|e: &E| e.common().analyse, |e, on| e.common_mut().analyse = on)
            .meant_for(Audience::Protocol),
        log_file(),
    ]
}

/// `Threads`.
pub fn threads<E: Engine>() -> Setting<E> {
    spin("Threads", "search threads", Common::default().threads, 1..=1024)
        .by(|e: &E| e.common().threads, |e, threads| e.common_mut().threads = threads)
}

/// `Move Overhead`, with so much by default.
pub fn overhead<E: Engine>(default: Duration) -> Setting<E> {
    spin(
        "Move Overhead",
        "milliseconds held back from every time limit",
        default.as_millis() as u64,
        0..=5000,
    )
    .by(
        |e: &E| e.common().overhead.as_millis() as u64,
        |e, milliseconds| e.common_mut().overhead = Duration::from_millis(milliseconds),
    )
    .meant_for(Audience::Expert)
}

/// `Skill Level`.
pub fn skill<E: Engine>() -> Setting<E> {
    let full = Common::default().skill;
    spin("Skill Level", "20 is full strength, 0 a beginner", full, 0..=full)
        .by(|e: &E| e.common().skill, |e, level| e.common_mut().skill = level)
        .meant_for(Audience::Protocol)
}

/// `Debug Log File`.
pub fn log_file<E: Engine>() -> Setting<E> {
    text("Debug Log File", "write all input and output to this file", "")
        .by(|e: &E| e.common().log_file.clone(), |e, path| e.common_mut().log_file = path)
}

/// `Preset`, which sets other options; those set after it override it.
pub fn preset<E, R: Done>(
    words: &'static [&'static str],
    get: impl Fn(&E) -> &'static str + 'static,
    set: impl Fn(&mut E, &'static str) -> R + 'static,
) -> Setting<E> {
    let help = "all switches at once: the engine at its best, or the published program of that name";
    combo("Preset", help, words).by(get, set)
}

/// `Weights File`.
pub fn weights_file<E>(
    get: impl Fn(&E) -> String + 'static,
    set: impl Fn(&mut E, &str) -> Result<(), String> + 'static,
) -> Setting<E> {
    let help = "weights read from a file; overrides Evaluation";
    text("Weights File", help, "").by(get, move |e, path| set(e, &path))
}

/// `EndgamePath`.
pub fn endgame_path<E>(
    get: impl Fn(&E) -> String + 'static,
    set: impl Fn(&mut E, &str) -> Result<(), String> + 'static,
) -> Setting<E> {
    let help = "directory of the endgame databases; empty for the one quintet build uses";
    text("EndgamePath", help, "").by(get, move |e, path| set(e, &path))
}

/// `OwnBook`.
pub fn own_book<E>(get: impl Fn(&E) -> bool + 'static, set: impl Fn(&mut E, bool) + 'static) -> Setting<E> {
    check("OwnBook", "play the opening from the book", false).by(get, set)
}
