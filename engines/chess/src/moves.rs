//! Which moves there are: only legal ones, found with the checking lines and the pins of the position.

use ::search::{MoveList, Side};

use crate::attacks::sliders::{Fastest, Sliders};
use crate::attacks::{self, FILE_A, FILE_H, RANK_1, RANK_8, Square, between, first, line, squares};
use crate::position::{Castle, Position, Role};

/// What a move does beside going from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Nothing.
    Plain,
    /// A pawn goes two squares.
    Double,
    /// A pawn takes one that has just passed it.
    EnPassant,
    /// King and rook; written as the king taking its own rook.
    Castle,
    /// A pawn becomes a knight.
    Knight,
    /// A pawn becomes a bishop.
    Bishop,
    /// A pawn becomes a rook.
    Rook,
    /// A pawn becomes a queen.
    Queen,
}

const KINDS: [Kind; 8] = [
    Kind::Plain,
    Kind::Double,
    Kind::EnPassant,
    Kind::Castle,
    Kind::Knight,
    Kind::Bishop,
    Kind::Rook,
    Kind::Queen,
];

/// A move in 16 bits: from, to and kind. It means something only together with its position.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    /// A move from its parts.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: Kind) -> Move {
        Move(from.0 as u16 | (to.0 as u16) << 6 | (kind as u16) << 12)
    }

    /// The move whose number this is.
    #[inline]
    pub fn from_number(number: u16) -> Move {
        Move(number)
    }

    /// The move as a number: never 0, since no move stays on a1.
    #[inline]
    pub fn number(self) -> u16 {
        self.0
    }

    /// Where the piece stands.
    #[inline]
    pub fn from(self) -> Square {
        Square((self.0 & 63) as u8)
    }

    /// Where it goes; in castling the square of the rook.
    #[inline]
    pub fn to(self) -> Square {
        Square((self.0 >> 6 & 63) as u8)
    }

    /// What else it does.
    #[inline]
    pub fn kind(self) -> Kind {
        KINDS[(self.0 >> 12 & 7) as usize]
    }

    /// What a pawn becomes.
    #[inline]
    pub fn promotion(self) -> Option<Role> {
        match self.kind() {
            Kind::Knight => Some(Role::Knight),
            Kind::Bishop => Some(Role::Bishop),
            Kind::Rook => Some(Role::Rook),
            Kind::Queen => Some(Role::Queen),
            _ => None,
        }
    }
}

/// Which of the legal moves are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of them.
    All,
    /// Captures and promotions.
    Noisy,
    /// The others.
    Quiet,
}

/// Receives moves, many at a time where they come so.
trait Sink {
    /// One piece to each of these squares.
    fn piece(&mut self, from: Square, to: u64);
    /// Pawns to each of these squares, each from `way` squares further down the board.
    fn pawns(&mut self, to: u64, way: i8, kind: Kind);
    /// The same, with a choice of four pieces.
    fn promotions(&mut self, to: u64, way: i8);
    /// A single move.
    fn single(&mut self, m: Move);
}

fn back(to: Square, way: i8) -> Square {
    Square((to.0 as i8 - way) as u8)
}

impl Sink for MoveList<Move> {
    #[inline]
    fn piece(&mut self, from: Square, to: u64) {
        self.extend(squares(to).map(|to| Move::new(from, to, Kind::Plain)));
    }

    #[inline]
    fn pawns(&mut self, to: u64, way: i8, kind: Kind) {
        self.extend(squares(to).map(|to| Move::new(back(to, way), to, kind)));
    }

    #[inline]
    fn promotions(&mut self, to: u64, way: i8) {
        for to in squares(to) {
            for kind in [Kind::Queen, Kind::Knight, Kind::Rook, Kind::Bishop] {
                self.push(Move::new(back(to, way), to, kind));
            }
        }
    }

    #[inline]
    fn single(&mut self, m: Move) {
        self.push(m);
    }
}

/// Counts moves without listing them.
struct Counter(u32);

impl Sink for Counter {
    #[inline]
    fn piece(&mut self, _: Square, to: u64) {
        self.0 += to.count_ones();
    }

    #[inline]
    fn pawns(&mut self, to: u64, _: i8, _: Kind) {
        self.0 += to.count_ones();
    }

