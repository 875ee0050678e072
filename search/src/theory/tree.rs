//! Positional games: finite, of perfect information, for any number of players (H. Kuhn, 1953).
//!
//! ```text
//!          player 0
//!         /        \
//!    player 1     (2, 1)
//!    /      \
//! (3, 0)  (1, 2)
//! ```

use crate::Random;

/// A position of a positional game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The end: what each player gets.
    End(Vec<i32>),
    /// A player's turn, with the positions to choose from.
    Turn(usize, Vec<Node>),
}

impl Node {
    /// A random game of at most so many plies, with up to three choices a turn; players follow each other at random.
    pub fn random(players: usize, plies: u32, zero_sum: bool, random: &mut Random) -> Node {
        if plies == 0 || random.below(6) == 0 {
            let mut payoffs: Vec<i32> = (0..players).map(|_| random.below(9) as i32 - 4).collect();
            if zero_sum {
                payoffs[players - 1] = -payoffs[..players - 1].iter().sum::<i32>();
            }
            return Node::End(payoffs);
        }
        let choices = 1 + random.below(3);
        let player = random.below(players as u32) as usize;
        let next = (0..choices).map(|_| Node::random(players, plies - 1, zero_sum, random));
        Node::Turn(player, next.collect())
    }
}

/// What the player to move chooses at each position, by the positions' numbers; nothing at the ends. All players'
/// strategies together make one such situation.
pub type Profile = Vec<Option<usize>>;

/// A positional game, its positions numbered from the start position (0) on, each before those after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    players: usize,
    positions: Vec<Position>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Position {
    End(Vec<i32>),
    Turn { player: usize, next: Vec<usize> },
}

/// A game as backward induction solves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The best choice at every position.
    pub profile: Profile,
    /// What each player gets from every position on.
    pub payoffs: Vec<Vec<i32>>,
}

impl Tree {
    /// The game that begins at this position.
    ///
    /// # Panics
    /// If a turn offers no choice or belongs to no player, or an end does not pay every player.
    pub fn new(players: usize, start: Node) -> Tree {
        let mut tree = Tree { players, positions: Vec::new() };
        tree.add(start);
        tree
    }

