//! A position of Go and the rules that do not concern single moves.

use search::game::{Game, MoveError, MoveList, Outcome, PositionError, Side};
use search::{History, zobrist};

use crate::moves::{self, Move};
use crate::point::{CELLS, Point, PointSet, points};
use crate::rules::{Ko, Rules, Scoring};
use crate::{seki, text};

const STONE_KEYS: [[u64; CELLS]; 2] = [zobrist::table(11), zobrist::table(12)];
const KO_KEYS: [u64; CELLS] = zobrist::table(13);
const WHITE_KEY: u64 = zobrist::mix(14);
/// Times a position must have stood before to make a game under simple ko end without result.
const REPETITIONS: usize = 2;

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Colour {
    /// A point without a stone.
    Empty,
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// Off the board.
    #[default]
    Border,
}

impl Colour {
    /// The colour of a side's stones.
    #[inline(always)]
    pub fn of(side: Side) -> Colour {
        match side {
            Side::Black => Colour::Black,
            Side::White => Colour::White,
        }
    }

    /// The side whose stones these are.
    pub fn side(self) -> Option<Side> {
        match self {
            Colour::Black => Some(Side::Black),
            Colour::White => Some(Side::White),
            _ => None,
        }
    }
}

/// The key of the stones alone.
pub(crate) fn board_key(at: impl Fn(Point) -> Colour, size: usize) -> u64 {
    let stones = points(size).filter_map(|point| at(point).side().map(|side| (point, side)));
    stones.fold(0, |key, (point, side)| key ^ stone_key(side, point))
}

/// What a stone adds to it.
pub(crate) fn stone_key(side: Side, point: Point) -> u64 {
    STONE_KEYS[side.index()][point.index()]
}

/// What the side to move adds to it.
pub(crate) fn side_key(turn: Side) -> u64 {
    if turn == Side::White { WHITE_KEY } else { 0 }
}

/// Who has stones where, who is to move, what was just taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    rules: Rules,
    cells: [Colour; CELLS],
    turn: Side,
    ko: Option<Point>,
    passes: u8,
    /// Stones each side has taken.
    prisoners: [u16; 2],
    /// Stones that Black was given.
    handicap: u16,
    /// Of the stones alone.
    board_key: u64,
}

impl Position {
    /// An empty board with Black to move.
    pub fn empty(rules: Rules) -> Position {
        let mut cells = [Colour::Border; CELLS];
        points(rules.size()).for_each(|point| cells[point.index()] = Colour::Empty);
        Position {
            rules,
            cells,
            turn: Side::Black,
            ko: None,
            passes: 0,
            prisoners: [0; 2],
            handicap: 0,
            board_key: 0,
        }
    }

    /// What the cell holds.
    #[inline(always)]
    pub fn at(&self, point: Point) -> Colour {
        self.cells[point.index()]
    }

    /// The rules the position is played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The point that may not be retaken at once.
    pub fn ko(&self) -> Option<Point> {
        self.ko
    }

    /// The passes since the last stone; two end the game, more are not counted.
    pub fn passes(&self) -> u32 {
        u32::from(self.passes)
    }

    /// The stones this side has taken.
    pub fn prisoners(&self, side: Side) -> u32 {
        u32::from(self.prisoners[side.index()])
    }

    /// The stones Black was given before the first move; none or at least two.
    pub fn handicap(&self) -> usize {
        usize::from(self.handicap)
    }

    /// What White is given, in points: komi, and the bonus for handicap stones.
    pub fn compensation(&self) -> f64 {
        self.rules.komi.points() + self.rules.bonus.points(self.handicap()) as f64
    }

    /// The number of stones of this colour on the board, or of empty points.
    pub fn number(&self, colour: Colour) -> usize {
        points(self.rules.size()).filter(|&p| self.at(p) == colour).count()
    }

