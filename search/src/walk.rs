//! Random play: positions that no opening book and no opinion has chosen, the same for the same seed.

use crate::{Game, Random, Root};

/// A game of `plies` random moves from `start`, or fewer if it ends before.
pub fn walk<G: Game>(start: G, plies: usize, random: &mut Random) -> Root<G> {
    let mut game = Root::new(start);
    for _ in 0..plies {
        if game.outcome().is_some() {
            break;
        }
        let moves = game.legal();
        game.play(moves[random.below(moves.len() as u32) as usize]);
    }
    game
}

/// Like [`walk`], tried again until the game is still open at its end.
pub fn open_walk<G: Game>(start: &G, plies: usize, random: &mut Random) -> Root<G> {
    loop {
        let game = walk(start.clone(), plies, random);
        if game.outcome().is_none() {
            return game;
        }
    }
}
