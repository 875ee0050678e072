//! Games of the engine against itself, from which strengths of moves are learned.

use search::learn::Played;
use search::{Control, Engine, Game, Limits, Random, Root, Search};

use crate::rules::Komi;
use crate::{Go, Move, Position, Rules};

/// What the two sides are given for their second move, in points: even enough on every board.
const KOMI: f64 = 7.0;

/// The rules of games that teach; none if there is no such board.
pub fn rules(size: usize) -> Option<Rules> {
    Some(Rules::default().with_size(size)?.with_komi(Komi::new(KOMI).expect("a finite komi")))
}

/// Plays a game with this many playouts a move until it is resigned or both pass. The value of a move is its player's
/// chance of winning per mille.
pub fn play(start: &Position, seed: u64, playouts: u64) -> Played<Position> {
    let size = start.rules().size();
    let mut root = Root::new(start.clone());
    let mut random = Random::new(seed);
    let mut go = Go::new();
    let mut played = Played::opened(seed, &root);
    let drawn = size / 2 + random.below(size as u32 / 2) as usize;
    while root.position().passes() < 2 && root.moves().len() < 2 * size * size {
        go.mcts.config.seed = random.bits();
        let best = go.think(&root, &Limits::nodes(playouts), &Control::default(), &mut |_| {});
        let by_lot = root.moves().len() < drawn;
        if !by_lot && go.resigns(&root) {
            return Played { winner: Some(!root.position().turn()), ..played };
        }
        let m = if by_lot { draw(&go, &mut random) } else { best.best.unwrap_or(Move::Pass) };
        let chance = (1000.0 * go.mcts.summary().value).round() as i32;
        played.turns.push((m, (!by_lot).then_some(chance)));
        root.play(m);
    }
    Played { winner: root.position().stuck().winner, ..played }
}

/// One of the moves considered, as often as it was visited.
fn draw(go: &Go, random: &mut Random) -> Move {
    let list = go.considered();
    let total: u64 = list.iter().map(|m| m.visits).sum();
    let mut ball = u64::from(random.below(total.max(1) as u32));
    for m in &list {
        if ball < m.visits {
            return m.pv[0];
        }
        ball -= m.visits;
    }
    Move::Pass
}

/// The positions from which something is learned, each with the move chosen there.
pub fn lessons(game: &Played<Position>) -> Vec<(Root<Position>, Move)> {
    let mut lessons = Vec::new();
    game.valued(|root, m, _| {
        if m != Move::Pass {
            lessons.push((root.clone(), m));
        }
    });
    lessons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_game_and_its_record_is_read_back() {
        let rules = rules(5).unwrap();
        let start = Position::start(&rules);
        let game = play(&start, 3, 30);
        assert_eq!(game, play(&start, 3, 30));
        assert_eq!(Played::read(&rules, &game.write(&rules)), Ok(game.clone()));
        let chosen = game.turns.iter().filter(|(_, value)| value.is_some()).count();
        assert!((1..=game.turns.len() - 2).contains(&chosen) && lessons(&game).len() <= chosen);
        assert!(super::rules(26).is_none());
    }
}
