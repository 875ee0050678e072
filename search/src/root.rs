//! The whole game so far: where it started, what was played, where it stands.

use crate::{Game, History, MoveError, Outcome};

/// A game from its start to the position to think about.
#[derive(Clone, Debug)]
pub struct Root<G: Game> {
    positions: Vec<G>,
    moves: Vec<G::Move>,
    history: History,
    begun: Option<Begun<G::Move>>,
}

/// A turn of which some words have been said.
#[derive(Clone, Debug)]
struct Begun<M> {
    /// The number of moves played before it.
    ply: usize,
    /// The moves that finish it.
    moves: Vec<M>,
    /// The words said, in any order.
    words: Vec<String>,
}

impl<G: Game> Root<G> {
    /// A game that begins at `start`.
    pub fn new(start: G) -> Self {
        Root { positions: vec![start], moves: Vec::new(), history: History::default(), begun: None }
    }

    /// The position the game began with.
    pub fn start(&self) -> &G {
        &self.positions[0]
    }

    /// The current position.
    pub fn position(&self) -> &G {
        self.positions.last().expect("a game has at least its start")
    }

    /// All positions, the start first and the current one last.
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// The moves played so far.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The keys of the positions before the current one.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Notes that the side to move has said these words of its turn, which `moves` may finish.
    pub fn begin(&mut self, moves: Vec<G::Move>, words: Vec<String>) {
        self.begun = Some(Begun { ply: self.moves.len(), moves, words });
    }

    /// The words of the current turn that have been said.
    pub fn said(&self) -> &[String] {
        self.current_turn().map(|begun| begun.words.as_slice()).unwrap_or_default()
    }

    fn current_turn(&self) -> Option<&Begun<G::Move>> {
        self.begun.as_ref().filter(|begun| begun.ply == self.moves.len())
    }

    /// The moves that the position, the game so far and a turn begun in part allow.
    pub fn legal(&self) -> Vec<G::Move> {
        if let Some(begun) = self.current_turn() {
            return begun.moves.clone();
        }
        let mut list = self.position().list();
        list.retain(|&m| self.position().allowed(m, &self.history));
        list
    }

    /// Plays a move known to be legal.
    pub fn play(&mut self, m: G::Move) {
        let mut next = self.position().clone();
        self.history.push(next.key(), next.irreversible(m));
        next.play(m);
        self.moves.push(m);
        self.positions.push(next);
    }

    /// Puts a position with the same key in the place of the current one: a game may go on with other counters.
    pub fn amend(&mut self, position: G) {
        debug_assert!(position.key() == self.position().key());
        *self.positions.last_mut().expect("a game has at least its start") = position;
    }

    /// Reads a move and plays it if it is legal.
    pub fn play_text(&mut self, text: &str) -> Result<G::Move, MoveError> {
        let m = self.position().parse(text)?;
        if !self.position().allowed(m, &self.history) {
            return Err(MoveError::Illegal(text.to_owned()));
        }
        self.play(m);
        Ok(m)
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<G::Move> {
        let m = self.moves.pop()?;
        self.positions.pop();
        self.history.pop();
        Some(m)
    }

    /// How often the current position stood on the board before, by full comparison.
    pub fn earlier(&self) -> usize {
        let here = self.position();
        self.history.earlier(here.key()).filter(|&i| self.positions[i].same(here)).count()
    }

    /// The end of the game, if this is it.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position().outcome(self.earlier())
    }
}
