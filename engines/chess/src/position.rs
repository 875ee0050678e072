//! A position of chess and the rules that do not concern single moves.
//!
//! Sets of squares by piece and by side, and the same once more as a board of 64 squares; the keys and
//! the checking and pinned pieces are kept move by move.

mod change;

use ::search::game::{Game, MoveError, MoveList, Outcome, PositionError, Side};
use ::search::options::{Options, Rulebook, check};
use ::search::zobrist;

use crate::attacks::{self, LIGHT, Square, first, squares};
use crate::moves::{self, Kind, Move, Part};
use crate::text;

/// Plies without capture or pawn move after which either player may claim a draw, and after which it is one.
const FIFTY_MOVES: u32 = 100;
const SEVENTY_FIVE_MOVES: u32 = 150;

/// What a piece is, whoever owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Role {
    /// Moves forward, takes sideways.
    Pawn,
    /// Leaps.
    Knight,
    /// Slides on diagonals.
    Bishop,
    /// Slides on ranks and files.
    Rook,
    /// Slides on all lines.
    Queen,
    /// Must not be lost.
    King,
}

impl Role {
    /// All of them, least first.
    pub const ALL: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// 0 for a pawn, 5 for a king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// One of the four rights to castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Castle(u8);

impl Castle {
    /// White's towards h, White's towards a, then Black's.
    pub const ALL: [Castle; 4] = [Castle(0), Castle(1), Castle(2), Castle(3)];

    /// The rights of one side, the one towards the h-file first.
    pub fn of(side: Side) -> [Castle; 2] {
        [Castle(2 * side as u8), Castle(2 * side as u8 + 1)]
    }

    /// Whether the king goes towards the h-file.
    pub fn is_short(self) -> bool {
        self.0 & 1 == 0
    }

    /// Whose right it is.
    pub fn side(self) -> Side {
        if self.0 < 2 { Side::White } else { Side::Black }
    }

    /// Where king and rook end.
    pub fn targets(self) -> (Square, Square) {
        let rank = if self.side() == Side::White { 0 } else { 7 };
        let (king, rook) = if self.is_short() { (6, 5) } else { (2, 3) };
        (Square::at(king, rank), Square::at(rook, rank))
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the user chooses: ordinary chess or Chess960.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Rules {
    /// King and rook may castle from any files of their rank; castling is written as the king taking its rook, rights
    /// by the file of the rook.
    pub chess960: bool,
}

impl Rulebook for Rules {
    fn rows() -> Options<Rules> {
        vec![
            check(
                "UCI_Chess960",
                "castling is written as the king taking its rook",
                Rules::default().chess960,
            )
            .by(|rules: &Rules| rules.chess960, |rules, on| rules.chess960 = on),
        ]
    }
}

const PIECE_KEYS: [[[u64; 64]; 6]; 2] = [zobrist::tables(1), zobrist::tables(7)];
const CASTLE_KEYS: [[u64; 64]; 4] = zobrist::tables(13);
const EN_PASSANT_KEYS: [u64; 8] = zobrist::table(17);
const BLACK_KEY: u64 = zobrist::mix(18 << 32);
const QUIET_KEYS: [u64; 32] = zobrist::table(19);
/// Added up, not mixed: each holds the count of one kind of piece in its own digit.
const fn material_unit(side: usize, role: usize) -> u64 {
    1 << (4 * (6 * side + role))
}

/// Keys that are kept from move to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Keys {
    /// Board, side to move, rights and a possible capture en passant.
    pub position: u64,
    /// Pawns and kings.
    pub pawns: u64,
    /// The pieces of each side but its pawns.
    pub pieces: [u64; 2],
    /// The number of pieces of each kind, four bits each.
    pub material: u64,
}

/// Who stands where, who is to move, and what the past allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    roles: [u64; 6],
    sides: [u64; 2],
    board: [Option<Role>; 64],
    checkers: u64,
    pinned: u64,
    keys: Keys,
    /// The rooks of the four rights; 64 without the right.
    castles: [Square; 4],
    /// Where a pawn may be taken en passant, only if it legally can.
    en_passant: Option<Square>,
    turn: Side,
    rules: Rules,
    quiet: u16,
    number: u16,
}

/// No square.
const NONE: Square = Square(64);

impl Position {
    /// An empty board to set pieces on.
    pub(crate) fn empty(rules: Rules) -> Position {
        Position {
            roles: [0; 6],
            sides: [0; 2],
            board: [None; 64],
            checkers: 0,
            pinned: 0,
            keys: Keys::default(),
            castles: [NONE; 4],
            en_passant: None,
            turn: Side::White,
            rules,
            quiet: 0,
            number: 1,
        }
    }

