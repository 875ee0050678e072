//! Which of a search's reports are worth showing: GUIs choke on hundreds of instant depths, and nobody
//! wants to see moves tried in the first seconds.

use std::time::{Duration, Instant};

use search::{Best, Bound, Line, Score, Total};

/// Reports shown without a look at the clock, so that ordinary searches are shown whole.
const FREE: u32 = 80;
/// The least time between two reports after that.
const INTERVAL: Duration = Duration::from_millis(50);
/// Before this time nobody is told of bounds and of the move being looked at.
const PATIENCE: Duration = Duration::from_secs(3);

/// The reports of one search.
#[derive(Debug)]
pub struct Reports<M> {
    started: Instant,
    shown: u32,
    latest: Instant,
    /// The last exact line of each rank.
    lines: Vec<Line<M>>,
    /// The lines of the iteration before that one.
    before: Vec<Line<M>>,
    /// Whether those lines have been shown, and no other move was called best since.
    seen: bool,
    /// The latest bound on the best line since then, shown or not.
    bound: Option<Line<M>>,
    /// What the search has cost, once it is over.
    total: Option<Total>,
}

impl<M: Copy + Eq> Reports<M> {
    /// The reports of a search that starts now.
    pub fn new() -> Self {
        let now = Instant::now();
        Reports {
            started: now,
            shown: 0,
            latest: now,
            lines: Vec::new(),
            before: Vec::new(),
            seen: false,
            bound: None,
            total: None,
        }
    }

    /// Takes note of a line and says whether to show it. Lines of one depth are shown together or not at all.
    pub fn line(&mut self, line: &Line<M>) -> bool {
        let rank = line.multipv.max(1) - 1;
        if line.bound != Bound::Exact {
            let shows = self.current();
            if rank == 0 {
                self.seen &= !shows || self.begins_with(line.pv.first());
                self.bound = Some(line.clone());
            }
            return shows;
        }
        if rank == 0 {
            self.seen = self.may_show();
            self.bound = None;
            let lines = std::mem::take(&mut self.lines);
            // An iteration that was broken off knows less than the one before it.
            if lines.len() >= self.before.len() {
                self.before = lines;
            }
        }
        self.lines.truncate(rank);
        self.lines.push(line.clone());
        self.seen
    }

    /// Takes note of what the search has cost.
    pub fn total(&mut self, total: Total) {
        self.total = Some(total);
    }

    /// Whether to show a passing remark: a bound, or the move being looked at.
    pub fn current(&mut self) -> bool {
        self.started.elapsed() >= PATIENCE && self.may_show()
    }

    /// The lines that must still be shown so that the answer follows from what was said, every rank has a move of its
    /// own and the figures are those of the whole search. `scored` tells whether the last thing said was a line of play.
    pub fn last(self, best: &Best<M>, scored: bool) -> Vec<Line<M>> {
        let Some(m) = best.best else { return Vec::new() };
        let is_known = self.begins_with(Some(&m));
        let mut told = if is_known { self.lines.clone() } else { vec![self.line_of(m)] };
        // Who records what a search has cost reads it from the last line.
        let is_whole = self.total.is_none_or(|total| told.iter().all(|line| line.nodes == total.nodes));
        let shown = if is_known && scored && self.seen && is_whole { told.len() } else { 0 };
        let wanted = self.lines.len().max(self.before.len());
        for line in self.lines.iter().chain(&self.before) {
            if told.len() < wanted && told.iter().all(|other| other.pv.first() != line.pv.first()) {
                told.push(Line { multipv: told.len() + 1, ..line.clone() });
            }
        }
        let last = told.split_off(shown).into_iter();
        last.map(|line| self.total.map_or(line.clone(), |total| line.with_total(total))).collect()
    }

    /// Whether the best line begins with this move.
    fn begins_with(&self, m: Option<&M>) -> bool {
        self.lines.first().is_some_and(|line| line.pv.first() == m)
    }

    /// The best we can say of a move that is not that of the best line.
    fn line_of(&self, m: M) -> Line<M> {
        let known = self.bound.iter().chain(&self.lines).find(|line| line.pv.first() == Some(&m));
        match known.or(self.lines.first()) {
            Some(line) if known.is_some() => Line { multipv: 1, ..line.clone() },
            Some(line) => Line { pv: vec![m], ..line.clone() },
            None => Line {
                depth: 0,
                seldepth: 0,
                multipv: 1,
                score: Score::DRAW,
                bound: Bound::Exact,
                nodes: 0,
                time: self.started.elapsed(),
                hashfull: 0,
                database_hits: 0,
                pv: vec![m],
            },
        }
    }

