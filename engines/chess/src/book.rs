//! Opening books in Polyglot's format: 16 bytes an entry, sorted by the published keys.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use ::search::{Game, Random, Root, Side};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup as _, Position as _};

use crate::attacks::Square;
use crate::moves::{Kind, Move};
use crate::position::{Position, Role};
use crate::syzygy;

const ENTRY: usize = 16;
/// The kinds of piece in the order of the format's promotion numbers.
const PROMOTIONS: [Option<Role>; 5] =
    [None, Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook), Some(Role::Queen)];

/// One move of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The position.
    pub key: u64,
    /// The move as the format packs it.
    pub packed: u16,
    /// How often to play it, compared with the others.
    pub weight: u16,
}

/// A game to learn from.
#[derive(Clone, Debug)]
pub struct Example {
    /// The game.
    pub game: Root<Position>,
    /// Who won it; nobody in a draw.
    pub winner: Option<Side>,
    /// Its first moves that were given to the players, not chosen by them.
    pub given: usize,
}

/// A book, its entries sorted by key.
#[derive(Clone, Debug, Default)]
pub struct Book(Vec<Entry>);

/// The published key of a position; `last` is the move that led to it, if it is known.
pub fn key(p: &Position, last: Option<Move>) -> Option<u64> {
    let mut setup = syzygy::setup(p)?;
    // The format counts a capture en passant also where a pin forbids it, which only the move can tell.
    if let Some(m) = last.filter(|m| m.kind() == Kind::Double) {
        setup.ep_square = Some(shakmaty::Square::new(u32::from(m.from().0 + m.to().0) / 2));
    }
    let there = Chess::from_setup(setup, CastlingMode::Chess960).ok()?;
    Some(there.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0)
}

/// A legal move as the format packs it; castling is the king taking its rook.
pub fn pack(m: Move) -> u16 {
    let promotion = PROMOTIONS.iter().position(|&role| role == m.promotion()).unwrap_or(0);
    u16::from(m.to().0) | u16::from(m.from().0) << 6 | (promotion as u16) << 12
}

/// The legal move that an entry means in a position.
fn unpack(p: &Position, packed: u16) -> Option<Move> {
    let (to, from) = (Square((packed & 63) as u8), Square((packed >> 6 & 63) as u8));
    let promotion = *PROMOTIONS.get(usize::from(packed >> 12 & 7))?;
    let legal = p.list();
    let wanted = |m: &Move| m.from() == from && m.to() == to && m.promotion() == promotion;
    // Some writers give castling as the king's move.
    let castle = |m: &Move| m.kind() == Kind::Castle && p.write(*m) == format!("{from}{to}");
    legal.iter().copied().find(wanted).or_else(|| legal.iter().copied().find(castle))
}

impl Book {
    /// A book of these entries.
    pub fn new(mut entries: Vec<Entry>) -> Book {
        entries.sort();
        Book(entries)
    }

    /// Counts the moves that players chose among the first `plies` of their games: a move gains 2 for a won game and 1
    /// for a drawn one. Moves that gained less than `least` are left out.
    pub fn learn(games: &[Example], plies: usize, least: u32) -> Book {
        let mut gains: BTreeMap<(u64, u16), u32> = BTreeMap::new();
        for Example { game, winner, given } in games {
            let last = std::iter::once(None).chain(game.moves().iter().copied().map(Some));
            let moves = game.positions().iter().zip(last).zip(game.moves());
            for ((p, last), &m) in moves.take(plies).skip(*given) {
                let gain = winner.map_or(1, |side| if side == p.turn() { 2 } else { 0 });
                if let Some(key) = key(p, last) {
                    *gains.entry((key, pack(m))).or_default() += gain;
                }
            }
        }
        let kept = gains.into_iter().filter(|(_, gain)| *gain >= least.max(1));
        let weight = |gain: u32| gain.min(u32::from(u16::MAX)) as u16;
        Book::new(kept.map(|((key, packed), gain)| Entry { key, packed, weight: weight(gain) }).collect())
    }

    /// The number of positions that the book knows.
    pub fn positions(&self) -> usize {
        self.0.chunk_by(|a, b| a.key == b.key).count()
    }

    /// Reads a book file.
    pub fn open(path: &Path) -> io::Result<Book> {
        let bytes = std::fs::read(path)?;
        if bytes.len() % ENTRY != 0 {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "not a Polyglot book: its size is not a multiple of 16",
            ));
        }
        Ok(Book::new(bytes.chunks_exact(ENTRY).map(read).collect()))
    }

    /// The bytes of the book file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.0.len() * ENTRY);
        for entry in &self.0 {
            out.extend(entry.key.to_be_bytes());
            out.extend(entry.packed.to_be_bytes());
            out.extend(entry.weight.to_be_bytes());
            out.extend([0; 4]);
        }
        out
    }

    /// A legal move for where the game stands, drawn by weight.
    pub fn choose(&self, game: &Root<Position>, seed: u64) -> Option<Move> {
        let p = game.position();
        let key = key(p, game.moves().last().copied())?;
        let first = self.0.partition_point(|entry| entry.key < key);
        let moves: Vec<(Move, u32)> = self.0[first..]
            .iter()
            .take_while(|entry| entry.key == key)
            .filter_map(|entry| Some((unpack(p, entry.packed)?, u32::from(entry.weight))))
            .collect();
        Random::new(seed ^ key).weighted(&moves)
    }
}

