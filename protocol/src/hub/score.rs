//! Scores of Hub: in men, and near 100 of them the distance to the end of the game.

use search::Score;

/// Beyond this many men a score tells how far the end is.
const DECIDED: f64 = 90.0;

/// A score in men: beyond 99 the end is in sight, and the last digits count the plies to it.
pub(super) fn write(score: Score) -> String {
    match score.plies_to_end() {
        Some(plies) => {
            let far = 100.0 - f64::from(plies.abs().min(99)) / 100.0;
            format!("{:.2}", if plies > 0 { far } else { -far })
        }
        None => format!("{:.2}", f64::from(score.0.clamp(-8999, 8999)) / 100.0),
    }
}

/// Men as our scores have them; the last digits of a decided one count plies to the end.
pub fn read(men: f64) -> Score {
    let plies = ((100.0 - men.abs()) * 100.0).round().max(0.0) as u32;
    match men {
        men if men > DECIDED => Score::win_in(plies),
        men if men < -DECIDED => Score::loss_in(plies),
        men => Score((men * 100.0).round() as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_tell_an_end_from_an_opinion() {
        assert_eq!(write(Score(-137)), "-1.37");
        assert_eq!(write(Score::win_in(7)), "99.93");
        assert_eq!(write(Score::loss_in(0)), "-100.00");
        assert_eq!(write(Score(30_000)), "89.99");
    }

    #[test]
    fn scores_are_read_back() {
        for score in [Score(-137), Score(29), Score::win_in(7), Score::loss_in(2), Score::loss_in(0)] {
            assert_eq!(write(score).parse::<f64>().map(read), Ok(score));
        }
    }
}
