//! Everything but the pawn structure: mobility, outposts, rooks, threats, passed pawns, space, king safety.

use ::search::{Game, Side};

use super::pawns::{ahead, beside};
use super::sheet::{Assault, Sheet, Trace};
use super::terms::Term;
use crate::attacks::{self, FILE_A, LIGHT, RANK_1, Square, file_of, squares};
use crate::position::{Position, Role};
use crate::tuning;

const CENTRE: u64 = 0x0000_0018_1800_0000;
const BOTH: [Side; 2] = [Side::White, Side::Black];

/// Adds all terms that are not the pawn structure's.
pub fn judge<T: Trace>(sheet: &mut Sheet<'_, T>, passed: u64, phase: i32) {
    for side in BOTH {
        let area = mobility_area(sheet.p, side, sheet.by[(!side).index()][Role::Pawn.index()]);
        judge_minors(sheet, side, area);
        judge_rooks(sheet, side, area, passed);
        judge_queens(sheet, side, area);
        let king = sheet.p.king(side);
        sheet.place(side, Role::King, king);
    }
    for side in BOTH {
        judge_threats(sheet, side);
        judge_passed(sheet, side, passed & sheet.p.side(side));
        if phase >= tuning::SPACE_PHASE {
            judge_space(sheet, side);
        }
        judge_king(sheet, side);
    }
}

/// Where a piece may go with profit: not onto own king, queen or stuck pawns, nor into pawns' attacks.
fn mobility_area(p: &Position, side: Side, enemy_pawns: u64) -> u64 {
    let pawns = p.pieces(side, Role::Pawn);
    let (low, blocked) = match side {
        Side::White => (RANK_1 << 8 | RANK_1 << 16, p.occupied() >> 8),
        Side::Black => (RANK_1 << 48 | RANK_1 << 40, p.occupied() << 8),
    };
    !(pawns & (low | blocked) | p.pieces(side, Role::King) | p.pieces(side, Role::Queen) | enemy_pawns)
}

/// Counts a piece's mobility and its part in an attack on the king.
fn count_reach<T: Trace>(
    sheet: &mut Sheet<'_, T>,
    side: Side,
    role: Role,
    from: Square,
    targets: u64,
    area: u64,
) {
    sheet.place(side, role, from);
    sheet.reach(side, role, targets);
    let term = match role {
        Role::Knight => Term::KnightMobility,
        Role::Bishop => Term::BishopMobility,
        Role::Rook => Term::RookMobility,
        _ => Term::QueenMobility,
    };
    let mobility = (targets & area).count_ones() as usize;
    sheet.note(side, term, mobility.min(term.size() - 1));
    let hits = targets & sheet.ring[(!side).index()];
    if hits != 0 {
        let assault = &mut sheet.assault[side.index()];
        assault.attackers += 1;
        assault.weight += tuning::ATTACKER[role.index()];
        assault.hits += hits.count_ones() as i32;
    }
}

fn judge_minors<T: Trace>(sheet: &mut Sheet<'_, T>, side: Side, area: u64) {
    let p = sheet.p;
    let occupied = p.occupied();
    let (own_pawns, bishops) = (p.pieces(side, Role::Pawn), p.pieces(side, Role::Bishop));
    for from in squares(p.pieces(side, Role::Knight)) {
        let targets = pinned(p, side, from, attacks::knight(from));
        count_reach(sheet, side, Role::Knight, from, targets, area);
        judge_minor(sheet, side, from, 0);
    }
    // A bishop sees through queens.
    let seen = occupied ^ p.role(Role::Queen);
    for from in squares(bishops) {
        let targets = pinned(p, side, from, attacks::bishop(from, seen));
        count_reach(sheet, side, Role::Bishop, from, targets, area);
        judge_minor(sheet, side, from, 1);
        let colour = if from.bit() & LIGHT != 0 { LIGHT } else { !LIGHT };
        let pawns = (own_pawns & colour).count_ones() as i32;
        sheet.add(side, Term::BishopPawns.at(0), pawns);
        if (attacks::bishop(from, p.role(Role::Pawn)) & CENTRE).count_ones() > 1 {
            sheet.note(side, Term::LongDiagonal, 0);
        }
    }
    if bishops & LIGHT != 0 && bishops & !LIGHT != 0 {
        sheet.note(side, Term::BishopPair, 0);
    }
}

/// The squares left to a piece that shields its king; only the side to move's pins are known.
fn pinned(p: &Position, side: Side, from: Square, targets: u64) -> u64 {
    if side == p.turn() && p.pinned() & from.bit() != 0 {
        return targets & attacks::line(p.king(side), from);
    }
    targets
}

