//! What alpha-beta asks about a position: opinions, as opposed to the rules in [`crate::Game`].

use crate::{Game, MoveList, Score};

/// Whether the side to move may refuse the noisy moves of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noisy {
    /// It may stand on the static value instead.
    Optional,
    /// One of the moves must be played, so the static value means nothing here.
    Forced,
}

/// What an endgame database says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Its value from the side to move, distances counted from this position.
    Value(Score),
    /// Drawn by perfect play, which the opponent may miss: search on, if the configuration says so.
    Draw,
}

/// The opinions of one search thread. It may hold caches and a stack of incremental state, such as a network's sums:
/// it is told of every move and pass on the way to a position before it is asked about it. One that looks at every
/// position anew keeps no stack.
pub trait Eval<G: Game>: Clone + Send + 'static {
    /// Techniques of the shared search that can make no difference here: passes where none is allowed, repetitions in
    /// a game without.
    const IDLE: &'static [&'static str] = &[];
    /// Begins at a root, with an empty stack.
    fn enter(&mut self, _root: &G) {}
    /// Follows a move into the tree, or a pass, which is no move.
    fn push(&mut self, _before: &G, _move: Option<G::Move>, _after: &G) {}
    /// Follows it back.
    fn pop(&mut self) {}
    /// The static value of the position on top of the stack from the side to move, within `±Score::OPINION`.
    fn score(&mut self, position: &G) -> Score;
    /// Appends the legal moves, found in a way of its own if it has one.
    #[inline(always)]
    fn moves(&mut self, position: &G, out: &mut MoveList<G::Move>) {
        position.moves(out);
    }
    /// Appends the moves that must be played out before the static value can be trusted, best first.
    fn noisy(&mut self, position: &G, out: &mut MoveList<G::Move>) -> Noisy;
    /// Whether the static value cannot be trusted though no noisy move is there: something hangs.
    fn hangs(&mut self, _position: &G) -> bool {
        false
    }
    /// What a move gains at once, for ordering: 0 for a quiet move, more for a better capture.
    fn merit(&mut self, position: &G, m: G::Move) -> i32;
    /// What the table knows the position by: all that its value depends on.
    #[inline]
    fn key(&self, position: &G) -> u64 {
        position.key() ^ position.salt()
    }
    /// A dense index of the move below [`Eval::slots`], for history tables.
    fn slot(&self, position: &G, m: G::Move) -> usize;
    /// The number of history slots of one side.
    fn slots(&self) -> usize;
    /// The position after a pass, where passing cannot be the best move; none where zugzwang rules.
    fn pass(&self, position: &G) -> Option<G>;
    /// What a database knows of the position.
    fn known(&mut self, _position: &G) -> Option<Known> {
        None
    }
}
