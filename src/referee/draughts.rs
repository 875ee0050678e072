//! What programs ask of draughts beyond its rules.

use draughts::{DrawRules, Move, Notation, Position, Rules, Square, Variant};
use search::Side;

use super::{Board, Ground, Refereed, Spot};

impl Refereed for Position {
    const NAME: &'static str = "draughts";

    fn choose(rules: &mut Rules, name: &str, value: &str) -> Result<(), String> {
        let one_of = |names: &[&str]| format!("it is one of {}", names.join(", "));
        match name.to_ascii_lowercase().as_str() {
            "variant" => rules.variant = Variant::named(value).ok_or_else(|| one_of(&Variant::NAMES))?,
            "drawrules" => rules.draws = DrawRules::named(value).ok_or_else(|| one_of(&DrawRules::NAMES))?,
            _ => return Err("the rules to choose are Variant and DrawRules".to_owned()),
        }
        Ok(())
    }

    /// Records are in the notation that people read in Brazil.
    fn written(&self, m: Move) -> String {
        Notation::Algebraic.write(self, m)
    }

    /// Only the dark squares are places.
    fn board(&self) -> Board {
        let piece = |square: Square| {
            let is_king = self.kings() & square.bit() != 0;
            let stands = |side| self.pieces(side) & square.bit() != 0;
            match (stands(Side::White), stands(Side::Black)) {
                (true, _) => Some(if is_king { 'W' } else { 'w' }),
                (_, true) => Some(if is_king { 'B' } else { 'b' }),
                _ => None,
            }
        };
        let spot = |square: Square| {
            let (row, column) = square.row_and_column();
            Spot { name: square.to_string(), column, row, piece: piece(square) }
        };
        let spots = (0..32).map(|number| spot(Square(number))).collect();
        Board { ground: Ground::Squares, columns: 8, rows: 8, spots }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Game;

    #[test]
    fn the_start_has_twelve_men_on_either_side() {
        let board = Position::start(&Rules::default()).board();
        let letters: String = board.spots.iter().map(|spot| spot.piece.unwrap_or('.')).collect();
        assert_eq!(letters, format!("{}{}{}", "w".repeat(12), ".".repeat(8), "b".repeat(12)));
        assert_eq!((board.spots[0].name.as_str(), board.spots[4].column), ("29", 1));
    }

    #[test]
    fn rules_are_chosen_by_name() {
        let mut rules = Rules::default();
        Position::choose(&mut rules, "Variant", "russian").unwrap();
        assert_eq!(rules.variant, Variant::RUSSIAN);
        assert!(Position::choose(&mut rules, "DrawRules", "chess").unwrap_err().contains("fmjd64"));
        assert!(Position::choose(&mut rules, "komi", "7").is_err());
    }
}
