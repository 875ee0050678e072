//! How good were the moves? Scores before and after a move, turned into chances and marks.

use serde::{Deserialize, Serialize};

use search::Side;

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// It gave a little away: `?!`.
    Doubtful,
    /// It gave much away: `?`.
    Mistake,
    /// It gave nearly everything away: `??`.
    Blunder,
}

impl Mark {
    /// As game records write it.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Doubtful => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// The number of the same in PGN.
    pub fn glyph(self) -> u32 {
        match self {
            Mark::Doubtful => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

/// Hundredths at which the chances are about 73 to 27.
const SCALE: f64 = 250.0;

/// The chance to win, from 0 to 1, of the side whose view the score has.
pub fn chance(score: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / SCALE).exp())
}

/// Judges a move of `mover` by the scores before and after it, both from White's view.
pub fn judge(mover: Side, before: i32, after: i32) -> Option<Mark> {
    let sign = if mover == Side::White { 1 } else { -1 };
    match chance(sign * before) - chance(sign * after) {
        lost if lost >= 0.3 => Some(Mark::Blunder),
        lost if lost >= 0.2 => Some(Mark::Mistake),
        lost if lost >= 0.1 => Some(Mark::Doubtful),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_judged_by_what_it_gives_away() {
        assert_eq!(judge(Side::White, 30, 20), None);
        assert_eq!(judge(Side::White, 0, -120), Some(Mark::Doubtful));
        assert_eq!(judge(Side::Black, 0, 230), Some(Mark::Mistake));
        assert_eq!(judge(Side::White, 300, -300), Some(Mark::Blunder));
        assert_eq!(judge(Side::Black, 300, -300), None);
    }

    #[test]
    fn little_is_lost_where_all_is_decided() {
        assert_eq!(judge(Side::White, 2000, 1200), None);
        assert_eq!(judge(Side::Black, 2000, 3000), None);
    }
}
