//! Boards so small that they can be solved: the search must find the moves that win.

use std::collections::{HashMap, HashSet};

use go::rules::Komi;
use go::{Colour, Go, Move, Position, Rules, life};
use search::{Control, Engine, Game, Limits, Random, Root, Search, Side, zobrist};

/// Proofs that take more plies are not looked for.
const LONGEST: u32 = 24;

/// Tries everything, up to a number of moves. What is proved is kept under the position and all boards before it,
/// which superko forbids.
struct Solver {
    known: HashMap<(u64, u64, u32), Option<Side>>,
}

impl Solver {
    /// Who wins with best play, the shortest proof first.
    fn winner(root: &mut Root<Position>) -> Option<Side> {
        let boards: HashSet<u64> = root.positions().iter().map(board).collect();
        let past = boards.into_iter().fold(0, |past, board| past ^ board);
        let mut solver = Solver { known: HashMap::new() };
        (1..=LONGEST).find_map(|plies| solver.search(root, past, plies))
    }

    /// Who can be proved to win within so many plies.
    fn search(&mut self, root: &mut Root<Position>, past: u64, plies: u32) -> Option<Side> {
        if let Some(outcome) = root.outcome() {
            return outcome.winner;
        }
        if let Some(winner) = settled(root.position()) {
            return Some(winner);
        }
        let plies = plies.checked_sub(1)?;
        let key = (root.position().key() ^ root.position().salt(), past, plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let side = root.position().turn();
        let mut found = Some(!side);
        for m in root.legal() {
            root.play(m);
            let new = if m == Move::Pass { 0 } else { board(root.position()) };
            let winner = self.search(root, past ^ new, plies);
            root.undo();
            if winner == Some(side) {
                found = winner;
                break;
            }
            // One reply that nobody has refuted is enough to leave the loss open.
            found = found.and(winner);
        }
        self.known.insert(key, found);
        found
    }
}

/// The stones alone, whoever is to move; mixed, because the plain keys of a set of boards can cancel out.
fn board(position: &Position) -> u64 {
    zobrist::mix(position.clone().with_turn(Side::Black).key())
}

/// Who has won because nothing can take enough points away.
fn settled(position: &Position) -> Option<Side> {
    let rules = position.rules();
    [Side::Black, Side::White].into_iter().find(|&side| {
        let (stones, regions) = life::unconditional(position, Colour::of(side));
        let safe = (stones.iter().count() + regions.iter().count()) as f64;
        let komi = if side == Side::Black { -rules.komi.points() } else { rules.komi.points() };
        2.0 * safe - rules.area() as f64 + komi > 0.0
    })
}

/// A board on which every stone counts as alive at the end.
fn rules(size: usize, komi: f64) -> Rules {
    let rules = Rules::default().with_name("cgos").and_then(|rules| rules.with_size(size));
    rules.expect("the rules exist").with_komi(Komi::new(komi).expect("a number"))
}

fn engine_move(root: &Root<Position>, playouts: u64) -> Move {
    let mut go = Go::new();
    go.set_rules(root.position().rules());
    go.think(root, &Limits::nodes(playouts), &Control::default(), &mut |_| {})
        .best
        .expect("the game is not over")
}

/// From positions after random moves the engine plays a move that wins wherever there is one.
fn check_moves(rules: Rules, opening: &[&str], walks: u64, playouts: u64) {
    let mut won = 0;
    for seed in 0..walks {
        let mut random = Random::new(seed);
        let mut root = Root::new(Position::start(&rules));
        opening.iter().for_each(|m| _ = root.play_text(m).expect("a legal move"));
        for _ in 0..random.below(5) {
            let moves = root.legal();
            root.play(moves[random.below(moves.len() as u32) as usize]);
            if root.outcome().is_some() {
                root.undo();
            }
        }
        let side = root.position().turn();
        if Solver::winner(&mut root) != Some(side) {
            continue;
        }
        won += 1;
        let m = engine_move(&root, playouts);
        let before = root.position().to_string();
        root.play(m);
        assert_eq!(Solver::winner(&mut root), Some(side), "{m} in {before} throws the game away");
    }
    assert!(won * 4 > walks, "only {won} of {walks} positions could be won");
}

#[test]
fn the_smallest_board_is_worth_a_point_and_is_played_so() {
    let value = |komi| Solver::winner(&mut Root::new(Position::start(&rules(2, komi))));
    assert_eq!((value(0.5), value(1.5)), (Some(Side::Black), Some(Side::White)));
    check_moves(rules(2, 0.5), &[], 60, 2000);
}

#[test]
fn three_by_three_belongs_to_who_has_the_centre() {
    let mut root = Root::new(Position::start(&rules(3, 8.5)));
    assert_eq!(engine_move(&root, 5000).to_string(), "B2");
    root.play_text("B2").unwrap();
    assert_eq!(Solver::winner(&mut root), Some(Side::Black));
    check_moves(rules(3, 8.5), &["B2"], 15, 2000);
}
