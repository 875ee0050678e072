//! One question put to a player by alpha-beta, from the start of its clock to the move that is played.

use super::{Deepener, Deepening, RootMove};
use crate::crew;
use crate::{Clock, Common, Control, Game, Info, Limits, Line, Root, Score, Stalls, Strength, Total, Watch};

/// What was asked, and what the player may spend on it.
pub struct Task<'a, G: Game> {
    root: &'a Root<G>,
    control: &'a Control,
    limits: Limits,
    clock: Clock,
    stalls: Stalls,
    strength: Strength,
    /// Lines that the user wants to see.
    asked: usize,
}

impl<'a, G: Game> Task<'a, G> {
    /// The clock runs already: what it takes to get ready is thinking time too.
    pub fn new(
        root: &'a Root<G>,
        limits: &Limits,
        control: &'a Control,
        common: &Common,
        stalls: &Stalls,
        strength: Strength,
    ) -> Self {
        let stalls = stalls.of(root.position().turn());
        Task {
            root,
            control,
            limits: strength.weaken(limits),
            clock: Clock::new(limits, control.asked(), common.overhead, &stalls),
            stalls,
            strength,
            asked: common.multipv,
        }
    }

    /// The legal moves that were asked for.
    pub fn moves(&self) -> Vec<G::Move> {
        let (mut moves, only) = (self.root.legal(), &self.limits.only);
        moves.retain(|&m| only.is_empty() || only.contains(&self.root.position().pack(m)));
        moves
    }

    /// What the threads of the search look at.
    pub fn watch(&self, threads: usize) -> Watch<'_> {
        Watch::new(&self.limits, self.control, self.clock.clone(), &self.stalls, threads)
    }

    /// Runs one thread for each worker, the first of which decides when all end, and chooses the move to play. There
    /// must be moves. `luck` decides the misjudgements of a weak player, beside the position.
    pub fn run<'w, W: Deepener<'w, G>>(
        &self,
        watch: &Watch<'_>,
        workers: &mut [W],
        moves: Vec<RootMove<G::Move>>,
        luck: u64,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> RootMove<G::Move> {
        let report = &mut |info: &Info<G::Move>| {
            // A weak player compares more lines than its user asked to see.
            if !matches!(info, Info::Line(line) if line.multipv > self.asked) {
                report(info);
            }
        };
        let lines = self.asked.max(self.strength.lines);
        let mut states = vec![Deepening::new(self.root, moves, lines); workers.len()];
        watch.run(workers, &mut states, report, |worker, state, report| worker.deepen(state, report));
        workers.iter().for_each(|worker| worker.sentry().publish());
        let (worker, state) = (&workers[0], &mut states[0]);
        // The line that will be played is shown if an unfinished iteration found it, or none was finished at all.
        if state.settle() {
            report(&Info::Line(worker.line(state, 0, state.depth + 1).scored()));
        }
        let chosen = self.choose(state, luck);
        // A lesser move that is played is shown with its own score.
        if chosen > 0 {
            let line = worker.line(state, chosen, state.depth.max(1));
            report(&Info::Line(Line { multipv: 1, ..line }));
        }
        if watch.crew() < watch.threads() {
            report(&Info::Text(crew::lack(watch.crew(), watch.threads())));
        }
        report(&Info::Total(Total {
            nodes: watch.nodes(),
            time: watch.clock.elapsed(),
            hashfull: worker.table().hashfull(),
            database_hits: watch.database_hits(),
        }));
        state.moves.swap_remove(chosen)
    }

    /// The number of the line to play; however weak the player, it keeps what a database promises.
    fn choose(&self, state: &Deepening<'_, G>, luck: u64) -> usize {
        let choice = &state.moves[..state.lines.min(state.end_of_equals(0))];
        let scores: Vec<Score> = choice.iter().map(|found| found.score).collect();
        self.strength.choose(&scores, self.root.position().key() ^ luck)
    }
}