    /// The squares of one kind of piece of both sides.
    #[inline]
    pub fn role(&self, role: Role) -> u64 {
        self.roles[role.index()]
    }

    /// The squares of a side.
    #[inline]
    pub fn side(&self, side: Side) -> u64 {
        self.sides[side.index()]
    }

    /// The squares of one kind of piece of one side.
    #[inline]
    pub fn pieces(&self, side: Side, role: Role) -> u64 {
        self.sides[side.index()] & self.roles[role.index()]
    }

    /// All squares with a piece.
    #[inline]
    pub fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// The king of a side.
    #[inline]
    pub fn king(&self, side: Side) -> Square {
        first(self.pieces(side, Role::King))
    }

    /// The kind of piece on a square.
    #[inline]
    pub fn role_on(&self, square: Square) -> Option<Role> {
        self.board[square.index()]
    }

    /// The owner of the piece on a square.
    pub fn side_on(&self, square: Square) -> Option<Side> {
        [Side::White, Side::Black].into_iter().find(|&side| self.side(side) & square.bit() != 0)
    }

    /// The pieces that give check.
    #[inline]
    pub fn checkers(&self) -> u64 {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers != 0
    }

    /// The pieces of the side to move that shield their king.
    #[inline]
    pub fn pinned(&self) -> u64 {
        self.pinned
    }

    /// Where a pawn can be taken en passant.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The rook of a right to castle, if there is the right.
    #[inline]
    pub fn castle_rook(&self, castle: Castle) -> Option<Square> {
        let rook = self.castles[castle.index()];
        (rook != NONE).then_some(rook)
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn quiet(&self) -> u32 {
        u32::from(self.quiet)
    }

    /// The number of the move, from 1.
    pub fn number(&self) -> u32 {
        u32::from(self.number)
    }

    /// The rules the position is played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// All keys.
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The number of pieces of one kind of one side.
    #[inline]
    pub fn count_of(&self, side: Side, role: Role) -> u32 {
        self.pieces(side, role).count_ones()
    }

    /// Whether the side has anything beside king and pawns.
    pub fn has_pieces(&self, side: Side) -> bool {
        self.side(side) & !self.role(Role::Pawn) & !self.role(Role::King) != 0
    }

    /// What a move takes.
    #[inline]
    pub fn captured(&self, m: Move) -> Option<Role> {
        match m.kind() {
            Kind::EnPassant => Some(Role::Pawn),
            Kind::Castle => None,
            _ => self.role_on(m.to()),
        }
    }

    /// Whether a move takes or promotes.
    #[inline]
    pub fn is_noisy(&self, m: Move) -> bool {
        self.captured(m).is_some() || m.promotion().is_some()
    }

    /// Squares that a piece other than a pawn attacks from where it stands.
    #[inline]
    pub fn attacks_from(&self, role: Role, from: Square) -> u64 {
        match role {
            Role::Pawn => 0,
            Role::Knight => attacks::knight(from),
            Role::Bishop => attacks::bishop(from, self.occupied()),
            Role::Rook => attacks::rook(from, self.occupied()),
            Role::Queen => attacks::queen(from, self.occupied()),
            Role::King => attacks::king(from),
        }
    }

    /// The pieces of both sides that attack a square on a board with these pieces.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: u64) -> u64 {
        let queens = self.role(Role::Queen);
        attacks::pawn(Side::White, square) & self.pieces(Side::Black, Role::Pawn)
            | attacks::pawn(Side::Black, square) & self.pieces(Side::White, Role::Pawn)
            | attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King)
            | attacks::bishop(square, occupied) & (self.role(Role::Bishop) | queens)
            | attacks::rook(square, occupied) & (self.role(Role::Rook) | queens)
    }

