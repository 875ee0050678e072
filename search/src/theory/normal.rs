//! A positional game as one table: every player chooses a whole strategy at once.

use super::tree::{Profile, Tree};

/// The most situations that are written down.
pub const LARGEST: usize = 1 << 20;

/// Strategies of all players, and what each gets in every situation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalForm {
    /// For each player, the positions where it moves with the number of choices there.
    turns: Vec<Vec<(usize, usize)>>,
    payoffs: Vec<Vec<i32>>,
}

impl NormalForm {
    /// The table of a game; none if it would be too large.
    pub fn of(tree: &Tree) -> Option<NormalForm> {
        let mut turns = vec![Vec::new(); tree.players()];
        for position in 0..tree.positions() {
            if let Some((player, next)) = tree.turn(position) {
                turns[player].push((position, next.len()));
            }
        }
        let choices = turns.iter().flatten().map(|&(_, choices)| choices);
        let situations =
            choices.into_iter().try_fold(1_usize, |product, choices| product.checked_mul(choices))?;
        if situations > LARGEST {
            return None;
        }
        let mut form = NormalForm { turns, payoffs: Vec::new() };
        form.payoffs = (0..situations)
            .map(|situation| tree.outcome(&form.profile(&form.strategies(situation)), 0).to_vec())
            .collect();
        Some(form)
    }

    /// The ways in which all players can choose their strategies.
    pub fn situations(&self) -> usize {
        self.payoffs.len()
    }

    /// The number of strategies of a player.
    pub fn count(&self, player: usize) -> usize {
        self.turns[player].iter().map(|&(_, choices)| choices).product()
    }

    /// What each player gets if they choose the strategies of these numbers.
    pub fn payoffs(&self, strategies: &[usize]) -> &[i32] {
        let players = (0..self.turns.len()).zip(strategies);
        &self.payoffs[players.fold(0, |number, (player, strategy)| number * self.count(player) + strategy)]
    }

    /// The strategies of these numbers as choices at the positions of the tree.
    pub fn profile(&self, strategies: &[usize]) -> Profile {
        let last = self.turns.iter().flatten().map(|&(position, _)| position).max();
        let mut profile = vec![None; last.map_or(0, |last| last + 1)];
        for (turns, &strategy) in self.turns.iter().zip(strategies) {
            let mut rest = strategy;
            for &(position, choices) in turns {
                profile[position] = Some(rest % choices);
                rest /= choices;
            }
        }
        profile
    }

    /// The situations in which no player gains by another strategy.
    pub fn equilibria(&self) -> Vec<Vec<usize>> {
        let all = (0..self.payoffs.len()).map(|situation| self.strategies(situation));
        all.filter(|strategies| self.is_equilibrium(strategies)).collect()
    }

    fn is_equilibrium(&self, strategies: &[usize]) -> bool {
        (0..strategies.len()).all(|player| {
            let mut other = strategies.to_vec();
            (0..self.count(player)).all(|strategy| {
                other[player] = strategy;
                self.payoffs(&other)[player] <= self.payoffs(strategies)[player]
            })
        })
    }

    /// The strategies of the situation of this number, the last player's changing fastest.
    fn strategies(&self, mut situation: usize) -> Vec<usize> {
        let mut strategies = vec![0; self.turns.len()];
        for player in (0..self.turns.len()).rev() {
            strategies[player] = situation % self.count(player);
            situation /= self.count(player);
        }
        strategies
    }
}

#[cfg(test)]
mod tests {
    use super::super::Node;
    use super::super::tree::tests::drawn;
    use super::*;
    use crate::Random;

    #[test]
    fn a_small_game_is_a_table_of_two_by_two() {
        let form = NormalForm::of(&drawn()).unwrap();
        assert_eq!((form.count(0), form.count(1)), (2, 2));
        assert_eq!(form.payoffs(&[0, 0]), [3, 0]);
        assert_eq!(form.payoffs(&[0, 1]), [1, 2]);
        assert_eq!(form.payoffs(&[1, 0]), [2, 1]);
        assert_eq!(form.payoffs(&[1, 1]), [2, 1]);
        assert_eq!(form.equilibria(), [[1, 1]]);
    }

    #[test]
    fn tree_and_table_agree_on_equilibria_and_backward_induction_finds_one() {
        let mut numbers = Random::new(3);
        let mut tables = 0;
        while tables < 60 {
            let players = 2 + tables % 2;
            let tree = Tree::new(players, Node::random(players, 3, false, &mut numbers));
            let Some(form) = NormalForm::of(&tree).filter(|form| form.situations() <= 1000) else {
                continue;
            };
            tables += 1;
            let mut found = Vec::new();
            for situation in 0..form.situations() {
                let strategies = form.strategies(situation);
                if tree.is_equilibrium(&form.profile(&strategies), 0) {
                    found.push(strategies);
                }
            }
            assert_eq!(form.equilibria(), found);
            let best = tree.solve().profile;
            assert!(
                found
                    .iter()
                    .any(|strategies| form.profile(strategies)[..] == best[..form.profile(strategies).len()])
            );
        }
    }

    #[test]
    fn a_table_that_would_fill_the_memory_is_not_made() {
        let mut numbers = Random::new(4);
        let huge = std::iter::repeat_with(|| Tree::new(2, Node::random(2, 12, true, &mut numbers)))
            .find(|tree| tree.positions() > 2000);
        assert_eq!(NormalForm::of(&huge.unwrap()), None);
    }
}
