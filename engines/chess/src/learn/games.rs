//! The quiet positions of games that teach weights.

use ::search::learn::Played;
use ::search::{Game, Random, Side};

use crate::Position;

/// Positions worth more to either side teach nothing: they are won whatever the weights.
const DECIDED: i32 = 1000;
/// Two in this many quiet positions of a game teach; neighbours are much alike.
const SPARSENESS: u32 = 3;

/// A quiet position and what came of it, from White's view.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The position.
    pub position: Position,
    /// The result of its game: 1, 0.5 or 0.
    pub result: f64,
    /// What its search said, in hundredths of a pawn.
    pub score: i32,
}

/// A value of the side to move as White's.
fn whites(position: &Position, score: i32) -> i32 {
    if position.turn() == Side::White { score } else { -score }
}

/// The quiet positions of a game that teach, the same whenever they are asked for.
pub fn examples(game: &Played<Position>) -> Vec<Example> {
    let mut random = Random::new(game.seed);
    let mut kept = Vec::new();
    game.valued(|root, m, score| {
        let p = root.position();
        if !p.in_check() && !p.is_noisy(m) && score.abs() < DECIDED && random.below(SPARSENESS) > 0 {
            kept.push(Example { position: *p, result: game.result(), score: whites(p, score) });
        }
    });
    kept
}

#[cfg(test)]
mod tests {
    use ::search::Limits;
    use ::search::learn::games::play;

    use super::*;
    use crate::search::{Config, Searcher};
    use crate::{Evaluation, Rules, tuning};

    #[test]
    fn a_game_teaches_the_same_whenever_it_is_asked() {
        let mut player = Searcher::new(Config::default(), tuning::evaluator(Evaluation::Full));
        let start = Position::start(&Rules::default());
        let game = play(&mut player, &start, &tuning::GAMES, &Limits::nodes(60), 3);
        let kept = examples(&game);
        assert!(!kept.is_empty() && kept == examples(&game));
        assert!(kept.iter().all(|kept| !kept.position.in_check() && kept.result == game.result()));
    }
}
