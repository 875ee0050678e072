//! Every number and switch of the engine that is a matter of opinion.

use search::alphabeta::{Config, Ordering, Repetition};
use search::learn::games::{Opening, Style};
use search::table::Scheme;

/// Material in hundredths of a man, as Beling has it.
pub(crate) const MAN: i32 = 100;
pub(crate) const KING: i32 = 300;

/// Plies by which positions that a database calls drawn are searched less deep.
pub(crate) const DRAW_REDUCTION: i32 = 4;

/// Entries of Beling's table.
pub(crate) const LITTLE_POLISH_ENTRIES: usize = 1 << 21;

/// How games are played that the engine learns from.
pub const GAMES: Style = Style {
    opening: Opening { plies: 4, choices: 9, balance: None },
    lots: 40,
    decided: Some(1000),
    even: None,
    longest: 1000,
};

/// The switches that win matches. Looking one ply further where something hangs halves the games lost.
pub fn config() -> Config {
    Config {
        forced_extension: true,
        hanging_extension: true,
        draw_reduction: Some(DRAW_REDUCTION),
        ..Config::default()
    }
}

/// The switches of Beling's thesis: PVS on fail-soft alpha-beta, deepening, its root search, its table, which keeps
/// leaves, too, and orders by its move only, captures played out, any repetition a draw.
pub fn little_polish_config() -> Config {
    Config {
        fail_soft: true,
        pvs: true,
        deepening: true,
        sliding: Some(MAN / 2),
        table_cutoffs: true,
        table_ordering: true,
        fresh_table: true,
        open_cutoffs: true,
        table_leaves: true,
        scheme: Scheme::Open,
        quiescence: Some(32),
        ordering: Ordering::Generated,
        draw_reduction: Some(DRAW_REDUCTION),
        repetition: Repetition::Any,
        ..Config::plain()
    }
}
