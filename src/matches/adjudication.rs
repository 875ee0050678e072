//! Ends games whose players agree on the outcome long before the rules do. Off unless asked for.

use search::{Score, Side};

use super::game::Ending;

/// Both players call it even for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Not before this move of the game, from 1.
    pub from_move: usize,
    /// Moves of each side in a row.
    pub moves: usize,
    /// At most this many hundredths from zero.
    pub score: i32,
}

/// A player calls its game lost for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resign {
    /// Moves in a row.
    pub moves: usize,
    /// At least this many hundredths below zero.
    pub score: i32,
    /// The opponent must see it the same way.
    pub two_sided: bool,
}

/// When games end early.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// By agreement on a draw.
    pub draw: Option<Draw>,
    /// By resignation.
    pub resign: Option<Resign>,
    /// Drawn after this many plies, the opening included.
    pub max_plies: Option<usize>,
}

/// Watches the scores of one game.
#[derive(Debug)]
pub struct Judge<'a> {
    rules: &'a Adjudication,
    /// Moves in a row with an even score, by side.
    even: [usize; 2],
    /// The same with a lost and with a won one.
    lost: [usize; 2],
    won: [usize; 2],
}

impl<'a> Judge<'a> {
    /// A judge before the first move.
    pub fn new(rules: &'a Adjudication) -> Self {
        Judge { rules, even: [0; 2], lost: [0; 2], won: [0; 2] }
    }

    /// Takes note of a move with its score from the mover's view, the game's `plies`-th, and may end the game.
    pub fn watch(&mut self, mover: Side, score: Option<Score>, plies: usize) -> Option<Ending> {
        self.resigned(mover, score).or_else(|| self.agreed(mover, score, plies)).or_else(|| {
            let most = self.rules.max_plies?;
            (plies >= most).then(|| Ending::draw("maximum number of plies"))
        })
    }

    fn resigned(&mut self, mover: Side, score: Option<Score>) -> Option<Ending> {
        let rule = self.rules.resign.as_ref()?;
        count(&mut self.lost[mover.index()], score.is_some_and(|s| s.0 <= -rule.score));
        count(&mut self.won[mover.index()], score.is_some_and(|s| s.0 >= rule.score));
        [Side::White, Side::Black].into_iter().find_map(|side| {
            let lost = self.lost[side.index()] >= rule.moves;
            let confirmed = !rule.two_sided || self.won[(!side).index()] >= rule.moves;
            (lost && confirmed).then(|| Ending::win(!side, "resign adjudication"))
        })
    }

    fn agreed(&mut self, mover: Side, score: Option<Score>, plies: usize) -> Option<Ending> {
        let rule = self.rules.draw.as_ref()?;
        count(&mut self.even[mover.index()], score.is_some_and(|s| s.0.abs() <= rule.score));
        let late = plies.div_ceil(2) >= rule.from_move;
        (late && self.even.iter().all(|&n| n >= rule.moves)).then(|| Ending::draw("draw adjudication"))
    }
}

/// Goes on counting, or begins again.
fn count(counter: &mut usize, goes_on: bool) {
    *counter = if goes_on { *counter + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ply after which the game ends, and how, with the scores of White and Black in turn.
    fn verdict(rules: &Adjudication, scores: &[Option<i32>]) -> Option<(usize, Ending)> {
        let mut judge = Judge::new(rules);
        let sides = [Side::White, Side::Black].into_iter().cycle();
        scores.iter().zip(sides).zip(1..).find_map(|((score, side), ply)| {
            judge.watch(side, score.map(Score), ply).map(|ending| (ply, ending))
        })
    }

    #[test]
    fn a_draw_needs_both_players_in_a_row_and_a_late_move() {
        let rules = Adjudication {
            draw: Some(Draw { from_move: 3, moves: 2, score: 10 }),
            ..Adjudication::default()
        };
        let draw = Ending::draw("draw adjudication");
        assert_eq!(verdict(&rules, &[Some(5); 8]), Some((5, draw.clone())));
        let broken = [Some(0), Some(0), Some(0), Some(11), Some(0), Some(0), Some(0), Some(-10)];
        assert_eq!(verdict(&rules, &broken), Some((8, draw)));
        assert_eq!(verdict(&rules, &[Some(0), None].repeat(5)), None);
    }

    #[test]
    fn a_player_resigns_after_lost_moves_in_a_row() {
        let mut rules = Adjudication {
            resign: Some(Resign { moves: 2, score: 400, two_sided: false }),
            ..Adjudication::default()
        };
        let scores = [Some(0), Some(-400), Some(0), Some(-900), Some(0)];
        assert_eq!(verdict(&rules, &scores), Some((4, Ending::win(Side::White, "resign adjudication"))));
        rules.resign.as_mut().unwrap().two_sided = true;
        assert_eq!(verdict(&rules, &scores), None);
        let agreed = [Some(500), Some(-400), Some(500), Some(-900)];
        assert_eq!(verdict(&rules, &agreed).unwrap().0, 4);
    }

    #[test]
    fn plies_may_be_limited() {
        let rules = Adjudication { max_plies: Some(3), ..Adjudication::default() };
        assert_eq!(verdict(&rules, &[None; 5]), Some((3, Ending::draw("maximum number of plies"))));
        assert_eq!(verdict(&Adjudication::default(), &[Some(0); 500]), None);
    }
}