    /// The same stones under other rules of the same size.
    pub fn with_rules(mut self, rules: Rules) -> Position {
        debug_assert_eq!(rules.size(), self.rules.size());
        self.rules = rules;
        self
    }

    /// The same stones with this side to move.
    pub fn with_turn(mut self, side: Side) -> Position {
        self.turn = side;
        self
    }

    /// The same position after this many passes.
    pub fn with_passes(mut self, passes: u32) -> Position {
        self.passes = passes.min(2) as u8;
        self
    }

    /// The same stones, of which Black was given so many; a single one is no handicap.
    pub fn with_handicap(mut self, stones: usize) -> Position {
        self.handicap = if stones < 2 { 0 } else { stones as u16 };
        self
    }

    /// The same stones with this side to go on, as if nobody had passed and nothing were forbidden.
    pub fn resumed(&self, side: Side) -> Position {
        self.clone().with_memory(None, 0, self.prisoners).with_turn(side)
    }

    /// The same position with the ko, the passes and the prisoners given.
    pub(crate) fn with_memory(mut self, ko: Option<Point>, passes: u8, prisoners: [u16; 2]) -> Position {
        (self.ko, self.passes, self.prisoners) = (ko, passes, prisoners);
        self
    }

    /// Puts or takes away a stone without playing; the caller keeps chains without liberties off the board.
    ///
    /// What stood there as a handicap is then a position like any other.
    pub fn set(&mut self, point: Point, colour: Colour) {
        self.change(point, colour);
        self.handicap = 0;
    }

    fn change(&mut self, point: Point, colour: Colour) {
        for side in [self.at(point), colour].into_iter().filter_map(Colour::side) {
            self.board_key ^= stone_key(side, point);
        }
        self.cells[point.index()] = colour;
        self.ko = None;
    }

    /// The position without these stones.
    pub fn without(&self, stones: &PointSet) -> Position {
        let mut position = self.clone();
        stones.iter().for_each(|point| position.set(point, Colour::Empty));
        position
    }

    /// Whether every chain has a liberty.
    pub fn is_possible(&self) -> bool {
        [Colour::Black, Colour::White]
            .iter()
            .all(|&colour| self.chains(colour).iter().all(|chain| !chain.liberties.is_empty()))
    }

    /// The key from scratch; `key` keeps it move by move.
    pub fn computed_key(&self) -> u64 {
        self.key() ^ self.board_key ^ board_key(|point| self.at(point), self.rules.size())
    }

    /// Points for Black minus points for White, compensation included, if all stones on the board are alive.
    pub fn margin(&self) -> f64 {
        self.margin_without(&PointSet::default())
    }

    /// The same once the dead stones have been taken off; where territory counts, that of stones in seki does not.
    pub fn margin_without(&self, dead: &PointSet) -> f64 {
        let cleaned = self.without(dead);
        let barren = cleaned.barren();
        let mut total = -self.compensation();
        for (side, sign) in [(Side::Black, 1.0), (Side::White, -1.0)] {
            let own = match self.rules.scoring {
                Scoring::Area => cleaned.number(Colour::of(side)),
                Scoring::Territory => {
                    let taken = dead.iter().filter(|&p| self.at(p) == Colour::of(!side)).count();
                    self.prisoners(side) as usize + taken
                }
            };
            total += sign * (own + cleaned.surrounded(side, &barren)) as f64;
        }
        total
    }

    /// The stones on the board whose eyes nobody counts.
    pub fn barren(&self) -> PointSet {
        match self.rules.scoring {
            Scoring::Area => PointSet::default(),
            Scoring::Territory => seki::seki(self),
        }
    }

    /// Black's margin under the rules in force, compensation included, if its area will be this much larger than
    /// White's.
    ///
    /// Living stones and the enemy's dead ones are area but no territory: the two counts differ by the stones that
    /// each side has put on the board.
    pub fn margin_of_area(&self, area: f64) -> f64 {
        let placed = |side: Side| self.number(Colour::of(side)) as f64 + f64::from(self.prisoners(!side));
        let more = match self.rules.scoring {
            Scoring::Area => 0.0,
            Scoring::Territory => placed(Side::Black) - placed(Side::White),
        };
        area - more - self.compensation()
    }

