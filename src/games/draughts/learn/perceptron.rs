//! `perceptron`: a small network taught by temporal differences in games against itself.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use draughts::eval::learned::{Form, INPUTS, Learned, inputs};
use draughts::{Move, Position, Rules};
use search::learn::{Perceptron, Schooling};
use search::{Game, Random, Root, Side};

use crate::misuse::ask;
use crate::place;
use crate::progress::Progress;

/// One move in so many is random, to see what the pupil would avoid.
const EXPLORATION: u32 = 12;

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
    let mut random = Random::new(*seed);
    let mut schooling = Schooling::new(Perceptron::new(INPUTS, *hidden, &mut random), *rate, *lambda);
    let progress = Progress::new(*games, "games", 0);
    let mut surprise = 0.0;
    for game in 0..*games {
        surprise += teach(&mut schooling, &mut random);
        progress.inc(1);
        if (game + 1) % (games / 10).max(1) == 0 {
            let mean = surprise / (games / 10).max(1) as f64;
            progress.say(&format!("{} games, mean surprise at the end {mean:.4}", game + 1));
            surprise = 0.0;
        }
    }
    progress.finish();
    let remark = format!(
        "quintet learn draughts perceptron --games {games} --hidden {hidden} --rate {rate} --lambda {lambda} \
         --seed {seed}; version {}",
        env!("CARGO_PKG_VERSION")
    );
    place::write(&arguments.out, Learned::new(Form::Perceptron(schooling.pupil), &remark).write())
}

/// Plays one game by looking one move ahead and learns from it; how far the last answer was from the result.
fn teach(schooling: &mut Schooling, random: &mut Random) -> f64 {
    schooling.begin();
    let mut game: Root<Position> = Root::new(Position::start(&Rules::default()));
    loop {
        let position = *game.position();
        let turned = position.turn() == Side::Black;
        let active = inputs(&position);
        let legal = game.legal();
        let m = if random.below(EXPLORATION) == 0 {
            legal[random.below(legal.len() as u32) as usize]
        } else {
            best(&schooling.pupil, &position, &legal)
        };
        game.play(m);
        if let Some(outcome) = game.outcome() {
            let result = outcome.winner.map_or(0.5, |winner| if winner == Side::White { 1.0 } else { 0.0 });
            let value = schooling.pupil.value(&active);
            schooling.observe(&active, turned, result);
            return (result - if turned { 1.0 - value } else { value }).abs();
        }
        let next = schooling.pupil.value(&inputs(game.position()));
        // The next answer is the other side's.
        schooling.observe(&active, turned, if turned { next } else { 1.0 - next });
    }
}

/// The move after which the opponent's chance is least.
fn best(pupil: &Perceptron, position: &Position, legal: &[Move]) -> Move {
    let chance = |m: Move| {
        let mut next = *position;
        next.play(m);
        pupil.odds(&inputs(&next))
    };
    let valued = legal.iter().map(|&m| (chance(m), m));
    valued.min_by(|a, b| a.0.total_cmp(&b.0)).expect("the game is not over").1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_games_change_the_pupil_and_can_be_repeated() {
        let taught = || {
            let mut random = Random::new(4);
            let mut schooling = Schooling::new(Perceptron::new(INPUTS, 3, &mut random), 0.1, 0.7);
            let before = schooling.pupil.clone();
            let surprise: f64 = (0..3).map(|_| teach(&mut schooling, &mut random)).sum();
            assert!(surprise.is_finite() && before != schooling.pupil);
            schooling.pupil
        };
        assert_eq!(taught(), taught());
    }
}
