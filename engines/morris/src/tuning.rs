//! Every number and switch of the engine that is a matter of opinion.

use std::sync::LazyLock;

use search::alphabeta::Config;
use search::learn::games::{Opening, Style};

use crate::Weights;

/// How games are played that the engine learns from.
pub const GAMES: Style = Style {
    opening: Opening { plies: 4, choices: 7, balance: Some(200) },
    lots: 40,
    decided: Some(1000),
    even: None,
    longest: 300,
};

/// The weights of Wozniak's evaluations, in its own units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedWeights {
    /// Of a man; Wozniak prints it exchanged with that of the win.
    pub man: i32,
    /// Of the end of the game.
    pub win: i32,
    /// Of a mill; Wozniak does not say.
    pub mill: i32,
    /// Of a possible move; Wozniak does not say.
    pub moves: i32,
}

impl Default for SeedWeights {
    fn default() -> Self {
        SeedWeights { man: 9, win: 1086, mill: 3, moves: 1 }
    }
}

/// Up to so many closing moves all are tried below the horizon; of more, the best removals of each mill.
pub(crate) const NOISY_FEW: usize = 3;
/// Removals of one mill that are tried then.
pub(crate) const NOISY_REMOVALS: usize = 2;

/// The weights that `quintet learn morris` wrote.
const LEARNED: &str = include_str!("../learned/weights.txt");

/// The weights of the default evaluation.
pub fn weights() -> Weights {
    static WEIGHTS: LazyLock<Weights> =
        LazyLock::new(|| Weights::read(LEARNED).expect("the file was written by the learner"));
    *WEIGHTS
}

/// The weights that learning starts from.
pub fn hand_set() -> Weights {
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

/// The switches of Wozniak's alpha-beta: none; children are ordered, if at all, by `static_ordering`.
pub fn seed_config() -> Config {
    Config::plain()
}

#[cfg(test)]
mod tests {
    use search::{Engine, Game};

    use super::*;
    use crate::{Morris, Position, Rules};

    #[test]
    fn the_default_evaluation_plays_the_learned_file() {
        assert!(LEARNED.starts_with("# Learned by `quintet learn morris "), "the header names the command");
        let learned = Weights::read(LEARNED).unwrap();
        assert_ne!(learned, hand_set());
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, LEARNED).unwrap();
        let said = |options: &[(&str, &str)], fen: &str| {
            let mut engine = Morris::alone();
            options.iter().for_each(|(name, value)| engine.set(name, value).unwrap());
            engine.explain(&search::Root::new(Position::read(&Rules::STANDARD, fen).unwrap()))
        };
        for fen in [
            "w.b.ww../.bw..b../b...w.b. w 3 4 0 -",
            "ww.wb.../..wb..b./w..bb... b 0 0 12 -",
            "ww...w../...bb.b./....b... w 0 0 0 -",
        ] {
            let shipped = said(&[], fen);
            assert_eq!(shipped, said(&[("Evaluation", "default")], fen));
            assert_eq!(shipped, said(&[("Weights File", file.path().to_str().unwrap())], fen));
            let position = Position::read(&Rules::STANDARD, fen).unwrap();
            assert!(shipped.ends_with(&format!("Evaluation: {} cp", learned.value(&position))), "{shipped}");
        }
    }
}