    /// The number of empty points that are this side's.
    fn surrounded(&self, side: Side, barren: &PointSet) -> usize {
        let mut seen = PointSet::default();
        let mut total = 0;
        for point in points(self.rules.size()).filter(|&p| self.at(p) == Colour::Empty) {
            if seen.contains(point) {
                continue;
            }
            let (inside, owner) = self.owner(point, barren);
            seen.union(&inside);
            total += if owner == Some(side) { inside.len() } else { 0 };
        }
        total
    }

    /// The empty region around a point, and the side whose stones alone it touches, none of them barren.
    pub fn owner(&self, point: Point, barren: &PointSet) -> (PointSet, Option<Side>) {
        let (inside, black) = self.region(point, Colour::Black);
        let (_, white) = self.region(point, Colour::White);
        let owner = match (black.is_empty(), white.is_empty()) {
            (false, true) => Some(Side::Black),
            (true, false) => Some(Side::White),
            _ => None,
        };
        (inside, owner.filter(|_| black.is_disjoint(barren) && white.is_disjoint(barren)))
    }

    fn lift(&mut self, stones: &PointSet) -> u16 {
        stones.iter().for_each(|point| self.change(point, Colour::Empty));
        stones.len() as u16
    }

    fn put(&mut self, point: Point) {
        let (own, enemy) = (self.turn, !self.turn);
        self.change(point, Colour::of(own));
        let mut taken = PointSet::default();
        for next in point.neighbours().into_iter().filter(|&p| self.at(p) == Colour::of(enemy)) {
            let chain = self.chain(next);
            if chain.liberties.is_empty() {
                taken.union(&chain.stones);
            }
        }
        self.prisoners[own.index()] += self.lift(&taken);
        let chain = self.chain(point);
        if chain.liberties.is_empty() {
            self.prisoners[enemy.index()] += self.lift(&chain.stones);
        } else if taken.len() == 1 && chain.stones.len() == 1 && chain.liberties.len() == 1 {
            self.ko = taken.iter().next();
        }
    }
}

impl Game for Position {
    type Rules = Rules;
    type Move = Move;

    fn start(rules: &Rules) -> Position {
        Position::empty(*rules)
    }

    fn read(rules: &Rules, text: &str) -> Result<Position, PositionError> {
        text::read(*rules, text)
    }

    fn turn(&self) -> Side {
        self.turn
    }

    /// Under superko the board and the side are all; under simple ko the ko counts too.
    fn key(&self) -> u64 {
        let ko = match self.ko {
            Some(point) if self.rules.ko == Ko::Simple => KO_KEYS[point.index()],
            _ => 0,
        };
        self.board_key ^ side_key(self.turn) ^ ko
    }

    fn salt(&self) -> u64 {
        zobrist::mix(15 + u64::from(self.passes))
    }

    fn same(&self, other: &Position) -> bool {
        let same_ko = self.rules.ko != Ko::Simple || self.ko == other.ko;
        self.cells == other.cells && self.turn == other.turn && same_ko
    }

    fn moves(&self, out: &mut MoveList<Move>) {
        moves::generate(self, out);
    }

    fn allowed(&self, m: Move, past: &History) -> bool {
        if m == Move::Pass || self.rules.ko == Ko::Simple {
            return true;
        }
        let mut next = self.clone();
        next.play(m);
        let stood = |key: u64| key == self.key() || past.contains(key);
        !stood(next.key()) && (self.rules.ko == Ko::Situational || !stood(next.key() ^ WHITE_KEY))
    }

    fn pack(&self, m: Move) -> u32 {
        m.point().map_or(CELLS as u32, |point| u32::from(point.0))
    }

