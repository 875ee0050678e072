//! What programs ask of chess beyond its rules.

use chess::moves::Kind;
use chess::{Move, Position, Rules, Square, san};
use search::{Engine, Game, Root, Score, Side};

use super::{Board, Ground, Refereed, Spot, placed, turn_letter};
use crate::record::Record;

/// The value of the tag `Variant` where games begin elsewhere than usual.
const CHESS960: &str = "Chess960";

impl Refereed for Position {
    const NAME: &'static str = "chess";

    fn choose(rules: &mut Rules, name: &str, value: &str) -> Result<(), String> {
        if !name.eq_ignore_ascii_case("UCI_Chess960") {
            return Err("the only rule to choose is UCI_Chess960".to_owned());
        }
        rules.chess960 = value.to_ascii_lowercase().parse().map_err(|_| "it is true or false")?;
        Ok(())
    }

    fn value(root: &Root<Self>, nodes: u64) -> Option<Score> {
        super::searched(::chess::Chess::new(), root, nodes)
    }

    fn written(&self, m: Move) -> String {
        san::write(self, m)
    }

    fn tags(rules: &Rules) -> Vec<(&'static str, String)> {
        if rules.chess960 { vec![("Variant", CHESS960.to_owned())] } else { Vec::new() }
    }

    fn rules_told(record: &Record) -> Result<Vec<(String, String)>, String> {
        let told = record.tag("Variant").filter(|name| name.replace(' ', "").eq_ignore_ascii_case(CHESS960));
        Ok(told.map(|_| ("UCI_Chess960".to_owned(), "true".to_owned())).into_iter().collect())
    }

    fn board(&self) -> Board {
        let spot = |index: u8| {
            let square = Square(index);
            Spot { name: square.to_string(), column: index % 8, row: index / 8, piece: self.letter(square) }
        };
        Board {
            ground: Ground::Squares,
            columns: 8,
            rows: 8,
            spots: (0..64).map(spot).collect(),
            check: self.in_check().then(|| self.king(self.turn()).to_string()),
            ..Board::default()
        }
    }

    /// A king castles by going where it will stand, in Chess960 by going onto its rook.
    fn steps(&self, m: Move) -> Vec<String> {
        let text = self.write(m);
        let to = if m.kind() == Kind::Castle { text[2..4].to_owned() } else { m.to().to_string() };
        vec![m.from().to_string(), to]
    }

    /// Kings and rooks that stand where games begin may castle.
    fn compose(_: &Rules, pieces: &[(String, char)], turn: Side) -> String {
        let rows = (0..8u8).rev().map(|row| placed((0..8).map(|c| Square(8 * row + c).to_string()), pieces));
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
        format!("{} {} {castling} - 0 1", rows.collect::<Vec<_>>().join("/"), turn_letter(turn))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Choice, open};
    use super::*;

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
}
