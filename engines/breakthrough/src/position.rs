//! A position of Breakthrough and the rules that do not concern single moves.
//!
//! The board lies in 64 bits, a1 = 0, b1 = 1, a2 = 8; smaller boards use its lower left corner.

use std::ops::RangeInclusive;

use search::options::{Options, Rulebook, spin};
use search::squares::squares;
use search::{Game, MoveError, MoveList, Outcome, PositionError, Side, zobrist};

use crate::moves::{self, Move};
use crate::text;

const MEN_KEYS: [[u64; 64]; 2] = zobrist::tables(1);
const BLACK_KEY: u64 = zobrist::mix(3);
/// The first row and the first file of the board.
const ROW: u64 = 0xff;
const FILE: u64 = 0x0101_0101_0101_0101;

/// What the user chooses: the number of rows and columns, 5 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    size: u8,
}

impl Rules {
    const SIZES: RangeInclusive<u8> = 5..=8;

    /// Rules for a board of `size` by `size` squares; none unless 5 to 8.
    pub fn new(size: u8) -> Option<Rules> {
        Rules::SIZES.contains(&size).then_some(Rules { size })
    }

    /// Rows and columns.
    pub fn size(self) -> u8 {
        self.size
    }

    /// All squares of the board.
    pub(crate) fn board(self) -> u64 {
        let row = ROW >> (8 - self.size);
        row * (FILE & !0 >> (8 * (8 - self.size)))
    }

    /// The row that lies `steps` rows ahead of a side's first one.
    pub(crate) fn row(self, side: Side, steps: u8) -> u64 {
        let rank = if side == Side::White { steps } else { self.size - 1 - steps };
        ROW << (8 * rank) & self.board()
    }

    /// The first and the last file.
    pub(crate) fn edges(self) -> u64 {
        (FILE | FILE << (self.size - 1)) & self.board()
    }

    /// The row a side has to reach.
    pub(crate) fn goal(self, side: Side) -> u64 {
        self.row(!side, 0)
    }

    /// A set of squares as Black sees it, who sits at the other end of the board.
    pub(crate) fn turned(self, set: u64) -> u64 {
        set.swap_bytes() >> (8 * (8 - self.size))
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules { size: 8 }
    }
}

impl Rulebook for Rules {
    fn rows() -> Options<Rules> {
        vec![
            spin("BoardSize", "rows and columns of the board", Rules::default().size, Rules::SIZES)
                .by(|rules: &Rules| rules.size, |rules, size| rules.size = size),
        ]
    }
}

/// Who stands where, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    rules: Rules,
    men: [u64; 2],
    turn: Side,
    key: u64,
}

impl Position {
    /// A position from its parts; the caller has checked that the men fit the board.
    pub(crate) fn new(rules: Rules, men: [u64; 2], turn: Side) -> Position {
        let mut position = Position { rules, men, turn, key: 0 };
        position.key = position.computed_key();
        position
    }

    fn computed_key(&self) -> u64 {
        let mut key = if self.turn == Side::Black { BLACK_KEY } else { 0 };
        for side in [Side::White, Side::Black] {
            for square in squares(self.men(side)) {
                key ^= MEN_KEYS[side.index()][square.index()];
            }
        }
        key
    }

    /// The squares of a side's men, as bits.
    pub fn men(&self, side: Side) -> u64 {
        self.men[side.index()]
    }

    /// The squares of all men, as bits.
    pub fn occupied(&self) -> u64 {
        self.men[0] | self.men[1]
    }

    /// The rules the position is played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The men of a side and those of the other, on a board on which that side moves upwards.
    pub(crate) fn seen_by(&self, side: Side) -> (u64, u64) {
        let [white, black] = self.men;
        match side {
            Side::White => (white, black),
            Side::Black => (self.rules.turned(black), self.rules.turned(white)),
        }
    }

    /// Whether a side has won: a man of its own across the board, or none of the other's left.
    pub(crate) fn has_won(&self, side: Side) -> bool {
        self.men(side) & self.rules.goal(side) != 0 || self.men(!side) == 0
    }

