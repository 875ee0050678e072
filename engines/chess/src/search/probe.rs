//! What endgame tables say inside the tree.

use ::search::{Bound, Eval, Game};

use super::node::to_table;
use super::worker::{NO_VALUE, Worker};
use crate::position::Position;
use crate::syzygy::Verdict;
use crate::tuning::search::TABLEBASE_DEPTH;

impl<E: Eval<Position>> Worker<'_, E> {
    /// The value of a position that the tables know, if it decides this window.
    pub(super) fn probe_tablebases(
        &self,
        p: &Position,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        let tables = self.shared.tablebases?;
        let verdict = tables.probe(p, depth)?;
        self.shared.watch.note_database_hit();
        let score = verdict.score(ply).0;
        let bound = match verdict {
            Verdict::Win => Bound::Lower,
            Verdict::Loss => Bound::Upper,
            Verdict::Draw => Bound::Exact,
        };
        let decides = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        if decides {
            let key = p.key() ^ p.salt();
            to_table(self.shared.table, key, None, score, NO_VALUE, depth + TABLEBASE_DEPTH, bound, ply);
        }
        decides.then_some(score)
    }
}