fn judge_minor<T: Trace>(sheet: &mut Sheet<'_, T>, side: Side, from: Square, kind: usize) {
    let p = sheet.p;
    let rank = from.seen_by(side).rank();
    let protected = sheet.by[side.index()][Role::Pawn.index()] & from.bit() != 0;
    if (3..=5).contains(&rank) && protected {
        let challengers = p.pieces(!side, Role::Pawn) & beside(from);
        let front = ahead(side, from) << 1 | ahead(side, from) >> 1;
        if challengers & front == 0 {
            sheet.note(side, Term::Outpost, kind);
        }
    }
    let shield = if side == Side::White { from.bit() << 8 } else { from.bit() >> 8 };
    if p.role(Role::Pawn) & shield != 0 {
        sheet.note(side, Term::Sheltered, 0);
    }
}

fn judge_rooks<T: Trace>(sheet: &mut Sheet<'_, T>, side: Side, area: u64, passed: u64) {
    let p = sheet.p;
    // A rook sees through queens and its fellow.
    let seen = p.occupied() ^ p.role(Role::Queen) ^ p.pieces(side, Role::Rook);
    for from in squares(p.pieces(side, Role::Rook)) {
        let targets = pinned(p, side, from, attacks::rook(from, seen));
        count_reach(sheet, side, Role::Rook, from, targets, area);
        let file = file_of(from);
        if p.pieces(side, Role::Pawn) & file == 0 {
            let open = usize::from(p.pieces(!side, Role::Pawn) & file == 0);
            sheet.note(side, Term::RookFile, open);
        }
        let king_rank = p.king(!side).seen_by(side).rank();
        if from.seen_by(side).rank() == 6 && king_rank >= 6 {
            sheet.note(side, Term::Seventh, 0);
        }
        let before = attacks::rook(from, p.occupied()) & file & passed;
        for (i, owner) in [side, !side].into_iter().enumerate() {
            if before & p.side(owner) & ahead(owner, from) != 0 {
                sheet.note(side, Term::RookBehind, i);
            }
        }
    }
}

fn judge_queens<T: Trace>(sheet: &mut Sheet<'_, T>, side: Side, area: u64) {
    let p = sheet.p;
    for from in squares(p.pieces(side, Role::Queen)) {
        let targets = pinned(p, side, from, attacks::queen(from, p.occupied()));
        count_reach(sheet, side, Role::Queen, from, targets, area);
    }
}

fn judge_threats<T: Trace>(sheet: &mut Sheet<'_, T>, side: Side) {
    let p = sheet.p;
    let (us, them) = (side.index(), (!side).index());
    let enemy = p.side(!side) & !p.role(Role::King);
    let pieces = enemy & !p.role(Role::Pawn);
    let by_pawns = sheet.by[them][Role::Pawn.index()];
    // Protected well: by a pawn, or as often as it can be attacked.
    let solid = by_pawns | sheet.twice[them] & !sheet.twice[us];
    let weak = enemy & !solid & sheet.all[us];

    let safe_pawns = p.pieces(side, Role::Pawn) & (sheet.all[us] | !sheet.all[them]);
    note_victims(sheet, side, Term::PawnThreat, attacks::pawns(side, safe_pawns) & pieces);
    let minors = sheet.by[us][Role::Knight.index()] | sheet.by[us][Role::Bishop.index()];
    let heavier = pieces & (p.role(Role::Rook) | p.role(Role::Queen));
    note_victims(sheet, side, Term::MinorThreat, minors & (weak | heavier));
    let rooks = sheet.by[us][Role::Rook.index()];
    note_victims(sheet, side, Term::RookThreat, rooks & (weak | pieces & p.role(Role::Queen)));
    if sheet.by[us][Role::King.index()] & weak != 0 {
        sheet.note(side, Term::KingThreat, 0);
    }
    let hanging = (weak & !sheet.all[them]).count_ones() as i32;
    sheet.add(side, Term::Hanging.at(0), hanging);

    let empty = !p.occupied();
    let pawns = p.pieces(side, Role::Pawn);
    let pushes = match side {
        Side::White => {
            let once = pawns << 8 & empty;
            once | (once & RANK_1 << 16) << 8 & empty
        }
        Side::Black => {
            let once = pawns >> 8 & empty;
            once | (once & RANK_1 << 40) >> 8 & empty
        }
    };
    let safe = pushes & !by_pawns & (sheet.all[us] | !sheet.all[them]);
    let victims = (attacks::pawns(side, safe) & pieces).count_ones() as i32;
    sheet.add(side, Term::PushThreat.at(0), victims);
}

fn note_victims<T: Trace>(sheet: &mut Sheet<'_, T>, side: Side, term: Term, victims: u64) {
    for square in squares(victims) {
        if let Some(role) = sheet.p.role_on(square) {
            sheet.note(side, term, role.index());
        }
    }
}

