//! Declaring a row: what it is in one call, who has it in the next.

use std::ops::RangeInclusive;

use super::{Audience, CUSTOM, Field, Kind, Setting, Value};

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
