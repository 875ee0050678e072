//! Games of the engine against itself, from which strengths of moves are learned: a line of text each.

use search::{Control, Engine, Limits, Random, Root, Search};

use crate::rules::Komi;
use crate::{Go, Move, Position, Rules, text};

/// A game that taught or will teach.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Rows of the board.
    pub size: usize,
    /// What the random numbers of the game came from.
    pub seed: u64,
    /// Moves at the beginning that were drawn, not chosen; nothing is learned from them.
    pub drawn: usize,
    /// All moves, Black first.
    pub moves: Vec<Move>,
}

/// What the two sides are given for their second move, in points: even enough on every board.
const KOMI: f64 = 7.0;

/// The rules under which games that teach are played.
pub fn rules(size: usize) -> Option<Rules> {
    Rules::default().with_size(size).map(|rules| rules.with_komi(Komi::new(KOMI).expect("a finite komi")))
}

/// Plays a game with this many playouts a move until it is resigned or both pass; none if there is no such board.
pub fn play(size: usize, seed: u64, playouts: u64) -> Option<Played> {
    let mut root = Root::new(Position::empty(rules(size)?));
    let mut random = Random::new(seed);
    let mut go = Go::new();
    let drawn = size / 2 + random.below(size as u32 / 2) as usize;
    while root.position().passes() < 2 && root.moves().len() < 2 * size * size {
        go.mcts.config.seed = random.bits();
        let best = go.think(&root, &Limits::nodes(playouts), &Control::default(), &mut |_| {});
        let by_lot = root.moves().len() < drawn;
        if !by_lot && go.resigns(&root) {
            break;
        }
        root.play(if by_lot { draw(&go, &mut random) } else { best.best.unwrap_or(Move::Pass) });
    }
    let moves = root.moves().to_vec();
    Some(Played { size, seed, drawn: drawn.min(moves.len()), moves })
}

/// One of the moves considered, as often as it was visited.
fn draw(go: &Go, random: &mut Random) -> Move {
    let list = go.considered();
    let total: u64 = list.iter().map(|m| m.visits).sum();
    let mut ball = u64::from(random.below(total.max(1) as u32));
    for m in &list {
        if ball < m.visits {
            return m.pv[0];
        }
        ball -= m.visits;
    }
    Move::Pass
}

impl Played {
    /// The game as a line: size, seed, moves drawn, moves.
    pub fn write(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(Move::to_string).collect();
        format!("{} {} {} {}", self.size, self.seed, self.drawn, moves.join(" "))
    }

    /// Reads such a line; says which word is wrong.
    pub fn read(line: &str) -> Result<Played, String> {
        let mut words = line.split_whitespace();
        let mut number = |name: &str| -> Result<u64, String> {
            let word = words.next().ok_or_else(|| format!("{name} is missing"))?;
            word.parse().map_err(|_| format!("{name} is not a number: '{word}'"))
        };
        let (size, seed, drawn) =
            (number("size")? as usize, number("seed")?, number("moves drawn")? as usize);
        let mut root = Root::new(Position::empty(rules(size).ok_or_else(|| format!("no board of {size}"))?));
        for word in words {
            let m = text::read_move(size, word).filter(|m| root.legal().contains(m));
            root.play(m.ok_or_else(|| format!("'{word}' is not a legal move"))?);
        }
        Ok(Played { size, seed, drawn, moves: root.moves().to_vec() })
    }

    /// The positions from which something is learned, each with the move chosen there.
    pub fn lessons(&self) -> Vec<(Root<Position>, Move)> {
        let Some(rules) = rules(self.size) else { return Vec::new() };
        let mut root = Root::new(Position::empty(rules));
        let mut lessons = Vec::new();
        for (ply, &m) in self.moves.iter().enumerate() {
            if ply >= self.drawn && m != Move::Pass {
                lessons.push((root.clone(), m));
            }
            root.play(m);
        }
        lessons
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_game_and_its_line_is_read_back() {
        let game = play(5, 3, 30).unwrap();
        assert_eq!(Some(&game), play(5, 3, 30).as_ref());
        assert!(game.moves.len() > game.drawn && game.drawn >= 2);
        assert_eq!(Played::read(&game.write()), Ok(game.clone()));
        assert!(game.lessons().len() <= game.moves.len() - game.drawn);
        assert_eq!(play(1, 3, 30), None);
    }

    #[test]
    fn a_wrong_line_names_its_word() {
        for (line, culprit) in
            [("x 1 2 A1", "'x'"), ("5 1", "moves drawn"), ("99 1 0", "99"), ("5 1 0 C3 C3", "C3")]
        {
            assert!(Played::read(line).unwrap_err().contains(culprit), "{line}");
        }
    }
}
