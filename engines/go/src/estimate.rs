//! Which stones are dead and what the score will be: unconditional life first, then who owns what after playouts.
//!
//! The playouts have a fixed seed, so the same position always gets the same answer: what was assumed when the
//! engine passed is what it says when the game is counted.

use std::sync::Arc;

use search::{Game, Random, Side};

use crate::board::Board;
use crate::life;
use crate::ownership::Ownership;
use crate::playout::{Player, Style};
use crate::tuning::PLAYOUT;
use crate::{Colour, Point, PointSet, Position};

/// Playouts, half with either side to begin.
const PLAYOUTS: usize = 800;
/// Owned by the other side this surely, a chain is dead.
const DEAD: f64 = 0.45;
/// A chain in seki has at most this many liberties, none of them its own.
const SEKI_LIBERTIES: usize = 2;

/// A judgement of all stones.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Stones that will be taken off before counting.
    pub dead: PointSet,
    /// Stones that live without two eyes of their own.
    pub seki: PointSet,
    /// Who owned what at the end of the playouts.
    pub ownership: Arc<Ownership>,
    /// Black's points minus White's under the rules in force, komi included.
    pub margin: f64,
}

/// Judges a position.
pub fn estimate(position: &Position) -> Estimate {
    let ownership = Arc::new(played_out(position));
    let dead = if position.rules().all_alive { PointSet::default() } else { dead(position, &ownership) };
    let seki = seki(position, &dead);
    Estimate { margin: position.margin_without(&dead), dead, seki, ownership }
}

fn played_out(position: &Position) -> Ownership {
    let ownership = Ownership::new(1);
    let start = Board::new(position, [Point::NONE; 2]);
    let mut player = Player::new(Style::Heavy(PLAYOUT), &start);
    let mut random = Random::new(position.key());
    let (mut board, mut trace) = (start.clone(), Vec::new());
    for i in 0..PLAYOUTS {
        board.clone_from(&start);
        board.resume();
        board.set_turn(if i % 2 == 0 { Side::Black } else { Side::White });
        trace.clear();
        player.finish(&mut board, &mut random, &mut trace);
        ownership.add(&board);
    }
    ownership
}

fn dead(position: &Position, ownership: &Ownership) -> PointSet {
    let mut dead = PointSet::default();
    for (colour, sign) in [(Colour::Black, 1.0), (Colour::White, -1.0)] {
        let enemy = if colour == Colour::Black { Colour::White } else { Colour::Black };
        let (safe, _) = life::unconditional(position, colour);
        let (_, hostile) = life::unconditional(position, enemy);
        for chain in position.chains(colour) {
            let owned: f64 = chain.stones.iter().map(|p| sign * ownership.at(p)).sum();
            let hopeless = !chain.stones.is_disjoint(&hostile);
            let lost = owned / (chain.stones.len() as f64) < -DEAD;
            if chain.stones.is_disjoint(&safe) && (hopeless || lost) {
                dead.union(&chain.stones);
            }
        }
    }
    dead
}

/// Living chains that touch no point surrounded by their own colour once the dead are gone.
fn seki(position: &Position, dead: &PointSet) -> PointSet {
    let cleaned = position.without(dead);
    let mut seki = PointSet::default();
    for colour in [Colour::Black, Colour::White] {
        let other = if colour == Colour::Black { Colour::White } else { Colour::Black };
        for chain in cleaned.chains(colour) {
            // Neutral points at the border of two territories leave more liberties than this.
            let few = chain.liberties.len() <= SEKI_LIBERTIES;
            if few && chain.liberties.iter().all(|p| !cleaned.region(p, other).1.is_empty()) {
                seki.union(&chain.stones);
            }
        }
    }
    seki
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::drawn;

    #[test]
    fn a_lone_stone_in_a_living_corner_is_dead() {
        let rows = ". X . X . O . / X X X X . O . / . O . X X O . / X X X X O O . / O O O O O . O / . O . O . O . / O . O O O . O";
        let position = drawn(rows, "chinese");
        let dead = estimate(&position).dead;
        assert_eq!(dead.iter().map(|p| p.to_string()).collect::<Vec<_>>(), ["B5"]);
    }

    #[test]
    fn the_answer_is_always_the_same() {
        let position = drawn(". X . O . / X X O O . / . X O . O / X X O O . / . X O . O", "chinese");
        let (a, b) = (estimate(&position), estimate(&position));
        assert_eq!((a.dead, a.margin), (b.dead, b.margin));
    }

    #[test]
    fn on_cgos_every_stone_on_the_board_lives() {
        let rows = ". X . X . / X X X X X / . O . . . / . . . . . / . . . . .";
        assert!(!estimate(&drawn(rows, "chinese")).dead.is_empty());
        assert!(estimate(&drawn(rows, "cgos")).dead.is_empty());
    }
}
