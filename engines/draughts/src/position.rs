//! A position of draughts and the rules that do not concern single moves.

use search::game::{Game, MoveError, MoveList, Outcome, PositionError, Side};
use search::zobrist;

use crate::board::crown_row;
use crate::moves::{self, Move};
use crate::rules::Rules;
use crate::text;

/// Occurrences of a position that make a draw.
const REPETITIONS: usize = 3;
/// The most pieces a side may have.
pub(crate) const MOST_PIECES: u32 = 12;

const COUNTER_KEYS: [u64; 256] = zobrist::table(11);

/// Who stands where, who is to move, and the counters of the draw codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pieces: [u32; 2],
    kings: u32,
    turn: Side,
    /// Plies since the ending arose, saturating; 0 where the draw code counts no such thing.
    ending: u8,
    quiet: u16,
    number: u16,
    rules: Rules,
}

/// What a FEN says beside the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counters {
    /// Plies since a capture or a man's move.
    pub quiet: u16,
    /// Plies since the present ending arose, if it is counted; none: as long as it has been quiet.
    pub ending: Option<u8>,
    /// The number of the move, counted as people do.
    pub number: u16,
}

impl Position {
    /// A position from its parts; the caller has checked that they fit together.
    pub(crate) fn new(
        rules: Rules,
        pieces: [u32; 2],
        kings: u32,
        turn: Side,
        counters: Counters,
    ) -> Position {
        let Counters { quiet, ending, number } = counters;
        let mut position = Position { pieces, kings, turn, ending: 0, quiet, number, rules };
        if rules.draws.ending_limit(&position).is_some() {
            position.ending = ending.unwrap_or(quiet.min(u16::from(u8::MAX)) as u8);
        }
        position
    }

    /// The squares of a side's pieces, as bits.
    pub fn pieces(&self, side: Side) -> u32 {
        self.pieces[side.index()]
    }

    /// The squares of all kings, as bits.
    pub fn kings(&self) -> u32 {
        self.kings
    }

    /// The squares of all pieces, as bits.
    pub fn occupied(&self) -> u32 {
        self.pieces[0] | self.pieces[1]
    }

    /// The rules the position is played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Plies since a capture or a man's move.
    pub fn quiet(&self) -> u32 {
        u32::from(self.quiet)
    }

    /// Plies since the present ending arose, where the draw code counts them.
    pub fn ending(&self) -> u32 {
        u32::from(self.ending)
    }

    /// The number of the move, counted as people do.
    pub fn number(&self) -> u32 {
        u32::from(self.number)
    }

    /// Whether each side has a king.
    pub fn both_have_kings(&self) -> bool {
        self.pieces.iter().all(|set| set & self.kings != 0)
    }

    /// Plies left before a counter of the draw code ends the game; none if nothing is counted.
    pub fn plies_left(&self) -> Option<u32> {
        let draws = self.rules.draws;
        let quiet = draws.quiet_limit(self).map(|limit| limit.saturating_sub(self.quiet()));
        let ending = draws.ending_limit(self).map(|limit| limit.saturating_sub(self.ending()));
        quiet.into_iter().chain(ending).min()
    }

    /// Follows the ending: it begins anew when the forces change, or when a lone king's place brings another limit.
    fn count_ending(&mut self, before: &Position, changed: bool) {
        let draws = self.rules.draws;
        let limit = draws.ending_limit(self);
        let goes_on = limit.is_some() && !changed && limit == draws.ending_limit(before);
        self.ending = if goes_on { before.ending.saturating_add(1) } else { 0 };
    }
}

impl Game for Position {
    type Rules = Rules;
    type Move = Move;

    fn start(rules: &Rules) -> Position {
        let counters = Counters { quiet: 0, ending: None, number: 1 };
        Position::new(*rules, [0x0000_0fff, 0xfff0_0000], 0, Side::White, counters)
    }

