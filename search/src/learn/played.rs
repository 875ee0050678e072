//! A game of an engine against itself, with what the players thought of each position.
//!
//! As text it is one line, `17 1-0 22-18 11-15=-8 21-17=13`: the seed it can be played again from, the result, and
//! every move with the value its player gave it. A move without a value was drawn by lot. Files of such lines only
//! grow, so a run that was ended is taken up where it stopped, and those of several machines are put together.

use crate::{Game, Root, Side};

/// Results as they are written, with White's share of the point.
const RESULTS: [(&str, Option<Side>, f64); 3] =
    [("1-0", Some(Side::White), 1.0), ("0-1", Some(Side::Black), 0.0), ("1/2-1/2", None, 0.5)];

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played<G: Game> {
    /// What its random numbers came from.
    pub seed: u64,
    /// Where it began.
    pub start: G,
    /// Its moves, each with what the player expected of it in the unit of the game; nothing where it was drawn by lot.
    pub turns: Vec<(G::Move, Option<i32>)>,
    /// Who won; none if it was drawn.
    pub winner: Option<Side>,
}

impl<G: Game> Played<G> {
    /// A game whose opening was drawn by lot.
    pub fn opened(seed: u64, opening: &Root<G>) -> Self {
        let turns = opening.moves().iter().map(|&m| (m, None)).collect();
        Played { seed, start: opening.start().clone(), turns, winner: None }
    }

    /// White's share of the point.
    pub fn result(&self) -> f64 {
        self.row().2
    }

    fn row(&self) -> (&'static str, Option<Side>, f64) {
        *RESULTS.iter().find(|(_, winner, _)| *winner == self.winner).expect("every result has a row")
    }

    /// Visits every position that a player valued, with the move chosen and its value for the side to move.
    pub fn valued(&self, mut visit: impl FnMut(&Root<G>, G::Move, i32)) {
        let mut root = Root::new(self.start.clone());
        for &(m, value) in &self.turns {
            if let Some(value) = value {
                visit(&root, m, value);
            }
            root.play(m);
        }
    }

    /// The game as a line.
    pub fn write(&self) -> String {
        let mut line = format!("{} {}", self.seed, self.row().0);
        let mut position = self.start.clone();
        for &(m, value) in &self.turns {
            line += &format!(" {}", position.write(m));
            line += &value.map_or_else(String::new, |value| format!("={value}"));
            position.play(m);
        }
        line
    }

    /// Reads the line of a game that began here; says which word is wrong.
    pub fn read(start: G, line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let seed = words.next().unwrap_or_default();
        let seed = seed.parse().map_err(|_| format!("'{seed}' is not the seed of a game"))?;
        let result = words.next().unwrap_or_default();
        let row = RESULTS.iter().find(|(text, ..)| *text == result);
        let &(_, winner, _) = row.ok_or_else(|| format!("'{result}' is not a result"))?;
        let mut root = Root::new(start);
        let mut turns = Vec::new();
        for word in words {
            let (text, value) = word.split_once('=').map_or((word, None), |(m, value)| (m, Some(value)));
            let value = value.map(str::parse).transpose().map_err(|_| format!("'{word}' has no value"))?;
            turns.push((root.play_text(text).map_err(|error| error.to_string())?, value));
        }
        Ok(Played { seed, start: root.start().clone(), turns, winner })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Pile;

    fn read(line: &str) -> Result<Played<Pile>, String> {
        Played::read(Pile { left: 7, turn: Side::White }, line)
    }

    #[test]
    fn a_game_is_read_back_as_written() {
        let line = "17 0-1 2 1=-7 3=100";
        let game = read(line).unwrap();
        assert_eq!((game.write().as_str(), game.result()), (line, 0.0));
        let mut seen = Vec::new();
        game.valued(|root, _, value| seen.push((root.position().to_string(), value)));
        assert_eq!(seen, [("5 b".to_owned(), -7), ("4 w".to_owned(), 100)]);
    }

    #[test]
    fn what_is_not_a_game_is_refused_by_name() {
        assert_eq!(read("x 1-0").unwrap_err(), "'x' is not the seed of a game");
        assert_eq!(read("1 2-1 1").unwrap_err(), "'2-1' is not a result");
        assert_eq!(read("1 1-0 1=x").unwrap_err(), "'1=x' has no value");
        assert!(read("1 1-0 4").unwrap_err().contains("'4'"));
    }
}
