//! Draughts.

use draughts::board::squares;
use draughts::{Draughts, Move, Position, Rules, Square, Variant};
use search::{Engine, Game, Root, Score, Side};

use super::Row;
use super::field::{options, rules};
use crate::build::Build;
use crate::driver::Protocol;
use crate::record::{Format, Record};
use crate::referee::{Board, Ground, Refereed, Spot, desk, man, searched, turn_letter};

mod build;
mod lab;
mod learn;

pub(super) const ROW: Row = Row {
    name: "draughts",
    title: "Draughts",
    engine: <Draughts as Engine>::NAME,
    run: draughts::program::run,
    protocols: &[Protocol::Uci, Protocol::Hub],
    formats: &[Format::Pdn],
    first: Side::White,
    pieces: &[('w', "white man"), ('W', "white crowned man"), ('b', "black man"), ('B', "black crowned man")],
    options: options::<Draughts>,
    rules: rules::<Rules>,
    referee: desk::<Position>,
    quick: &[],
    start: None,
    build: Build {
        endgame: Some(build::endgame),
        compare: Some(build::compare),
        consult: Some(build::consult),
        book: Some(build::book),
        ..Build::NOTHING
    },
    learn: Some(learn::LEARN),
    lab: lab::LAB,
};

impl Refereed for Position {
    fn value(root: &Root<Self>, nodes: u64) -> Option<Score> {
        searched(Draughts::bare(), root, nodes)
    }

    /// The kind of draughts, who begins, the board, and squares by column and row from its lower left corner on.
    fn tags(_: &Row, rules: &Rules) -> Vec<(&'static str, String)> {
        vec![("GameType", format!("{},W,8,8,A0,0", rules.variant.game_type))]
    }

    fn rules_told(record: &Record) -> Result<Vec<(String, String)>, String> {
        let Some(text) = record.tag("GameType") else { return Ok(Vec::new()) };
        let number = text.split(',').next().unwrap_or("").trim();
        let variant = Variant::ALL.into_iter().find(|variant| variant.game_type.to_string() == number);
        let variant = variant.ok_or_else(|| format!("GameType '{text}' is not a game played here"))?;
        Ok(vec![("Variant".to_owned(), variant.name().to_owned())])
    }

    fn board(&self) -> Board {
        let spot = |square: Square| {
            let (row, column) = square.row_and_column();
            Spot { name: square.to_string(), column, row, piece: letter(self, square) }
        };
        Board {
            ground: Ground::Squares,
            columns: 8,
            rows: 8,
            spots: squares(u32::MAX).map(spot).collect(),
            ..Board::default()
        }
    }

    fn steps(&self, m: Move) -> Vec<String> {
        self.write(m).split(['-', 'x']).map(str::to_owned).collect()
    }

    fn compose(_: &Rules, pieces: &[(String, char)], turn: Side) -> String {
        let side = |man: char| {
            let king = man.to_ascii_uppercase();
            let named = |(name, piece): &(String, char)| match *piece {
                piece if piece == king => Some(format!("K{name}")),
                piece if piece == man => Some(name.clone()),
                _ => None,
            };
            format!("{king}{}", pieces.iter().filter_map(named).collect::<Vec<_>>().join(","))
        };
        format!("{}:{}:{}", turn_letter(turn).to_ascii_uppercase(), side('w'), side('b'))
    }
}

/// `w` and `b` for men, capital for kings.
fn letter(position: &Position, square: Square) -> Option<char> {
    let man = man(|side| position.pieces(side) & square.bit() != 0)?;
    Some(if position.kings() & square.bit() != 0 { man.to_ascii_uppercase() } else { man })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::{Choice, open};

    #[test]
    fn the_32_dark_squares_have_their_numbers() {
        let board = Position::start(&Rules::default()).board();
        assert_eq!(board.spots.len(), 32);
        let first = &board.spots[0];
        assert_eq!((first.name.as_str(), first.column, first.row, first.piece), ("29", 0, 0, Some('w')));
        let last = &board.spots[31];
        assert_eq!((last.name.as_str(), last.column, last.row, last.piece), ("4", 7, 7, Some('b')));
    }

    #[test]
    fn a_capture_is_touched_from_square_to_square() {
        let mut referee = open("draughts", &[]).unwrap();
        referee.set_up(Some("W:W22:B18,10")).unwrap();
        let choices = referee.choices();
        assert_eq!(choices, [Choice { text: choices[0].text.clone(), steps: vec!["22".into(), "6".into()] }]);
    }

    #[test]
    fn a_position_is_composed_of_men_and_kings() {
        let referee = open("draughts", &[]).unwrap();
        let pieces = [("22".to_owned(), 'w'), ("1".to_owned(), 'B'), ("29".to_owned(), 'W')];
        assert_eq!(referee.compose(&pieces, Side::Black).unwrap(), "B:W22,K29:BK1");
        assert!(referee.compose(&[("1".to_owned(), 'w')], Side::White).is_err());
    }
}