    fn read(rules: &Rules, text: &str) -> Result<Position, PositionError> {
        text::read(*rules, text)
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn key(&self) -> u64 {
        let board = u64::from(self.pieces[0]) | u64::from(self.pieces[1]) << 32;
        let rest = u64::from(self.kings) | (self.turn.index() as u64) << 32;
        zobrist::mix(zobrist::mix(board) ^ rest)
    }

    /// Far from every limit the counters do not matter; the nearer it is, the finer the view.
    fn salt(&self) -> u64 {
        if self.kings == 0 {
            return 0;
        }
        match self.plies_left() {
            Some(left @ 0..12) => COUNTER_KEYS[left as usize],
            Some(left @ 12..28) => COUNTER_KEYS[12 + left as usize / 4],
            _ => 0,
        }
    }

    fn same(&self, other: &Position) -> bool {
        self.pieces == other.pieces
            && self.kings == other.kings
            && self.turn == other.turn
            && self.rules == other.rules
    }

    fn moves(&self, out: &mut MoveList<Move>) {
        moves::generate(self, out);
    }

    #[inline]
    fn count(&self) -> u64 {
        moves::count(self)
    }

    /// From and to, whether it crowns, and which of the enemy's pieces, counted from the lowest, are taken.
    fn pack(&self, m: Move) -> u32 {
        let enemy = self.pieces(!self.turn);
        let taken = crate::board::squares(m.captured)
            .fold(0, |taken, square| taken | 1 << (enemy & (square.bit() - 1)).count_ones());
        1 << 31 | taken << 11 | u32::from(m.crowns) << 10 | u32::from(m.to.0) << 5 | u32::from(m.from.0)
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let before = *self;
        let (from, to) = (m.from.bit(), m.to.bit());
        let is_king = before.kings & from != 0;
        let [white, black] = before.pieces;
        self.pieces = match before.turn {
            Side::White => [white & !from | to, black & !m.captured],
            Side::Black => [white & !m.captured, black & !from | to],
        };
        let crown = if is_king || m.crowns { to } else { 0 };
        self.kings = before.kings & !(from | m.captured) | crown;
        self.quiet = if is_king && m.captured == 0 { before.quiet.saturating_add(1) } else { 0 };
        self.number = before.number.saturating_add(before.turn.index() as u16);
        self.turn = !before.turn;
        if before.kings | self.kings != 0 {
            self.count_ending(&before, m.captured != 0 || m.crowns);
        }
    }

    fn irreversible(&self, m: Move) -> bool {
        m.captured != 0 || self.kings & m.from.bit() == 0
    }

    fn stuck(&self) -> Outcome {
        let reason = if self.pieces(self.turn) == 0 { "no piece left" } else { "no legal move" };
        Outcome::win(!self.turn, reason)
    }

    fn drawn(&self, earlier: usize) -> Option<&'static str> {
        let draws = self.rules.draws;
        if draws.quiet_limit(self).is_some_and(|limit| self.quiet() >= limit) {
            Some("too many moves of kings alone")
        } else if draws.ending_limit(self).is_some_and(|limit| self.ending() >= limit) {
            Some("too many moves in this ending")
        } else {
            (earlier + 1 >= REPETITIONS).then_some("threefold repetition")
        }
    }

    fn parse(&self, text: &str) -> Result<Move, MoveError> {
        text::parse(self, text)
    }

    fn write(&self, m: Move) -> String {
        text::write(self, m)
    }

    fn picture(&self) -> String {
        text::picture(self)
    }

    /// The board turned half round and the colours exchanged.
    fn flipped(&self) -> Option<Position> {
        Some(Position {
            pieces: [self.pieces[1].reverse_bits(), self.pieces[0].reverse_bits()],
            kings: self.kings.reverse_bits(),
            turn: !self.turn,
            ..*self
        })
    }
}

impl Position {
    /// The position before the other side stepped from one square to another, without its counters.
    pub(crate) fn stepped_back(&self, to: u32, from: u32) -> Position {
        let mut before = *self;
        before.turn = !self.turn;
        let own = &mut before.pieces[before.turn.index()];
        *own = *own & !to | from;
        if self.kings & to != 0 {
            before.kings = self.kings & !to | from;
        }
        before
    }

    /// The same board with the other side to move.
    pub(crate) fn passed(&self) -> Position {
        Position { turn: !self.turn, ..*self }
    }

    /// A side's men that stand where they should have been crowned.
    pub(crate) fn uncrowned(&self, side: Side) -> u32 {
        self.pieces(side) & !self.kings & crown_row(side)
    }
}
