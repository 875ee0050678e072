//! One game between two players of the report's program, from the empty board by its rules.

use anyhow::{Context, Result};
use morris::{Morris, Move, Position};
use search::{Control, Engine, Game, Info, Limits, Outcome, Random, Root, Search, Side};

/// Plies of a step of the report's depth.
pub(super) const STEP: u32 = 2;

/// How one side plays.
#[derive(Clone, Copy)]
pub(super) struct Player {
    /// `minimax` or `alpha-beta`.
    pub(super) algorithm: &'static str,
    /// Techniques beside the algorithm.
    pub(super) on: &'static str,
    /// `PAWN`, `MILL` or `MOVE`.
    pub(super) evaluation: &'static str,
    /// The weight of a mill in MILL and of a move in MOVE; a man weighs 9.
    pub(super) weight: u32,
    /// In plies.
    pub(super) depth: u32,
}

/// Alpha-beta of depth 2 with PAWN: whom the report's players meet.
pub(super) const RIVAL: Player =
    Player { algorithm: "alpha-beta", on: "", evaluation: "PAWN", weight: 1, depth: 2 * STEP };

/// What came of a game.
pub(super) struct Played {
    pub(super) outcome: Outcome,
    pub(super) moves: Vec<Move>,
    /// Of the first player.
    pub(super) nodes: u64,
}

impl Played {
    /// Games won, drawn and lost by the first player, and its nodes and the turns of both.
    pub(super) fn figures(&self) -> [(&'static str, f64); 5] {
        let is = |winner| f64::from(u8::from(self.outcome.winner == winner));
        [
            ("won", is(Some(Side::White))),
            ("drawn", is(None)),
            ("lost", is(Some(Side::Black))),
            ("nodes", self.nodes as f64),
            ("turns", self.moves.len() as f64),
        ]
    }
}

fn engine(player: Player) -> Result<Morris> {
    let mut engine = Morris::alone();
    let weight = player.weight.to_string();
    let options = [
        ("Preset", "Seed"),
        ("Algorithm", player.algorithm),
        ("Switch On", player.on),
        ("Evaluation", player.evaluation),
        ("Weight Mill", &weight),
        ("Weight Move", &weight),
    ];
    options.into_iter().try_for_each(|(name, value)| engine.set(name, value))?;
    Ok(engine)
}

/// Plays a game; of moves with the same value the first one generated is played or, with a seed, any.
pub(super) fn play(players: [Player; 2], seed: Option<u64>) -> Result<Played> {
    let mut engines = [engine(players[0])?, engine(players[1])?];
    let mut random = seed.map(Random::new);
    let mut root = Root::new(Position::start(&engines[0].rules()));
    let mut nodes = 0;
    let outcome = loop {
        if let Some(outcome) = root.outcome() {
            break outcome;
        }
        let side = root.position().turn().index();
        let limits = Limits::depth(players[side].depth);
        let (chosen, spent) = match &mut random {
            None => first_best(&mut engines[side], &root, &limits),
            Some(random) => any_best(&mut engines[side], &root, &limits, random),
        };
        nodes += if side == 0 { spent } else { 0 };
        root.play(chosen.context("a search found no move")?);
    };
    Ok(Played { outcome, moves: root.moves().to_vec(), nodes })
}

fn first_best(engine: &mut Morris, root: &Root<Position>, limits: &Limits) -> (Option<Move>, u64) {
    let (best, lines) = engine.ask(root, limits);
    (best.best, lines.last().map_or(0, |line| line.nodes))
}

/// Any of the moves that no other is better than.
fn any_best(
    engine: &mut Morris,
    root: &Root<Position>,
    limits: &Limits,
    random: &mut Random,
) -> (Option<Move>, u64) {
    engine.common_mut().multipv = root.position().count() as usize;
    let (mut found, mut nodes) = (Vec::new(), 0);
    engine.think(root, limits, &Control::default(), &mut |info| {
        if let Info::Line(line) = info {
            nodes = line.nodes;
            found.extend(line.pv.first().map(|&m| (line.score, m)));
        }
    });
    let best = found.iter().map(|&(score, _)| score).max();
    let equal: Vec<Move> = found.iter().filter(|&&(score, _)| Some(score) == best).map(|&(_, m)| m).collect();
    let chosen = (!equal.is_empty()).then(|| equal[random.below(equal.len() as u32) as usize]);
    (chosen, nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_of_a_game_with_a_seed_is_as_good_as_the_best() {
        let player = Player { depth: 2, ..RIVAL };
        let mut root = Root::new(Position::start(&engine(player).unwrap().rules()));
        let played = play([player, player], Some(3)).unwrap();
        assert_ne!(played.moves, play([player, player], None).unwrap().moves);
        let mut judge = engine(Player { algorithm: "minimax", ..player }).unwrap();
        for m in played.moves {
            let value = |judge: &mut Morris, only: Vec<u32>| {
                let limits = Limits { only, ..Limits::depth(player.depth) };
                judge.ask(&root, &limits).1.last().unwrap().score
            };
            let only = vec![root.position().pack(m)];
            assert_eq!(value(&mut judge, only), value(&mut judge, Vec::new()), "{}", root.position());
            root.play(m);
        }
    }
}
