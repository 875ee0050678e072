//! Minimax in its two textbook forms, without any pruning: the oracle of every other search.

use crate::{Eval, Game, MoveList, Noisy, Root, Score, Side};

/// A plain search of fixed depth with the leaf search of its faster relatives.
pub struct Minimax<'a, E> {
    eval: &'a mut E,
    /// Plies of noisy moves below the horizon.
    quiescence: u32,
    /// Positions visited.
    pub nodes: u64,
}

impl<'a, E> Minimax<'a, E> {
    /// A search with these opinions, playing noisy moves out for at most `quiescence` plies.
    pub fn new(eval: &'a mut E, quiescence: u32) -> Self {
        Minimax { eval, quiescence, nodes: 0 }
    }

    /// The value of the root from its side to move: one function, signs flipped at every ply.
    pub fn negamax<G: Game>(&mut self, root: &Root<G>, depth: u32) -> Score
    where
        E: Eval<G>,
    {
        self.eval.enter(root.position());
        self.negamax_node(&mut root.clone(), depth, 0, root.moves().len())
    }

    /// The value of the root from White's side: one function for each player.
    pub fn minimax<G: Game>(&mut self, root: &Root<G>, depth: u32) -> Score
    where
        E: Eval<G>,
    {
        self.eval.enter(root.position());
        self.minimax_node(&mut root.clone(), depth, 0, root.moves().len())
    }

    /// The value of every move of the root in a tree of `depth` plies, from the root's side to move.
    pub fn moves<G: Game>(&mut self, root: &Root<G>, depth: u32) -> Vec<(G::Move, Score)>
    where
        E: Eval<G>,
    {
        self.eval.enter(root.position());
        let mut line = root.clone();
        let mut values = Vec::new();
        for m in root.legal() {
            self.enter(&mut line, m);
            values.push((m, -self.negamax_node(&mut line, depth - 1, 1, root.moves().len())));
            self.leave(&mut line);
        }
        values
    }

    fn negamax_node<G: Game>(&mut self, line: &mut Root<G>, depth: u32, ply: u32, game: usize) -> Score
    where
        E: Eval<G>,
    {
        if let Some(score) = self.settled(line, depth, ply, game) {
            return score;
        }
        let mut best = -Score::INFINITE;
        for m in line.legal() {
            self.enter(line, m);
            best = best.max(-self.negamax_node(line, depth - 1, ply + 1, game));
            self.leave(line);
        }
        best
    }

    fn minimax_node<G: Game>(&mut self, line: &mut Root<G>, depth: u32, ply: u32, game: usize) -> Score
    where
        E: Eval<G>,
    {
        let white = line.position().turn() == Side::White;
        if let Some(score) = self.settled(line, depth, ply, game) {
            return if white { score } else { -score };
        }
        let mut best = if white { -Score::INFINITE } else { Score::INFINITE };
        for m in line.legal() {
            self.enter(line, m);
            let score = self.minimax_node(line, depth - 1, ply + 1, game);
            best = if white { best.max(score) } else { best.min(score) };
            self.leave(line);
        }
        best
    }

    /// The value of a node without looking at its moves, if it has one: the game's end or the horizon.
    fn settled<G: Game>(&mut self, line: &Root<G>, depth: u32, ply: u32, game: usize) -> Option<Score>
    where
        E: Eval<G>,
    {
        self.nodes += 1;
        let position = line.position();
        if position.count() == 0 {
            return Some(lost(position, ply));
        }
        if ply > 0 && position.drawn(earlier(line, game)).is_some() {
            return Some(Score::DRAW);
        }
        (depth == 0).then(|| self.leaf(position, self.quiescence, ply))
    }

    fn leaf<G: Game>(&mut self, position: &G, plies: u32, ply: u32) -> Score
    where
        E: Eval<G>,
    {
        let mut moves = MoveList::new();
        let noisy = if plies > 0 { self.eval.noisy(position, &mut moves) } else { Noisy::Optional };
        if moves.is_empty() && position.count() == 0 {
            return lost(position, ply);
        }
        let stands = noisy == Noisy::Optional || moves.is_empty();
        let mut best = if stands { self.eval.score(position) } else { -Score::INFINITE };
        for m in moves {
            self.nodes += 1;
            let child = position.after(m);
            self.eval.push(position, Some(m), &child);
            best = best.max(-self.leaf(&child, plies - 1, ply + 1));
            self.eval.pop();
        }
        best
    }

    fn enter<G: Game>(&mut self, line: &mut Root<G>, m: G::Move)
    where
        E: Eval<G>,
    {
        let before = line.position().clone();
        line.play(m);
        self.eval.push(&before, Some(m), line.position());
    }

    fn leave<G: Game>(&mut self, line: &mut Root<G>)
    where
        E: Eval<G>,
    {
        self.eval.pop();
        line.undo();
    }
}

/// Once inside the tree is enough; in the game before it every occurrence counts once.
fn earlier<G: Game>(line: &Root<G>, game: usize) -> usize {
    let here = line.position();
    let positions = line.positions();
    let same = line.history().earlier(here.key()).filter(|&i| positions[i].same(here));
    same.fold(0, |count, i| if i >= game { usize::MAX / 2 } else { count + 1 })
}

fn lost<G: Game>(position: &G, ply: u32) -> Score {
    match position.stuck().winner {
        None => Score::DRAW,
        Some(side) if side == position.turn() => Score::win_in(ply),
        Some(_) => Score::loss_in(ply),
    }
}
