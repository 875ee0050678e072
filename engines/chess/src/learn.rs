//! Weights from the engine's own games: play them, pick quiet positions, fit their results.
//!
//! A record is one line, `FEN;result`, the result from White's view: 1, 0.5 or 0. Games depend on their
//! seed only, so shards with different seeds can be played anywhere and put together.

use std::fmt::Write as _;
use std::sync::Arc;

use ::search::walk::open_walk;
use ::search::{Control, Game, Info, Limits, Random, Root, Score, Side};

use crate::eval::terms::{COUNT, Pair, Weights};
use crate::eval::{Counts, Judge, Opinion, PHASE_FULL, phase, scale};
use crate::search::{Config, Searcher};
use crate::{Move, Position, Rules, tuning};

/// Random plies before the engine plays.
const RANDOM_PLIES: u32 = 8;
/// A game is decided when both sides say so for this many plies.
const DECIDED: i32 = 900;
const DECIDED_PLIES: u32 = 4;
/// And drawn when this old.
const LONGEST: usize = 320;
/// Of the quiet positions of a game about one in this many is kept.
const SPARSENESS: u32 = 3;
/// Hundredths of a pawn at which the odds of winning are ten to one.
const ODDS: f64 = 300.0;
/// The price of leaving the start, against the mean loss of all positions.
const PULL: f64 = 2e-7;
const RATE: f64 = 1.0;

/// A quiet position and the result of its game from White's view.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The position.
    pub position: Position,
    /// 1, 0.5 or 0.
    pub result: f64,
}

/// Plays one game with `nodes` nodes a move.
pub fn play(seed: u64, nodes: u64, searcher: &mut Searcher) -> Vec<Record> {
    searcher.forget();
    let mut random = Random::new(seed);
    let start = Position::start(&Rules::default());
    let plies = RANDOM_PLIES + random.below(2);
    let mut game = open_walk(&start, plies as usize, &mut random);
    let mut kept = Vec::new();
    let mut decided = (0, 0);
    let result = loop {
        if let Some(outcome) = game.outcome() {
            break points(outcome.winner);
        }
        if game.moves().len() >= LONGEST {
            break 0.5;
        }
        let Some((m, score)) = think(searcher, &game, nodes) else { break 0.5 };
        let p = *game.position();
        let white = if p.turn() == Side::White { score } else { -score };
        decided = if white.abs() < DECIDED {
            (0, 0)
        } else if decided.1 == white.signum() {
            (decided.0 + 1, decided.1)
        } else {
            (1, white.signum())
        };
        if decided.0 >= DECIDED_PLIES {
            break points(Some(if white > 0 { Side::White } else { Side::Black }));
        }
        if !p.in_check() && !p.is_noisy(m) && white.abs() < DECIDED && random.below(SPARSENESS) == 0 {
            kept.push(p);
        }
        game.play(m);
    };
    kept.into_iter().map(|position| Record { position, result }).collect()
}

fn points(winner: Option<Side>) -> f64 {
    match winner {
        Some(Side::White) => 1.0,
        Some(Side::Black) => 0.0,
        None => 0.5,
    }
}

fn think(searcher: &mut Searcher, game: &Root<Position>, nodes: u64) -> Option<(Move, i32)> {
    let mut score = 0;
    let mut note = |info: &Info<Move>| {
        if let Info::Line(line) = info {
            score = line.score.0;
        }
    };
    let best = searcher.think(game, &Limits::nodes(nodes), &Control::default(), &mut note).best?;
    Some((best, score))
}

/// A player for self-play: a small table, since games are short and many.
pub fn player(weights: Weights) -> Searcher {
    let judge = Judge::new(Opinion::Full, Arc::new(weights), Arc::new(tuning::thesis()));
    let mut searcher = Searcher::new(Config::default(), judge);
    // A failure leaves the larger table, which serves as well.
    let _ = searcher.resize(1);
    searcher
}

/// Writes a record.
pub fn write(record: &Record) -> String {
    format!("{};{}", record.position, record.result)
}

/// Reads a record.
pub fn read(line: &str) -> Result<Record, String> {
    let (fen, result) = line.split_once(';').ok_or_else(|| format!("'{line}' has no result"))?;
    let position = Position::read(&Rules::default(), fen).map_err(|error| error.to_string())?;
    let result = result.trim().parse().map_err(|_| format!("'{result}' is not a result"))?;
    Ok(Record { position, result })
}

/// A record as the fit sees it: which weights count how often, and in which phase.
struct Sample {
    counts: Vec<(u16, i16)>,
    /// The parts of the middle game's and the endgame's weights in the value.
    parts: [f64; 2],
    result: f64,
}

impl Sample {
    fn new(record: &Record, judge: &mut Judge) -> Sample {
        let p = &record.position;
        let mut counts = Counts(vec![0; COUNT]);
        let value = judge.full(p, &mut counts);
        let ahead = if value >= 0 { Side::White } else { Side::Black };
        let middle = f64::from(phase(p)) / f64::from(PHASE_FULL);
        let share = f64::from(scale::share(p, ahead)) / f64::from(scale::FULL);
        let counted = counts.0.iter().enumerate().filter(|(_, n)| **n != 0);
        Sample {
            counts: counted.map(|(i, &n)| (i as u16, n as i16)).collect(),
            parts: [middle, (1.0 - middle) * share],
            result: record.result,
        }
    }

