//! How a game ends: when a pass is the answer, when it is not, and what is played instead.

use std::time::{Duration, Instant};

use search::{Control, Game, Limits, Side, TimeLeft};

use crate::estimate::Patience;
use crate::moves::Chain;
use crate::tuning::{AGREED, TELLING};
use crate::{Colour, Go, Move, Point, Position, Rules, Scoring};

impl Go {
    /// Whether a pass that ends the game does not lose it; none if it would not end, or if there is no time to find out.
    ///
    /// The search cannot tell: two passes in its tree leave dead stones on the board.
    pub(crate) fn ending(&self, position: &Position, limits: &Limits, control: &Control) -> Option<bool> {
        let is_offered = position.passes() == 1 && !self.cleans_up && !limits.waits();
        let time = allotted(limits).map(|all| all.saturating_sub(self.common.overhead));
        // As much again is left for the search, and for a judgement that takes longer than the last one.
        if !is_offered || time.is_some_and(|time| time < self.judging * 2) {
            return None;
        }
        let until = time.and_then(|time| Instant::now().checked_add(time / 3 * 2));
        self.may_pass(position, &Patience { control: control.clone(), until })
    }

    /// The move to play instead of the one found, where passing or not passing is the better end of the game;
    /// `ending` tells whether a pass loses, if that is known. None if patience did not last to find out.
    pub(crate) fn settled(
        &self,
        position: &Position,
        found: Move,
        ending: Option<bool>,
        patience: &Patience,
    ) -> Option<Move> {
        if self.cleans_up {
            return self.cleaned(position, found, patience);
        }
        let Rules { scoring, all_alive, .. } = position.rules();
        let by_territory = scoring == Scoring::Territory && !all_alive;
        let is_finished = by_territory && self.is_finished(position);
        let is_offered = position.passes() == 1;
        let may_end = is_offered && (by_territory || all_alive || self.may_be_finished(position));
        if found != Move::Pass && !is_finished && !may_end {
            return Some(found);
        }
        let may_pass = ending.or_else(|| self.may_pass(position, patience))?;
        Some(match found {
            _ if may_pass => Move::Pass,
            // Stones in settled ground cost points: in a finished game only one that turns it is played.
            _ if is_finished && self.mcts.summary().value < 0.5 => Move::Pass,
            _ if is_finished => found,
            // A game that is lost by ending has nothing to lose by any stone.
            Move::Pass if is_offered => self.stones(0.0).next().unwrap_or(Move::Pass),
            Move::Pass => self.good_stones().next().unwrap_or(Move::Pass),
            _ => found,
        })
    }

    /// Whether the side to move does not lose if the game ends now.
    fn may_pass(&self, position: &Position, patience: &Patience) -> Option<bool> {
        let sign = if position.turn() == Side::Black { 1.0 } else { -1.0 };
        Some(sign * self.judge.judge(position, patience)?.margin >= 0.0)
    }

    /// The move to play where no time is left for a judgement: who has won on the whole may pass.
    pub(crate) fn unjudged(&self, found: Move) -> Move {
        let lost = self.cleans_up || self.mcts.summary().value < 0.5;
        let stone = || self.good_stones().next().unwrap_or(Move::Pass);
        if found == Move::Pass && lost { stone() } else { found }
    }

    /// The move to play where the enemy's dead stones must be taken before a pass, whoever is ahead.
    fn cleaned(&self, position: &Position, found: Move, patience: &Patience) -> Option<Move> {
        let enemy = Colour::of(!position.turn());
        let dead = self.judge.judge(position, patience)?.dead;
        let doomed: Vec<Chain> =
            position.chains(enemy).into_iter().filter(|chain| !chain.stones.is_disjoint(&dead)).collect();
        if doomed.is_empty() {
            return Some(if self.may_be_the_end(position) { Move::Pass } else { found });
        }
        let takes = |m: &Move| {
            let fills = |point: Point| doomed.iter().any(|chain| chain.liberties.contains(point));
            m.point().is_some_and(fills)
        };
        let good = || self.good_stones();
        good().find(takes).or_else(|| good().next()).or(Some(Move::Pass))
    }

    /// Whether a pass may be the answer, as far as the last search knows.
    pub(crate) fn may_be_the_end(&self, position: &Position) -> bool {
        position.passes() > 0 || self.is_finished(position)
    }

