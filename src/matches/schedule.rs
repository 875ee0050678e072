//! Who meets whom, in which game, with which opening: a function of the game's number, so that a part of
//! a match can be played anywhere and a broken one taken up again.

use clap::ValueEnum;

/// The form of a match between several engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Everybody meets everybody; with two engines, a pair.
    #[default]
    #[value(alias = "roundrobin")]
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
}

/// One part of a match played in several places: `index` from 1 to `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 1.
    pub index: usize,
    /// How many parts.
    pub count: usize,
}

impl Default for Shard {
    fn default() -> Self {
        Shard { index: 1, count: 1 }
    }
}

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The game's number in the whole match, from 1.
    pub game: usize,
    /// The pair it belongs to, from 0; both games of a pair have one opening and, usually, swapped colours.
    pub pair: usize,
    /// The opening, from 0.
    pub opening: usize,
    /// White's number among the engines, from 0.
    pub white: usize,
    /// Black's.
    pub black: usize,
}

/// All games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    /// Games between two engines.
    games: usize,
    /// Whether the second game of a pair has the colours swapped.
    swaps: bool,
    shard: Shard,
}

impl Schedule {
    /// A schedule for `engines` engines, `games` games between any two that meet.
    pub fn new(form: Form, engines: usize, games: usize, swaps: bool, shard: Shard) -> Schedule {
        let firsts = if form == Form::Gauntlet { 1 } else { engines };
        let pairings = (0..firsts).flat_map(|a| (a + 1..engines).map(move |b| (a, b))).collect();
        Schedule { pairings, games, swaps, shard }
    }

    /// Games of the whole match, all shards together.
    pub fn total(&self) -> usize {
        self.pairings.len() * self.games
    }

    /// The games of this shard, in the order in which they should be played.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        (0..self.total()).map(|n| self.slot(n)).filter(|s| s.pair % self.shard.count == self.shard.index - 1)
    }

    /// The `n`-th game from 0: openings outermost, then pairings, then colours.
    fn slot(&self, n: usize) -> Slot {
        let meetings = self.pairings.len();
        let opening = n / (2 * meetings);
        // The last round is half a pair if the number of games is odd.
        let each = (self.games - 2 * opening).min(2);
        let in_round = n - opening * 2 * meetings;
        let (a, b) = self.pairings[in_round / each];
        let swapped = self.swaps && in_round % each == 1;
        let (white, black) = if swapped { (b, a) } else { (a, b) };
        Slot { game: n + 1, pair: opening * meetings + in_round / each, opening, white, black }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(form: Form, engines: usize, games: usize) -> Vec<Slot> {
        Schedule::new(form, engines, games, true, Shard::default()).slots().collect()
    }

    #[test]
    fn two_games_share_an_opening_with_colours_swapped() {
        let all = slots(Form::RoundRobin, 2, 5);
        let seen: Vec<_> = all.iter().map(|s| (s.game, s.opening, s.white, s.black)).collect();
        assert_eq!(seen, [(1, 0, 0, 1), (2, 0, 1, 0), (3, 1, 0, 1), (4, 1, 1, 0), (5, 2, 0, 1)]);
    }

    #[test]
    fn colours_stay_where_nobody_wants_them_swapped() {
        let schedule = Schedule::new(Form::RoundRobin, 2, 4, false, Shard::default());
        let seen: Vec<_> = schedule.slots().map(|s| (s.opening, s.white, s.black)).collect();
        assert_eq!(seen, [(0, 0, 1), (0, 0, 1), (1, 0, 1), (1, 0, 1)]);
    }

    #[test]
    fn everybody_meets_everybody_equally_often() {
        for (form, engines, games) in [
            (Form::RoundRobin, 4, 6),
            (Form::RoundRobin, 3, 5),
            (Form::Gauntlet, 4, 3),
            (Form::Gauntlet, 2, 1),
        ] {
            let all = slots(form, engines, games);
            for a in 0..engines {
                for b in a + 1..engines {
                    let meetings: Vec<_> =
                        all.iter().filter(|s| [(a, b), (b, a)].contains(&(s.white, s.black))).collect();
                    let wanted = if form == Form::Gauntlet && a > 0 { 0 } else { games };
                    assert_eq!(meetings.len(), wanted);
                    assert!(meetings.chunks(2).all(|pair| pair.iter().all(|s| s.pair == pair[0].pair)));
                }
            }
        }
    }

    #[test]
    fn shards_are_whole_pairs_and_together_the_whole() {
        let whole = slots(Form::RoundRobin, 3, 8);
        let mut parts: Vec<Slot> = (1..=5)
            .flat_map(|index| {
                let shard = Shard { index, count: 5 };
                Schedule::new(Form::RoundRobin, 3, 8, true, shard).slots().collect::<Vec<_>>()
            })
            .collect();
        parts.sort_by_key(|slot| slot.game);
        assert_eq!(parts, whole);
    }
}