    fn add(&mut self, node: Node) -> usize {
        let number = self.positions.len();
        match node {
            Node::End(payoffs) => {
                assert_eq!(payoffs.len(), self.players, "an end pays every player");
                self.positions.push(Position::End(payoffs));
            }
            Node::Turn(player, choices) => {
                assert!(player < self.players && !choices.is_empty(), "a player of the game has a choice");
                self.positions.push(Position::Turn { player, next: Vec::new() });
                let numbers = choices.into_iter().map(|choice| self.add(choice)).collect();
                self.positions[number] = Position::Turn { player, next: numbers };
            }
        }
        number
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Whose turn it is at a position, and the positions to choose from; none at an end.
    pub fn turn(&self, position: usize) -> Option<(usize, &[usize])> {
        match &self.positions[position] {
            Position::End(_) => None,
            Position::Turn { player, next } => Some((*player, next)),
        }
    }

    /// Whether what the players get always adds up to nothing.
    pub fn is_zero_sum(&self) -> bool {
        self.positions.iter().all(|position| match position {
            Position::End(payoffs) => payoffs.iter().sum::<i32>() == 0,
            Position::Turn { .. } => true,
        })
    }

    /// Kuhn's algorithm: a position all of whose successors are ends becomes an end with the payoffs of the best
    /// choice for the player to move, the first of equals, until the start position is one.
    pub fn solve(&self) -> Solution {
        let mut profile = vec![None; self.positions.len()];
        let mut payoffs: Vec<Vec<i32>> = vec![Vec::new(); self.positions.len()];
        // Successors have greater numbers.
        for (number, position) in self.positions.iter().enumerate().rev() {
            match position {
                Position::End(paid) => payoffs[number].clone_from(paid),
                Position::Turn { player, next } => {
                    let gain = |choice: usize| payoffs[next[choice]][*player];
                    let best = (1..next.len()).fold(0, |best, i| if gain(i) > gain(best) { i } else { best });
                    profile[number] = Some(best);
                    payoffs[number] = payoffs[next[best]].clone();
                }
            }
        }
        Solution { profile, payoffs }
    }

    /// What each player gets when all play so from a position on.
    pub fn outcome(&self, profile: &Profile, mut from: usize) -> &[i32] {
        loop {
            match &self.positions[from] {
                Position::End(payoffs) => return payoffs,
                Position::Turn { next, .. } => {
                    from = next[profile[from].expect("a profile chooses wherever there is a choice")];
                }
            }
        }
    }

    /// The most that a player can get from a position on while the others keep to their strategies.
    pub fn best_reply(&self, profile: &Profile, player: usize, from: usize) -> i32 {
        match &self.positions[from] {
            Position::End(payoffs) => payoffs[player],
            Position::Turn { player: mover, next } if *mover == player => {
                let replies = next.iter().map(|&to| self.best_reply(profile, player, to));
                replies.max().expect("a player has a choice")
            }
            Position::Turn { next, .. } => {
                let choice = profile[from].expect("a profile chooses wherever there is a choice");
                self.best_reply(profile, player, next[choice])
            }
        }
    }

    /// Whether in the game that begins at this position no player gains by another strategy (Nash, 1950).
    pub fn is_equilibrium(&self, profile: &Profile, from: usize) -> bool {
        let outcome = self.outcome(profile, from);
        (0..self.players).all(|player| self.best_reply(profile, player, from) == outcome[player])
    }

    /// Whether that is so in every subgame: an absolute equilibrium, today called subgame perfect (Selten, 1965).
    pub fn is_subgame_perfect(&self, profile: &Profile) -> bool {
        (0..self.positions.len()).all(|from| self.is_equilibrium(profile, from))
    }

    /// The value for player 0 when the one who moves there takes the most of it and the others leave the least.
    pub fn minimax(&self) -> i32 {
        self.extreme(0)
    }

    fn extreme(&self, from: usize) -> i32 {
        match &self.positions[from] {
            Position::End(payoffs) => payoffs[0],
            Position::Turn { player, next } => {
                let values = next.iter().map(|&to| self.extreme(to));
                let value = if *player == 0 { values.max() } else { values.min() };
                value.expect("a player has a choice")
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The game drawn at the top of this file.
    pub(crate) fn drawn() -> Tree {
        let end = |payoffs: &[i32]| Node::End(payoffs.to_vec());
        let reply = Node::Turn(1, vec![end(&[3, 0]), end(&[1, 2])]);
        Tree::new(2, Node::Turn(0, vec![reply, end(&[2, 1])]))
    }

    #[test]
    fn backward_induction_sees_what_the_other_player_will_do() {
        let tree = drawn();
        let solution = tree.solve();
        // The left branch would be worth more, but player 1 would not leave it to us.
        assert_eq!(solution.payoffs[0], [2, 1]);
        assert_eq!(solution.profile, [Some(1), Some(1), None, None, None]);
    }

    #[test]
    fn an_empty_threat_is_an_equilibrium_but_not_in_every_subgame() {
        // Player 1 threatens to hurt both unless player 0 stays away.
        let enter = Node::Turn(1, vec![Node::End(vec![-1, -1]), Node::End(vec![1, 1])]);
        let tree = Tree::new(2, Node::Turn(0, vec![Node::End(vec![0, 3]), enter]));
        let threat = vec![Some(0), None, Some(0), None, None];
        assert!(tree.is_equilibrium(&threat, 0) && !tree.is_subgame_perfect(&threat));
        assert!(!tree.is_equilibrium(&vec![Some(1), None, Some(0), None, None], 0));
        assert_eq!(tree.solve().profile, [Some(1), None, Some(1), None, None]);
    }

    #[test]
    fn backward_induction_is_subgame_perfect_for_any_number_of_players() {
        let mut numbers = Random::new(1);
        for players in [1, 2, 3, 5] {
            for _ in 0..60 {
                let tree = Tree::new(players, Node::random(players, 6, false, &mut numbers));
                let solution = tree.solve();
                assert!(tree.is_subgame_perfect(&solution.profile), "{tree:?}");
                for (position, payoffs) in solution.payoffs.iter().enumerate() {
                    assert_eq!(tree.outcome(&solution.profile, position), payoffs);
                }
            }
        }
    }

    #[test]
    fn for_two_players_with_opposed_interests_it_is_minimax() {
        let mut numbers = Random::new(2);
        for _ in 0..100 {
            let tree = Tree::new(2, Node::random(2, 7, true, &mut numbers));
            assert!(tree.is_zero_sum());
            assert_eq!(tree.solve().payoffs[0][0], tree.minimax());
        }
        assert!(!drawn().is_zero_sum());
    }
}
