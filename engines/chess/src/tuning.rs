//! Every number that is a matter of opinion: those of the evaluation here, of the search and of weak play apart.
//!
//! What is learned lies in `learned/`, in the form that `quintet learn chess` writes: the weights of the evaluation,
//! the tables of Kushnir's, and what values say about results. [`prior`] is the guess that a fit starts from.

pub mod search;
pub mod strength;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use ::search::learn::games::{Opening, Style};
use ::search::network::Network;

use crate::Square;
use crate::eval::network::Pieces;
use crate::eval::sheet::place;
use crate::eval::terms::{COUNT, Pair, Term, Weights};
use crate::eval::thesis::Tables;
use crate::eval::{Evaluation, Evaluator};
use crate::learn::Curve;
use crate::position::Role;

/// How much each kind of piece adds to an attack on the king.
pub(crate) const ATTACKER: [i32; 6] = [0, 80, 50, 45, 15, 0];
/// A square of the king's surroundings that a piece reaches.
pub(crate) const RING_HIT: i32 = 65;
/// A square of the surroundings that is attacked and badly protected.
pub(crate) const WEAK_RING: i32 = 160;
/// A check that costs the enemy nothing, by kind of piece.
pub(crate) const SAFE_CHECK: [i32; 6] = [0, 750, 550, 950, 700, 0];
/// A check that can be answered by taking.
pub(crate) const UNSAFE_CHECK: i32 = 130;
/// Relief when the enemy has no queen.
pub(crate) const NO_QUEEN: i32 = 850;
/// Relief when a knight stands by.
pub(crate) const KNIGHT_GUARD: i32 = 100;
/// Danger that makes one degree.
pub(crate) const DANGER_STEP: i32 = 64;
/// With fewer pieces than this phase says, space does not matter.
pub(crate) const SPACE_PHASE: i32 = 16;

/// How games are played that the engine learns from.
pub const GAMES: Style = Style {
    opening: Opening { plies: 7, choices: 2, balance: Some(350) },
    lots: 0,
    decided: Some(1000),
    even: Some(5),
    longest: 320,
};

const CLASSICAL_WEIGHTS: &str = include_str!("../learned/classical.weights");
const THESIS_TABLES: &str = include_str!("../learned/thesis.weights");
const DEFAULT_CHANCES: &str = include_str!("../learned/default.chances");

/// The weights in force.
pub fn weights() -> Weights {
    Weights::read(CLASSICAL_WEIGHTS).expect("the file in the tree is whole")
}

/// An evaluator with the numbers of this file.
pub fn evaluator(evaluation: Evaluation) -> Evaluator {
    Evaluator::new(evaluation, Arc::new(weights()), Arc::new(thesis()))
}

/// The evaluator of a file of weights, of whichever evaluation they are.
pub fn read_evaluator(path: &Path) -> Result<Evaluator, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let tables = Arc::new(thesis());
    match (Weights::read(&text), Tables::read(&text)) {
        (Ok(weights), _) => Ok(Evaluator::new(Evaluation::Full, Arc::new(weights), tables)),
        (_, Ok(tables)) => Ok(Evaluator::new(Evaluation::Thesis, Arc::new(weights()), Arc::new(tables))),
        (Err(error), _) => Err(format!("{}: {error}", path.display())),
    }
}

/// The evaluator of a file that holds a network.
pub fn read_network(path: &Path) -> Result<Evaluator, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let network = Network::read::<Pieces>(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(evaluator(Evaluation::Full).with_network(Arc::new(network)))
}

