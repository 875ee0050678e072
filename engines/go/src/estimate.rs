//! Which stones are dead and what the score will be: unconditional life first, then who owns what when both sides
//! play on for points.
//!
//! A chain's fate is asked of a search in which its enemy begins: who passes has nothing left to save. The searches
//! know neither the moves that led here nor whose turn it is, so the same stones always get the same answer: what
//! was assumed when the engine passed is what it says when the game is counted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use search::{Control, Limits, Mcts, Root, Search, Side};

use crate::capture::can_take;
use crate::life;
use crate::ownership::Ownership;
use crate::playout::Style;
use crate::policy::Knowledge;
use crate::rules::{Bonus, Komi};
use crate::seki::{self, seki};
use crate::tuning::{self, DEAD, JUDGING_MEMORY, JUDGING_PLAYOUTS, PLAYOUT};
use crate::{Board, Colour, Point, PointSet, Position, Scoring};

/// Playouts of a whole judgement: two searches, each of which grows its tree before it counts.
pub(crate) const EFFORT: u64 = 4 * JUDGING_PLAYOUTS;

/// A judgement of all stones.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Stones that will be taken off before counting.
    pub dead: PointSet,
    /// Stones that live without two eyes of their own.
    pub seki: PointSet,
    /// Who owned what at the end of the playouts.
    pub ownership: Arc<Ownership>,
    /// Black's points minus White's under the rules in force, komi included.
    pub margin: f64,
}

/// How stones are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    /// By unconditional life and searches.
    Search,
    /// As Śliwa's program does: a chain with a single liberty is dead, any other alive.
    Atari,
}

impl Judge {
    /// Judges a position, however long it takes.
    pub fn estimate(self, position: &Position) -> Estimate {
        self.judge(position, &Patience::default()).expect("nothing ends it early")
    }

    /// Judges a position if patience lasts.
    pub(crate) fn judge(self, position: &Position, patience: &Patience) -> Option<Estimate> {
        match self {
            Judge::Search => judge(position, patience),
            Judge::Atari => Some(at_a_glance(position)),
        }
    }
}

/// What ends a judgement early: half of one would not be what is said when the game is counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patience {
    /// Stopped, it ends at once.
    pub(crate) control: Control,
    /// Its last moment.
    pub(crate) until: Option<Instant>,
}

/// Judges a position by searches, however long it takes.
pub fn estimate(position: &Position) -> Estimate {
    Judge::Search.estimate(position)
}

fn at_a_glance(position: &Position) -> Estimate {
    let mut dead = PointSet::default();
    if !position.rules().all_alive {
        let chains = [Colour::Black, Colour::White].into_iter().flat_map(|colour| position.chains(colour));
        chains.filter(|chain| chain.liberties.len() == 1).for_each(|chain| dead.union(&chain.stones));
    }
    let ownership = Arc::new(Ownership::new(1));
    ownership.add(&Board::new(&position.without(&dead), [Point::NONE; 2]));
    Estimate { margin: position.margin_without(&dead), dead, seki: PointSet::default(), ownership }
}

fn judge(position: &Position, patience: &Patience) -> Option<Estimate> {
    let after = [played_on(position, Side::White, patience)?, played_on(position, Side::Black, patience)?];
    let dead = if position.rules().all_alive { PointSet::default() } else { dead(position, &after) };
    let seki = seki(&position.without(&dead));
    let ownership = Arc::new(Ownership::new(1));
    after.iter().for_each(|side| ownership.absorb(side));
    // Where only eyes are left every way through the tree ends the game, and no playout is counted.
    if ownership.count() == 0 {
        ownership.add(&Board::new(&position.without(&dead), [Point::NONE; 2]));
    }
    Some(Estimate { margin: position.margin_without(&dead), dead, seki, ownership })
}

/// Who owns what if `first` plays on and both sides want points.
fn played_on(position: &Position, first: Side, patience: &Patience) -> Option<Arc<Ownership>> {
    let mut knowledge = Knowledge::new(Style::Heavy(PLAYOUT));
    knowledge.margin_share = 1.0;
    let config =
        search::mcts::Config { memory: JUDGING_MEMORY, overhead: Duration::ZERO, ..tuning::config() };
    let mut search = Mcts::new(config, knowledge);
    // Counted by area, playing on costs nobody anything; a large komi or bonus would hide what is left to gain.
    let mut rules = position.rules();
    (rules.scoring, rules.komi, rules.bonus) = (Scoring::Area, Komi::ZERO, Bonus::None);
    let root = Root::new(position.resumed(first).with_rules(rules));
    for _ in 0..2 {
        search.policy.count_all();
        let left = patience.until.map(|until| until.saturating_duration_since(Instant::now()));
        let limits = Limits { move_time: left, ..Limits::nodes(JUDGING_PLAYOUTS) };
        search.think(&root, &limits, &patience.control, &mut |_| {});
        if search.summary().playouts < JUDGING_PLAYOUTS {
            return None;
        }
    }
    Some(search.policy.ownership)
}

