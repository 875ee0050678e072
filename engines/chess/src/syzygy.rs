//! Syzygy endgame tables, read by shakmaty-syzygy: won, drawn or lost, and the way to the next capture.

use std::cmp::Reverse;
use std::path::Path;

use ::search::{Game, Root, Score, Side};
use shakmaty::{CastlingMode, Chess, Color, Piece, Setup};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};

use crate::attacks::squares;
use crate::moves::Move;
use crate::position::{Castle, Position};

/// What the tables say of a position, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Lost even with the fifty-move rule in force.
    Loss,
    /// Drawn, or won or lost too slowly.
    Draw,
    /// Won.
    Win,
}

impl Verdict {
    /// The value `ply` plies below the root: a proven win of unknown distance stands between opinions and mates.
    pub fn score(self, ply: usize) -> Score {
        let won = Score(Score::DECISIVE.0 - 1 - ply as i32);
        match self {
            Verdict::Loss => -won,
            Verdict::Draw => Score::DRAW,
            Verdict::Win => won,
        }
    }
}

/// The user's choices beside the directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The least depth at which the tree asks the tables.
    pub depth: i32,
    /// Whether the fifty-move rule turns slow wins into draws.
    pub fifty_moves: bool,
    /// Positions with more pieces are not looked up.
    pub limit: u32,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { depth: 1, fifty_moves: true, limit: 7 }
    }
}

/// The tables found in some directories.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    /// How they are used.
    pub rules: Rules,
}

impl Tablebases {
    /// Opens the tables of a list of directories, separated as the platform separates paths; remarks on those that
    /// cannot be read or hold no tables, and does without them.
    pub fn open(paths: &str, rules: Rules, remarks: &mut Vec<String>) -> Option<Tablebases> {
        let mut tables = Tablebase::new();
        let mut files = 0;
        for path in std::env::split_paths(paths).filter(|path| path != Path::new("")) {
            match tables.add_directory(&path) {
                Ok(0) => remarks.push(format!("no Syzygy tables in {}", path.display())),
                Ok(found) => files += found,
                Err(error) => remarks.push(format!("{}: {error}", path.display())),
            }
        }
        (files > 0).then_some(Tablebases { tables, rules })
    }

    /// What the tables say inside the tree: only right after a capture or pawn move, so that the counter is 0.
    pub fn probe(&self, p: &Position, depth: i32) -> Option<Verdict> {
        let pieces = p.occupied().count_ones();
        let asks = pieces <= self.limit()
            && (pieces < self.limit() || depth >= self.rules.depth)
            && p.quiet() == 0
            && !may_castle(p);
        if !asks {
            return None;
        }
        self.verdict(p)
    }

    /// What the tables promise the moves of the root, the best first; none if they do not know all of them. Unless
    /// `several` lines are asked for, only moves are kept that promise most, and of these the quickest on the way to a
    /// win and the slowest on the way to a loss.
    pub fn judge(
        &self,
        root: &Root<Position>,
        several: bool,
        moves: &[Move],
    ) -> Option<Vec<(Move, Verdict)>> {
        let p = root.position();
        if p.occupied().count_ones() > self.limit() || may_castle(p) {
            return None;
        }
        let mut game = root.clone();
        let mut judged = Vec::with_capacity(moves.len());
        for &m in moves {
            game.play(m);
            judged.push((m, self.rank(&game)?));
            game.undo();
        }
        if several {
            judged.sort_by_key(|&(_, (verdict, _))| Reverse(verdict));
        } else {
            let best = judged.iter().map(|&(_, rank)| rank).max()?;
            judged.retain(|&(_, rank)| rank == best);
        }
        Some(judged.into_iter().map(|(m, (verdict, _))| (m, verdict)).collect())
    }

    /// How good it is for the side that has just moved to have brought the game here: the verdict, then progress.
    fn rank(&self, game: &Root<Position>) -> Option<(Verdict, i32)> {
        let child = game.position();
        if child.count() == 0 {
            return Some(if child.in_check() { (Verdict::Win, i32::MAX) } else { (Verdict::Draw, 0) });
        }
        // The tables know nothing of the game before: a third occurrence saves who is lost.
        if child.is_insufficient() || game.earlier() >= 2 {
            return Some((Verdict::Draw, 0));
        }
        let verdict = match self.verdict(child)? {
            Verdict::Win => Verdict::Loss,
            Verdict::Draw => Verdict::Draw,
            Verdict::Loss => Verdict::Win,
        };
        if verdict == Verdict::Draw {
            return Some((verdict, 0));
        }
        // A capture or pawn move starts the count anew: nothing is quicker. Without tables of distances all are alike.
        let distance = match child.quiet() {
            0 => 0,
            _ => self.tables.probe_dtz(&foreign(child)?).map_or(0, |found| found.ignore_rounding().0.abs()),
        };
        // At least one more ply is needed, whether the distance is known or not.
        if self.rules.fifty_moves && distance.max(1) + child.quiet() as i32 > 100 {
            return Some((Verdict::Draw, 0));
        }
        Some((verdict, if verdict == Verdict::Win { -distance } else { distance }))
    }

