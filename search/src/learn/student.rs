//! A learner at the board, whoever leads the game: its own process, or a server far away.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::lookahead::Lookahead;
use super::selfplay::{Pupil, Reply, Scheme};
use super::temporal::Transition;
use crate::{Eval, Game, Root, Side};

/// The learner at the board in one game: what it plays, and what that teaches.
pub struct Student<E> {
    scheme: Scheme,
    /// What chooses its moves.
    pub player: Lookahead<E>,
    /// The terms before a move whose actual reply is awaited.
    pending: Option<Vec<f64>>,
}

impl<E> Student<E> {
    /// A learner at the beginning of a game.
    pub fn new(scheme: Scheme, player: Lookahead<E>) -> Self {
        Student { scheme, player, pending: None }
    }

    /// Looks at a position at its own turn or at the end of the game: what the reply to its last move teaches, where
    /// actual replies are learned from.
    pub fn see<G: Game, P: Pupil<G, Eval = E>>(
        &mut self,
        pupil: &P,
        root: &Root<G>,
        own: Side,
    ) -> Option<Transition> {
        let before = self.pending.take()?;
        Some(self.scheme.transition(pupil, root, before, own))
    }

    /// Plays its move; what that teaches, where predicted replies are learned from.
    pub fn play<G: Game, P: Pupil<G, Eval = E>>(
        &mut self,
        pupil: &P,
        root: &mut Root<G>,
    ) -> Option<Transition>
    where
        E: Eval<G>,
    {
        let own = root.position().turn();
        let before = pupil.terms(root.position());
        let (m, reply) = self.player.best(root, self.scheme.depth);
        root.play(m);
        match self.scheme.reply {
            Reply::Actual => {
                self.pending = Some(before);
                None
            }
            Reply::Predicted => Some(self.expect(pupil, root, reply, before, own)),
        }
    }

    /// The transition over the reply that the learner's search predicts.
    fn expect<G: Game, P: Pupil<G, Eval = E>>(
        &mut self,
        pupil: &P,
        root: &mut Root<G>,
        reply: Option<G::Move>,
        before: Vec<f64>,
        own: Side,
    ) -> Transition
    where
        E: Eval<G>,
    {
        if root.outcome().is_some() {
            return self.scheme.transition(pupil, root, before, own);
        }
        let reply = reply.unwrap_or_else(|| self.player.best(root, 1).0);
        root.play(reply);
        let transition = self.scheme.transition(pupil, root, before, own);
        root.undo();
        transition
    }
}

/// Any move, with this chance.
pub fn stray<G: Game>(root: &Root<G>, chance: f64, random: &mut Xoshiro256PlusPlus) -> Option<G::Move> {
    (random.random::<f64>() < chance).then(|| {
        let legal = root.legal();
        legal[random.random_range(0..legal.len())]
    })
}
