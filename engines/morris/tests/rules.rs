//! The rules against a second, slow and independent reading of them, and the perft tables made with it.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use morris::{Morris, NoReturn, Position, Rules};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use search::testing::perft_rows;
use search::{Engine, Game, Side};

/// The lines as people read them from the board; adjacent names on a line are joined.
const LINES: [[&str; 3]; 16] = [
    ["a7", "d7", "g7"],
    ["b6", "d6", "f6"],
    ["c5", "d5", "e5"],
    ["a4", "b4", "c4"],
    ["e4", "f4", "g4"],
    ["c3", "d3", "e3"],
    ["b2", "d2", "f2"],
    ["a1", "d1", "g1"],
    ["a7", "a4", "a1"],
    ["b6", "b4", "b2"],
    ["c5", "c4", "c3"],
    ["d7", "d6", "d5"],
    ["d3", "d2", "d1"],
    ["e5", "e4", "e3"],
    ["f6", "f4", "f2"],
    ["g7", "g4", "g1"],
];
/// The order in which FENs and removals name the points.
const ORDER: &str = "a7 d7 g7 g4 g1 d1 a1 a4 b6 d6 f6 f4 f2 d2 b2 b4 c5 d5 e5 e4 e3 d3 c3 c4";

type Name = &'static str;

/// A position as maps from names to colours.
#[derive(Clone)]
struct Slow {
    rules: Rules,
    men: BTreeMap<Name, char>,
    hand: BTreeMap<char, u32>,
    turn: char,
    quiet: u32,
    came: BTreeMap<Name, Name>,
}

fn other(colour: char) -> char {
    if colour == 'w' { 'b' } else { 'w' }
}

fn joined(a: Name, b: Name) -> bool {
    LINES.iter().any(|l| l.windows(2).any(|w| w == [a, b] || w == [b, a]))
}

impl Slow {
    fn read(rules: Rules, fen: &str) -> Slow {
        let fields: Vec<&str> = fen.split(' ').collect();
        let letters = fields[0].chars().filter(|&c| c != '/');
        let name = |n: &str| ORDER.split(' ').find(|&o| o == n).unwrap();
        let pairs = fields[5].split(',').filter_map(|pair| pair.split_once(':'));
        Slow {
            rules,
            men: ORDER.split(' ').zip(letters).filter(|&(_, c)| c != '.').collect(),
            hand: [('w', fields[2].parse().unwrap()), ('b', fields[3].parse().unwrap())].into(),
            turn: fields[1].chars().next().unwrap(),
            quiet: fields[4].parse().unwrap(),
            came: pairs.map(|(at, from)| (name(at), name(from))).collect(),
        }
    }

    fn fen(&self) -> String {
        let mut board = String::new();
        for (i, name) in ORDER.split(' ').enumerate() {
            board += if i == 8 || i == 16 { "/" } else { "" };
            board.push(*self.men.get(name).unwrap_or(&'.'));
        }
        let memory: Vec<String> = ORDER
            .split(' ')
            .filter_map(|name| self.came.get(name).map(|from| format!("{name}:{from}")))
            .collect();
        let memory = if memory.is_empty() { "-".to_owned() } else { memory.join(",") };
        format!("{board} {} {} {} {} {memory}", self.turn, self.hand[&'w'], self.hand[&'b'], self.quiet)
    }

    fn of(&self, colour: char) -> Vec<Name> {
        ORDER.split(' ').filter(|name| self.men.get(name) == Some(&colour)).collect()
    }

    fn mills_through(&self, point: Name, colour: char) -> usize {
        let full = |line: &&[Name; 3]| line.iter().all(|p| self.men.get(p) == Some(&colour));
        LINES.iter().filter(|line| line.contains(&point)).filter(full).count()
    }

    fn can_lose(&self, colour: char) -> Vec<Name> {
        let men = self.of(colour);
        let free: Vec<Name> = men.iter().copied().filter(|p| self.mills_through(p, colour) == 0).collect();
        if self.rules.remove_any || free.is_empty() { men } else { free }
    }

    /// Every legal turn: its text and where it leads.
    fn turns(&self) -> BTreeMap<String, Slow> {
        let mut out = BTreeMap::new();
        let (own, hand) = (self.of(self.turn), self.hand[&self.turn]);
        if own.len() as u32 + hand < 3 {
            return out;
        }
        let empty: Vec<Name> = ORDER.split(' ').filter(|p| !self.men.contains_key(p)).collect();
        for &to in &empty {
            if hand > 0 {
                let mut next = self.clone();
                *next.hand.get_mut(&self.turn).unwrap() -= 1;
                next.finish(None, to, &mut out);
                continue;
            }
            for &from in &own {
                let flies = own.len() == 3 && self.rules.flying;
                if (flies || joined(from, to)) && self.came.get(from) != Some(&to) {
                    let mut next = self.clone();
                    next.men.remove(from);
                    next.finish(Some(from), to, &mut out);
                }
            }
        }
        out
    }

