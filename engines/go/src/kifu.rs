//! A game record in the making (kifu): stones set up, moves of either colour in any order, taking back.
//!
//! Where a colour moves twice in a row the other side has been passed over: its turn is gone, as after a pass, but
//! nobody has offered to end the game.

use search::{Game, History, MoveError, Root, Side};

use crate::{Colour, Move, Point, Position, Rules};

/// The game so far.
#[derive(Clone, Debug)]
pub struct Kifu {
    root: Root<Position>,
    /// For each move whether the other side was passed over before it.
    passed_over: Vec<bool>,
    /// Whether the turn has been handed over since the last move.
    handed_over: bool,
}

impl Kifu {
    /// A new game.
    pub fn new(rules: Rules) -> Kifu {
        Kifu::from_position(Position::empty(rules))
    }

    /// A game from a position.
    pub fn from_position(start: Position) -> Kifu {
        Kifu { root: Root::new(start), passed_over: Vec::new(), handed_over: false }
    }

    /// A game from handicap stones, with White to move.
    pub fn with_handicap(rules: Rules, stones: Vec<Point>) -> Kifu {
        let mut start = Position::empty(rules);
        stones.iter().for_each(|&point| start.set(point, Colour::Black));
        Kifu::from_position(start.with_handicap(stones.len()).with_turn(Side::White))
    }

    /// The game as the search sees it.
    pub fn root(&self) -> &Root<Position> {
        &self.root
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        self.root.position()
    }

    /// The number of handicap stones.
    pub fn handicap(&self) -> usize {
        self.position().handicap()
    }

    /// The number of moves made at the table.
    pub fn len(&self) -> usize {
        self.passed_over.len()
    }

    /// Whether no move has been made.
    pub fn is_empty(&self) -> bool {
        self.passed_over.is_empty()
    }

    /// The moves made at the table, with their colours.
    pub fn moves(&self) -> Vec<(Side, Move)> {
        let mut index = 0;
        let at = |passed: &bool| {
            index += usize::from(*passed);
            let turn = self.root.positions()[index].turn();
            index += 1;
            (turn, self.root.moves()[index - 1])
        };
        self.passed_over.iter().map(at).collect()
    }

    /// The game with this side to move; after two passes it goes on as if nobody had passed.
    pub fn root_for(&self, side: Side) -> Root<Position> {
        let mut root = self.root.clone();
        if self.handed_over {
            root.undo();
        }
        hand_over(&mut root, side);
        if root.position().passes() >= 2 {
            root.amend(root.position().clone().with_passes(0));
        }
        root
    }

    /// Whether the rules and the game so far let this side play here.
    pub fn is_legal(&self, side: Side, m: Move) -> bool {
        if self.position().turn() == side {
            return permits(self.position(), self.root.history(), m);
        }
        // A long game is not copied for one question.
        let (mut position, mut past) = (self.position().clone(), self.root.history().clone());
        if self.handed_over {
            position = self.root.positions()[self.root.moves().len() - 1].clone();
            past.pop();
        } else {
            past.push(position.key(), false);
            position.play(Move::Pass);
        }
        permits(&position, &past, m)
    }

    /// Plays a legal move.
    pub fn play(&mut self, side: Side, m: Move) -> Result<(), MoveError> {
        if !self.is_legal(side, m) {
            return Err(MoveError::Illegal(m.to_string()));
        }
        self.put(side, m);
        Ok(())
    }

    /// Plays a move that was made elsewhere: whatever our rules say of kos, repetitions and suicide, only a point
    /// that is taken is refused.
    pub fn follow(&mut self, side: Side, m: Move) -> Result<(), MoveError> {
        if m.point().is_some_and(|point| self.position().at(point) != Colour::Empty) {
            return Err(MoveError::Illegal(m.to_string()));
        }
        self.put(side, m);
        Ok(())
    }

    /// Gives a side the turn until the next move; before the first one the game begins with it.
    pub fn hand_over(&mut self, side: Side) {
        self.hand_back();
        if self.is_empty() {
            *self = Kifu::from_position(self.position().clone().with_turn(side));
        } else {
            self.handed_over = hand_over(&mut self.root, side);
        }
    }

    /// Takes the last move back.
    pub fn undo(&mut self) -> Option<Move> {
        self.hand_back();
        let passed = self.passed_over.pop()?;
        let m = self.root.undo();
        if passed {
            self.root.undo();
        }
        m
    }

