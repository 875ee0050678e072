//! The player of learning games: alpha-beta to a fixed depth with nothing remembered, equal moves chosen by lot.
//!
//! Without the lot a player of weights 0 plays the first move it finds, shuffles to and fro and cannot be beaten
//! twice, so that the learner would never be copied. The source's table orders unknown moves at random, which is
//! the same lot.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Eval, Game, Root, Score};

/// A player that looks a few plies ahead.
pub struct Lookahead<E> {
    /// Its opinions.
    pub eval: E,
    random: Xoshiro256PlusPlus,
}

impl<E> Lookahead<E> {
    /// A player with these opinions, whose lots are drawn from `random`.
    pub fn new(eval: E, random: Xoshiro256PlusPlus) -> Self {
        Lookahead { eval, random }
    }

    /// The best move and the reply it expects; none where the game ends before a reply.
    ///
    /// # Panics
    /// If there is no legal move.
    pub fn best<G: Game>(&mut self, root: &Root<G>, depth: u32) -> (G::Move, Option<G::Move>)
    where
        E: Eval<G>,
    {
        let position = root.position();
        self.eval.enter(position);
        let mut moves = root.legal();
        self.order(position, &mut moves);
        let mut best: Option<(Score, u64)> = None;
        let mut chosen = None;
        for m in moves {
            let lot: u64 = self.random.random();
            // One point below the best, so that equal moves are seen to be equal.
            let alpha = best.map_or(-Score::INFINITE, |(score, _)| score - 1);
            let (value, reply) = self.child(position, m, [depth, 0], [alpha, Score::INFINITE]);
            if best.is_none_or(|best| (value, lot) > best) {
                best = Some((value, lot));
                chosen = Some((m, reply));
            }
        }
        chosen.expect("there is a legal move")
    }

    /// The value of a move for who makes it, and the best reply to it; `depth` plies are left, `ply` lie above.
    fn child<G: Game>(
        &mut self,
        position: &G,
        m: G::Move,
        [depth, ply]: [u32; 2],
        [alpha, beta]: [Score; 2],
    ) -> (Score, Option<G::Move>)
    where
        E: Eval<G>,
    {
        let mut child = position.clone();
        child.play(m);
        self.eval.push(position, Some(m), &child);
        let (value, reply) = self.node(&child, [depth - 1, ply + 1], [-beta, -alpha]);
        self.eval.pop();
        (-value, reply)
    }

    /// The value of a position from its side to move, and the move that leads there.
    fn node<G: Game>(
        &mut self,
        position: &G,
        [depth, ply]: [u32; 2],
        [mut alpha, beta]: [Score; 2],
    ) -> (Score, Option<G::Move>)
    where
        E: Eval<G>,
    {
        if position.count() == 0 {
            return (stuck(position, ply), None);
        }
        // A few plies see a counter run out; repetitions are left to the referee of the game.
        if position.drawn(0).is_some() {
            return (Score::DRAW, None);
        }
        if depth == 0 {
            return (self.eval.score(position), None);
        }
        let mut moves = Vec::new();
        position.moves(&mut moves);
        self.order(position, &mut moves);
        let (mut best, mut reply) = (-Score::INFINITE, None);
        for m in moves {
            let (value, _) = self.child(position, m, [depth, ply], [alpha, beta]);
            if value > best {
                (best, reply) = (value, Some(m));
            }
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        (best, reply)
    }

    /// What gains most comes first.
    fn order<G: Game>(&mut self, position: &G, moves: &mut [G::Move])
    where
        E: Eval<G>,
    {
        moves.sort_by_key(|&m| -self.eval.merit(position, m));
    }
}

/// The value of having no move.
fn stuck<G: Game>(position: &G, ply: u32) -> Score {
    match position.stuck().winner {
        None => Score::DRAW,
        Some(side) if side == position.turn() => Score::win_in(ply),
        Some(_) => Score::loss_in(ply),
    }
}
