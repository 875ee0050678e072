//! The opening book: positions with weighted moves, counted from games.
//!
//! A text file: a first line that says what it is and where it comes from, then one line a move: the position's
//! key, the move, its weight. Colours and variants are told apart by the key, so one book serves all.

use std::collections::BTreeMap;
use std::fmt::Write;

use search::{Game, Random, Root, Side};

use crate::{Move, Position, Variant};

/// How the file begins.
const MAGIC: &str = "quintet draughts book 1;";

/// Positions by their keys, with moves and weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    origin: String,
    moves: BTreeMap<u64, Vec<(String, u32)>>,
}

/// A game to learn from.
#[derive(Clone, Debug)]
pub struct Example {
    /// The game.
    pub game: Root<Position>,
    /// Who won it, nobody in a draw; none if it was not ended.
    pub winner: Option<Option<Side>>,
    /// Its first moves that were given to the players, not chosen by them.
    pub given: usize,
}

/// A file that is not a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// Not a file of this kind or version.
    #[error("it does not begin with '{MAGIC}'")]
    Foreign,
    /// A line that is not key, move and weight.
    #[error("line {0} is not a key, a move and a weight")]
    Line(usize),
}

impl Book {
    /// Counts the moves that players chose among the first `plies` of their games: a move gains 2 for a won game and 1
    /// for a drawn one. Moves that gained less than `least` are left out.
    pub fn learn(games: &[Example], plies: usize, least: u32, origin: &str) -> Book {
        let mut moves: BTreeMap<u64, Vec<(String, u32)>> = BTreeMap::new();
        for Example { game, winner, given } in games {
            let played = game.positions().iter().zip(game.moves());
            for (position, &m) in played.take(plies).skip(*given) {
                let gain = gain(*winner, position.turn());
                let known = moves.entry(name(position)).or_default();
                let text = position.write(m);
                match known.iter_mut().find(|(move_text, _)| *move_text == text) {
                    Some((_, weight)) => *weight += gain,
                    None => known.push((text, gain)),
                }
            }
        }
        moves.values_mut().for_each(|known| known.retain(|&(_, weight)| weight >= least.max(1)));
        moves.retain(|_, known| !known.is_empty());
        Book { origin: origin.to_owned(), moves }
    }

    /// Reads a book.
    pub fn read(text: &str) -> Result<Book, BookError> {
        let mut lines = text.lines();
        let origin = lines.next().and_then(|line| line.strip_prefix(MAGIC)).ok_or(BookError::Foreign)?;
        let mut moves: BTreeMap<u64, Vec<(String, u32)>> = BTreeMap::new();
        for (line, number) in lines.zip(2..) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let entry = match fields[..] {
                [key, m, weight] => {
                    u64::from_str_radix(key, 16).ok().zip(weight.parse().ok()).map(|e| (e, m))
                }
                _ => None,
            };
            let ((key, weight), m) = entry.ok_or(BookError::Line(number))?;
            moves.entry(key).or_default().push((m.to_owned(), weight));
        }
        Ok(Book { origin: origin.trim().to_owned(), moves })
    }

    /// The book as [`Book::read`] reads it.
    pub fn write(&self) -> String {
        let mut text = format!("{MAGIC} {}\n", self.origin);
        for (key, known) in &self.moves {
            for (m, weight) in known {
                writeln!(text, "{key:016x} {m} {weight}").expect("a string takes all");
            }
        }
        text
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.moves.len()
    }

    /// A move of the book, each as often as its weight says; none if the book has none that is legal here.
    pub fn choose(&self, root: &Root<Position>, random: &mut Random) -> Option<Move> {
        let position = root.position();
        let known = self.moves.get(&name(position))?;
        let legal: Vec<(Move, u32)> =
            known.iter().filter_map(|(text, weight)| Some((position.parse(text).ok()?, *weight))).collect();
        random.weighted(&legal)
    }
}

/// The key of a position in a book: its own in the default variant, another in every other one.
fn name(position: &Position) -> u64 {
    let variant = position.rules().variant.game_type ^ Variant::BRAZILIAN.game_type;
    position.key() ^ u64::from(variant)
}

/// What a game is worth to a side, in half points.
fn gain(winner: Option<Option<Side>>, side: Side) -> u32 {
    match winner {
        Some(Some(winner)) if winner == side => 2,
        Some(None) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn example(variant: Variant, moves: &str, winner: Option<Side>) -> Example {
        let mut game = Root::new(Position::start(&Rules { variant, ..Rules::default() }));
        for text in moves.split(' ') {
            game.play_text(text).unwrap();
        }
        Example { game, winner: Some(winner), given: 0 }
    }

    fn book() -> Book {
        let games = [("22-18 11-15", Some(Side::White)), ("22-18 12-16", None), ("21-17", Some(Side::Black))];
        let games = games.map(|(moves, winner)| example(Variant::BRAZILIAN, moves, winner));
        Book::learn(&games, 10, 1, "made for a test")
    }

    #[test]
    fn moves_weigh_what_they_gained() {
        let start = Root::new(Position::start(&Rules::default()));
        for seed in 0..20 {
            let m = book().choose(&start, &mut Random::new(seed)).unwrap();
            assert_eq!(start.position().write(m), "22-18");
        }
        let mut game = start;
        game.play_text("22-18").unwrap();
        assert_eq!(game.position().write(book().choose(&game, &mut Random::new(1)).unwrap()), "12-16");
        game.play_text("9-13").unwrap();
        assert_eq!(book().choose(&game, &mut Random::new(1)), None);
    }

    #[test]
    fn moves_that_were_given_are_not_learned() {
        let games = [Example { given: 2, ..example(Variant::BRAZILIAN, "22-18 9-13 25-22 12-16", None) }];
        let learned = |plies| Book::learn(&games, plies, 1, "made for a test").moves;
        let chosen = games[0].game.positions()[2];
        assert_eq!(learned(3), BTreeMap::from([(chosen.key(), vec![("25-22".to_owned(), 1)])]));
        assert_eq!(learned(2), BTreeMap::new());
    }

    #[test]
    fn every_variant_has_its_own_openings() {
        let games = [(Variant::RUSSIAN, "22-18"), (Variant::BRAZILIAN, "21-17")];
        let games = games.map(|(variant, moves)| example(variant, moves, Some(Side::White)));
        let book = Book::learn(&games, 10, 1, "made for a test");
        for (variant, opening) in [(Variant::RUSSIAN, "22-18"), (Variant::BRAZILIAN, "21-17")] {
            let start = Root::new(Position::start(&Rules { variant, ..Rules::default() }));
            for seed in 0..20 {
                let m = book.choose(&start, &mut Random::new(seed)).unwrap();
                assert_eq!(start.position().write(m), opening);
            }
        }
    }

    #[test]
    fn books_are_read_back_and_others_refused() {
        assert_eq!(Book::read(&book().write()), Ok(book()));
        assert_eq!(Book::read("PK"), Err(BookError::Foreign));
        assert_eq!(Book::read(&format!("{MAGIC} x\nzz 22-18 3")), Err(BookError::Line(2)));
        let start = Root::new(Position::start(&Rules::default()));
        let (key, most) = (start.position().key(), u32::MAX);
        let heavy = Book::read(&format!("{MAGIC} x\n{key:x} 22-18 {most}\n{key:x} 21-17 {most}"));
        assert!(heavy.unwrap().choose(&start, &mut Random::new(1)).is_some());
    }
}
