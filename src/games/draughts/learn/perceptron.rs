//! `perceptron`: a small network taught by temporal differences in games against itself.
//!
//! It is asked about positions without captures alone: before a capture that must be played it could only guess who
//! wins the exchange.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use draughts::eval::learned::{ANSWERS, Form, INPUTS, Learned, equity, inputs};
use draughts::{Move, Position, Rules, moves};
use search::learn::perceptron::turned;
use search::learn::{Perceptron, Schooling};
use search::{Game, MoveList, Outcome, Random, Root, Side};

use crate::misuse::ask;
use crate::place;
use crate::progress::Progress;

/// One move in so many is random, to see what the pupil would avoid.
const EXPLORATION: u32 = 12;
/// A win is clear that leaves the winner so many pieces more: what a gammon is in backgammon.
const CLEAR: u32 = 4;

/// How the pupil is taught.
#[derive(Args)]
pub struct Arguments {
    /// Where to write the weights, to be played by "Weights File"
    out: PathBuf,
    /// Games
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Hidden units
    #[arg(long, default_value_t = 20)]
    hidden: usize,
    /// Step size
    #[arg(long, default_value_t = 0.05)]
    rate: f64,
    /// How slowly the credit of earlier answers fades, 0 to 1
    #[arg(long, default_value_t = 0.7)]
    lambda: f64,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Plays the games and writes the weights.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { games, hidden, rate, lambda, seed, .. } = arguments;
    ask!((0.0..=1.0).contains(lambda), "lambda is {lambda}, not in 0..=1");
    ask!(*rate > 0.0 && *rate <= 1.0, "the rate is {rate}, not above 0 and at most 1");
    ask!((1..=1000).contains(hidden), "{hidden} hidden units: expected 1 to 1000");
    place::check("OUT", &arguments.out)?;
    let progress = Progress::new(*games, "games", 0);
    let (part, mut surprise) = ((games / 10).max(1), 0.0);
    let pupil = learn(*games, *hidden, (*rate, *lambda), *seed, |game, more| {
        surprise += more;
        progress.inc(1);
        if game.is_multiple_of(part) {
            let mean = surprise / part as f64;
            progress.say(&format!("{game} games, mean surprise at the end {mean:.4}"));
            surprise = 0.0;
        }
    });
    progress.finish();
    let remark = format!(
        "quintet learn draughts perceptron --games {games} --hidden {hidden} --rate {rate} --lambda {lambda} \
         --seed {seed}; version {}",
        env!("CARGO_PKG_VERSION")
    );
    place::write(&arguments.out, Learned::new(Form::Perceptron(pupil), &remark).write())
}

/// A pupil after so many games; `note` hears of each with how far the last answers were from the result.
pub fn learn(
    games: u64,
    hidden: usize,
    (rate, lambda): (f64, f64),
    seed: u64,
    mut note: impl FnMut(u64, f64),
) -> Perceptron {
    let mut random = Random::new(seed);
    let pupil = Perceptron::new(INPUTS, hidden, ANSWERS, &mut random);
    let mut schooling = Schooling::new(pupil, rate, lambda);
    for game in 1..=games {
        note(game, teach(&mut schooling, &mut random));
    }
    schooling.pupil
}

/// Plays one game by looking one move ahead and learns from it; how far the last answers were from the result.
fn teach(schooling: &mut Schooling, random: &mut Random) -> f64 {
    schooling.begin();
    let mut game: Root<Position> = Root::new(Position::start(&Rules::default()));
    // What the pupil was last asked about: the inputs, whether Black looked, and the answers as White sees them.
    let mut last: Option<(Vec<usize>, bool, Vec<f64>)> = None;
    loop {
        if let Some(outcome) = game.outcome() {
            let result = result(&outcome, game.position());
            let Some((active, is_turned, seen)) = last else { return 0.0 };
            schooling.observe(&active, is_turned, &result);
            return (equity(&result) - equity(&seen)).abs();
        }
        let position = *game.position();
        if !moves::can_capture(&position) {
            let (active, is_turned) = (inputs(&position), position.turn() == Side::Black);
            let own = schooling.pupil.answer(&active);
            let seen = if is_turned { turned(&own) } else { own };
            if let Some((before, was_turned, _)) = &last {
                schooling.observe(before, *was_turned, &seen);
            }
            last = Some((active, is_turned, seen));
        }
        let legal = game.legal();
        let m = if random.below(EXPLORATION) == 0 {
            legal[random.below(legal.len() as u32) as usize]
        } else {
            best(&schooling.pupil, &position, &legal)
        };
        game.play(m);
    }
}

/// What happened, as White sees it: a win of White, of Black, a clear one of White, of Black.
fn result(outcome: &Outcome, position: &Position) -> [f64; ANSWERS] {
    let pieces = |side: Side| position.pieces(side).count_ones();
    let won = |side: Side| f64::from(outcome.winner == Some(side));
    let clear = |side: Side| if pieces(side) >= pieces(!side) + CLEAR { won(side) } else { 0.0 };
    [won(Side::White), won(Side::Black), clear(Side::White), clear(Side::Black)]
}

/// The move after which the opponent expects least.
fn best(pupil: &Perceptron, position: &Position, legal: &[Move]) -> Move {
    let valued = legal.iter().map(|&m| (settled(pupil, &position.after(m)), m));
    valued.min_by(|a, b| a.0.total_cmp(&b.0)).expect("the game is not over").1
}

/// What the side to move expects once all captures are played out.
fn settled(pupil: &Perceptron, position: &Position) -> f64 {
    let mut captures = MoveList::new();
    if moves::captures(position, &mut captures) {
        let values = captures.iter().map(|&m| -settled(pupil, &position.after(m)));
        return values.fold(f64::NEG_INFINITY, f64::max);
    }
    if position.count() == 0 { -1.0 } else { equity(&pupil.answer(&inputs(position))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_games_change_the_pupil_and_can_be_repeated() {
        let taught = || {
            let mut random = Random::new(4);
            let pupil = Perceptron::new(INPUTS, 3, ANSWERS, &mut random);
            let mut schooling = Schooling::new(pupil, 0.1, 0.7);
            let before = schooling.pupil.clone();
            let surprise: f64 = (0..3).map(|_| teach(&mut schooling, &mut random)).sum();
            assert!(surprise.is_finite() && before != schooling.pupil);
            schooling.pupil
        };
        assert_eq!(taught(), taught());
    }

    #[test]
    fn results_tell_clear_wins_from_others() {
        let of = |fen: &str, winner| {
            let position = Position::read(&Rules::default(), fen).unwrap();
            result(&Outcome { winner, reason: "" }, &position)
        };
        assert_eq!(of("B:W21,22,23,K3:B", Some(Side::White)), [1.0, 0.0, 1.0, 0.0]);
        assert_eq!(of("W:W21:B17,14,13", Some(Side::Black)), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(of("W:WK21,22,23,24,25,26:BK1", None), [0.0; 4]);
    }
}
