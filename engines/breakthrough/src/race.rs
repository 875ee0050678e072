//! Races: men that reach the other side whatever the opponent does.
//!
//! The idea is that of the race patterns of Saffidine, Jouandeau and Cazenave (2011), applied here to all men at once:
//! a man runs over squares where no enemy can take it, even if every enemy could move at every turn.

use search::{Game, Score};

use crate::moves::{behind, diagonal, straight};
use crate::{Position, Rules};

/// The moves that a side's fastest unstoppable man needs, if there is one that needs at most so many.
///
/// The side moves upwards; `first` says whether it is to move.
pub(crate) fn runner(rules: Rules, (own, other): (u64, u64), first: bool, most: u32) -> Option<u32> {
    let (board, goal) = (rules.board(), rules.goal(search::Side::White));
    let (mut men, mut enemies) = (own, other);
    if !first {
        (men, enemies) = (men & !behind(enemies), approach(enemies));
    }
    for moves in 1..=most {
        men = (straight(men) & !enemies | diagonal(men)) & !own & board;
        if men & goal != 0 {
            return Some(moves);
        }
        men &= !behind(enemies);
        if men == 0 {
            return None;
        }
        enemies = approach(enemies);
    }
    None
}

/// Where enemies, who move downwards, may stand after one more move of each.
fn approach(enemies: u64) -> u64 {
    enemies | enemies >> 8 | behind(enemies)
}

/// The moves that a side's foremost man needs at least; the side moves upwards and has a man.
pub(crate) fn lead(rules: Rules, men: u64) -> u32 {
    u32::from(rules.size()) - 1 - (63 - men.leading_zeros()) / 8
}

/// The value of a position from the side to move if a man of either side can be neither caught nor outrun.
///
/// The distance is that of the race; there may be a shorter win.
pub fn decided(position: &Position) -> Option<Score> {
    let (rules, turn) = (position.rules(), position.turn());
    if position.has_won(!turn) {
        return None;
    }
    let (us, them) = (position.seen_by(turn), position.seen_by(!turn));
    // Who moves first wins a race of equal length.
    if let Some(moves) = runner(rules, us, true, lead(rules, them.0)) {
        return Some(Score::win_in(2 * moves - 1));
    }
    runner(rules, them, false, lead(rules, us.0) - 1).map(|moves| Score::loss_in(2 * moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::alphabeta::{AlphaBeta, Config};
    use search::{Limits, Root, Search};

    use crate::Evaluator;

    fn value(fen: &str) -> Option<i32> {
        let position = Position::read(&Rules::default(), fen).unwrap();
        decided(&position).map(|score| score.plies_to_end().unwrap())
    }

    #[test]
    fn a_man_that_nobody_can_catch_wins() {
        assert_eq!(value("7b/8/8/w7/8/8/8/8 w"), Some(5));
        assert_eq!(value("7b/8/8/w7/8/8/8/8 b"), Some(-6));
        assert_eq!(value("8/bb6/8/w7/8/8/8/8 w"), None);
    }

    #[test]
    fn the_first_to_move_wins_a_race_of_equal_length() {
        assert_eq!(value("8/8/8/w7/7b/8/8/8 w"), Some(5));
        assert_eq!(value("8/8/8/w7/7b/8/8/8 b"), Some(5));
        assert_eq!(value("8/8/8/8/w6b/8/8/8 b"), Some(5));
        assert_eq!(value("8/8/8/8/w6b/8/8/8 w"), Some(-6));
    }

    #[test]
    fn a_man_runs_past_enemies_that_come_too_late() {
        assert_eq!(value("8/b7/8/w7/8/8/8/8 w"), Some(5));
        assert_eq!(value("8/8/2b5/w7/8/8/8/8 w"), Some(5));
        assert_eq!(value("8/8/1b6/w7/8/8/8/8 b"), None);
    }

    /// What a full search without knowledge of races says of positions that a race decides.
    #[test]
    fn a_search_of_the_whole_tree_confirms_races() {
        let rules = Rules::new(5).unwrap();
        let mut found = 0;
        for seed in 0..400 {
            let start = Position::start(&rules);
            let game = search::walk::walk(start, 8 + seed % 24, &mut search::Random::new(seed as u64));
            let Some(claimed) = decided(game.position()) else { continue };
            let plies = claimed.plies_to_end().unwrap();
            let mut search = AlphaBeta::new(Config { deepening: true, ..Config::plain() }, Evaluator::men());
            let (_, lines) = search.ask(&Root::new(*game.position()), &Limits::depth(plies.unsigned_abs()));
            let proven = lines.last().unwrap().score.plies_to_end().unwrap_or(0);
            assert!(proven.signum() == plies.signum() && proven.abs() <= plies.abs(), "{}", game.position());
            found += 1;
        }
        assert!(found > 50, "{found} races");
    }
}
