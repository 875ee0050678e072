//! `samuel`: terms of the evaluation learned against a frozen rival, some of them in play and the others in reserve.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use draughts::eval::features::{SQUARES, TERMS, men_by_square, patterns_of_men, terms};
use draughts::{Draughts, Move, Patterns, Position, Rules};
use search::learn::games::chosen;
use search::learn::samuel::Change;
use search::learn::{Rote, Samuel};
use search::walk::open_walk;
use search::{Control, Eval, Game, Info, Limits, Random, Root, Search, Side};

use super::games::ENTRIES;
use super::train::{KINGS, MEN};
use crate::misuse::ask;
use crate::place;
use crate::progress::{Progress, say};

/// Random plies before each game.
const OPENING: usize = 6;
/// All terms: what is counted, then a man on each square.
const ALL: usize = TERMS.len() + SQUARES;
/// Values beyond are ends in sight, which are no matter of opinion.
const DECIDED: i32 = 2000;

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
    /// Terms in play beside material; the others are in reserve
    #[arg(long, default_value_t = 16)]
    playing: usize,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Plays the games and writes the weights.
pub fn run(arguments: &Arguments) -> Result<()> {
    let rate = arguments.rate;
    ask!(rate > 0.0 && rate <= 1.0, "the rate is {rate}, not above 0 and at most 1");
    place::check("OUT", &arguments.out)?;
    let mut school = School::new(arguments.playing, rate);
    let Arguments { games, nodes, playing, seed, .. } = arguments;
    let progress = Progress::new(*games, "games", 0);
    for game in 0..*games {
        school.learn_from_game(game, *nodes, *seed);
        progress.inc(1);
    }
    progress.finish();
    let remark = format!(
        "quintet learn draughts samuel --games {games} --nodes {nodes} --rate {rate} --playing {playing} --seed {seed}; \
         version {}",
        env!("CARGO_PKG_VERSION")
    );
    place::write(&arguments.out, school.rival(&remark).write())?;
    let School { promoted, dropped, replaced, .. } = school;
    let mut text = format!(
        "{games} games: {promoted} won, so that the rival took over the weights; {dropped} times a weight was dropped, \
         {replaced} times a term replaced; {} results of searches in store\n",
        school.rote.len()
    );
    let weights = school.samuel.rival.iter().zip(0..).filter(|(weight, _)| **weight != 0.0);
    for (weight, term) in weights {
        text += &format!("{:<32} {weight:8.1}\n", name(term));
    }
    say(&text)
}

/// What a term counts.
fn name(term: usize) -> String {
    TERMS.get(term).map_or_else(
        || format!("man on square {} of its side", term - TERMS.len() + 1),
        |name| (*name).to_owned(),
    )
}

/// What is learned: weights, and results of searches by rote.
pub struct School {
    samuel: Samuel,
    rote: Rote,
    /// Games that were won, so that the rival took over the weights.
    promoted: u32,
    /// How often a weight was dropped, and a term replaced.
    dropped: u32,
    replaced: u32,
}

impl School {
    /// With so many terms in play beside material, and the share of an error that one move corrects.
    pub fn new(playing: usize, rate: f64) -> School {
        let mut weights = vec![0.0; ALL];
        MEN.iter().for_each(|&term| weights[term] = 100.0);
        KINGS.iter().for_each(|&term| weights[term] = 300.0);
        let samuel = Samuel::new(weights, [&MEN[..], &KINGS[..]].concat(), playing, rate);
        School { samuel, rote: Rote::default(), promoted: 0, dropped: 0, replaced: 0 }
    }

    /// The weights of the rival.
    pub fn rival(&self, remark: &str) -> Patterns {
        patterns(&self.samuel.rival, remark)
    }

    /// Plays the game of this number, colours by turns, and learns from it.
    pub fn learn_from_game(&mut self, number: u64, nodes: u64, seed: u64) {
        let own = if number.is_multiple_of(2) { Side::White } else { Side::Black };
        let result = self.play(own, nodes, &mut Random::new(seed << 32 | number));
        match self.samuel.finish(result) {
            Change::None => {}
            Change::Promoted => self.promoted += 1,
            Change::Dropped(_) => self.dropped += 1,
        }
    }

    /// One game; 1, 0 or -1 for the pupil, who has the side `own`.
    fn play(&mut self, own: Side, nodes: u64, random: &mut Random) -> i32 {
        let (mut pupil, mut rival) = (player(&self.samuel.weights), player(&self.samuel.rival));
        let limits = Limits::nodes(nodes);
        let mut game: Root<Position> = open_walk(&Position::start(&Rules::default()), OPENING, random);
        let result = loop {
            if let Some(outcome) = game.outcome() {
                break outcome.winner.map_or(0, |winner| if winner == own { 1 } else { -1 });
            }
            if game.position().turn() != own {
                game.play(chosen(&mut rival, &game, &limits).0);
                continue;
            }
            self.rote.teach(pupil.search().table());
            let (m, found, depth) = search(&mut pupil, &game, &limits);
            if found.abs() < DECIDED {
                self.learn(&mut pupil, game.position(), found, depth);
            }
            game.play(m);
        };
        self.rote.age();
        result
    }

    /// Learns from what a search of this depth found, from the mover's view.
    fn learn(&mut self, pupil: &mut Draughts, position: &Position, found: i32, depth: u32) {
        let sign = if position.turn() == Side::White { 1.0 } else { -1.0 };
        let (counted, men) = (terms(position), men_by_square(position));
        let values: Vec<f64> = counted.iter().chain(&men).map(|&value| sign * f64::from(value)).collect();
        self.replaced += u32::from(self.samuel.observe(&values, f64::from(found)).is_some());
        self.rote.keep(pupil.search().eval().key(position), found, depth as i32);
        pupil.set_patterns(patterns(&self.samuel.weights, ""));
    }
}

fn player(weights: &[f64]) -> Draughts {
    let mut player = Draughts::bare();
    player.search().set_entries(ENTRIES).expect("the table is small");
    player.set_patterns(patterns(weights, ""));
    player
}

/// The move to play, its value from the mover's view and the depth at which it was found.
fn search(player: &mut Draughts, game: &Root<Position>, limits: &Limits) -> (Move, i32, u32) {
    let (mut value, mut depth) = (0, 0);
    let best = player.think(game, limits, &Control::default(), &mut |info| {
        if let Info::Line(line) = info {
            (value, depth) = (line.score.0, line.depth);
        }
    });
    (best.best.expect("the game is not over"), value, depth)
}

/// Weights of terms as a whole evaluation.
fn patterns(weights: &[f64], remark: &str) -> Patterns {
    let (counted, men) = weights.split_at(TERMS.len());
    let mut one = patterns_of_men(men.try_into().expect("a weight for each square"));
    one.extend(counted.iter().map(|&weight| weight as f32));
    Patterns::new(&one.repeat(2), remark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_schooling_keeps_its_anchor_and_moves_the_rest() {
        let mut school = School::new(16, 0.05);
        let result = school.play(Side::White, 50, &mut Random::new(2));
        assert!((-1..=1).contains(&result));
        let weights = &school.samuel.weights;
        assert_eq!(weights[..5], [100.0, 100.0, 100.0, 300.0, 300.0]);
        assert!(weights[5..21].iter().any(|&weight| weight != 0.0));
        assert!(weights[21..].iter().all(|&weight| weight == 0.0), "{weights:?}");
        assert!(school.rote.len() > 5);
    }
}
