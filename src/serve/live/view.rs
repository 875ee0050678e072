//! A game as the page reads it.

use anyhow::{Result, ensure};
use search::Side;
use serde_json::{Value, json};

use super::Live;
use crate::analysis::Lines;
use crate::referee::{Board, Ground, Referee};

/// Moves of a line that are shown.
const SHOWN: usize = 12;

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
            "position": self.position(&*self.referee, tree.at()),
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
            return Ok(self.position(&*self.referee, node));
        }
        Ok(self.position(&*self.referee_at(node)?, node))
    }

    fn position(&self, referee: &dyn Referee, node: usize) -> Value {
        let mut position = position(referee, node);
        // Who looks at a position whose game is over wants to know why, not what could be played.
        let oracle = self.oracle.as_ref().filter(|_| position["outcome"].is_null());
        if let Some(judged) = oracle.and_then(|oracle| oracle.judge(&referee.fen())) {
            position["known"] = json!({ "value": judged.value, "moves": judged.moves });
        }
        position
    }

    /// The FEN of a position that was set up by hand.
    pub(super) fn compose(&self, letters: &str, turn: usize) -> Result<Value> {
        let spots = self.referee.board().spots;
        ensure!(letters.chars().count() == spots.len(), "expected {} squares", spots.len());
        let pieces: Vec<_> = spots
            .into_iter()
            .zip(letters.chars())
            .filter(|(_, letter)| *letter != '.')
            .map(|(spot, letter)| (spot.name, letter))
            .collect();
        for (_, letter) in &pieces {
            ensure!(self.entry.pieces.iter().any(|(known, _)| known == letter), "'{letter}' is not a piece");
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

impl Lines {
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