    fn value(&self, weights: &[[f64; 2]]) -> f64 {
        let mut sums = [0.0; 2];
        for &(i, n) in &self.counts {
            sums[0] += weights[usize::from(i)][0] * f64::from(n);
            sums[1] += weights[usize::from(i)][1] * f64::from(n);
        }
        sums[0] * self.parts[0] + sums[1] * self.parts[1]
    }
}

/// The expected result of a value in hundredths of a pawn.
fn expected(value: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-value / ODDS))
}

/// Weights that explain the results of the records best, beginning at `start`; `report` hears the mean squared error.
pub fn fit(
    records: &[Record],
    start: &Weights,
    passes: usize,
    report: &mut dyn FnMut(usize, f64),
) -> Weights {
    let mut judge = Judge::new(Opinion::Full, Arc::new(start.clone()), Arc::new(tuning::thesis()));
    let samples: Vec<Sample> = records.iter().map(|record| Sample::new(record, &mut judge)).collect();
    let first: Vec<[f64; 2]> =
        start.0.iter().map(|pair| [f64::from(pair.middle()), f64::from(pair.end())]).collect();
    let mut weights = first.clone();
    let mut adam = Adam::default();
    for pass in 1..=passes {
        let (error, mut slope) = gradient(&samples, &weights);
        for ((slope, w), origin) in slope.iter_mut().zip(&weights).zip(&first) {
            for i in 0..2 {
                slope[i] += PULL * (w[i] - origin[i]);
            }
        }
        adam.step(&mut weights, &slope, pass as i32);
        report(pass, error);
    }
    let rounded = |w: &[f64; 2]| Pair::new(w[0].round() as i32, w[1].round() as i32);
    let mut out = start.clone();
    for (pair, w) in out.0.iter_mut().zip(&weights) {
        *pair = rounded(w);
    }
    out
}

/// The mean squared error and its gradient.
fn gradient(samples: &[Sample], weights: &[[f64; 2]]) -> (f64, Vec<[f64; 2]>) {
    let mut slope = vec![[0.0; 2]; COUNT];
    let mut error = 0.0;
    let count = samples.len().max(1) as f64;
    for sample in samples {
        let guess = expected(sample.value(weights));
        let miss = guess - sample.result;
        error += miss * miss / count;
        let common = 2.0 * miss * guess * (1.0 - guess) * std::f64::consts::LN_10 / ODDS / count;
        for &(i, n) in &sample.counts {
            for (slope, part) in slope[usize::from(i)].iter_mut().zip(sample.parts) {
                *slope += common * f64::from(n) * part;
            }
        }
    }
    (error, slope)
}

/// Adaptive steps (Kingma and Ba, 2015).
#[derive(Default)]
struct Adam {
    mean: Vec<[f64; 2]>,
    square: Vec<[f64; 2]>,
}

impl Adam {
    fn step(&mut self, weights: &mut [[f64; 2]], slope: &[[f64; 2]], pass: i32) {
        self.mean.resize(weights.len(), [0.0; 2]);
        self.square.resize(weights.len(), [0.0; 2]);
        for (i, w) in weights.iter_mut().enumerate() {
            for part in 0..2 {
                let (mean, square) = (&mut self.mean[i][part], &mut self.square[i][part]);
                *mean = 0.9 * *mean + 0.1 * slope[i][part];
                *square = 0.999 * *square + 0.001 * slope[i][part] * slope[i][part];
                let (m, s) = (*mean / (1.0 - 0.9f64.powi(pass)), *square / (1.0 - 0.999f64.powi(pass)));
                w[part] -= RATE * m / (s.sqrt() + 1e-10);
            }
        }
    }
}

/// The file of learned weights: a header that says where they came from, and the weights.
pub fn file(weights: &Weights, command: &str, positions: usize) -> String {
    let mut out = format!("# {command}\n# Quintet {}, {positions} positions\n", env!("CARGO_PKG_VERSION"));
    let _ = write!(out, "{}", weights.write());
    out
}

/// The chances of win, draw and loss at a value, per mille, from the results of our own games.
pub fn chances(score: Score) -> [u32; 3] {
    if let Some(plies) = score.plies_to_end() {
        return if plies > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let part = |value: f64| (1000.0 / (1.0 + 10f64.powf(-value / ODDS))).round() as u32;
    let value = f64::from(score.0);
    let (win, loss) = (part(value - tuning::DRAWISH), part(-value - tuning::DRAWISH));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_a_game_and_its_records_are_read_as_written() {
        let mut searcher = player(tuning::weights());
        let first = play(3, 60, &mut searcher);
        assert!(!first.is_empty());
        assert_eq!(first, play(3, 60, &mut searcher));
        for record in &first {
            assert_eq!(read(&write(record)).as_ref(), Ok(record));
        }
        assert!(read("8/8/8/8/8/8/8/k6K w - - 0 1").is_err());
    }

    #[test]
    fn fitting_lowers_the_error() {
        let mut searcher = player(tuning::weights());
        let records: Vec<Record> = (0..12).flat_map(|seed| play(seed, 60, &mut searcher)).collect();
        let mut errors = Vec::new();
        fit(&records, &tuning::weights(), 20, &mut |_, error| errors.push(error));
        assert!(errors[19] < errors[0], "{errors:?}");
    }

    #[test]
    fn chances_add_up_and_grow_with_the_value() {
        for value in [-900, -50, 0, 50, 900] {
            assert_eq!(chances(Score(value)).iter().sum::<u32>(), 1000);
        }
        assert_eq!(chances(Score(0))[0], chances(Score(0))[2]);
        assert!(chances(Score(100))[0] > chances(Score(0))[0]);
        assert_eq!(chances(Score::win_in(3)), [1000, 0, 0]);
    }
}
