//! Setting up and changing the board; keys, checks and pins follow.

use ::search::Side;

use super::{
    BLACK_KEY, CASTLE_KEYS, Castle, EN_PASSANT_KEYS, NONE, PIECE_KEYS, Position, Role, material_unit,
};
use crate::attacks::{self, Square, squares};

impl Position {
    #[inline]
    pub(crate) fn put(&mut self, side: Side, role: Role, square: Square) {
        self.board[square.index()] = Some(role);
        self.toggle(side, role, square);
        self.keys.material = self.keys.material.wrapping_add(material_unit(side.index(), role.index()));
    }

    #[inline]
    pub(super) fn take(&mut self, side: Side, role: Role, square: Square) {
        self.board[square.index()] = None;
        self.toggle(side, role, square);
        self.keys.material = self.keys.material.wrapping_sub(material_unit(side.index(), role.index()));
    }

    #[inline]
    fn toggle(&mut self, side: Side, role: Role, square: Square) {
        self.roles[role.index()] ^= square.bit();
        self.sides[side.index()] ^= square.bit();
        let key = PIECE_KEYS[side.index()][role.index()][square.index()];
        self.keys.position ^= key;
        match role {
            Role::Pawn => self.keys.pawns ^= key,
            Role::King => {
                self.keys.pawns ^= key;
                self.keys.pieces[side.index()] ^= key;
            }
            _ => self.keys.pieces[side.index()] ^= key,
        }
    }

    #[inline]
    pub(super) fn shift(&mut self, side: Side, role: Role, from: Square, to: Square) {
        self.board[from.index()] = None;
        self.board[to.index()] = Some(role);
        self.toggle(side, role, from);
        self.toggle(side, role, to);
    }

    pub(crate) fn grant(&mut self, castle: Castle, rook: Square) {
        self.castles[castle.index()] = rook;
        self.keys.position ^= CASTLE_KEYS[castle.index()][rook.index()];
    }

    fn revoke(&mut self, castle: Castle) {
        let rook = std::mem::replace(&mut self.castles[castle.index()], NONE);
        if rook != NONE {
            self.keys.position ^= CASTLE_KEYS[castle.index()][rook.index()];
        }
    }

    pub(crate) fn set_turn(&mut self, side: Side) {
        if self.turn != side {
            self.turn = side;
            self.keys.position ^= BLACK_KEY;
        }
    }

    pub(crate) fn set_counters(&mut self, quiet: u16, number: u16) {
        self.quiet = quiet;
        self.number = number.max(1);
    }

    pub(crate) fn set_en_passant(&mut self, square: Square) {
        self.en_passant = Some(square);
        self.keys.position ^= EN_PASSANT_KEYS[square.file() as usize];
    }

    #[inline]
    pub(super) fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.position ^= EN_PASSANT_KEYS[square.file() as usize];
        }
    }

    /// Notes the square passed by a pawn, if the side to move can legally take it there.
    pub(crate) fn offer_en_passant(&mut self, target: Square) {
        let us = self.turn;
        let mut takers = squares(attacks::pawn(!us, target) & self.pieces(us, Role::Pawn));
        if takers.any(|from| self.en_passant_is_safe(us, from, target)) {
            self.set_en_passant(target);
        }
    }

    /// Finds the pieces that check or pin the side to move.
    #[inline]
    pub(crate) fn look_at_king(&mut self) {
        let us = self.turn;
        let (king, enemy, occupied) = (self.king(us), self.side(!us), self.occupied());
        let queens = self.role(Role::Queen);
        self.checkers = (attacks::pawn(us, king) & self.role(Role::Pawn)
            | attacks::knight(king) & self.role(Role::Knight))
            & enemy;
        self.pinned = 0;
        let snipers = (attacks::bishop_rays(king) & (self.role(Role::Bishop) | queens)
            | attacks::rook_rays(king) & (self.role(Role::Rook) | queens))
            & enemy;
        for sniper in squares(snipers) {
            let shields = attacks::between(king, sniper) & occupied;
            if shields == 0 {
                self.checkers |= sniper.bit();
            } else if shields & (shields - 1) == 0 {
                self.pinned |= shields & self.side(us);
            }
        }
    }

    /// Takes away the rights that a move of this piece or a capture on these squares ends.
    #[inline]
    pub(super) fn lose_rights(&mut self, us: Side, role: Role, from: Square, to: Square) {
        if self.castles == [NONE; 4] {
            return;
        }
        for castle in Castle::ALL {
            let rook = self.castles[castle.index()];
            if rook == from || rook == to || role == Role::King && castle.side() == us {
                self.revoke(castle);
            }
        }
    }

    pub(super) fn castle(&mut self, us: Side, king: Square, rook: Square) {
        let castle = Castle::of(us)[usize::from(rook < king)];
        let (king_to, rook_to) = castle.targets();
        self.take(us, Role::King, king);
        self.take(us, Role::Rook, rook);
        self.put(us, Role::King, king_to);
        self.put(us, Role::Rook, rook_to);
    }
}