    fn finish(mut self, from: Option<Name>, to: Name, out: &mut BTreeMap<String, Slow>) {
        let colour = self.turn;
        self.men.insert(to, colour);
        if self.rules.no_return == NoReturn::Last {
            let own = self.of(colour);
            self.came.retain(|at, _| !own.contains(at) && Some(*at) != from);
        }
        if let Some(from) = from {
            self.came.remove(from);
            if self.rules.no_return != NoReturn::Off {
                self.came.insert(to, from);
            }
        }
        let way = from.map_or(to.to_owned(), |from| format!("{from}-{to}"));
        self.turn = other(colour);
        self.quiet += 1;
        let removals = match self.mills_through(to, colour) {
            0 => 0,
            2 if self.rules.double_removal => 2,
            _ => 1,
        };
        self.remove(&way, BTreeSet::new(), removals, out);
    }

    fn remove(&self, way: &str, gone: BTreeSet<usize>, left: u32, out: &mut BTreeMap<String, Slow>) {
        let victims = self.can_lose(self.turn);
        if left == 0 || victims.is_empty() {
            let names: Vec<Name> = ORDER.split(' ').collect();
            let text = gone.iter().fold(way.to_owned(), |text, &i| format!("{text}x{}", names[i]));
            out.insert(text, self.clone());
            return;
        }
        for victim in victims {
            let mut next = self.clone();
            next.men.remove(victim);
            next.came.remove(victim);
            next.quiet = 0;
            let mut gone = gone.clone();
            gone.insert(ORDER.split(' ').position(|p| p == victim).unwrap());
            next.remove(way, gone, left - 1, out);
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.turns().values().map(|next| next.perft(depth - 1)).sum() }
    }
}

/// Every combination of the single rules.
fn all_rules() -> Vec<Rules> {
    let mut out = Vec::new();
    for bits in 0..8 {
        for no_return in [NoReturn::Off, NoReturn::Last, NoReturn::Man] {
            let [remove_any, double_removal, flying] = [1, 2, 4].map(|bit| bits & bit != 0);
            out.push(Rules { remove_any, no_return, double_removal, flying, quiet_limit: 100 });
        }
    }
    out
}

#[test]
fn fast_and_slow_rules_agree_on_random_games_of_every_rule_set() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    for rules in all_rules().into_iter().cycle().take(120) {
        let mut fast = Position::start(&rules);
        for _ in 0..90 {
            let slow = Slow::read(rules, &fast.to_string());
            assert_eq!(slow.fen(), fast.to_string());
            let turns = slow.turns();
            let moves = fast.list();
            let mine: BTreeMap<String, String> = moves
                .iter()
                .map(|&m| {
                    let next = fast.after(m);
                    assert_eq!(next.key(), next.computed_key());
                    assert_eq!(fast.parse(&fast.write(m)), Ok(m));
                    (fast.write(m), next.to_string())
                })
                .collect();
            assert_eq!(mine.len(), moves.len(), "two moves share a text in {fast}");
            assert_eq!(fast.count(), moves.len() as u64, "{fast} {rules:?}");
            let theirs: BTreeMap<String, String> =
                turns.iter().map(|(text, next)| (text.clone(), next.fen())).collect();
            assert_eq!(mine, theirs, "{fast} {rules:?}");
            let packed: BTreeSet<u32> = moves.iter().map(|&m| fast.pack(m)).collect();
            assert!(packed.len() == moves.len() && !packed.contains(&0));
            if moves.is_empty() {
                break;
            }
            fast.play(moves[random.next_u64() as usize % moves.len()]);
        }
    }
}

#[test]
fn a_flipped_position_has_the_same_moves() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for rules in [Rules::STANDARD, Rules::SEED] {
        let mut position = Position::start(&rules);
        while position.count() > 0 && position.quiet() < 60 {
            let flipped = position.flipped().unwrap();
            assert_eq!(flipped.flipped(), Some(position));
            assert_eq!((flipped.turn(), flipped.count()), (!position.turn(), position.count()));
            assert_eq!(flipped.men(Side::White), position.men(Side::Black));
            let moves = position.list();
            position.play(moves[random.next_u64() as usize % moves.len()]);
        }
    }
}

#[test]
fn the_slow_rules_give_the_same_tables() {
    for (engine, fen, counts) in perft_rows::<Morris>(include_str!("../../../tests/data/morris.perft")) {
        let position = Slow::read(engine.rules(), fen);
        for (depth, &leaves) in (1..).zip(&counts).filter(|&(_, &leaves)| leaves < 20_000) {
            assert_eq!(position.perft(depth), leaves, "{fen} at depth {depth}");
        }
    }
}
