//! Games of the engine against itself, and the quiet positions that teach.

use std::sync::Arc;

use ::search::learn::Played;
use ::search::{Control, Game, Info, Limits, Random, Root, Side};

use crate::eval::terms::Weights;
use crate::eval::{Evaluation, Evaluator};
use crate::openings::open;
use crate::search::{Config, Searcher};
use crate::{Move, Position, tuning};

/// Random plies before the engine plays.
const RANDOM_PLIES: u32 = 7;
/// A random opening that leaves one side so much better is dropped.
const LOPSIDED: i32 = 350;
/// A game is decided when both sides say so for this many plies.
const DECIDED: i32 = 1000;
const DECIDED_PLIES: i32 = 4;
/// And drawn when this old.
const LONGEST: usize = 320;
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

/// A player of games against itself.
pub struct Games {
    searcher: Searcher,
    nodes: u64,
}

impl Games {
    /// Games with so many nodes a move; a small table, since games are short and many.
    pub fn new(weights: Weights, nodes: u64) -> Games {
        let evaluator = Evaluator::new(Evaluation::Full, Arc::new(weights), Arc::new(tuning::thesis()));
        let mut searcher = Searcher::new(Config::default(), evaluator);
        // A failure leaves the larger table, which serves as well.
        let _ = searcher.resize(1);
        Games { searcher, nodes }
    }

    /// The game of this seed.
    pub fn play(&mut self, seed: u64) -> Played<Position> {
        let mut game = open(self, RANDOM_PLIES, LOPSIDED, &mut Random::new(seed));
        let mut played = Played::opened(seed, &game);
        // For how many plies both sides have said who wins: above 0 White, below it Black.
        let mut agreed = 0;
        played.winner = loop {
            if let Some(outcome) = game.outcome() {
                break outcome.winner;
            }
            if game.moves().len() >= LONGEST {
                break None;
            }
            let Some((m, score)) = self.think(&game) else { break None };
            let lead = whites(game.position(), score);
            let sign = if lead.abs() < DECIDED { 0 } else { lead.signum() };
            agreed = if sign * agreed > 0 { agreed + sign } else { sign };
            if agreed.abs() >= DECIDED_PLIES {
                break Some(if agreed > 0 { Side::White } else { Side::Black });
            }
            played.turns.push((m, Some(score)));
            game.play(m);
        };
        played
    }

    /// What a search without memories says of the last position, from its mover's view.
    pub(crate) fn judge(&mut self, game: &Root<Position>) -> i32 {
        self.searcher.forget();
        self.think(game).map_or(0, |(_, score)| score)
    }

    /// The move to play and its score from the mover's view.
    fn think(&mut self, game: &Root<Position>) -> Option<(Move, i32)> {
        let mut score = 0;
        let mut note = |info: &Info<Move>| {
            if let Info::Line(line) = info {
                score = line.score.0;
            }
        };
        let limits = Limits::nodes(self.nodes);
        let best = self.searcher.think(game, &limits, &Control::default(), &mut note).best?;
        Some((best, score))
    }
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
    use super::*;
    use crate::Rules;

    #[test]
    fn a_seed_fixes_a_game_and_what_it_teaches() {
        let mut games = Games::new(tuning::weights(), 60);
        let first = games.play(3);
        assert_eq!(first, games.play(3));
        assert_eq!(Played::read(Position::start(&Rules::default()), &first.write()), Ok(first.clone()));
        let kept = examples(&first);
        assert!(!kept.is_empty() && kept == examples(&first));
        assert!(kept.iter().all(|kept| !kept.position.in_check() && kept.result == first.result()));
    }
}