    /// Whether `by` attacks a square on a board with these pieces.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Side, occupied: u64) -> bool {
        let enemy = self.side(by) & occupied;
        let queens = self.role(Role::Queen);
        let near = attacks::pawn(!by, square) & self.role(Role::Pawn)
            | attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King);
        if near & enemy != 0 {
            return true;
        }
        let straight = (self.role(Role::Rook) | queens) & enemy;
        let diagonal = (self.role(Role::Bishop) | queens) & enemy;
        attacks::rook_rays(square) & straight != 0 && attacks::rook(square, occupied) & straight != 0
            || attacks::bishop_rays(square) & diagonal != 0
                && attacks::bishop(square, occupied) & diagonal != 0
    }

    /// The same board with the other side to move; only where nobody is in check.
    pub fn passed(&self) -> Position {
        debug_assert!(!self.in_check());
        let mut next = *self;
        next.clear_en_passant();
        next.turn = !self.turn;
        next.keys.position ^= BLACK_KEY;
        next.quiet = self.quiet.saturating_add(1);
        next.look_at_king();
        next
    }

    /// Whether the move from `before` to here was irreversible.
    #[inline]
    pub(crate) fn cannot_return_to(&self, before: &Position) -> bool {
        self.quiet == 0 || self.castles != before.castles
    }

    /// For each kind of piece, the squares from which it would give check.
    pub fn checking_squares(&self) -> [u64; 6] {
        let king = self.king(!self.turn);
        let (bishop, rook) = (attacks::bishop(king, self.occupied()), attacks::rook(king, self.occupied()));
        [attacks::pawn(!self.turn, king), attacks::knight(king), bishop, rook, bishop | rook, 0]
    }

    /// The key after a plain move, good enough to fetch table lines early.
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        let (from, to, us) = (m.from().index(), m.to().index(), self.turn.index());
        let Some(role) = self.board[from] else { return 0 };
        let mut key = self.keys.position ^ BLACK_KEY;
        if let Some(taken) = self.captured(m) {
            key ^= PIECE_KEYS[1 - us][taken.index()][to];
        }
        key ^ PIECE_KEYS[us][role.index()][from] ^ PIECE_KEYS[us][role.index()][to]
    }

    /// What a reversible move of this piece adds to the key of a position.
    pub(crate) fn move_key(side: Side, role: Role, a: Square, b: Square) -> u64 {
        let keys = &PIECE_KEYS[side.index()][role.index()];
        keys[a.index()] ^ keys[b.index()] ^ BLACK_KEY
    }

    /// All keys from scratch; `keys` keeps them move by move.
    pub fn computed_keys(&self) -> Keys {
        self.rebuilt(false).keys
    }

    /// The same position, set up piece by piece, as it is or with the colours exchanged.
    fn rebuilt(&self, exchanged: bool) -> Position {
        let seen = |square: Square| if exchanged { square.seen_by(Side::Black) } else { square };
        let owner = |side: Side| if exchanged { !side } else { side };
        let mut out = Position::empty(self.rules);
        for square in squares(self.occupied()) {
            if let (Some(role), Some(side)) = (self.role_on(square), self.side_on(square)) {
                out.put(owner(side), role, seen(square));
            }
        }
        for castle in Castle::ALL {
            if let Some(rook) = self.castle_rook(castle) {
                out.grant(Castle(castle.0 ^ (2 * u8::from(exchanged))), seen(rook));
            }
        }
        out.set_turn(owner(self.turn));
        out.set_counters(self.quiet, self.number);
        if let Some(square) = self.en_passant {
            out.set_en_passant(seen(square));
        }
        out.look_at_king();
        out
    }

    /// Whether neither side can mate by any sequence of moves that our rules know: bare kings, one
    /// minor piece, or bishops that all stand on squares of one colour.
    pub fn is_insufficient(&self) -> bool {
        let heavy = self.role(Role::Pawn) | self.role(Role::Rook) | self.role(Role::Queen);
        let (knights, bishops) = (self.role(Role::Knight), self.role(Role::Bishop));
        if heavy != 0 {
            return false;
        }
        knights == 0 && (bishops & LIGHT == 0 || bishops & !LIGHT == 0)
            || bishops == 0 && knights.count_ones() == 1
    }
}

