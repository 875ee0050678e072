//! Games of the engine against itself, and the positions that are learned from them.

use draughts::eval::features::{PATTERNS, PHASES, WEIGHTS, patterns, phase, terms};
use draughts::{Draughts, Patterns, Position, Rules, moves};
use rayon::prelude::*;
use search::learn::{Samples, Taper};
use search::walk::open_walk;
use search::{Control, Engine, Game, Limits, Random, Root, Search, Side};

/// Entries of a player's table: small, since it is emptied for every game.
const ENTRIES: usize = 1 << 15;
/// Random plies before a game: from this many on, and so many different numbers.
const OPENING: u32 = 4;
const OPENINGS: u32 = 9;
/// One move in so many is random, to see what the players would avoid.
const BLUNDER: u32 = 40;

/// Games to be played by one set of weights.
pub struct Series {
    /// How many.
    pub games: u64,
    /// Nodes searched a move.
    pub nodes: u64,
    /// Where their random numbers come from.
    pub seed: u64,
}

/// Plays a series on all threads; the samples are the same for any number of them.
pub fn play(series: &Series, weights: Option<&Patterns>, done: impl Fn() + Sync) -> Samples {
    let parts: Vec<Samples> = (0..series.games)
        .into_par_iter()
        .map_init(
            || player(weights),
            |player, game| {
                let mut random = Random::new(series.seed << 32 | game);
                let samples = play_one(player, series.nodes, &mut random);
                done();
                samples
            },
        )
        .collect();
    let mut all = Samples::new(WEIGHTS, Taper::TwoEnds);
    parts.iter().for_each(|part| all.append(part));
    all
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

fn play_one(player: &mut Draughts, nodes: u64, random: &mut Random) -> Samples {
    player.forget();
    let plies = (OPENING + random.below(OPENINGS)) as usize;
    let mut game: Root<Position> = open_walk(&Position::start(&Rules::default()), plies, random);
    let mut positions = Vec::new();
    let winner = loop {
        if let Some(outcome) = game.outcome() {
            break outcome.winner;
        }
        let legal = game.legal();
        if random.below(BLUNDER) == 0 {
            game.play(legal[random.below(legal.len() as u32) as usize]);
            continue;
        }
        if !moves::can_capture(game.position()) {
            positions.push(*game.position());
        }
        let found = player.think(&game, &Limits::nodes(nodes), &Control::default(), &mut |_| {});
        game.play(found.best.expect("the game is not over"));
    };
    let result = match winner {
        Some(Side::White) => 1.0,
        Some(Side::Black) => 0.0,
        None => 0.5,
    };
    let mut samples = Samples::new(WEIGHTS, Taper::TwoEnds);
    for position in positions {
        samples.push(entries(&position), phase(&position) as f32 / PHASES as f32, result);
    }
    samples
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
