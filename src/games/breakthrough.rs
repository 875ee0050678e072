//! Breakthrough.

use breakthrough::{Breakthrough, Move, Position, Rules, Square, tuning};
use protocol::program;
use search::learn::games::Style;
use search::{Engine, Root, Score, Search, Side};

use super::Row;
use super::field::{options, rules};
use crate::build::Build;
use crate::driver::Protocol;
use crate::lab::Lab;
use crate::learn::games::Author;
use crate::learn::{Learn, Shared};
use crate::record::Format;
use crate::referee::{Board, Refereed, desk, man, placed, searched, turn_letter};

pub(super) const ROW: Row = Row {
    name: "breakthrough",
    title: "Breakthrough",
    engine: <Breakthrough as Engine>::NAME,
    run: program::run_uci::<Breakthrough>,
    protocols: &[Protocol::Uci],
    formats: &[Format::Pgn],
    first: Side::White,
    pieces: &[('w', "white man"), ('b', "black man")],
    options: options::<Breakthrough>,
    rules: rules::<Rules>,
    referee: desk::<Position>,
    quick: &[],
    start: None,
    build: Build::NOTHING,
    learn: Some(Learn {
        about: "Games of Breakthrough",
        own: None,
        shared: Some(Shared::of::<Breakthrough>()),
    }),
    lab: Lab::NOTHING,
};

impl Author for Breakthrough {
    const STYLE: Style = tuning::GAMES;

    fn player(&mut self) -> &mut dyn Search<Position> {
        self
    }
}

impl Refereed for Position {
    fn value(root: &Root<Self>, nodes: u64) -> Option<Score> {
        searched(Breakthrough::new(), root, nodes)
    }

    fn board(&self) -> Board {
        Board::of_squares(self.rules().size(), |column, row| {
            let square = Square(8 * row + column);
            (square.to_string(), man(|side| self.men(side) & square.bit() != 0))
        })
    }

    fn steps(&self, m: Move) -> Vec<String> {
        vec![m.from.to_string(), m.to.to_string()]
    }

    fn compose(rules: &Rules, pieces: &[(String, char)], turn: Side) -> String {
        let name = |column, row| Square(8 * row + column).to_string();
        format!("{} {}", placed(rules.size(), name, pieces), turn_letter(turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Game;

    #[test]
    fn the_start_has_two_rows_of_men_on_either_side() {
        let board = Position::start(&Rules::new(5).unwrap()).board();
        let letters: String = board.spots.iter().map(|spot| spot.piece.unwrap_or('.')).collect();
        assert_eq!(letters, "wwwwwwwwww.....bbbbbbbbbb");
        assert_eq!((board.spots[7].name.as_str(), board.spots[7].column, board.spots[7].row), ("c2", 2, 1));
    }
}
