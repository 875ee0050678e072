//! What an engine has shown of a position so far.

use search::{Bound, Score, Side};

use super::{Verdict, WON};
use crate::driver::Report;

/// Lines that are kept: more than a board has points.
const MOST_LINES: usize = 400;

/// A value from White's view, as text and graph want it: hundredths, and moves to a forced end.
fn white_view(score: Score, side: Side) -> (i32, Option<i32>) {
    let sign = if side == Side::White { 1 } else { -1 };
    match score.plies_to_end() {
        None => (sign * score.opinion().0, None),
        Some(plies) if score > Score::DRAW => {
            let moves = plies / 2 + 1;
            (sign * (WON - moves), Some(sign * moves))
        }
        Some(plies) => (sign * (-WON - plies / 2), Some(sign * (plies / 2))),
    }
}

/// The lines of play an engine has shown so far, the best first.
#[derive(Default)]
pub struct Lines {
    pub(crate) list: Vec<Line>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) speed: Option<u64>,
    /// Whose the points will be.
    pub(crate) owners: Vec<f32>,
}

/// One of them, from White's view.
pub(crate) struct Line {
    pub(crate) score: i32,
    pub(crate) mate: Option<i32>,
    /// White's share of the games, where the engine says so.
    pub(crate) share: Option<f64>,
    pub(crate) moves: Vec<String>,
}

impl Lines {
    /// Takes a report of an engine that thinks for `side`.
    pub fn take(&mut self, report: &Report, side: Side) {
        self.depth = report.depth.or(self.depth);
        self.nodes = report.nodes.or(self.nodes);
        self.speed = report.speed.or(self.speed);
        if !report.owners.is_empty() {
            self.owners.clone_from(&report.owners);
        }
        let Some((score, Bound::Exact)) = report.score else { return };
        let place = report.rank.unwrap_or(1).max(1) - 1;
        if report.pv.is_empty() || place > self.list.len().min(MOST_LINES - 1) {
            return;
        }
        let (score, mate) = white_view(score, side);
        let share = report.wdl.map(|[wins, draws, _]| (wins as f64 + draws as f64 / 2.0) / 1000.0);
        let share = share.map(|share| if side == Side::White { share } else { 1.0 - share });
        let line = Line { score, mate, share, moves: report.pv.clone() };
        // A move that rises to this place leaves its own to those that it passes.
        if let Some(old) = self.list.iter().position(|known| known.moves[0] == line.moves[0]) {
            self.list.remove(old);
            self.list.insert(place.min(self.list.len()), line);
        } else if place == self.list.len() {
            self.list.push(line);
        } else {
            self.list[place] = line;
        }
    }

    /// The value of the best line in hundredths, from White's view.
    pub fn score(&self) -> Option<i32> {
        self.list.first().map(|line| line.score)
    }

    /// What was said in all.
    pub fn verdict(&self) -> Verdict {
        let best = self.list.first().and_then(|line| line.moves.first().cloned());
        Verdict { first: self.score(), second: self.list.get(1).map(|line| line.score), best }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_turned_to_whites_view() {
        assert_eq!(white_view(Score(31), Side::Black), (-31, None));
        assert_eq!(white_view(Score::win_in(5), Side::White), (29_997, Some(3)));
        assert_eq!(white_view(Score::loss_in(4), Side::White), (-29_998, Some(-2)));
        assert_eq!(white_view(Score::loss_in(0), Side::Black), (30_000, Some(0)));
    }

    #[test]
    fn a_decided_score_counts_moves() {
        let moves = |men: f64| white_view(protocol::hub::score::read(men), Side::White);
        assert_eq!(moves(0.29), (29, None));
        assert_eq!((moves(99.97).1, moves(100.0).1, moves(-99.98).1), (Some(2), Some(1), Some(-1)));
    }

    fn report(line: &str) -> Report {
        protocol::uci::info::read(line).unwrap()
    }

    #[test]
    fn ranks_that_rise_without_end_are_not_kept() {
        let mut lines = Lines::default();
        for rank in 1..=2 * MOST_LINES {
            lines.take(&report(&format!("info multipv {rank} score cp 1 pv m{rank}")), Side::White);
        }
        assert_eq!(lines.list.len(), MOST_LINES);
    }

    #[test]
    fn lines_are_kept_by_their_rank() {
        let mut lines = Lines::default();
        for text in [
            "info depth 3 multipv 1 score cp 10 pv a1b2",
            "info depth 3 multipv 2 score cp 5 pv b1c2",
            "info depth 3 multipv 9 score cp 5 pv c1c2",
            "info depth 4 multipv 1 score cp 7 upperbound pv d1d2",
            "info depth 4 multipv 1 score cp 20 pv d1d2",
        ] {
            lines.take(&report(text), Side::White);
        }
        assert_eq!((lines.list.len(), lines.score(), lines.depth), (2, Some(20), Some(4)));
        assert_eq!(lines.list[0].moves, ["d1d2"]);
        lines.take(&report("info depth 5 multipv 1 score cp 30 pv b1c2"), Side::White);
        let first: Vec<&str> = lines.list.iter().map(|line| line.moves[0].as_str()).collect();
        assert_eq!(first, ["b1c2", "d1d2"], "no move has two lines");
    }
}
