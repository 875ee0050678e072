//! A position of Neighbours and the rules that do not concern single moves.
//!
//! The board lies in 64 bits, a1 = 0, b1 = 1, a2 = 8; smaller boards use its lower left corner.

use std::ops::RangeInclusive;

use search::options::{Options, Rulebook, spin};
use search::squares::squares;
use search::{Game, MoveError, MoveList, Outcome, PositionError, Side, zobrist};

use crate::moves::{self, Move};
use crate::text;

/// Plies without a capture after which the game is drawn.
pub const QUIET_LIMIT: u32 = 100;
/// Occurrences of a position that make a draw.
const REPETITIONS: usize = 3;

const PIECE_KEYS: [[u64; 64]; 2] = zobrist::tables(1);
const BLACK_KEY: u64 = zobrist::mix(3);
const QUIET_KEYS: [u64; QUIET_LIMIT as usize + 1] = zobrist::table(4);

/// For each size, the board without 0, 1, 2, 3 outer rings of squares.
const INNER: [[u64; 4]; 9] = inner_boards();

const fn inner_boards() -> [[u64; 4]; 9] {
    let mut out = [[0; 4]; 9];
    let mut square = 0;
    while square < 64 * 9 * 4 {
        let (file, rank, size, ring) = (square % 8, square / 8 % 8, square / 64 % 9, square / 576);
        if file >= ring && rank >= ring && file + ring < size && rank + ring < size {
            out[size][ring] |= 1 << (8 * rank + file);
        }
        square += 1;
    }
    out
}

/// What the user chooses: the number of rows and columns, 4 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    size: u8,
}

impl Rules {
    /// The board of Skoulakis's thesis.
    pub const EIGHT: Rules = Rules { size: 8 };

    const SIZES: RangeInclusive<u8> = 4..=8;

    /// Rules for a board of `size` by `size` squares; none unless 4 to 8.
    pub fn new(size: u8) -> Option<Rules> {
        Rules::SIZES.contains(&size).then_some(Rules { size })
    }

    /// Rows and columns.
    pub fn size(self) -> u8 {
        self.size
    }

    /// All squares of the board.
    pub(crate) fn board(self) -> u64 {
        INNER[self.size as usize][0]
    }

    /// The board without its `rings` outer rings of squares.
    pub(crate) fn inner(self, rings: u32) -> u64 {
        INNER[self.size as usize][rings as usize]
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules::EIGHT
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

/// Who stands where, who is to move, and how long ago the last capture was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) rules: Rules,
    pub(crate) pieces: [u64; 2],
    turn: Side,
    quiet: u16,
    key: u64,
}

impl Position {
    /// A position from its parts; the caller has checked that the pieces fit the board.
    pub(crate) fn new(rules: Rules, pieces: [u64; 2], turn: Side, quiet: u16) -> Position {
        let mut position = Position { rules, pieces, turn, quiet, key: 0 };
        position.key = position.computed_key();
        position
    }

    /// The key from scratch; `key` keeps it move by move.
    pub fn computed_key(&self) -> u64 {
        let mut key = if self.turn == Side::Black { BLACK_KEY } else { 0 };
        for side in [Side::White, Side::Black] {
            for square in squares(self.pieces[side.index()]) {
                key ^= PIECE_KEYS[side.index()][square.index()];
            }
        }
        key
    }

    /// The squares of a side's pieces, as bits.
    pub fn pieces(&self, side: Side) -> u64 {
        self.pieces[side.index()]
    }

    /// The squares of all pieces, as bits.
    pub fn occupied(&self) -> u64 {
        self.pieces[0] | self.pieces[1]
    }

    /// The rules the position is played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Plies since the last capture.
    pub fn quiet(&self) -> u32 {
        u32::from(self.quiet)
    }

