//! Nine men's morris.

use morris::board::{ALL, mills, points};
use morris::{Morris, Move, Point, Position, Rules};
use protocol::program;
use search::{Engine, Root, Score, Side};

use super::Row;
use super::field::{options, rules};
use crate::build::Build;
use crate::driver::Protocol;
use crate::record::Format;
use crate::referee::{Board, Ground, Refereed, Spot, desk, man, searched, turn_letter};

mod build;
mod lab;
mod learn;

/// Men of a side at the start; with fewer than three the game is lost.
const MEN: usize = 9;
const FEWEST: usize = 3;

pub(super) const ROW: Row = Row {
    name: "morris",
    title: "Nine men's morris",
    engine: <Morris as Engine>::NAME,
    run: program::run_uci::<Morris>,
    protocols: &[Protocol::Uci],
    formats: &[Format::Pgn],
    first: Side::White,
    pieces: &[('w', "white merel"), ('b', "black merel")],
    options: options::<Morris>,
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
        searched(Morris::alone(), root, nodes)
    }

    fn board(&self) -> Board {
        let spot = |point: Point| {
            let (column, row) = place(point);
            let piece = man(|side| self.men(side) & point.bit() != 0);
            Spot { name: point.to_string(), column, row, piece }
        };
        let mut spots: Vec<_> = points(ALL).map(spot).collect();
        spots.sort_by_key(|spot| (spot.row, spot.column));
        let note = |side| match self.hand(side) {
            0 => String::new(),
            men => format!("{men} in hand"),
        };
        Board {
            ground: Ground::Lines,
            columns: 7,
            rows: 7,
            spots,
            lines: mills().into_iter().map(ends).collect(),
            notes: [note(Side::White), note(Side::Black)],
            ..Board::default()
        }
    }

    fn steps(&self, m: Move) -> Vec<String> {
        m.from.into_iter().chain([m.to]).chain(points(m.taken)).map(|point| point.to_string()).collect()
    }

    /// Men that are not on the board are lost, unless that would end the game: then they are in hand.
    fn compose(_: &Rules, pieces: &[(String, char)], turn: Side) -> String {
        let men = |letter| pieces.iter().filter(|(_, piece)| *piece == letter).count();
        let (white, black) = (men('w'), men('b'));
        let placing = white < FEWEST || black < FEWEST;
        let hand = |men: usize| if placing { MEN.saturating_sub(men) } else { 0 };
        let letter = |point: Point| {
            let name = point.to_string();
            pieces.iter().find(|(spot, _)| *spot == name).map_or('.', |(_, letter)| *letter)
        };
        let letters: Vec<char> = points(ALL).map(letter).collect();
        let rings: Vec<String> = letters.chunks(8).map(|ring| ring.iter().collect()).collect();
        format!("{} {} {} {} 0 -", rings.join("/"), turn_letter(turn), hand(white), hand(black))
    }
}

/// Column and row of a point, from its name.
fn place(point: Point) -> (u8, u8) {
    let name = point.to_string();
    (name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1')
}

/// The first and last point of a mill.
fn ends(mill: u32) -> (String, String) {
    let mut line: Vec<_> = points(mill).collect();
    line.sort_by_key(|&point| place(point));
    (line[0].to_string(), line[line.len() - 1].to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::{Choice, open};
    use search::Game;

    #[test]
    fn the_board_has_16_lines_of_three_points() {
        let board = Position::start(&Rules::default()).board();
        assert_eq!((board.spots.len(), board.lines.len()), (24, 16));
        assert_eq!(board.spots[0].name, "a1");
        assert!(board.lines.contains(&("a7".into(), "g7".into())));
        assert!(board.lines.contains(&("d5".into(), "d7".into())));
        assert_eq!(board.notes, ["9 in hand", "9 in hand"]);
    }

    #[test]
    fn a_mill_is_touched_with_the_man_it_removes() {
        let mut referee = open("morris", &[]).unwrap();
        for text in ["a7", "a1", "d7", "b2"] {
            referee.play(text).unwrap();
        }
        let steps = vec!["g7".to_owned(), "a1".to_owned()];
        assert!(referee.choices().contains(&Choice { text: "g7xa1".to_owned(), steps }));
    }

    #[test]
    fn a_composed_position_can_be_played() {
        let referee = open("morris", &[]).unwrap();
        let men =
            |names: &str, letter| names.split(' ').map(move |n| (n.to_owned(), letter)).collect::<Vec<_>>();
        let few = [men("a7 d7", 'w'), men("a1", 'b')].concat();
        assert_eq!(referee.compose(&few, Side::White).unwrap(), "ww....b./......../........ w 7 8 0 -");
        let many = [men("a7 d7 g7 g4", 'w'), men("a1 b2 c3", 'b')].concat();
        assert_eq!(referee.compose(&many, Side::Black).unwrap(), "wwww..b./......b./......b. b 0 0 0 -");
    }
}
