//! Chess and Chess960.

use anyhow::{Result, bail};
use chess::moves::Kind as MoveKind;
use chess::{Chess, Move, Position, Rules, Square, san, shuffled};
use protocol::program;
use search::options::Kind;
use search::{Engine, Game, Root, Score, Side};

use super::field::{options, rules};
use super::{Choices, Row, Start};
use crate::build::Build;
use crate::driver::Protocol;
use crate::record::{Format, Record};
use crate::referee::{Board, Referee, Refereed, desk, placed, searched, turn_letter};

mod build;
mod lab;
mod learn;

/// The option that names a start of Chess960.
const NUMBER: &str = "Chess960 number";
/// The rule under which it counts.
const SHUFFLED: &str = "UCI_Chess960";
/// The value of the tag `Variant` under that rule.
const CHESS960: &str = "Chess960";

pub(super) const ROW: Row = Row {
    name: "chess",
    title: "Chess",
    engine: <Chess as Engine>::NAME,
    run: program::run_uci::<Chess>,
    protocols: &[Protocol::Uci],
    formats: &[Format::Pgn],
    first: Side::White,
    pieces: &[
        ('K', "white king"),
        ('Q', "white queen"),
        ('R', "white rook"),
        ('B', "white bishop"),
        ('N', "white knight"),
        ('P', "white pawn"),
        ('k', "black king"),
        ('q', "black queen"),
        ('r', "black rook"),
        ('b', "black bishop"),
        ('n', "black knight"),
        ('p', "black pawn"),
    ],
    options: options::<Chess>,
    rules: rules::<Rules>,
    referee: desk::<Position>,
    quick: &[],
    start: Some(Start {
        name: NUMBER,
        kind: Kind::Spin { default: -1, min: -1, max: shuffled::STARTS as i64 - 1 },
        help: "the Chess960 start position, 0 to 959; -1 for a random one",
        position: begin,
    }),
    build: Build { book: Some(build::book), ..Build::NOTHING },
    learn: Some(learn::LEARN),
    lab: lab::LAB,
};

/// The start of Chess960 by its number, or any.
fn begin(_: &dyn Referee, rules: &Choices, number: Option<&str>, random: u64) -> Result<Option<String>> {
    if !rules.iter().any(|(name, value)| name == SHUFFLED && value == "true") {
        return Ok(None);
    }
    let any = (random % u64::from(shuffled::STARTS)) as i64;
    let number = match number.map_or(Ok(-1), str::parse::<i64>) {
        Ok(number) if number < 0 => any,
        Ok(number) if number < i64::from(shuffled::STARTS) => number,
        _ => bail!("a Chess960 start position is a number from 0 to 959"),
    };
    Ok(Some(shuffled::start(number as u32)))
}

impl Refereed for Position {
    fn value(root: &Root<Self>, nodes: u64) -> Option<Score> {
        searched(Chess::new(), root, nodes)
    }

    fn written(&self, m: Move) -> String {
        san::write(self, m)
    }

    fn tags(_: &Row, rules: &Rules) -> Vec<(&'static str, String)> {
        if rules.chess960 { vec![("Variant", CHESS960.to_owned())] } else { Vec::new() }
    }

    fn rules_told(record: &Record) -> Result<Vec<(String, String)>, String> {
        let told = record.tag("Variant").filter(|name| name.replace(' ', "").eq_ignore_ascii_case(CHESS960));
        Ok(told.map(|_| (SHUFFLED.to_owned(), "true".to_owned())).into_iter().collect())
    }

    fn board(&self) -> Board {
        let board = Board::of_squares(8, |column, row| {
            let square = Square(8 * row + column);
            (square.to_string(), self.letter(square))
        });
        Board { check: self.in_check().then(|| self.king(self.turn()).to_string()), ..board }
    }

    /// A king castles by going where it will stand, in Chess960 by going onto its rook.
    fn steps(&self, m: Move) -> Vec<String> {
        let text = self.write(m);
        let to = if m.kind() == MoveKind::Castle { text[2..4].to_owned() } else { m.to().to_string() };
        vec![m.from().to_string(), to]
    }

    /// Kings and rooks that stand where games begin may castle.
    fn compose(_: &Rules, pieces: &[(String, char)], turn: Side) -> String {
        let rows = placed(8, |column, row| Square(8 * row + column).to_string(), pieces);
        let stands = |spot: &str, letter| pieces.iter().any(|(name, piece)| name == spot && *piece == letter);
        let rights =
            [("e1", 'K', "h1", 'R'), ("e1", 'K', "a1", 'R'), ("e8", 'k', "h8", 'r'), ("e8", 'k', "a8", 'r')];
        let castling: String = rights
            .into_iter()
            .zip("KQkq".chars())
            .filter(|((king, k, rook, r), _)| stands(king, *k) && stands(rook, *r))
            .map(|(_, right)| right)
            .collect();
        let castling = if castling.is_empty() { "-" } else { &castling };
        format!("{rows} {} {castling} - 0 1", turn_letter(turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::{Choice, open};

    #[test]
    fn a_promotion_is_a_choice_among_moves_of_the_same_spots() {
        let mut referee = open("chess", &[]).unwrap();
        referee.set_up(Some("8/P7/8/8/8/8/8/k1K5 w - - 0 1")).unwrap();
        let same = vec!["a7".to_owned(), "a8".to_owned()];
        let texts: Vec<_> =
            referee.choices().into_iter().filter(|c| c.steps == same).map(|c| c.text).collect();
        assert_eq!(texts.len(), 4);
        assert!(texts.contains(&"a7a8q".to_owned()));
    }

    #[test]
    fn a_king_castles_by_two_steps() {
        let mut referee = open("chess", &[]).unwrap();
        referee.set_up(Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1")).unwrap();
        let steps = vec!["e1".to_owned(), "g1".to_owned()];
        assert!(referee.choices().contains(&Choice { text: "e1g1".to_owned(), steps }));
        referee.play("O-O").unwrap();
        assert_eq!(referee.written(), ["O-O"]);
    }

    #[test]
    fn a_composed_start_may_castle() {
        let referee = open("chess", &[]).unwrap();
        let board = referee.board();
        let pieces: Vec<_> = board.spots.into_iter().filter_map(|s| Some((s.name, s.piece?))).collect();
        assert_eq!(referee.compose(&pieces, Side::White).unwrap(), referee.fen());
        assert!(referee.compose(&pieces[..8], Side::White).is_err());
    }

    #[test]
    fn a_check_is_shown_on_the_king() {
        let mut referee = open("chess", &[]).unwrap();
        referee.set_up(Some("4k3/8/8/8/8/8/8/4KR1r w - - 0 1")).unwrap();
        assert_eq!(referee.board().check, None);
        referee.set_up(Some("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")).unwrap();
        assert_eq!(referee.board().check.as_deref(), Some("e1"));
    }

    #[test]
    fn a_shuffled_game_begins_where_its_number_says() {
        let choice = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let shuffled = [choice(SHUFFLED, "true")];
        let referee = open(ROW.name, &shuffled).unwrap();
        let fen = |number, random| begin(&*referee, &shuffled, number, random).unwrap().unwrap();
        assert!(fen(Some("518"), 7).starts_with("rnbqkbnr"));
        assert_ne!(fen(Some("-1"), 7), fen(None, 8));
        assert!(begin(&*referee, &shuffled, Some("960"), 0).is_err());
        assert_eq!(begin(&*referee, &[], Some("3"), 0).unwrap(), None);
    }
}