    /// Whether the move takes a piece.
    pub fn is_capture(&self, m: Move) -> bool {
        self.pieces(!self.turn) & m.to.bit() != 0
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
        let row = 0xff >> (8 - rules.size());
        Position::new(*rules, [row, row << (8 * (rules.size() - 1))], Side::White, 0)
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

    /// The evaluation sees the counter in tens; near its limit every ply matters.
    fn salt(&self) -> u64 {
        let quiet = self.quiet.min(QUIET_LIMIT as u16) as usize;
        QUIET_KEYS[if quiet < 80 { quiet / 10 } else { quiet }]
    }

    fn same(&self, other: &Position) -> bool {
        self.pieces == other.pieces && self.turn == other.turn && self.rules == other.rules
    }

    fn moves(&self, out: &mut MoveList<Move>) {
        moves::generate(self, !0, out);
    }

    fn count(&self) -> u64 {
        moves::count(self, self.turn)
    }

    fn pack(&self, m: Move) -> u32 {
        u32::from(m.from.0) | u32::from(m.to.0) << 8
    }

    fn play(&mut self, m: Move) {
        let (own, other) = (self.turn.index(), (!self.turn).index());
        self.quiet = self.quiet.saturating_add(1);
        if self.is_capture(m) {
            self.pieces[other] ^= m.to.bit();
            self.key ^= PIECE_KEYS[other][m.to.index()];
            self.quiet = 0;
        }
        self.pieces[own] ^= m.from.bit() | m.to.bit();
        self.key ^= PIECE_KEYS[own][m.from.index()] ^ PIECE_KEYS[own][m.to.index()] ^ BLACK_KEY;
        self.turn = !self.turn;
    }

    fn irreversible(&self, m: Move) -> bool {
        self.is_capture(m)
    }

    fn stuck(&self) -> Outcome {
        Outcome::win(!self.turn, "no legal move")
    }

    fn drawn(&self, earlier: usize) -> Option<&'static str> {
        if self.quiet() >= QUIET_LIMIT {
            Some("100 plies without a capture")
        } else {
            (earlier + 1 >= REPETITIONS).then_some("threefold repetition")
        }
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
        let mirror = |bits: u64| bits.swap_bytes() >> (8 * (8 - self.rules.size()));
        let pieces = [mirror(self.pieces[1]), mirror(self.pieces[0])];
        Some(Position::new(self.rules, pieces, !self.turn, self.quiet))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str) -> Position {
        Position::read(&Rules::default(), fen).unwrap()
    }

    #[test]
    fn a_side_without_a_move_loses_even_at_the_quiet_limit() {
        let lost = read("8/8/8/8/8/8/8/w6b w 100");
        assert_eq!(lost.outcome(0), Some(Outcome::win(Side::Black, "no legal move")));
    }

    #[test]
    fn the_hundredth_quiet_ply_draws() {
        let mut position = read("8/8/8/8/8/8/8/ww4bb w 99");
        assert_eq!(position.outcome(0), None);
        position.play(position.parse("a1a2").unwrap());
        assert_eq!(position.outcome(0), Some(Outcome::draw("100 plies without a capture")));
    }

    #[test]
    fn the_third_occurrence_draws_and_the_counter_is_not_part_of_it() {
        let mut game = search::Root::new(read("8/8/8/8/8/8/8/ww4bb w 0"));
        for text in ["a1a2", "h1h2", "a2a1", "h2h1", "a1a2", "h1h2", "a2a1"] {
            assert_eq!(game.outcome(), None);
            game.play_text(text).unwrap();
        }
        game.play_text("h2h1").unwrap();
        assert_eq!(game.outcome(), Some(Outcome::draw("threefold repetition")));
    }

    #[test]
    fn a_capture_resets_the_counter() {
        let mut position = read("8/8/8/8/8/8/8/wb6 w 7");
        position.play(position.parse("a1b1").unwrap());
        assert_eq!((position.quiet(), position.pieces(Side::Black)), (0, 0));
        assert_eq!(position.outcome(0), Some(Outcome::win(Side::White, "no legal move")));
    }
}
