//! What can be chosen of a game and its engine, as forms and checks need it.

use search::options::{Field, Options, Rulebook};
use search::{Engine, Game};

/// The options of an engine without the rules of its game.
pub fn options<E: Engine>() -> Vec<Field> {
    let rules = rules::<<E::Game as Game>::Rules>();
    fields(E::options()).into_iter().filter(|field| !rules.contains(field)).collect()
}

/// The rules of a game; one that sets others stands first.
pub fn rules<R: Rulebook>() -> Vec<Field> {
    fields(R::rows())
}

fn fields<E>(rows: Options<E>) -> Vec<Field> {
    rows.iter().map(|row| Field::clone(row)).collect()
}
