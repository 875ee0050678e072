//! The value of a position in hundredths of the game's unit, with exact distances to the end near the rim.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use crate::Bound;

/// A value from the point of view of the side to move, in hundredths of a pawn, man or piece.
///
/// Fits 16 bits. Values beyond [`Score::DECISIVE`] count plies to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// Winning now; a win `n` plies away is `WIN - n`.
    pub const WIN: Score = Score(32_000);
    /// Losing now; a loss `n` plies away is `LOSS + n`.
    pub const LOSS: Score = Score(-32_000);
    /// Above every value.
    pub const INFINITE: Score = Score(32_500);
    /// From here on a value is a proven win with its distance.
    pub const DECISIVE: Score = Score(31_000);
    /// The largest opinion an evaluation may have; between this and `DECISIVE` stand proven wins of
    /// unknown distance.
    pub const OPINION: Score = Score(30_000);

    /// The value of winning in `plies` plies.
    pub fn win_in(plies: u32) -> Score {
        Score(Score::WIN.0 - plies.min(999) as i32)
    }

    /// The value of losing in `plies` plies.
    pub fn loss_in(plies: u32) -> Score {
        -Score::win_in(plies)
    }

    /// Whether it states a forced end with its distance.
    pub fn is_decisive(self) -> bool {
        self.0.abs() >= Score::DECISIVE.0
    }

    /// Plies to the forced end: positive for a win, negative for a loss.
    pub fn plies_to_end(self) -> Option<i32> {
        self.is_decisive().then(|| if self.0 > 0 { Score::WIN.0 - self.0 } else { Score::LOSS.0 - self.0 })
    }

    /// Cuts an opinion down to what an evaluation may say.
    pub fn opinion(self) -> Score {
        self.clamp(-Score::OPINION, Score::OPINION)
    }

    /// The same value seen from a node `ply` plies below the root: what a table may keep for all paths.
    pub fn from_root(self, ply: u32) -> Score {
        self.shifted(ply as i32)
    }

    /// The inverse of [`Score::from_root`].
    pub fn to_root(self, ply: u32) -> Score {
        self.shifted(-(ply as i32))
    }

    fn shifted(self, plies: i32) -> Score {
        if !self.is_decisive() {
            return self;
        }
        Score(if self.0 > 0 {
            (self.0 + plies).clamp(Score::DECISIVE.0, Score::WIN.0)
        } else {
            (self.0 - plies).clamp(Score::LOSS.0, -Score::DECISIVE.0)
        })
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    fn add(self, points: i32) -> Score {
        Score(self.0 + points)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    fn sub(self, points: i32) -> Score {
        Score(self.0 - points)
    }
}

impl fmt::Display for Score {
    /// As UCI writes it: `cp 31`, or `mate -2` counted in moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            Some(plies) if plies > 0 => write!(f, "mate {}", (plies + 1) / 2),
            Some(plies) => write!(f, "mate {}", plies / 2),
            None => write!(f, "cp {}", self.0),
        }
    }
}

/// The open interval in which a value matters, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// At or below it a value need not be known exactly.
    pub alpha: Score,
    /// At or above it neither.
    pub beta: Score,
}

impl Window {
    /// All values.
    pub const FULL: Window = Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// The window that only asks whether the value reaches `beta`.
    pub fn zero(beta: Score) -> Window {
        Window { alpha: beta - 1, beta }
    }

    /// The window of `delta` points to both sides of a value.
    pub fn around(value: Score, delta: i32) -> Window {
        Window { alpha: value - delta, beta: value + delta }
    }

    /// Whether it only asks whether the value reaches `beta`.
    pub fn is_zero(self) -> bool {
        self.beta.0 - self.alpha.0 <= 1
    }

    /// The same window seen by the opponent.
    pub fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// A window of which only the upper bound is used.
    pub fn without_alpha(self) -> Window {
        Window { alpha: Window::FULL.alpha, ..self }
    }

    /// What a score found in this window says of the value.
    pub fn bound(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_written_in_moves() {
        assert_eq!(Score::win_in(1).to_string(), "mate 1");
        assert_eq!(Score::win_in(3).to_string(), "mate 2");
        assert_eq!(Score::loss_in(0).to_string(), "mate 0");
        assert_eq!(Score::loss_in(2).to_string(), "mate -1");
        assert_eq!(Score(-31).to_string(), "cp -31");
    }

    #[test]
    fn table_shift_is_undone() {
        for score in [Score(12), Score::win_in(7), Score::loss_in(30), Score(30_500)] {
            assert_eq!(score.from_root(5).to_root(5), score);
        }
        assert_eq!(Score::win_in(7).from_root(5), Score::win_in(2));
    }
}