    #[inline]
    fn promotions(&mut self, to: u64, _: i8) {
        self.0 += 4 * to.count_ones();
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Appends legal moves of the side to move.
pub fn generate(position: &Position, part: Part, out: &mut MoveList<Move>) {
    generate_by::<Fastest>(position, part, out);
}

/// The same moves, those of sliding pieces found in one of several ways.
pub fn generate_by<A: Sliders>(position: &Position, part: Part, out: &mut MoveList<Move>) {
    sweep::<A, _>(position, part, out);
}

/// The number of legal moves of the side to move.
pub fn count(position: &Position) -> u64 {
    let mut counter = Counter(0);
    sweep::<Fastest, _>(position, Part::All, &mut counter);
    u64::from(counter.0)
}

#[inline]
fn sweep<A: Sliders, S: Sink>(position: &Position, part: Part, sink: &mut S) {
    match ::search::Game::turn(position) {
        Side::White => sweep_side::<true, A, S>(position, part, sink),
        Side::Black => sweep_side::<false, A, S>(position, part, sink),
    }
}

/// Visits the moves of one side; the colour is known to the compiler.
#[inline]
fn sweep_side<const WHITE: bool, A: Sliders, S: Sink>(p: &Position, part: Part, sink: &mut S) {
    let us = if WHITE { Side::White } else { Side::Black };
    let (own, enemy) = (p.side(us), p.side(!us));
    let wanted = match part {
        Part::All => !own,
        Part::Noisy => enemy,
        Part::Quiet => !(own | enemy),
    };
    let king = p.king(us);
    let checkers = p.checkers();
    king_moves(p, us, king, wanted, sink);
    if checkers == 0 {
        if part != Part::Noisy {
            castles(p, us, sink);
        }
        pawn_moves::<WHITE, S>(p, part, !0, sink);
        piece_moves::<A, S>(p, us, wanted, sink);
    } else if checkers & (checkers - 1) == 0 {
        let block = between(king, first(checkers)) | checkers;
        pawn_moves::<WHITE, S>(p, part, block, sink);
        piece_moves::<A, S>(p, us, wanted & block, sink);
    }
}

#[inline]
fn king_moves<S: Sink>(p: &Position, us: Side, king: Square, wanted: u64, sink: &mut S) {
    let mut safe = attacks::king(king) & wanted;
    // The king does not shield the squares behind it.
    let occupied = p.occupied() ^ king.bit();
    for to in squares(safe) {
        if p.is_attacked(to, !us, occupied) {
            safe ^= to.bit();
        }
    }
    sink.piece(king, safe);
}

#[inline]
fn piece_moves<A: Sliders, S: Sink>(p: &Position, us: Side, targets: u64, sink: &mut S) {
    let (own, occupied, pinned, king) = (p.side(us), p.occupied(), p.pinned(), p.king(us));
    for from in squares(p.role(Role::Knight) & own & !pinned) {
        sink.piece(from, attacks::knight(from) & targets);
    }
    let queens = p.role(Role::Queen);
    let diagonal = (p.role(Role::Bishop) | queens) & own;
    let straight = (p.role(Role::Rook) | queens) & own;
    for from in squares(diagonal & !pinned) {
        sink.piece(from, A::bishop(from, occupied) & targets);
    }
    for from in squares(straight & !pinned) {
        sink.piece(from, A::rook(from, occupied) & targets);
    }
    for from in squares(diagonal & pinned) {
        sink.piece(from, A::bishop(from, occupied) & targets & line(king, from));
    }
    for from in squares(straight & pinned) {
        sink.piece(from, A::rook(from, occupied) & targets & line(king, from));
    }
}

#[inline]
fn shift(bits: u64, way: i8) -> u64 {
    if way > 0 { bits << way } else { bits >> -way }
}

#[inline]
fn pawn_moves<const WHITE: bool, S: Sink>(p: &Position, part: Part, allowed: u64, sink: &mut S) {
    let us = if WHITE { Side::White } else { Side::Black };
    let (up, west, east) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
    let (last, third) = if WHITE { (RANK_8, RANK_1 << 16) } else { (RANK_1, RANK_1 << 40) };
    let (pawns, king, pinned) = (p.role(Role::Pawn) & p.side(us), p.king(us), p.pinned());
    let empty = !p.occupied();

    // A pinned pawn stays on the line of its pin.
    let pushers = pawns & (!pinned | attacks::file_of(king));
    let once = shift(pushers, up) & empty;
    let twice = shift(once & third, up) & empty & allowed;
    let once = once & allowed;
    if part != Part::Noisy {
        sink.pawns(once & !last, up, Kind::Plain);
        sink.pawns(twice, 2 * up, Kind::Double);
    }
    if part == Part::Quiet {
        return;
    }
    sink.promotions(once & last, up);

    let targets = p.side(!us) & allowed;
    for (way, edge) in [(west, FILE_A), (east, FILE_H)] {
        let taken = shift(pawns & !pinned & !edge, way) & targets;
        sink.pawns(taken & !last, way, Kind::Plain);
        sink.promotions(taken & last, way);
    }
    for from in squares(pawns & pinned) {
        let taken = attacks::pawn(us, from) & targets & line(king, from);
        sink.piece(from, taken & !last);
        if taken & last != 0 {
            sink.promotions(taken, first(taken).0 as i8 - from.0 as i8);
        }
    }
    if let Some(target) = p.en_passant() {
        for from in squares(attacks::pawn(!us, target) & pawns) {
            if p.en_passant_is_safe(us, from, target) {
                sink.single(Move::new(from, target, Kind::EnPassant));
            }
        }
    }
}

fn castles<S: Sink>(p: &Position, us: Side, sink: &mut S) {
    for castle in Castle::of(us) {
        if let Some(rook) = p.castle_rook(castle)
            && p.may_castle(us, castle, rook)
        {
            sink.single(Move::new(p.king(us), rook, Kind::Castle));
        }
    }
}

impl Position {
    /// Whether taking en passant from `from` leaves the own king safe.
    pub(crate) fn en_passant_is_safe(&self, us: Side, from: Square, target: Square) -> bool {
        let victim = Square(target.0 ^ 8).bit();
        let occupied = self.occupied() ^ from.bit() ^ victim | target.bit();
        self.attackers(self.king(us), occupied) & self.side(!us) & !victim == 0
    }

    /// Whether nothing stands in the way of castling and no square of the king's way is attacked.
    fn may_castle(&self, us: Side, castle: Castle, rook: Square) -> bool {
        let king = self.king(us);
        let (king_to, rook_to) = castle.targets();
        let king_way = between(king, king_to) | king_to.bit();
        let rook_way = between(rook, rook_to) | rook_to.bit();
        let others = self.occupied() ^ king.bit() ^ rook.bit();
        if (king_way | rook_way) & others != 0 {
            return false;
        }
        // In Chess960 the rook may have shielded the square where the king ends.
        squares(king_way & !king.bit()).all(|square| !self.is_attacked(square, !us, others))
    }

    /// Whether a move from a table or a killer slot, made for another position, is legal in this one.
    pub fn is_legal(&self, m: Move) -> bool {
        let us = ::search::Game::turn(self);
        let (from, to) = (m.from(), m.to());
        if self.side(us) & from.bit() == 0 {
            return false;
        }
        let Some(role) = self.role_on(from) else { return false };
        let checkers = self.checkers();
        match (role, m.kind()) {
            (Role::King, Kind::Castle) => {
                checkers == 0
                    && Castle::of(us)
                        .into_iter()
                        .any(|c| self.castle_rook(c) == Some(to) && self.may_castle(us, c, to))
            }
            (Role::King, Kind::Plain) => {
                attacks::king(from) & to.bit() & !self.side(us) != 0
                    && !self.is_attacked(to, !us, self.occupied() ^ from.bit())
            }
            (Role::King, _) => false,
            (Role::Pawn, _) => self.is_legal_pawn_move(us, m),
            (_, Kind::Plain) => {
                self.attacks_from(role, from) & to.bit() & !self.side(us) != 0
                    && self.answers_check(us, from, to)
            }
            _ => false,
        }
    }

    fn is_legal_pawn_move(&self, us: Side, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let up: i8 = if us == Side::White { 8 } else { -8 };
        let empty = !self.occupied();
        let promotes = to.rank() == 0 || to.rank() == 7;
        let one = shift(from.bit(), up) & empty;
        let fits = match m.kind() {
            Kind::EnPassant => {
                return self.en_passant() == Some(to)
                    && attacks::pawn(us, from) & to.bit() != 0
                    && self.en_passant_is_safe(us, from, to);
            }
            Kind::Castle => false,
            Kind::Double => from.seen_by(us).rank() == 1 && shift(one, up) & empty & to.bit() != 0,
            kind => {
                promotes == (kind != Kind::Plain)
                    && to.bit() & (one | attacks::pawn(us, from) & self.side(!us)) != 0
            }
        };
        fits && self.answers_check(us, from, to)
    }

    /// Whether a piece other than the king may go there as far as pins and checks are concerned.
    fn answers_check(&self, us: Side, from: Square, to: Square) -> bool {
        let (king, checkers) = (self.king(us), self.checkers());
        if self.pinned() & from.bit() != 0 && line(king, from) & to.bit() == 0 {
            return false;
        }
        match checkers.count_ones() {
            0 => true,
            1 => (between(king, first(checkers)) | checkers) & to.bit() != 0,
            _ => false,
        }
    }
}
