//! What a network learns from a studied game: for every position that was searched in full what is seen of it, which
//! moves the search preferred, who won by how much, and whose every point was.

use search::learn::Played;
use search::mcts::Policy;
use search::{Game, Root, Side};

use crate::network::{View, turned};
use crate::playout::Style;
use crate::policy::Knowledge;
use crate::selfplay::Ending;
#[cfg(doc)]
use crate::selfplay::SHADES;
use crate::{Move, Position};

/// A position and what is to be said of it, as the side to move sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// What is seen.
    pub view: View,
    /// For each place, and behind them the pass, the share of the search; they add up to 1 where they are searched.
    pub moves: Vec<f32>,
    /// Its share of the point.
    pub result: f32,
    /// The probability to win that the search found.
    pub value: f32,
    /// The points it won by.
    pub score: f32,
    /// For each place how much it was its own in the end, from [`SHADES`], or the opponent's, to the opposite.
    pub owners: Vec<i8>,
}

impl Lesson {
    /// The same board turned or mirrored.
    pub fn turned(&self, symmetry: usize) -> Lesson {
        let size = self.view.size();
        let from = |place| turned(place, size, symmetry);
        let places = 0..size * size;
        let pass = self.moves.last().copied();
        Lesson {
            view: self.view.turned(symmetry),
            moves: places.clone().map(|place| self.moves[from(place)]).chain(pass).collect(),
            owners: places.map(|place| self.owners[from(place)]).collect(),
            ..*self
        }
    }

    /// What tells it from others, as bytes.
    pub fn digest(&self) -> Vec<u8> {
        let numbers = self.moves.iter().chain([&self.result, &self.value, &self.score]);
        let planes = self.view.points().iter().flat_map(|planes| planes.to_le_bytes());
        numbers.flat_map(|number| number.to_le_bytes()).chain(planes).collect()
    }
}

/// The lessons of a game; none of one that was not studied.
pub fn lessons(game: &Played<Position>) -> Vec<Lesson> {
    let rules = game.start.rules();
    let Some((study, ending)) = game.study.as_ref().zip(Ending::of(game, rules.size())) else {
        return Vec::new();
    };
    let mut root = Root::new(game.start.clone());
    let mut found = Vec::new();
    for (&(m, value), thought) in game.turns.iter().zip(&study.thoughts) {
        if let Some(value) = value.filter(|_| !thought.is_empty()) {
            found.push(lesson(&root, thought, value as f32 / 1000.0, game.result() as f32, &ending));
        }
        root.play(m);
    }
    found
}

fn lesson(root: &Root<Position>, thought: &[(Move, u16)], value: f32, white: f32, ending: &Ending) -> Lesson {
    let mut knowledge = Knowledge::new(Style::Light);
    let board = knowledge.board(root);
    let (size, is_black) = (board.size(), root.position().turn() == Side::Black);
    let mut moves = vec![0.0; size * size + 1];
    let total: f32 = thought.iter().map(|&(_, share)| f32::from(share)).sum();
    for &(m, share) in thought {
        let place = m.point().map_or(size * size, |point| point.row() * size + point.column());
        moves[place] += f32::from(share) / total.max(1.0);
    }
    let sign = if is_black { 1i8 } else { -1 };
    Lesson {
        view: knowledge.view(&board, &[]),
        moves,
        result: if is_black { 1.0 - white } else { white },
        value,
        score: f32::from(sign) * ending.margin,
        owners: ending.owners.iter().map(|owner| sign * owner).collect(),
    }
}
