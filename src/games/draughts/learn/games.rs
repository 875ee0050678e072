//! Games of rounds of training, and the positions that are learned from any.

use std::ops::Range;

use draughts::eval::features::{PATTERNS, PHASES, WEIGHTS, patterns, phase, terms};
use draughts::{Draughts, Patterns, Position, Rules, moves, tuning};
use rayon::prelude::*;
use search::learn::games::{self, Style};
use search::learn::logistic::sigmoid;
use search::learn::{Played, Samples, Taper};
use search::{Engine, Game, Limits, Side};

/// Points of value, in hundredths of a man, at which the odds of winning are e to 1.
pub const SCALE: f64 = 100.0;

/// Entries of a player's table: small, since it is emptied for every game.
pub const ENTRIES: usize = 1 << 15;

/// Plays the games of these seeds on all threads; they are the same for any number of threads.
pub fn play(
    seeds: Range<u64>,
    nodes: u64,
    weights: Option<&Patterns>,
    done: impl Fn() + Sync,
) -> Vec<Played<Position>> {
    let (start, limits) = (Position::start(&Rules::default()), Limits::nodes(nodes));
    // Played out: what patterns say of decided games is learned, too.
    let style = Style { decided: None, ..tuning::GAMES };
    let play = |player: &mut Draughts, seed| {
        let game = games::play(player, &start, &style, &limits, seed);
        done();
        game
    };
    seeds.into_par_iter().map_init(|| player(weights), play).collect()
}

/// A player by these weights, or by material alone.
fn player(weights: Option<&Patterns>) -> Draughts {
    let mut player = Draughts::bare();
    match weights {
        Some(weights) => player.set_patterns(weights.clone()),
        None => player.set("Evaluation", "material").expect("it is one of the evaluations"),
    }
    player.search().set_entries(ENTRIES).expect("the table is small");
    player
}

/// What games teach: a valued position without a capture is a sample, whose target lies `share` of the way
/// from the game's result to what the player expected.
pub fn samples(games: &[Played<Position>], share: f32) -> Samples {
    let parts: Vec<Samples> = games
        .par_chunks(1000)
        .map(|chunk| {
            let mut part = Samples::new(WEIGHTS, Taper::TwoEnds);
            chunk.iter().for_each(|game| learn_from(game, share, &mut part));
            part
        })
        .collect();
    let mut all = Samples::new(WEIGHTS, Taper::TwoEnds);
    parts.iter().for_each(|part| all.append(part));
    all
}

fn learn_from(game: &Played<Position>, share: f32, samples: &mut Samples) {
    let result = game.result() as f32;
    game.valued(|root, _, score| {
        let position = root.position();
        if moves::can_capture(position) {
            return;
        }
        let score = if position.turn() == Side::White { score } else { -score };
        let expected = sigmoid(f64::from(score) / SCALE) as f32;
        let target = result + share * (expected - result);
        samples.push(entries(position), phase(position) as f32 / PHASES as f32, target);
    });
}

/// The features of a position as White's minus Black's.
fn entries(position: &Position) -> impl Iterator<Item = (u32, f32)> + use<> {
    let [white, black] = patterns(position);
    let signed = |sign: f32| move |index: usize| (index as u32, sign);
    let counted = terms(position).into_iter().enumerate();
    white
        .into_iter()
        .map(signed(1.0))
        .chain(black.into_iter().map(signed(-1.0)))
        .chain(counted.map(|(i, value)| ((PATTERNS + i) as u32, value as f32)))
}
