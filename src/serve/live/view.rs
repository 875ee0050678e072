//! A game as the page reads it.

use anyhow::{Result, ensure};
use search::{Bound, Score, Side};
use serde_json::{Value, json};

use super::Live;
use crate::analysis::Verdict;
use crate::driver::Report;
use crate::referee::{Board, Ground, Referee};

/// Moves of a line that are shown.
const SHOWN: usize = 12;
/// A forced win is this much, less its distance.
const FORCED: i32 = 30_000;

impl Live {
    /// Everything that changes.
    pub(super) fn snapshot(&self) -> Value {
        let kept = &self.kept;
        let tree = &kept.tree;
        let now = std::time::Instant::now();
        let clock = kept.clock.as_ref().map(|clock| {
            let left = |side| clock.left(side, now).as_millis() as u64;
            json!({
                "base": clock.control.base,
                "increment": clock.control.increment,
                "left": [left(Side::White), left(Side::Black)],
                "running": clock.running().map(Side::index),
            })
        });
        let nodes: Vec<_> = tree
            .nodes()
            .iter()
            .map(|node| {
                json!({
                    "parent": node.parent, "text": node.text, "score": node.score, "mark": node.mark,
                    "comment": node.comment, "next": node.next,
                })
            })
            .collect();
        json!({
            "type": "game",
            "id": kept.id,
            "game": kept.game,
            "rules": kept.rules,
            "seats": kept.seats,
            "names": kept.seats.each_ref().map(|seat| seat.name(self.entry.engine)),
            "clock": clock,
            "nodes": nodes,
            "at": tree.at(),
            "version": self.version,
            "counting": self.count(),
            "can_redo": tree.nodes()[tree.at()].next.is_some(),
            "black_first": self.black_first(),
            "result": kept.result,
            "offered": self.offer.is_some(),
            "paused": kept.paused,
            "problem": self.problem,
            "thinking": self.asked.is_some(),
            "watching": self.adviser.is_watching(),
            "sweeping": self.adviser.progress(),
            "position": position(&*self.referee, tree.at()),
        })
    }

    /// The board itself, which stays the same for the whole game.
    pub(super) fn ground(&self) -> Value {
        let board = self.referee.board();
        let spots: Vec<_> =
            board.spots.iter().map(|spot| json!([spot.name, spot.column, spot.row])).collect();
        json!({
            "kind": match board.ground {
                Ground::Squares => "squares",
                Ground::Grid => "grid",
                Ground::Lines => "lines",
            },
            "columns": board.columns,
            "rows": board.rows,
            "spots": spots,
            "lines": board.lines,
            "stars": board.stars,
        })
    }

    /// The position of a node of any line.
    pub(super) fn position_at(&self, node: usize) -> Result<Value> {
        if node == self.kept.tree.at() {
            return Ok(position(&*self.referee, node));
        }
        Ok(position(&*self.referee_at(node)?, node))
    }

    /// The FEN of a position that was set up by hand.
    pub(super) fn compose(&self, letters: &str, turn: usize) -> Result<Value> {
        let spots = self.referee.board().spots;
        ensure!(letters.chars().count() == spots.len(), "there are {} places", spots.len());
        let pieces: Vec<_> = spots
            .into_iter()
            .zip(letters.chars())
            .filter(|(_, letter)| *letter != '.')
            .map(|(spot, letter)| (spot.name, letter))
            .collect();
        for (_, letter) in &pieces {
            ensure!(self.entry.pieces.iter().any(|(known, _)| known == letter), "'{letter}' is no piece");
        }
        let turn = if turn == 0 { Side::White } else { Side::Black };
        Ok(json!({ "type": "composed", "fen": self.referee.compose(&pieces, turn)? }))
    }

    /// Whether Black made, or makes, the first move.
    fn black_first(&self) -> bool {
        let plies = self.kept.tree.line(self.kept.tree.at()).len();
        (self.referee.turn() == Side::Black) == (plies.is_multiple_of(2))
    }
}

fn position(referee: &dyn Referee, node: usize) -> Value {
    let Board { spots, notes, check, .. } = referee.board();
    let outcome = referee.outcome();
    let legal: Vec<_> = if outcome.is_some() {
        Vec::new()
    } else {
        let words = |choice: crate::referee::Choice| [vec![choice.text], choice.steps].concat();
        referee.choices().into_iter().map(words).collect()
    };
    json!({
        "node": node,
        "letters": spots.iter().map(|spot| spot.piece.unwrap_or('.')).collect::<String>(),
        "turn": referee.turn().index(),
        "fen": referee.fen(),
        "legal": legal,
        "last": referee.last(),
        "notes": notes,
        "check": check,
        "outcome": outcome.map(|outcome| outcome.reason),
    })
}

/// A value from White's view, as text and graph want it: hundredths, and moves to a forced end.
fn white_view(score: Score, side: Side) -> (i32, Option<i32>) {
    let sign = if side == Side::White { 1 } else { -1 };
    match score.plies_to_end() {
        None => (sign * score.opinion().0, None),
        Some(plies) if score > Score::DRAW => {
            let moves = plies / 2 + 1;
            (sign * (FORCED - moves), Some(sign * moves))
        }
        Some(plies) => (sign * (-FORCED - plies / 2), Some(sign * (plies / 2))),
    }
}

/// The lines of play an engine has shown so far, the best first.
#[derive(Default)]
pub struct Lines {
    list: Vec<Line>,
    depth: Option<u32>,
    nodes: Option<u64>,
    speed: Option<u64>,
    /// Whose the points will be.
    owners: Vec<f32>,
}

struct Line {
    score: i32,
    mate: Option<i32>,
    /// White's share of the games, where the engine says so.
    share: Option<f64>,
    moves: Vec<String>,
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
        if report.pv.is_empty() || place > self.list.len() {
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

    /// Whether so many lines are there.
    pub fn are_complete(&self, wanted: usize) -> bool {
        self.list.len() >= wanted
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

    /// Plies looked ahead.
    pub fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// As the page reads it; `referee` stands at the node.
    pub fn show(&self, id: &str, node: usize, by: &str, referee: &dyn Referee) -> Value {
        let lines: Vec<_> = self
            .list
            .iter()
            .map(|line| {
                let moves = referee.line(&line.moves[..line.moves.len().min(SHOWN)]);
                json!({
                    "score": line.score,
                    "mate": line.mate,
                    "share": line.share,
                    "steps": moves.first().map(|choice| choice.steps.clone()).unwrap_or_default(),
                    "moves": moves.into_iter().map(|choice| choice.text).collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({
            "type": "thought", "id": id, "node": node, "by": by, "depth": self.depth, "nodes": self.nodes,
            "speed": self.speed, "lines": lines, "owners": self.owners,
        })
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
        protocol::uci::Report::read(line).unwrap().into()
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