    fn verdict(&self, p: &Position) -> Option<Verdict> {
        let there = foreign(p)?;
        // Only a counter that runs needs the tables of distances, which are slow and may be missing.
        let counted = (p.quiet() > 0).then(|| self.tables.probe_wdl(&there).ok()).flatten();
        let plain = || self.tables.probe_wdl_after_zeroing(&there).ok().map(AmbiguousWdl::from);
        Some(match counted.or_else(plain)? {
            AmbiguousWdl::Win | AmbiguousWdl::MaybeWin => Verdict::Win,
            AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss => Verdict::Loss,
            AmbiguousWdl::CursedWin if !self.rules.fifty_moves => Verdict::Win,
            AmbiguousWdl::BlessedLoss if !self.rules.fifty_moves => Verdict::Loss,
            _ => Verdict::Draw,
        })
    }

    fn limit(&self) -> u32 {
        self.rules.limit.min(self.tables.max_pieces() as u32)
    }
}

fn may_castle(p: &Position) -> bool {
    Castle::ALL.into_iter().any(|castle| p.castle_rook(castle).is_some())
}

/// The position as the reader of tables knows it.
fn foreign(p: &Position) -> Option<Chess> {
    shakmaty::FromSetup::from_setup(setup(p)?, CastlingMode::Chess960).ok()
}

/// The same before anything is checked.
pub(crate) fn setup(p: &Position) -> Option<Setup> {
    let mut setup = Setup::empty();
    let colour = |side| if side == Side::White { Color::White } else { Color::Black };
    for square in squares(p.occupied()) {
        let role = shakmaty::Role::ALL[p.role_on(square)?.index()];
        let piece = Piece { color: colour(p.side_on(square)?), role };
        setup.board.set_piece_at(shakmaty::Square::new(u32::from(square.0)), piece);
    }
    for rook in Castle::ALL.into_iter().filter_map(|castle| p.castle_rook(castle)) {
        setup.castling_rights.add(shakmaty::Square::new(u32::from(rook.0)));
    }
    setup.turn = colour(p.turn());
    setup.ep_square = p.en_passant().map(|square| shakmaty::Square::new(u32::from(square.0)));
    setup.halfmoves = p.quiet();
    Some(setup)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_without_tables_is_refused_by_name() {
        let directory = std::env::temp_dir();
        let text = directory.to_string_lossy().into_owned();
        let mut remarks = Vec::new();
        let paths = std::env::join_paths([&text, "/nowhere at all"]).unwrap();
        assert!(Tablebases::open(&paths.to_string_lossy(), Rules::default(), &mut remarks).is_none());
        assert_eq!(remarks[0], format!("no Syzygy tables in {text}"));
        assert!(remarks[1].starts_with("/nowhere at all: "), "{remarks:?}");
    }

    #[test]
    fn tables_of_distances_may_be_missing() {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy/KQvK.rtbw");
        let directory = tempfile::tempdir().unwrap();
        std::fs::copy(source, directory.path().join("KQvK.rtbw")).unwrap();
        let path = directory.path().to_string_lossy();
        let tables = Tablebases::open(&path, Rules::default(), &mut Vec::new()).unwrap();
        for (quiet, found) in [(0, Some(Verdict::Win)), (5, None)] {
            let fen = format!("8/8/8/8/8/2k5/8/K6Q w - - {quiet} 9");
            let root = Root::new(Position::read(&crate::Rules::default(), &fen).unwrap());
            assert_eq!(tables.probe(root.position(), 1), found);
            let judged = tables.judge(&root, false, &root.legal()).unwrap();
            assert!(!judged.is_empty() && judged.iter().all(|&(_, verdict)| verdict == Verdict::Win));
        }
    }

    #[test]
    fn positions_cross_to_the_table_reader_unchanged() {
        let fen = "8/8/8/3pP3/8/8/8/k6K w - d6 0 1";
        let p = Position::read(&crate::Rules::default(), fen).unwrap();
        let there = foreign(&p).unwrap();
        assert_eq!(
            shakmaty::fen::Fen::from_position(&there, shakmaty::EnPassantMode::Legal).to_string(),
            fen
        );
    }
}
