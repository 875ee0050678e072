//! `samuel`: the terms of the evaluation, without patterns, learned against a frozen rival.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use draughts::eval::features::{PATTERNS, TERMS, WEIGHTS, terms};
use draughts::{Draughts, Patterns, Position, Rules};
use search::learn::Samuel;
use search::learn::games::chosen;
use search::learn::samuel::Change;
use search::walk::open_walk;
use search::{Game, Limits, Random, Root, Search, Side};

use super::train::{KINGS, MEN};
use crate::misuse::ask;
use crate::place;
use crate::progress::Progress;

/// Random plies before each game.
const OPENING: usize = 6;

/// How the pupil is taught.
#[derive(Args)]
pub struct Arguments {
    /// Where to write the rival's last weights, to be played by "Weights File"
    out: PathBuf,
    /// Games
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes searched per move
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The share of an error that one move corrects
    #[arg(long, default_value_t = 0.01)]
    rate: f64,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Plays the games and writes the weights.
pub fn run(arguments: &Arguments) -> Result<()> {
    let rate = arguments.rate;
    ask!(rate > 0.0 && rate <= 1.0, "the rate is {rate}, not above 0 and at most 1");
    place::check("OUT", &arguments.out)?;
    let mut weights = vec![0.0; TERMS.len()];
    MEN.iter().for_each(|&term| weights[term] = 100.0);
    KINGS.iter().for_each(|&term| weights[term] = 300.0);
    let mut samuel = Samuel::new(weights, [&MEN[..], &KINGS[..]].concat(), arguments.rate);
    let (mut promoted, mut dropped) = (0, 0);
    let progress = Progress::new(arguments.games, "games", 0);
    for game in 0..arguments.games {
        let own = if game % 2 == 0 { Side::White } else { Side::Black };
        let mut random = Random::new(arguments.seed << 32 | game);
        let result = play(&mut samuel, own, arguments.nodes, &mut random);
        match samuel.finish(result) {
            Change::None => {}
            Change::Promoted => promoted += 1,
            Change::Dropped(_) => dropped += 1,
        }
        progress.inc(1);
    }
    progress.finish();
    let Arguments { games, nodes, rate, seed, .. } = arguments;
    let remark = format!(
        "quintet learn draughts samuel --games {games} --nodes {nodes} --rate {rate} --seed {seed}; version {}",
        env!("CARGO_PKG_VERSION")
    );
    place::write(&arguments.out, patterns(&samuel.rival, &remark).write())?;
    let mut out = io::stdout();
    writeln!(
        out,
        "{games} games: {promoted} won, so that the rival took over the weights; {dropped} times a weight was dropped"
    )?;
    for (name, weight) in TERMS.iter().zip(&samuel.rival) {
        writeln!(out, "{name:<32} {weight:8.1}")?;
    }
    Ok(())
}

/// One game; 1, 0 or -1 for the pupil, who has the side `own`.
fn play(samuel: &mut Samuel, own: Side, nodes: u64, random: &mut Random) -> i32 {
    let (mut pupil, mut rival) = (Draughts::bare(), Draughts::bare());
    pupil.set_patterns(patterns(&samuel.weights, ""));
    rival.set_patterns(patterns(&samuel.rival, ""));
    pupil.forget();
    let limits = Limits::nodes(nodes);
    let mut game: Root<Position> = open_walk(&Position::start(&Rules::default()), OPENING, random);
    loop {
        if let Some(outcome) = game.outcome() {
            return outcome.winner.map_or(0, |winner| if winner == own { 1 } else { -1 });
        }
        let position = *game.position();
        if position.turn() != own {
            game.play(chosen(&mut rival, &game, &limits).0);
            continue;
        }
        let (m, found) = chosen(&mut pupil, &game, &limits);
        // Ends in sight are no matter of opinion.
        if found.abs() < 2000 {
            let sign = if own == Side::White { 1.0 } else { -1.0 };
            let terms = terms(&position).map(|value| sign * f64::from(value));
            samuel.observe(&terms, f64::from(found));
            pupil.set_patterns(patterns(&samuel.weights, ""));
        }
        game.play(m);
    }
}

/// Weights of terms as a whole evaluation, whose patterns count nothing.
fn patterns(weights: &[f64], remark: &str) -> Patterns {
    let mut one = vec![0.0; WEIGHTS];
    one[PATTERNS..].iter_mut().zip(weights).for_each(|(all, &weight)| *all = weight as f32);
    Patterns::new(&one.repeat(2), remark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_schooling_keeps_its_anchor_and_moves_the_rest() {
        let mut samuel = Samuel::new([vec![100.0; 5], vec![0.0; 9]].concat(), vec![0, 1, 2, 3, 4], 0.05);
        let result = play(&mut samuel, Side::White, 50, &mut Random::new(2));
        assert!((-1..=1).contains(&result));
        assert_eq!(samuel.weights[..5], [100.0; 5]);
        assert!(samuel.weights[5..].iter().any(|&weight| weight != 0.0));
    }
}