/// Chains that their enemies own in the search that these begin; `after` has Black's fate first.
fn dead(position: &Position, after: &[Arc<Ownership>; 2]) -> PointSet {
    let mut dead = PointSet::default();
    for (first, sign, ownership) in [(Side::White, 1.0, &after[0]), (Side::Black, -1.0, &after[1])] {
        let (colour, enemy) = (Colour::of(!first), Colour::of(first));
        let (safe, _) = life::unconditional(position, colour);
        let (_, hostile) = life::unconditional(position, enemy);
        let board = Board::new(&position.resumed(first), [Point::NONE; 2]);
        for chain in position.chains(colour) {
            let owned: f64 = chain.stones.iter().map(|p| sign * ownership.at(p)).sum();
            let hopeless = !chain.stones.is_disjoint(&hostile);
            let lost = owned / (chain.stones.len() as f64) < -DEAD;
            // Playouts end a seki that players leave alone.
            let stays = || {
                let stone = chain.stones.iter().next().expect("a chain has stones");
                chain.liberties.len() <= seki::LIBERTIES && can_take(&board, stone) == Some(false)
            };
            if chain.stones.is_disjoint(&safe) && (hopeless || lost && !stays()) {
                dead.union(&chain.stones);
            }
        }
    }
    dead
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seki::tests::CORNER;
    use crate::text::drawn;

    #[test]
    fn at_a_glance_only_chains_with_a_single_liberty_are_dead() {
        // White's stone among Black's has two liberties, the one on the edge has one.
        let rows = ". . . X O . . / . O . X O . . / . . . X O . . / X X X X O . . / . . . X O . . / \
                    X . . X O . . / O . . X O . .";
        let position = drawn(rows, "simple-ko");
        let judged = Judge::Atari.estimate(&position);
        assert_eq!(judged.dead.iter().collect::<Vec<_>>(), [Point::new(0, 0)]);
        assert_eq!(Judge::Search.estimate(&position).dead.iter().count(), 2);
        assert_eq!(judged.margin, position.margin_without(&judged.dead));
        assert!(Judge::Atari.estimate(&drawn(rows, "cgos")).dead.is_empty());
    }

    #[test]
    fn a_lone_stone_in_a_living_corner_is_dead() {
        let rows = ". X . X . O . / X X X X . O . / . O . X X O . / X X X X O O . / O O O O O . O / . O . O . O . / O . O O O . O";
        let position = drawn(rows, "chinese");
        let dead = estimate(&position).dead;
        assert_eq!(dead.iter().map(|p| p.to_string()).collect::<Vec<_>>(), ["B5"]);
    }

    #[test]
    fn the_answer_is_always_the_same() {
        let position = drawn(". X . O . / X X O O . / . X O . O / X X O O . / . X O . O", "chinese");
        let (a, b) = (estimate(&position), estimate(&position));
        assert_eq!((a.dead, a.margin), (b.dead, b.margin));
    }

    #[test]
    fn a_board_with_nothing_but_eyes_has_owners() {
        let judged = estimate(&drawn(". X X O . / X X O O O / . X O . O / X X O O . / . X O . O", "chinese"));
        assert_eq!((judged.ownership.margin(), judged.ownership.at(Point::new(0, 0))), (-3.0, 1.0));
    }

    #[test]
    fn a_judgement_ends_with_its_patience() {
        let position = drawn(". X . O . / X X O O . / . X O . O / X X O O . / . X O . O", "chinese");
        let long = Instant::now() + Duration::from_secs(600);
        let within = |until| Patience { until: Some(until), ..Patience::default() };
        assert!(judge(&position, &within(Instant::now())).is_none());
        assert_eq!(judge(&position, &within(long)).unwrap().margin, estimate(&position).margin);
        let stopped = Patience::default();
        stopped.control.stop();
        assert!(judge(&position, &stopped).is_none());
    }

    #[test]
    fn a_seki_with_an_eye_each_lives() {
        for rows in [CORNER.to_owned(), CORNER.replace('X', "x").replace('O', "X").replace('x', "O")] {
            let judged = estimate(&drawn(&rows, "chinese"));
            assert!(judged.dead.is_empty() && !judged.seki.is_empty(), "{:?}", judged.dead);
        }
    }

    #[test]
    fn a_large_komi_kills_nothing() {
        let rows = ". . . X O . . / . O . X O . . / . . . X O . . / . . . X O . . / . . . X O . . / \
                    . . . X O X . / . . . X O . .";
        let dead = |komi: f64| {
            let rules = drawn(rows, "chinese").rules().with_komi(Komi::new(komi).unwrap());
            estimate(&drawn(rows, "chinese").with_rules(rules)).dead
        };
        assert_eq!(dead(200.0), dead(0.0));
    }

    #[test]
    fn on_cgos_every_stone_on_the_board_lives() {
        let rows = ". X . X . / X X X X X / . O . . . / . . . . . / . . . . .";
        assert!(!estimate(&drawn(rows, "chinese")).dead.is_empty());
        assert!(estimate(&drawn(rows, "cgos")).dead.is_empty());
    }
}