    /// Whether the move takes a man.
    pub fn is_capture(&self, m: Move) -> bool {
        self.men(!self.turn) & m.to.bit() != 0
    }

    /// The same board with the other side to move.
    pub fn passed(&self) -> Position {
        Position { turn: !self.turn, key: self.key ^ BLACK_KEY, ..*self }
    }
}

impl Game for Position {
    type Rules = Rules;
    type Move = Move;

    fn start(rules: &Rules) -> Position {
        let men = [Side::White, Side::Black].map(|side| rules.row(side, 0) | rules.row(side, 1));
        Position::new(*rules, men, Side::White)
    }

    fn read(rules: &Rules, text: &str) -> Result<Position, PositionError> {
        text::read(*rules, text)
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn salt(&self) -> u64 {
        0
    }

    fn same(&self, other: &Position) -> bool {
        self.men == other.men && self.turn == other.turn && self.rules == other.rules
    }

    fn moves(&self, out: &mut MoveList<Move>) {
        moves::generate(self, !0, out);
    }

    fn count(&self) -> u64 {
        moves::count(self)
    }

    fn pack(&self, m: Move) -> u32 {
        u32::from(m.from.0) | u32::from(m.to.0) << 8
    }

    fn play(&mut self, m: Move) {
        let (own, other) = (self.turn.index(), (!self.turn).index());
        if self.is_capture(m) {
            self.men[other] ^= m.to.bit();
            self.key ^= MEN_KEYS[other][m.to.index()];
        }
        self.men[own] ^= m.from.bit() | m.to.bit();
        self.key ^= MEN_KEYS[own][m.from.index()] ^ MEN_KEYS[own][m.to.index()] ^ BLACK_KEY;
        self.turn = !self.turn;
    }

    /// Men never go back.
    fn irreversible(&self, _: Move) -> bool {
        true
    }

    /// A side with men has a move as long as nobody has won: the squares diagonally ahead of its foremost man hold
    /// none of its own.
    fn stuck(&self) -> Outcome {
        let reason = if self.men(self.turn) == 0 { "all men taken" } else { "a man across the board" };
        Outcome::win(!self.turn, reason)
    }

    fn drawn(&self, _: usize) -> Option<&'static str> {
        None
    }

    fn parse(&self, text: &str) -> Result<Move, MoveError> {
        text::parse(self, text)
    }

    fn write(&self, m: Move) -> String {
        m.to_string()
    }

    fn picture(&self) -> String {
        text::picture(self)
    }

    fn flipped(&self) -> Option<Position> {
        let (white, black) = self.seen_by(Side::Black);
        Some(Position::new(self.rules, [white, black], !self.turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str) -> Position {
        Position::read(&Rules::default(), fen).unwrap()
    }

    #[test]
    fn a_man_across_the_board_wins() {
        let mut position = read("8/w7/8/8/8/8/7b/8 w");
        assert_eq!(position.outcome(0), None);
        position.play(position.parse("a7b8").unwrap());
        assert_eq!(position.count(), 0);
        assert_eq!(position.outcome(0), Some(Outcome::win(Side::White, "a man across the board")));
    }

    #[test]
    fn the_last_man_taken_loses() {
        let mut position = read("8/8/8/4b3/3w4/8/8/8 b");
        position.play(position.parse("e5d4").unwrap());
        assert_eq!(position.outcome(0), Some(Outcome::win(Side::Black, "all men taken")));
    }

    #[test]
    fn while_nobody_has_won_there_is_a_move() {
        for size in 5..=8 {
            let start = Position::start(&Rules::new(size).unwrap());
            for seed in 0..100 {
                let game = search::walk::walk(start, 500, &mut search::Random::new(seed));
                for position in game.positions() {
                    let won = position.has_won(!position.turn());
                    assert_eq!(position.count() == 0, won, "{position}");
                    assert!(!position.has_won(position.turn()), "{position}");
                }
                assert!(game.outcome().is_some_and(|outcome| outcome.winner.is_some()));
            }
        }
    }
}
