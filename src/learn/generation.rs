//! A generation of self-play: games with the evaluation so far, and what their quiet positions teach.
//!
//! Here and not with one game, because every evaluation that is fitted generation by generation learns so.

use anyhow::{Result, ensure};
use indicatif::ProgressBar;
use rand::RngExt;
use rayon::prelude::*;
use search::alphabeta::AlphaBeta;
use search::learn::logistic::sigmoid;
use search::learn::selfplay::{opening, random_of_game};
use search::learn::{Logistic, Samples};
use search::{Eval, Game, Limits, Score, Search};

/// Of each player, in MiB.
const HASH: usize = 1;
/// Every so many games are kept out of the fit to see how well it predicts.
const KEPT_OUT: usize = 20;

/// How a generation plays and what is made of its games.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Games per generation.
    pub games: usize,
    /// Nodes searched per move.
    pub nodes: u64,
    /// Most random plies at the start of a game.
    pub opening: u32,
    /// The share of the game's result in the target; the rest is the search's score.
    pub result: f64,
    /// Points at which the odds of winning are e to 1.
    pub scale: f64,
    /// The price of a weight's size, in samples.
    pub pull: f64,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl std::fmt::Display for Recipe {
    /// As it is given on the command line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Recipe { games, nodes, opening, result, scale, pull, seed } = self;
        write!(
            f,
            "--games {games} --nodes {nodes} --opening {opening} --result {result} --scale {scale} --pull {pull} \
             --seed {seed}"
        )
    }
}

/// How the positions of a game are told to the fit.
pub struct Lesson<G: Game> {
    /// The rules of the games.
    pub rules: G::Rules,
    /// A set without positions.
    pub empty: fn() -> Samples,
    /// Whether the static value is asked in a position where this move is best.
    pub is_quiet: fn(&G, G::Move) -> bool,
    /// Adds a position and what is to be predicted of it, from its mover's view.
    pub add: fn(&mut Samples, &G, f32),
}

impl Recipe {
    /// Refuses what nothing can be learned with.
    pub fn check(&self) -> Result<()> {
        let Recipe { result, scale, pull, .. } = self;
        ensure!(self.games > 0 && self.nodes > 0, "--games and --nodes must be at least 1");
        ensure!((0.0..=1.0).contains(result), "the share of the result is {result}, not 0 to 1");
        ensure!(*scale > 0.0 && scale.is_finite(), "the scale is {scale}, not above 0");
        ensure!(*pull >= 0.0 && pull.is_finite(), "the price is {pull}, not 0 or more");
        Ok(())
    }

    /// The fit of its games.
    pub fn logistic(&self) -> Logistic {
        Logistic { scale: self.scale, pull: self.pull, ..Logistic::default() }
    }

    /// The positions of the games of generation 1, 2, ...: those to fit and those to be predicted.
    pub fn play<G: Game, E: Eval<G> + Sync>(
        &self,
        generation: usize,
        lesson: &Lesson<G>,
        player: impl Fn() -> AlphaBeta<E> + Sync + Send,
        bar: &ProgressBar,
    ) -> (Samples, Samples) {
        let first = (generation - 1) * self.games;
        let small = || {
            let mut player = player();
            player.resize(HASH).expect("a small table fits");
            player
        };
        let games: Vec<Samples> = (first..first + self.games)
            .into_par_iter()
            .map_init(small, |player, game| {
                bar.inc(1);
                self.play_game(lesson, player, game)
            })
            .collect();
        let (mut fitted, mut kept_out) = ((lesson.empty)(), (lesson.empty)());
        for (i, game) in games.iter().enumerate() {
            if i % KEPT_OUT == 0 { kept_out.append(game) } else { fitted.append(game) }
        }
        (fitted, kept_out)
    }

    fn play_game<G: Game, E: Eval<G> + Sync>(
        &self,
        lesson: &Lesson<G>,
        player: &mut AlphaBeta<E>,
        game: usize,
    ) -> Samples {
        let mut random = random_of_game(self.seed, game);
        let plies = random.random_range(0..=self.opening);
        let mut root = opening::<G>(&lesson.rules, plies, &mut random);
        Search::<G>::forget(player);
        let mut seen = Vec::new();
        let outcome = loop {
            if let Some(outcome) = root.outcome() {
                break outcome;
            }
            let (best, lines) = player.ask(&root, &Limits::nodes(self.nodes));
            let score = lines.last().map_or(Score::DRAW, |line| line.score);
            let m = best.best.expect("the game is not over");
            if !score.is_decisive() && (lesson.is_quiet)(root.position(), m) {
                seen.push((root.position().clone(), score));
            }
            root.play(m);
        };
        let mut samples = (lesson.empty)();
        for (position, score) in seen {
            let won = outcome.winner.map_or(0.5, |winner| f64::from(u8::from(winner == position.turn())));
            let chance = sigmoid(f64::from(score.0) / self.scale);
            (lesson.add)(&mut samples, &position, (self.result * won + (1.0 - self.result) * chance) as f32);
        }
        samples
    }
}
