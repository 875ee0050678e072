//! The moves of the root and what iterations have found of them.

use std::cmp::Reverse;

use crate::{Bound, Game, Root, Score, Window};

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub m: M,
    /// What a database promises it, if that knows all moves of the root.
    pub promise: Option<Score>,
    /// What the last search of it found, from the side to move.
    pub score: Score,
    /// What the score says of the value.
    pub bound: Bound,
    /// The bounds of its value in the current iteration, for the MTD family.
    pub bounds: Window,
    /// The moves expected, this one first.
    pub pv: Vec<M>,
    /// Nodes spent on it in this search.
    pub nodes: u64,
}

impl<M: Copy> RootMove<M> {
    /// A move that has not been searched.
    pub fn new(m: M, promise: Option<Score>) -> Self {
        let score = Window::FULL.alpha;
        RootMove { m, promise, score, bound: Bound::Lower, bounds: Window::FULL, pv: vec![m], nodes: 0 }
    }

    /// The score to be shown: where a database knows the value, only a forced end that was seen says more.
    pub(super) fn shown(&self) -> Score {
        self.promise.filter(|_| !self.score.is_decisive()).unwrap_or(self.score)
    }

    /// Notes what a search in this window returned, for the bounds of the iteration.
    pub(super) fn narrow(&mut self, score: Score, window: Window) {
        if score > window.alpha {
            self.bounds.alpha = self.bounds.alpha.max(score);
        } else {
            self.bounds.beta = self.bounds.beta.min(score);
        }
    }

    /// Notes a score with the line that leads to it.
    pub fn note(&mut self, score: Score, bound: Bound, line: &[M]) {
        (self.score, self.bound) = (score, bound);
        self.pv.truncate(1);
        self.pv.extend_from_slice(line);
    }
}

/// The state of a deepening search; the best moves stand first, and none before one that is promised more.
#[derive(Clone)]
pub struct Deepening<'r, G: Game> {
    /// The game so far.
    pub root: &'r Root<G>,
    /// The moves to choose from.
    pub moves: Vec<RootMove<G::Move>>,
    /// How many lines are wanted.
    pub lines: usize,
    /// The last finished iteration.
    pub depth: u32,
    /// The best move and its score in every finished iteration.
    pub bests: Vec<(G::Move, Score)>,
    /// The lines of the last one.
    last: Vec<RootMove<G::Move>>,
}

impl<'r, G: Game> Deepening<'r, G> {
    /// A search that has not begun.
    pub fn new(root: &'r Root<G>, moves: Vec<RootMove<G::Move>>, lines: usize) -> Self {
        let lines = lines.clamp(1, moves.len());
        Deepening { root, moves, lines, depth: 0, bests: Vec::new(), last: Vec::new() }
    }

    /// Whether the best line is news. An unfinished iteration counts if it put another move first that has not failed
    /// since; otherwise the lines of the last finished one are brought back.
    pub fn settle(&mut self) -> bool {
        let best = &self.moves[0];
        let is_new = self.last.first().is_none_or(|last| last.m != best.m && best.bound != Bound::Upper);
        if !is_new {
            self.moves.clone_from(&self.last);
        }
        is_new
    }

    /// Where the moves end that are promised as much as the `line`-th.
    pub fn end_of_equals(&self, line: usize) -> usize {
        let promise = self.moves[line].promise;
        line + self.moves[line..].iter().take_while(|found| found.promise == promise).count()
    }

    /// Notes that an iteration is finished.
    pub fn note_iteration(&mut self, depth: u32) {
        self.depth = depth;
        // A later line knows what the earlier ones left in the table and may turn out better.
        self.moves[..self.lines].sort_by_key(|found| Reverse((found.promise, found.score)));
        self.bests.push((self.moves[0].m, self.moves[0].score));
        self.last = self.moves[..self.lines].to_vec();
    }

    /// How many iterations on end agreed with the one before them on the best move, and on its score as `same` says.
    pub fn agreed(&self, same: impl Fn(Score, Score) -> bool) -> usize {
        let pairs = self.bests.windows(2).rev();
        pairs.take_while(|pair| pair[0].0 == pair[1].0 && same(pair[0].1, pair[1].1)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Pile, Size};

    /// A search for two lines that has finished an iteration with these scores.
    fn finished(root: &Root<Pile>, scores: [i32; 2]) -> Deepening<'_, Pile> {
        let moves = [1, 2, 3].map(|m| RootMove::new(m, None)).to_vec();
        let mut state = Deepening::new(root, moves, 2);
        for (found, score) in state.moves.iter_mut().zip(scores) {
            (found.score, found.bound) = (Score(score), Bound::Exact);
        }
        state.note_iteration(3);
        state
    }

    #[test]
    fn a_move_that_failed_in_an_unfinished_iteration_is_not_played() {
        let root = Root::new(Pile::start(&Size::default()));
        let settled = |bound: Bound| {
            let mut state = finished(&root, [20, 10]);
            state.moves.swap(0, 1);
            (state.moves[0].score, state.moves[0].bound) = (Score(-90), bound);
            (state.settle(), state.moves[0].m, state.moves[0].score, state.moves[0].bound)
        };
        assert_eq!(settled(Bound::Upper), (false, 1, Score(20), Bound::Exact));
        assert_eq!(settled(Bound::Lower), (true, 2, Score(-90), Bound::Lower));
        assert_eq!(settled(Bound::Exact), (true, 2, Score(-90), Bound::Exact));
    }

    #[test]
    fn lines_stand_by_their_scores_and_are_dropped_together() {
        let root = Root::new(Pile::start(&Size::default()));
        let mut state = finished(&root, [10, 20]);
        let lines = |state: &Deepening<'_, Pile>| [0, 1].map(|i| (state.moves[i].m, state.moves[i].score.0));
        assert_eq!(lines(&state), [(2, 20), (1, 10)]);
        state.moves[1].score = Score(700);
        assert!(!state.settle());
        assert_eq!(lines(&state), [(2, 20), (1, 10)]);
    }

    #[test]
    fn a_promise_comes_before_a_score() {
        let root = Root::new(Pile::start(&Size::default()));
        let mut state = finished(&root, [10, 20]);
        state.moves[1].promise = Some(Score::DRAW);
        assert_eq!(state.end_of_equals(0), 1);
        state.note_iteration(4);
        assert_eq!((state.moves[0].m, state.moves[0].shown()), (1, Score::DRAW));
        state.moves[0].score = Score::win_in(5);
        assert_eq!(state.moves[0].shown(), Score::win_in(5));
    }
}
