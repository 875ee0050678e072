//! Strengths of features from choices: every choice is won by one team of features against all others.
//!
//! The generalised Bradley-Terry model: a team's strength is the product of its members', and it wins with its
//! share of the sum. The strengths are found by minorisation-maximisation, one column of features after the other
//! (Hunter 2004; Coulom 2007). Only `+ - * /` touch them, so they are the same on every machine.

/// Choices to learn from. A team has one feature in each column; feature 0 is "nothing" and has strength 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Contests {
    /// For each column the feature of every team, contest after contest, the winner first.
    columns: Vec<Vec<u32>>,
    /// Where each contest's teams end.
    ends: Vec<usize>,
}

/// Strengths by column and feature.
pub type Strengths = Vec<Vec<f64>>;

/// Wins and losses against a feature of strength 1 that every feature is lent: what was seen seldom stays near 1.
const LENT: f64 = 2.0;

impl Contests {
    /// None yet, for teams with this many columns.
    pub fn new(columns: usize) -> Contests {
        Contests { columns: vec![Vec::new(); columns], ends: Vec::new() }
    }

    /// Adds a choice: the winner's features first, then those of the others, a feature a column.
    ///
    /// # Panics
    /// If a team has more or fewer features than there are columns.
    pub fn add<'a>(&mut self, teams: impl IntoIterator<Item = &'a [u32]>) {
        let mut end = self.ends.last().copied().unwrap_or(0);
        for team in teams {
            assert_eq!(team.len(), self.columns.len(), "a feature a column");
            self.columns.iter_mut().zip(team).for_each(|(column, &feature)| column.push(feature));
            end += 1;
        }
        self.ends.push(end);
    }

    /// The number of choices.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is nothing to learn from.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Finds strengths in this many passes; after each, `watch` hears the mean probability given to the choices made.
    pub fn fit(&self, passes: usize, watch: &mut dyn FnMut(usize, f64)) -> Strengths {
        let mut strengths: Strengths = self.columns.iter().map(|column| ones(column)).collect();
        let wins: Vec<Vec<f64>> = (0..self.columns.len()).map(|column| self.wins(column)).collect();
        let mut products = vec![1.0; self.columns.first().map_or(0, Vec::len)];
        for pass in 1..=passes {
            for (column, (wins, strengths)) in wins.iter().zip(&mut strengths).enumerate() {
                self.improve(column, wins, strengths, &mut products);
            }
            watch(pass, self.confidence(&products));
        }
        strengths
    }

    /// How often each feature of a column was in a winning team.
    fn wins(&self, column: usize) -> Vec<f64> {
        let features = &self.columns[column];
        let mut wins = vec![0.0; ones(features).len()];
        self.contests().for_each(|teams| wins[features[teams.start] as usize] += 1.0);
        wins
    }

    fn contests(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).filter(|(start, end)| start < end).map(|(start, &end)| start..end)
    }

    /// One step for all features of a column; they exclude each other, so they do not stand in each other's way.
    fn improve(&self, column: usize, wins: &[f64], strengths: &mut [f64], products: &mut [f64]) {
        let features = &self.columns[column];
        let mut chances = vec![0.0; strengths.len()];
        for teams in self.contests() {
            let total: f64 = products[teams.clone()].iter().sum();
            for team in teams {
                chances[features[team] as usize] += products[team] / total;
            }
        }
        // Each step maximises a lower bound that touches the likelihood, so no step makes the fit worse.
        let before = strengths.to_vec();
        let seen = wins.iter().zip(&chances);
        for (strength, (wins, chances)) in strengths.iter_mut().zip(seen).skip(1) {
            // What a strength of 1 would have been expected to win, with as much again from the lent games.
            let expected = chances / *strength + 2.0 * LENT / (*strength + 1.0);
            *strength = (wins + LENT) / expected;
        }
        for (product, &feature) in products.iter_mut().zip(features) {
            *product *= strengths[feature as usize] / before[feature as usize];
        }
    }

    fn confidence(&self, products: &[f64]) -> f64 {
        let sum: f64 =
            self.contests().map(|teams| products[teams.start] / products[teams].iter().sum::<f64>()).sum();
        sum / self.len().max(1) as f64
    }
}

/// Strength 1 for every feature up to the largest of a column.
fn ones(column: &[u32]) -> Vec<f64> {
    vec![1.0; column.iter().max().map_or(1, |&most| most as usize + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    /// Teams of two columns whose true strengths are 1, 3 and 1, 1/2, 5.
    #[test]
    fn strengths_that_made_the_choices_are_found_again() {
        let truth = [vec![1.0, 3.0], vec![1.0, 0.5, 5.0]];
        let mut random = Random::new(11);
        let mut contests = Contests::new(2);
        for _ in 0..4000 {
            let mut teams: Vec<[u32; 2]> = (0..6).map(|_| [random.below(2), random.below(3)]).collect();
            let strength = |team: &[u32; 2]| truth[0][team[0] as usize] * truth[1][team[1] as usize];
            let mut ball = f64::from(random.unit()) * teams.iter().map(strength).sum::<f64>();
            let mut winner = 0;
            while ball > strength(&teams[winner]) && winner < 5 {
                ball -= strength(&teams[winner]);
                winner += 1;
            }
            teams.swap(0, winner);
            contests.add(teams.iter().map(|team| team.as_slice()));
        }
        let mut heard = Vec::new();
        let found = contests.fit(40, &mut |_, confidence| heard.push(confidence));
        assert!(heard.first() < heard.last());
        for (column, known) in found.iter().zip(&truth) {
            for (strength, known) in column.iter().zip(known) {
                assert!((0.85..1.15).contains(&(strength / known)), "{found:?}");
            }
        }
    }

    #[test]
    fn what_never_won_stays_above_nothing() {
        let mut contests = Contests::new(1);
        (0..10).for_each(|_| contests.add([&[1u32][..], &[2], &[0]]));
        let found = contests.fit(30, &mut |_, _| {});
        assert!(found[0][1] > 2.0 && found[0][2] > 0.0 && found[0][2] < 1.0, "{found:?}");
        assert_eq!(found[0][0], 1.0);
    }
}
