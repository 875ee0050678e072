//! `games`: games of the engine against itself, and the positions that are learned from them.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use draughts::eval::features::{PATTERNS, PHASES, WEIGHTS, patterns, phase, terms};
use draughts::{Draughts, Move, Patterns, Position, Rules, moves};
use rayon::prelude::*;
use search::learn::logistic::sigmoid;
use search::learn::{Played, Samples, Taper};
use search::walk::open_walk;
use search::{Engine, Game, Limits, Random, Root, Search, Side};

use crate::learn::series::{self, Series};

/// Points of value, in hundredths of a man, at which the odds of winning are e to 1.
pub const SCALE: f64 = 100.0;

/// Entries of a player's table: small, since it is emptied for every game.
const ENTRIES: usize = 1 << 15;
/// Random plies before a game: from this many on, and so many different numbers.
const OPENING: u32 = 4;
const OPENINGS: u32 = 9;
/// One move in so many is random, to see what the players would avoid.
const BLUNDER: u32 = 40;

/// Which games are wanted.
#[derive(Args)]
#[command(mut_arg("games", |arg| arg.default_value("20000")))]
pub struct Arguments {
    /// Nodes searched per move
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The player's weights [default: the engine's own]
    #[arg(long)]
    weights: Option<PathBuf>,
    #[command(flatten)]
    series: Series,
}

/// Plays the games that the file lacks.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { nodes, weights, series } = arguments;
    let found = weights.as_deref().map_or_else(|| Ok(Patterns::built_in()), read_weights)?;
    let named = weights.as_ref().map_or_else(String::new, |path| format!(" --weights {}", path.display()));
    let command = format!("learn draughts games --nodes {nodes}{named}");
    series.play(&command, || player(Some(&found)), |player, seed| play_one(player, *nodes, seed))
}

fn read_weights(path: &Path) -> Result<Patterns> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Patterns::read(&bytes).with_context(|| path.display().to_string())
}

/// Reads all games of some files, and a line about each.
pub fn read(paths: &[PathBuf]) -> Result<(Vec<Played<Position>>, String)> {
    series::read(paths, |_| Some(Position::start(&Rules::default())))
}

/// Plays the games of these seeds on all threads; they are the same for any number of threads.
pub fn play(
    seeds: Range<u64>,
    nodes: u64,
    weights: Option<&Patterns>,
    done: impl Fn() + Sync,
) -> Vec<Played<Position>> {
    let play = |player: &mut Draughts, seed| {
        let game = play_one(player, nodes, seed);
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

fn play_one(player: &mut Draughts, nodes: u64, seed: u64) -> Played<Position> {
    player.forget();
    let mut random = Random::new(seed);
    let plies = (OPENING + random.below(OPENINGS)) as usize;
    let mut game: Root<Position> = open_walk(&Position::start(&Rules::default()), plies, &mut random);
    let mut played = Played::opened(seed, &game);
    played.winner = loop {
        if let Some(outcome) = game.outcome() {
            break outcome.winner;
        }
        let turn = if random.below(BLUNDER) == 0 {
            let legal = game.legal();
            (legal[random.below(legal.len() as u32) as usize], None)
        } else {
            chosen(player, &game, nodes)
        };
        played.turns.push(turn);
        game.play(turn.0);
    };
    played
}

/// The player's move with its value.
pub fn chosen(player: &mut Draughts, game: &Root<Position>, nodes: u64) -> (Move, Option<i32>) {
    let (found, lines) = player.ask(game, &Limits::nodes(nodes));
    (found.best.expect("the game is not over"), lines.last().map(|line| line.score.0))
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
