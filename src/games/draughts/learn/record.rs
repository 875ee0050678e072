//! A game of the engine against itself as one line of text, with what the players thought of each position.
//!
//! `1-0 22-18=13 11-15=-8 21-17 ...`: the result, then every move with its value in hundredths of a man from the
//! side to move. A move without a value was played at random. Files of such lines only grow, so a run that was
//! ended is taken up where it stopped, and the files of several machines are read one after the other.

use anyhow::{Context, Result, anyhow, bail};
use draughts::{Move, Position, Rules};
use search::{Game, Side};

/// One move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The move.
    pub m: Move,
    /// What the player expected of it; none of a random move.
    pub score: Option<i32>,
}

/// A finished game from the start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its moves.
    pub turns: Vec<Turn>,
    /// Who won; none if it was drawn.
    pub winner: Option<Side>,
}

impl Record {
    /// The result as White's share of the point.
    pub fn result(&self) -> f32 {
        match self.winner {
            Some(Side::White) => 1.0,
            Some(Side::Black) => 0.0,
            None => 0.5,
        }
    }

    /// Visits every position that a player valued, with that value.
    pub fn valued(&self, mut visit: impl FnMut(&Position, i32)) {
        let mut position = Position::start(&Rules::default());
        for turn in &self.turns {
            if let Some(score) = turn.score {
                visit(&position, score);
            }
            position.play(turn.m);
        }
    }

    /// The game as a line.
    pub fn write(&self) -> String {
        let result = match self.winner {
            Some(Side::White) => "1-0",
            Some(Side::Black) => "0-1",
            None => "1/2-1/2",
        };
        let mut line = result.to_owned();
        let mut position = Position::start(&Rules::default());
        for turn in &self.turns {
            line += &format!(" {}", position.write(turn.m));
            if let Some(score) = turn.score {
                line += &format!("={score}");
            }
            position.play(turn.m);
        }
        line
    }

    /// Reads a line.
    pub fn read(line: &str) -> Result<Record> {
        let mut words = line.split_whitespace();
        let winner = match words.next() {
            Some("1-0") => Some(Side::White),
            Some("0-1") => Some(Side::Black),
            Some("1/2-1/2") => None,
            other => bail!("'{}' is not a result", other.unwrap_or_default()),
        };
        let mut position = Position::start(&Rules::default());
        let mut turns = Vec::new();
        for word in words {
            let (text, score) = word.split_once('=').map_or((word, None), |(m, s)| (m, Some(s)));
            let score = score.map(str::parse).transpose().with_context(|| format!("in '{word}'"))?;
            let m = position.parse(text).map_err(|error| anyhow!("{error}"))?;
            turns.push(Turn { m, score });
            position.play(m);
        }
        Ok(Record { turns, winner })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_read_back_as_written() {
        let line = "0-1 22-18 11-15=-7 18x11=0 8x15=12";
        let record = Record::read(line).unwrap();
        assert_eq!(record.write(), line);
        let mut seen = Vec::new();
        record.valued(|position, score| seen.push((position.turn(), score)));
        assert_eq!(seen, [(Side::Black, -7), (Side::White, 0), (Side::Black, 12)]);
    }

    #[test]
    fn what_is_no_game_is_refused_by_name() {
        let why = |line: &str| format!("{:#}", Record::read(line).unwrap_err());
        assert_eq!(why("2-1 22-18"), "'2-1' is not a result");
        assert!(why("1-0 22-18 22-18").contains("22-18"));
        assert!(why("1-0 22-18=x").starts_with("in '22-18=x'"));
    }
}