    /// Whether an offer to end the game is worth a judgement; the few playouts of weak levels cannot tell.
    fn may_be_finished(&self, position: &Position) -> bool {
        self.ownership().count() <= TELLING || self.is_finished(position)
    }

    /// Whether the playouts agree on every point that is still empty, neutral points aside.
    fn is_finished(&self, position: &Position) -> bool {
        let ownership = self.ownership();
        ownership.count() > TELLING
            && crate::point::points(position.rules().size()).filter(|&p| position.at(p) == Colour::Empty).all(
                |point| {
                    ownership.at(point).abs() > AGREED
                        || point.neighbours().iter().all(|&p| position.at(p) != Colour::Empty)
                },
            )
    }

    /// The moves tried that are no passes and worth at least so much, the best first.
    fn stones(&self, least: f64) -> impl Iterator<Item = Move> {
        let list = self.considered().into_iter().filter(move |line| line.visits > 0 && line.value >= least);
        list.map(|line| line.pv[0]).filter(|&m| m != Move::Pass)
    }

    /// Those that are not much worse than the move chosen.
    fn good_stones(&self) -> impl Iterator<Item = Move> {
        self.stones(self.mcts.summary().value / 2.0)
    }
}

/// The longest a move may take, if that is limited.
pub(crate) fn allotted(limits: &Limits) -> Option<Duration> {
    let of_clock = |clock: &TimeLeft| {
        clock.left.saturating_add(clock.overtime.as_ref().map_or(Duration::ZERO, |over| over.time))
    };
    limits.move_time.into_iter().chain(limits.clock.as_ref().map(of_clock)).min()
}

#[cfg(test)]
pub(crate) mod tests {
    use search::{Engine, Root, Search};

    use super::*;
    use crate::engine::tests::best;
    use crate::rules::Komi;
    use crate::text::drawn;

    /// Black has two eyes on the left, White two on the right, and nothing is left to play.
    pub(crate) const FINISHED: &str = ". X X O . / X X O O O / . X O . O / X X O O . / . X O . O";

    #[test]
    fn a_won_and_finished_game_is_passed_when_the_opponent_passes() {
        let rules = drawn(FINISHED, "chinese").rules().with_komi(Komi::new(-9.5).unwrap());
        let position = drawn(FINISHED, "chinese").with_rules(rules).with_turn(Side::White);
        assert_eq!(best(&mut Go::new(), position, &[Move::Pass], 300), Move::Pass);
    }

    /// Two walls, nothing left to play, and Black ahead by seven points.
    pub(crate) const WALLS: &str = ". . . X O . . / . . . X O . . / . . . X O . . / . . . X O . . / . . . X O . . / \
                         . . . X O . . / . . . X O . .";

    #[test]
    fn under_territory_rules_an_offer_to_end_the_game_is_taken_unless_it_is_lost() {
        for (komi, passes) in [(6.0, true), (7.0, true), (8.0, false)] {
            let walls = drawn(WALLS, "japanese");
            let rules = walls.rules().with_komi(Komi::new(komi).unwrap());
            let position = walls.with_rules(rules).with_turn(Side::White);
            let answer = best(&mut Go::new(), position, &[Move::Pass], 100);
            assert_eq!(answer == Move::Pass, passes, "komi {komi}");
        }
    }

    #[test]
    fn under_territory_rules_a_finished_game_is_passed_even_if_it_is_lost() {
        for komi in [-8.5, 8.5] {
            let rules = drawn(FINISHED, "japanese").rules().with_komi(Komi::new(komi).unwrap());
            let position = drawn(FINISHED, "japanese").with_rules(rules);
            assert_eq!(best(&mut Go::new(), position, &[], 300), Move::Pass, "komi {komi}");
        }
    }

    /// A black stone is dead among White's, a white one among Black's.
    const DEAD: &str = ". . . X O . . / . O . X O . . / . . . X O . . / . . . X O . . / . . . X O . . / \
                        . . . X O X . / . . . X O . .";