/// The guess that learning starts from: textbook values and simple shapes.
pub fn prior() -> Weights {
    let mut out = Weights(Box::new([Pair::default(); COUNT]));
    let mut set = |term: Term, value: &dyn Fn(i32) -> (i32, i32)| {
        for i in 0..term.size() {
            let (middle, end) = value(i as i32);
            out.0[term.at(i)] = Pair::new(middle, end);
        }
    };
    let pieces = [(82, 110), (350, 350), (360, 370), (470, 620), (1050, 1150), (0, 0)];
    set(Term::Piece, &|i| pieces[i as usize]);
    set(Term::KnightMobility, &|n| ((n - 4) * 7, (n - 4) * 6));
    set(Term::BishopMobility, &|n| ((n - 6) * 5, (n - 6) * 6));
    set(Term::RookMobility, &|n| ((n - 7) * 3, (n - 7) * 6));
    set(Term::QueenMobility, &|n| ((n - 14) * 2, (n - 14) * 4));
    set(Term::Passed, &|r| {
        [(0, 0), (0, 10), (0, 15), (5, 30), (25, 60), (60, 100), (100, 160), (0, 0)][r as usize]
    });
    set(Term::PassedFree, &|r| (0, r * r / 2));
    set(Term::PassedSafe, &|r| (r, r * r / 2));
    set(Term::PassedOwnKing, &|d| (0, -6 * d));
    set(Term::PassedEnemyKing, &|d| (0, 10 * d));
    set(Term::PassedUnstoppable, &|_| (0, 300));
    set(Term::Phalanx, &|r| (3 * r, 2 * r * r / 2));
    set(Term::Supported, &|r| (4 * r, 2 * r));
    set(Term::Isolated, &|open| (-8 - 6 * open, -10 - 4 * open));
    set(Term::Backward, &|open| (-6 - 8 * open, -8 - 6 * open));
    set(Term::Doubled, &|_| (-8, -22));
    set(Term::BishopPair, &|_| (25, 55));
    set(Term::BishopPawns, &|_| (-2, -4));
    set(Term::LongDiagonal, &|_| (15, 5));
    set(Term::Outpost, &|kind| (30 - 8 * kind, 15 - 5 * kind));
    set(Term::Sheltered, &|_| (8, 2));
    set(Term::RookFile, &|open| (15 + 18 * open, 6 + 4 * open));
    set(Term::Seventh, &|_| (5, 25));
    set(Term::RookBehind, &|whose| (0, 15 - 5 * whose));
    set(Term::PawnThreat, &|_| (60, 45));
    set(Term::MinorThreat, &|v| [(5, 20), (30, 30), (35, 35), (55, 60), (50, 80), (0, 0)][v as usize]);
    set(Term::RookThreat, &|v| [(3, 25), (25, 35), (25, 35), (5, 25), (45, 30), (0, 0)][v as usize]);
    set(Term::KingThreat, &|_| (15, 45));
    set(Term::Hanging, &|_| (30, 20));
    set(Term::PushThreat, &|_| (20, 15));
    set(Term::Space, &|_| (2, 0));
    set(Term::Shelter, &|r| ([-25, 20, 10, -5, -10, -12, -15, 0][r as usize], 0));
    set(Term::EdgeShelter, &|r| ([-20, 25, 18, 0, -5, -8, -10, 0][r as usize], 0));
    set(Term::Storm, &|r| ([0, 0, -35, -22, -8, 0, 0, 0][r as usize], 0));
    set(Term::Danger, &|d| (-d * d * 9 / 20, -d * 3));
    set(Term::Tempo, &|_| (20, 15));
    for role in Role::ALL {
        for square in (0..64).map(Square).filter(|s| s.file() < 4) {
            let (middle, end) = prior_place(role, square);
            out.0[Term::Place.at(place(role, square))] = Pair::new(middle, end);
        }
    }
    out
}

/// A first idea of where pieces belong, as White sees the board.
fn prior_place(role: Role, square: Square) -> (i32, i32) {
    let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
    // 0 at the edge, 3 in the middle.
    let (inner_file, inner_rank) = (file.min(7 - file), rank.min(7 - rank));
    let centre = inner_file + inner_rank;
    match role {
        Role::Pawn => {
            let central = if inner_file == 3 { [0, 0, 6, 22, 26, 20, 15, 0][rank as usize] } else { 0 };
            (central + (rank - 1) * 3 - if inner_file == 0 { 8 } else { 0 }, (rank - 1) * 5)
        }
        Role::Knight => (9 * centre - 32 + if rank < 5 { 2 * rank } else { 6 }, 8 * centre - 28),
        Role::Bishop => (5 * centre - 12 - if rank == 0 { 8 } else { 0 }, 4 * centre - 12),
        Role::Rook => (4 * inner_file - 6 + if rank == 6 { 12 } else { 0 }, 2 * rank - 4),
        Role::Queen => (2 * centre - 6 - if rank == 0 { 2 } else { 0 }, 6 * centre - 18),
        Role::King => {
            let home = if rank == 0 {
                [18, 28, 5, -8][inner_file as usize]
            } else {
                -20 * rank.min(4) - 6 * inner_file
            };
            (home, 11 * centre - 30)
        }
    }
}

/// The guess that learning Kushnir's tables starts from: the other guess without its phases.
pub fn prior_thesis() -> Tables {
    let weights = prior();
    let mean = |pair: Pair| (pair.middle() + pair.end()) / 2;
    let table = |role: Role, value: fn(Pair) -> i32| {
        let pairs = (0..64).map(move |i| place(role, Square(i))).map(|i| weights.0[Term::Place.at(i)]);
        pairs.map(value).collect::<Vec<i32>>()
    };
    let mut numbers: Vec<i32> = (0..5).map(|i| mean(prior().0[Term::Piece.at(i)])).collect();
    Role::ALL[..5].iter().for_each(|&role| numbers.extend(table(role, |p| (p.middle() + p.end()) / 2)));
    numbers.extend(table(Role::King, Pair::middle));
    numbers.extend(table(Role::King, Pair::end));
    Tables::from_numbers(&numbers)
}

/// The tables of the `thesis` evaluation.
pub fn thesis() -> Tables {
    Tables::read(THESIS_TABLES).expect("the file in the tree is whole")
}

/// What values say about results.
pub fn curve() -> Curve {
    static CURVE: LazyLock<Curve> =
        LazyLock::new(|| Curve::read(DEFAULT_CHANCES).expect("the file in the tree is whole"));
    *CURVE
}