impl Game for Position {
    type Rules = Rules;
    type Move = Move;

    fn start(rules: &Rules) -> Position {
        text::start(*rules)
    }

    fn read(rules: &Rules, text: &str) -> Result<Position, PositionError> {
        text::read(*rules, text)
    }

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn key(&self) -> u64 {
        self.keys.position
    }

    /// Far from the limit the counter does not matter; then it is seen in steps of eight plies.
    #[inline]
    fn salt(&self) -> u64 {
        if self.quiet < 16 { 0 } else { QUIET_KEYS[usize::from(self.quiet.min(200) / 8)] }
    }

    fn same(&self, other: &Position) -> bool {
        self.roles == other.roles
            && self.sides == other.sides
            && self.turn == other.turn
            && self.castles == other.castles
            && self.en_passant == other.en_passant
    }

    fn moves(&self, out: &mut MoveList<Move>) {
        moves::generate(self, Part::All, out);
    }

    fn count(&self) -> u64 {
        moves::count(self)
    }

    fn pack(&self, m: Move) -> u32 {
        u32::from(m.number())
    }

    fn play(&mut self, m: Move) {
        let (us, from, to) = (self.turn, m.from(), m.to());
        let role = self.role_on(from).expect("a legal move starts from a piece");
        self.clear_en_passant();
        self.quiet = self.quiet.saturating_add(1);
        self.lose_rights(us, role, from, to);
        if m.kind() == Kind::Castle {
            self.castle(us, from, to);
        } else {
            if let Some(taken) = self.board[to.index()] {
                self.take(!us, taken, to);
                self.quiet = 0;
            }
            self.shift(us, role, from, to);
            if role == Role::Pawn {
                self.quiet = 0;
                if let Some(promotion) = m.promotion() {
                    self.take(us, Role::Pawn, to);
                    self.put(us, promotion, to);
                } else if m.kind() == Kind::EnPassant {
                    self.take(!us, Role::Pawn, Square(to.0 ^ 8));
                }
            }
        }
        self.number = self.number.saturating_add(u16::from(us == Side::Black));
        self.turn = !us;
        self.keys.position ^= BLACK_KEY;
        if m.kind() == Kind::Double {
            self.offer_en_passant(Square((from.0 + to.0) / 2));
        }
        self.look_at_king();
    }

    fn irreversible(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let role = self.role_on(from);
        role == Some(Role::Pawn)
            || self.captured(m).is_some()
            || Castle::ALL.into_iter().any(|castle| {
                self.castle_rook(castle).is_some_and(|rook| {
                    rook == from || rook == to || role == Some(Role::King) && castle.side() == self.turn
                })
            })
    }

    fn stuck(&self) -> Outcome {
        if self.in_check() { Outcome::win(!self.turn, "checkmate") } else { Outcome::draw("stalemate") }
    }

