//! What Monte-Carlo search asks of Go: the playout board, what is thought of moves beforehand, and the result.

mod advisor;

use std::sync::Arc;

use search::mcts::{Candidate, Leaf, Policy};
use search::{Random, Root, Side};

use crate::bias::{Biased, Weights};
use crate::board::Board;
use crate::features::{Scene, line};
use crate::orders::Orders;
use crate::ownership::Ownership;
use crate::patterns::is_shape;
use crate::playout::{Simulator, Style, is_self_atari};
use crate::point::{CELLS, points};
use crate::strengths::Strengths;
use crate::superko::Superko;
use crate::tactics::Reader;
use crate::tuning::{FEW_MOVES, LARGE_BOARD, MARGIN_SHARE, NEAR, PRIORS, Priors};
use crate::{Colour, Move, Point, Position, Rules, Scoring};

use crate::network::RECENT;
pub use advisor::Advisor;

/// Knowledge and state of one search thread.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// What playouts know.
    pub style: Style,
    /// What the tree thinks of moves beforehand.
    pub priors: Priors,
    /// What was learned of the strengths of moves.
    pub strengths: Arc<Strengths>,
    /// What the parts of the heuristic value are worth.
    pub weights: Weights,
    /// Added to White's points in the playouts only: keeps the search from giving up or slacking off.
    pub shift: f64,
    /// The part of a result that its margin decides; the rest is won or lost.
    pub margin_share: f32,
    /// What the tree may look at.
    pub orders: Orders,
    /// Whether a pass at the root is known to lose; it is left out where there is another move.
    pub pass_loses: bool,
    /// Whether the tree asks what is thought of moves beforehand; reading the board for nothing is dear.
    pub has_opinions: bool,
    /// Whether it also asks for a heuristic value beside them.
    pub has_bias: bool,
    /// A network, if there is one to ask.
    pub advisor: Option<Advisor>,
    /// What White is given in the game itself.
    compensation: f64,
    rules: Rules,
    /// The last moves of the game, the latest first.
    recent: [Option<Point>; RECENT],
    /// Who begins at the root, and after which move.
    first: Side,
    last: Point,
    simulator: Option<Simulator>,
    reader: Option<Reader>,
    superko: Superko,
    /// Who owned which point at the end of the playouts of the last search.
    pub ownership: Arc<Ownership>,
}

impl Knowledge {
    /// Knowledge for playouts of this style.
    pub fn new(style: Style) -> Knowledge {
        Knowledge {
            style,
            priors: PRIORS,
            strengths: Strengths::learned(),
            weights: Weights::DEFAULT,
            shift: 0.0,
            margin_share: MARGIN_SHARE,
            orders: Orders::default(),
            pass_loses: false,
            has_opinions: true,
            has_bias: false,
            advisor: None,
            compensation: 0.0,
            rules: Rules::default(),
            recent: [None; RECENT],
            first: Side::Black,
            last: Point::NONE,
            simulator: None,
            reader: None,
            superko: Superko::default(),
            ownership: Arc::default(),
        }
    }

    /// Starts a new count of owners that no playout escapes.
    pub fn count_all(&mut self) {
        self.ownership = Arc::new(Ownership::new(1));
    }
}

/// A move's opinion while its features are added up.
#[derive(Clone, Copy)]
struct Opinion {
    won: f32,
    all: f32,
}

impl Opinion {
    fn win(&mut self, playouts: f32) {
        self.won += playouts;
        self.all += playouts;
    }

    fn lose(&mut self, playouts: f32) {
        self.all += playouts;
    }

    fn candidate(self, point: Point, bias: f32) -> Candidate {
        Candidate { slot: point.0, visits: self.all, value: self.won / self.all, bias, probability: 0.0 }
    }
}

impl Policy<Position> for Knowledge {
    type Board = Board;

    fn board(&mut self, root: &Root<Position>) -> Board {
        let position = root.position();
        let at = |back: usize| {
            let number = root.moves().len().checked_sub(back);
            number.and_then(|i| root.moves()[i].point()).unwrap_or(Point::NONE)
        };
        // A pass, or a stone that took itself off the board, cannot be answered.
        let stands = position.at(at(1)).side().is_some();
        let board = Board::new(position, if stands { [at(1), at(2)] } else { [Point::NONE; 2] });
        self.compensation = position.compensation();
        self.rules = position.rules();
        let mut played = root.moves().iter().rev().map(|m| m.point());
        self.recent = std::array::from_fn(|_| played.next().flatten());
        (self.first, self.last) = (board.turn(), board.last());
        self.simulator = Some(Simulator::new(self.style, &board));
        self.reader = Some(Reader::new(&board));
        self.superko = Superko::new(root, &board);
        board
    }

