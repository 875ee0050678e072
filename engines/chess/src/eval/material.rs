//! What the pieces alone say, wherever they stand: the phase, and how much of an endgame's advantage counts.

use ::search::Side;

use super::{PHASE_FULL, scale};
use crate::position::{Position, Role};

/// What is known of a set of pieces.
#[derive(Clone, Copy, Default)]
pub struct Material {
    key: u64,
    /// 24 with all pieces, 0 with none.
    pub phase: i32,
    /// Shares of the endgame's value for either side ahead: with bishops that may meet, and with opposite ones.
    shares: [[i32; 2]; 2],
    /// Whether these pieces may make an endgame that is known without search.
    pub may_be_known: bool,
}

impl Material {
    /// The pieces of a position, looked at anew.
    pub fn of(p: &Position) -> Material {
        let shares = |opposite| [Side::White, Side::Black].map(|ahead| scale::share(p, ahead, opposite));
        let bare = |side| p.side(side).count_ones() == 1;
        Material {
            key: p.keys().material,
            phase: phase(p),
            shares: [shares(false), shares(true)],
            may_be_known: p.role(Role::Pawn).count_ones() <= 1 && (bare(Side::White) || bare(Side::Black)),
        }
    }

    /// The share of the endgame's value that the side ahead can hope for.
    pub fn share(&self, p: &Position, ahead: Side) -> i32 {
        if scale::is_corner_held(p, ahead) {
            return 0;
        }
        self.shares[usize::from(scale::opposite_bishops(p))][ahead.index()]
    }
}

/// A cache of sets of pieces.
#[derive(Clone)]
pub struct Cache(Vec<Material>);

impl Cache {
    const ENTRIES: usize = 1 << 11;

    /// What is known of the pieces of a position.
    pub fn get(&mut self, p: &Position) -> Material {
        let key = p.keys().material;
        // Counts differ in few bits; a multiplication spreads them over the upper ones.
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
        let slot = &mut self.0[mixed as usize % Cache::ENTRIES];
        if slot.key != key {
            *slot = Material::of(p);
        }
        *slot
    }
}

impl Default for Cache {
    fn default() -> Self {
        Cache(vec![Material::default(); Cache::ENTRIES])
    }
}

fn phase(p: &Position) -> i32 {
    let minors = (p.role(Role::Knight) | p.role(Role::Bishop)).count_ones();
    let (rooks, queens) = (p.role(Role::Rook).count_ones(), p.role(Role::Queen).count_ones());
    ((minors + 2 * rooks + 4 * queens) as i32).min(PHASE_FULL)
}
