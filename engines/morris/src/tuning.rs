//! Every number and switch of the engine that is a matter of opinion.

use search::alphabeta::{Config, Driver, Ordering};

use crate::Weights;

/// The weights of the source's evaluations, in its own units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedWeights {
    /// Of a man; the source prints it exchanged with that of the win.
    pub man: i32,
    /// Of the end of the game.
    pub win: i32,
    /// Of a mill; the source does not say.
    pub mill: i32,
    /// Of a possible move; the source does not say.
    pub moves: i32,
}

impl Default for SeedWeights {
    fn default() -> Self {
        SeedWeights { man: 9, win: 1086, mill: 3, moves: 1 }
    }
}

/// Which search the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Everything that wins matches.
    Default,
    /// The source's alpha-beta.
    AlphaBeta,
    /// The same with children ordered by their static value.
    Ordered,
    /// The source's min-max.
    Minimax,
}

/// Up to so many closing moves all are tried below the horizon; of more, the best removals of each mill.
pub(crate) const NOISY_FEW: usize = 3;
/// Removals of one mill that are tried then.
pub(crate) const NOISY_REMOVALS: usize = 2;

/// The weights of the default evaluation.
pub fn weights() -> Weights {
    Weights {
        values: [
            // men, mills, threats, open lines, mobility, blocked men, running mills, crossings, flying
            [100, 20, 18, 12, 4, -14, 30, 7, 0],
            [100, 18, 22, 8, 6, -18, 50, 2, 0],
            [100, 10, 60, 40, 3, -8, 30, 2, 40],
        ],
    }
}

/// The switches that win matches.
pub fn config() -> Config {
    Config { quiescence: Some(8), ..Config::default() }
}

/// The switches of a search the user chose.
pub fn config_of(algorithm: Algorithm) -> Config {
    match algorithm {
        Algorithm::Default => config(),
        Algorithm::AlphaBeta => Config::plain(),
        Algorithm::Ordered => Config { ordering: Ordering::Static, ..Config::plain() },
        Algorithm::Minimax => Config { driver: Driver::Minimax, ..Config::plain() },
    }
}
