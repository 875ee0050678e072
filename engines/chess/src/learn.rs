//! Weights from the engine's own games: play them, pick quiet positions, fit their results.
//!
//! A record is one line, `FEN;result`, the result from White's view: 1, 0.5 or 0. Games depend on their
//! seed only, so shards with different seeds can be played anywhere and put together.

use std::fmt::Write as _;
use std::sync::Arc;

use ::search::learn::{Logistic, Samples, Taper};
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
/// The same, at odds of e to one.
const SCALE: f64 = ODDS / std::f64::consts::LN_10;
/// Positions that speak for the start of a fit.
const PULL: f64 = 4.0;

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

/// Weights that explain the results of the records best, beginning at `start`; `report` hears the mean loss.
pub fn fit(
    records: &[Record],
    start: &Weights,
    passes: usize,
    report: &mut dyn FnMut(usize, f64),
) -> Weights {
    let mut judge = Judge::new(Opinion::Full, Arc::new(start.clone()), Arc::new(tuning::thesis()));
    let mut samples = Samples::new(COUNT, Taper::TwoEnds);
    for record in records {
        let (entries, phase) = features(&record.position, &mut judge);
        samples.push(entries, phase, record.result as f32);
    }
    let half = |value: fn(Pair) -> i32| start.0.iter().map(move |&pair| f64::from(value(pair)));
    let first: Vec<f64> = half(Pair::middle).chain(half(Pair::end)).collect();
    let logistic = Logistic { scale: SCALE, pull: PULL, passes, ..Logistic::default() };
    let found = logistic.fit(&samples, &first, |pass, loss| {
        report(pass, loss);
        true
    });
    let mut out = start.clone();
    for (i, pair) in out.0.iter_mut().enumerate() {
        *pair = Pair::new(found[i].round() as i32, found[COUNT + i].round() as i32);
    }
    out
}

/// How often each weight counts in a position, and its phase from 1 (opening) to 0 (ending).
///
/// A scaled ending is an unscaled one nearer to the opening with all counts made smaller.
fn features(p: &Position, judge: &mut Judge) -> (Vec<(u32, f32)>, f32) {
    let mut counts = Counts(vec![0; COUNT]);
    let value = judge.full(p, &mut counts);
    let ahead = if value >= 0 { Side::White } else { Side::Black };
    let middle = phase(p) as f32 / PHASE_FULL as f32;
    let end = (1.0 - middle) * scale::share(p, ahead) as f32 / scale::FULL as f32;
    let whole = (middle + end).max(f32::MIN_POSITIVE);
    let counted = counts.0.iter().enumerate().filter(|(_, n)| **n != 0);
    (counted.map(|(i, &n)| (i as u32, n as f32 * whole)).collect(), middle / whole)
}

/// The file of learned weights: a header that says where they came from, and the weights.
pub fn file(weights: &Weights, command: &str, positions: usize) -> String {
    let mut out = format!("# {command}\n# Quintet {}, {positions} positions\n", env!("CARGO_PKG_VERSION"));
    let _ = write!(out, "{}", weights.write());
    out
}

/// The chances of win, draw and loss at a value, per mille, by the curve that fits assume.
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
        assert!(errors.last() < errors.first(), "{errors:?}");
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