fn read(bytes: &[u8]) -> Entry {
    let number =
        |from: usize, to: usize| bytes[from..to].iter().fold(0u64, |n, &byte| n << 8 | u64::from(byte));
    Entry { key: number(0, 8), packed: number(8, 10) as u16, weight: number(10, 12) as u16 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn game(start: Position, moves: &[&str]) -> Root<Position> {
        let mut game = Root::new(start);
        moves.iter().for_each(|text| assert!(game.play_text(text).is_ok()));
        game
    }

    fn after(moves: &[&str]) -> Root<Position> {
        game(Position::start(&Rules::default()), moves)
    }

    fn example(moves: &[&str], winner: Option<Side>, given: usize) -> Example {
        Example { game: after(moves), winner, given }
    }

    fn key_of(game: &Root<Position>) -> u64 {
        key(game.position(), game.moves().last().copied()).unwrap()
    }

    #[test]
    fn keys_are_those_published_with_the_format() {
        assert_eq!(key_of(&after(&[])), 0x463b_9618_1691_fc9c);
        assert_eq!(key_of(&after(&["e2e4"])), 0x823c_9b50_fd11_4196);
        assert_eq!(key_of(&after(&["e2e4", "d7d5", "e4e5", "f7f5"])), 0x22a4_8b5a_8e47_ff78);
        assert_eq!(key_of(&after(&["e2e4", "d7d5", "e4e5", "f7f5", "e1e2", "e8f7"])), 0x00fd_d303_c946_bdd9);
    }

    #[test]
    fn a_pinned_pawn_takes_en_passant_in_keys() {
        let start = Position::read(&Rules::default(), "4k3/3pq3/8/4P3/8/8/8/4K3 b - - 0 1").unwrap();
        let pinned = game(start, &["d7d5"]);
        assert_eq!(pinned.position().en_passant(), None);
        assert_eq!(key_of(&pinned), 0xa24c_278e_69ad_9c56);
        assert_eq!(key(pinned.position(), None), Some(0xbed5_f95d_5515_0cf7));
    }

    #[test]
    fn moves_are_drawn_by_weight_and_only_legal_ones() {
        let start = after(&[]);
        let (key, p) = (key_of(&start), start.position());
        let entry = |text: &str, weight| Entry { key, packed: pack(p.parse(text).unwrap()), weight };
        let illegal = Entry { key, packed: 0o1234, weight: 60_000 };
        let book = Book::new(vec![entry("e2e4", 300), entry("d2d4", 100), entry("a2a3", 0), illegal]);
        let mut counts = [0; 2];
        for seed in 0..400 {
            match p.write(book.choose(&start, seed).unwrap()).as_str() {
                "e2e4" => counts[0] += 1,
                "d2d4" => counts[1] += 1,
                other => panic!("{other}"),
            }
        }
        assert!(counts[0] > 250 && counts[1] > 60, "{counts:?}");
        assert_eq!(book.choose(&after(&["e2e4"]), 1), None);
    }

    #[test]
    fn castling_crosses_in_both_spellings() {
        let p = Position::read(&Rules::default(), "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        let castle = p.parse("e1g1").unwrap();
        assert_eq!(unpack(&p, pack(castle)), Some(castle));
        assert_eq!(unpack(&p, 6 | 4 << 6), Some(castle));
    }

    #[test]
    fn moves_that_won_are_learned_and_lost_ones_are_not() {
        let games = [
            example(&["e2e4", "e7e5", "g1f3"], Some(Side::White), 0),
            example(&["e2e4", "c7c5"], None, 0),
            example(&["f2f3", "e7e5"], Some(Side::Black), 0),
        ];
        let book = Book::learn(&games, 2, 1);
        let found: Vec<(u16, u16)> = book.0.iter().map(|entry| (entry.packed, entry.weight)).collect();
        let packed = |game: &Root<Position>, text: &str| pack(game.position().parse(text).unwrap());
        assert!(found.contains(&(packed(&after(&[]), "e2e4"), 3)));
        assert!(found.contains(&(packed(&after(&["f2f3"]), "e7e5"), 2)));
        assert_eq!((book.0.len(), book.positions()), (3, 3));
        assert_eq!(Book::learn(&games, 2, 2).0.len(), 2);
    }

    #[test]
    fn moves_that_were_given_are_not_learned() {
        let games = [example(&["h2h3", "g7g5", "d2d4", "d7d5"], None, 2)];
        let book = Book::learn(&games, 3, 1);
        let chosen = after(&["h2h3", "g7g5"]);
        assert_eq!((book.0.len(), book.choose(&chosen, 1)), (1, chosen.position().parse("d2d4").ok()));
        assert_eq!(Book::learn(&games, 2, 1).0, []);
    }

    #[test]
    fn a_book_is_read_as_it_was_written() {
        let entries = vec![Entry { key: 7, packed: 3, weight: 9 }, Entry { key: 2, packed: 1, weight: 1 }];
        let book = Book::new(entries);
        let bytes = book.bytes();
        assert_eq!(bytes.chunks_exact(ENTRY).map(read).collect::<Vec<_>>(), book.0);
    }
}