    fn slots(&self) -> usize {
        CELLS
    }

    fn slot(&self, m: Move) -> u16 {
        m.point().unwrap_or(Point::NONE).0
    }

    fn unslot(&self, slot: u16) -> Move {
        if slot == 0 { Move::Pass } else { Move::At(Point(slot)) }
    }

    fn turn(&self, board: &Board) -> Side {
        board.turn()
    }

    fn is_over(&self, board: &Board) -> bool {
        board.passes() >= 2
    }

    fn candidates(&mut self, board: &Board, path: &[u16], out: &mut Vec<Candidate>) {
        if self.advisor.is_some() {
            self.advise(board, path, out);
            return;
        }
        let (legal, passes) = self.legal(board, path);
        if !self.has_opinions {
            let unknown = |point: Point| Candidate { slot: point.0, value: 0.5, ..Candidate::default() };
            out.extend(legal.into_iter().map(unknown));
            let pass = passes.then_some(Point::NONE);
            out.extend(pass.map(unknown));
            return;
        }
        let reader = self.reader.as_mut().expect("a search begins with its board");
        let scene = Scene::new(board, reader);
        let strengths: Vec<(Point, f32)> =
            legal.into_iter().map(|point| (point, scene.strength(point, &self.strengths))).collect();
        let total: f32 = strengths.iter().map(|(_, strength)| strength).sum();
        let left = strengths.len();
        // A move that touches nothing leaves time to play elsewhere.
        let wants_answer = board.last() != Point::NONE && !is_remote(board, board.last());
        let biased = self.has_bias.then(|| Biased::new(board, self.weights));
        for (point, strength) in strengths {
            let mut opinion = self.opinion(board, point, &scene, wants_answer);
            opinion.win(self.priors.learned * (strength / total).sqrt());
            let shape = || scene.shape(point, &self.strengths);
            let bias = biased.as_ref().map_or(0.0, |biased| biased.value(point, shape()));
            out.push(opinion.candidate(point, bias));
        }
        let mut opinion = Opinion { won: self.priors.even / 2.0, all: self.priors.even };
        if left <= FEW_MOVES {
            opinion.win(self.priors.learned / (left as f32 + 1.0).sqrt());
        } else if self.rules.scoring == Scoring::Area {
            // Where every stone put in settled ground costs a point, the pass is a move like others.
            opinion.lose(self.priors.pass);
        }
        if passes {
            out.push(opinion.candidate(Point::NONE, 0.0));
        }
    }

    /// A pass at the end of a game says nothing about one now.
    fn is_timeless(&self, slot: u16) -> bool {
        slot != 0
    }

    fn play(&mut self, board: &mut Board, slot: u16) {
        board.play(Point(slot));
    }

    fn evaluate(&mut self, leaves: &mut [Leaf<Board>], random: &mut Random) {
        for Leaf { board, trace, visits, value, candidates, race, is_given_up, .. } in leaves {
            let share = self.advisor.as_ref().map_or(1.0, |advisor| advisor.playout_share(*visits));
            let mut judged = 0.0;
            if share < 1.0 && board.passes() < 2 {
                judged = self.advise(board, trace, candidates);
                if share == 0.0 {
                    *value = judged;
                    continue;
                }
            }
            let deduction = self.deduction(board);
            let simulator = self.simulator.as_mut().expect("a search begins with its board");
            simulator.notice(trace, self.first, self.last);
            if board.passes() >= 2 {
                *value = self.reward(board.size(), board.flooded_area() - deduction);
                continue;
            }
            let is_idle = || race.as_ref().is_some_and(|race| race.is_decided());
            *is_given_up = !simulator.finish_unless(is_idle, board, random, trace);
            if *is_given_up {
                continue;
            }
            self.ownership.add(board);
            let played = self.reward(board.size(), board.area() - deduction);
            *value = share * played + (1.0 - share) * judged;
        }
    }
}