    /// The same game under other rules of the same size; moves that they forbid stay as they were played.
    pub fn set_rules(&mut self, rules: Rules) {
        let (moves, turn) = (self.moves(), self.position().turn());
        *self = Kifu::from_position(self.root.start().clone().with_rules(rules));
        moves.into_iter().for_each(|(side, m)| self.put(side, m));
        self.hand_over(turn);
    }

    /// Plays a move, allowed or not, on a point that is empty.
    fn put(&mut self, side: Side, m: Move) {
        self.hand_back();
        let passed = hand_over(&mut self.root, side);
        self.root.play(m);
        self.passed_over.push(passed);
    }

    /// Gives the turn back to the side that has it after the last move.
    fn hand_back(&mut self) {
        if std::mem::take(&mut self.handed_over) {
            self.root.undo();
        }
    }
}

/// Whether the side to move may play here, however many have passed.
fn permits(position: &Position, past: &History, m: Move) -> bool {
    let position = position.clone().with_passes(0);
    m.point().is_none_or(|point| position.is_legal(point)) && position.allowed(m, past)
}

/// Gives the turn to a side; whether the other was passed over, which does not count as a pass of its own.
fn hand_over(root: &mut Root<Position>, side: Side) -> bool {
    let (turn, passes) = (root.position().turn(), root.position().passes());
    if turn != side {
        root.play(Move::Pass);
        // A single pass was this side's own, and nobody offers himself the end; two have ended the game.
        root.amend(root.position().clone().with_passes(if passes < 2 { 0 } else { passes }));
    }
    turn != side
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ko;
    use crate::point::points;

    fn five() -> Rules {
        Rules::default().with_size(5).unwrap()
    }

    #[test]
    fn a_colour_may_move_twice_and_take_both_back() {
        let mut record = Kifu::new(five());
        let (a, b) = (Move::At(Point::new(1, 1)), Move::At(Point::new(2, 2)));
        record.play(Side::Black, a).unwrap();
        record.play(Side::Black, b).unwrap();
        record.play(Side::White, Move::Pass).unwrap();
        assert_eq!(record.moves(), [(Side::Black, a), (Side::Black, b), (Side::White, Move::Pass)]);
        assert_eq!(record.undo(), Some(Move::Pass));
        assert_eq!(record.undo(), Some(b));
        assert_eq!(record.position().turn(), Side::White);
        assert_eq!((record.undo(), record.undo()), (Some(a), None));
    }

    #[test]
    fn who_is_passed_over_has_not_passed() {
        let mut record = Kifu::new(five());
        record.play(Side::White, Move::Pass).unwrap();
        let root = record.root_for(Side::White);
        assert_eq!((root.position().turn(), root.position().passes()), (Side::White, 0));
        assert_eq!(root.legal().len(), 26);
    }

    #[test]
    fn a_game_goes_on_after_two_passes_and_remembers_its_boards() {
        // White takes the ko at B4; Black may not retake, however many passes come between.
        let ko = ". X O . . / X . X O . / . X O . . / . . . . . / . . . . .";
        let mut record = Kifu::from_position(crate::text::drawn(ko, "chinese").with_turn(Side::White));
        let (take, retake) = (Move::At(Point::new(1, 3)), Move::At(Point::new(2, 3)));
        record.play(Side::White, take).unwrap();
        record.play(Side::Black, Move::Pass).unwrap();
        record.play(Side::White, Move::Pass).unwrap();
        let legal = record.root_for(Side::Black).legal();
        assert!(legal.len() > 1 && !legal.contains(&retake), "{legal:?}");
        assert!(record.root().legal().is_empty());
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut record = Kifu::new(five());
        let m = Move::At(Point::new(1, 1));
        record.play(Side::White, m).unwrap();
        assert!(record.play(Side::White, m).is_err());
        assert_eq!((record.len(), record.position().turn()), (1, Side::Black));
    }

    #[test]
    fn other_rules_keep_the_game() {
        let mut record = Kifu::with_handicap(five(), vec![Point::new(1, 1), Point::new(3, 3)]);
        record.play(Side::White, Move::At(Point::new(2, 2))).unwrap();
        record.set_rules(five().with_name("japanese").unwrap());
        assert_eq!((record.len(), record.handicap()), (1, 2));
        assert_eq!(record.position().rules().name(), Some("japanese"));
    }

    #[test]
    fn what_was_played_elsewhere_stands_though_it_is_forbidden_here() {
        // White takes the ko at B4, Black retakes it at once, White fills its own last liberty.
        let ko = ". X O . . / X . X O . / . X O . . / . . . . X / . . . X .";
        let start = crate::text::drawn(ko, "chinese").with_turn(Side::White);
        let mut record = Kifu::from_position(start.clone());
        let [take, retake, suicide] = [(1, 3), (2, 3), (4, 0)].map(|(x, y)| Move::At(Point::new(x, y)));
        record.follow(Side::White, take).unwrap();
        assert!(record.play(Side::Black, retake).is_err());
        record.follow(Side::Black, retake).unwrap();
        assert!(record.play(Side::White, suicide).is_err());
        record.follow(Side::White, suicide).unwrap();
        assert_eq!((record.len(), record.position().prisoners(Side::Black)), (3, 2));
        assert!(record.follow(Side::Black, retake).is_err());
        // The board stood before, and what it forbids is forbidden still.
        assert!(!record.is_legal(Side::White, take));
        record.set_rules(five().with_name("aga").unwrap());
        assert_eq!(record.moves(), [(Side::White, take), (Side::Black, retake), (Side::White, suicide)]);
        assert_eq!((record.undo(), record.undo(), record.undo()), (Some(suicide), Some(retake), Some(take)));
        assert!(record.position().same(&start));
    }

    #[test]
    fn a_turn_is_handed_over_until_the_next_move() {
        let [a, b] = [Point::new(1, 1), Point::new(2, 2)].map(Move::At);
        let mut record = Kifu::new(five());
        record.hand_over(Side::White);
        assert_eq!((record.position().turn(), record.root().moves().len()), (Side::White, 0));
        record.play(Side::White, a).unwrap();
        record.hand_over(Side::White);
        record.set_rules(five().with_name("japanese").unwrap());
        assert_eq!((record.position().turn(), record.len()), (Side::White, 1));
        assert_eq!(record.root_for(Side::Black).moves(), [a]);
        assert_eq!(record.root_for(Side::White).moves(), [a, Move::Pass]);
        let mut other = record.clone();
        other.play(Side::Black, b).unwrap();
        assert_eq!(other.root().moves(), [a, b]);
        record.play(Side::White, b).unwrap();
        assert_eq!(record.moves(), [(Side::White, a), (Side::White, b)]);
        assert_eq!(record.undo(), Some(b));
        record.hand_over(Side::White);
        assert_eq!((record.undo(), record.undo()), (Some(a), None));
    }

    /// Games of moves, passes, turns passed over and moves taken back, judged by a list of all their boards.
    #[test]
    fn superko_forbids_what_stood_before_and_nothing_else() {
        let mut forbidden = 0;
        for (seed, name) in
            (0..120).zip(["chinese", "aga", "new_zealand", "tromp-taylor"].into_iter().cycle())
        {
            let rules = Rules::default().with_name(name).and_then(|rules| rules.with_size(3)).unwrap();
            let (mut random, mut record) = (search::Random::new(seed), Kifu::new(rules));
            for _ in 0..60 {
                let turn = record.position().turn();
                let side = if random.below(5) == 0 { !turn } else { turn };
                let root = record.root_for(side);
                let board = |position: &Position| points(3).map(|p| position.at(p)).collect::<Vec<_>>();
                let stood = |after: &Position| {
                    let same_turn = |old: &Position| rules.ko == Ko::Positional || old.turn() == after.turn();
                    root.positions().iter().any(|old| same_turn(old) && board(old) == board(after))
                };
                let mut legal = vec![Move::Pass];
                for point in points(3).filter(|&p| root.position().at(p) == Colour::Empty) {
                    let mut after = root.position().clone();
                    after.play(Move::At(point));
                    let lives = after.at(point) != Colour::Empty;
                    let expected = (lives || rules.suicide) && !stood(&after);
                    assert_eq!(
                        record.is_legal(side, Move::At(point)),
                        expected,
                        "{point} {}",
                        root.position()
                    );
                    forbidden += usize::from(stood(&after));
                    legal.extend(Some(Move::At(point)).filter(|_| expected));
                }
                if random.below(10) == 0 {
                    record.undo();
                } else {
                    record.play(side, legal[random.below(legal.len() as u32) as usize]).unwrap();
                }
            }
        }
        assert!(forbidden > 1000, "only {forbidden} moves were forbidden");
    }
}
