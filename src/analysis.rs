//! How good were the moves? Scores before and after a move, turned into chances and marks.

mod lines;

use serde::{Deserialize, Serialize};

use search::Side;

use crate::referee::Referee;
pub use lines::Lines;

/// How good or bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// Every other move would have given much away: `!`.
    Good,
    /// It gave much away: `?`.
    Mistake,
    /// Somebody admires it: `!!`.
    Brilliant,
    /// It gave nearly everything away: `??`.
    Blunder,
    /// Somebody finds it worth a look: `!?`.
    Interesting,
    /// It gave a little away: `?!`.
    Doubtful,
}

impl Mark {
    /// All marks, in the order of their numbers in game records.
    const ALL: [Mark; 6] =
        [Mark::Good, Mark::Mistake, Mark::Brilliant, Mark::Blunder, Mark::Interesting, Mark::Doubtful];

    /// As game records write it.
    pub fn sign(self) -> &'static str {
        ["!", "?", "!!", "??", "!?", "?!"][self as usize]
    }

    /// The mark that is written so.
    pub fn of_sign(sign: &str) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| mark.sign() == sign)
    }

    /// The mark of this number in game records: 1 for `!`.
    pub fn of_glyph(glyph: u8) -> Option<Mark> {
        Mark::ALL.get(usize::from(glyph).checked_sub(1)?).copied()
    }
}

/// Hundredths at which the chances are about 73 to 27.
const SCALE: f64 = 250.0;

/// What a won game is worth, in hundredths; a forced win is worth as much less as it takes moves.
const WON: i32 = 30_000;
/// Moves to a forced win that are told apart.
const FARTHEST: i32 = 1000;

/// The value of a win that is forced in so many moves.
pub fn forced(moves: u32) -> i32 {
    WON - moves.min(FARTHEST as u32) as i32
}

/// The moves to the end that a value says is forced, whoever wins; none if it is a value in hundredths.
pub fn moves_to_end(score: i32) -> Option<i32> {
    Some(WON - score.abs()).filter(|&moves| moves <= FARTHEST)
}

/// A number of pawns as a value that is no forced end; none if it is no number.
pub fn hundredths(pawns: f64) -> Option<i32> {
    let most = f64::from(WON - FARTHEST - 1);
    Some((100.0 * pawns).round().clamp(-most, most) as i32).filter(|_| !pawns.is_nan())
}

/// The value of a game that is over in hundredths, from White's view; none while it goes on. Stones of Go that
/// look dead are taken off before they are counted.
pub fn final_score(referee: &dyn Referee) -> Option<i32> {
    let outcome = referee.outcome()?;
    let judged = referee.settled(&[]).and_then(|_| referee.judge_stones());
    let settled = judged.and_then(|judged| referee.settled(&judged.dead));
    let winner = settled.unwrap_or(outcome).winner;
    Some(winner.map_or(0, |side| if side == Side::White { WON } else { -WON }))
}

/// The chance to win, from 0 to 1, of the side whose view the score has.
pub fn chance(score: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / SCALE).exp())
}

/// The score in hundredths at which the chance is this, as [`chance`] has it.
pub fn score(chance: f64) -> i32 {
    (SCALE * (chance / (1.0 - chance)).ln()) as i32
}

/// A value as people write it: `+0.31`.
pub fn pawns(score: i32) -> String {
    format!("{:+.2}", f64::from(score) / 100.0)
}

/// What a search said about a position, from White's view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The value of the best move.
    pub first: Option<i32>,
    /// The value of the second-best, if it was asked for.
    pub second: Option<i32>,
    /// The best move.
    pub best: Option<String>,
}

impl Verdict {
    /// Judges a move of `mover` here that led to a position of this value.
    pub fn judge(&self, mover: Side, play: &str, after: Option<i32>) -> Option<Mark> {
        let sign = if mover == Side::White { 1 } else { -1 };
        if self.best.as_deref() == Some(play)
            && let (Some(first), Some(second)) = (self.first, self.second)
            && chance(sign * first) - chance(sign * second) >= 0.2
        {
            return Some(Mark::Good);
        }
        judge(mover, self.first?, after?)
    }
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
    fn dead_stones_do_not_win_a_game() {
        let rules = [("BoardSize".to_owned(), "5".to_owned()), ("Komi".to_owned(), "0.5".to_owned())];
        let mut referee = crate::referee::open("go", &rules).unwrap();
        // White has half a point more once the stone in its corner is gone.
        referee.set_up(Some("5/bbbbb/5/wwwww/1b3 b - 0 0 0")).unwrap();
        assert_eq!(final_score(&*referee), None);
        for _ in 0..2 {
            referee.play("pass").unwrap();
        }
        assert_eq!(final_score(&*referee), Some(WON));
    }

    #[test]
    fn scores_and_chances_are_two_ways_to_say_the_same() {
        for points in [-900, -31, 0, 250] {
            assert!((score(chance(points)) - points).abs() <= 1, "{points}");
        }
    }

    #[test]
    fn the_only_good_move_is_praised() {
        let verdict = Verdict { first: Some(20), second: Some(-400), best: Some("e2e4".into()) };
        assert_eq!(verdict.judge(Side::White, "e2e4", Some(15)), Some(Mark::Good));
        assert_eq!(verdict.judge(Side::White, "a2a3", Some(-400)), Some(Mark::Blunder));
        assert_eq!(verdict.judge(Side::Black, "e2e4", Some(15)), None);
        assert_eq!(Verdict::default().judge(Side::White, "e2e4", Some(-900)), None);
    }

    #[test]
    fn little_is_lost_where_all_is_decided() {
        assert_eq!(judge(Side::White, 2000, 1200), None);
        assert_eq!(judge(Side::Black, 2000, 3000), None);
    }
}
