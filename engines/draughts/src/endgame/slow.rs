//! A second opinion on the endgames: solved slowly, from the rules alone.
//!
//! Positions are listed by trying all placements, and values spread by looking one move ahead at everything that is
//! still open, over and over. Nothing of the numbering, the units or the ways back is used, so that a slip there
//! shows as a difference.

use std::collections::HashMap;

use search::{Game, Known, Side};

use super::Database;
use crate::position::Counters;
use crate::{DrawRules, Move, Position, Rules, Variant};

/// The most pieces it can be asked for: five would not fit into memory.
pub const MOST_PIECES: usize = 4;

const UNKNOWN: i16 = i16::MAX;
/// A move after which the other side has no piece.
const OVER: u32 = u32::MAX;

/// A position where the database and the slow solver differ.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: plies to the end are {slow:?} by the slow solver and {database:?} by the database")]
pub struct Difference {
    position: String,
    slow: Option<i32>,
    database: Option<i32>,
}

/// Compares every position of up to so many pieces, White to move, and says how many there are.
///
/// # Panics
/// If more than [`MOST_PIECES`] are asked for.
pub fn compare(database: &Database, variant: Variant, pieces: usize) -> Result<usize, Difference> {
    assert!(pieces <= MOST_PIECES);
    let positions = positions(Rules { variant, draws: DrawRules::None }, pieces);
    let values = solve(&positions);
    for (position, &value) in positions.iter().zip(&values) {
        let slow = (value != UNKNOWN).then_some(i32::from(value));
        let known = match database.probe(position) {
            Some(Known::Value(score)) => score.plies_to_end(),
            Some(Known::Draw) => None,
            None => Some(i32::MAX),
        };
        if slow != known {
            return Err(Difference { position: position.to_string(), slow, database: known });
        }
    }
    Ok(positions.len())
}

/// All positions of up to so many pieces, one at least a side, White to move.
fn positions(rules: Rules, pieces: usize) -> Vec<Position> {
    let mut found = Vec::new();
    place(rules, pieces, 0, ([0, 0], 0), &mut found);
    found
}

/// Puts nothing or any piece on each square from `square` on.
fn place(
    rules: Rules,
    left: usize,
    square: u32,
    (pieces, kings): ([u32; 2], u32),
    found: &mut Vec<Position>,
) {
    if square == 32 || left == 0 {
        if pieces[0] != 0 && pieces[1] != 0 {
            let counters = Counters { quiet: 0, ending: None, number: 1 };
            found.push(Position::new(rules, pieces, kings, Side::White, counters));
        }
        return;
    }
    place(rules, left, square + 1, (pieces, kings), found);
    let bit = 1 << square;
    for side in [0, 1] {
        let mut with = pieces;
        with[side] |= bit;
        place(rules, left - 1, square + 1, (with, kings | bit), found);
        let crowning_row = if side == 0 { square >= 28 } else { square < 4 };
        if !crowning_row {
            place(rules, left - 1, square + 1, (with, kings), found);
        }
    }
}

/// Plies to the end of every position, negative for a loss.
fn solve(positions: &[Position]) -> Vec<i16> {
    let replies = replies(positions);
    let mut values = vec![UNKNOWN; positions.len()];
    let mut open: Vec<u32> = (0..positions.len() as u32).collect();
    for plies in 0.. {
        let mut found = Vec::new();
        open.retain(|&at| {
            let value = ahead(replies.of(at), &values).filter(|value| value.abs() == plies);
            found.extend(value.map(|value| (at, value)));
            value.is_none()
        });
        if found.is_empty() && plies > 1 {
            break;
        }
        found.into_iter().for_each(|(at, value)| values[at as usize] = value);
    }
    values
}

/// Plies to the end as far as the values one move ahead tell them.
fn ahead(replies: &[u32], values: &[i16]) -> Option<i16> {
    let value = |&reply: &u32| if reply == OVER { 0 } else { values[reply as usize] };
    let win = replies.iter().map(value).filter(|&reply| reply <= 0).map(|reply| 1 - reply).min();
    let worst =
        || replies.iter().map(value).max().map_or(0, |most| if most == UNKNOWN { most } else { most + 1 });
    win.or_else(|| Some(-worst()).filter(|&value| value != -UNKNOWN))
}

/// Where the moves of each position lead.
struct Replies {
    all: Vec<u32>,
    ends: Vec<usize>,
}

impl Replies {
    fn of(&self, at: u32) -> &[u32] {
        let at = at as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.all[start..self.ends[at]]
    }
}

fn replies(positions: &[Position]) -> Replies {
    let numbers: HashMap<(u32, u32, u32), u32> = positions.iter().map(key).zip(0..).collect();
    let mut replies = Replies { all: Vec::new(), ends: Vec::with_capacity(positions.len()) };
    let mut moves: Vec<Move> = Vec::new();
    for position in positions {
        moves.clear();
        position.moves(&mut moves);
        for &m in &moves {
            let next = position.after(m);
            let over = next.pieces(next.turn()) == 0;
            replies.all.push(if over { OVER } else { numbers[&key(&next)] });
        }
        replies.ends.push(replies.all.len());
    }
    replies
}

/// The board as the side to move sees it.
fn key(position: &Position) -> (u32, u32, u32) {
    let seen =
        if position.turn() == Side::White { *position } else { position.flipped().expect("it has a twin") };
    (seen.pieces(Side::White), seen.pieces(Side::Black), seen.kings())
}