    fn drawn(&self, earlier: usize) -> Option<&'static str> {
        if self.is_insufficient() {
            Some("insufficient material")
        } else if self.quiet() >= SEVENTY_FIVE_MOVES {
            Some("seventy-five-move rule")
        } else if self.quiet() >= FIFTY_MOVES {
            Some("fifty-move rule")
        } else if earlier >= 4 {
            Some("fivefold repetition")
        } else {
            (earlier >= 2).then_some("threefold repetition")
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

    fn flipped(&self) -> Option<Position> {
        Some(self.rebuilt(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str) -> Position {
        Position::read(&Rules::default(), fen).unwrap()
    }

    fn reason(fen: &str) -> Option<&'static str> {
        read(fen).outcome(0).map(|outcome| outcome.reason)
    }

    #[test]
    fn mate_comes_before_every_counter() {
        let mated = read("7k/6Q1/6K1/8/8/8/8/8 b - - 150 200");
        assert_eq!(mated.outcome(4), Some(Outcome::win(Side::White, "checkmate")));
        assert_eq!(reason("7k/5Q2/6K1/8/8/8/8/8 b - - 150 200"), Some("stalemate"));
    }

    #[test]
    fn counters_draw_at_fifty_and_seventy_five_moves() {
        assert_eq!(reason("7k/8/6K1/8/8/8/8/R7 b - - 99 90"), None);
        assert_eq!(reason("7k/8/6K1/8/8/8/8/R7 b - - 100 90"), Some("fifty-move rule"));
        assert_eq!(reason("7k/8/6K1/8/8/8/8/R7 b - - 150 90"), Some("seventy-five-move rule"));
    }

    #[test]
    fn too_little_material_draws() {
        for (fen, drawn) in [
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", true),
            ("7k/8/6K1/8/8/8/8/N7 b - - 0 1", true),
            ("7k/8/6K1/8/8/8/8/B7 b - - 0 1", true),
            ("7k/8/6K1/8/8/8/8/B1b5 b - - 0 1", true),
            ("7k/8/6K1/8/8/8/b7/B7 b - - 0 1", false),
            ("7k/8/6K1/8/8/8/8/NN6 b - - 0 1", false),
            ("7k/8/6K1/8/8/8/8/NB6 b - - 0 1", false),
            ("7k/8/6K1/8/8/8/P7/8 b - - 0 1", false),
        ] {
            assert_eq!(read(fen).is_insufficient(), drawn, "{fen}");
        }
    }

    #[test]
    fn the_third_and_fifth_occurrence_draw() {
        let mut game = ::search::Root::new(Position::start(&Rules::default()));
        for round in 0..4 {
            for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
                game.play_text(text).unwrap();
            }
            let reason = game.outcome().map(|outcome| outcome.reason);
            let expected = [
                None,
                Some("threefold repetition"),
                Some("threefold repetition"),
                Some("fivefold repetition"),
            ];
            assert_eq!(reason, expected[round]);
        }
    }

    #[test]
    fn a_lost_right_to_castle_is_irreversible() {
        let position = read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for (text, irreversible) in [("a1a2", true), ("e1e2", true), ("a1a8", true), ("e1g1", true)] {
            assert_eq!(position.irreversible(position.parse(text).unwrap()), irreversible);
        }
        let free = read("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        assert!(!free.irreversible(free.parse("a1a2").unwrap()));
    }

    #[test]
    fn a_rook_that_shields_its_king_cannot_castle() {
        // The rook on b1 leaves the first rank open to the one on a1.
        let position = Position::read(&Rules { chess960: true }, "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1").unwrap();
        assert!(position.parse("d1b1").is_err());
    }

    #[test]
    fn passing_keeps_the_board_and_the_keys() {
        let position = read("8/8/8/3pP3/8/8/8/k6K w - d6 0 1");
        let passed = position.passed();
        assert_eq!(passed.turn(), Side::Black);
        assert_eq!(passed.en_passant(), None);
        assert_eq!(*passed.keys(), passed.computed_keys());
    }
}