fn judge_passed<T: Trace>(sheet: &mut Sheet<'_, T>, side: Side, passed: u64) {
    let p = sheet.p;
    for square in squares(passed) {
        let rank = usize::from(square.seen_by(side).rank());
        sheet.note(side, Term::Passed, rank);
        let next = Square(if side == Side::White { square.0 + 8 } else { square.0 - 8 });
        if p.occupied() & next.bit() == 0 {
            sheet.note(side, Term::PassedFree, rank);
        }
        let way = ahead(side, square);
        if sheet.all[(!side).index()] & next.bit() == 0 {
            sheet.note(side, Term::PassedSafe, rank);
        }
        if rank >= 3 {
            let (own, enemy) = (sheet.king_distance(side, next), sheet.king_distance(!side, next));
            sheet.note(side, Term::PassedOwnKing, own);
            sheet.note(side, Term::PassedEnemyKing, enemy);
        }
        if !p.has_pieces(!side) && way & p.occupied() == 0 && outruns(sheet, side, square, rank) {
            sheet.note(side, Term::PassedUnstoppable, 0);
        }
    }
}

/// The rule of the square: whether the enemy king comes too late.
fn outruns<T: Trace>(sheet: &Sheet<'_, T>, side: Side, square: Square, rank: usize) -> bool {
    let goal = Square::at(square.file(), if side == Side::White { 7 } else { 0 });
    let steps = if rank == 1 { 5 } else { 7 - rank };
    let late = usize::from(sheet.p.turn() != side);
    sheet.king_distance(!side, goal) > steps + late
}

fn judge_space<T: Trace>(sheet: &mut Sheet<'_, T>, side: Side) {
    const CENTRE_FILES: u64 = FILE_A << 2 | FILE_A << 3 | FILE_A << 4 | FILE_A << 5;
    let p = sheet.p;
    let ranks = match side {
        Side::White => RANK_1 << 8 | RANK_1 << 16 | RANK_1 << 24,
        Side::Black => RANK_1 << 48 | RANK_1 << 40 | RANK_1 << 32,
    };
    let pawns = p.pieces(side, Role::Pawn);
    let safe = CENTRE_FILES & ranks & !pawns & !sheet.by[(!side).index()][Role::Pawn.index()];
    let behind = match side {
        Side::White => pawns >> 8 | pawns >> 16 | pawns >> 24,
        Side::Black => pawns << 8 | pawns << 16 | pawns << 24,
    };
    let count = (safe.count_ones() + (safe & behind & !sheet.all[(!side).index()]).count_ones()) as i32;
    sheet.add(side, Term::Space.at(0), count);
}

/// The danger a king is in, by the enemy's attackers, checks and the weakness of its surroundings.
fn judge_king<T: Trace>(sheet: &mut Sheet<'_, T>, side: Side) {
    let p = sheet.p;
    let (us, them) = (side.index(), (!side).index());
    let Assault { attackers, weight, hits } = sheet.assault[them];
    if attackers < 2 && p.pieces(!side, Role::Queen) == 0 {
        return;
    }
    let king = p.king(side);
    let lightly = sheet.by[us][Role::King.index()] | sheet.by[us][Role::Queen.index()];
    let weak = sheet.all[them] & !sheet.twice[us] & (!sheet.all[us] | lightly);
    let safe = !p.side(!side) & (!sheet.all[us] | weak & sheet.twice[them]);
    let straight = attacks::rook(king, p.occupied() ^ p.pieces(side, Role::Queen));
    let diagonal = attacks::bishop(king, p.occupied() ^ p.pieces(side, Role::Queen));
    let by = &sheet.by[them];
    let checks = [
        (Role::Knight, attacks::knight(king) & by[Role::Knight.index()]),
        (Role::Bishop, diagonal & by[Role::Bishop.index()]),
        (Role::Rook, straight & by[Role::Rook.index()]),
        (Role::Queen, (straight | diagonal) & by[Role::Queen.index()]),
    ];
    let mut danger = attackers * weight + tuning::RING_HIT * hits;
    danger += tuning::WEAK_RING * (sheet.ring[us] & weak).count_ones() as i32;
    for (role, squares) in checks {
        if squares & safe != 0 {
            danger += tuning::SAFE_CHECK[role.index()];
        } else if squares != 0 {
            danger += tuning::UNSAFE_CHECK;
        }
    }
    if p.pieces(!side, Role::Queen) == 0 {
        danger -= tuning::NO_QUEEN;
    }
    if sheet.by[us][Role::Knight.index()] & sheet.by[us][Role::King.index()] != 0 {
        danger -= tuning::KNIGHT_GUARD;
    }
    if danger > 0 {
        let degree = (danger / tuning::DANGER_STEP) as usize;
        sheet.note(side, Term::Danger, degree.min(Term::Danger.size() - 1));
    }
}