    fn play(&mut self, m: Move) {
        self.ko = None;
        match m {
            Move::Pass => self.passes = 2.min(self.passes + 1),
            Move::At(point) => {
                self.passes = 0;
                self.put(point);
            }
        }
        self.turn = !self.turn;
    }

    /// Stones may be taken and put back, so nothing rules a board out for good.
    fn irreversible(&self, _: Move) -> bool {
        false
    }

    fn stuck(&self) -> Outcome {
        match self.margin() {
            margin if margin > 0.0 => Outcome::win(Side::Black, "more points"),
            margin if margin < 0.0 => Outcome::win(Side::White, "more points"),
            _ => Outcome::draw("equal points"),
        }
    }

    fn drawn(&self, earlier: usize) -> Option<&'static str> {
        (self.rules.ko == Ko::Simple && earlier >= REPETITIONS).then_some("no result by repetition")
    }

    fn parse(&self, text: &str) -> Result<Move, MoveError> {
        text::parse(self, text)
    }

    fn write(&self, m: Move) -> String {
        m.to_string()
    }

    fn picture(&self) -> String {
        text::picture(self)
    }

    /// Komi and first move make the sides unequal.
    fn flipped(&self) -> Option<Position> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::drawn;

    fn game(position: Position, moves: &str) -> search::Root<Position> {
        let mut game = search::Root::new(position);
        for text in moves.split_whitespace() {
            game.play_text(text).unwrap();
        }
        game
    }

    fn small(name: &str) -> Rules {
        Rules::default().with_name(name).unwrap().with_size(5).unwrap()
    }

    #[test]
    fn a_chain_without_liberties_is_taken() {
        let board = drawn(". X . . . / X O X . . / . . . . . / . . . . . / . . . . .", "chinese");
        let mut after = board;
        after.play(after.parse("B3").unwrap());
        assert_eq!(after.at(Point::new(1, 3)), Colour::Empty);
        assert_eq!(after.prisoners(Side::Black), 1);
        assert_eq!(after.key(), after.computed_key());
    }

    #[test]
    fn a_ko_may_not_be_retaken_at_once_but_a_snapback_may() {
        let ko = drawn(". X O . . / X . X O . / . X O . . / . . . . . / . . . . .", "chinese")
            .with_turn(Side::White);
        let mut game = search::Root::new(ko);
        game.play_text("B4").unwrap();
        assert_eq!(game.play_text("C4"), Err(MoveError::Illegal("C4".to_owned())));
        game.play_text("E1").unwrap();
        game.play_text("A1").unwrap();
        game.play_text("C4").unwrap();
        let snapback = drawn(". . O X . / O O O X . / X X X . . / . . . . . / . . . . .", "chinese");
        let game = self::game(snapback, "B5 A5 B5");
        assert_eq!(game.position().prisoners(Side::Black), 5);
    }

    #[test]
    fn suicide_is_a_matter_of_the_rules() {
        for (name, lone, several) in [
            ("chinese", false, false),
            ("japanese", false, false),
            ("aga", false, false),
            ("tromp-taylor", false, true),
            ("new_zealand", true, true),
        ] {
            let board = drawn("X . O . . / . O O . . / O . . . . / . . . . . / . . . . .", name);
            let lone_board = drawn(". O . . . / O . . . . / . . . . . / . . . . . / . . . . .", name);
            assert_eq!(search::Root::new(lone_board).play_text("A5").is_ok(), lone, "{name}");
            let mut game = search::Root::new(board);
            game.play_text("A4").unwrap();
            game.play(Move::Pass);
            assert_eq!(game.play_text("B5").is_ok(), several, "{name}");
        }
    }

    #[test]
    fn superko_sees_the_whole_game() {
        // White sends two stones and takes one: the board of the start returns after three plies.
        let board = ". . . . . / . . . . . / . . . . . / X X O O . / . O . O .";
        for (name, legal) in [("chinese", false), ("aga", true), ("japanese", true)] {
            let mut game = game(drawn(board, name).with_turn(Side::White), "A1 C1");
            assert_eq!(game.play_text("B1").is_ok(), legal, "{name}");
        }
    }

    #[test]
    fn two_passes_end_the_game_by_count() {
        let game = game(Position::empty(small("chinese")), "C3 pass pass");
        assert_eq!(game.outcome(), Some(Outcome::win(Side::Black, "more points")));
        assert_eq!(game.position().margin(), 25.0 - 7.5);
        assert!(game.legal().is_empty());
        let mut passed = game.position().clone();
        passed.play(Move::Pass);
        assert_eq!(Position::read(&small("chinese"), &passed.to_string()), Ok(passed));
    }

    #[test]
    fn territory_counts_prisoners_and_the_dead() {
        let board = drawn("X . X O . / . X X O . / X X O O O / . X O . X / X X O . .", "japanese");
        let dead = [Point::new(4, 1)].into_iter().collect();
        assert_eq!(board.margin_without(&dead), 3.0 - (6.0 + 1.0) - 7.5);
        let area = board.clone().with_rules(small("chinese"));
        assert_eq!(area.margin_without(&dead), 12.0 - 13.0 - 7.5);
        assert_eq!(area.margin_of_area(-1.0), area.margin_without(&dead));
        assert_eq!(board.margin_of_area(-1.0), board.margin_without(&dead));
    }

    #[test]
    fn a_game_that_ends_with_all_stones_alive_counts_no_eyes_in_seki() {
        let rows = ". O . X . O . / O O O X O O O / X X X X X X X / X X X X X X X / X X X X X X X / \
                    X X X X X X X / X X X X X X X";
        let komi = crate::rules::Komi::new(-1.0).unwrap();
        for (name, margin) in [("japanese", 1.0), ("chinese", 37.0 - 8.0 - 2.0 + 1.0)] {
            let rules = drawn(rows, name).rules().with_komi(komi);
            let game = game(drawn(rows, name).with_rules(rules), "pass pass");
            assert_eq!(game.position().margin(), margin, "{name}");
            assert_eq!(game.outcome(), Some(Outcome::win(Side::Black, "more points")), "{name}");
        }
    }

    #[test]
    fn handicap_stones_are_paid_for_by_the_rules() {
        for (name, margin) in [
            ("chinese", 25.0 - 2.0 - 7.5),
            ("cgos", 25.0 - 2.0 - 7.5),
            ("aga", 25.0 - 1.0 - 7.5),
            ("new_zealand", 25.0 - 7.5),
            ("tromp-taylor", 25.0 - 7.5),
            ("japanese", 23.0 - 7.5),
        ] {
            let rows = "X . . . . / . . . . . / . . . . . / . . . . . / . . . . X";
            let given = drawn(rows, name).with_handicap(2).with_turn(Side::White);
            let game = game(given.clone(), "pass pass");
            assert_eq!(game.position().margin(), margin, "{name}");
            assert_eq!(given.margin_of_area(25.0), margin, "{name}");
        }
    }

    #[test]
    fn stones_set_up_or_alone_are_no_handicap() {
        let rows = "X . . . . / . . . . . / . . . . . / . . . . . / . . . . X";
        let set_up = drawn(rows, "chinese");
        assert_eq!((set_up.handicap(), set_up.margin()), (0, 25.0 - 7.5));
        assert_eq!(set_up.clone().with_handicap(1), set_up);
        let mut given = set_up.clone().with_handicap(2);
        assert_ne!(given, set_up);
        given.play(Move::At(Point::new(2, 2)));
        assert_eq!(given.handicap(), 2);
        given.set(Point::new(2, 3), Colour::White);
        assert_eq!(given.handicap(), 0);
    }
}
