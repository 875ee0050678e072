//! Trainings in the words of `quintet learn neighbours train`, and matches between what they led to.

use anyhow::Result;
use neighbours::{Neighbours, Rules, Weights};
use search::learn::{Duel, Log, Results, Tally};
use search::{Engine, Limits};

use super::super::learn::checkpoint::points;
use super::super::learn::train;
use crate::place;

/// The scheme of the thesis: it learns from the reply that its search predicts, and its opponent errs less and less.
pub(super) const THESIS: Scheme =
    Scheme { name: "the thesis' scheme", words: "--reply predicted --explore 0.5" };
/// The scheme of our weights: it learns from the reply that is played, and nobody errs on purpose.
pub(super) const OURS: Scheme = Scheme { name: "our scheme", words: "--reply actual --explore 0" };

/// How games are arranged to learn from.
pub(super) struct Scheme {
    /// As pages call it.
    pub(super) name: &'static str,
    /// In the words of the command.
    pub(super) words: &'static str,
}

/// Games of a match, in pairs from one opening with colours swapped.
pub(super) const GAMES: usize = 100;
/// Random plies before a match begins.
const OPENING: u32 = 6;
/// Plies that both sides look ahead in it, as while they learned.
const DEPTH: u32 = 2;

/// What came of a training.
pub(super) struct Trained {
    pub(super) weights: Weights,
    pub(super) log: Log,
}

/// Trains a set of terms for so many games in these words.
pub(super) fn trained(set: &str, words: &str, games: usize, seed: u64) -> Result<Trained> {
    let line = format!("train FILE --set {set} {words} --games {games} --seed {seed}");
    let (set, training) = train::whole(&line)?;
    let weights = Weights::new(set, &points(&training.learner.weights)).unwrap_or_else(|| Weights::zero(set));
    Ok(Trained { weights, log: training.log })
}

/// The share of the points that the first weights make in a match against the second, both with the thesis' search.
pub(super) fn score(first: &Weights, second: &Weights, games: usize, seed: u64) -> Result<f64> {
    let folder = tempfile::tempdir()?;
    let files = [first, second].map(|weights| (folder.path().join(weights.set().name()), weights));
    let player = |number: usize| -> Result<Neighbours> {
        let path = files[number].0.with_added_extension(number.to_string());
        place::write(&path, files[number].1.to_string())?;
        let mut engine = Neighbours::alone();
        let options = [("Preset", "Thesis"), ("Hash", "1"), ("Weights File", &path.display().to_string())];
        options.into_iter().try_for_each(|(name, value)| engine.set(name, value))?;
        Ok(engine)
    };
    // Tried here, so that it holds below.
    let tried = [player(0)?, player(1)?];
    drop(tried);
    let limits = || Limits::depth(DEPTH);
    let duel = Duel { pairs: games.div_ceil(2), opening: OPENING, limits: [limits(), limits()], seed };
    let players = || (player(0).expect("it was tried"), player(1).expect("it was tried"));
    // Samples are taken on threads of their own.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let tally: Tally = pool.install(|| duel.play(&Rules::default(), players, Results::new(), |_, _| {}));
    Ok(tally.score())
}
