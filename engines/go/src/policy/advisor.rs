//! A network beside the playouts: it finds the moves worth considering, and says what a leaf is worth.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use search::mcts::Candidate;
use search::{Random, Side};

use super::Knowledge;
use crate::network::{Circumstances, Judgement, Network, RECENT, View, Workspace};
use crate::tuning::{NOISE_SHARE, NOISE_TOTAL, heat};
use crate::{Board, Point};

/// A network as a thread of the search asks it.
#[derive(Clone, Debug)]
pub struct Advisor {
    /// The network.
    pub network: Arc<Network>,
    /// The part of a leaf's value that playouts decide, from 0 to 1.
    pub share: f32,
    /// The visit of a node at which the network is asked about it, if playouts have a share.
    pub after: u32,
    /// Probabilities are raised to one over this: above 1 they are flattened.
    pub heat: f32,
    /// The seed of noise on the probabilities at the root, if there is any.
    pub noise: Option<u64>,
    /// How often it was asked, by all threads.
    pub asked: Arc<AtomicU64>,
    work: Workspace,
}

impl Advisor {
    /// One that decides so much of a leaf's value, from a visit of its node on.
    pub fn new(network: Arc<Network>, share: f32, after: u32) -> Advisor {
        let (asked, work) = (Arc::default(), Workspace::default());
        Advisor { network, share, after, heat: 1.0, noise: None, asked, work }
    }

    /// Begins a search at a skill level.
    pub(crate) fn begin(&mut self, level: u32) {
        self.asked.store(0, Relaxed);
        self.heat = heat(level);
    }

    /// What playouts decide of the value of a leaf that was asked about so often before.
    pub(super) fn playout_share(&self, visits: u32) -> f32 {
        if self.share > 0.0 && visits + 1 < self.after { 1.0 } else { self.share }
    }
}

impl Knowledge {
    /// What a network sees of a board; `path` led there from the root.
    pub fn view(&mut self, board: &Board, path: &[u16]) -> View {
        let mut recent = self.recent;
        for &slot in &path[path.len().saturating_sub(RECENT)..] {
            recent.rotate_right(1);
            recent[0] = (slot != 0).then_some(Point(slot));
        }
        let compensation = self.compensation + self.shift + f64::from(self.deduction(board));
        let circumstances = Circumstances { rules: self.rules, compensation, recent };
        let past = self.superko.past(board, path);
        let reader = self.reader.as_mut().expect("a search begins with its board");
        View::new(board, reader, &circumstances, |point| {
            past.as_ref().is_some_and(|past| past.forbids(board, point))
        })
    }

    /// What the network says of a board; none without a network.
    pub fn judged(&mut self, board: &Board, path: &[u16]) -> Option<Judgement> {
        let view = self.view(board, path);
        let Advisor { network, work, asked, .. } = self.advisor.as_mut()?;
        asked.fetch_add(1, Relaxed);
        Some(network.judge(&view, work))
    }

    /// Appends the moves that a network considers, each with its probability, and says what the position is worth for
    /// Black.
    pub(super) fn advise(&mut self, board: &Board, path: &[u16], out: &mut Vec<Candidate>) -> f32 {
        let said = self.judged(board, path).expect("a search with an advisor asks it");
        let Some(Advisor { heat, noise, .. }) = self.advisor else { return 0.5 };
        let (size, sign) = (board.size(), if board.turn() == Side::Black { 1.0 } else { -1.0 });
        let place = |point: Point| point.row() * size + point.column();
        let (legal, passes) = self.legal(board, path);
        let stones = legal.iter().map(|&point| (point, said.stones[place(point)]));
        let moves: Vec<(Point, f32)> = stones.chain(passes.then_some((Point::NONE, said.pass))).collect();
        let most = moves.iter().map(|(_, logit)| *logit).fold(f32::NEG_INFINITY, f32::max);
        let odds: Vec<f32> = moves.iter().map(|(_, logit)| libm::expf((logit - most) / heat)).collect();
        let total: f32 = odds.iter().sum();
        let noise = noise.filter(|_| path.is_empty()).map(|seed| dirichlet(moves.len(), seed));
        for (i, ((point, _), odds)) in moves.iter().zip(odds).enumerate() {
            let own = odds / total;
            let probability =
                noise.as_ref().map_or(own, |noise| (1.0 - NOISE_SHARE) * own + NOISE_SHARE * noise[i]);
            out.push(Candidate { slot: point.0, value: 0.5, probability, ..Candidate::default() });
        }
        let score = sign * said.score;
        let area = f64::from(score) + self.compensation + self.shift + f64::from(self.deduction(board));
        self.ownership.count_in(size, area, |point| f64::from(sign * said.owners[place(point)]));
        let win = if board.turn() == Side::Black { said.win } else { 1.0 - said.win };
        self.value(win, score, size)
    }
}

/// Shares that add up to 1, most of them next to nothing: noise that now and then makes an unlikely move likely (Silver
/// and others, 2017), the more moves there are the rarer.
fn dirichlet(count: usize, seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    let parts: Vec<f64> = (0..count).map(|_| random.gamma(NOISE_TOTAL / count as f64)).collect();
    let total = parts.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    parts.into_iter().map(|part| (part / total) as f32).collect()
}

#[cfg(test)]
mod tests {
    use search::Root;
    use search::mcts::{Leaf, Policy};

