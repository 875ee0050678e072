//! Which move next: the table's, good captures, killers, quiet moves by history, bad captures.
//!
//! Each stage is generated only when the one before it has not cut.

use ::search::MoveList;

use super::config::Config;
use super::histories::{Context, Histories};
use crate::moves::{Kind, Move, Part, generate};
use crate::position::{Position, Role};
use crate::see;
use crate::tuning::search as tuning;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    Killers,
    MakeQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// No position has more moves than fit a byte.
const MOST_MOVES: i32 = 255;
/// The rank of a move that was picked.
const TAKEN: i32 = i32::MIN;

/// Memory for moves, handed from picker to picker.
#[derive(Clone, Default)]
pub struct Buffers {
    /// The moves of the stage.
    pub moves: MoveList<Move>,
    /// Their scores above the low byte, which counts down from 255; `TAKEN` once picked.
    ranks: Vec<i32>,
    bad: MoveList<Move>,
}

/// Picks the moves of one node.
pub struct Picker {
    stage: Stage,
    table: Option<Move>,
    killers: [Option<Move>; 2],
    context: Context,
    /// Captures must gain this much to come early.
    threshold: i32,
    /// Only captures and promotions, and none that lose material.
    noisy_only: bool,
    skip_quiets: bool,
    next: usize,
    buffers: Buffers,
}

impl Picker {
    /// All moves of a node.
    pub fn all(
        p: &Position,
        table: Option<Move>,
        killers: [Option<Move>; 2],
        context: Context,
        mut buffers: Buffers,
    ) -> Self {
        buffers.clear();
        let table = table.filter(|&m| p.is_legal(m));
        Picker {
            stage: Stage::Table,
            table,
            killers,
            context,
            threshold: 0,
            noisy_only: false,
            skip_quiets: false,
            next: 0,
            buffers,
        }
    }

    /// Captures and promotions that gain at least `threshold`.
    pub fn noisy(p: &Position, table: Option<Move>, threshold: i32, buffers: Buffers) -> Self {
        let table = table.filter(|&m| p.is_noisy(m) && see::gains(p, m, threshold));
        let all = Picker::all(p, table, [None; 2], [None; 3], buffers);
        Picker { threshold, noisy_only: true, skip_quiets: true, ..all }
    }

    /// Gives the memory back.
    pub fn release(self) -> Buffers {
        self.buffers
    }

    /// No more quiet moves are wanted.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Whether the moves come that the exchange judges bad.
    pub fn is_late(&self) -> bool {
        self.stage >= Stage::BadCaptures
    }

    /// The next move, best first.
    pub fn next(&mut self, p: &Position, histories: &Histories, config: &Config) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeCaptures;
                    if self.table.is_some() {
                        return self.table;
                    }
                }
                Stage::MakeCaptures => {
                    generate(p, Part::Noisy, &mut self.buffers.moves);
                    self.rank_captures(p, histories, config);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    let Some(m) = self.best() else {
                        self.stage = if self.noisy_only { Stage::Done } else { Stage::Killers };
                        self.next = 0;
                        continue;
                    };
                    if Some(m) == self.table {
                        continue;
                    }
                    let poor = matches!(m.promotion(), Some(Role::Knight | Role::Bishop | Role::Rook));
                    if !poor && see::gains(p, m, self.threshold) {
                        return Some(m);
                    }
                    self.buffers.bad.push(m);
                }
                Stage::Killers => {
                    let Some(killer) = self.killers.get(self.next).copied() else {
                        self.stage = Stage::MakeQuiets;
                        continue;
                    };
                    self.next += 1;
                    if let Some(m) = killer
                        && !self.skip_quiets
                        && Some(m) != self.table
                        && !p.is_noisy(m)
                        && p.is_legal(m)
                    {
                        return Some(m);
                    }
                }
                Stage::MakeQuiets => {
                    self.buffers.moves.clear();
                    self.buffers.ranks.clear();
                    self.next = 0;
                    if !self.skip_quiets {
                        generate(p, Part::Quiet, &mut self.buffers.moves);
                        self.rank_quiets(p, histories, config);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    let found = if self.skip_quiets { None } else { self.best() };
                    let Some(m) = found else {
                        self.stage = Stage::BadCaptures;
                        self.next = 0;
                        continue;
                    };
                    if Some(m) != self.table && !self.killers.contains(&Some(m)) {
                        return Some(m);
                    }
                }
                Stage::BadCaptures => {
                    let found = self.buffers.bad.get(self.next).copied();
                    self.next += 1;
                    if found.is_none() {
                        self.stage = Stage::Done;
                    }
                    return found;
                }
                Stage::Done => return None,
            }
        }
    }

    /// The best of the moves left; the earliest of equals.
    #[inline]
    fn best(&mut self) -> Option<Move> {
        let Buffers { moves, ranks, .. } = &mut self.buffers;
        // A plain maximum of numbers is found many at a time.
        let rank = ranks.iter().copied().max().filter(|&rank| rank != TAKEN)?;
        let index = MOST_MOVES - (rank & MOST_MOVES);
        ranks[index as usize] = TAKEN;
        Some(moves[index as usize])
    }

    fn rank_captures(&mut self, p: &Position, histories: &Histories, config: &Config) {
        self.buffers.rank(|m| {
            let history = if config.capture_history { histories.capture(p, m) } else { 0 };
            let attacker = p.role_on(m.from()).map_or(0, |role| role.index() as i32);
            let prize = p.captured(m).map_or(0, see::value);
            let promotion = if m.kind() == Kind::Queen { tuning::PROMOTION } else { 0 };
            tuning::PRIZE * (prize + promotion) - tuning::ATTACKER_RANK * attacker + history
        });
    }

    fn rank_quiets(&mut self, p: &Position, histories: &Histories, config: &Config) {
        let context = self.context;
        self.buffers.rank(|m| {
            let mut score = 0;
            if config.butterfly_history {
                score += histories.butterfly(p, m);
            }
            if config.continuation_history {
                score += histories.continuation(p, m, &context);
            }
            score
        });
    }
}

impl Buffers {
    fn clear(&mut self) {
        self.moves.clear();
        self.ranks.clear();
        self.bad.clear();
    }

    /// Ranks all moves by their scores.
    #[inline]
    fn rank(&mut self, score: impl Fn(Move) -> i32) {
        let Buffers { moves, ranks, .. } = self;
        ranks.extend(moves.iter().zip(0..).map(|(&m, i)| score(m) << 8 | (MOST_MOVES - i)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use ::search::Game;

    #[test]
    fn every_legal_move_comes_once_and_the_best_capture_early() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let p = Position::read(&Rules::default(), fen).unwrap();
        let (histories, config) = (Histories::default(), Config::default());
        let read = |text: &str| p.parse(text).unwrap();
        let killers = [Some(read("a2a3")), Some(Move::from_number(12345))];
        let mut picker = Picker::all(&p, Some(read("e1g1")), killers, [None; 3], Buffers::default());
        let mut picked = Vec::new();
        while let Some(m) = picker.next(&p, &histories, &config) {
            picked.push(m);
        }
        assert_eq!(picked[0], read("e1g1"));
        assert_eq!(picked[1], read("e2a6"));
        let mut legal = p.list();
        legal.sort_by_key(|m| m.number());
        picked.sort_by_key(|m| m.number());
        assert_eq!(picked, legal);
    }
}