    #[test]
    fn an_end_that_only_a_dead_stone_seems_to_win_is_not_taken() {
        // White's stone among Black's is dead: Black has won by half a point, and would have lost were it alive.
        let rows = ". X . X X O . / X X X X X O . / . O . X X O . / X X X X O O . / O O O O O . O / \
                    . O . O . O . / O . O O O . O";
        let rules = drawn(rows, "chinese").rules().with_komi(Komi::new(-11.5).unwrap());
        let mut root = Root::new(drawn(rows, "chinese").with_rules(rules));
        root.play(Move::Pass);
        let mut go = Go::new();
        let mut answer = |judging| {
            go.judging = judging;
            let limits = Limits { nodes: Some(300), ..Limits::move_time(Duration::from_secs(60)) };
            let best = go.think(&root, &limits, &Control::default(), &mut |_| {}).best.unwrap();
            (go.considered()[0].pv[0], best)
        };
        let (found, best) = answer(Duration::from_millis(1));
        assert!(found != Move::Pass && best == found);
        // Without the time to judge the end beforehand the search is misled, and its answer is judged.
        let (found, best) = answer(Duration::from_secs(100));
        assert!(found == Move::Pass && best != Move::Pass);
        // Most of its games ended at once; the pace of playouts is told by the others.
        assert!(u64::from(go.ownership().seen()) < go.search().summary().playouts / 2);
    }

    #[test]
    fn a_clean_up_takes_the_enemys_dead_stones_and_then_passes_whoever_is_ahead() {
        for komi in [0.5, 60.5] {
            let rules = drawn(DEAD, "chinese").rules().with_komi(Komi::new(komi).unwrap());
            let mut root = Root::new(drawn(DEAD, "chinese").with_rules(rules));
            let mut go = Go::new();
            go.cleans_up = true;
            while root.position().at(Point::new(1, 5)) != Colour::Empty {
                let m = go.think(&root, &Limits::nodes(200), &Control::default(), &mut |_| {}).best.unwrap();
                assert!(m != Move::Pass && root.moves().len() < 20, "{}", root.position());
                root.play(m);
                root.play(Move::Pass);
            }
            let last = go.think(&root, &Limits::nodes(200), &Control::default(), &mut |_| {});
            assert_eq!(last.best, Some(Move::Pass), "our own dead stone is no reason to play on");
        }
    }

    /// Whoever plays first between the walls is taken; White is ahead.
    const SEKI: &str = "X X X X O O O O O / X X X X O O O O O / X X X X O O O O O / X X X . O O O O O / \
                        X X X . O O O O O / X X X O O O O O O / X X X X O O O O O / X X X X O O O O O / \
                        X X X X O O O O O";

    #[test]
    fn a_seki_is_left_alone_where_only_the_pass_wins() {
        let rules = drawn(SEKI, "chinese").rules().with_komi(Komi::new(0.5).unwrap());
        let position = drawn(SEKI, "chinese").with_rules(rules).with_turn(Side::White);
        let mut go = Go::new();
        assert_eq!(best(&mut go, position, &[], 2000), Move::Pass);
        assert!(go.search().summary().value > 0.9, "{:?}", go.search().summary());
    }

    #[test]
    fn weak_levels_accept_the_end_of_a_game_they_have_won() {
        let rules = drawn(FINISHED, "chinese").rules().with_komi(Komi::new(-9.5).unwrap());
        let position = drawn(FINISHED, "chinese").with_rules(rules).with_turn(Side::White);
        for level in ["0", "6"] {
            let mut go = Go::new();
            go.set("Skill Level", level).unwrap();
            assert_eq!(best(&mut go, position.clone(), &[Move::Pass], 300), Move::Pass, "level {level}");
        }
    }

    #[test]
    fn a_move_may_take_what_its_nearest_limit_allows() {
        let seconds = Duration::from_secs;
        let clock = Some(TimeLeft { left: seconds(3), ..TimeLeft::default() });
        let fixed = Limits::move_time(seconds(2));
        assert_eq!(allotted(&fixed), Some(seconds(2)));
        assert_eq!(allotted(&Limits { clock: clock.clone(), ..Limits::default() }), Some(seconds(3)));
        assert_eq!(allotted(&Limits { clock, ..fixed }), Some(seconds(2)));
        assert_eq!(allotted(&Limits::nodes(1)), None);
    }

    #[test]
    fn a_stopped_search_answers_without_a_judgement() {
        // Every stone counts as alive, so that only a judgement can tell that the pass wins.
        let rules = drawn(WALLS, "cgos").rules().with_komi(Komi::new(0.5).unwrap());
        let mut root = Root::new(drawn(WALLS, "cgos").with_rules(rules).with_turn(Side::White));
        root.play(Move::Pass);
        let control = Control::default();
        let answer = || Go::new().think(&root, &Limits::nodes(1), &control, &mut |_| {}).best;
        assert_eq!(answer(), Some(Move::Pass));
        control.stop();
        assert_ne!(answer(), Some(Move::Pass));
    }
}
