//! Numbers that matches decide, each declared once: its name, default, range and meaning.
//!
//! The search reads the fields of a struct, a tuner the rows that stand for them; both come from [`tunables!`](crate::tunables).

use std::ops::RangeInclusive;

/// One number of `N`.
pub struct Tunable<N> {
    /// As files of tuning spell it.
    pub name: &'static str,
    /// What it is while nobody tunes.
    pub default: i32,
    /// What makes sense.
    pub range: RangeInclusive<i32>,
    /// One line for people.
    pub help: &'static str,
    /// Where it is.
    pub field: fn(&mut N) -> &mut i32,
}

/// The numbers of an engine's search.
pub trait Tunables: Clone + Default + PartialEq + Send + Sync + 'static {
    /// All of them, in the order in which they are declared.
    const ROWS: &'static [Tunable<Self>];
}

/// Declares a struct of numbers and its rows.
#[macro_export]
macro_rules! tunables {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($field:ident: $default:literal in $range:expr, $help:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $(#[doc = $help] pub $field: i32,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }

        impl $crate::tunable::Tunables for $name {
            const ROWS: &'static [$crate::tunable::Tunable<Self>] = &[$($crate::tunable::Tunable {
                name: stringify!($field),
                default: $default,
                range: $range,
                help: $help,
                field: |numbers| &mut numbers.$field,
            },)*];
        }
    };
}