    fn may_show(&mut self) -> bool {
        let now = Instant::now();
        let due = self.shown < FREE || now - self.latest >= INTERVAL;
        if due {
            self.shown += 1;
            self.latest = now;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: u32, multipv: usize, m: u32) -> Line<u32> {
        Line {
            depth,
            seldepth: depth,
            multipv,
            score: Score(7),
            bound: Bound::Exact,
            nodes: 100,
            time: Duration::ZERO,
            hashfull: 0,
            database_hits: 0,
            pv: vec![m, 9],
        }
    }

    fn best(m: u32) -> Best<u32> {
        Best { best: Some(m), ponder: None }
    }

    #[test]
    fn a_flood_is_dammed_but_its_last_line_is_not_lost() {
        let mut reports = Reports::new();
        let shown = (1..=1000).filter(|&depth| reports.line(&line(depth, 1, 4))).count();
        assert!(shown < 200, "{shown}");
        reports.shown = FREE;
        reports.latest = Instant::now();
        assert!(!reports.line(&line(1001, 1, 4)) && !reports.line(&line(1001, 2, 5)));
        let last = reports.last(&best(4), true);
        assert_eq!(last, [line(1001, 1, 4), line(1001, 2, 5)]);
    }

    #[test]
    fn nothing_is_repeated_if_the_answer_follows_from_the_last_line() {
        let mut reports = Reports::new();
        assert!(reports.line(&line(1, 1, 4)));
        assert_eq!(reports.last(&best(4), true), []);
    }

    #[test]
    fn a_line_is_repeated_if_something_else_was_said_since() {
        let mut reports = Reports::new();
        reports.line(&line(1, 1, 4));
        assert_eq!(reports.last(&best(4), false), [line(1, 1, 4)]);
    }

    #[test]
    fn the_last_line_tells_what_the_whole_search_has_cost() {
        let total = |nodes| Total { nodes, time: Duration::from_secs(1), hashfull: 3, database_hits: 4 };
        let told = |nodes| {
            let mut reports = Reports::new();
            reports.line(&line(3, 1, 4));
            reports.line(&line(3, 2, 5));
            reports.total(total(nodes));
            reports.last(&best(4), true)
        };
        assert_eq!(told(100), [], "the last line knew it already");
        assert_eq!(told(5000), [1, 2].map(|rank| line(3, rank, 3 + rank as u32).with_total(total(5000))));
    }

    #[test]
    fn an_answer_from_another_line_gets_that_line() {
        let mut reports = Reports::new();
        reports.line(&line(3, 1, 4));
        reports.line(&line(3, 2, 5));
        assert_eq!(reports.last(&best(5), true), [line(3, 1, 5), line(3, 2, 4)]);
        let mut reports = Reports::new();
        reports.line(&line(3, 1, 4));
        assert_eq!(reports.last(&best(6), true)[0].pv, [6]);
        assert_eq!(Reports::new().last(&best(6), true)[0].depth, 0);
    }

    #[test]
    fn ranks_of_an_unfinished_iteration_are_filled_from_the_one_before() {
        let broken_off = |firsts: &[u32]| {
            let mut reports = Reports::new();
            for (rank, m) in [(1, 4), (2, 5), (3, 6)] {
                assert!(reports.line(&line(3, rank, m)));
            }
            for &m in firsts {
                assert!(reports.line(&line(4, 1, m)));
            }
            reports
        };
        assert_eq!(broken_off(&[5]).last(&best(5), true), [line(3, 2, 4), line(3, 3, 6)]);
        assert_eq!(broken_off(&[5, 6]).last(&best(6), true), [line(3, 2, 4), line(3, 3, 5)]);
    }

    #[test]
    fn an_answer_of_which_a_bound_is_known_gets_that_bound() {
        let mut reports = Reports::new();
        reports.line(&line(3, 1, 4));
        let bound = Line { bound: Bound::Lower, ..line(4, 1, 5) };
        assert!(!reports.line(&bound));
        assert_eq!(reports.last(&best(5), true), [bound]);
    }

    #[test]
    fn a_line_is_repeated_if_another_move_was_called_best_since() {
        for (m, repeated) in [(4, vec![]), (5, vec![line(3, 1, 4)])] {
            let mut reports = Reports::new();
            reports.line(&line(3, 1, 4));
            reports.started -= PATIENCE;
            assert!(reports.line(&Line { bound: Bound::Lower, ..line(4, 1, m) }));
            assert_eq!(reports.last(&best(4), true), repeated);
        }
    }

    #[test]
    fn bounds_and_current_moves_are_not_shown_at_first() {
        let mut reports = Reports::new();
        assert!(!reports.current());
        assert!(!reports.line(&Line { bound: Bound::Lower, ..line(1, 1, 4) }));
        reports.started -= PATIENCE;
        assert!(reports.current());
    }
}
