//! How wrong a network is about a position.

use super::lessons::Lesson;
use crate::network::{Judgement, SCORE};
use crate::selfplay::SHADES;

/// What each part of the loss weighs, as published for KataGo (Wu, 2019): the moves, the win, the owners, the score.
pub const SHARES: [f32; PARTS] = [1.0, 1.5, 1.5, 0.5];
/// The parts.
pub const PARTS: usize = 4;
/// What they are called.
pub const NAMES: [&str; PARTS] = ["moves", "win", "owners", "score"];

/// From this error of the score on, in units of the network, it counts in proportion and no longer as a square.
const HUBER: f32 = 0.5;
/// No probability counts as smaller: a logarithm must be finite.
const SMALLEST: f32 = 1e-6;

/// The slopes of the loss by what is said.
#[derive(Clone, Debug, Default)]
pub struct Slopes {
    /// For each place, and behind them the pass.
    pub moves: Vec<f32>,
    /// Of the win, before it became a probability.
    pub win: f32,
    /// In units of the network.
    pub score: f32,
    /// For each place, before it was bent to -1 and 1.
    pub owners: Vec<f32>,
}

/// The parts of the loss, without their shares, and the slopes of the whole; `trust` is the share of the game's result
/// in what is to be said of the win, the rest is what the search said.
pub fn losses(said: &Judgement, lesson: &Lesson, trust: f32) -> ([f64; PARTS], Slopes) {
    let cross = |target: f32, said: f32| {
        let logarithm = |p: f32| libm::logf(p.max(SMALLEST));
        -(target * logarithm(said) + (1.0 - target) * logarithm(1.0 - said))
    };
    let area = said.stones.len();
    let is_open = |place: usize| place == area || lesson.view.is_free(place);
    let logit = |place: usize| if place == area { said.pass } else { said.stones[place] };
    let open: Vec<usize> = (0..=area).filter(|&place| is_open(place)).collect();
    let most = open.iter().map(|&place| logit(place)).fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = open.iter().map(|&place| libm::expf(logit(place) - most)).sum();
    let (mut moves, mut of_moves) = (vec![0.0; area + 1], 0.0);
    // What was thought of moves that are not open is left out.
    let sure: f32 = open.iter().map(|&place| lesson.moves[place]).sum();
    for &place in &open {
        let logarithm = logit(place) - most - libm::logf(total);
        of_moves -= lesson.moves[place] * logarithm;
        moves[place] = SHARES[0] * (sure * libm::expf(logarithm) - lesson.moves[place]);
    }
    let wins = trust * lesson.result + (1.0 - trust) * lesson.value;
    let (mut owners, mut of_owners) = (Vec::with_capacity(area), 0.0);
    for (&owner, &wanted) in said.owners.iter().zip(&lesson.owners) {
        // The hyperbolic tangent is a probability stretched to twice its width.
        let (owned, wanted) = (0.5 + 0.5 * owner, 0.5 + 0.5 * f32::from(wanted) / f32::from(SHADES));
        of_owners += cross(wanted, owned) / area as f32;
        owners.push(SHARES[2] * 2.0 * (owned - wanted) / area as f32);
    }
    let error = (said.score - lesson.score) / SCORE;
    let bounded = error.clamp(-HUBER, HUBER);
    let of_score = bounded * (error - 0.5 * bounded);
    let slopes = Slopes { moves, win: SHARES[1] * (said.win - wins), score: SHARES[3] * bounded, owners };
    ([of_moves, cross(wins, said.win), of_owners, of_score].map(f64::from), slopes)
}

/// The whole loss.
pub fn whole(parts: &[f64; PARTS]) -> f64 {
    parts.iter().zip(SHARES).map(|(part, share)| part * f64::from(share)).sum()
}
