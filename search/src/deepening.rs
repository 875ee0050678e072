//! Iterative deepening at the root: which move next, in which window, what is shown, when it is enough.
//!
//! Written once for every alpha-beta. What differs between them (how a window grows, how one move is searched, how
//! much time an iteration may take) is a method of [`Deepener`].
//!
//! | question | file |
//! |---|---|
//! | what is known of the root's moves? | `state.rs` |
//! | what happens around the iterations? | `task.rs` |

mod state;
mod task;

use std::time::Duration;

pub use state::{Deepening, RootMove};
pub use task::Task;

use crate::pv::Pv;
use crate::{Aborted, Game, Info, Line, Score, Sentry, Table, Window};

/// A search thread that can be led deeper and deeper.
pub trait Deepener<'a, G: Game>: Send {
    /// No iteration is deeper.
    const DEEPEST: u32;
    /// An iteration deeper by this than twice the way to a forced end has nothing new to find.
    const BEYOND_END: u32;
    /// What people may want to see only of searches that take as long: bounds, and the move being looked at.
    const DETAILS_AFTER: Duration;

    /// Its part in the watch.
    fn sentry(&self) -> &Sentry<'a>;
    /// The same, to count nodes.
    fn sentry_mut(&mut self) -> &mut Sentry<'a>;
    /// What it remembers.
    fn table(&self) -> &Table;
    /// The lines it has found.
    fn pv(&self) -> &Pv<G::Move>;
    /// Whether a search of limited depth begins there instead of at depth 1.
    fn leaps(&self) -> bool {
        false
    }
    /// One iteration for the `line`-th best move, in windows of its own choice.
    fn iterate(
        &mut self,
        state: &mut Deepening<'_, G>,
        depth: u32,
        line: usize,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Result<(), Aborted>;
    /// The value of a move of the root, the `number`-th from 0, with `depth` plies after it.
    fn root_move(
        &mut self,
        root: &G,
        m: G::Move,
        number: usize,
        depth: i32,
        window: Window,
    ) -> Result<Score, Aborted>;
    /// Whether the time for this move does not allow another iteration.
    fn is_late(&self, state: &Deepening<'_, G>) -> bool;

    /// Searches deeper and deeper until a limit is reached.
    fn deepen(&mut self, state: &mut Deepening<'_, G>, report: &mut dyn FnMut(&Info<G::Move>)) {
        let wanted = self.sentry().watch().limits.depth;
        let last = wanted.map_or(Self::DEEPEST, |depth| depth.clamp(1, Self::DEEPEST));
        // Lazy SMP: all threads search the same tree and help each other through the table alone.
        // Helpers start apart, so that they fill the table ahead of the first worker.
        let stagger = (self.sentry().index() % 2) as u32;
        let first = if self.leaps() && wanted.is_some() { last } else { 1 + stagger };
        // Only a first iteration of one ply is short enough to be finished whatever happens.
        if first > 1 {
            self.sentry_mut().commit();
        }
        for depth in first..=last {
            for line in 0..state.lines {
                // An end before the limit leaves the best move found so far.
                if self.iterate(state, depth, line, report).is_err() {
                    return;
                }
                self.sentry_mut().commit();
            }
            state.note_iteration(depth);
            if self.sentry().index() == 0 {
                self.show(state, report);
                if self.is_enough(state) {
                    return;
                }
            }
        }
    }

    /// The root moves from the `line`-th on that are promised as much, in one window; the best one moves to that
    /// place.
    fn search_root(
        &mut self,
        state: &mut Deepening<'_, G>,
        depth: i32,
        line: usize,
        mut window: Window,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Result<Score, Aborted> {
        let position = state.root.position();
        self.sentry_mut().visit(0)?;
        let mut best = Window::FULL.alpha;
        for i in line..state.end_of_equals(line) {
            let found = &mut state.moves[i];
            if self.tells_details() {
                report(&Info::Current(found.m, i + 1));
            }
            let before = self.sentry().nodes();
            let score = self.root_move(position, found.m, i - line, depth - 1, window)?;
            found.nodes += self.sentry().nodes() - before;
            found.narrow(score, window);
            best = best.max(score);
            if i == line || score > window.alpha {
                found.note(score, window.bound(score), self.pv().at(1));
                state.moves[line..=i].rotate_right(1);
                window.alpha = window.alpha.max(score);
            }
            if score >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    /// Whether another iteration is not worth its time.
    fn is_enough(&self, state: &Deepening<'_, G>) -> bool {
        let watch = self.sentry().watch();
        let ends = |found: &RootMove<G::Move>| found.score.plies_to_end();
        let wanted = |plies: i32| {
            watch.limits.mate.is_some_and(|moves| plies > 0 && plies as u32 <= moves.saturating_mul(2))
        };
        // Deeper searches of a forced end find nothing new and flood the screen.
        let explored = |plies: i32| state.depth > 2 * plies.unsigned_abs() + Self::BEYOND_END;
        if ends(&state.moves[0]).is_some_and(wanted)
            || state.moves[..state.lines].iter().all(|found| ends(found).is_some_and(explored))
        {
            return true;
        }
        if watch.limits.soft_nodes.is_some_and(|nodes| watch.nodes() >= nodes) {
            return true;
        }
        if state.moves.len() == 1 && watch.limits.clock.is_some() && !watch.control.pondering() {
            return true;
        }
        self.is_late(state)
    }

    /// Shows all lines of an iteration together, best first.
    fn show(&self, state: &Deepening<'_, G>, report: &mut dyn FnMut(&Info<G::Move>)) {
        self.sentry().publish();
        for line in 0..state.lines {
            report(&Info::Line(self.line(state, line, state.depth)));
        }
    }

    /// Shows a line whose window has to grow, if that is of interest.
    fn show_bound(
        &self,
        state: &Deepening<'_, G>,
        line: usize,
        depth: u32,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) {
        if self.tells_details() {
            report(&Info::Line(self.line(state, line, depth)));
        }
    }

    /// Whether this thread reports on what goes on within an iteration.
    fn tells_details(&self) -> bool {
        let sentry = self.sentry();
        sentry.index() == 0 && sentry.watch().clock.elapsed() >= Self::DETAILS_AFTER
    }

    /// The `line`-th best line as it is now.
    fn line(&self, state: &Deepening<'_, G>, line: usize, depth: u32) -> Line<G::Move> {
        let (found, sentry) = (&state.moves[line], self.sentry());
        Line {
            depth,
            seldepth: sentry.seldepth as u32,
            multipv: line + 1,
            score: found.shown(),
            bound: found.bound,
            nodes: sentry.watch().nodes(),
            time: sentry.watch().clock.elapsed(),
            hashfull: self.table().hashfull(),
            database_hits: sentry.watch().database_hits(),
            pv: found.pv.clone(),
        }
    }
}
