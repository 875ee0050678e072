//! The rules against another move generator.

#![allow(clippy::unwrap_used)]

use chess::{Position, Rules};
use cozy_chess::Board;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::Game;

fn cozy(position: &Position) -> Board {
    let fen = Position::read(&Rules { chess960: true }, &position.to_string()).unwrap().to_string();
    Board::from_fen(&fen, true).unwrap_or_else(|why| panic!("{fen}: {why:?}"))
}

fn cozy_moves(board: &Board) -> Vec<String> {
    let mut out = Vec::new();
    board.generate_moves(|moves| {
        out.extend(moves.into_iter().map(|m| m.to_string()));
        false
    });
    out.sort();
    out
}

fn our_moves(position: &Position) -> Vec<String> {
    let list = position.list();
    let mut out: Vec<String> = list.iter().map(|&m| position.write(m)).collect();
    out.sort();
    out
}

/// Calls `visit` on positions of random games, half of them from random Chess960 starts.
fn walk(games: u64, mut visit: impl FnMut(&Position)) {
    for seed in 0..games {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let number = if seed % 2 == 0 { 518 } else { random.next_u64() as u32 % 960 };
        let start = Board::chess960_startpos(number);
        let mut position = Position::read(&Rules { chess960: true }, &format!("{start:#}")).unwrap();
        for _ in 0..120 {
            let list = position.list();
            if list.is_empty() {
                break;
            }
            position.play(list[random.next_u64() as usize % list.len()]);
            visit(&position);
        }
    }
}

#[test]
fn random_positions_have_the_moves_that_cozy_chess_finds() {
    let mut seen = 0;
    walk(30, |position| {
        assert_eq!(our_moves(position), cozy_moves(&cozy(position)), "{position}");
        seen += 1;
    });
    assert!(seen > 1000);
}

#[test]
fn keys_and_text_follow_the_moves() {
    walk(20, |position| {
        assert_eq!(*position.keys(), position.computed_keys(), "{position}");
        let read = Position::read(&position.rules(), &position.to_string()).unwrap();
        assert_eq!(read, *position, "{position}");
        assert_eq!(position.count() as usize, our_moves(position).len());
        assert_eq!(position.flipped().unwrap().count(), position.count(), "{position}");
    });
}

#[test]
fn a_move_of_another_position_is_legal_only_if_it_is_listed() {
    let mut last = Vec::new();
    walk(20, |position| {
        let list = position.list();
        for &m in &last {
            assert_eq!(position.is_legal(m), list.contains(&m), "{position} {m:?}");
        }
        last.extend(list.iter().copied());
        let old = last.len().saturating_sub(400);
        last.drain(..old);
    });
}

#[test]
fn every_generator_of_sliding_attacks_finds_the_same_moves() {
    use chess::attacks::sliders::{Hyperbola, Magic, RankTable};
    use chess::moves::{Part, generate_by};
    walk(5, |position| {
        let ways = [generate_by::<Magic>, generate_by::<RankTable>, generate_by::<Hyperbola>];
        for generate in ways {
            let mut found = Vec::new();
            generate(position, Part::All, &mut found);
            assert_eq!(found, position.list(), "{position}");
        }
    });
}

#[test]
fn noisy_and_quiet_moves_are_all_moves() {
    use chess::moves::{Part, generate};
    walk(10, |position| {
        let (mut all, mut parts) = (Vec::new(), Vec::new());
        generate(position, Part::All, &mut all);
        generate(position, Part::Noisy, &mut parts);
        assert!(parts.iter().all(|&m| position.is_noisy(m)));
        let noisy = parts.len();
        generate(position, Part::Quiet, &mut parts);
        assert!(parts[noisy..].iter().all(|&m| !position.is_noisy(m)));
        all.sort_by_key(|m| m.number());
        parts.sort_by_key(|m| m.number());
        assert_eq!(all, parts);
    });
}
