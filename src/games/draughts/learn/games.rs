//! Games of the engine against itself, and the positions that are learned from them.

use draughts::eval::features::{PATTERNS, PHASES, WEIGHTS, patterns, phase, terms};
use draughts::{Draughts, Patterns, Position, Rules, moves};
use rayon::prelude::*;
use search::learn::logistic::sigmoid;
use search::learn::{Samples, Taper};
use search::walk::open_walk;
use search::{Engine, Game, Limits, Random, Root, Search, Side};

use super::record::{Record, Turn};

/// Points of value, in hundredths of a man, at which the odds of winning are e to 1.
pub const SCALE: f64 = 100.0;

/// Entries of a player's table: small, since it is emptied for every game.
const ENTRIES: usize = 1 << 15;
/// Random plies before a game: from this many on, and so many different numbers.
const OPENING: u32 = 4;
const OPENINGS: u32 = 9;
/// One move in so many is random, to see what the players would avoid.
const BLUNDER: u32 = 40;

/// Games to be played by one set of weights.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// The number of the first one: every number is a game of its own.
    pub first: u64,
    /// How many.
    pub games: u64,
    /// Nodes searched per move.
    pub nodes: u64,
    /// Where their random numbers come from.
    pub seed: u64,
}

/// Plays a series on all threads; the games are the same for any number of them.
pub fn play(series: &Series, weights: Option<&Patterns>, done: impl Fn() + Sync) -> Vec<Record> {
    (series.first..series.first + series.games)
        .into_par_iter()
        .map_init(
            || player(weights),
            |player, game| {
                let record = play_one(player, series.nodes, &mut Random::new(series.seed << 32 | game));
                done();
                record
            },
        )
        .collect()
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

fn play_one(player: &mut Draughts, nodes: u64, random: &mut Random) -> Record {
    player.forget();
    let plies = (OPENING + random.below(OPENINGS)) as usize;
    let mut game: Root<Position> = open_walk(&Position::start(&Rules::default()), plies, random);
    let mut turns: Vec<Turn> = game.moves().iter().map(|&m| Turn { m, score: None }).collect();
    let winner = loop {
        if let Some(outcome) = game.outcome() {
            break outcome.winner;
        }
        let legal = game.legal();
        let turn = if random.below(BLUNDER) == 0 {
            Turn { m: legal[random.below(legal.len() as u32) as usize], score: None }
        } else {
            chosen(player, &game, nodes)
        };
        turns.push(turn);
        game.play(turn.m);
    };
    Record { turns, winner }
}

/// The player's move with its value.
pub fn chosen(player: &mut Draughts, game: &Root<Position>, nodes: u64) -> Turn {
    let (found, lines) = player.ask(game, &Limits::nodes(nodes));
    Turn { m: found.best.expect("the game is not over"), score: lines.last().map(|line| line.score.0) }
}

/// What records teach: a valued position without a capture is a sample, whose target lies `share` of the way
/// from the game's result to what the player expected.
pub fn samples(records: &[Record], share: f32) -> Samples {
    let parts: Vec<Samples> = records
        .par_chunks(1000)
        .map(|chunk| {
            let mut part = Samples::new(WEIGHTS, Taper::TwoEnds);
            chunk.iter().for_each(|record| learn_from(record, share, &mut part));
            part
        })
        .collect();
    let mut all = Samples::new(WEIGHTS, Taper::TwoEnds);
    parts.iter().for_each(|part| all.append(part));
    all
}

fn learn_from(record: &Record, share: f32, samples: &mut Samples) {
    let result = record.result();
    record.valued(|position, score| {
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
