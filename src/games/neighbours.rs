//! Neighbours.

use neighbours::{Move, Neighbours, Position, Rules, Square};
use protocol::program;
use search::{Engine, Root, Score, Side};

use super::Row;
use super::field::{options, rules};
use crate::build::Build;
use crate::driver::Protocol;
use crate::record::Format;
use crate::referee::{Board, Refereed, desk, man, placed, searched, turn_letter};

mod build;
mod lab;
pub mod learn;
mod proof;

pub(super) const ROW: Row = Row {
    name: "neighbours",
    title: "Neighbours",
    engine: <Neighbours as Engine>::NAME,
    run: program::run_uci::<Neighbours>,
    protocols: &[Protocol::Uci],
    formats: &[Format::Pgn],
    first: Side::White,
    pieces: &[('w', "white neighbour"), ('b', "black neighbour")],
    options: options::<Neighbours>,
    rules: rules::<Rules>,
    referee: desk::<Position>,
    quick: &[],
    start: None,
    build: Build {
        endgame: Some(build::endgame),
        solve: Some(build::solve),
        consult: Some(build::consult),
        ..Build::NOTHING
    },
    learn: Some(learn::LEARN),
    lab: lab::LAB,
};

impl Refereed for Position {
    fn value(root: &Root<Self>, nodes: u64) -> Option<Score> {
        searched(Neighbours::alone(), root, nodes)
    }

    fn board(&self) -> Board {
        Board::of_squares(self.rules().size(), |column, row| {
            let square = Square(8 * row + column);
            (square.to_string(), man(|side| self.pieces(side) & square.bit() != 0))
        })
    }

    fn steps(&self, m: Move) -> Vec<String> {
        vec![m.from.to_string(), m.to.to_string()]
    }

    fn compose(rules: &Rules, pieces: &[(String, char)], turn: Side) -> String {
        let name = |column, row| Square(8 * row + column).to_string();
        format!("{} {} 0", placed(rules.size(), name, pieces), turn_letter(turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Game;

    #[test]
    fn the_start_has_a_row_of_pieces_on_either_side() {
        let board = Position::start(&Rules::new(5).unwrap()).board();
        let letters: String = board.spots.iter().map(|spot| spot.piece.unwrap_or('.')).collect();
        assert_eq!(letters, "wwwww...............bbbbb");
        assert_eq!((board.spots[7].name.as_str(), board.spots[7].column, board.spots[7].row), ("c2", 2, 1));
    }
}