impl Knowledge {
    /// The points that the tree looks at, and whether it looks at the pass.
    fn legal(&self, board: &Board, path: &[u16]) -> (Vec<Point>, bool) {
        let past = self.superko.past(board, path);
        let repeats = |point| past.as_ref().is_some_and(|past| past.forbids(board, point));
        let permitted = |m: Move| self.orders.permit(board.turn(), m, path.len());
        let legal = |&point: &Point| {
            board.is_legal(point)
                && !board.is_eye(point, board.turn())
                && !repeats(point)
                && permitted(Move::At(point))
        };
        let legal: Vec<Point> = points(board.size()).filter(legal).collect();
        let leaves_out = self.pass_loses && path.is_empty() && !legal.is_empty();
        (legal, permitted(Move::Pass) && !leaves_out)
    }

    /// Black's result of a game that it won by so many points before compensation.
    fn reward(&self, size: usize, points: i32) -> f32 {
        let margin = points as f32 - (self.compensation + self.shift) as f32;
        let won = if margin > 0.0 {
            1.0
        } else if margin < 0.0 {
            0.0
        } else {
            0.5
        };
        self.value(won, margin, size)
    }

    /// What a probability to win and a margin are worth together.
    fn value(&self, won: f32, margin: f32, size: usize) -> f32 {
        let share = self.margin_share;
        (1.0 - share) * won + share * (0.5 + 0.5 * (margin / (size * size) as f32).clamp(-1.0, 1.0))
    }

    /// What Black's area has more than its territory, against White's: the stones put on the board. A playout's own
    /// stones cost nothing: it fills what both sides would leave alone.
    fn deduction(&self, board: &Board) -> i32 {
        match self.rules.scoring {
            Scoring::Area => 0,
            Scoring::Territory => board.placed(Side::Black) as i32 - board.placed(Side::White) as i32,
        }
    }

    fn opinion(&self, board: &Board, point: Point, scene: &Scene<'_>, wants_answer: bool) -> Opinion {
        let priors = &self.priors;
        let mut opinion = Opinion { won: priors.even / 2.0, all: priors.even };
        if let Some(&worth) = priors.near.get(scene.steps(point).wrapping_sub(1)).filter(|_| wants_answer) {
            opinion.win(worth);
        }
        let marks = scene.marks(point);
        if matches!(marks.capture, 4 | 6) || marks.escape == 3 {
            opinion.win(priors.take_many);
        } else if matches!(marks.capture, 3 | 5) || marks.escape == 2 {
            opinion.win(priors.take_one);
        }
        if marks.ladder > 0 {
            opinion.win(priors.ladder);
        }
        if is_shape(board.shape(point)) {
            opinion.win(priors.pattern);
        }
        if is_self_atari(board, point) {
            opinion.lose(priors.self_atari);
        }
        if is_remote(board, point) {
            match line(board, point) {
                0 | 1 => opinion.lose(priors.line),
                2 | 3 => opinion.win(priors.line),
                _ => {}
            }
        }
        if opens_corner(board, point) {
            opinion.win(priors.corner);
        }
        opinion
    }
}

/// Whether no other stone is near a point.
fn is_remote(board: &Board, point: Point) -> bool {
    let size = board.size();
    let around = |n: usize| n.saturating_sub(NEAR)..=(n + NEAR).min(size - 1);
    around(point.row()).all(|row| {
        around(point.column()).all(|column| {
            let other = Point::new(column, row);
            board.at(other) == Colour::Empty || other == point || point.distance(other) > NEAR
        })
    })
}

