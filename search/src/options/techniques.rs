//! The rows by which users experiment with the search: its algorithm, and techniques off and on.

use super::{Options, Setting, choice, text};
use crate::alphabeta::{Algorithm, AlphaBeta, Choice};
use crate::{Engine, Eval};

/// `Algorithm`.
pub fn algorithm<E>(
    get: impl Fn(&E) -> Algorithm + 'static,
    set: impl Fn(&mut E, Algorithm) -> Result<(), String> + 'static,
) -> Setting<E> {
    let help = "how the search finds a value: as its preset does, or by an algorithm of the textbooks";
    choice("Algorithm", help, &Algorithm::WORDS).by(get, set)
}

/// `Switch Off`.
pub fn switch_off<E>(
    get: impl Fn(&E) -> String + 'static,
    set: impl Fn(&mut E, String) -> Result<(), String> + 'static,
) -> Setting<E> {
    text("Switch Off", "search techniques to switch off, for experiments: killers, table_cutoffs", "")
        .by(get, set)
}

/// `Switch On`.
pub fn switch_on<E>(
    get: impl Fn(&E) -> String + 'static,
    set: impl Fn(&mut E, String) -> Result<(), String> + 'static,
) -> Setting<E> {
    text("Switch On", "search techniques to switch on, for experiments: futility, exact_depth", "")
        .by(get, set)
}

/// All three, of an engine that always plays by the shared alpha-beta.
pub fn techniques<E: Engine, V: Eval<E::Game>>(
    search: fn(&E) -> &AlphaBeta<V>,
    search_mut: fn(&mut E) -> &mut AlphaBeta<V>,
) -> Options<E> {
    let chosen = move |e: &E| search(e).choice().clone();
    let choose = move |e: &mut E, choice: Choice| search_mut(e).choose::<E::Game>(choice);
    vec![
        algorithm(
            move |e| chosen(e).algorithm,
            move |e, algorithm| choose(e, Choice { algorithm, ..chosen(e) }),
        ),
        switch_off(move |e| chosen(e).off, move |e, off| choose(e, Choice { off, ..chosen(e) })),
        switch_on(move |e| chosen(e).on, move |e, on| choose(e, Choice { on, ..chosen(e) })),
    ]
}