    use super::*;
    use crate::network::tests::SMALL;
    use crate::playout::Style;
    use crate::{Move, Position, Rules};

    fn knowledge(share: f32, after: u32) -> Knowledge {
        let network = Arc::new(Network::random(SMALL, 5));
        Knowledge { advisor: Some(Advisor::new(network, share, after)), ..Knowledge::new(Style::Light) }
    }

    fn root(size: usize, moves: &[&str]) -> Root<Position> {
        let mut root = Root::new(Position::empty(Rules::default().with_size(size).unwrap()));
        for text in moves {
            root.play_text(text).unwrap();
        }
        root
    }

    fn advised(knowledge: &mut Knowledge, root: &Root<Position>, path: &[u16]) -> (Vec<Candidate>, f32) {
        let mut board = knowledge.board(root);
        path.iter().for_each(|&slot| board.play(Point(slot)));
        let mut list = Vec::new();
        let value = knowledge.advise(&board, path, &mut list);
        (list, value)
    }

    #[test]
    fn probabilities_are_of_legal_moves_and_flatten_with_heat() {
        let game = root(5, &["A2", "E5", "B1"]);
        let mut knowledge = knowledge(0.0, 1);
        let (list, _) = advised(&mut knowledge, &game, &[]);
        let total: f32 = list.iter().map(|move_| move_.probability).sum();
        assert!((total - 1.0).abs() < 1e-5 && list.iter().all(|move_| move_.probability > 0.0));
        // White may neither play into the corner nor onto a stone.
        assert_eq!(list.len(), 25 - 4 + 1);
        let spread = |list: &[Candidate]| {
            list.iter().map(|move_| move_.probability).fold(0.0, f32::max)
                - list.iter().map(|move_| move_.probability).fold(1.0, f32::min)
        };
        let sharp = spread(&list);
        knowledge.advisor.as_mut().unwrap().heat = 3.0;
        assert!(spread(&advised(&mut knowledge, &game, &[]).0) < sharp);
    }

    #[test]
    fn noise_is_on_the_root_alone_and_the_same_for_the_same_seed() {
        let game = root(5, &[]);
        let mut knowledge = knowledge(0.0, 1);
        let first = Point::new(2, 2).0;
        let [plain, below] = [&[][..], &[first]].map(|path| advised(&mut knowledge, &game, path).0);
        knowledge.advisor.as_mut().unwrap().noise = Some(4);
        let noisy = advised(&mut knowledge, &game, &[]).0;
        assert_ne!(noisy, plain);
        assert!((noisy.iter().map(|move_| move_.probability).sum::<f32>() - 1.0).abs() < 1e-5);
        assert_eq!(advised(&mut knowledge, &game, &[]).0, noisy);
        assert_eq!(advised(&mut knowledge, &game, &[first]).0, below);
    }

    #[test]
    fn a_leaf_is_seen_as_the_position_it_is() {
        // In the tree and in the game.
        let slots = ["C3", "B2", "pass", "D4"].map(|text| match crate::text::read_move(5, text).unwrap() {
            Move::At(point) => point.0,
            Move::Pass => 0,
        });
        let mut knowledge = knowledge(0.0, 1);
        let game = root(5, &["C2", "A1"]);
        let (list, value) = advised(&mut knowledge, &game, &slots);
        let later = root(5, &["C2", "A1", "C3", "B2", "pass", "D4"]);
        assert_eq!(advised(&mut knowledge, &later, &[]), (list, value));
    }

    #[test]
    fn playouts_and_network_share_the_value_from_the_visit_on_that_was_asked_for() {
        let game = root(5, &["C3"]);
        let asks = |share, after, visits| {
            let mut knowledge = knowledge(share, after);
            let mut leaves = [Leaf::new(knowledge.board(&game))];
            leaves[0].visits = visits;
            knowledge.evaluate(&mut leaves, &mut Random::new(1));
            (leaves[0].value, !leaves[0].candidates.is_empty(), leaves[0].trace.is_empty())
        };
        let (network, ..) = asks(0.0, 9, 0);
        let (playout, ..) = asks(1.0, 9, 0);
        assert_eq!((asks(0.0, 9, 0).1, asks(0.0, 9, 0).2), (true, true));
        assert_eq!(asks(0.25, 3, 1), (playout, false, false));
        let (mixed, expands, is_silent) = asks(0.25, 3, 2);
        assert!((mixed - 0.25 * playout - 0.75 * network).abs() < 1e-6 && expands && !is_silent);
    }

    #[test]
    fn what_is_thought_is_the_same_for_both_colours() {
        let network = knowledge(0.0, 1);
        let board = |turn| {
            let rules = Rules::default().with_size(5).unwrap().with_komi(crate::rules::Komi::ZERO);
            Root::new(Position::empty(rules).with_turn(turn))
        };
        let [black, white] = [Side::Black, Side::White].map(|turn| {
            let mut knowledge = network.clone();
            knowledge.ownership = Arc::default();
            let value = advised(&mut knowledge, &board(turn), &[]);
            (value, knowledge.ownership.margin(), knowledge.ownership.at(Point::new(1, 1)))
        });
        assert_eq!(black.0.0, white.0.0);
        assert!((black.0.1 + white.0.1 - 1.0).abs() < 1e-6);
        assert!((black.1 + white.1).abs() < 0.01 && (black.2 + white.2).abs() < 0.01 && black.1 != 0.0);
    }
}
