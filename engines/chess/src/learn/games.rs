//! Games of the engine against itself, and the quiet positions that are kept of them.
//!
//! A record is one line, `FEN;result;score`, both from White's view: the result 1, 0.5 or 0, the score of the
//! search in hundredths of a pawn. A line `# game SEED` ends a game: what follows the last one was cut off. Games
//! depend on their seed only, so shards can be played anywhere, broken off, and put together.

use std::collections::HashSet;
use std::sync::Arc;

use ::search::{Control, Game, Info, Limits, Random, Root, Score, Side};

use crate::eval::terms::Weights;
use crate::eval::{Evaluation, Evaluator};
use crate::openings::open;
use crate::search::{Config, Searcher};
use crate::{Move, Position, Rules, tuning};

/// Random plies before the engine plays.
const RANDOM_PLIES: u32 = 7;
/// A random opening that leaves one side so much better is dropped.
const LOPSIDED: i32 = 350;
/// A game is decided when both sides say so for this many plies.
const DECIDED: i32 = 1000;
const DECIDED_PLIES: u32 = 4;
/// And drawn when this old.
const LONGEST: usize = 320;
/// Of the quiet positions of a game two in this many are kept.
const SPARSENESS: u32 = 3;
/// What ends the records of a game, before its seed.
const MARK: &str = "# game ";

/// A quiet position and what came of it, from White's view.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The position.
    pub position: Position,
    /// The result of its game: 1, 0.5 or 0.
    pub result: f64,
    /// What its search said, in hundredths of a pawn.
    pub score: i32,
}

/// A player of games against itself.
pub struct Games {
    searcher: Searcher,
    nodes: u64,
}

impl Games {
    /// Games with so many nodes a move; a small table, since games are short and many.
    pub fn new(weights: Weights, nodes: u64) -> Games {
        let evaluator = Evaluator::new(Evaluation::Full, Arc::new(weights), Arc::new(tuning::thesis()));
        let mut searcher = Searcher::new(Config::default(), evaluator);
        // A failure leaves the larger table, which serves as well.
        let _ = searcher.resize(1);
        Games { searcher, nodes }
    }

    /// The records of the game of this seed.
    pub fn play(&mut self, seed: u64) -> Vec<Example> {
        let mut random = Random::new(seed);
        let mut game = open(self, RANDOM_PLIES, LOPSIDED, &mut random);
        let mut kept = Vec::new();
        let mut decided = Decided::default();
        let result = loop {
            if let Some(outcome) = game.outcome() {
                break points(outcome.winner);
            }
            if game.moves().len() >= LONGEST {
                break 0.5;
            }
            let Some((m, score)) = self.think(&game) else { break 0.5 };
            if let Some(winner) = decided.note(score) {
                break points(Some(winner));
            }
            let p = *game.position();
            if !p.in_check() && !p.is_noisy(m) && score.abs() < DECIDED && random.below(SPARSENESS) > 0 {
                kept.push((p, score));
            }
            game.play(m);
        };
        kept.into_iter().map(|(position, score)| Example { position, result, score }).collect()
    }

    /// What a search without memories says of the last position, from White's view.
    pub(crate) fn judge(&mut self, game: &Root<Position>) -> i32 {
        self.searcher.forget();
        self.think(game).map_or(0, |(_, score)| score)
    }

    /// The move to play and its score from White's view.
    fn think(&mut self, game: &Root<Position>) -> Option<(Move, i32)> {
        let mut score = 0;
        let mut note = |info: &Info<Move>| {
            if let Info::Line(line) = info {
                score = line.score.0;
            }
        };
        let limits = Limits::nodes(self.nodes);
        let best = self.searcher.think(game, &limits, &Control::default(), &mut note).best?;
        Some((best, if game.position().turn() == Side::White { score } else { -score }))
    }
}

/// How long both sides have agreed who wins.
#[derive(Default)]
struct Decided {
    plies: u32,
    sign: i32,
}

impl Decided {
    /// Notes a score from White's view; the winner if that is settled.
    fn note(&mut self, score: i32) -> Option<Side> {
        let sign = if score.abs() < DECIDED { 0 } else { score.signum() };
        self.plies =
            if sign != 0 && sign == self.sign { self.plies + 1 } else { i32::from(sign != 0) as u32 };
        self.sign = sign;
        (self.plies >= DECIDED_PLIES).then_some(if sign > 0 { Side::White } else { Side::Black })
    }
}

fn points(winner: Option<Side>) -> f64 {
    match winner {
        Some(Side::White) => 1.0,
        Some(Side::Black) => 0.0,
        None => 0.5,
    }
}

/// Writes the records of a game with its mark.
pub fn write(seed: u64, records: &[Example]) -> String {
    let lines = records.iter().map(|r| format!("{};{};{}\n", r.position, r.result, r.score));
    lines.collect::<String>() + &format!("{MARK}{seed}\n")
}

/// Reads a line; none for remarks.
pub fn read(line: &str) -> Result<Option<Example>, String> {
    if line.trim().is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let mut parts = line.split(';').map(str::trim);
    let mut next = |what: &str| parts.next().ok_or_else(|| format!("'{line}' has no {what}"));
    let position = Position::read(&Rules::default(), next("position")?).map_err(|error| error.to_string())?;
    let result = next("result")?;
    let result = ["0", "0.5", "1"]
        .iter()
        .position(|&known| known == result)
        .ok_or_else(|| format!("'{result}' is not a result: 1, 0.5 or 0"))?;
    let score = next("score")?;
    let score: i32 = score.parse().map_err(|_| format!("'{score}' is not a score"))?;
    if score.abs() > Score::OPINION.0 {
        return Err(format!("{score} is a forced result, not an evaluation"));
    }
    Ok(Some(Example { position, result: result as f64 / 2.0, score }))
}

/// What a file of records holds: the seeds of its whole games, and how many bytes those take.
pub fn finished(text: &str) -> (HashSet<u64>, usize) {
    let (mut seeds, mut whole, mut read) = (HashSet::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        read += line.len();
        let seed = line.strip_prefix(MARK).and_then(|rest| rest.strip_suffix('\n'));
        if let Some(seed) = seed.and_then(|seed| seed.parse().ok()) {
            seeds.insert(seed);
            whole = read;
        }
    }
    (seeds, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_a_game_and_its_records_are_read_as_written() {
        let mut games = Games::new(tuning::weights(), 60);
        let first = games.play(3);
        assert!(!first.is_empty());
        assert_eq!(first, games.play(3));
        let text = write(3, &first);
        let again: Vec<Example> = text.lines().filter_map(|line| read(line).unwrap()).collect();
        assert_eq!(again, first);
    }

    #[test]
    fn bad_records_are_refused_by_name() {
        let why = |line: &str| read(line).unwrap_err();
        let fen = "8/8/8/8/8/8/8/k6K w - - 0 1";
        assert!(why(fen).contains("no result"));
        assert!(why(&format!("{fen};2;0")).contains("'2'"));
        assert!(why(&format!("{fen};1;x")).contains("'x'"));
        assert!(why("8/8 w;1;0").contains("8/8"));
    }

    #[test]
    fn a_game_that_was_cut_off_is_played_again() {
        let whole = "a\nb\n# game 7\n";
        let (seeds, length) = finished(&format!("{whole}c\n# gam"));
        assert_eq!((seeds.len(), seeds.contains(&7), length), (1, true, whole.len()));
        assert_eq!(finished("c\n# game 8").1, 0);
    }
}