/// Whether a move is the first in a corner: on the third or fourth lines both ways, nothing around it.
fn opens_corner(board: &Board, point: Point) -> bool {
    let size = board.size();
    if size < LARGE_BOARD || !matches!(point.from_edges(size), (3, 2 | 3) | (2, 3)) {
        return false;
    }
    let corner = |n: usize| if n < size / 2 { 0..size / 3 } else { size - size / 3..size };
    corner(point.row())
        .all(|row| corner(point.column()).all(|column| board.at(Point::new(column, row)) == Colour::Empty))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::rules::Komi;
    use crate::text::drawn;

    /// Whether Black has won a game that is over.
    fn wins(knowledge: &mut Knowledge, board: Board) -> bool {
        let mut leaves = [Leaf::new(board)];
        knowledge.evaluate(&mut leaves, &mut Random::new(1));
        leaves[0].value > 0.5
    }

    #[test]
    fn a_stone_in_own_territory_costs_a_point_only_where_territory_counts() {
        // Black surrounds five points more than White.
        let rows = ". . X O . / . . X O . / . . X O . / . . X O . / . . X O .";
        for (name, dear) in [("japanese", true), ("chinese", false)] {
            let rules = drawn(rows, name).rules().with_komi(Komi::new(4.5).unwrap());
            let root = Root::new(drawn(rows, name).with_rules(rules));
            let mut knowledge = Knowledge::new(Style::Light);
            let mut wins_after = |moves: &[Point]| {
                let mut board = knowledge.board(&root);
                moves.iter().for_each(|&point| board.play(point));
                wins(&mut knowledge, board)
            };
            assert!(wins_after(&[Point::NONE, Point::NONE]), "{name}");
            assert_eq!(wins_after(&[Point::new(0, 2), Point::NONE, Point::NONE]), !dear, "{name}");
        }
    }

    #[test]
    fn playouts_pay_for_handicap_stones() {
        // The board is Black's, one point and a half more than the komi.
        for (name, won) in [("chinese", false), ("aga", true), ("new_zealand", true)] {
            let rows = "X . . . . / . . . . . / . . . . . / . . . . . / . . . . X";
            let rules = drawn(rows, name).rules().with_komi(Komi::new(23.5).unwrap());
            let root = Root::new(drawn(rows, name).with_rules(rules).with_handicap(2));
            let mut knowledge = Knowledge::new(Style::Light);
            let mut board = knowledge.board(&root);
            (0..2).for_each(|_| board.play(Point::NONE));
            assert_eq!(wins(&mut knowledge, board), won, "{name}");
        }
    }

    #[test]
    fn the_same_moves_are_considered_with_and_without_opinions() {
        let root = Root::new(drawn(". X . O . / X . O . . / . X O . . / . . . . . / . . . . .", "chinese"));
        let [known, unknown] = [true, false].map(|has_opinions| {
            let mut knowledge = Knowledge { has_opinions, ..Knowledge::new(Style::Light) };
            let board = knowledge.board(&root);
            let mut list = Vec::new();
            knowledge.candidates(&board, &[], &mut list);
            list
        });
        let slots = |list: &[Candidate]| list.iter().map(|candidate| candidate.slot).collect::<Vec<_>>();
        assert_eq!(slots(&known), slots(&unknown));
        assert!(
            known.iter().all(|move_| move_.visits > 0.0) && unknown.iter().all(|move_| move_.visits == 0.0)
        );
    }

    #[test]
    fn a_pass_that_loses_is_considered_only_where_nothing_else_is() {
        let eyes = ". X . X . / X X X X X / O O O O O / O O O O O / . O . O .";
        for (rows, passes) in
            [(eyes, true), (". . . . . / . . . . . / . . . . . / . . . . . / . . . . .", false)]
        {
            for has_opinions in [true, false] {
                let mut knowledge =
                    Knowledge { has_opinions, pass_loses: true, ..Knowledge::new(Style::Light) };
                let board = knowledge.board(&Root::new(drawn(rows, "chinese")));
                let mut list = Vec::new();
                knowledge.candidates(&board, &[], &mut list);
                assert_eq!(list.iter().any(|candidate| candidate.slot == 0), passes);
                list.clear();
                knowledge.candidates(&board, &[1], &mut list);
                assert!(list.iter().any(|candidate| candidate.slot == 0));
            }
        }
    }

    #[test]
    fn empty_corners_come_before_answers_to_a_lone_stone() {
        let mut root = Root::new(Position::empty(Rules::default()));
        root.play_text("D4").unwrap();
        let mut knowledge = Knowledge::new(Style::Light);
        let board = knowledge.board(&root);
        let mut list = Vec::new();
        knowledge.candidates(&board, &[], &mut list);
        let won = |candidate: &Candidate| candidate.visits * candidate.value;
        list.sort_by(|a, b| won(b).total_cmp(&won(a)));
        // Three points in each of the three corners left, and only there.
        for candidate in &list[..9] {
            let point = Point(candidate.slot);
            assert!(opens_corner(&board, point) && point.distance(board.last()) > 8, "{point:?}");
        }
        assert!(!opens_corner(&board, Point::new(3, 3)) && !opens_corner(&board, Point::new(2, 3)));
        assert!(!is_remote(&board, Point::new(5, 4)) && is_remote(&board, Point::new(3, 7)));
    }

    #[test]
    fn a_stone_that_took_itself_off_is_not_answered() {
        let rows = "X . O . . / . O O . . / O . . . . / . . . . . / . . . . .";
        let mut root = Root::new(drawn(rows, "new_zealand"));
        for text in ["A4", "pass", "B5"] {
            root.play_text(text).unwrap();
        }
        assert_eq!(root.position().at(Point::new(1, 4)), Colour::Empty);
        assert_eq!(Knowledge::new(Style::Light).board(&root).last(), Point::NONE);
    }
}
